"""The command `tiletally export`: one game as JSON, to keep, or its turns as CSV, to look at."""

from __future__ import annotations

import argparse
import json
import sys

from scorer.errors import EventError, GameError
from scorer.journal import GameRecord, JournalError, JournalReader
from scorer.journal_archive import to_document
from scorer.report import csv_text
from tiletally.errors import UserError
from tiletally.games import LAST, add_data_argument, find_game, fold_events, open_for_reading


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add the game, the format and the place."""
    parser.add_argument("game", metavar="GAME", help=f"the number of a game, or {LAST!r}")
    parser.add_argument(
        "--format",
        choices=sorted(_WRITERS),
        default="json",
        help="json holds everything and can be imported again (default); csv lists the turns",
    )
    add_data_argument(parser)


def run(args: argparse.Namespace) -> int:
    """Write the game to standard output."""
    with open_for_reading(args.data) as reader:
        try:
            text = _WRITERS[args.format](reader, find_game(reader, args.game))
        except JournalError as error:
            raise UserError(str(error)) from error
    sys.stdout.buffer.write(text.encode("utf-8"))
    return 0


def _as_json(reader: JournalReader, game: GameRecord) -> str:
    document = to_document(game, reader.events(game.id))
    return json.dumps(document, ensure_ascii=False, indent=1) + "\n"


def _as_csv(reader: JournalReader, game: GameRecord) -> str:
    try:
        return csv_text(fold_events(entry.event for entry in reader.events(game.id)))
    except (EventError, GameError) as error:
        raise UserError(f"Game {game.id} cannot be replayed: {error}.") from error


_WRITERS = {"json": _as_json, "csv": _as_csv}
