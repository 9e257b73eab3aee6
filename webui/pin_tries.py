"""How often the PIN may be tried: a few times freely, then after waits that grow.

Every try counts before it is looked at, so that tries at the same time gain nothing, and it counts
on the disk, so that a restart gains nothing either. A device that never was let in shares one count
with all others of its kind; one that knew the PIN before has a count of its own, so that nobody's
guessing can keep the family out. Waits end: the longest is five minutes.
"""

from __future__ import annotations

import json
import logging
import math
import threading
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path

from webui.pin_file import TRIES_NAME, write_private

logger = logging.getLogger(__name__)

EVERYBODY = "everybody"
FREE, FREE_FOR_ALL = 3, 10
FIRST_WAIT_S, LONGEST_WAIT_S = 10.0, 300.0
FORGET_ONE_AFTER_S = 600.0
MOST_COUNTS = 128


class TooSoonError(Exception):
    """The next try is allowed only later."""

    def __init__(self, wait_s: float) -> None:
        """Say how many seconds are left."""
        super().__init__(f"too many wrong PINs; try again in {seconds(wait_s)} s")
        self.wait_s = wait_s


def seconds(wait_s: float) -> int:
    """Whole seconds, rather one too many."""
    return int(wait_s) + (wait_s > int(wait_s))


@dataclass(frozen=True, slots=True)
class Count:
    """How many wrong tries are remembered, and when the next one is allowed."""

    tries: float
    at_s: float
    ready_s: float

    def after(self, now_s: float) -> float:
        """What is remembered of the tries by now."""
        return max(0.0, self.tries - (now_s - self.at_s) / FORGET_ONE_AFTER_S)


class Tries:
    """Counts tries, by device or address and for everybody together."""

    def __init__(self, folder: Path | None, clock: Callable[[], float] = time.monotonic) -> None:
        """Go on where the last process ended."""
        self._path = folder / TRIES_NAME if folder else None
        self._clock = clock
        self._mutex = threading.Lock()
        self._counts = self._load()

    def wait_s(self, whose: Sequence[str]) -> float:
        """How long they have to wait before the next try."""
        with self._mutex:
            return self._left(whose, self._clock())

    def charge(self, whose: Sequence[str]) -> None:
        """Count a try before it is looked at.

        Raises:
            TooSoonError: It is not allowed yet, and was not counted.
        """
        with self._mutex:
            now = self._clock()
            left = self._left(whose, now)
            if left > 0:
                raise TooSoonError(left)
            for who in whose:
                known = self._counts.get(who)
                self._counts[who] = _count(who, 1 + (known.after(now) if known else 0.0), now)
            self._save(now)

    def forgive(self, whose: Sequence[str]) -> None:
        """The try was right: forget one's own wrong ones, and take one from what all share."""
        with self._mutex:
            for who in whose:
                known = self._counts.pop(who, None)
                if who == EVERYBODY and known is not None:
                    self._counts[who] = _count(who, max(0.0, known.tries - 1), known.at_s)
            self._save(self._clock())

    def forget(self) -> None:
        """There is a new PIN, or none: begin anew."""
        with self._mutex:
            self._counts.clear()
            self._save(self._clock())

    def _left(self, whose: Sequence[str], now: float) -> float:
        known = [self._counts[who].ready_s for who in whose if who in self._counts]
        return max([0.0, *(ready - now for ready in known)])

    def _load(self) -> dict[str, Count]:
        """The counts on the disk, with the time since then; a clock set back brings none."""
        if self._path is None:
            return {}
        now = self._clock()
        try:
            data = json.loads(self._path.read_text(encoding="utf-8"))
            passed = max(0.0, time.time() - float(data["at"]))
            return {
                str(who): Count(float(tries), now - passed, now + _bounded(float(left)) - passed)
                for who, (tries, left) in data["counts"].items()
            }
        except FileNotFoundError:
            return {}
        except (OSError, ValueError, TypeError, KeyError, AttributeError) as error:
            logger.warning("the wrong tries of the PIN cannot be read, and begin anew: %s", error)
            return {}

    def _save(self, now: float) -> None:
        """Keep the counts that still matter, the largest of them."""
        kept = sorted(self._counts.items(), key=lambda each: -each[1].after(now))[:MOST_COUNTS]
        self._counts = {who: count for who, count in kept if count.after(now) > 0}
        if self._path is None:
            return
        counts = {
            who: [count.after(now), max(0.0, count.ready_s - now)]
            for who, count in self._counts.items()
        }
        try:
            write_private(self._path, {"at": time.time(), "counts": counts})
        except OSError as error:
            logger.warning("the wrong tries of the PIN could not be kept: %s", error)


def _count(who: str, tries: float, now: float) -> Count:
    free = FREE_FOR_ALL if who == EVERYBODY else FREE
    # A little is forgotten between two tries; that must not give another free one.
    over = math.ceil(tries) - free
    wait = FIRST_WAIT_S * 2.0 ** min(over, 10) if over >= 0 else 0.0
    return Count(tries, now, now + _bounded(wait))


def _bounded(wait_s: float) -> float:
    return max(0.0, min(wait_s, LONGEST_WAIT_S))
