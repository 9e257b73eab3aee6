"""The journal's tables: one numbered SQL file for each version, applied in order."""

from __future__ import annotations

import re
import sqlite3
from collections.abc import Sequence
from contextlib import closing
from importlib import resources
from pathlib import Path

from scorer.journal_files import sync, unused_path

APPLICATION_ID = 0x54494C45
"""Marks the file as a tiletally journal ("TILE")."""


def load_migrations() -> tuple[str, ...]:
    """Return the SQL that leads from each version to the next, the first from nothing to 1."""
    folder = resources.files("scorer") / "schema"
    names = sorted(each.name for each in folder.iterdir() if each.name.endswith(".sql"))
    return tuple((folder / name).read_text(encoding="utf-8") for name in names)


def schema_version(connection: sqlite3.Connection) -> int:
    """Return the version of the tables in the file."""
    return int(connection.execute("PRAGMA user_version").fetchone()[0])


def has_tables_of(connection: sqlite3.Connection, migrations: Sequence[str]) -> bool:
    """Whether tables, indexes and triggers are those that these steps make, and no others."""
    with closing(sqlite3.connect(":memory:", isolation_level=None)) as fresh:
        migrate(fresh, migrations)
        return _tables(connection) == _tables(fresh)


def _tables(connection: sqlite3.Connection) -> set[tuple[str, ...]]:
    """Everything that is defined, without comments and spaces; damaged, it may be no text."""
    rows = connection.execute("SELECT type, name, tbl_name, coalesce(sql, '') FROM sqlite_master")
    return {(*words, re.sub(r"--.*|\s+", "", str(sql))) for *words, sql in rows}


def migrate(connection: sqlite3.Connection, migrations: Sequence[str]) -> None:
    """Bring the tables to the newest version, each step whole or not at all."""
    first = schema_version(connection)
    for version, sql in enumerate(migrations[first:], start=first + 1):
        script = f"BEGIN IMMEDIATE;\n{sql}\nPRAGMA user_version = {version};\nCOMMIT;"
        try:
            connection.executescript(script)
        except sqlite3.Error:
            if connection.in_transaction:
                connection.rollback()
            raise


def copy_before_migration(connection: sqlite3.Connection, directory: Path) -> Path:
    """Keep the file as it is now beside the journal, and return where."""
    version = schema_version(connection)
    copy = unused_path(directory, f"journal-version-{version}", ".sqlite3")
    connection.execute("VACUUM INTO ?", (str(copy),))
    sync(copy)  # VACUUM INTO itself does not wait for the disk
    sync(directory)
    return copy
