"""Settings that hold for everybody at the table, kept beside the journal."""

from __future__ import annotations

import json
import logging
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Self

from scorer.errors import EventError
from scorer.journal import GameRecord
from scorer.journal_errors import storage_in_plain_words
from scorer.journal_files import write_whole

logger = logging.getLogger(__name__)

FILE_NAME = "settings.json"
MOST_BYTES = 1_000_000
"""What is longer is cut off, and then no JSON any more."""


@dataclass(frozen=True, slots=True)
class Setting:
    """One setting: its name with unit, its default, its bounds where it is a number."""

    name: str
    default: int | bool
    least: int = 0
    most: int = 0

    def check(self, value: object) -> None:
        """Refuse a value that it cannot have.

        Raises:
            EventError: It cannot.
        """
        if type(value) is not type(self.default):
            raise EventError(f"{self.name} cannot be {value!r}")
        if type(value) is int and not self.least <= value <= self.most:
            raise EventError(f"{self.name} is between {self.least} and {self.most}")


SETTINGS = (
    Setting("close_turn_after_s", 6, 0, 60),  # 0 means only when somebody says done
    Setting("show_unseen", True),
    Setting("keep_photos", True),
    Setting("keep_photos_days", 30, 0, 366),  # 0 means those of the present game only
)


@dataclass(slots=True)
class Settings:
    """The settings, and which older game was taken up again."""

    path: Path | None = None
    values: dict[str, int | bool] = field(default_factory=dict)
    resumed: dict[str, int] = field(default_factory=dict)

    @classmethod
    def load(cls, data_dir: Path) -> Self:
        """The settings of a data directory; what cannot be read is as if never set."""
        settings = cls(data_dir / FILE_NAME)
        try:
            with (data_dir / FILE_NAME).open("rb") as file:
                data = json.loads(file.read(MOST_BYTES))
            settings.values = _valid(data["values"])
            settings.resumed = {k: int(data["resumed"][k]) for k in ("game", "of")}
        except FileNotFoundError:
            pass
        except (OSError, ValueError, TypeError, KeyError, OverflowError, RecursionError) as error:
            logger.info("no settings taken from %s: %s", FILE_NAME, error)
        return settings

    @property
    def folder(self) -> Path | None:
        """The data directory."""
        return self.path.parent if self.path else None

    def plain(self) -> dict[str, int | bool]:
        """All settings with their values."""
        return {each.name: self.values.get(each.name, each.default) for each in SETTINGS}

    def change(self, changes: Mapping[str, Any]) -> None:
        """Set some of them.

        Raises:
            EventError: One does not exist or cannot have that value; nothing was changed.
            JournalError: They could not be saved; nothing was changed.
        """
        known = {each.name: each for each in SETTINGS}
        for name, value in changes.items():
            if name not in known:
                raise EventError(f"there is no setting {name!r}")
            known[name].check(value)
        values = {**self.values, **changes}
        self._save(values, self.resumed)
        self.values = values

    def go_on_with(self, game_id: int, newest_id: int) -> None:
        """Remember that an older game was taken up, for as long as no newer one is started.

        Raises:
            JournalError: That could not be saved; nothing was changed.
        """
        resumed = {"game": game_id, "of": newest_id}
        self._save(self.values, resumed)
        self.resumed = resumed

    def game_to_go_on_with(self, games: Sequence[GameRecord]) -> int | None:
        """The game that was played last."""
        if not games:
            return None
        newest = games[-1].id
        ids = {record.id for record in games}
        if self.resumed.get("of") == newest and self.resumed.get("game") in ids:
            return self.resumed["game"]
        return newest

    def _save(self, values: Mapping[str, int | bool], resumed: Mapping[str, int]) -> None:
        if self.path is None:
            return
        text = json.dumps({"values": values, "resumed": resumed or {"game": 0, "of": 0}})
        with storage_in_plain_words():
            write_whole(self.path, text.encode())


def _valid(values: object) -> dict[str, int | bool]:
    if not isinstance(values, Mapping):
        raise TypeError("values are no JSON object")
    kept = {}
    for each in SETTINGS:
        try:
            each.check(values.get(each.name, each.default))
        except EventError:
            continue
        if each.name in values:
            kept[each.name] = values[each.name]
    return kept
