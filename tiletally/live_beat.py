"""What the camera's thread is doing and since when, so that others notice when it hangs."""

from __future__ import annotations

import threading
import time
from collections.abc import Mapping
from dataclasses import dataclass

from vision.cameras.base import LongWork

HUNG_S = 8.0
"""Looked at every second, a thread that hangs is noticed within ten. The slowest ordinary step, a
camera that another program uses, takes 6 s; reading takes 2 s on the smallest machine."""
LIMITS_S = {"opening": 30.0, "loading": 60.0}
"""What may take longer: opening and focusing a camera, and loading all that reads pictures."""
WITH_THE_CAMERA = frozenset({"opening", "glancing", "taking"})


@dataclass(frozen=True, slots=True)
class Doing:
    """Something that was begun."""

    what: str
    since_s: float


class Beat:
    """Written by the thread that works, read by the one that watches."""

    def __init__(
        self,
        limits_s: Mapping[str, float] = LIMITS_S,
        hung_s: float = HUNG_S,
        long_work: LongWork | None = None,
    ) -> None:
        """Begin with nothing to do; `long_work` is what the camera says of itself."""
        self._limits_s = limits_s
        self._hung_s = hung_s
        self._long_work = long_work
        self._doing = Doing("waiting", time.monotonic())
        self.thread: threading.Thread | None = None
        """The thread whose work it is; what others do on its behalf says nothing about it."""

    def begin(self, what: str) -> None:
        """Say what comes now."""
        if self.thread in (None, threading.current_thread()):
            self._doing = Doing(what, time.monotonic())

    @property
    def doing(self) -> Doing:
        """What is going on, and since when."""
        doing, long_work = self._doing, self._long_work
        if long_work is None or doing.what != "glancing":
            return doing
        if (began_s := long_work.began_s) is not None:
            return Doing("opening", began_s)
        return Doing(doing.what, max(doing.since_s, long_work.ended_s))

    @property
    def age_s(self) -> float:
        """How long the present step has been going on."""
        return time.monotonic() - self.doing.since_s

    @property
    def is_hung(self) -> bool:
        """Whether the present step takes longer than it ever should."""
        doing = self.doing
        return time.monotonic() - doing.since_s >= self._limits_s.get(doing.what, self._hung_s)

    @property
    def is_dead(self) -> bool:
        """Whether the thread has begun and ended."""
        thread = self.thread
        return thread is not None and thread.ident is not None and not thread.is_alive()
