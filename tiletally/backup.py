"""The command `tiletally backup`: all games in one file, also while they are being played."""

from __future__ import annotations

import argparse
import io
import os
import sys
import tempfile
from pathlib import Path

from scorer.journal import JournalError, JournalReader
from scorer.journal_files import sync
from tiletally.backup_file import BackupReader, write_backup
from tiletally.errors import UserError
from tiletally.games import add_data_argument, open_for_reading

STANDARD = "-"


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add the file and the place of the games."""
    parser.add_argument("file", metavar="FILE", help="where to write, or - for standard output")
    add_data_argument(parser)


def run(args: argparse.Namespace) -> int:
    """Write the backup, read it back, and only then give it its name."""
    with open_for_reading(args.data) as reader:
        try:
            if args.file == STANDARD:
                return _to_standard_output(reader, args.data)
            count = _to_file(Path(args.file), reader, args.data)
        except JournalError as error:
            raise UserError(str(error)) from error
    sys.stdout.write(f"{_games(count)} in {args.file}\n")
    return 0


def _to_standard_output(reader: JournalReader, data_dir: Path) -> int:
    if sys.stdout.isatty():
        raise UserError("A backup cannot be shown: write `tiletally backup - > FILE`.")
    buffer = io.BytesIO()  # a zip needs a file that can be wound back
    count = write_backup(buffer, reader, data_dir)
    sys.stdout.buffer.write(buffer.getvalue())
    sys.stderr.write(f"{_games(count)} saved\n")
    return 0


def _to_file(path: Path, reader: JournalReader, data_dir: Path) -> int:
    if path.exists():
        raise UserError(f"{path} is there already; choose another name.")
    descriptor, name = tempfile.mkstemp(prefix=".tiletally-", dir=path.parent)
    fresh = Path(name)
    try:
        with os.fdopen(descriptor, "w+b") as file:
            count = write_backup(file, reader, data_dir)
            file.flush()
            os.fsync(file.fileno())
        _check(fresh, count)
        _give_name(fresh, path)
        sync(path.parent)
    except FileExistsError:
        raise UserError(f"{path} is there already; choose another name.") from None
    finally:
        fresh.unlink(missing_ok=True)
    return count


def _give_name(fresh: Path, path: Path) -> None:
    """Never replace what somebody else put there meanwhile."""
    try:
        os.link(fresh, path)
    except PermissionError:  # a stick that Windows can read knows no links
        path.touch(exist_ok=False)
        fresh.replace(path)


def _check(path: Path, count: int) -> None:
    reader = BackupReader(path)
    sound = sum(not isinstance(game, JournalError) for game in reader.games())
    reader.close()
    if sound != count:
        raise UserError("The backup could not be read back: is the disk sound?")


def _games(count: int) -> str:
    return f"{count} game" if count == 1 else f"{count} games"
