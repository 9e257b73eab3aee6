"""Simulated games under faults of every kind; run as `make soak MINUTES=60`.

One scorekeeper lives through the whole run: every few seconds something is done to it
(`tests.faults.soak_faults`), while its memory, threads and files are watched. Another one plays
and is killed, or told to end, and started anew, again and again (`tests.faults.kills`). In the
end nothing that was acknowledged is lost, all totals are right, nothing has grown and all devices
show the same. The figures are one line of JSON on standard output; the exit status is 1 when a
promise was broken.
"""

from __future__ import annotations

import argparse
import contextlib
import json
import random
import sys
import tempfile
import threading
import time
from collections.abc import Iterator, Sequence
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Any

from tests.faults.kills import MortalGame
from tests.faults.running import wait_until
from tests.faults.soak_faults import faults_for, look_around
from tests.faults.steady import Burden, Gauge, Steady

BETWEEN_FAULTS_S = (0.5, 3.0)
CHECK_EVERY = 5
END_SHARE = 0.2
"""How many of the second scorekeeper's lives end by SIGTERM."""
MOST_GROWTH = 0.05
WARM_GAMES = 4
"""Memory is compared only after two games of each kind: before, caches are still being filled."""
SETTLES_WITHIN_S = 60.0
TOLD_EVERY_S = 30.0


@dataclass(slots=True)
class Figures:
    """What a soak came to."""

    minutes: float
    faults: dict[str, int] = field(default_factory=dict)
    clean_games: int = 0
    clean_turns: int = 0
    clean_wrong: list[str] = field(default_factory=list)
    games: int = 0
    events: int = 0
    states_shown: int = 0
    taps: int = 0
    acknowledged: int = 0
    refused: int = 0
    broken: list[str] = field(default_factory=list)
    memory_early_mb: float = 0.0
    memory_late_mb: float = 0.0
    memory_growth_percent: float = 0.0
    is_memory_judged: bool = False
    threads_before: int = 0
    threads_after: int = 0
    files_before: int = 0
    files_after: int = 0
    clients_that_differ: int = 0
    exit_status: int | None = None
    killed: dict[str, Any] = field(default_factory=dict)
    """The figures of the scorekeeper that was killed."""

    @property
    def is_kept(self) -> bool:
        """Whether every promise was kept."""
        has_grown = self.is_memory_judged and self.memory_growth_percent >= 100 * MOST_GROWTH
        is_leaking = (
            self.threads_after > self.threads_before or self.files_after > self.files_before
        )
        broken = (self.broken, self.clean_wrong, self.killed["broken"], self.clients_that_differ)
        return not any((*broken, has_grown, is_leaking, self.exit_status))


class Mortal(threading.Thread):
    """The second scorekeeper, which dies again and again."""

    def __init__(self, data: Path, seed: int) -> None:
        """Use a data directory of its own."""
        super().__init__(name="mortal", daemon=True)
        self.game = MortalGame(data, seed)
        self.ends = 0
        self._rng = random.Random(seed)
        self._ended = threading.Event()
        self._failure: BaseException | None = None

    def run(self) -> None:
        """Live and die until told to end."""
        try:
            while not self._ended.is_set():
                if self._rng.random() < END_SHARE:
                    self._end_as_told()
                else:
                    self.game.live_once()
        except BaseException as error:  # noqa: BLE001 - it is raised again where it is waited for
            self._failure = error

    def _end_as_told(self) -> None:
        status = self.game.live_until_told(self._rng.uniform(0, 4))
        self.ends += 1
        if status != 0:
            self.game.ledger.broken.append(f"SIGTERM ended it with {status}")

    def finish(self) -> dict[str, Any]:
        """Let it live once more, and tell what it came to."""
        self._ended.set()
        self.join()
        if self._failure is not None:
            raise self._failure
        return {**asdict(self.game.finish()), "ended_by_sigterm": self.ends}


def soak(folder: Path, minutes: float, seed: int = 1) -> Figures:
    """Play under faults for so long."""
    figures, rng = Figures(minutes), random.Random(seed)
    end = time.monotonic() + 60 * minutes
    mortal, steady = Mortal(folder / "mortal", seed), Steady(folder)
    with steady.scorekeeper:
        steady.begin()
        look_around(steady, rng)  # what is made when it is first wanted is there for good
        mortal.start()
        before, gauge = Burden.of(steady.pid), Gauge(steady.pid)
        gauge.start()
        _trouble(steady, end, rng, figures, gauge)
        gauge.end()
        steady.end()
        figures.clients_that_differ = steady.differing()
        after = _settled(steady, before)
        figures.exit_status = steady.scorekeeper.end()
    figures.killed = mortal.finish()
    figures.threads_before, figures.threads_after = before.threads, after.threads
    figures.files_before, figures.files_after = before.files, after.files
    _count_memory(gauge, figures)
    _count_games(steady, figures)
    return figures


def _trouble(
    steady: Steady, end: float, rng: random.Random, figures: Figures, gauge: Gauge
) -> None:
    """One fault after the other; each kind comes once before any comes again."""
    faults, told_s = faults_for(steady), time.monotonic()
    figures.faults = dict.fromkeys(faults, 0)
    for number, name in enumerate(_names(list(faults), rng)):
        if time.monotonic() > end:
            return
        faults[name](steady, rng)
        figures.faults[name] += 1
        steady.look()
        if steady.games < WARM_GAMES:
            gauge.warm_from = len(gauge.memory_bytes)
        if number % CHECK_EVERY == 0:
            steady.ledger.check()
        if time.monotonic() - told_s > TOLD_EVERY_S:
            told_s = time.monotonic()
            _tell(steady, end, number + 1)
        time.sleep(rng.uniform(*BETWEEN_FAULTS_S))


def _names(names: list[str], rng: random.Random) -> Iterator[str]:
    while True:
        rng.shuffle(names)
        yield from names


def _tell(steady: Steady, end: float, count: int) -> None:
    truth, left = steady.truth, max(0.0, end - time.monotonic())
    broken = [*steady.ledger.broken, *truth.wrong]
    memory = Burden.of(steady.pid).memory_bytes / 1e6
    words = f"{left:5.0f} s left, {count} faults, {truth.turns} turns compared, {memory:.0f} MB"
    sys.stderr.write(f"{words}, broken: {broken}\n")
    sys.stderr.flush()


def _settled(steady: Steady, before: Burden) -> Burden:
    """What it holds when everybody whom the faults brought along has gone."""

    def is_settled() -> bool:
        now = Burden.of(steady.pid)
        return now.files <= before.files and now.threads <= before.threads

    with contextlib.suppress(AssertionError):
        wait_until(is_settled, "all that was opened is closed", SETTLES_WITHIN_S)
    return Burden.of(steady.pid)


def _count_memory(gauge: Gauge, figures: Figures) -> None:
    early, late = gauge.windows_mb()
    figures.memory_early_mb, figures.memory_late_mb = round(early, 1), round(late, 1)
    figures.memory_growth_percent = round(100 * (late / early - 1), 2)
    figures.is_memory_judged = gauge.is_warm


def _count_games(steady: Steady, figures: Figures) -> None:
    truth, ledger = steady.truth, steady.ledger
    figures.clean_games, figures.clean_turns = truth.games, truth.turns
    figures.clean_wrong, figures.broken = truth.wrong, ledger.broken
    figures.games, figures.events = ledger.games, ledger.events
    figures.states_shown, figures.taps = ledger.states, ledger.taps
    figures.acknowledged, figures.refused = ledger.acknowledged, ledger.refused


def main(words: Sequence[str] | None = None) -> int:
    """Soak for as long as wanted."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--minutes", type=float, default=5)
    parser.add_argument("--seed", type=int, default=1)
    args = parser.parse_args(words)
    with tempfile.TemporaryDirectory() as folder:
        figures = soak(Path(folder), args.minutes, args.seed)
    sys.stdout.write(f"{json.dumps(asdict(figures) | {'is_kept': figures.is_kept})}\n")
    return 0 if figures.is_kept else 1


if __name__ == "__main__":
    sys.exit(main())
