"""What one look at the table yields: tiles with cells, labels and probabilities."""

from __future__ import annotations

from dataclasses import dataclass, field

import numpy as np
import numpy.typing as npt

from scorer.tiles import Cell, Tile

LAYOUT = 0
"""The group number of the layout in play; strays have groups 1, 2, …"""


def _nothing() -> npt.NDArray[np.float32]:
    return np.zeros(0, np.float32)


@dataclass(frozen=True, slots=True)
class SeenTile:
    """One tile in a frame.

    The probabilities follow the order of `SHAPES`, `COLOURS` and `BACKGROUNDS` in
    `scorer.tiles` and each sum to 1; `tile` is the most likely label.
    """

    cell: Cell
    tile: Tile
    confidence: float
    shape_p: npt.NDArray[np.float32]
    colour_p: npt.NDArray[np.float32]
    background_p: npt.NDArray[np.float32]
    corners_px: npt.NDArray[np.float32]
    """Shape (4, 2), x then y: the top face, clockwise from its top left in the layout's frame."""
    group: int = LAYOUT
    features: npt.NDArray[np.float32] = field(default_factory=_nothing, repr=False)
    """What the colour was judged by; lets a later look judge new tiles beside this one."""

    @property
    def edge_px(self) -> float:
        """The mean edge of the top face."""
        sides = self.corners_px - np.roll(self.corners_px, 1, 0)
        return float(np.linalg.norm(sides, axis=1).mean())


@dataclass(frozen=True, slots=True)
class Reading:
    """All tiles seen in one frame; cells of one group share one coordinate system."""

    tiles: tuple[SeenTile, ...]
    size_wh: tuple[int, int]
    ms: float = 0.0
    thumbnail: npt.NDArray[np.uint8] | None = field(default=None, repr=False)
    """A small copy of the frame, so that the next look need only be read where it changed."""

    @property
    def layout(self) -> tuple[SeenTile, ...]:
        """The tiles of the layout in play."""
        return tuple(tile for tile in self.tiles if tile.group == LAYOUT)
