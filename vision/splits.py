"""Two moves laid between two looks: all the ways in which the rules allow that."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from itertools import combinations

from scorer.tiles import Cell, Placed, Table
from vision.assign import Game, legal_assignments
from vision.evidence import Evidence

MOST_CELLS = 12
"""Two players can lay twelve tiles; with more there is something else going on."""

Moves = tuple[tuple[Placed, ...], ...]


def two_moves(
    board: Table,
    new: Mapping[Cell, Evidence],
    game: Game,
    earlier: frozenset[Cell] = frozenset(),
) -> Iterator[tuple[Moves, float]]:
    """Pairs of legal moves, one after the other, with the log-probability of their labels.

    Tiles that an earlier look has shown (`earlier`) were laid first.
    """
    if not 2 <= len(new) <= MOST_CELLS:
        return
    for first in _firsts(frozenset(new), earlier):
        tiles = {cell: new[cell] for cell in first}
        for one, one_log in legal_assignments(board, tiles, game)[:2]:
            rest = {cell: new[cell] for cell in new if cell not in first}
            table = {**board, **dict(one)}
            for other, other_log in legal_assignments(table, rest, game)[:2]:
                yield (one, other), one_log + other_log


def _firsts(new: frozenset[Cell], earlier: frozenset[Cell]) -> list[frozenset[Cell]]:
    """The sets of cells that may have come first; what is left must lie in one line as well."""
    if earlier and earlier < new:
        return [earlier]
    return sorted(
        {
            part
            for line in _lines(new)
            for part in _parts(line, new)
            if part and part != new and _is_line(part) and _is_line(new - part)
        },
        key=sorted,
    )


def _lines(cells: frozenset[Cell]) -> set[frozenset[Cell]]:
    rows = {frozenset(c for c in cells if c[1] == y) for _, y in cells}
    columns = {frozenset(c for c in cells if c[0] == x) for x, _ in cells}
    return rows | columns


def _parts(line: frozenset[Cell], new: frozenset[Cell]) -> Iterator[frozenset[Cell]]:
    """A line with all its tiles or without some that could belong to the other move."""
    rest = new - line
    for count in range(len(line) if not rest else min(2, len(line) - 1) + 1):
        for left in combinations(sorted(line), count):
            part = line - set(left)
            yield part
            yield new - part


def _is_line(cells: frozenset[Cell]) -> bool:
    return len({x for x, _ in cells}) == 1 or len({y for _, y in cells}) == 1
