"""What can still be read of a damaged journal, so that one bad sector does not cost all games."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator
from contextlib import closing, suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from scorer.journal_opening import connect_reader
from scorer.journal_records import Entry, Player, checksum, decode

_GAMES = "SELECT id, uid, created_at FROM game ORDER BY id"
_EVENTS = """
    SELECT game_id, seq, type, payload, at, command_id, crc
    FROM event WHERE game_id = ? ORDER BY seq
"""
_LATEST_LAST = "SELECT name, colour, birth_year FROM player ORDER BY last_played_at"


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
    with closing(connect_reader(database)) as connection:
        games = [
            RescuedGame(str(uid), str(created_at), tuple(_sound_entries(connection, game_id)))
            for game_id, uid, created_at in _as_far_as_possible(connection, _GAMES)
        ]
    return [game for game in games if game.entries]


def rescue_players(database: Path) -> list[Player]:
    """Return the players that can still be read, those who played last at the end."""
    if not _is_readable(database):
        return []
    with closing(connect_reader(database)) as connection:
        rows = _as_far_as_possible(connection, _LATEST_LAST)
        return [Player(*row) for row in rows if isinstance(row[0], str)]


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
    with suppress(sqlite3.Error):
        yield from connection.execute(sql, values)
