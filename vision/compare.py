"""What changed on the layout's cells since the last free look, whatever the reader says.

The picture is a second witness: a cell on which something was laid has changed, and a tile that
lies where it lay has not.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping

import numpy as np

from scorer.board import frontier, is_connected
from scorer.tiles import Cell, Table, Tile
from vision.align import Quad, edge_px
from vision.follow import Sighting
from vision.obstruct import ChangeMap, SmallLook, moved_onto
from vision.places import PictureMap
from vision.reading import SeenTile

GONE_GREY = 18.0
"""Least change of a cell in the picture for its tile to be gone and not just overlooked."""
LAID_GREY = 30.0
"""Change of a cell above which a tile was laid on it, read or not: 131 cells with a new tile
changed by 37 and more, 1025 empty cells beside tiles, shadows and all, by at most 25."""
LAID_PUSHED_GREY = 45.0
"""The same after a push, where patterns of the table never match to the pixel."""
OLD_GREY = 10.0
"""Change of a cell below which the tile on it lay there before and was overlooked."""
PHANTOM_P = 0.9
"""Confidence below which a find needs a change of its cell to be believed: a hole between white
tiles on a white table was taken for a tile with 0.98, but for none of them with more than 0.45."""
STILL_TILES = 0.15
"""Shift of the layout (in tile edges) up to which cells can be compared as they are."""
PUSHED_SHARE = 0.15
"""Share of the picture above which more has changed than an opening of six tiles can change."""
BESIDE = 2
"""Cells from the layout within which a fresh find apart from it may belong to it."""

_ANY = Tile("circle", "red")


class Comparison:
    """One look against the last free look; without a look before, nothing has changed."""

    def __init__(
        self, before: SmallLook | None, now: SmallLook, sighting: Sighting, old: Mapping[Cell, Quad]
    ) -> None:
        """Compare; where the camera was pushed, the old look is moved onto the new one."""
        self._changes, self._laid_grey = _changes(before, now, sighting.quads, old)
        self._old = old

    @property
    def is_possible(self) -> bool:
        """Whether the looks can be compared: not if the layout was moved on the table."""
        return self._changes is not None

    def was_laid(self, tile: SeenTile) -> bool:
        """Whether something was laid where this tile was found."""
        return self._changes is not None and self._changes.cell(tile.corners_px) > self._laid_grey

    def phantoms(self, sighting: Sighting) -> frozenset[Cell]:
        """Poor finds on cells that hardly changed: holes between tiles."""
        if self._changes is None:
            return frozenset()
        poor = [c for c, tile in sighting.new.items() if tile.confidence < PHANTOM_P]
        return frozenset(c for c in poor if not self.was_laid(sighting.new[c]))

    def late(self, sighting: Sighting) -> frozenset[Cell]:
        """New tiles on cells that look as they did: the last look overlooked them."""
        if self._changes is None:
            return frozenset()
        new = sighting.new
        return frozenset(c for c in new if self._changes.cell(new[c].corners_px) < OLD_GREY)

    def gone(self, sighting: Sighting, board: Table) -> frozenset[Cell]:
        """Missing tiles whose place has changed: they are not just overlooked."""
        if self._changes is None:
            return frozenset()
        hidden = [cell for cell in sighting.missing if cell in self._old]
        gone = frozenset(c for c in hidden if self._changes.cell(self._old[c]) > GONE_GREY)
        rest = [cell for cell in board if cell not in gone]
        return gone if rest and is_connected(rest) else frozenset()

    def unread(
        self, sighting: Sighting, board: Table, fresh: Iterable[SeenTile]
    ) -> frozenset[Cell]:
        """Cells by the layout on which something was laid that is not among the new tiles.

        `fresh` are finds apart from the layout that were not there before.
        """
        quads = sighting.quads
        if self._changes is None or not quads:
            return frozenset()
        places = PictureMap(quads)
        layout = {**board, **dict.fromkeys(quads, _ANY)}
        loose = {_cell_of(tile, places) for tile in fresh if self.was_laid(tile)}
        near = {cell for cell in loose if cell not in layout and _is_near(cell, layout)}
        explained = [*quads.values(), *(tile.corners_px for tile in sighting.strays)]
        changes = self._changes.without(explained)
        around = {
            c for c in frontier(layout) if changes.cell(places.quad_beside(c)) > self._laid_grey
        }
        return frozenset(near | around)


def _changes(
    before: SmallLook | None,
    now: SmallLook,
    new: Mapping[Cell, Quad],
    old: Mapping[Cell, Quad],
) -> tuple[ChangeMap | None, float]:
    """The change of the picture, and how much of it means that something was laid."""
    if before is None:
        return None, LAID_GREY
    plain = ChangeMap(before, now)
    is_still = layout_shift(old, new) <= STILL_TILES if old else plain.share <= PUSHED_SHARE
    if is_still:
        return plain, LAID_GREY
    pushed = moved_onto(before, now)
    if pushed is None:
        return None, LAID_GREY
    changes = ChangeMap(pushed.look, now)
    moved = {cell: pushed.to_new(quad) for cell, quad in old.items()}
    is_settled = layout_shift(moved, new) <= STILL_TILES if old else changes.share <= PUSHED_SHARE
    return (changes if is_settled else None), LAID_PUSHED_GREY


def layout_shift(old: Mapping[Cell, Quad], new: Mapping[Cell, Quad]) -> float:
    """How far the layout has moved in the picture, in tile edges (median of the tiles)."""
    both = [cell for cell in new if cell in old]
    if not both:
        return np.inf
    moved = [float(np.linalg.norm(new[c].mean(0) - old[c].mean(0))) for c in both]
    return float(np.median(moved) / np.median([edge_px(new[c]) for c in both]))


def _cell_of(tile: SeenTile, places: PictureMap) -> Cell:
    x, y = places.to_cells(tile.corners_px.mean(0))[0]
    return round(x), round(y)


def _is_near(cell: Cell, layout: Table) -> bool:
    return any(abs(cell[0] - x) + abs(cell[1] - y) <= BESIDE for x, y in layout)
