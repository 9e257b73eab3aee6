"""Where the journal lies on the disk, and how its folder is kept whole.

The database and its side files live in a folder of their own, because a folder can be moved
in one step: a damaged journal is set aside whole, a new one appears complete or not at all,
and a write-ahead log can never meet a database that it does not belong to.
"""

from __future__ import annotations

import fcntl
import os
import shutil
from contextlib import suppress
from datetime import UTC, datetime
from itertools import count
from pathlib import Path
from types import TracebackType

from scorer.journal_errors import JournalError

FOLDER = "journal"
DATABASE = "journal.sqlite3"
LOCK = "journal.lock"


def database_path(data_dir: Path) -> Path:
    """Return the database file inside the data directory."""
    return data_dir / FOLDER / DATABASE


def make_data_dir(data_dir: Path) -> None:
    """Create the data directory where it is missing.

    Raises:
        JournalError: When that is not possible.
    """
    try:
        make_folder(data_dir)
    except OSError as error:
        reason = error.strerror or str(error)
        raise JournalError(f"Cannot keep games in {data_dir}: {reason}.", "no_access") from error


def make_folder(folder: Path) -> None:
    """Create a folder, and those it lies in, so that they are still there after a power cut."""
    if not folder.parent.exists():
        make_folder(folder.parent)
    if not folder.is_dir():
        folder.mkdir(exist_ok=True)
        sync(folder.parent)


def set_aside(data_dir: Path, why: str) -> Path:
    """Move the whole journal out of the way, under a new name, and return where it is now."""
    place = unused_path(data_dir, f"{FOLDER}-{why}")
    (data_dir / FOLDER).rename(place)
    sync(data_dir)
    return place


def fresh_folder(data_dir: Path) -> Path:
    """Return an empty folder to build a new journal in; `publish` puts it in place."""
    folder = data_dir / f"{FOLDER}.new"
    if folder.exists():
        shutil.rmtree(folder)  # left behind by a crash before it was published
    folder.mkdir()
    return folder


def publish(folder: Path) -> None:
    """Put a finished new journal in its place, in one step that survives a power cut."""
    sync(folder / DATABASE)
    sync(folder)
    folder.rename(folder.with_name(FOLDER))
    sync(folder.parent)


def unused_path(directory: Path, stem: str, suffix: str = "") -> Path:
    """Return a path with the present time in its name that does not exist yet."""
    stamp = datetime.now(UTC).strftime("%Y%m%dT%H%M%SZ")
    names = (f"{stem}-{stamp}{f'-{n}' if n else ''}{suffix}" for n in count())
    return next(directory / name for name in names if not (directory / name).exists())


def sync(path: Path) -> None:
    """Wait until a file, or the names in a directory, are on the disk."""
    descriptor = os.open(path, os.O_RDONLY)
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)


def write_whole(path: Path, data: bytes) -> None:
    """Write a file that is there whole and safe, or not at all; an older one stays until then.

    Raises:
        OSError: It could not be written; nothing is left behind.
    """
    fresh = path.with_name(f"{path.name}.new")
    try:
        fresh.write_bytes(data)
        sync(fresh)
        fresh.replace(path)
    except OSError:
        with suppress(OSError):
            fresh.unlink(missing_ok=True)
        raise
    sync(path.parent)


class WriterLock:
    """Lets one process at a time write; the system frees it when that process ends."""

    def __init__(self, data_dir: Path) -> None:
        """Take the lock.

        Raises:
            JournalError: When another process has it, or the directory cannot be written.
        """
        path = data_dir / LOCK
        try:
            self._file = path.open("a", encoding="ascii")
        except OSError as error:
            reason = error.strerror or str(error)
            raise JournalError(f"Cannot write in {data_dir}: {reason}.", "no_access") from error
        try:
            fcntl.flock(self._file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except OSError as error:
            self._file.close()
            sentence = f"The games in {data_dir} are already open in another tiletally."
            raise JournalError(sentence, "busy") from error

    def release(self) -> None:
        """Let another process write."""
        self._file.close()

    def __enter__(self) -> WriterLock:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        traceback: TracebackType | None,
    ) -> None:
        self.release()
