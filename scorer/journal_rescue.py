"""What can still be read of a damaged journal, so that one bad sector does not cost all games."""

from __future__ import annotations

import sqlite3
import time
from collections.abc import Iterator
from contextlib import closing, suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from scorer.journal_opening import connect_reader
from scorer.journal_records import Entry, Player, checksum, decode

_GAMES = "SELECT id, uid, created_at FROM game"
_EVENTS = """
    SELECT game_id, seq, type, payload, at, command_id, crc
    FROM event WHERE game_id = ? ORDER BY seq
"""
_VIEWS = "SELECT 1 FROM sqlite_master WHERE type = 'view' OR (type = 'table' AND rootpage = 0)"
_PLAYERS = "SELECT name, colour, birth_year, last_played_at FROM player"

MOST_BYTES = 32 * 1024 * 1024
"""Of one value; an event has some hundred bytes."""
MOST_S = 20.0
STEPS_BETWEEN_LOOKS = 100_000


@dataclass(frozen=True, slots=True)
class RescuedGame:
    """A game as far as its events are sound: up to the first that is damaged or missing."""

    uid: str
    created_at: str
    entries: tuple[Entry, ...]


def rescue_games(database: Path) -> list[RescuedGame]:
    """Return the games of a damaged journal that have at least one sound event."""
    if not _is_readable(database):
        return []
    with closing(_connect_carefully(database)) as connection:
        games = [
            RescuedGame(str(uid), str(created_at), tuple(_sound_entries(connection, game_id)))
            for game_id, uid, created_at in _without_end_twice(connection, _GAMES)
        ]
    return [game for game in games if game.entries]


def rescue_players(database: Path) -> list[Player]:
    """Return the players that can still be read, those who played last at the end."""
    if not _is_readable(database):
        return []
    with closing(_connect_carefully(database)) as connection:
        rows = list(_without_end_twice(connection, _PLAYERS))
    rows.sort(key=lambda row: str(row[-1]))
    return [Player(*row[:-1]) for row in rows if isinstance(row[0], str)]


def _without_end_twice(connection: sqlite3.Connection, sql: str) -> Iterator[Any]:
    """The rows until the first that was there already: a damaged tree may lead in a circle."""
    seen = set()
    for row in _as_far_as_possible(connection, sql):
        if row[0] in seen:
            return
        seen.add(row[0])
        yield row


def _connect_carefully(database: Path) -> sqlite3.Connection:
    """Open a file whose tables may be anybody's: it has limited time and no large values."""
    connection = connect_reader(database)
    connection.execute("PRAGMA trusted_schema = OFF")
    connection.setlimit(sqlite3.SQLITE_LIMIT_LENGTH, MOST_BYTES)
    end = time.monotonic() + MOST_S
    connection.set_progress_handler(lambda: int(time.monotonic() > end), STEPS_BETWEEN_LOOKS)
    return connection


def _is_readable(database: Path) -> bool:
    # SQLite would delete the log beside an empty database.
    return database.is_file() and database.stat().st_size > 0


def _sound_entries(connection: sqlite3.Connection, game_id: object) -> Iterator[Entry]:
    rows = _as_far_as_possible(connection, _EVENTS, game_id)
    for expected_seq, row in enumerate(rows, start=1):
        _, seq, kind, payload, at, command_id, crc = row
        if seq != expected_seq or crc != checksum(row[:-1]):
            return
        yield Entry(seq, at, decode(kind, payload), command_id)


def _as_far_as_possible(connection: sqlite3.Connection, sql: str, *values: object) -> Iterator[Any]:
    # Damage can get even into the words of SQLite's own errors.
    with suppress(sqlite3.Error, UnicodeDecodeError):
        # A view may have no end; only what was stored can be rescued.
        if not connection.execute(_VIEWS).fetchone():
            yield from connection.execute(sql, values)
