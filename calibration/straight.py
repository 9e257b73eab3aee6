"""Readings of bent frames as those of straight ones, and back."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from calibration.lens import Lens
from vision.reading import Reading


def straightened(reading: Reading, lens: Lens) -> Reading:
    """A reading of a frame as the camera gave it, at the places that a straight lens shows."""
    if not reading.tiles or not lens.fits(reading.size_wh):
        return reading
    corners = np.concatenate([tile.corners_px for tile in reading.tiles])
    return _placed(reading, lens.straight_points(corners, reading.size_wh))


def bent(reading: Reading, lens: Lens) -> Reading:
    """A reading of a straightened frame, at the places where the camera's frame shows its tiles."""
    if not reading.tiles:
        return reading
    corners = np.concatenate([tile.corners_px for tile in reading.tiles])
    return _placed(reading, lens.bent_points(corners, reading.size_wh))


def _placed(reading: Reading, corners_px: np.ndarray) -> Reading:
    each = np.asarray(corners_px, np.float32).reshape(-1, 4, 2)
    tiles = (
        replace(tile, corners_px=corners) for tile, corners in zip(reading.tiles, each, strict=True)
    )
    return replace(reading, tiles=tuple(tiles))
