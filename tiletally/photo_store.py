"""The photos that prove the turns: a folder that never grows beyond its bounds.

They are kept as long as the family wishes, and given up first when the disk is nearly full.
"""

from __future__ import annotations

import hashlib
import logging
import shutil
import time
from collections.abc import Mapping
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path

from scorer.journal_files import make_folder, write_whole
from scorer.tiles import Cell

logger = logging.getLogger(__name__)

MOST_PHOTOS = 2000
"""About thirty games; the oldest are removed first."""
MOST_BYTES = 1_000_000_000
"""A photo of the largest camera takes about 2 MB."""
RESERVE_BYTES = 100_000_000
"""What is left free for the games, of which 2000 fit in, and for the system."""
DAY_S = 86_400.0


@dataclass(frozen=True, slots=True)
class PhotoRule:
    """Which photos the family wants to keep."""

    is_on: bool
    days: int
    """0 keeps those of the present game only."""
    game_id: int | None

    @classmethod
    def of(cls, settings: Mapping[str, int | bool], game_id: int | None) -> PhotoRule:
        """The rule that follows from the settings."""
        return cls(bool(settings["keep_photos"]), int(settings["keep_photos_days"]), game_id)


@dataclass(frozen=True, slots=True)
class Bounds:
    """How large the folder may become, and how much of the disk it leaves free."""

    most: int = MOST_PHOTOS
    most_bytes: int = MOST_BYTES
    reserve_bytes: int = RESERVE_BYTES


@dataclass(frozen=True, slots=True)
class _Photo:
    path: Path
    size: int
    taken_s: float


class PhotoStore:
    """One folder of photos, by game and by the cells that a turn placed."""

    def __init__(self, folder: Path | None, bounds: Bounds | None = None) -> None:
        """Keep photos in a folder, or none without one."""
        self._folder = folder
        self._bounds = bounds or Bounds()
        self.is_full = False
        """Whether the last photo could not be saved; nothing else depends on it."""

    def save(self, game_id: int, cells: frozenset[Cell], jpeg: bytes) -> None:
        """Keep the photo of a turn; a full disk costs the photo and nothing else."""
        if self._folder is None:
            return
        try:
            make_folder(self._folder)
            self.is_full = self.is_disk_nearly_full
            if not self.is_full:
                write_whole(self._path(game_id, cells), jpeg)
                self._rotate()
        except OSError as error:
            logger.warning("a photo could not be saved: %s", error)
            self.is_full = True

    def load(self, game_id: int, cells: frozenset[Cell]) -> bytes | None:
        """The photo of a turn, if it is still there."""
        if self._folder is None:
            return None
        try:
            return self._path(game_id, cells).read_bytes()
        except OSError:
            return None

    def tidy(self, rule: PhotoRule) -> None:
        """Remove what is not to be kept, and the oldest while the disk is nearly full.

        Raises:
            OSError: The folder cannot be looked at or changed.
        """
        if self._folder is None or not self._folder.is_dir():
            return
        for path in self._folder.glob("game*.new"):
            path.unlink(missing_ok=True)  # left behind by a power cut
        for photo in self._photos():
            if not _is_wanted(photo, rule):
                photo.path.unlink(missing_ok=True)
        self._rotate()
        for photo in self._photos():
            if not self.is_disk_nearly_full:
                break
            photo.path.unlink(missing_ok=True)

    @property
    def is_disk_nearly_full(self) -> bool:
        """Whether the rest of the disk is better left to the games."""
        place = self._folder
        if place is None:
            return False
        while not place.exists():
            place = place.parent
        return shutil.disk_usage(place).free < self._bounds.reserve_bytes

    def _path(self, game_id: int, cells: frozenset[Cell]) -> Path:
        assert self._folder is not None
        name = hashlib.sha256(repr(sorted(cells)).encode()).hexdigest()[:16]
        return self._folder / f"{_prefix(game_id)}{name}.jpg"

    def _photos(self) -> list[_Photo]:
        """All photos, the oldest first: by game, because a clock may jump, and then by time."""
        assert self._folder is not None
        found = []
        for path in self._folder.glob("game*.jpg"):
            with suppress(FileNotFoundError):  # somebody else tidies up at the same time
                about = path.stat()
                found.append(_Photo(path, about.st_size, about.st_mtime))
        return sorted(found, key=lambda photo: (photo.path.name[: len(_prefix(0))], photo.taken_s))

    def _rotate(self) -> None:
        count, size = 0, 0
        for photo in reversed(self._photos()):
            count, size = count + 1, size + photo.size
            if count > self._bounds.most or size > self._bounds.most_bytes:
                photo.path.unlink(missing_ok=True)


def _prefix(game_id: int) -> str:
    return f"game{game_id:06d}-"


def _is_wanted(photo: _Photo, rule: PhotoRule) -> bool:
    if not rule.is_on:
        return False
    if rule.game_id is not None and photo.path.name.startswith(_prefix(rule.game_id)):
        return True
    return rule.days > 0 and time.time() - photo.taken_s < rule.days * DAY_S
