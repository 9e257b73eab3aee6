"""Settings that hold for everybody at the table, kept beside the journal."""

from __future__ import annotations

import json
import logging
import os
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Self

from scorer.errors import EventError
from scorer.journal import GameRecord

logger = logging.getLogger(__name__)

FILE_NAME = "settings.json"


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
            data = json.loads((data_dir / FILE_NAME).read_text(encoding="utf-8"))
            settings.values = _valid(data["values"])
            settings.resumed = {k: int(data["resumed"][k]) for k in ("game", "of")}
        except FileNotFoundError:
            pass
        except (OSError, ValueError, TypeError, KeyError) as error:
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
        """
        known = {each.name: each for each in SETTINGS}
        for name, value in changes.items():
            if name not in known:
                raise EventError(f"there is no setting {name!r}")
            known[name].check(value)
        self.values = {**self.values, **changes}
        self._save()

    def go_on_with(self, game_id: int, newest_id: int) -> None:
        """Remember that an older game was taken up, for as long as no newer one is started."""
        self.resumed = {"game": game_id, "of": newest_id}
        self._save()

    def game_to_go_on_with(self, games: Sequence[GameRecord]) -> int | None:
        """The game that was played last."""
        if not games:
            return None
        newest = games[-1].id
        ids = {record.id for record in games}
        if self.resumed.get("of") == newest and self.resumed.get("game") in ids:
            return self.resumed["game"]
        return newest

    def _save(self) -> None:
        """Write a new file beside the old one, then put it in its place."""
        if self.path is None:
            return
        fresh = self.path.with_suffix(".new")
        text = json.dumps({"values": self.values, "resumed": self.resumed or {"game": 0, "of": 0}})
        try:
            with fresh.open("w", encoding="utf-8") as file:
                file.write(text)
                file.flush()
                os.fsync(file.fileno())
            fresh.replace(self.path)
        except OSError as error:
            logger.warning("the settings could not be saved: %s", error)


def _valid(values: Mapping[str, Any]) -> dict[str, int | bool]:
    kept = {}
    for each in SETTINGS:
        try:
            each.check(values.get(each.name, each.default))
        except EventError:
            continue
        if each.name in values:
            kept[each.name] = values[each.name]
    return kept
