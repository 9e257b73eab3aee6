"""Photos sent from a phone's browser, each one a look at the table."""

from __future__ import annotations

import queue
import time
from collections.abc import Callable

from vision.cameras.base import CameraError, Frame, Glance, check_frame, glance_grey
from vision.images import ImageError, decode_image

WAIT_S = 0.2
MOST_WAITING = 8
"""Photos that may wait to be read; a phone that sends faster is told to slow down."""


class PhoneCamera:
    """Takes photos from the page's upload and hands them to the reader in order."""

    name = "phone"

    def __init__(self, clock: Callable[[], float] = time.monotonic, wait_s: float = WAIT_S) -> None:
        """Start with no photo; `wait_s` is how long a glance waits for one."""
        self._clock = clock
        self._wait_s = wait_s
        self._photos: queue.Queue[Frame] = queue.Queue(MOST_WAITING)
        self._current: Frame | None = None

    def send(self, data: bytes) -> None:
        """Take the bytes of one photo.

        Raises:
            CameraError: It is no picture, too large, or too many are waiting.
        """
        try:
            frame = check_frame(decode_image(data, "the photo"))
        except ImageError as error:
            raise CameraError(str(error)) from error
        try:
            self._photos.put_nowait(frame)
        except queue.Full as error:
            raise CameraError("photos are coming in faster than they can be read") from error

    def glance(self) -> Glance | None:
        """The next photo, or None when none was sent."""
        try:
            self._current = self._photos.get(timeout=self._wait_s)
        except queue.Empty:
            return None
        return Glance(self._clock(), glance_grey(self._current), is_whole_look=True)

    def picture(self) -> Frame:
        """The photo shown last."""
        if self._current is None:
            raise CameraError("no photo has been sent yet")
        return self._current

    def close(self) -> None:
        """Drop what is waiting."""
        while not self._photos.empty():
            self._photos.get_nowait()
