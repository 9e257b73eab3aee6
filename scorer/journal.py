"""The record of all games: an append-only list of events that survives a pulled plug.

An event is a plain JSON object with a `type`; what it means is no concern of the journal.
An append has happened, whole and safe on the disk, once it has returned, and not before.
"""

from __future__ import annotations

import sqlite3
import uuid
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any, Self

from scorer.journal_errors import JournalError, StaleEdit, UnknownGameError, in_plain_words
from scorer.journal_files import WriterLock, database_path, make_data_dir
from scorer.journal_opening import bring_up_to_date, closed_on_error, connect_writer, prepare
from scorer.journal_reader import JournalReader
from scorer.journal_records import Entry, GameRecord, Player, Receipt, checksum, encode, utc_text
from scorer.journal_rescue import rescue_games, rescue_players
from scorer.journal_schema import load_migrations

__all__ = [
    "Entry",
    "GameRecord",
    "Journal",
    "JournalError",
    "JournalReader",
    "Player",
    "Receipt",
    "StaleEdit",
    "UnknownGameError",
]

Event = Mapping[str, Any]


def _now() -> datetime:
    return datetime.now(UTC)


class Journal(JournalReader):
    """The one writer of the journal; it may be used from any thread.

    Attributes:
        notices: What the family should know about the opening: a damaged or newer journal
            was set aside, or an older one was brought up to date.
    """

    def __init__(
        self,
        connection: sqlite3.Connection,
        lock: WriterLock,
        notices: tuple[str, ...],
        clock: Callable[[], datetime],
    ) -> None:
        """Take over a prepared connection; use `open` instead."""
        super().__init__(connection)
        self.notices = notices
        self._process_lock = lock
        self._clock = clock

    @classmethod
    def open(
        cls,
        data_dir: Path,
        *,
        clock: Callable[[], datetime] = _now,
        migrations: Sequence[str] | None = None,
    ) -> Self:
        """Open the journal in a data directory for writing, and create it where there is none.

        Raises:
            JournalError: When another process writes it, or the place cannot be used.
        """
        steps = load_migrations() if migrations is None else migrations
        make_data_dir(data_dir)
        lock = WriterLock(data_dir)
        try:
            with in_plain_words():
                prepared = prepare(data_dir, steps)
                connection = connect_writer(database_path(data_dir))
                with closed_on_error(connection):
                    notices = bring_up_to_date(connection, data_dir, steps)
        except BaseException:
            lock.release()
            raise
        journal = cls(connection, lock, prepared.notices + notices, clock)
        if prepared.damaged:
            journal.notices += (journal._rescue(prepared.damaged),)
        return journal

    def create_game(
        self,
        events: Sequence[Event] = (),
        *,
        uid: str | None = None,
        players: Sequence[Player] = (),
    ) -> GameRecord:
        """Start a game with its first events, all or none.

        Args:
            events: The first events.
            uid: An identity chosen by the caller; a game that has it already is returned
                as it is, so that asking twice starts one game.
            players: Those to remember for later games, in seat order.
        """
        rows = [encode(event) for event in events]
        with self._transaction() as connection:
            known = self.find_game(uid) if uid else None
            if known:
                return known
            game_id = self._add_game(uid or uuid.uuid4().hex, self._time())
            self._add_events(game_id, 0, rows, None)
            for player in reversed(players):  # who sits first is offered first
                self._remember(connection, player)
            return self.game(game_id)

    def append(
        self,
        game_id: int,
        events: Sequence[Event],
        *,
        expected_seq: int | None = None,
        command_id: str | None = None,
    ) -> Receipt:
        """Add events to a game, all or none, and return once they are safe.

        Args:
            game_id: The game.
            events: One or more events.
            expected_seq: The last event that the caller knows; None to append in any case.
            command_id: The identity of the wish behind the events; repeated, it adds nothing
                and returns what it added the first time.

        Raises:
            StaleEdit: When the game has moved on since `expected_seq`.
            UnknownGameError: When there is no such game.
            JournalError: When the events cannot be saved; the game is as before.
        """
        rows = [encode(event) for event in events]
        if not rows:
            raise JournalError("There is nothing to add.", "bad_event")
        with self._transaction():
            last_seq = self.game(game_id).last_seq
            done = self.find_command(game_id, command_id) if command_id else None
            if done:
                return done
            if expected_seq is not None and expected_seq != last_seq:
                raise StaleEdit(expected_seq, last_seq)
            return self._add_events(game_id, last_seq, rows, command_id)

    def restore(self, uid: str, created_at: str, entries: Sequence[Entry]) -> GameRecord:
        """Take over a game recorded elsewhere, with its own times.

        A game that is here already is continued where the other record is longer.

        Raises:
            JournalError: When the two records of the same game contradict each other.
        """
        with self._transaction() as connection:
            known = self.find_game(uid)
            game_id = known.id if known else self._add_game(uid, created_at)
            here = self.events(game_id)
            if any(ours != theirs for ours, theirs in zip(here, entries, strict=False)):
                sentence = f"Game {game_id} is the same game, but with other turns."
                raise JournalError(sentence, "conflict")
            for entry in entries[len(here) :]:
                self._insert(connection, game_id, entry, encode(entry.event))
            return self.game(game_id)

    def remember_player(self, player: Player) -> None:
        """Keep a player for later games, or what has changed about one."""
        with self._transaction() as connection:
            self._remember(connection, player)

    def forget_player(self, name: str) -> None:
        """Remove a player from those remembered; the games played stay."""
        with self._transaction() as connection:
            connection.execute("DELETE FROM player WHERE name = ?", (name,))

    def close(self) -> None:
        """Fold the log into the database and let another process write."""
        with self._held():
            self._connection.close()
            self._process_lock.release()

    def _rescue(self, damaged: Path) -> str:
        """Take over what is sound in a damaged journal, and say what that was."""
        games, events = 0, 0
        for game in rescue_games(damaged):
            with suppress(JournalError):  # what cannot be taken over stays where it was
                self.restore(game.uid, game.created_at, game.entries)
                games, events = games + 1, events + len(game.entries)
        for player in rescue_players(damaged):
            with suppress(JournalError):
                self.remember_player(player)
        if not games:
            return "No game could be read from the damaged journal."
        return f"From the damaged journal {games} games with {events} events were rescued."

    def _remember(self, connection: sqlite3.Connection, player: Player) -> None:
        connection.execute(
            "INSERT INTO player (name, colour, birth_year, last_played_at)"
            " VALUES (?, ?, ?, ?) ON CONFLICT (name) DO UPDATE SET"
            " colour = excluded.colour, birth_year = excluded.birth_year,"
            " last_played_at = excluded.last_played_at",
            (player.name, player.colour, player.birth_year, self._after_all(connection)),
        )

    def _add_game(self, uid: str, created_at: str) -> int:
        sql = "INSERT INTO game (uid, created_at) VALUES (?, ?) RETURNING id"
        game_id: int = self._connection.execute(sql, (uid, created_at)).fetchone()[0]
        return game_id

    def _add_events(
        self, game_id: int, last_seq: int, rows: list[tuple[str, str]], command_id: str | None
    ) -> Receipt:
        at = self._time()
        for seq, row in enumerate(rows, start=last_seq + 1):
            self._insert(self._connection, game_id, Entry(seq, at, {}, command_id), row)
        return Receipt(last_seq + 1, last_seq + len(rows))

    def _time(self) -> str:
        return utc_text(self._clock())

    def _after_all(self, connection: sqlite3.Connection) -> str:
        """A time after that of all players: their order holds even if the clock is put back."""
        latest = connection.execute("SELECT max(last_played_at) FROM player").fetchone()[0]
        now = self._clock()
        if latest is not None:
            now = max(now, datetime.fromisoformat(latest) + timedelta(microseconds=1))
        return utc_text(now, "microseconds")

    @staticmethod
    def _insert(
        connection: sqlite3.Connection, game_id: int, entry: Entry, row: tuple[str, str]
    ) -> None:
        values = (game_id, entry.seq, *row, entry.at, entry.command_id)
        connection.execute(
            "INSERT INTO event (game_id, seq, type, payload, at, command_id, crc)"
            " VALUES (?, ?, ?, ?, ?, ?, ?)",
            (*values, checksum(values)),
        )

    @contextmanager
    def _transaction(self) -> Iterator[sqlite3.Connection]:
        """Commit all that the block does, or nothing of it."""
        with self._used() as connection:
            connection.execute("BEGIN IMMEDIATE")
            try:
                yield connection
                connection.execute("COMMIT")
            except BaseException:
                if connection.in_transaction:
                    connection.execute("ROLLBACK")
                raise
