"""The table plane: how pixels relate to the table, from the sheet or from tiles lying there."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Literal

import cv2
import numpy as np
import numpy.typing as npt

from calibration.findings import CalibrationError, Finding
from calibration.lens import SheetView
from vision.reading import SeenTile

Array = npt.NDArray[Any]

TILE_MM = 25.0
"""Edge of a tile; only the sheet needs it, and only to tell distances in tiles."""

SQUARE = np.array([[-0.5, -0.5], [0.5, -0.5], [0.5, 0.5], [-0.5, 0.5]])
LEAST_TILES = 6
"""Planes from four hand-laid tiles told later tiles to be oblong by 0.09, from eight by 0.066."""

PITCHES = np.linspace(1.0, 1.12, 13)
"""From tiles that touch to gaps of an eighth of a tile between them."""

OUTLIER_TILES = 0.12
"""Hand-laid tiles lie off the best plane by 0.05 of a tile (median) and 0.09 to 0.13 (90 %)."""

WORST_TILES = 0.15
"""A plane whose tiles lie off by more than this (median) is not worth keeping."""


@dataclass(frozen=True, slots=True)
class Plane:
    """The table as the camera sees it: `matrix` (3, 3) takes pixels to tile edges.

    `error_px` is how far (root of the mean square, without the worst tenth) the points that it
    was made from are off it, `error_tiles` the median of the same in tile edges.
    """

    matrix: Array
    size_wh: tuple[int, int]
    error_px: float
    error_tiles: float
    source: Literal["tiles", "sheet"]

    def to_tiles(self, points_px: Array) -> Array:
        """Table places (N, 2) in tile edges of pixels (N, 2)."""
        return _mapped(self.matrix, points_px)

    def to_px(self, places: Array) -> Array:
        """Pixels (N, 2) of table places (N, 2) in tile edges."""
        return _mapped(np.linalg.inv(self.matrix), places)

    @property
    def tile_px(self) -> float:
        """Edge of a tile in the middle of the picture: the root of its area there."""
        middle = np.array(self.size_wh) / 2
        square = middle + np.array([[0, 0], [1, 0], [1, 1], [0, 1.0]])
        area = abs(float(cv2.contourArea(self.to_tiles(square).astype(np.float32))))
        return float(1 / np.sqrt(max(area, 1e-12)))


def _mapped(matrix: Array, points: Array) -> Array:
    values = np.asarray(points, np.float64).reshape(-1, 1, 2)
    return np.asarray(cv2.perspectiveTransform(values, matrix), np.float64).reshape(-1, 2)


def from_tiles(tiles: Sequence[SeenTile], size_wh: tuple[int, int]) -> tuple[Plane, Finding]:
    """The plane through the top faces of the tiles of one group.

    Raises:
        CalibrationError: There are too few tiles, or they lie too crookedly.
    """
    if len(tiles) < LEAST_TILES:
        raise CalibrationError(
            "too_few_tiles_for_plane",
            f"{len(tiles)} tiles are seen together; lay out {LEAST_TILES} or more, edge to edge.",
            seen=len(tiles),
            needed=LEAST_TILES,
        )
    pixels = np.concatenate([tile.corners_px for tile in tiles]).astype(np.float64)
    cells = np.repeat(np.array([tile.cell for tile in tiles], float), 4, axis=0)
    offsets = np.tile(SQUARE, (len(tiles), 1))
    fits = [_fit(pixels, cells * pitch + offsets) for pitch in PITCHES]
    places, matrix = min(fits, key=lambda fit: _errors(fit[1], pixels, fit[0])[1])
    plane = _plane(matrix, pixels, places, size_wh, "tiles")
    if plane.error_tiles > WORST_TILES:
        raise CalibrationError(
            "tiles_too_crooked",
            f"The tiles lie off a straight grid by {plane.error_tiles:.0%} of a tile. Push them "
            "together and try again.",
            off=round(plane.error_tiles, 2),
        )
    return plane, _in_words(plane)


def from_sheet(view: SheetView, tile_mm: float = TILE_MM) -> tuple[Plane, Finding]:
    """The plane of the printed sheet, lying on the table."""
    places = view.corners_mm[:, :2] / tile_mm
    _, matrix = _fit(view.corners_px, places)
    plane = _plane(matrix, view.corners_px, places, view.size_wh, "sheet")
    return plane, _in_words(plane)


def _fit(pixels: Array, places: Array) -> tuple[Array, Array]:
    """A robust homography from pixels to places; the places are returned with it."""
    matrix, _ = cv2.findHomography(pixels, places, cv2.RANSAC, OUTLIER_TILES, maxIters=500)
    if matrix is None:
        raise CalibrationError(
            "no_plane", "The tiles do not lie on one plane. Lay them flat and try again."
        )
    return places, np.asarray(matrix, np.float64)


def _errors(matrix: Array, pixels: Array, places: Array) -> tuple[float, float]:
    """Root of the mean square in pixels, and the median in tile edges, without the worst tenth."""
    back = np.linalg.norm(_mapped(np.linalg.inv(matrix), places) - pixels, axis=1)
    kept = np.sort(back)[: max(4, int(len(back) * 0.9))]
    off = np.linalg.norm(_mapped(matrix, pixels) - places, axis=1)
    return float(np.sqrt((kept**2).mean())), float(np.median(off))


def _plane(
    matrix: Array,
    pixels: Array,
    places: Array,
    size_wh: tuple[int, int],
    source: Literal["tiles", "sheet"],
) -> Plane:
    error_px, error_tiles = _errors(matrix, pixels, places)
    return Plane(matrix, size_wh, error_px, error_tiles, source)


def misfit(plane: Plane, tiles: Sequence[SeenTile]) -> tuple[float, float]:
    """How tiles look on a known plane: their mean edge (1 when nothing moved), and their skew.

    Where on the table they lie, and how they are turned, makes no difference. The skew is the
    spread of edges and diagonals within a tile: 0 for squares.
    """
    corners = np.stack([plane.to_tiles(tile.corners_px) for tile in tiles])
    sides = np.linalg.norm(corners - np.roll(corners, 1, axis=1), axis=2)
    across = np.linalg.norm(corners[:, :2] - corners[:, 2:], axis=2)
    edge = float(np.median(sides.mean(1)))
    uneven = np.abs(np.log(sides[:, ::2].mean(1) / sides[:, 1::2].mean(1)))
    slanted = np.abs(np.log(across[:, 0] / across[:, 1]))
    return edge, float(np.median(np.maximum(uneven, slanted)))


def _in_words(plane: Plane) -> Finding:
    return Finding(
        "plane_known",
        "good",
        f"The table's plane is known to {plane.error_px:.1f} pixels; a tile in the middle is "
        f"{plane.tile_px:.0f} pixels wide.",
        {
            "error_px": round(plane.error_px, 2),
            "error_tiles": round(plane.error_tiles, 3),
            "tile_px": round(plane.tile_px, 1),
            "source": plane.source,
        },
    )
