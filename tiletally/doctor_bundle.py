"""The support bundle: what helps to find a fault, and nothing that is private.

No photos. The names of players are replaced by numbers wherever they stand, also in the log.
"""

from __future__ import annotations

import json
import os
import re
import zipfile
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path
from typing import Any

from scorer.journal import JournalError, JournalReader
from scorer.journal_archive import to_document
from tiletally.cli import version_line
from tiletally.doctor_findings import Finding, Surroundings
from tiletally.doctor_machine import ask
from tiletally.errors import UserError
from tiletally.session_settings import FILE_NAME as SETTINGS

MOST_GAMES = 3
LOG_LINES = "500"


class Names:
    """Replaces names by numbers, the same one each time."""

    def __init__(self, names: Iterable[str]) -> None:
        """Know the names."""
        known = sorted(
            {name for name in names if name.strip()}, key=lambda name: (-len(name), name)
        )
        self._stand_ins = {name: f"player-{number}" for number, name in enumerate(known, start=1)}
        parts = "|".join(re.escape(name) for name in known)
        self._pattern = re.compile(rf"(?<!\w)(?:{parts})(?!\w)") if known else None

    def hide(self, text: str) -> str:
        """The text without any of the names."""
        if self._pattern is None:
            return text
        return self._pattern.sub(lambda found: self._stand_ins[found[0]], text)

    def hide_in(self, value: Any) -> Any:  # noqa: ANN401 - plain JSON
        """Plain JSON without any of the names."""
        if isinstance(value, str):
            return self.hide(value)
        if isinstance(value, Mapping):
            return {self.hide(key): self.hide_in(each) for key, each in value.items()}
        return [self.hide_in(each) for each in value] if isinstance(value, list) else value


def write_bundle(target: Path, where: Surroundings, findings: list[Finding]) -> None:
    """Write the bundle.

    Raises:
        UserError: The file is there already.
    """
    if target.exists():
        raise UserError(f"{target} is there already; choose another name.")
    documents = list(_last_games(where.data_dir))
    names = Names(_names(where.data_dir, documents))
    lines = [json.dumps(each.to_json(), ensure_ascii=False) for each in findings]
    parts = {
        "version.txt": version_line(),
        "doctor.jsonl": "\n".join(lines),
        "system.txt": _system(where),
        "settings.json": _settings(where.data_dir),
        "log.txt": ask("journalctl", "-u", "tiletally", "-n", LOG_LINES, "--no-pager", "-o", "cat"),
    }
    with zipfile.ZipFile(target, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, text in parts.items():
            archive.writestr(name, _without_home(names.hide(text)) + "\n")
        for number, document in enumerate(documents, start=1):
            hidden = names.hide_in(document)
            archive.writestr(f"games/{number}.json", json.dumps(hidden, ensure_ascii=False))


def _last_games(data_dir: Path) -> Iterator[dict[str, Any]]:
    try:
        with JournalReader.open(data_dir) as reader:
            for game in reader.games()[-MOST_GAMES:]:
                yield to_document(game, reader.events(game.id))
    except (JournalError, OSError):
        return


def _names(data_dir: Path, documents: list[dict[str, Any]]) -> set[str]:
    """All names of players: those remembered, and those of every game."""
    found: set[str] = set()
    try:
        with JournalReader.open(data_dir) as reader:
            found |= {player.name for player in reader.players()}
            for game in reader.games():
                for entry in reader.events(game.id):
                    found |= set(_texts_under(entry.event, ("players", "player", "name", "names")))
    except (JournalError, OSError):
        pass
    return found


def _texts_under(value: Any, keys: tuple[str, ...], is_under: bool = False) -> Iterator[str]:  # noqa: ANN401
    if isinstance(value, str) and is_under:
        yield value
    elif isinstance(value, Mapping):
        for key, each in value.items():
            yield from _texts_under(each, keys, is_under or key in keys)
    elif isinstance(value, list):
        for each in value:
            yield from _texts_under(each, keys, is_under)


def _settings(data_dir: Path) -> str:
    try:
        return (data_dir / SETTINGS).read_text(encoding="utf-8", errors="replace")
    except OSError:
        return ""


def _system(where: Surroundings) -> str:
    model = where.read("proc/device-tree/model") or "not a Raspberry Pi"
    release = where.read("etc/os-release").partition("\n")[0]
    memory = where.read("proc/meminfo").partition("\n")[0]
    return "\n".join([model, release, memory, " ".join(os.uname())[:200], _files(where.data_dir)])


def _files(data_dir: Path) -> str:
    """What lies in the data directory, by name and size; photos only as a number."""
    try:
        entries = sorted(data_dir.iterdir())
    except OSError as error:
        return f"data directory: {error.strerror}"
    lines = [f"{each.stat().st_size:>12} {each.name}" for each in entries if each.is_file()]
    folders = [
        f"{len(list(each.iterdir())):>6} files {each.name}/" for each in entries if each.is_dir()
    ]
    return "\n".join(lines + folders)


def _without_home(text: str) -> str:
    home = str(Path.home())
    return text if home in ("/", "") else text.replace(home, "~")
