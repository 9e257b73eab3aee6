"""A process that plays and commits until it is killed, and the check of what it leaves behind."""

from __future__ import annotations

import os
import random
import select
import signal
import time
import traceback
from collections.abc import Callable
from dataclasses import dataclass
from functools import cache
from itertools import count
from pathlib import Path
from typing import Any, TypeAlias

from scorer.event_json import event_from_json
from scorer.game import Game
from scorer.journal import Journal, JournalReader
from scorer.options import RULES
from scorer.simulate import SimulatedGame

Batch: TypeAlias = list[dict[str, Any]]
"""The events that one append commits; a batch has to be there whole or not at all."""


@dataclass(slots=True)
class Tally:
    """What a series of crashes came to."""

    crashes: int = 0
    acknowledged: int = 0
    crashes_with_acknowledged: int = 0
    unacknowledged_found: int = 0
    lost: int = 0
    notices: int = 0


@cache
def script(game_number: int) -> list[Batch]:
    """Return a full game as batches of one to three turns; every process plays the same."""
    rng = random.Random(game_number)
    return _batches(SimulatedGame(rng.choice(RULES), seed=game_number), rng)


def _batches(game: SimulatedGame, rng: random.Random) -> list[Batch]:
    turns = [[event.to_json() for event in events] for events in game.play()]
    batches: list[Batch] = []
    while turns:
        size = rng.randint(1, 3)
        batches.append([event for turn in turns[:size] for event in turn])
        del turns[:size]
    return batches


def play(data_dir: Path, acknowledge_fd: int, rng: random.Random, synchronous: str) -> None:
    """Commit batch after batch, and report each once it is safe."""
    journal = Journal.open(data_dir)
    # Small logs are folded into the database often, so that crashes also hit that moment.
    pages = rng.choice((4, 40, 1000))
    journal._connection.execute(f"PRAGMA wal_autocheckpoint = {pages}")
    journal._connection.execute(f"PRAGMA synchronous = {synchronous}")
    for number in count(whole_batches(journal)):
        commit(journal, number)
        os.write(acknowledge_fd, b"%d\n" % (number + 1))


def commit(journal: Journal, number: int) -> None:
    """Commit the batch with this number; after one game the next begins."""
    game_number, batches = 0, script(0)
    while number >= len(batches):
        number -= len(batches)
        game_number += 1
        batches = script(game_number)
    game = journal.find_game(f"game-{game_number}")
    if game is None:
        journal.create_game(batches[number], uid=f"game-{game_number}")
    else:
        journal.append(game.id, batches[number])


def whole_batches(journal: JournalReader) -> int:
    """Return how many batches are there, after making sure that each of them is whole."""
    total, games = 0, journal.games()
    for number, game in enumerate(games):
        batches = script(number)
        events = [entry.event for entry in journal.events(game.id)]
        found = _count_whole(events, batches)
        assert found == len(batches) or game == games[-1], "an earlier game has lost its end"
        Game.fold(event_from_json(event) for event in events)
        total += found
    return total


def _count_whole(events: Batch, batches: list[Batch]) -> int:
    for number, batch in enumerate(batches):
        if not events:
            return number
        assert events[: len(batch)] == batch, f"batch {number} is only half there"
        events = events[len(batch) :]
    assert not events, "there is more than was played"
    return len(batches)


def crash(work: Callable[[int], None], seconds: float, *, while_playing: bool) -> int:
    """Run `work` in a process of its own, kill it, and return the last batch it acknowledged.

    The seconds count from its start or, `while_playing`, from the first batch it acknowledges.
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
        batches = acknowledged.read().split()
    return int(batches[-1]) if batches else 0


def found_batches(data_dir: Path, tally: Tally, *, by_writer: bool) -> int:
    """Reopen the journal, as the next start would, and count the batches in it."""
    if by_writer:
        with Journal.open(data_dir) as journal:
            tally.notices += len(journal.notices)
            return whole_batches(journal)
    if not (data_dir / "journal").exists():
        return 0
    with JournalReader.open(data_dir) as reader:
        return whole_batches(reader)


def add_up(tally: Tally, acknowledged: int, known: int, found: int) -> None:
    """Enter one crash: `known` batches were safe before it, `acknowledged` is the last told."""
    safe = max(known, acknowledged)
    tally.crashes += 1
    tally.acknowledged += max(0, acknowledged - known)
    tally.crashes_with_acknowledged += acknowledged > known
    tally.lost += max(0, safe - found)
    tally.unacknowledged_found += max(0, found - safe)
