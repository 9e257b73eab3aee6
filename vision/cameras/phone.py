"""Photos sent from a phone's browser, each one a look at the table."""

from __future__ import annotations

import queue
import threading
import time
from collections.abc import Callable

from vision.cameras.base import CameraError, Frame, Glance, check_frame, glance_grey
from vision.images import ImageError, decode_image

WAIT_S = 0.2
MOST_WAITING = 4
"""Photos that may wait to be read; a phone that sends faster is told to slow down."""
MOST_PIXELS_WAITING = 60_000_000
"""All of them together, 180 MB; the page sends photos of 4 million pixels."""
DECODE_WAIT_S = 5.0
"""One photo is unpacked at a time, since each takes three bytes for every pixel."""


TOO_FAST = "photos are coming in faster than they can be read"


class PhoneCamera:
    """Takes photos from the page's upload and hands them to the reader in order."""

    name = "phone"

    def __init__(self, clock: Callable[[], float] = time.monotonic, wait_s: float = WAIT_S) -> None:
        """Start with no photo; `wait_s` is how long a glance waits for one."""
        self._clock = clock
        self._wait_s = wait_s
        self._photos: queue.Queue[Frame] = queue.Queue(MOST_WAITING)
        self._current: Frame | None = None
        self._decoding = threading.Lock()

    def send(self, data: bytes) -> None:
        """Take the bytes of one photo.

        Raises:
            CameraError: It is no picture, too large, or too many are waiting.
        """
        if not self._decoding.acquire(timeout=DECODE_WAIT_S):
            raise CameraError(TOO_FAST)
        try:
            frame = check_frame(decode_image(data, "the photo"))
            self._put(frame)
        except ImageError as error:
            raise CameraError(str(error)) from error
        finally:
            self._decoding.release()

    def _put(self, frame: Frame) -> None:
        waiting = list(self._photos.queue)
        pixels = sum(each.shape[0] * each.shape[1] for each in [*waiting, frame])
        if waiting and pixels > MOST_PIXELS_WAITING:
            raise CameraError(TOO_FAST)
        try:
            self._photos.put_nowait(frame)
        except queue.Full as error:
            raise CameraError(TOO_FAST) from error

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
