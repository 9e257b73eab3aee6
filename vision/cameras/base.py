"""What every camera offers, and how it fails."""

from __future__ import annotations

import time
from dataclasses import dataclass
from typing import Protocol

import cv2
import numpy as np
import numpy.typing as npt

GLANCE_WH = (320, 240)
"""Size of the light stream in pixels: a tile is still about 10 px wide, a hand about 60."""

Frame = npt.NDArray[np.uint8]
"""A BGR picture (H, W, 3)."""
Grey = npt.NDArray[np.uint8]
"""A grey picture (240, 320) of the light stream."""


class CameraError(Exception):
    """The camera gives no picture; the message says why in words for the people at the table."""


class CameraEndedError(CameraError):
    """The camera has shown all it had: the end of a video or of a folder."""


@dataclass(frozen=True, slots=True)
class Glance:
    """One frame of the light stream.

    `time_s` is on the camera's own clock, which only moves forward. `is_whole_look` says that the
    camera shows single photos, each to be read by itself, and no stream in between.
    """

    time_s: float
    grey: Grey
    is_whole_look: bool = False


class LongWork:
    """Around something that may take long, such as opening or focusing, so that it is known.

    One thread does it, others may look at any time. On the clock `time.monotonic`.
    """

    def __init__(self) -> None:
        """Begin with nothing."""
        self.began_s: float | None = None
        self.ended_s = 0.0

    def __enter__(self) -> None:
        self.began_s = time.monotonic()

    def __exit__(self, *_: object) -> None:
        self.ended_s, self.began_s = time.monotonic(), None


class Camera(Protocol):
    """A source of pictures of the table.

    `glance` waits for the next frame of the light stream, `picture` returns the full picture of
    the same moment. Both raise `CameraError` when there is none; the caller may try again, and
    the camera then reconnects by itself. `close` may be called more than once, and from another
    thread. A camera that only one can have at a time says so with `holds_device`; one that does
    things which may take long says when, with `long_work`; one that has to get used to the light
    says when, with `is_settling`; one that can focus does so again when asked to `refocus`.
    """

    @property
    def name(self) -> str:
        """What the people at the table call it."""

    def glance(self) -> Glance | None:
        """The next frame of the light stream, or None when there is nothing new for a while."""

    def picture(self) -> Frame:
        """The full picture of the moment of the last glance."""

    def close(self) -> None:
        """Let go of the device."""


def glance_grey(frame_bgr: Frame) -> Grey:
    """The grey picture (240, 320) of the light stream that belongs to a full picture."""
    # Halving first by nearest-neighbour steps keeps this under a millisecond on large pictures.
    step = max(1, min(frame_bgr.shape[0] // (2 * GLANCE_WH[1]), 4))
    small = cv2.resize(frame_bgr[::step, ::step], GLANCE_WH, interpolation=cv2.INTER_AREA)
    return np.asarray(cv2.cvtColor(small, cv2.COLOR_BGR2GRAY), np.uint8)


def check_frame(frame: object) -> Frame:
    """The frame, if it is a colour picture with something on it.

    Raises:
        CameraError: It is no picture, or it is so even that the lens must be covered.
    """
    if not isinstance(frame, np.ndarray) or frame.ndim != 3 or frame.shape[2] != 3:
        raise CameraError("the camera delivers no pictures")
    if frame.dtype != np.uint8:
        raise CameraError("the camera delivers pictures of an unknown kind")
    if min(frame.shape[:2]) < GLANCE_WH[1]:
        raise CameraError("the camera's pictures are too small to read tiles from")
    return np.asarray(frame, np.uint8)
