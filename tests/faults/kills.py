"""Kills a live game again and again; run as `make kills KILLS=1000`.

The simulated table plays through the real pipeline while people follow and tap. The process is
killed at random instants: while it starts, at any time, just when a turn was shown, in the middle
of a tap. It is started anew on the same data, and whatever anybody was told before must still be
so (`tests.faults.promises`). The figures are one line of JSON on standard output; the exit status
is 1 when a promise was broken.
"""

from __future__ import annotations

import argparse
import json
import os
import random
import statistics
import sys
import tempfile
import time
from collections.abc import Sequence
from dataclasses import asdict, dataclass, field
from pathlib import Path

from tests.faults.people import Person
from tests.faults.promises import Ledger
from tests.faults.running import Device, Scorekeeper, free_port

SPEED = 60.0
PEOPLE, FOLLOWERS = 2, 2
MOMENTS = {"starting": 12, "any time": 40, "turn shown": 28, "tap sent": 20}
"""When it is killed, and how often."""
STARTING_S, ANY_TIME_S, SHOWN_S, TAP_S = 0.7, 5.0, 0.01, 0.01
WAIT_FOR_MOMENT_S = 6.0
RESTART_BAR_S = 3.0
TOLD_EVERY_S = 30.0


@dataclass(slots=True)
class Figures:
    """What a series of kills came to."""

    kills: int = 0
    moments: dict[str, int] = field(default_factory=lambda: dict.fromkeys(MOMENTS, 0))
    games: int = 0
    events: int = 0
    turns_of_the_camera: int = 0
    states_shown: int = 0
    taps: int = 0
    acknowledged: int = 0
    refused: int = 0
    unanswered_found: int = 0
    unanswered_absent: int = 0
    resent: int = 0
    restart_median_s: float = 0.0
    restart_p99_s: float = 0.0
    restart_max_s: float = 0.0
    seconds: float = 0.0
    load_per_processor: float = 0.0
    """How busy the machine was at the end; on a busy one restarts are slow."""
    broken: list[str] = field(default_factory=list)

    @property
    def is_kept(self) -> bool:
        """Whether every promise was kept."""
        return not self.broken


class MortalGame:
    """One game on one data directory, in as many processes as it takes."""

    def __init__(self, data: Path, seed: int) -> None:
        """Begin with a data directory that nobody has used."""
        self._data, self._seed = data, seed
        self._rng = random.Random(seed)
        self._port = free_port()
        self._lives = 0
        self._restarts_s: list[float] = []
        self.ledger = Ledger(data)
        self.figures = Figures()

    def live_once(self) -> None:
        """Start, look whether all promises were kept, play on, and be killed."""
        moment = self._rng.choices(list(MOMENTS), list(MOMENTS.values()))[0]
        with self._start() as scorekeeper:
            if moment == "starting":
                time.sleep(self._rng.uniform(0, STARTING_S))
            else:
                self._awake(scorekeeper)
                self._play_until(moment, scorekeeper)
        self.figures.kills += 1
        self.figures.moments[moment] += 1

    def live_until_told(self, seconds: float) -> int:
        """A life that ends as it should, with SIGTERM; returns the exit status."""
        with self._start() as scorekeeper:
            self._awake(scorekeeper)
            time.sleep(seconds)
            return scorekeeper.end()

    def finish(self) -> Figures:
        """One last start and look, and what all of it came to."""
        with self._start() as scorekeeper:
            self._awake(scorekeeper)
        ledger, figures, took = self.ledger, self.figures, sorted(self._restarts_s)
        figures.games, figures.events = ledger.games, ledger.events
        figures.turns_of_the_camera, figures.states_shown = ledger.seen_turns, ledger.states
        figures.taps, figures.acknowledged = ledger.taps, ledger.acknowledged
        figures.refused, figures.broken = ledger.refused, ledger.broken
        figures.unanswered_found = ledger.open_found
        figures.unanswered_absent = ledger.open_absent
        figures.restart_median_s = round(statistics.median(took), 3)
        figures.restart_p99_s = round(took[int(0.99 * (len(took) - 1))], 3)
        figures.restart_max_s = round(took[-1], 3)
        figures.load_per_processor = round(os.getloadavg()[2] / (os.cpu_count() or 1), 2)
        return figures

    def _start(self) -> Scorekeeper:
        self._lives += 1
        return Scorekeeper(self._data, "demo", port=self._port, speed=SPEED)

    def _awake(self, scorekeeper: Scorekeeper) -> None:
        """The page is there: it must show all that was shown before."""
        self._restarts_s.append(scorekeeper.wait_for_page())
        device, ledger = Device(scorekeeper.url), self.ledger
        ledger.expect_newest(device.state())
        ledger.note_unanswered()
        self.figures.resent += ledger.resend(device)
        ledger.check()

    def _play_until(self, moment: str, scorekeeper: Scorekeeper) -> None:
        followers = [Device(scorekeeper.url, self.ledger.see) for _ in range(FOLLOWERS)]
        names = [f"s{self._seed}-life{self._lives}-p{number}" for number in range(PEOPLE)]
        people = [Person(scorekeeper.url, name, self.ledger) for name in names]
        for follower in followers:
            follower.follow()
        for person in people:
            person.start()
        self._wait_for(moment)
        scorekeeper.kill()
        for person in people:
            person.end()
            person.join()
        for follower in followers:
            follower.join()

    def _wait_for(self, moment: str) -> None:
        ledger, rng = self.ledger, self._rng
        if moment == "any time":
            time.sleep(rng.uniform(0, ANY_TIME_S))
            return
        time.sleep(rng.uniform(0, ANY_TIME_S / 2))
        happened = ledger.new_turn if moment == "turn shown" else ledger.new_tap
        happened.clear()
        happened.wait(WAIT_FOR_MOMENT_S)
        time.sleep(rng.uniform(0, SHOWN_S if moment == "turn shown" else TAP_S))


def kills(data: Path, count: int, seed: int = 1) -> Figures:
    """Kill a live game so many times."""
    game, begun = MortalGame(data, seed), time.monotonic()
    told_s = begun
    for number in range(count):
        game.live_once()
        if time.monotonic() - told_s > TOLD_EVERY_S:
            told_s = time.monotonic()
            words = f"{number + 1} kills, {len(game.ledger.broken)} promises broken\n"
            sys.stderr.write(words)
            sys.stderr.flush()
    figures = game.finish()
    figures.seconds = round(time.monotonic() - begun, 1)
    return figures


def main(words: Sequence[str] | None = None) -> int:
    """Kill as often as wanted."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--kills", type=int, default=1000)
    parser.add_argument("--seed", type=int, default=1)
    args = parser.parse_args(words)
    with tempfile.TemporaryDirectory() as folder:
        figures = kills(Path(folder) / "data", args.kills, args.seed)
    is_fast = figures.restart_p99_s < RESTART_BAR_S
    told = {"is_kept": figures.is_kept, "is_restart_fast": is_fast}
    sys.stdout.write(f"{json.dumps(asdict(figures) | told)}\n")
    return 0 if figures.is_kept and is_fast else 1


if __name__ == "__main__":
    sys.exit(main())
