"""All games of a family in one file: a zip of the same documents that `tiletally export` writes."""

from __future__ import annotations

import json
import lzma
import struct
import zipfile
import zlib
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import IO, Any

from scorer.journal import JournalError, JournalReader, Player
from scorer.journal_archive import ArchivedGame, from_document, to_document
from scorer.journal_records import utc_text
from tiletally.session_settings import FILE_NAME as SETTINGS

FORMAT = "tiletally backup"
VERSION = 1
MANIFEST = "backup.json"
PLAYERS = "players.json"
GAMES = "games/"

MOST_GAMES = 100_000
MOST_BYTES = 32 * 1024 * 1024
"""Most of one part; a long game with many corrections has well under 1 MiB."""
LONGEST_WORD = 100


_FAULTS = (
    OSError,
    ValueError,
    LookupError,
    EOFError,
    RuntimeError,
    zipfile.BadZipFile,
    zlib.error,
    lzma.LZMAError,
    struct.error,
)
"""What a damaged zip leads to; a part that is locked or packed oddly is a RuntimeError."""


class BackupError(Exception):
    """The file is no backup that can be used; the message says why."""


@dataclass(frozen=True, slots=True)
class Backup:
    """What a backup holds besides its games, which are read one by one."""

    made_at: str
    players: tuple[Player, ...]
    settings: str | None


def write_backup(target: IO[bytes], reader: JournalReader, data_dir: Path) -> int:
    """Write all games and players, and return how many games there were.

    The journal may be written meanwhile: each game is taken as it was at one moment, with every
    turn that had been counted when the backup began.
    """
    games = reader.games()
    with zipfile.ZipFile(target, "w", zipfile.ZIP_DEFLATED) as archive:
        made_at = utc_text(datetime.now(UTC))
        about = {"format": FORMAT, "version": VERSION, "made_at": made_at, "games": len(games)}
        archive.writestr(MANIFEST, _text(about))
        for number, game in enumerate(games, start=1):
            document = to_document(game, reader.events(game.id))
            archive.writestr(f"{GAMES}{number:06d}.json", _text(document))
        archive.writestr(PLAYERS, _text([_player_to_json(each) for each in reader.players()]))
        if (data_dir / SETTINGS).is_file():
            archive.write(data_dir / SETTINGS, SETTINGS)
    return len(games)


class BackupReader:
    """Reads a backup, which may be damaged or come from anywhere."""

    def __init__(self, source: Path | IO[bytes]) -> None:
        """Open the file and check its list of contents.

        Raises:
            BackupError: It is not a backup, or one of a later version.
        """
        try:
            self._archive = zipfile.ZipFile(source)
        except _FAULTS as error:
            raise BackupError(f"it is not a backup ({error})") from error
        self._names = sorted(each for each in self._archive.namelist() if each.startswith(GAMES))
        if len(self._names) > MOST_GAMES:
            raise BackupError("it holds too many games")
        self.backup = self._read_backup()

    def games(self) -> Iterator[ArchivedGame | JournalError]:
        """Yield each game in the order in which they were played, or why it cannot be read."""
        for name in self._names:
            try:
                yield from_document(self._json(name))
            except JournalError as error:
                yield error
            except BackupError as error:
                yield JournalError(f"{name}: {error}", "bad_document")

    def close(self) -> None:
        """Let go of the file."""
        self._archive.close()

    def _read_backup(self) -> Backup:
        about = self._json(MANIFEST)
        if not isinstance(about, dict) or about.get("format") != FORMAT:
            raise BackupError("it is not a backup made by tiletally")
        if about.get("version") != VERSION:
            raise BackupError(
                f"this tiletally reads version {VERSION}, not {about.get('version')!r}"
            )
        if about.get("games") != len(self._names):
            raise BackupError("games are missing in it")
        players = self._json(PLAYERS) if PLAYERS in self._archive.namelist() else []
        known = [each for each in map(_player_from_json, _items(players)) if each]
        has_settings = SETTINGS in self._archive.namelist()
        settings = json.dumps(self._flat(SETTINGS)) if has_settings else None
        return Backup(str(about.get("made_at", "")), tuple(known), settings)

    def _flat(self, name: str) -> object:
        """An object of objects, as settings are, without what is nested deeper."""
        found = self._json(name)
        groups = found.items() if isinstance(found, dict) else ()
        return {
            group: {
                key: value for key, value in values.items() if not isinstance(value, dict | list)
            }
            for group, values in groups
            if isinstance(values, dict)
        }

    def _json(self, name: str) -> object:
        try:
            with self._archive.open(name) as part:
                data = part.read(MOST_BYTES + 1)
        except _FAULTS as error:
            raise BackupError(f"{name} is missing or damaged") from error
        if len(data) > MOST_BYTES:
            raise BackupError(f"{name} is too large")
        try:
            return json.loads(data)
        except (ValueError, RecursionError) as error:
            raise BackupError(f"{name} is not JSON") from error


def _text(value: object) -> str:
    return json.dumps(value, ensure_ascii=False, indent=1) + "\n"


def _items(value: object) -> list[Any]:
    return value if isinstance(value, list) else []


def _player_to_json(player: Player) -> dict[str, Any]:
    return {"name": player.name, "colour": player.colour, "birth_year": player.birth_year}


def _player_from_json(data: object) -> Player | None:
    if not isinstance(data, Mapping) or not _is_word(data.get("name")):
        return None
    colour, year = data.get("colour"), data.get("birth_year")
    return Player(
        data["name"],
        colour if _is_word(colour) else None,
        year if type(year) is int and 1900 <= year <= 2100 else None,
    )


def _is_word(value: object) -> bool:
    return isinstance(value, str) and value.isprintable() and 0 < len(value) <= LONGEST_WORD
