"""The table as a grid: runs of tiles, contact and connection.

A table is any mapping of cells to tiles. Nothing here knows the rules of fitting; a run is just
an unbroken sequence of tiles along one of the four kinds of line.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable

from scorer.tiles import Cell, Table

LINE_STEPS = {"row": (1, 0), "column": (0, 1)}
DIAGONAL_STEPS = {"diagonal_down": (1, 1), "diagonal_up": (1, -1)}
KINDS = (*LINE_STEPS, *DIAGONAL_STEPS)


def neighbours(cell: Cell) -> tuple[Cell, Cell, Cell, Cell]:
    """The four cells that share an edge with a cell."""
    x, y = cell
    return ((x + 1, y), (x - 1, y), (x, y + 1), (x, y - 1))


def line_through(table: Table, cell: Cell, kind: str) -> list[Cell]:
    """The unbroken row or column of tiles that holds the tile on a cell."""
    dx, dy = LINE_STEPS[kind]
    x, y = cell
    while (x - dx, y - dy) in table:
        x, y = x - dx, y - dy
    cells = []
    while (x, y) in table:
        cells.append((x, y))
        x, y = x + dx, y + dy
    return cells


def diagonal_through(table: Table, cell: Cell, kind: str) -> list[Cell]:
    """The unbroken diagonal of one background that holds the tile on a cell."""
    dx, dy = DIAGONAL_STEPS[kind]
    background = table[cell].background
    x, y = cell
    while (tile := table.get((x - dx, y - dy))) and tile.background == background:
        x, y = x - dx, y - dy
    cells = []
    while (tile := table.get((x, y))) and tile.background == background:
        cells.append((x, y))
        x, y = x + dx, y + dy
    return cells


def reachable(start: Iterable[Cell], cells: Collection[Cell]) -> set[Cell]:
    """The cells that can be reached from a start, edge to edge, through the given cells."""
    found = {cell for cell in start if cell in cells}
    waiting = list(found)
    while waiting:
        for cell in neighbours(waiting.pop()):
            if cell in cells and cell not in found:
                found.add(cell)
                waiting.append(cell)
    return found


def is_connected(cells: Collection[Cell]) -> bool:
    """Whether all cells hang together edge to edge; no cells at all do."""
    return not cells or len(reachable([next(iter(cells))], cells)) == len(cells)


def frontier(table: Table) -> set[Cell]:
    """The empty cells with contact to the table."""
    return {near for cell in table for near in neighbours(cell) if near not in table}
