"""Cuts the power again and again; run under `powercut.c` as
`python -m tests.journal.power_cut DIR N FULL|NORMAL none|some`.

After each cut the disk is put together anew from what had been synced: of what had not,
`none` survives, or `some`, sector by sector at random, as a disk may write in any order.
"""

from __future__ import annotations

import json
import os
import random
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import asdict
from functools import partial
from pathlib import Path

from scorer.journal_files import sync
from tests.journal.crash_play import Tally, add_up, crash, found_batches, play

LONGEST_S = 0.08
CUTS_PER_JOURNAL = 4
SECTOR = 512


def main(directory: Path, cuts: int, synchronous: str, survivors: str) -> Tally:
    """Cut the power `cuts` times; the disk left by one cut is the disk of the next start."""
    rng, tally, known = random.Random(1), Tally(), 0
    disk = directory / "disk-0"
    for number in range(cuts):
        if number % CUTS_PER_JOURNAL == 0:
            disk, known = directory / f"disk-{number}-new", 0
            disk.mkdir(parents=True)
        shadow = directory / f"shadow-{number}"
        shadow.mkdir()
        work = partial(_play, disk, rng.random(), synchronous)
        with watched(disk, shadow):
            seconds = rng.uniform(0, LONGEST_S)
            acknowledged = crash(work, seconds, while_playing=number % 3 != 2)
        chance = rng if survivors == "some" else None
        disk = rebuild(shadow, disk, directory / f"disk-{number + 1}", chance)
        found = found_batches(disk, tally, by_writer=True)
        add_up(tally, acknowledged, known, found)
        known = found
    return tally


@contextmanager
def watched(disk: Path, shadow: Path) -> Iterator[None]:
    """Have every sync below `disk` recorded; what lies there already counts as synced."""
    names = {"POWERCUT_DISK": str(disk), "POWERCUT_SHADOW": str(shadow)}
    os.environ |= names
    for path in [*disk.rglob("*"), disk]:
        sync(path)
    yield
    for name in names:
        del os.environ[name]


def _play(disk: Path, seed: float, synchronous: str, acknowledge_fd: int) -> None:
    play(disk, acknowledge_fd, random.Random(seed), synchronous)


def rebuild(shadow: Path, before: Path, after: Path, chance: random.Random | None) -> Path:
    """Write into `after` what a machine finds that lost power with the files of `before`."""
    after.mkdir()
    if (shadow / "root").exists():
        _rebuild_names(shadow, shadow / "root", before, after, chance)
    return after


def _rebuild_names(
    shadow: Path, names: Path, before: Path, after: Path, chance: random.Random | None
) -> None:
    for line in names.read_text().splitlines() if names.exists() else ():
        kind, key, name = line.split(" ", 2)
        if kind == "d":
            (after / name).mkdir()
            _rebuild_names(shadow, shadow / f"dir-{key}", before / name, after / name, chance)
        else:
            synced = (shadow / key).read_bytes() if (shadow / key).exists() else b""
            written = (before / name).read_bytes() if (before / name).exists() else b""
            content = mix(synced, written, chance) if chance else synced
            (after / name).write_bytes(content)


def mix(synced: bytes, written: bytes, chance: random.Random) -> bytes:
    """Take each sector from what was synced or from what was written later, by chance."""
    size = len(chance.choice((synced, written)))
    starts = range(0, size, SECTOR)
    sectors = (chance.choice((synced, written))[at : at + SECTOR] for at in starts)
    padded = b"".join(sector.ljust(SECTOR, b"\0") for sector in sectors)
    return padded[:size]


if __name__ == "__main__":
    directory, cuts, synchronous, survivors = sys.argv[1:]
    result = main(Path(directory), int(cuts), synchronous, survivors)
    json.dump(asdict(result), sys.stdout)
