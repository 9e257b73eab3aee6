"""Several moves laid since the last final turn: all the ways in which the rules allow that."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from itertools import combinations, pairwise

from scorer.tiles import Cell, Placed, Table
from vision.assign import Game, legal_assignments
from vision.evidence import Evidence

MOST_CELLS = 12
"""Two players can lay twelve tiles; with more there is something else going on."""
MOST_LAYERS = 6
"""Looks that are told apart when moves have piled up; twenty orders at most are tried."""

Cells = frozenset[Cell]
Moves = tuple[tuple[Placed, ...], ...]


def several_moves(
    board: Table, new: Mapping[Cell, Evidence], game: Game, layers: Sequence[Cells] = ()
) -> list[tuple[Moves, float]]:
    """Legal moves, one after the other, with the log-probability of their labels.

    Args:
        board: The table before them.
        new: Evidence on the cells that are new.
        game: Rules and box.
        layers: The new cells by the look that showed them first, the earliest first. What an
            earlier look showed was laid earlier; only where that leads nowhere are other orders
            tried.
    """
    shown = [frozenset(layer & set(new)) for layer in layers]
    orders = _orders([layer for layer in shown if layer], frozenset(new))
    found = [way for order in orders for way in _in_order(board, new, game, order)]
    if not found and 2 <= len(new) <= MOST_CELLS:
        pairs = [(first, frozenset(new) - first) for first in _firsts(frozenset(new))]
        found = [way for pair in pairs for way in _in_order(board, new, game, pair)]
    return found


def _orders(layers: list[Cells], new: Cells) -> list[tuple[Cells, ...]]:
    """All ways to make moves out of successive layers, two or three of them."""
    if len(layers) < 2 or frozenset().union(*layers) != new:
        return []
    late = layers[-MOST_LAYERS:]
    late[0] = frozenset().union(*layers[: len(layers) - len(late) + 1])
    ways = []
    for count in (1, 2):
        for cuts in combinations(range(1, len(late)), count):
            edges = (0, *cuts, len(late))
            spans = pairwise(edges)
            ways.append(tuple(frozenset().union(*late[a:b]) for a, b in spans))
    return ways


def _in_order(
    board: Table, new: Mapping[Cell, Evidence], game: Game, order: Sequence[Cells]
) -> Iterator[tuple[Moves, float]]:
    """The likeliest legal moves that lay these sets of cells one after the other."""
    tiles = {cell: new[cell] for cell in order[0]}
    for move, log in legal_assignments(board, tiles, game)[:2]:
        if len(order) == 1:
            yield (move,), log
            continue
        for rest, rest_log in _in_order({**board, **dict(move)}, new, game, order[1:]):
            yield (move, *rest), log + rest_log


def _firsts(new: Cells) -> list[Cells]:
    """The sets of cells that may have come first; what is left must lie in one line as well."""
    return sorted(
        {
            part
            for line in _lines(new)
            for part in _parts(line, new)
            if part and part != new and _is_line(part) and _is_line(new - part)
        },
        key=sorted,
    )


def _lines(cells: Cells) -> set[Cells]:
    rows = {frozenset(c for c in cells if c[1] == y) for _, y in cells}
    columns = {frozenset(c for c in cells if c[0] == x) for x, _ in cells}
    return rows | columns


def _parts(line: Cells, new: Cells) -> Iterator[Cells]:
    """A line with all its tiles or without some that could belong to the other move."""
    rest = new - line
    for count in range(len(line) if not rest else min(2, len(line) - 1) + 1):
        for left in combinations(sorted(line), count):
            part = line - set(left)
            yield part
            yield new - part


def _is_line(cells: Cells) -> bool:
    return len({x for x, _ in cells}) == 1 or len({y for _, y in cells}) == 1
