"""Reading the journal: games, their events, players."""

from __future__ import annotations

import sqlite3
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from types import TracebackType
from typing import Any, Self

from scorer.journal_errors import JournalError, UnknownGameError, in_plain_words
from scorer.journal_files import database_path
from scorer.journal_opening import closed_on_error, connect_reader, find_problem
from scorer.journal_records import Entry, GameRecord, Player, Receipt, decode
from scorer.journal_schema import load_migrations, schema_version

_GAME = """
    SELECT id, uid, created_at, coalesce(event.at, created_at), coalesce(max(seq), 0)
    FROM game LEFT JOIN event ON event.game_id = game.id
"""


class JournalReader:
    """A view of the journal that changes nothing; any number of them may be open, in any thread.

    Every call sees all that was acknowledged before it.
    """

    patience_s = 4.0
    """How long a call waits for another one; a slow card takes about a second for a turn."""

    def __init__(self, connection: sqlite3.Connection) -> None:
        """Take over a connection; use `open` instead."""
        self._connection = connection
        # One connection serves one thread at a time.
        self._lock = threading.RLock()

    @classmethod
    def open(cls, data_dir: Path) -> Self:
        """Open the journal in a data directory for reading.

        Raises:
            JournalError: When there is none, or this version cannot read it.
        """
        path = database_path(data_dir)
        if not path.is_file():
            raise JournalError(f"There are no games in {data_dir} yet.", "no_games")
        migrations = load_migrations()
        problem = find_problem(path, migrations)
        if problem:
            raise JournalError(problem[1], problem[0])
        with in_plain_words():
            connection = connect_reader(path)
            with closed_on_error(connection):
                if schema_version(connection) < len(migrations):
                    raise JournalError("The journal is of an older version.", "older")
        return cls(connection)

    def games(self) -> list[GameRecord]:
        """Return all games in the order in which they came into this journal."""
        return [GameRecord(*row) for row in self._rows(f"{_GAME} GROUP BY id ORDER BY id")]

    def game(self, game_id: int) -> GameRecord:
        """Return one game.

        Raises:
            UnknownGameError: When there is none with this number.
        """
        rows = self._rows(f"{_GAME} WHERE id = ? GROUP BY id", game_id)
        if not rows:
            raise UnknownGameError(game_id)
        return GameRecord(*rows[0])

    def find_game(self, uid: str) -> GameRecord | None:
        """Return the game with this identity, or None."""
        rows = self._rows(f"{_GAME} WHERE uid = ? GROUP BY id", uid)
        return GameRecord(*rows[0]) if rows else None

    def events(self, game_id: int, after_seq: int = 0) -> list[Entry]:
        """Return the events of a game, or only those after a known one.

        Raises:
            UnknownGameError: When there is no such game.
        """
        rows = self._rows(
            "SELECT seq, at, type, payload, command_id FROM event"
            " WHERE game_id = ? AND seq > ? ORDER BY seq",
            game_id,
            after_seq,
        )
        if not rows:
            self.game(game_id)
        return [
            Entry(seq, at, decode(kind, text), command) for seq, at, kind, text, command in rows
        ]

    def find_command(self, game_id: int, command_id: str) -> Receipt | None:
        """Return what a command added when it was carried out, or None when it never was."""
        sql = "SELECT min(seq), max(seq) FROM event WHERE game_id = ? AND command_id = ?"
        first, last = self._rows(sql, game_id, command_id)[0]
        return None if first is None else Receipt(first, last, is_repeat=True)

    def players(self) -> list[Player]:
        """Return all remembered players, those who played last first."""
        sql = "SELECT name, colour, birth_year FROM player ORDER BY last_played_at DESC, name"
        return [Player(*row) for row in self._rows(sql)]

    def close(self) -> None:
        """Let go of the file."""
        with self._held():
            self._connection.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        traceback: TracebackType | None,
    ) -> None:
        self.close()

    def _rows(self, sql: str, *values: object) -> list[Any]:
        with self._used() as connection:
            return connection.execute(sql, values).fetchall()

    @contextmanager
    def _used(self) -> Iterator[sqlite3.Connection]:
        with self._held(), in_plain_words():
            yield self._connection

    @contextmanager
    def _held(self) -> Iterator[None]:
        """One thread at a time; nobody waits for ever for another one that the disk lets hang."""
        if not self._lock.acquire(timeout=self.patience_s):
            raise JournalError("The disk does not answer: try again in a moment.", "disk_hangs")
        try:
            yield
        finally:
            self._lock.release()
