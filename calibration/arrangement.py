"""Which tiles a family lays out to be learned, and how a photo of them is matched."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from scorer.tiles import BACKGROUNDS, COLOURS, SHAPES, Cell, Tile
from vision.reading import SeenTile

Array = npt.NDArray[Any]

QUARTERS = ((1, 0, 0, 1), (0, -1, 1, 0), (-1, 0, 0, -1), (0, 1, -1, 0))
"""Turns of the cells by 0°, 90°, 180° and 270°: the camera may look from any side."""

_GROUNDS = {
    "classic": ("black",),
    "flex72": ("black", "white"),
    "flex": ("black", "white", "split"),
}

LEAST_P = 0.01
"""No single tile counts for less than this chance, or one odd tile would spoil the match."""

COLOUR_WEIGHT = 0.3
"""Colours count less for the match than shapes: it is the colours that a cast confuses."""


def suggested(rules: str, colours: Sequence[str] | None = None) -> dict[Cell, Tile]:
    """Twelve tiles in two rows of six: every colour and every shape twice, never the same tile.

    Every background of the edition occurs with several colours. No quarter turn of the two rows
    looks like another, so that it does not matter from which side the camera sees them.
    """
    inks = [colour for colour in COLOURS if colour in colours] if colours else list(COLOURS[:6])
    grounds = _GROUNDS.get(rules, BACKGROUNDS)
    rows = {}
    for row in range(2):
        for column, colour in enumerate(inks):
            shape = SHAPES[(column + 3 * row) % len(SHAPES)]
            rows[column, row] = Tile(shape, colour, grounds[(column + row) % len(grounds)])
    return rows


@dataclass(frozen=True, slots=True)
class Match:
    """Which seen tile is which expected one; `score` is 1 when all agree without doubt."""

    pairs: tuple[tuple[SeenTile, Tile], ...]
    missing: tuple[Tile, ...]
    score: float

    @property
    def shapes_right(self) -> int:
        """How many tiles show the expected shape and background."""
        return sum(
            (seen.tile.shape, seen.tile.background) == (tile.shape, tile.background)
            for seen, tile in self.pairs
        )

    @property
    def as_shown(self) -> int:
        """How many tiles agree in at least two of shape, colour and background.

        A cast confuses colours, and another edition's artwork shapes, but hardly both at once.
        """
        return sum(
            sum(was == is_ for was, is_ in zip(seen.tile, tile, strict=True)) >= 2
            for seen, tile in self.pairs
        )

    @property
    def colours_right(self) -> int:
        """How many tiles were read with the expected colour."""
        return sum(seen.tile.colour == tile.colour for seen, tile in self.pairs)


def match(seen: Sequence[SeenTile], expected: Mapping[Cell, Tile]) -> Match:
    """The quarter turn and shift under which the tiles that were seen agree best."""
    by_tile = {tile: _agreement(seen, tile) for tile in set(expected.values())}
    best: tuple[float, dict[int, Cell]] = (0.0, {})
    for quarter in QUARTERS:
        cells = [_turned(each.cell, quarter) for each in seen]
        for shift in _shifts(cells, expected):
            placed = _placed(cells, shift, expected)
            value = sum(by_tile[expected[cell]][index] for index, cell in placed.items())
            if value > best[0]:
                best = (value, placed)
    value, placed = best
    pairs = tuple((seen[index], expected[cell]) for index, cell in sorted(placed.items()))
    missing = tuple(tile for cell, tile in expected.items() if cell not in placed.values())
    return Match(pairs, missing, value / max(1, len(expected)))


def _turned(cell: Cell, quarter: tuple[int, int, int, int]) -> Cell:
    a, b, c, d = quarter
    return a * cell[0] + b * cell[1], c * cell[0] + d * cell[1]


def _shifts(cells: Sequence[Cell], expected: Mapping[Cell, Tile]) -> set[Cell]:
    return {(e[0] - c[0], e[1] - c[1]) for e in expected for c in cells}


def _placed(cells: Sequence[Cell], shift: Cell, expected: Mapping[Cell, Tile]) -> dict[int, Cell]:
    moved = [(x + shift[0], y + shift[1]) for x, y in cells]
    return {index: cell for index, cell in enumerate(moved) if cell in expected}


def _agreement(seen: Sequence[SeenTile], tile: Tile) -> list[float]:
    """How well each seen tile agrees with an expected one, from 0 to 1."""
    indices = (
        SHAPES.index(tile.shape),
        BACKGROUNDS.index(tile.background),
        COLOURS.index(tile.colour),
    )
    return [_share(each, *indices) for each in seen]


def _share(seen: SeenTile, shape: int, ground: int, colour: int) -> float:
    chances = np.array([seen.shape_p[shape], seen.background_p[ground], seen.colour_p[colour]])
    logs = np.log(np.maximum(chances, LEAST_P)) * [1.0, 1.0, COLOUR_WEIGHT]
    return float(1 + logs.sum() / (-np.log(LEAST_P) * (2 + COLOUR_WEIGHT)))
