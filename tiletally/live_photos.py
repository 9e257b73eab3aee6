"""Photos that prove the turns, kept in the data directory as long as there is room."""

from __future__ import annotations

import hashlib
import logging
from collections.abc import Sequence
from pathlib import Path

import cv2
import numpy as np
import numpy.typing as npt

from scorer.tiles import Cell
from vision.cameras.base import Frame

logger = logging.getLogger(__name__)

MOST_PHOTOS = 2000
"""About thirty games; the oldest are removed first."""
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


class PhotoStore:
    """One folder of photos, by game and by the cells that a turn placed."""

    def __init__(self, folder: Path | None, most: int = MOST_PHOTOS) -> None:
        """Keep photos in a folder, or none without one."""
        self._folder = folder
        self._most = most
        self.is_full = False
        """Whether the last photo could not be saved; nothing else depends on it."""

    def save(self, game_id: int, cells: frozenset[Cell], frame_bgr: Frame) -> None:
        """Keep the photo of a turn; a full disk costs the photo and nothing else."""
        if self._folder is None:
            return
        path = self._path(game_id, cells)
        try:
            self._folder.mkdir(parents=True, exist_ok=True)
            fresh = path.with_suffix(".new")
            fresh.write_bytes(encode_jpeg(frame_bgr))
            fresh.replace(path)
            self._rotate()
            self.is_full = False
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

    def _path(self, game_id: int, cells: frozenset[Cell]) -> Path:
        assert self._folder is not None
        name = hashlib.sha256(repr(sorted(cells)).encode()).hexdigest()[:16]
        return self._folder / f"game{game_id:06d}-{name}.jpg"

    def _rotate(self) -> None:
        assert self._folder is not None
        photos = sorted(self._folder.glob("game*.jpg"), key=lambda path: path.stat().st_mtime_ns)
        for path in photos[: -self._most]:
            path.unlink(missing_ok=True)
