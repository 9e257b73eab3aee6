"""The command `tiletally`: finds the command asked for, runs it, and words its failures.

The result goes to standard output, everything else to standard error. The exit status is 0
for done, 1 for a problem that the user can mend, 2 for wrong usage and 130 after Ctrl-C.
"""

from __future__ import annotations

import argparse
import importlib
import os
import platform
import sys
from collections.abc import Sequence
from dataclasses import dataclass
from typing import NoReturn, Protocol, cast

from tiletally.errors import UserError

LONGEST_SENTENCE = 500
"""Some sentences repeat what they were given, which may be a whole book."""
DONE, USER_PROBLEM, INTERRUPTED = 0, 1, 130


@dataclass(frozen=True, slots=True)
class Command:
    """One command: its module offers `add_arguments(parser)` and `run(args) -> int`."""

    name: str
    summary: str
    module: str


COMMANDS = (
    Command("score", "judge and score moves, one JSON object per line", "tiletally.score_command"),
    Command("serve", "keep the score: camera, page and games", "tiletally.serve"),
    Command("export", "write a game as JSON or CSV", "tiletally.export"),
    Command("import", "take back a game that was exported as JSON", "tiletally.import_game"),
    Command("calibrate", "set up camera, light and your tiles", "tiletally.calibrate"),
    Command("doctor", "tell what works, what does not and how to mend it", "tiletally.doctor"),
    Command("backup", "save all games in one file", "tiletally.backup"),
    Command("restore", "bring back the games of a backup", "tiletally.restore"),
    Command("pin", "tell whether a PIN locks the controls, or remove it", "tiletally.pin"),
    Command("read", "tell what lies on the table in photos", "tiletally.read"),
    Command("replay", "play photos as successive looks at one table", "tiletally.replay"),
    Command("judge", "tell how well photos with known truth are read", "tiletally.judge"),
    Command("train", "make the model file anew from drawn tables", "tiletally.train"),
    Command("bench", "measure speed and print the figures", "tiletally.bench"),
)


class _CommandModule(Protocol):
    def add_arguments(self, parser: argparse.ArgumentParser) -> None: ...

    def run(self, args: argparse.Namespace) -> int: ...


class _Parser(argparse.ArgumentParser):
    """Says what is wrong in one line that points to the help."""

    def error(self, message: str) -> NoReturn:
        self.exit(2, f"{self.prog}: {message} (see {self.prog} --help)\n")


class _VersionAction(argparse.Action):
    """Collects the versions only when they are asked for."""

    def __call__(self, parser: argparse.ArgumentParser, *_: object) -> NoReturn:
        sys.stdout.write(f"{version_line()}\n")
        parser.exit()


def main(argv: Sequence[str] | None = None) -> int:
    """Run the command line and return its exit status."""
    words = list(sys.argv[1:] if argv is None else argv)
    try:
        status = _run(words)
        sys.stdout.flush()
    except UserError as error:
        return _problem(str(error))
    except BrokenPipeError:
        _flush_or_discard()
        return USER_PROBLEM
    except OSError as error:
        _flush_or_discard()
        return _problem(_describe(error))
    except KeyboardInterrupt:
        return INTERRUPTED
    return status


def version_line() -> str:
    """Return the versions that every bug report should begin with."""
    import sqlite3
    from importlib import metadata

    parts = [f"Python {platform.python_version()}", f"SQLite {sqlite3.sqlite_version}"]
    try:
        parts.append(f"OpenCV {metadata.version('opencv-python-headless')}")
    except metadata.PackageNotFoundError:
        parts.append("OpenCV of the system")
    return f"tiletally {metadata.version('tiletally')} ({', '.join(parts)})"


def _run(words: list[str]) -> int:
    command = next((each for each in COMMANDS if words[:1] == [each.name]), None)
    if command is None:
        _explain(words)
    # Only the module of this command is imported, so that each starts as fast as it can.
    module = cast(_CommandModule, importlib.import_module(command.module))
    parser = _Parser(prog=f"tiletally {command.name}", description=_sentence(command.summary))
    module.add_arguments(parser)
    return module.run(parser.parse_args(words[1:]))


def _explain(words: list[str]) -> NoReturn:
    """Answer a command line without a known command: help, version or what is wrong with it."""
    parser = _Parser(
        prog="tiletally",
        description="A camera scorekeeper for Qwirkle and Qwirkle Flex.",
        epilog=_command_list(),
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.add_argument("command", metavar="COMMAND", nargs="?", help="one of those listed below")
    parser.add_argument("--version", action=_VersionAction, nargs=0, help="show the versions")
    name = parser.parse_known_args(words)[0].command
    if name is None:
        parser.error("which command?")
    known = ", ".join(each.name for each in COMMANDS)
    parser.error(f"this version has no command {name!r}, only: {known}")


def _command_list() -> str:
    lines = [f"  {each.name:<10}{each.summary}" for each in COMMANDS]
    return "\n".join(["commands:", *lines, "", "Each has its own --help."])


def _sentence(summary: str) -> str:
    return f"{summary[0].upper()}{summary[1:]}."


def _problem(sentence: str) -> int:
    sentence = " ".join(sentence.split())
    if len(sentence) > LONGEST_SENTENCE:
        sentence = f"{sentence[: LONGEST_SENTENCE - 1]}…"
    sys.stderr.write(f"tiletally: {sentence}\n")
    return USER_PROBLEM


def _describe(error: OSError) -> str:
    reason = error.strerror or str(error)
    return f"{reason}: {error.filename}" if error.filename else reason


def _flush_or_discard() -> None:
    """Write what is still buffered, or drop it: a failing flush at exit would complain again."""
    try:
        sys.stdout.flush()
    except OSError:
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
