"""Looks every second whether everybody who works in the background still does.

It runs in the main thread, and reports life to the service manager only while it can help itself:
a program that cannot is started again from outside.
"""

from __future__ import annotations

import logging

from tiletally.process_budget import ProcessBudget
from tiletally.session import Session
from tiletally.table_keeper import TableKeeper
from tiletally.writer import HUNG_S

logger = logging.getLogger(__name__)


class Watchdog:
    """Looks after the thread that writes and, where there is one, the camera.

    A camera that even new processes do not bring back is borne: the game goes on by hand.
    """

    def __init__(
        self, session: Session, keeper: TableKeeper | None, hung_s: float = HUNG_S
    ) -> None:
        """`hung_s` is how long one change of a game may take."""
        self._session = session
        self._keeper = keeper
        self._hung_s = hung_s
        self._was_hung = False
        self._new_processes = ProcessBudget(session.settings.folder)

    def look(self) -> bool:
        """Whether all is well or can be mended from inside."""
        try:
            is_writing = self._look_at_writer()
            is_watching = self._keeper is None or self._keeper.look()
            is_bearable = is_watching or not self._new_processes.may_restart()
        except Exception:
            logger.exception("the watchdog stumbled")
            return False
        return is_writing and is_bearable

    def _look_at_writer(self) -> bool:
        is_hung = self._session.writer.busy_s >= self._hung_s
        if is_hung and not self._was_hung:
            logger.error("the disk has not taken a change for %.0f s", self._hung_s)
        self._was_hung = is_hung
        self._session.notice("disk_hangs", is_hung)
        return not is_hung
