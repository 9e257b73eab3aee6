"""Where cells of the layout lie in the picture."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import cv2
import numpy as np
import numpy.typing as npt

from scorer.board import neighbours
from scorer.tiles import Cell

Points = npt.NDArray[np.float64]
Quads = Mapping[Cell, npt.NDArray[np.float32]]

HALF = 0.485
"""Half a tile's edge in cells: tiles laid by hand leave gaps of about three hundredths."""
PERSPECTIVE_TILES = 6
"""Tiles needed before perspective is fitted; with fewer it would run wild a few cells away."""
_CORNERS = np.array([[-HALF, -HALF], [HALF, -HALF], [HALF, HALF], [-HALF, HALF]])


class PictureMap:
    """Leads from cells to pixels and back, fitted to tiles that were seen."""

    def __init__(self, quads: Quads) -> None:
        """Fit to at least one tile: corners (4, 2) clockwise from the top left, by cell."""
        self._quads = quads
        cells = np.vstack([_CORNERS + cell for cell in quads])
        pixels = np.vstack([np.asarray(quad, np.float64) for quad in quads.values()])
        self._to_px = _fit(cells, pixels, len(quads) >= PERSPECTIVE_TILES)
        self._to_cells = np.linalg.inv(self._to_px)

    def to_px(self, cells: npt.ArrayLike) -> Points:
        """Pixels (N, 2) of places (N, 2) on the layout."""
        return _apply(self._to_px, np.asarray(cells, np.float64).reshape(-1, 2))

    def to_cells(self, pixels: npt.ArrayLike) -> Points:
        """Places (N, 2) on the layout, in cells and fractions, of pixels (N, 2)."""
        return _apply(self._to_cells, np.asarray(pixels, np.float64).reshape(-1, 2))

    def quad_beside(self, cell: Cell) -> npt.NDArray[np.float32]:
        """The corners that a tile on this cell would have, going by the tiles that it touches.

        Tiles laid by hand drift from an even grid, so the neighbours know better than the whole.
        """
        beside = [near for near in neighbours(cell) if near in self._quads]
        if not beside:
            return self.quad_px(cell)
        own = self.quad_px(cell)
        found = [own + (self._quads[near] - self.quad_px(near)) for near in beside]
        return np.asarray(np.mean(found, axis=0), np.float32)

    def quad_px(self, cell: Cell) -> npt.NDArray[np.float32]:
        """The corners (4, 2) that a tile on this cell would have."""
        return self.to_px(_CORNERS + cell).astype(np.float32)


def _fit(cells: Points, pixels: Points, has_perspective: bool) -> Points:
    if has_perspective:
        found, _ = cv2.findHomography(cells, pixels, cv2.RANSAC, 8.0)
        if found is not None and abs(np.linalg.det(found)) > 1e-9:
            return np.asarray(found, np.float64)
    columns = np.column_stack([cells, np.ones(len(cells))])
    affine = np.linalg.lstsq(columns, pixels, rcond=None)[0].T
    return np.vstack([affine, [0.0, 0.0, 1.0]])


def _apply(matrix: npt.NDArray[np.floating[Any]], points: Points) -> Points:
    lifted = np.column_stack([points, np.ones(len(points))]) @ matrix.T
    return np.asarray(lifted[:, :2] / lifted[:, 2:], np.float64)


def cells_to_border(quads: Quads, size_wh: tuple[int, int]) -> float:
    """How many more cells fit between the layout and the nearest border of the picture."""
    if not quads:
        return float("inf")
    corners = np.vstack(list(quads.values()))
    edge = float(
        np.median([np.linalg.norm(q - np.roll(q, 1, 0), axis=1).mean() for q in quads.values()])
    )
    room = min(*corners.min(0), *(np.array(size_wh) - corners.max(0)))
    return float(room) / edge
