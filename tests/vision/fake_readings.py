"""Readings made from the truth, with as much noise as a test wants."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

import numpy as np
import numpy.typing as npt

from scorer.board import neighbours
from scorer.tiles import BACKGROUNDS, COLOURS, SHAPES, Cell, Tile
from vision.align import turned
from vision.reading import Reading, SeenTile

SIZE_WH = (1640, 1232)


@dataclass(frozen=True)
class Eye:
    """How the layout lies in the picture: pitch, turn (radians), place of cell (0, 0)."""

    pitch_px: float = 50.0
    turn: float = 0.1
    centre_px: tuple[float, float] = (800.0, 600.0)

    def corners_px(self, cell: Cell) -> npt.NDArray[np.float64]:
        """The corners (4, 2) of the tile on a cell."""
        square = np.array([[-1, -1], [1, -1], [1, 1], [-1, 1]]) * 0.485 + cell
        cos, sin = np.cos(self.turn), np.sin(self.turn)
        spun = square @ np.array([[cos, sin], [-sin, cos]])
        return np.asarray(spun * self.pitch_px + self.centre_px)


@dataclass(frozen=True)
class Blur:
    """How badly tiles are read: a share `p` for the truth, another label for some cells."""

    p: float = 0.998
    taken_for: Mapping[Cell, tuple[Tile, float]] = field(default_factory=dict)
    """Cell to a wrong label and the probability that the reader gives it."""
    jitter_px: float = 1.0
    tile_p: float = 0.9995


def probabilities(names: Sequence[str], shares: Mapping[str, float]) -> npt.NDArray[np.float32]:
    """Given shares for some names, the rest spread over the others."""
    rest = (1 - sum(shares.values())) / max(1, len(names) - len(shares))
    return np.array([shares.get(name, rest) for name in names], np.float32)


def seen_tile(
    cell: Cell, tile: Tile, corners_px: npt.NDArray[np.float64], blur: Blur, place: Cell
) -> SeenTile:
    """One tile as the reader would report it; `cell` is its cell in the reading."""
    wrong, share = blur.taken_for.get(place, (tile, 0.0))
    parts = []
    for names, right, other in zip((SHAPES, COLOURS, BACKGROUNDS), tile, wrong, strict=True):
        shares = {right: blur.p} if right == other else {other: share, right: 0.998 - share}
        parts.append(probabilities(names, shares))
    best = Tile(
        *(n[int(p.argmax())] for n, p in zip((SHAPES, COLOURS, BACKGROUNDS), parts, strict=True))
    )
    confidence = blur.tile_p * float(np.prod([p.max() for p in parts]))
    shape_p, colour_p, background_p = parts
    corners = corners_px.astype(np.float32)
    return SeenTile(cell, best, confidence, shape_p, colour_p, background_p, corners)


def connected_groups(cells: Sequence[Cell]) -> list[set[Cell]]:
    """The cells as groups of touching tiles, largest first."""
    left, groups = set(cells), []
    while left:
        group, waiting = set(), [min(left)]
        while waiting:
            cell = waiting.pop()
            if cell in left:
                left.discard(cell)
                group.add(cell)
                waiting += neighbours(cell)
        groups.append(group)
    return sorted(groups, key=lambda group: (-len(group), sorted(group)))


def make_reading(
    tiles: Mapping[Cell, Tile],
    *,
    seed: int = 1,
    eye: Eye | None = None,
    blur: Blur | None = None,
    hidden: Sequence[Cell] = (),
    shift: Cell = (3, -2),
    quarter: int = 0,
    strays: Mapping[Cell, Tile] | None = None,
    stray_eye: Eye | None = None,
) -> Reading:
    """A reading of these tiles, in cells of its own; hidden ones are left out."""
    rng = np.random.default_rng(seed)
    blur = blur or Blur()
    eye = eye or Eye()
    shown = {cell: tile for cell, tile in tiles.items() if cell not in hidden}
    found: list[SeenTile] = []
    for number, group in enumerate(connected_groups(list(shown))):
        for cell in sorted(group):
            own = turned((cell[0] - shift[0], cell[1] - shift[1]), -quarter)
            corners = np.roll(eye.corners_px(cell), -quarter, axis=0)
            noisy = corners + rng.normal(0, blur.jitter_px, 2)
            seen = seen_tile(own, shown[cell], noisy, blur, cell)
            found.append(_with_group(seen, number))
    elsewhere = stray_eye or Eye(50.0, 0.6, (200.0, 150.0))
    for cell, tile in (strays or {}).items():
        seen = seen_tile(cell, tile, elsewhere.corners_px(cell), Blur(), cell)
        found.append(_with_group(seen, 90))
    return Reading(tuple(found), SIZE_WH, 1.0)


def _with_group(seen: SeenTile, group: int) -> SeenTile:
    return SeenTile(
        seen.cell,
        seen.tile,
        seen.confidence,
        seen.shape_p,
        seen.colour_p,
        seen.background_p,
        seen.corners_px,
        group,
    )
