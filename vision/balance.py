"""Undoing a colour cast: frames as they would look in neutral light."""

from __future__ import annotations

from typing import Any, TypeAlias

import cv2
import numpy as np
import numpy.typing as npt

Array = npt.NDArray[Any]

Gains: TypeAlias = tuple[float, float, float]
"""What blue, green and red levels of a frame are multiplied by."""

NEUTRAL: Gains = (1.0, 1.0, 1.0)


def corrected(frame_bgr: Array, gains: Gains) -> npt.NDArray[np.uint8]:
    """The frame (…, 3) with each channel multiplied by its gain and cut off at 255.

    A gain on encoded levels undoes a tinted light: the tone curve of cameras is close to a power,
    and a power turns a factor of the light into a factor of the levels.
    """
    frame = np.asarray(frame_bgr, np.uint8)
    if gains == NEUTRAL or not frame.size:
        return frame
    levels = np.arange(256, dtype=np.float64)[:, None] * np.array(gains)
    table = np.clip(np.rint(levels), 0, 255).astype(np.uint8)
    flat = np.ascontiguousarray(frame).reshape(-1, frame.shape[-2], 3)
    return np.asarray(cv2.LUT(flat, table.reshape(1, 256, 3)), np.uint8).reshape(frame.shape)
