"""Kills a playing process again and again; run as `python -m tests.journal.kill_rounds DIR N`.

It runs as a program of its own, because it forks, which a process with threads must not do.
"""

from __future__ import annotations

import json
import random
import sys
from dataclasses import asdict
from functools import partial
from pathlib import Path

from tests.journal.crash_play import Tally, add_up, crash, found_batches, play

LONGEST_S = 0.05
ROUNDS_PER_JOURNAL = 20


def main(directory: Path, rounds: int) -> Tally:
    """Kill `rounds` times, with a new journal now and then so that its birth is hit too."""
    rng, tally, known = random.Random(1), Tally(), 0
    for number in range(rounds):
        data_dir = directory / f"data-{number // ROUNDS_PER_JOURNAL}"
        known = 0 if number % ROUNDS_PER_JOURNAL == 0 else known
        work = partial(_play, data_dir, rng.random())
        acknowledged = crash(work, rng.uniform(0, LONGEST_S), while_playing=number % 2 == 1)
        found = found_batches(data_dir, tally, by_writer=number % 3 == 0)
        add_up(tally, acknowledged, known, found)
        known = found
    return tally


def _play(data_dir: Path, seed: float, acknowledge_fd: int) -> None:
    play(data_dir, acknowledge_fd, random.Random(seed), "FULL")


if __name__ == "__main__":
    json.dump(asdict(main(Path(sys.argv[1]), int(sys.argv[2]))), sys.stdout)
