"""Tiles, moves and tables as text, for tests, logs, bug reports and exports.

A tile is its colour in capitals, its shape, and its background unless that is black:

    Ro  red circle             Y4+  yellow four-pointed star on white
    Bs  blue square            G8/  green eight-pointed star on split

Colours are R O Y G B P W; a family's own colour is written out, as in `(pink)o`. Shapes are
o circle, s square, d diamond, c clover, 4 and 8 the stars. Backgrounds are + white and / split.

A move lists tiles with their cells, `Ro@0,0 Rs@1,0`; an empty one is `-`. A table is drawn row by
row below the cell of its upper left corner, with a dot for an empty cell:

    @-1,0
    Ro  Rs  .
    .   Ys+ Yd

Everything written here is read back to the same thing.
"""

from __future__ import annotations

import re
from collections.abc import Iterable

from scorer.tiles import COLOURS, Cell, Placed, Table, Tile

_SHAPE_MARKS = {
    "circle": "o",
    "square": "s",
    "diamond": "d",
    "clover": "c",
    "star4": "4",
    "star8": "8",
}
_BACKGROUND_MARKS = {"black": "", "white": "+", "split": "/"}
_COLOUR_MARKS = {colour: colour[0].upper() for colour in COLOURS}
_SHAPES = {mark: shape for shape, mark in _SHAPE_MARKS.items()}
_BACKGROUNDS = {mark: background for background, mark in _BACKGROUND_MARKS.items()}
_COLOURS = {mark: colour for colour, mark in _COLOUR_MARKS.items()}

_TILE = re.compile(r"([A-Z]|\([^()\s@]+\))([osdc48])([+/]?)")
_CELL = re.compile(r"(-?[0-9]{1,4000}),(-?[0-9]{1,4000})")
_EMPTY_MOVE = "-"
_EMPTY_CELL = "."


class NotationError(ValueError):
    """Text that is not in the notation."""


def format_tile(tile: Tile) -> str:
    """A tile as text."""
    colour = _COLOUR_MARKS.get(tile.colour) or f"({tile.colour})"
    return colour + _SHAPE_MARKS[tile.shape] + _BACKGROUND_MARKS[tile.background]


def parse_tile(text: str) -> Tile:
    """A tile from text.

    Raises:
        NotationError: The text is not a tile.
    """
    match = _TILE.fullmatch(text)
    if not match or (len(match[1]) == 1 and match[1] not in _COLOURS):
        raise NotationError(f"{text!r} is not a tile")
    mark, shape, background = match.groups()
    colour = _COLOURS.get(mark) or mark[1:-1]
    return Tile(_SHAPES[shape], colour, _BACKGROUNDS[background])


def format_move(placed: Iterable[tuple[Cell, Tile]]) -> str:
    """Tiles with their cells as text."""
    return " ".join(f"{format_tile(tile)}@{x},{y}" for (x, y), tile in placed) or _EMPTY_MOVE


def parse_move(text: str) -> tuple[Placed, ...]:
    """Tiles with their cells from text.

    Raises:
        NotationError: The text is not a move.
    """
    if text.strip() == _EMPTY_MOVE:
        return ()
    return tuple(_parse_placed(word) for word in text.split())


def format_table(table: Table) -> str:
    """A table as lines of text, without a line end after the last."""
    if not table:
        return "@0,0"
    xs, ys = [x for x, _ in table], [y for _, y in table]
    rows = [
        [_format_cell(table, (x, y)) for x in range(min(xs), max(xs) + 1)]
        for y in range(min(ys), max(ys) + 1)
    ]
    width = max(len(word) for row in rows for word in row)
    lines = [" ".join(word.ljust(width) for word in row).rstrip() for row in rows]
    return "\n".join([f"@{min(xs)},{min(ys)}", *lines])


def parse_table(text: str) -> dict[Cell, Tile]:
    """A table from lines of text.

    Raises:
        NotationError: The text is not a table.
    """
    first, *rows = text.strip().splitlines() or [""]
    if not first.startswith("@"):
        raise NotationError(f"a table begins with the cell of its corner, not with {first!r}")
    left, top = _parse_cell(first.strip()[1:])
    return {
        (left + dx, top + dy): parse_tile(word)
        for dy, row in enumerate(rows)
        for dx, word in enumerate(row.split())
        if word != _EMPTY_CELL
    }


def _format_cell(table: Table, cell: Cell) -> str:
    return format_tile(table[cell]) if cell in table else _EMPTY_CELL


def _parse_placed(word: str) -> Placed:
    tile, at, cell = word.partition("@")
    if not at:
        raise NotationError(f"{word!r} does not say on which cell the tile lies")
    return Placed(_parse_cell(cell), parse_tile(tile))


def _parse_cell(text: str) -> Cell:
    match = _CELL.fullmatch(text)
    if not match:
        raise NotationError(f"{text!r} is not a cell")
    return (int(match[1]), int(match[2]))
