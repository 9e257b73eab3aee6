"""Looks after the camera's table: lets it join the game, notices when it hangs, replaces it.

The page comes first: the camera joins when everything that reads pictures is loaded. Until then,
and whenever the camera has failed, the keeper stands in for it and everything is done by hand.

A thread that hangs cannot be ended. It is left behind: its guest of the session is dismissed, so
that nothing it does reaches the game any more, and a fresh table is made. Only a new process helps
when it holds on to the device, or when too many have been left behind.
"""

from __future__ import annotations

import logging
import math
import threading
import time
from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING, Any

from scorer.tiles import Cell
from tiletally.photo_store import PhotoStore
from tiletally.restart_budget import RestartBudget
from tiletally.session import Session
from tiletally.session_guest import Guest
from tiletally.session_live import AnyTicket
from tiletally.writer import told_worker

if TYPE_CHECKING:
    from tiletally.live import CameraTable

logger = logging.getLogger(__name__)

ARRIVES_WITHIN_S = 60.0
"""Looking for cameras that are not there takes up to half a minute."""
LETS_GO_WITHIN_S = 5.0
"""Closing a camera takes up to two seconds."""
MOST_LEFT_BEHIND = 8
"""Threads that hang, each with its pictures in memory."""

MakeTable = Callable[[Guest, bool], "CameraTable | None"]
"""Makes a table for a guest, and is told whether it is a restart; None means by hand."""


class TableKeeper:
    """Stands in for a camera until it is there, and again when it has failed."""

    def __init__(
        self,
        session: Session,
        source: str,
        make: MakeTable,
        *,
        photos: PhotoStore | None = None,
        budget: RestartBudget | None = None,
        arrives_within_s: float = ARRIVES_WITHIN_S,
        lets_go_within_s: float = LETS_GO_WITHIN_S,
    ) -> None:
        """Nothing happens before `start`."""
        self._session = session
        self._source = source
        self._make = make
        self._photos = photos
        self._budget = budget or RestartBudget()
        self._arrives_within_s = arrives_within_s
        self._lets_go_within_s = lets_go_within_s
        self._lock = threading.Lock()
        self._guest = Guest(session)
        self._table: CameraTable | None = None
        self._state = "new"
        self._since_s = time.monotonic()
        self._retry_s = 0.0
        self._arriving: threading.Thread | None = None
        self._left: list[threading.Thread] = []
        self._holding: list[threading.Thread] = []
        """Threads left behind that still have the device while they live."""
        session.workers["camera"] = self.told

    def start(self) -> None:
        """Make the camera's table in a thread of its own, and put it in this one's place."""
        with self._lock:
            self._session.attach(self)
            self._arrive()

    def look(self) -> bool:
        """Look after the table; False means that only a new process can help."""
        with self._lock:
            self._left = [thread for thread in self._left if thread.is_alive()]
            if self._state == "here":
                return self._look_at_table()
            if self._state == "arriving" and self._age_s >= self._arrives_within_s:
                self._leave_behind(self._arriving)
                self._fail("could not be set up in time")
            if self._state in ("waiting", "stuck") and time.monotonic() >= self._retry_s:
                return self._try_again()
            return self._state != "stuck"

    def told(self) -> dict[str, Any]:
        """How the camera's thread is, for whoever looks after the program."""
        table = self._table
        if table is None:
            return told_worker(self._state, self._state, self._age_s, self._budget.count)
        state = "hung" if table.beat.is_hung or table.is_stuck else "ok"
        return told_worker(state, table.beat.doing.what, table.beat.age_s, self._budget.count)

    @property
    def _age_s(self) -> float:
        return time.monotonic() - self._since_s

    # --- arriving

    def _arrive(self) -> None:
        is_restart = self._budget.count > 0
        self._guest = guest = Guest(self._session)
        self._enter("arriving")
        self._tell("starting", *(["restarting"] if is_restart else []))
        self._arriving = threading.Thread(
            target=self._run, args=(guest, is_restart), name="arriving", daemon=True
        )
        self._arriving.start()

    def _run(self, guest: Guest, is_restart: bool) -> None:
        try:
            table = self._make(guest, is_restart)
        except Exception:
            logger.exception("the camera could not be set up")
            with self._lock:
                if guest is self._guest and self._state == "arriving":
                    self._fail("could not be set up")
            return
        with self._lock:
            is_awaited = guest is self._guest and self._state == "arriving"
            if is_awaited:
                self._welcome(table)
        if not is_awaited and table is not None:
            table.close()

    def _welcome(self, table: CameraTable | None) -> None:
        self._table = table
        self._enter("here")
        self._session.attach(table)
        if table is not None:
            table.start()

    # --- failing

    def _look_at_table(self) -> bool:
        table = self._table
        if table is None:
            return True
        if table.beat.is_dead:
            self._replace(table, "ended unexpectedly")
        elif table.beat.is_hung:
            self._replace(table, f"hangs while {table.beat.doing.what}")
        return not table.is_stuck or self._state != "here"

    def _replace(self, table: CameraTable, why: str) -> None:
        closing = threading.Thread(target=table.close, name="closing", daemon=True)
        hung = table.beat.thread if table.has_lost_device else None
        self._holding = [thread for thread in (closing, hung) if thread and table.holds_device]
        closing.start()
        self._leave_behind(table.beat.thread, closing)
        self._fail(why)

    def _leave_behind(self, *threads: threading.Thread | None) -> None:
        self._left += [thread for thread in threads if thread is not None]

    def _fail(self, why: str) -> None:
        """Do without the camera for a while."""
        self._guest.dismiss()
        self._table = None
        pause_s = self._budget.spend(time.monotonic())
        logger.error("the camera %s; it is started again in %.0f s", why, pause_s)
        self._enter("waiting")
        self._retry_s = time.monotonic() + pause_s
        self._session.attach(self)
        if self._budget.is_used_up:
            self._tell("lost", "resting", minutes=math.ceil(pause_s / 60))
        else:
            self._tell("lost", "restarting")

    def _try_again(self) -> bool:
        is_held = any(thread.is_alive() for thread in self._holding)
        if is_held and self._state == "waiting" and self._age_s < self._lets_go_within_s:
            return True
        if not is_held and len(self._left) < MOST_LEFT_BEHIND:
            self._arrive()
            return True
        if self._state != "stuck":
            logger.error("the camera cannot be had again by this process")
            self._enter("stuck")
            self._tell("lost", "stuck")
        return False

    def _enter(self, state: str) -> None:
        self._state, self._since_s = state, time.monotonic()

    def _tell(self, state: str, *hints: str, **params: int) -> None:
        told = [{"code": code, "params": params} for code in hints]
        camera = {"state": state, "source": self._source, "hints": told, "can_upload": False}
        self._session.show({"camera": camera})

    # --- what a live table is asked

    def wish(self, name: str, params: Mapping[str, Any], ticket: AnyTicket) -> bool:
        """There is nothing pending."""
        return False

    def preview(self, is_marked: bool) -> bytes | None:
        """There is no picture."""
        return None

    def photo(self, game_id: int, cells: frozenset[Cell]) -> bytes | None:
        """The photo that proves a turn; it is there without the camera too."""
        return self._photos.load(game_id, cells) if self._photos else None

    def send_photo(self, data: bytes) -> None:
        """Refuse it for now."""
        raise ValueError("the camera is just starting: send the photo again in a moment")

    def close(self) -> None:
        """Do not let the camera join any more."""
        with self._lock:
            self._enter("closed")
            self._guest.dismiss()
        if self._arriving is not None:
            self._arriving.join(timeout=1.0)
