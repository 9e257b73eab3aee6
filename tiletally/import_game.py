"""The command `tiletally import`: takes back a game that `tiletally export` wrote as JSON."""

from __future__ import annotations

import argparse
import json
import sys
from pathlib import Path

from scorer.errors import EventError, GameError
from scorer.journal import JournalError
from scorer.journal_archive import ArchivedGame, from_document
from tiletally.errors import UserError
from tiletally.games import add_data_argument, fold_events, open_for_writing

LARGEST_BYTES = 32 * 1024 * 1024
"""A long game with many corrections has well under 1 MiB."""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add the file and the place."""
    parser.add_argument("file", metavar="FILE", help="a game as JSON, or - for standard input")
    add_data_argument(parser)


def run(args: argparse.Namespace) -> int:
    """Add the game to the journal and print its number there."""
    game = _read(args.file)
    with open_for_writing(args.data) as journal:
        try:
            record = journal.restore(game.uid, game.created_at, game.entries)
        except JournalError as error:
            raise UserError(str(error)) from error
    sys.stdout.write(f"{record.id}\n")
    return 0


def _read(name: str) -> ArchivedGame:
    data = _read_bytes(name)
    if len(data) > LARGEST_BYTES:
        raise UserError(f"{name} is too large to be a game.")
    try:
        game = from_document(json.loads(data))
        fold_events(entry.event for entry in game.entries)
    except (ValueError, RecursionError) as error:
        raise UserError(f"{name} does not hold a game: {_reason(error)}.") from error
    except JournalError as error:
        raise UserError(f"{name}: {error}") from error
    return game


def _read_bytes(name: str) -> bytes:
    if name == "-":
        return sys.stdin.buffer.read(LARGEST_BYTES + 1)
    with Path(name).open("rb") as file:
        return file.read(LARGEST_BYTES + 1)


def _reason(error: Exception) -> str:
    if isinstance(error, (EventError, GameError)):
        return str(error)
    return "it is nested too deeply" if isinstance(error, RecursionError) else "it is not JSON"
