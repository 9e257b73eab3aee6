"""What is known about the label of one tile, from one look or several."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import lru_cache

import numpy as np
import numpy.typing as npt

from scorer.tiles import BACKGROUNDS, COLOURS, SHAPES, Cell, Table, Tile
from scorer.tilesets import TileSet
from vision.reading import SeenTile

FLOOR = 0.001
"""Least probability given to a shape, colour or background: a network that is sure is still wrong
about once in a thousand tiles."""
LEAST_ABSENT = 0.0002
"""Share of the surest finds that are no tiles all the same."""
MOST_LOOKS = 1.25
"""How much several looks count for. They even out noise, but share light, glare and focus: under
a warm cast a red read as orange with 0.95 is so read in every look, and must stay in doubt."""

Logs = npt.NDArray[np.float64]
Label = tuple[int, int, int]
"""Indices into `SHAPES`, `COLOURS` and `BACKGROUNDS`."""


@dataclass(frozen=True, slots=True)
class Evidence:
    """Sums of log-probabilities over looks: shape (6,), colour (7,), background (3,).

    `presence` is the sum of the logs of the probability that it is a tile at all, `absence` that
    it is none.
    """

    shape: Logs
    colour: Logs
    background: Logs
    presence: float
    absence: float
    looks: int = 1

    @property
    def weight(self) -> float:
        """How much the sums count for: several looks are less than several witnesses."""
        return min(self.looks, MOST_LOOKS) / self.looks

    def and_also(self, other: Evidence) -> Evidence:
        """Both together."""
        return Evidence(
            self.shape + other.shape,
            self.colour + other.colour,
            self.background + other.background,
            self.presence + other.presence,
            self.absence + other.absence,
            self.looks + other.looks,
        )


Floors = tuple[float, float, float]
"""Least probability given to each shape, colour and background."""
USUAL: Floors = (FLOOR, FLOOR, FLOOR)


def floors_of(seen: Mapping[Cell, SeenTile], board: Table) -> Floors:
    """How far one look can be trusted, going by the tiles in it that are known.

    Where known tiles are misread, in poor light for example, new ones are as likely to be.
    """
    both = [(tile.tile, board[cell]) for cell, tile in seen.items() if cell in board]
    if not both:
        return USUAL
    shares = []
    for part, count in enumerate((len(SHAPES), len(COLOURS), len(BACKGROUNDS))):
        errors = sum(read[part] != known[part] for read, known in both)
        shares.append(errors / (len(both) + 2) / count)
    return (max(FLOOR, shares[0]), max(FLOOR, shares[1]), max(FLOOR, shares[2]))


def _logs(probabilities: npt.NDArray[np.float32], floor: float) -> Logs:
    clean = np.nan_to_num(np.asarray(probabilities, np.float64), nan=0.0)
    total = clean.sum()
    share = clean / total if total > 0 else np.full(len(clean), 1 / len(clean))
    return np.asarray(np.log(share * (1 - floor * len(share)) + floor), np.float64)


def tile_p(seen: SeenTile) -> float:
    """The probability that it is a tile at all, which is a factor of the confidence."""
    label = float(seen.shape_p.max() * seen.colour_p.max() * seen.background_p.max())
    return min(1.0, max(0.0, seen.confidence / max(label, 1e-6)))


def evidence_of(seen: SeenTile, floors: Floors = USUAL) -> Evidence:
    """The evidence of one look."""
    absent = LEAST_ABSENT + 0.9 * (1 - tile_p(seen))
    return Evidence(
        _logs(seen.shape_p, floors[0]),
        _logs(seen.colour_p, floors[1]),
        _logs(seen.background_p, floors[2]),
        float(np.log1p(-absent)),
        float(np.log(absent)),
    )


def certain(tile: Tile) -> Evidence:
    """The evidence of a person who says what it is."""
    words = ((SHAPES, tile.shape), (COLOURS, tile.colour), (BACKGROUNDS, tile.background))
    parts = [np.where(np.array(names) == word, 0.0, -50.0) for names, word in words]
    return Evidence(parts[0], parts[1], parts[2], 0.0, -50.0)


@dataclass(frozen=True, slots=True)
class Box:
    """The tiles that exist, as arrays for scoring: `tiles[k]` has the indices `index[k]`."""

    tiles: tuple[Tile, ...]
    copies: dict[Tile, int]
    index: npt.NDArray[np.intp]


@lru_cache(maxsize=16)
def box_of(tileset: TileSet) -> Box:
    """The contents of a tile set; colours with a family's own names are left out."""
    copies = {tile: n for tile, n in tileset.tiles().items() if tile.colour in COLOURS}
    tiles = tuple(sorted(copies))
    rows = [
        (SHAPES.index(t.shape), COLOURS.index(t.colour), BACKGROUNDS.index(t.background))
        for t in tiles
    ]
    return Box(tiles, copies, np.array(rows, np.intp).reshape(-1, 3))


def label_logs(evidence: Evidence, box: Box) -> Logs:
    """Log-probability of each tile of the box, in the order of `box.tiles`; they sum to 1."""
    sums = (
        evidence.shape[box.index[:, 0]]
        + evidence.colour[box.index[:, 1]]
        + evidence.background[box.index[:, 2]]
    ) * evidence.weight
    return np.asarray(sums - np.logaddexp.reduce(sums), np.float64)


def ranked(evidence: Evidence, box: Box, most: int, within: float) -> list[tuple[Tile, float]]:
    """The likeliest tiles with their log-probabilities, best first, down to `within` below it."""
    logs = label_logs(evidence, box)
    order = np.argsort(-logs, kind="stable")[:most]
    best = logs[order[0]]
    return [(box.tiles[k], float(logs[k])) for k in order if logs[k] >= best - within]


def presence_logs(evidence: Evidence) -> tuple[float, float]:
    """Log-probabilities that a tile lies there and that none does."""
    there, gone = evidence.presence * evidence.weight, evidence.absence * evidence.weight
    total = float(np.logaddexp(there, gone))
    return there - total, gone - total
