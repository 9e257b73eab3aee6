"""Where single tiles fit: the question behind exchanging, passing and deadlock.

If no single tile fits anywhere, no longer placement does.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Sequence

from scorer.board import DIAGONAL_STEPS, LINE_STEPS, frontier, neighbours
from scorer.options import DEFAULTS, Options, has_diagonals
from scorer.rules import LONGEST
from scorer.tiles import Cell, Table, Tile


def fits(table: Table, cell: Cell, tile: Tile, rules: str) -> bool:
    """Whether one tile could be placed on an empty cell beside the table."""
    return first_fitting(table, cell, (tile,), rules) is not None


def fitting_cells(
    table: Table, tile: Tile, rules: str, cells: Iterable[Cell] | None = None
) -> list[Cell]:
    """The cells where a tile could be placed on a table that is not empty."""
    candidates = frontier(table) if cells is None else cells
    return [cell for cell in candidates if fits(table, cell, tile, rules)]


def anything_fits(
    table: Table, tiles: Collection[Tile], rules: str, options: Options = DEFAULTS
) -> bool:
    """Whether any of the tiles could be placed anywhere."""
    if not table or not options.needs_contact:
        return bool(tiles)
    return any(first_fitting(table, cell, tiles, rules) for cell in _edge(table))


def first_fitting(table: Table, cell: Cell, tiles: Iterable[Tile], rules: str) -> Tile | None:
    """The first of the tiles that could be placed on an empty cell, if any."""
    row = tiles_around(table, cell, LINE_STEPS["row"])
    column = tiles_around(table, cell, LINE_STEPS["column"])
    if not row and not column:
        return None
    # Whatever fits has something in common with the neighbour: a cheap test that rules out most.
    shape, colour, _ = (row or column)[0]
    for tile in tiles:
        if (
            (tile[0] == shape or tile[1] == colour)
            and line_accepts(row, tile)
            and line_accepts(column, tile)
            and (not has_diagonals(rules) or diagonals_accept(table, cell, tile[2]))
        ):
            return tile
    return None


def tiles_around(table: Table, cell: Cell, step: tuple[int, int]) -> list[Tile]:
    """The tiles that would be in one line with a tile on an empty cell."""
    found = []
    for dx, dy in (step, (-step[0], -step[1])):
        x, y = cell[0] + dx, cell[1] + dy
        while (tile := table.get((x, y))) is not None:
            found.append(tile)
            x, y = x + dx, y + dy
    return found


def line_accepts(tiles: Sequence[Tile], new: Tile) -> bool:
    """Whether one more tile makes a sound line of the tiles on both sides of it."""
    if len(tiles) >= LONGEST:
        return False
    shape, colour, _ = new
    same_shape = same_colour = True
    for tile in tiles:
        has_shape, has_colour = tile[0] == shape, tile[1] == colour
        if has_shape and has_colour:
            return False
        same_shape, same_colour = same_shape and has_shape, same_colour and has_colour
    # Two lines that are joined may hold the same face, one on each side.
    if same_shape:
        return len({tile[1] for tile in tiles}) == len(tiles)
    return same_colour and len({tile[0] for tile in tiles}) == len(tiles)


def diagonals_accept(table: Table, cell: Cell, background: str) -> bool:
    """Whether no diagonal gets longer than six by a tile of this background."""
    for dx, dy in DIAGONAL_STEPS.values():
        length = 1 + _stretch(table, cell, (dx, dy), background)
        if length + _stretch(table, cell, (-dx, -dy), background) > LONGEST:
            return False
    return True


def _stretch(table: Table, cell: Cell, step: tuple[int, int], background: str) -> int:
    length = 0
    x, y = cell[0] + step[0], cell[1] + step[1]
    while (tile := table.get((x, y))) is not None and tile[2] == background:
        length += 1
        x, y = x + step[0], y + step[1]
    return length


def _edge(table: Table) -> Iterator[Cell]:
    """The frontier cell by cell, youngest tiles first, because there something mostly fits."""
    seen = set()
    for cell in reversed(list(table)):
        for near in neighbours(cell):
            if near not in table and near not in seen:
                seen.add(near)
                yield near
