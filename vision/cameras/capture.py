"""USB cameras and video files through OpenCV."""

from __future__ import annotations

import logging
import os
import threading
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import cv2

from vision.cameras.base import (
    CameraEndedError,
    CameraError,
    Frame,
    Glance,
    LongWork,
    check_frame,
    glance_grey,
)

logger = logging.getLogger(__name__)

WANTED_WH = (1920, 1080)
"""A tile is then about 40 px wide on a table of 1.2 m, enough to be read."""
RETRY_S = 1.0
"""How long to wait before a lost camera is tried again."""
FRAME_WAIT_S = 4
CLOSE_WAIT_S = 1.0
"""A camera that is being read is closed by whoever reads it; nobody else waits for that."""
GLANCES_PER_S = 10.0
"""Frames of the light stream a second: a hand is seen at least three times while it crosses."""

Capture = Any
"""A `cv2.VideoCapture`, or what stands in for it in a test."""


def _open_capture(source: int | str) -> Capture:
    # OpenCV would otherwise write its own complaints into the terminal for every failed try.
    os.environ.setdefault("OPENCV_LOG_LEVEL", "ERROR")
    # OpenCV's own patience with a camera that sends nothing is ten seconds.
    os.environ.setdefault("OPENCV_VIDEOIO_V4L_SELECT_TIMEOUT", str(FRAME_WAIT_S))
    return cv2.VideoCapture(source)


def _read(capture: Capture) -> object | None:
    """The next frame; a driver that fails has none."""
    try:
        is_read, frame = capture.read()
    except cv2.error as error:
        logger.info("the camera's driver failed: %s", error)
        return None
    return frame if is_read else None


class UsbCamera:
    """A webcam. When it is pulled out it is looked for again every second."""

    holds_device = True

    def __init__(
        self,
        index: int = 0,
        opener: Callable[[int | str], Capture] = _open_capture,
        clock: Callable[[], float] = time.monotonic,
        sleep: Callable[[float], None] = time.sleep,
    ) -> None:
        """Remember the number of the camera; it is opened at the first glance."""
        self._index = index
        self._opener = opener
        self._clock = clock
        self._sleep = sleep
        self._capture: Capture | None = None
        self._current: Frame | None = None
        self._lock = threading.Lock()
        self.long_work = LongWork()

    @property
    def name(self) -> str:
        """What the people at the table call it."""
        return f"USB camera {self._index}"

    def glance(self) -> Glance:
        """The next frame of the stream."""
        try:
            with self._lock:
                self._current = self._grab()
        except CameraError:
            self.close()
            self._sleep(RETRY_S)
            raise
        return Glance(self._clock(), glance_grey(self._current))

    def _grab(self) -> Frame:
        if self._capture is None:
            with self.long_work:
                self._capture = self._opened()
        frame = _read(self._capture)
        if frame is None:
            raise CameraError(f"{self.name} stopped sending pictures; is its cable in?")
        return check_frame(frame)

    def _opened(self) -> Capture:
        capture = self._opener(self._index)
        if not capture.isOpened():
            capture.release()
            raise CameraError(f"{self.name} is not there; is its cable in?")
        capture.set(cv2.CAP_PROP_FRAME_WIDTH, WANTED_WH[0])
        capture.set(cv2.CAP_PROP_FRAME_HEIGHT, WANTED_WH[1])
        # Without this some drivers hand out a frame that is several seconds old.
        capture.set(cv2.CAP_PROP_BUFFERSIZE, 1)
        return capture

    def picture(self) -> Frame:
        """The full picture of the last glance."""
        if self._current is None:
            raise CameraError(f"{self.name} has not sent a picture yet")
        return self._current

    def close(self) -> None:
        """Let go of the device, unless another thread is in the middle of reading it."""
        if self._lock.acquire(timeout=CLOSE_WAIT_S):
            capture, self._capture = self._capture, None
            if capture is not None:
                capture.release()
            self._lock.release()


class VideoCamera:
    """A video file as a camera, on the video's own clock or in real time."""

    def __init__(
        self,
        path: Path,
        is_real_time: bool = False,
        opener: Callable[[int | str], Capture] = _open_capture,
        sleep: Callable[[float], None] = time.sleep,
    ) -> None:
        """Remember the file; it is opened at the first glance."""
        self._path = path
        self._is_real_time = is_real_time
        self._opener = opener
        self._sleep = sleep
        self._capture: Capture | None = None
        self._current: Frame | None = None
        self._frame_s = 1 / 30
        self._index = -1

    @property
    def name(self) -> str:
        """What the people at the table call it."""
        return f"video {self._path.name}"

    def glance(self) -> Glance:
        """The next frame; frames in between are passed over where the video is faster."""
        if self._capture is None:
            self._capture = self._opened()
        skipped = max(1, round(1 / GLANCES_PER_S / self._frame_s))
        for _ in range(skipped):
            self._index += 1
            if not self._capture.grab():
                raise CameraEndedError("the video has ended")
        is_read, frame = self._capture.retrieve()
        if not is_read:
            raise CameraError(f"a part of {self._path.name} is unreadable")
        self._current = check_frame(frame)
        if self._is_real_time:
            self._sleep(skipped * self._frame_s)
        return Glance(self._index * self._frame_s, glance_grey(self._current))

    def _opened(self) -> Capture:
        if not self._path.is_file():
            raise CameraError(f"there is no video {self._path}")
        capture = self._opener(str(self._path))
        if not capture.isOpened():
            capture.release()
            raise CameraError(f"{self._path.name} is not a video that can be played")
        rate = float(capture.get(cv2.CAP_PROP_FPS))
        self._frame_s = 1 / rate if 1 <= rate <= 240 else 1 / 30
        return capture

    def picture(self) -> Frame:
        """The full picture of the last glance."""
        if self._current is None:
            raise CameraError("the video has not begun")
        return self._current

    def close(self) -> None:
        """Close the file."""
        if self._capture is not None:
            self._capture.release()
            self._capture = None
