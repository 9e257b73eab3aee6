"""Found tiles with their grid and their names, and how they become a reading."""

from __future__ import annotations

from dataclasses import dataclass, fields
from typing import Any

import numpy as np
import numpy.typing as npt

from scorer.tiles import BACKGROUNDS, COLOURS, SHAPES, Tile
from vision import lattice
from vision.classify import Named
from vision.find import SURE, Found
from vision.lattice import Lattice
from vision.reading import SeenTile

Array = npt.NDArray[Any]

IS_TILE, IS_LIKELY, IS_SURELY_TILE = 0.5, 0.8, 0.9
IS_CLEAR = 0.5
"""A find that is no likely tile must at least have a clear name: a hole between tiles has none."""


@dataclass(frozen=True, slots=True)
class Seen:
    """Found tiles, their grid and their names, index by index."""

    found: Found
    grid: Lattice
    named: Named

    def where(self, mask: Array) -> Seen:
        """Only the chosen tiles."""
        grid, named = self.grid, self.named
        return Seen(
            self.found.where(mask),
            Lattice(grid.cells[mask], grid.groups[mask], grid.u_px[mask], grid.v_px[mask]),
            Named(*(getattr(named, each.name)[mask] for each in fields(Named))),
        )

    def replaced(self, mask: Array, centres_px: Array, named: Named) -> Seen:
        """The same tiles, with other middles and names for the chosen ones."""
        centres = self.found.centres_px.copy()
        centres[mask] = centres_px
        parts = []
        for each in fields(Named):
            values = getattr(self.named, each.name).copy()
            values[mask] = getattr(named, each.name)
            parts.append(values)
        found = Found(centres, self.found.edges_px, self.found.turns, self.found.scores)
        return Seen(found, self.grid, Named(*parts))

    @property
    def credible(self) -> Array:
        """Sure finds that look like a tile, and doubtful ones that also have a neighbour."""
        tile_p = self.named.tile_p
        looks = (tile_p > IS_LIKELY) | ((tile_p > IS_TILE) & (self.named.confidence > IS_CLEAR))
        sure = self.found.scores > SURE
        groups = self.grid.groups
        has_neighbour = np.bincount(groups, minlength=1)[groups] > 1
        supported = has_neighbour & (tile_p > IS_SURELY_TILE)
        return np.asarray(looks & (sure | supported))

    @property
    def corners_px(self) -> Array:
        """Corners (N, 4, 2) of the top faces in the frame."""
        axes = np.stack([self.grid.u_px, self.grid.v_px], 1)
        offsets = np.einsum("nkc,ncp->nkp", self.named.corners, axes)
        return np.asarray(self.found.centres_px[:, None] + offsets)

    def tiles(self, middle_px: tuple[float, float]) -> list[SeenTile]:
        """The tiles with cells from a grid laid through their corners."""
        return placed(_unplaced(self), middle_px)


def _unplaced(seen: Seen) -> list[SeenTile]:
    corners = seen.corners_px.astype(np.float32)
    named = seen.named
    best = np.stack([p.argmax(1) for p in (named.shape_p, named.colour_p, named.background_p)], 1)
    confidence = named.confidence
    return [
        SeenTile(
            cell=(0, 0),
            tile=Tile(SHAPES[best[k, 0]], COLOURS[best[k, 1]], BACKGROUNDS[best[k, 2]]),
            confidence=float(confidence[k]),
            shape_p=named.shape_p[k].astype(np.float32),
            colour_p=named.colour_p[k].astype(np.float32),
            background_p=named.background_p[k].astype(np.float32),
            corners_px=corners[k],
            features=named.features[k].astype(np.float32),
        )
        for k in range(len(best))
    ]


def placed(tiles: list[SeenTile], middle_px: tuple[float, float]) -> list[SeenTile]:
    """The same tiles with cells and groups from a grid laid through their corners."""
    if not tiles:
        return []
    corners = np.stack([tile.corners_px for tile in tiles]).astype(float)
    u = (corners[:, 1] - corners[:, 0] + corners[:, 2] - corners[:, 3]) / 2
    v = (corners[:, 3] - corners[:, 0] + corners[:, 2] - corners[:, 1]) / 2
    edges = (np.linalg.norm(u, axis=1) + np.linalg.norm(v, axis=1)) / 2
    turns = np.arctan2(u[:, 1] - v[:, 0], u[:, 0] + v[:, 1])
    found = Found(corners.mean(1), edges, turns, np.ones(len(tiles)))
    grid = lattice.build(found, middle_px, (u, v))
    order = np.lexsort((grid.cells[:, 0], grid.cells[:, 1], grid.groups))
    return [_at(tiles[k], grid.cells[k], int(grid.groups[k])) for k in order]


def _at(tile: SeenTile, cell: Array, group: int) -> SeenTile:
    values = {each.name: getattr(tile, each.name) for each in fields(SeenTile)}
    return SeenTile(**{**values, "cell": (int(cell[0]), int(cell[1])), "group": group})
