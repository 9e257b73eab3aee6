"""Opening the journal: what is there is checked first, and never overwritten."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator, Sequence
from contextlib import closing, contextmanager
from dataclasses import dataclass
from pathlib import Path

from scorer.journal_errors import DAMAGE_CODES, JournalError, in_plain_words, primary_code
from scorer.journal_files import (
    DATABASE,
    FOLDER,
    database_path,
    fresh_folder,
    publish,
    set_aside,
)
from scorer.journal_records import checksum
from scorer.journal_schema import (
    APPLICATION_ID,
    copy_before_migration,
    has_tables_of,
    migrate,
    schema_version,
)

BUSY_TIMEOUT_MS = 5000
SYNCHRONOUS_FULL = 2
DAMAGED = "damaged"

# SQLITE_ERROR: tables are missing. None: text cannot be decoded.
_FAULTS_OF_THE_FILE = {*DAMAGE_CODES, sqlite3.SQLITE_ERROR, None}

_NO_ROOM_BESIDE = {
    sqlite3.SQLITE_CANTOPEN,
    sqlite3.SQLITE_READONLY,
    sqlite3.SQLITE_FULL,
    sqlite3.SQLITE_IOERR,
}

_GAPS = "SELECT game_id FROM event GROUP BY game_id HAVING count(*) <> max(seq)"
_EVENTS = "SELECT game_id, seq, type, payload, at, command_id, crc FROM event"
_ALL_TEXT = ("SELECT * FROM game", "SELECT * FROM player")


def connect_reader(path: Path) -> sqlite3.Connection:
    """Open the database so that it cannot be changed, nor its log folded into it."""
    connection = _connect_to_read(path, "mode=ro")
    if _has_log(path) or not _lacks_room(connection):
        return connection
    connection.close()
    return _connect_to_read(path, "immutable=1")


def _connect_to_read(path: Path, how: str) -> sqlite3.Connection:
    connection = sqlite3.connect(
        f"{path.absolute().as_uri()}?{how}",
        uri=True,
        isolation_level=None,
        check_same_thread=False,
    )
    connection.execute(f"PRAGMA busy_timeout = {BUSY_TIMEOUT_MS}")
    return connection


def _lacks_room(connection: sqlite3.Connection) -> bool:
    """Even reading makes two small files, for which a full or read-only disk has no room.

    Where there is no log, nobody is writing, and it can be read without them.
    """
    try:
        connection.execute("PRAGMA schema_version")
    except sqlite3.Error as error:
        return primary_code(error) in _NO_ROOM_BESIDE
    return False


def _has_log(path: Path) -> bool:
    log = path.with_name(f"{path.name}-wal")
    return log.exists() and log.stat().st_size > 0


def connect_writer(path: Path) -> sqlite3.Connection:
    """Open the database so that a commit returns only when it is safe on the disk.

    Raises:
        JournalError: When the system does not grant that.
    """
    connection = sqlite3.connect(
        f"{path.absolute().as_uri()}?mode=rw",
        uri=True,
        isolation_level=None,
        check_same_thread=False,
    )
    with closed_on_error(connection):
        connection.execute(f"PRAGMA busy_timeout = {BUSY_TIMEOUT_MS}")
        connection.execute("PRAGMA foreign_keys = ON")
        mode = connection.execute("PRAGMA journal_mode = WAL").fetchone()[0]
        # With NORMAL a committed turn may vanish in a power cut.
        connection.execute("PRAGMA synchronous = FULL")
        connection.execute("PRAGMA fullfsync = ON")  # only macOS needs and knows it
        level = connection.execute("PRAGMA synchronous").fetchone()[0]
        if (mode, level) != ("wal", SYNCHRONOUS_FULL):
            raise JournalError(f"The disk of {path} cannot keep games safely ({mode}, {level}).")
    return connection


@contextmanager
def closed_on_error(connection: sqlite3.Connection) -> Iterator[None]:
    """Close the connection when the block fails."""
    try:
        yield
    except BaseException:
        connection.close()
        raise


@dataclass(frozen=True, slots=True)
class Prepared:
    """What the look at the journal brought up."""

    notices: tuple[str, ...] = ()
    """A sentence for each thing that the family should know."""
    damaged: Path | None = None
    """The database of a damaged journal that was set aside."""


def prepare(data_dir: Path, migrations: Sequence[str]) -> Prepared:
    """Make sure that a sound journal is there; what cannot be used is set aside.

    The caller holds the writer's lock.
    """
    prepared = Prepared()
    if (data_dir / FOLDER).exists():
        problem = find_problem(database_path(data_dir), migrations)
        if problem:
            prepared = _put_away(data_dir, *problem)
    if not (data_dir / FOLDER).exists():
        _create(data_dir, migrations)
    return prepared


def _put_away(data_dir: Path, why: str, sentence: str) -> Prepared:
    place = set_aside(data_dir, why)
    notice = f"{sentence} It was kept as {place}, and a new one was started."
    return Prepared((notice,), place / DATABASE if why == DAMAGED else None)


def bring_up_to_date(
    connection: sqlite3.Connection, data_dir: Path, migrations: Sequence[str]
) -> tuple[str, ...]:
    """Give an older journal the present tables, after copying it; return what to tell."""
    if schema_version(connection) == len(migrations):
        return ()
    copy = copy_before_migration(connection, data_dir)
    migrate(connection, migrations)
    return (f"The journal was brought up to date; as it was before, it is kept as {copy}.",)


def find_problem(path: Path, migrations: Sequence[str]) -> tuple[str, str] | None:
    """Say why a journal cannot be used, as a short word and a sentence, or return None.

    Raises:
        JournalError: When it cannot even be looked at, which is not the file's fault.
    """
    # SQLite must not see an empty database: it would delete the log that lies beside it.
    if not path.is_file() or path.stat().st_size == 0:
        return _damaged("its file is missing or empty")
    try:
        with closing(connect_reader(path)) as connection:
            version = schema_version(connection)
            if _is_ours(connection) and version > len(migrations):
                return "newer", f"The journal was written by a newer tiletally ({version})."
            return _find_damage(connection, migrations[: max(0, version)])
    except UnicodeDecodeError:
        return _damaged("even the names of its tables cannot be read")
    except sqlite3.Error as error:
        if primary_code(error) in _FAULTS_OF_THE_FILE:
            return _damaged(str(error))
        with in_plain_words():
            raise


def _find_damage(connection: sqlite3.Connection, steps: Sequence[str]) -> tuple[str, str] | None:
    if not _is_ours(connection) or not steps:
        return _damaged("it is not a tiletally journal")
    # Before anything else is asked: a view or a trigger of somebody else would be run.
    if not has_tables_of(connection, steps):
        return _damaged("its tables are not those of tiletally")
    answers = [row[0] for row in connection.execute("PRAGMA quick_check(3)")]
    if answers != ["ok"]:
        return _damaged("; ".join(answers))
    if connection.execute(_GAPS).fetchone():
        return _damaged("a game has gaps")
    if any(checksum(row[:-1]) != row[-1] for row in connection.execute(_EVENTS)):
        return _damaged("an event is not as it was written")
    for sql in _ALL_TEXT:
        connection.execute(sql).fetchall()  # fails on text that is no longer text
    return None


def _damaged(detail: str) -> tuple[str, str]:
    detail = " ".join(detail.split())
    return DAMAGED, f"The journal is damaged ({detail})."


def _is_ours(connection: sqlite3.Connection) -> bool:
    found: int = connection.execute("PRAGMA application_id").fetchone()[0]
    return found == APPLICATION_ID


def _create(data_dir: Path, migrations: Sequence[str]) -> None:
    try:
        folder = fresh_folder(data_dir)
        with closing(sqlite3.connect(folder / DATABASE, isolation_level=None)) as connection:
            connection.execute(f"PRAGMA application_id = {APPLICATION_ID}")
            migrate(connection, migrations)
            connection.execute("PRAGMA journal_mode = WAL")
        publish(folder)
    except OSError as error:
        reason = error.strerror or str(error)
        raise JournalError(f"Cannot keep games in {data_dir}: {reason}.", "no_access") from error
