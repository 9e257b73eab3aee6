"""Following the layout from look to look: what is still there, what is new, what is gone.

A `Follower` remembers where every tile was seen and what speaks for its label. It says what a
look shows (`sight`) and learns from it only when told to (`keep`), so that a look with a hand in
it leaves no trace.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace

import numpy as np

from scorer.board import neighbours
from scorer.tiles import Cell, Table, Tile
from vision.align import KnownTile, Overlay, Quad, best_overlay, edge_px, label_p
from vision.evidence import Evidence, certain, evidence_of
from vision.places import PictureMap
from vision.reading import Reading, SeenTile

STRAY_TILES = 0.6
"""How far (in tile edges) a stray may lie from its old place and still be the same."""
ON_CELL = 0.3
"""Distance from the middle of a cell within which another group's tile is on the layout's grid:
tiles laid by hand lie off by at most 0.28 (real photos)."""
CONFLICT_P = 0.02
"""Probability of the known label below which a seen tile contradicts it."""
SAME_P = 0.3
"""Probability of a stray's label above which a tile elsewhere may be that stray."""
LEAST_LEAD = 1.0
"""Lead of the best overlay below which it is a guess."""


@dataclass(frozen=True, slots=True)
class Sighting:
    """One look, laid over the layout. Cells are those of the layout."""

    is_placed: bool
    """Whether the reading could be laid over the layout; everything below is empty if not."""
    seen: Mapping[Cell, SeenTile] = field(default_factory=dict)
    new: Mapping[Cell, SeenTile] = field(default_factory=dict)
    missing: frozenset[Cell] = frozenset()
    conflicts: frozenset[Cell] = frozenset()
    strays: tuple[SeenTile, ...] = ()

    @property
    def quads(self) -> dict[Cell, Quad]:
        """Corners of all tiles of the layout that were seen, by cell."""
        return {cell: tile.corners_px for cell, tile in {**self.seen, **self.new}.items()}


@dataclass(frozen=True, slots=True)
class _Memory:
    corners_px: Quad | None
    evidence: Evidence | None


class Follower:
    """Remembers the layout as the camera saw it."""

    def __init__(self) -> None:
        """Begin with an empty table."""
        self._memory: dict[Cell, _Memory] = {}
        self._strays: list[SeenTile] = []

    @property
    def evidence(self) -> dict[Cell, Evidence]:
        """What speaks for the labels of the layout, for the tiles that were seen."""
        return {c: m.evidence for c, m in self._memory.items() if m.evidence is not None}

    @property
    def quads(self) -> dict[Cell, Quad]:
        """Where each tile was last seen."""
        return {c: m.corners_px for c, m in self._memory.items() if m.corners_px is not None}

    def sight(self, reading: Reading, board: Table) -> Sighting:
        """Lay a reading over the board."""
        if not board:
            return Sighting(True, strays=reading.tiles)
        known = {c: KnownTile(t, self.quads.get(c)) for c, t in board.items()}
        groups = _groups(reading.tiles)
        placed = [(*best_overlay(group, known), group) for group in groups]
        placed = [each for each in placed if each[0] is not None]
        if not placed:
            return Sighting(False, strays=reading.tiles)
        overlay, lead, main = max(placed, key=lambda each: each[0].score if each[0] else 0.0)
        if overlay is None or lead < LEAST_LEAD:
            return Sighting(False, strays=reading.tiles)
        tiles = laid_over(main, overlay)
        others = [tile for group in groups if group is not main for tile in group]
        attached = _attached(tiles, others, board)
        return self._sorted({**attached, **tiles}, board, _rest(others, attached))

    def openings(self, reading: Reading) -> list[dict[Cell, SeenTile]]:
        """Groups that may be the first tiles of a game, largest first: no strays known before."""
        fresh = [tile for tile in reading.tiles if not self.is_stray(tile)]
        found = [group for group in _groups(fresh) if not self._are_moved_strays(group)]
        groups = sorted(found, key=lambda group: (-len(group), group[0].group))
        return [{tile.cell: tile for tile in group} for group in groups]

    def keep(self, sighting: Sighting, board: Table, is_learning: bool = True) -> None:
        """Remember a free look at this board: places always, labels unless `is_learning` is off."""
        for cell, tile in {**sighting.seen, **sighting.new}.items():
            if cell in board:
                old = self._memory.get(cell)
                self._memory[cell] = _Memory(tile.corners_px, _learned(old, tile, is_learning))
        self._forget_gone(sighting, board)
        self._strays = list(sighting.strays)

    def keep_strays(self, tiles: Iterable[SeenTile]) -> None:
        """Remember tiles that lie about and belong to no layout."""
        self._strays = list(tiles)

    def adopt(self, cell: Cell, corners_px: Quad | None, evidence: Evidence) -> None:
        """Take over a tile that has been laid, with all that looks have said about it."""
        self._memory[cell] = _Memory(corners_px, evidence)

    def trust(self, cell: Cell, tile: Tile) -> None:
        """Take a person's word for a tile."""
        corners = self._memory[cell].corners_px if cell in self._memory else None
        self._memory[cell] = _Memory(corners, certain(tile))

    def forget(self, cells: Iterable[Cell]) -> None:
        """Drop what is known about cells whose tile was taken away."""
        for cell in cells:
            self._memory.pop(cell, None)

    def _forget_gone(self, sighting: Sighting, board: Table) -> None:
        self.forget([cell for cell in self._memory if cell not in board])
        # A nudged layout takes its hidden tiles along: their old places would mislead later.
        hidden = [c for c in sighting.missing if c in self._memory]
        if hidden and sighting.quads:
            places = PictureMap(sighting.quads)
            for cell in hidden:
                self._memory[cell] = replace(self._memory[cell], corners_px=places.quad_px(cell))

    def is_stray(self, tile: SeenTile) -> bool:
        """Whether this tile lay there before and belongs to no layout."""
        middle = tile.corners_px.mean(0)
        reach = STRAY_TILES * edge_px(tile.corners_px)
        return any(
            float(np.linalg.norm(middle - stray.corners_px.mean(0))) < reach
            and label_p(tile, stray.tile) > CONFLICT_P
            for stray in self._strays
        )

    def _are_moved_strays(self, group: Sequence[SeenTile]) -> bool:
        """Whether all these tiles are strays, at another place since the camera was pushed."""
        left = [stray.tile for stray in self._strays]
        for tile in group:
            alike = [each for each in left if label_p(tile, each) > SAME_P]
            if not alike:
                return False
            left.remove(alike[0])
        return True

    def _sorted(
        self, tiles: Mapping[Cell, SeenTile], board: Table, strays: Sequence[SeenTile]
    ) -> Sighting:
        seen = {cell: tile for cell, tile in tiles.items() if cell in board}
        new = {cell: tile for cell, tile in tiles.items() if cell not in board}
        loose = {cell for cell, tile in new.items() if self.is_stray(tile)}
        return Sighting(
            True,
            seen,
            {cell: tile for cell, tile in new.items() if cell not in loose},
            frozenset(cell for cell in board if cell not in tiles),
            frozenset(c for c, t in seen.items() if label_p(t, board[c]) < CONFLICT_P),
            (*strays, *(new[cell] for cell in sorted(loose))),
        )


def laid_over(group: Sequence[SeenTile], overlay: Overlay) -> dict[Cell, SeenTile]:
    """The tiles of a group by their cells of the layout, corners in the layout's order."""
    return {
        cell: replace(tile, cell=cell, corners_px=np.roll(tile.corners_px, overlay.quarter, axis=0))
        for tile in group
        for cell in (overlay.cell(tile.cell),)
    }


def _learned(old: _Memory | None, tile: SeenTile, is_learning: bool) -> Evidence | None:
    if old is None or old.evidence is None:
        return evidence_of(tile)
    return old.evidence.and_also(evidence_of(tile)) if is_learning else old.evidence


def _groups(tiles: Iterable[SeenTile]) -> list[list[SeenTile]]:
    found: dict[int, list[SeenTile]] = {}
    for tile in tiles:
        found.setdefault(tile.group, []).append(tile)
    return [found[number] for number in sorted(found)]


def _attached(
    main: Mapping[Cell, SeenTile], others: Sequence[SeenTile], board: Table
) -> dict[Cell, SeenTile]:
    """Tiles of other groups that lie on the layout's grid and hang on to it.

    A hidden tile breaks a layout in two, and the reader then sees two groups.
    """
    if not main or not others:
        return {}
    places = PictureMap({cell: tile.corners_px for cell, tile in main.items()})
    on_grid: dict[Cell, SeenTile] = {}
    for tile in others:
        spot = places.to_cells(tile.corners_px.mean(0))[0]
        cell = (round(spot[0]), round(spot[1]))
        if cell not in main and np.abs(spot - cell).max() <= ON_CELL:
            on_grid[cell] = replace(tile, cell=cell, corners_px=_upright(tile, places, cell))
    held = {cell for cell in on_grid if cell in board}
    waiting = list(held | set(board))
    while waiting:
        for near in neighbours(waiting.pop()):
            if near in on_grid and near not in held:
                held.add(near)
                waiting.append(near)
    return {cell: tile for cell, tile in on_grid.items() if cell in held}


def _upright(tile: SeenTile, places: PictureMap, cell: Cell) -> Quad:
    """The tile's corners in the order of the layout."""
    wanted = places.quad_px(cell)
    rolled = [np.roll(tile.corners_px, k, axis=0) for k in range(4)]
    return min(rolled, key=lambda quad: float(np.abs(quad - wanted).sum()))


def _rest(others: Sequence[SeenTile], attached: Mapping[Cell, SeenTile]) -> list[SeenTile]:
    taken = {tuple(tile.corners_px.mean(0)) for tile in attached.values()}
    return [tile for tile in others if tuple(tile.corners_px.mean(0)) not in taken]
