"""A folder of photos as a camera: each file is one look, also those that arrive later."""

from __future__ import annotations

import time
from collections.abc import Callable
from pathlib import Path

from vision.cameras.base import (
    CameraEndedError,
    CameraError,
    Frame,
    Glance,
    check_frame,
    glance_grey,
)
from vision.images import ImageError, read_image

SUFFIXES = (".jpg", ".jpeg", ".png", ".webp")
POLL_S = 0.2


def photos_in(folder: Path) -> list[Path]:
    """The photos of a folder sorted by name.

    Raises:
        CameraError: The folder is not there.
    """
    try:
        found = [path for path in folder.iterdir() if path.suffix.lower() in SUFFIXES]
    except OSError as error:
        raise CameraError(f"the folder {folder} cannot be read") from error
    return sorted(path for path in found if not path.name.startswith("."))


def load_photo(path: Path) -> Frame:
    """One photo as a BGR picture.

    Raises:
        CameraError: The file is missing, too large or not a picture.
    """
    try:
        return check_frame(read_image(path))
    except ImageError as error:
        raise CameraError(str(error)) from error


class FolderCamera:
    """Shows the photos of a folder one after the other and waits for more.

    An unreadable photo is reported once and passed over.
    """

    def __init__(
        self,
        folder: Path,
        follow: bool = True,
        clock: Callable[[], float] = time.monotonic,
        sleep: Callable[[float], None] = time.sleep,
    ) -> None:
        """Watch a folder; with `follow` False the camera ends after the last photo."""
        self._folder = folder
        self._follow = follow
        self._clock = clock
        self._sleep = sleep
        self._seen: set[str] = set()
        self._current: Frame | None = None
        self.photo = ""
        """Name of the photo shown last."""

    @property
    def name(self) -> str:
        """What the people at the table call it."""
        return f"photos in {self._folder.name}"

    def glance(self) -> Glance | None:
        """The next photo, or None when no new one has come."""
        photos = photos_in(self._folder)
        self._seen &= {path.name for path in photos}  # what was deleted need not be remembered
        waiting = [path for path in photos if path.name not in self._seen]
        if not waiting:
            self._wait()
            return None
        path = waiting[0]
        self._seen.add(path.name)
        self.photo = path.name
        self._current = load_photo(path)
        return Glance(self._clock(), glance_grey(self._current), is_whole_look=True)

    def _wait(self) -> None:
        if not self._follow:
            raise CameraEndedError("all photos of the folder have been shown")
        self._sleep(POLL_S)

    def picture(self) -> Frame:
        """The photo shown last."""
        if self._current is None:
            raise CameraError("no photo has been shown yet")
        return self._current

    def close(self) -> None:
        """Nothing to let go of."""
