"""The command `tiletally restore`: brings back the games of a backup and overwrites nothing.

A game that is here already is continued where the backup knows more of it. Where the two differ,
both are kept: the one of the backup becomes a game of its own.
"""

from __future__ import annotations

import argparse
import hashlib
import io
import json
import sys
from dataclasses import dataclass, field
from pathlib import Path

from scorer.errors import EventError, GameError
from scorer.journal import Journal, JournalError
from scorer.journal_archive import ArchivedGame
from scorer.journal_files import write_whole
from scorer.journal_records import encode
from tiletally.backup import STANDARD
from tiletally.backup_file import Backup, BackupError, BackupReader
from tiletally.errors import UserError
from tiletally.games import add_data_argument, fold_events
from tiletally.session_settings import FILE_NAME as SETTINGS

MOST_BYTES = 2 * 1024**3
LONGEST_SENTENCE = 400
"""Letters; some sentences repeat what they were given, which may be a whole book."""


@dataclass(slots=True)
class Outcome:
    """What became of the games of a backup."""

    added: int = 0
    continued: int = 0
    known: int = 0
    apart: int = 0
    unreadable: list[str] = field(default_factory=list)

    def sentence(self) -> str:
        """The outcome in words."""
        parts = [f"{self.added} added", f"{self.continued} continued", f"{self.known} known"]
        if self.apart:
            parts.append(f"{self.apart} kept apart because they differ")
        if self.unreadable:
            parts.append(f"{len(self.unreadable)} unreadable")
        return f"games: {', '.join(parts)}"


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add the file and the place of the games."""
    parser.add_argument("file", metavar="FILE", help="a backup, or - for standard input")
    add_data_argument(parser)


def run(args: argparse.Namespace) -> int:
    """Add what the backup has and this place has not."""
    try:
        reader = BackupReader(_source(args.file))
    except BackupError as error:
        raise UserError(f"{args.file} cannot be restored: {error}.") from error
    journal = _open(args.data)
    with journal:
        for notice in journal.notices:
            sys.stderr.write(f"tiletally: {notice}\n")
        outcome = restore_games(journal, reader)
        restore_players(journal, reader.backup)
    restore_settings(args.data, reader.backup)
    reader.close()
    for complaint in outcome.unreadable:
        sys.stderr.write(f"tiletally: {complaint}\n")
    sys.stdout.write(f"{outcome.sentence()}\n")
    return 1 if outcome.unreadable else 0


def _source(name: str) -> Path | io.BytesIO:
    if name != STANDARD:
        return Path(name)
    data = sys.stdin.buffer.read(MOST_BYTES + 1)
    if len(data) > MOST_BYTES:
        raise UserError("The backup is too large.")
    return io.BytesIO(data)


def _open(data_dir: Path) -> Journal:
    try:
        return Journal.open(data_dir)
    except JournalError as error:
        cure = " Stop it first: sudo systemctl stop tiletally." if error.code == "busy" else ""
        raise UserError(f"{error}{cure}") from error


def restore_games(journal: Journal, reader: BackupReader) -> Outcome:
    """Bring back every game that can be read."""
    outcome = Outcome()
    for game in reader.games():
        try:
            _restore(journal, _checked(game), outcome)
        except (EventError, GameError) as error:
            outcome.unreadable.append(" ".join(str(error).split())[:LONGEST_SENTENCE])
    return outcome


def _checked(game: ArchivedGame | JournalError) -> ArchivedGame:
    """The game, if it can be read and the page can show it.

    Raises:
        EventError, GameError: It cannot.
    """
    if isinstance(game, JournalError):
        raise EventError(str(game))
    try:
        fold_events(entry.event for entry in game.entries)
        for entry in game.entries:
            encode(entry.event)
    except (EventError, GameError, JournalError) as error:
        why = str(error).rstrip(".")
        raise EventError(f"The game of {game.created_at} is left out: {why}.") from error
    return game


def _restore(journal: Journal, game: ArchivedGame, outcome: Outcome) -> None:
    before = journal.find_game(game.uid)
    try:
        after = journal.restore(game.uid, game.created_at, game.entries)
    except JournalError as error:
        if error.code != "conflict":
            raise UserError(str(error)) from error
        journal.restore(_uid_apart(game), game.created_at, game.entries)
        outcome.apart += 1
        return
    if before is None:
        outcome.added += 1
    elif after.last_seq > before.last_seq:
        outcome.continued += 1
    else:
        outcome.known += 1


def _uid_apart(game: ArchivedGame) -> str:
    """An identity that depends on the turns, so that restoring twice adds one game."""
    told = json.dumps([(each.seq, each.at, each.event) for each in game.entries], sort_keys=True)
    return hashlib.sha256(f"{game.uid} {told}".encode()).hexdigest()[:32]


def restore_players(journal: Journal, backup: Backup) -> None:
    """Remember the players of the backup who are not remembered here."""
    here = {player.name for player in journal.players()}
    for player in reversed(backup.players):  # those who played last come last
        if player.name not in here:
            journal.remember_player(player)


def restore_settings(data_dir: Path, backup: Backup) -> None:
    """Take over the settings where there are none."""
    if backup.settings is not None and not (data_dir / SETTINGS).exists():
        write_whole(data_dir / SETTINGS, backup.settings.encode())
