"""Keeps disk and memory within bounds: photos as wished, and not ever more damaged journals.

A thread of its own looks once a minute and whenever settings or game have changed.
"""

from __future__ import annotations

import logging
import shutil
import threading
import time
from pathlib import Path
from typing import Any

from tiletally.memory import give_back_memory
from tiletally.photo_store import PhotoRule, PhotoStore
from tiletally.session import Session
from tiletally.writer import told_worker

logger = logging.getLogger(__name__)

EVERY_S = 60.0
MOST_DAMAGED = 10
"""Damaged journals that are kept. What is sound in them was rescued when they were set aside; a
card that goes bad would set aside one at every start."""


class Housekeeping:
    """Tidies up for as long as the session is open."""

    def __init__(self, session: Session, photos: PhotoStore, every_s: float = EVERY_S) -> None:
        """Nothing happens before `start`."""
        self._session = session
        self._photos = photos
        self._every_s = every_s
        self._began_s: float | None = None
        self._thread = threading.Thread(target=self._run, name="housekeeping", daemon=True)
        session.workers["housekeeping"] = self.told

    def start(self) -> None:
        """Tidy up now, and then again and again."""
        self._thread.start()

    def told(self) -> dict[str, Any]:
        """How it is, for whoever looks after the program."""
        began_s = self._began_s
        busy_s = 0.0 if began_s is None else time.monotonic() - began_s
        state = "hung" if busy_s > self._every_s else "ok"
        return told_worker(state, "waiting" if began_s is None else "tidying", busy_s, 0)

    def tidy(self, rule: PhotoRule) -> None:
        """Bring everything within its bounds, and say it where the disk is nearly full."""
        try:
            self._photos.tidy(rule)
            if (folder := self._session.settings.folder) is not None:
                remove_old_damaged(folder)
            self._session.notice("disk_nearly_full", self._photos.is_disk_nearly_full)
        except OSError as error:
            logger.warning("it could not be tidied up: %s", error)

    def _run(self) -> None:
        tidied: PhotoRule | None = None
        due_s = 0.0
        while not self._session.is_closing:
            version, rule = self._session.version, self._rule()
            if rule != tidied or time.monotonic() >= due_s:
                self._work(rule)
                tidied, due_s = rule, time.monotonic() + self._every_s
            self._session.wait(version, self._every_s)

    def _work(self, rule: PhotoRule) -> None:
        self._began_s = time.monotonic()
        try:
            self.tidy(rule)
            give_back_memory()
        except Exception:
            logger.exception("housekeeping stumbled")
        self._began_s = None

    def _rule(self) -> PhotoRule:
        current = self._session.current()
        settings = self._session.settings.plain()
        return PhotoRule.of(settings, current.game_id if current else None)


def remove_old_damaged(data_dir: Path, most: int = MOST_DAMAGED) -> None:
    """Keep the first damaged journal, in which the most may be left, and the newest ones."""
    found = sorted(data_dir.glob("journal-damaged-*"), key=lambda path: path.stat().st_mtime_ns)
    for path in found[1 : len(found) - most + 1]:
        logger.warning("removing the damaged journal %s: there are too many", path.name)
        shutil.rmtree(path)
