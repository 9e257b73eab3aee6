"""Finding moves for a hand on a growing table."""

from __future__ import annotations

import random
from collections.abc import Iterator, Sequence

from scorer.board import LINE_STEPS, neighbours
from scorer.fitting import first_fitting
from scorer.rules import judge
from scorer.tiles import Cell, Placed, Tile


class Moves:
    """A table together with the empty cells around it, kept up to date tile by tile."""

    def __init__(self, board: dict[Cell, Tile], rules: str, rng: random.Random) -> None:
        """Watch a table that is changed only by `put` and `take`."""
        self._board, self._rules, self._rng = board, rules, rng
        self._edge: dict[Cell, None] = {}

    def put(self, cell: Cell, tile: Tile) -> None:
        """Lay a tile on the table."""
        self._board[cell] = tile
        self._edge.pop(cell, None)
        self._edge.update((near, None) for near in neighbours(cell) if near not in self._board)

    def take(self, cell: Cell) -> Tile:
        """Take a tile from the table."""
        tile = self._board.pop(cell)
        for near in (cell, *neighbours(cell)):
            self._edge.pop(near, None)
            if near not in self._board and any(n in self._board for n in neighbours(near)):
                self._edge[near] = None
        return tile

    def single(self, hand: Sequence[Tile], avoid: Placed | None = None) -> Placed | None:
        """One tile of the hand on any cell where it fits."""
        return next(self._singles(hand, avoid), None)

    def best(self, hand: Sequence[Tile], skill: int, avoid: Placed | None = None) -> list[Placed]:
        """The best of a few moves; none if nothing fits."""
        found: list[list[Placed]] = []
        for first in self._singles(hand, avoid):
            for kind in LINE_STEPS:
                found.append(self._extended(first, hand, kind, avoid))
            if len(found) >= 2 * skill:
                break
        if skill == 1:
            return max(found, key=len, default=[])
        return max(found, key=self._points, default=[])

    def _points(self, move: list[Placed]) -> int:
        return judge(self._board, move, self._rules).points

    def _singles(self, hand: Sequence[Tile], avoid: Placed | None) -> Iterator[Placed]:
        cells = list(self._edge)
        first = self._rng.randrange(len(cells))
        for cell in (*cells[first:], *cells[:first]):
            tile = first_fitting(self._board, cell, _without(hand, cell, avoid), self._rules)
            if tile:
                yield Placed(cell, tile)

    def _extended(
        self, first: Placed, hand: Sequence[Tile], kind: str, avoid: Placed | None
    ) -> list[Placed]:
        """A single tile, followed by whatever else of the hand fits in the same line."""
        table = {**self._board, first.cell: first.tile}
        move, left = [first], list(hand)
        left.remove(first.tile)
        while more := self._next_in_line(table, first.cell, left, kind, avoid):
            move.append(more)
            left.remove(more.tile)
            table[more.cell] = more.tile
        return move

    def _next_in_line(
        self,
        table: dict[Cell, Tile],
        cell: Cell,
        hand: Sequence[Tile],
        kind: str,
        avoid: Placed | None,
    ) -> Placed | None:
        dx, dy = LINE_STEPS[kind]
        for step in ((dx, dy), (-dx, -dy)):
            end = cell
            while end in table:
                end = (end[0] + step[0], end[1] + step[1])
            tile = first_fitting(table, end, _without(hand, end, avoid), self._rules)
            if tile:
                return Placed(end, tile)
        return None


def _without(hand: Sequence[Tile], cell: Cell, taken: Placed | None) -> Sequence[Tile]:
    """The hand without what was just taken from this very cell and may not return to it."""
    if taken is None or cell != taken.cell:
        return hand
    return [tile for tile in hand if tile.face != taken.tile.face]
