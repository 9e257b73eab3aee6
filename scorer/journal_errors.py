"""What can go wrong with the journal, each in one sentence for the family."""

from __future__ import annotations

import errno
import sqlite3
from collections.abc import Iterator
from contextlib import contextmanager

DAMAGE_CODES = frozenset({sqlite3.SQLITE_CORRUPT, sqlite3.SQLITE_NOTADB})

_SENTENCES = {
    sqlite3.SQLITE_FULL: ("disk_full", "The disk is full, nothing was saved: free some space."),
    sqlite3.SQLITE_READONLY: ("read_only", "The games cannot be written: the place is read-only."),
    sqlite3.SQLITE_CANTOPEN: (
        "no_access",
        "The file of the games cannot be opened: is the disk full?",
    ),
    sqlite3.SQLITE_PERM: ("no_access", "The file of the games must not be opened by this user."),
    sqlite3.SQLITE_BUSY: ("busy", "The file of the games is in use by another program."),
    sqlite3.SQLITE_LOCKED: ("busy", "The file of the games is in use by another program."),
    sqlite3.SQLITE_IOERR: (
        "disk_error",
        "The disk reports an error, nothing was saved: is it full or worn?",
    ),
    sqlite3.SQLITE_CORRUPT: ("damaged", "The file of the games is damaged."),
    sqlite3.SQLITE_NOTADB: ("damaged", "The file of the games is damaged."),
}

_LIKE_SQLITE = {
    errno.ENOSPC: sqlite3.SQLITE_FULL,
    errno.EDQUOT: sqlite3.SQLITE_FULL,
    errno.EROFS: sqlite3.SQLITE_READONLY,
    errno.EACCES: sqlite3.SQLITE_PERM,
    errno.EPERM: sqlite3.SQLITE_PERM,
}


class JournalError(Exception):
    """The journal could not do what was asked; what it holds is unchanged.

    Attributes:
        code: A short word for programs, such as `disk_full` or `busy`.
    """

    def __init__(self, sentence: str, code: str = "journal") -> None:
        super().__init__(sentence)
        self.code = code


class StaleEdit(JournalError):  # noqa: N818  it names the edit, not a fault
    """Someone else was faster: the game has moved on since the state this edit was made for."""

    def __init__(self, expected_seq: int, last_seq: int) -> None:
        super().__init__("The game has changed in the meantime; look again.", "stale")
        self.expected_seq = expected_seq
        self.last_seq = last_seq


class UnknownGameError(JournalError):
    """There is no such game in the journal."""

    def __init__(self, game_id: object) -> None:
        super().__init__(f"There is no game {game_id}.", "unknown_game")


def primary_code(error: sqlite3.Error) -> int | None:
    """Return SQLite's error code without its extension, or None for an error of the binding."""
    code: int | None = getattr(error, "sqlite_errorcode", None)
    return None if code is None else code & 0xFF


@contextmanager
def in_plain_words() -> Iterator[None]:
    """Turn every error of SQLite inside the block into a `JournalError`."""
    try:
        yield
    except sqlite3.Error as error:
        known = _SENTENCES.get(primary_code(error) or -1)
        code, sentence = known or ("journal", f"The games cannot be read or written: {error}.")
        raise JournalError(sentence, code) from error
    except UnicodeEncodeError as error:
        raise JournalError("A text holds half a letter and cannot be kept.", "bad_text") from error


@contextmanager
def storage_in_plain_words() -> Iterator[None]:
    """Turn every error of the file system inside the block into a `JournalError`."""
    try:
        yield
    except OSError as error:
        like = _LIKE_SQLITE.get(error.errno or 0, sqlite3.SQLITE_IOERR)
        code, sentence = _SENTENCES[like]
        raise JournalError(sentence, code) from error
