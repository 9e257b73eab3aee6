"""A process that commits turns until it is killed, and the check of what it leaves behind."""

from __future__ import annotations

import os
import random
import select
import signal
import time
import traceback
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from scorer.journal import Entry, Journal, JournalReader

GAME_UID = "crash"


@dataclass(slots=True)
class Tally:
    """What a series of crashes came to."""

    crashes: int = 0
    acknowledged: int = 0
    crashes_with_acknowledged: int = 0
    unacknowledged_found: int = 0
    lost: int = 0
    notices: int = 0


def play(data_dir: Path, acknowledge_fd: int, rng: random.Random, synchronous: str) -> None:
    """Commit turn after turn, each of several events, and report it once it is safe."""
    journal = Journal.open(data_dir)
    # Small logs are folded into the database often, so that crashes also hit that moment.
    pages = rng.choice((4, 40, 1000))
    journal._connection.execute(f"PRAGMA wal_autocheckpoint = {pages}")
    journal._connection.execute(f"PRAGMA synchronous = {synchronous}")
    game = journal.create_game(uid=GAME_UID)
    turn = whole_turns(journal.events(game.id))
    while True:
        turn += 1
        journal.append(game.id, turn_events(turn, parts=rng.randint(1, 6)))
        os.write(acknowledge_fd, b"%d\n" % turn)


def turn_events(turn: int, parts: int) -> list[dict[str, Any]]:
    """Return the events of one turn; each knows how many belong together."""
    return [
        {"type": "part", "turn": turn, "part": part, "of": parts, "filler": "x" * 40 * part}
        for part in range(1, parts + 1)
    ]


def whole_turns(entries: list[Entry]) -> int:
    """Return the number of turns, after making sure that each of them is there whole."""
    events, turn = [entry.event for entry in entries], 0
    while events:
        turn += 1
        expected = turn_events(turn, parts=events[0]["of"])
        assert events[: len(expected)] == expected, f"turn {turn} is only half there"
        del events[: len(expected)]
    return turn


def crash(work: Callable[[int], None], seconds: float, *, while_playing: bool) -> int:
    """Run `work` in a process of its own, kill it, and return the last turn it acknowledged.

    The seconds count from its start or, `while_playing`, from the first turn it acknowledges.
    """
    reader, writer = os.pipe()
    child = os.fork()
    if child == 0:
        os.close(reader)
        try:
            work(writer)
        finally:  # not reached unless the work fails
            traceback.print_exc()
            os._exit(1)
    os.close(writer)
    if while_playing:
        select.select([reader], [], [])
    time.sleep(seconds)
    os.kill(child, signal.SIGKILL)
    _, status = os.waitpid(child, 0)
    assert os.WIFSIGNALED(status), "the playing process failed before it was killed"
    with os.fdopen(reader, "rb") as acknowledged:
        turns = acknowledged.read().split()
    return int(turns[-1]) if turns else 0


def found_turns(data_dir: Path, tally: Tally, *, by_writer: bool) -> int:
    """Reopen the journal, as the next start would, and count the turns in it."""
    if by_writer:
        with Journal.open(data_dir) as journal:
            tally.notices += len(journal.notices)
            return _count(journal)
    if not (data_dir / "journal").exists():
        return 0
    with JournalReader.open(data_dir) as reader:
        return _count(reader)


def _count(journal: JournalReader) -> int:
    game = journal.find_game(GAME_UID)
    return whole_turns(journal.events(game.id)) if game else 0


def add_up(tally: Tally, acknowledged: int, known: int, found: int) -> None:
    """Enter one crash: `known` turns were safe before it, `acknowledged` is the last turn told."""
    safe = max(known, acknowledged)
    tally.crashes += 1
    tally.acknowledged += max(0, acknowledged - known)
    tally.crashes_with_acknowledged += acknowledged > known
    tally.lost += max(0, safe - found)
    tally.unacknowledged_found += max(0, found - safe)
