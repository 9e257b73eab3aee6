"""Pictures as the page and the photos of the turns need them."""

from __future__ import annotations

from collections.abc import Sequence

import cv2
import numpy as np
import numpy.typing as npt

from vision.cameras.base import Frame

JPEG_QUALITY = 80
PREVIEW_PX = 960
"""Long side of a preview: enough to aim the camera, about 60 kB."""
OUTLINE_BGR = (60, 220, 255)


def encode_jpeg(frame_bgr: Frame, quality: int = JPEG_QUALITY) -> bytes:
    """A picture as a JPEG."""
    _, data = cv2.imencode(".jpg", frame_bgr, [cv2.IMWRITE_JPEG_QUALITY, quality])
    return bytes(data.tobytes())


def reduced(frame_bgr: Frame) -> Frame:
    """A picture small enough to be sent often."""
    scale = PREVIEW_PX / max(frame_bgr.shape[:2])
    if scale >= 1:
        return frame_bgr
    size = (round(frame_bgr.shape[1] * scale), round(frame_bgr.shape[0] * scale))
    return np.asarray(cv2.resize(frame_bgr, size, interpolation=cv2.INTER_AREA), np.uint8)


def outlined(frame_bgr: Frame, quads_px: Sequence[npt.NDArray[np.float32]]) -> Frame:
    """A copy of a picture with the tiles of a turn outlined."""
    marked = frame_bgr.copy()
    lines = [np.rint(quad).astype(np.int32) for quad in quads_px]
    cv2.polylines(marked, lines, True, OUTLINE_BGR, max(2, frame_bgr.shape[1] // 400), cv2.LINE_AA)
    return marked
