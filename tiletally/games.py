"""Where the games are kept, and how commands find them."""

from __future__ import annotations

import argparse
import os
import sys
from collections.abc import Iterable, Mapping
from itertools import islice
from pathlib import Path
from typing import Any

from scorer.errors import EventError
from scorer.event_json import event_from_json
from scorer.game import Game
from scorer.journal import GameRecord, Journal, JournalError, JournalReader
from tiletally.errors import UserError
from tiletally.session_wishes import check_sizes

LAST = "last"
MOST_EVENTS = 5000
"""A long game with many corrections has some hundred."""


def add_data_argument(parser: argparse.ArgumentParser) -> None:
    """Add the option that names the data directory."""
    parser.add_argument(
        "--data",
        type=Path,
        metavar="DIR",
        default=default_data_dir(),
        help="where the games are kept (default: $TILETALLY_DATA, else %(default)s)",
    )


def default_data_dir() -> Path:
    """Return the data directory of this user."""
    chosen = os.environ.get("TILETALLY_DATA")
    if chosen:
        return Path(chosen)
    # A relative XDG_DATA_HOME is invalid by its specification and must be ignored.
    home = Path(os.environ.get("XDG_DATA_HOME") or "")
    base = home if home.is_absolute() else Path.home() / ".local" / "share"
    return base / "tiletally"


def open_for_reading(data_dir: Path) -> JournalReader:
    """Open the journal for reading, also while another tiletally is writing it.

    Raises:
        UserError: When there is none, or it cannot be read.
    """
    try:
        try:
            return JournalReader.open(data_dir)
        except JournalError as error:
            if error.code != "older":
                raise
        open_for_writing(data_dir).close()  # brings it up to date
        return JournalReader.open(data_dir)
    except JournalError as error:
        raise UserError(str(error)) from error


def open_for_writing(data_dir: Path) -> Journal:
    """Open the journal for writing, and say on standard error what its opening brought up.

    Raises:
        UserError: When another process writes it, or the place cannot be used.
    """
    try:
        journal = Journal.open(data_dir)
    except JournalError as error:
        raise UserError(str(error)) from error
    for notice in journal.notices:
        sys.stderr.write(f"tiletally: {notice}\n")
    return journal


def find_game(reader: JournalReader, name: str) -> GameRecord:
    """Return the game with this number, or the last one.

    Raises:
        UserError: When there is no such game; it says which ones there are.
    """
    games = reader.games()
    if not games:
        raise UserError("There are no games yet.")
    if name == LAST:
        return games[-1]
    for game in games:
        if name == str(game.id):
            return game
    known = ", ".join(f"{game.id} ({game.created_at[:10]})" for game in games[-5:])
    more = "the latest are " if len(games) > 5 else "there are "
    raise UserError(f"There is no game {name!r}; {more}{known}.")


def fold_events(events: Iterable[Mapping[str, Any]]) -> Game:
    """Return the game that recorded events tell, if it is one that the page can show.

    A journal, a backup or an export may have been written by anybody.

    Raises:
        EventError: When one of them is none, or is beyond what any game could need.
        GameError: When they tell the impossible.
    """
    told = [event_from_json(event) for event in islice(events, MOST_EVENTS + 1)]
    if len(told) > MOST_EVENTS:
        raise EventError(f"it has more than {MOST_EVENTS} events")
    for event in told:
        check_sizes(event)
    return Game.fold(told)
