"""Laying a reading over the known layout: which cell of the layout is each seen tile on?

A reading has its own origin and may be turned by quarter turns. Where the camera stands still the
places in the picture decide, after a push the labels do.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from scorer.tiles import BACKGROUNDS, COLOURS, SHAPES, Cell, Tile
from vision.reading import SeenTile

Quad = npt.NDArray[np.float32]
Points = npt.NDArray[np.float64]

AGREE = 3.6
"""What a seen tile with the label of the known one speaks for an overlay: about the log of the
36 faces, since a wrong overlay meets the right face once in 36 cells."""
DISAGREE = -3.0
MISSING = -0.7
"""What a known tile speaks against an overlay that shows no tile on its cell."""
NEW = -0.25
"""What each tile on an empty cell speaks against it."""
TURNED = -8.0
"""What a turn in the picture by more than 45 degrees speaks against it: nobody turns the table
between two looks, but somebody may turn the camera, and then three labels outvote this."""
PLACE = 2.5
"""What a tile that lies where it lay in the picture speaks for an overlay, at most."""
PLACE_TILES = 0.45
"""Distance in tile edges at which a tile no longer counts as being where it was."""
MOST_TRIED = 40
"""Overlays that are scored in full; the right one has nearly all votes."""
LEAST_SCORE = 2.0
"""Score below which an overlay is no better than chance."""


@dataclass(frozen=True, slots=True)
class Overlay:
    """A way to lay a group of a reading over the layout: a turn, then a shift of cells."""

    quarter: int
    dx: int
    dy: int
    score: float

    def cell(self, seen: Cell) -> Cell:
        """The cell of the layout that a cell of the reading lies on."""
        x, y = turned(seen, self.quarter)
        return x + self.dx, y + self.dy


@dataclass(frozen=True, slots=True)
class KnownTile:
    """A tile of the layout and where its corners (4, 2) were last seen, if ever."""

    tile: Tile
    corners_px: Quad | None = None


def turned(cell: Cell, quarter: int) -> Cell:
    """A cell after quarter turns clockwise (x to the right, y downward)."""
    x, y = cell
    for _ in range(quarter % 4):
        x, y = -y, x
    return x, y


def label_p(seen: SeenTile, tile: Tile) -> float:
    """The probability that a seen tile shows this label."""
    if tile.colour not in COLOURS:
        return 0.01
    return float(
        seen.shape_p[SHAPES.index(tile.shape)]
        * seen.colour_p[COLOURS.index(tile.colour)]
        * seen.background_p[BACKGROUNDS.index(tile.background)]
    )


def overlays(group: Sequence[SeenTile], known: Mapping[Cell, KnownTile]) -> list[Overlay]:
    """The overlays that most tiles agree with, best first."""
    places = _Places(group, known)
    found = [Overlay(*turn, places.score(*turn)) for turn in places.candidates()]
    return sorted(found, key=lambda overlay: -overlay.score)


def best_overlay(
    group: Sequence[SeenTile], known: Mapping[Cell, KnownTile]
) -> tuple[Overlay | None, float]:
    """The best overlay and its lead over the second best; None where none is convincing."""
    found = overlays(group, known)
    if not found or found[0].score < LEAST_SCORE:
        return None, 0.0
    lead = found[0].score - found[1].score if len(found) > 1 else found[0].score
    return found[0], lead


class _Places:
    """Scores overlays of one group; everything that does not depend on the overlay is kept."""

    def __init__(self, group: Sequence[SeenTile], known: Mapping[Cell, KnownTile]) -> None:
        self._group = group
        self._known = known
        self._cells = {q: [turned(seen.cell, q) for seen in group] for q in range(4)}
        index = {cell: k for k, cell in enumerate(known)}
        self._index = index
        self._label = np.array([[_agreement(s, k.tile) for k in known.values()] for s in group])
        self._place = _place_scores(group, list(known.values()))
        self._turn = [_turn_score(group, list(known.values()), q) for q in range(4)]

    def _matches(self, quarter: int, dx: int, dy: int) -> list[tuple[int, int]]:
        cells = ((x + dx, y + dy) for x, y in self._cells[quarter])
        return [(s, self._index[c]) for s, c in enumerate(cells) if c in self._index]

    def candidates(self) -> list[tuple[int, int, int]]:
        """Turns and shifts that put agreeing tiles on each other, those with most votes."""
        votes: Counter[tuple[int, int, int]] = Counter()
        cells = list(self._known)
        for s, k in np.argwhere(self._label > 0):
            weight = self._label[s, k] + self._place[s, k]
            for quarter in range(4):
                x, y = self._cells[quarter][s]
                votes[quarter, cells[k][0] - x, cells[k][1] - y] += weight
        return [turn for turn, _ in votes.most_common(MOST_TRIED)]

    def score(self, quarter: int, dx: int, dy: int) -> float:
        """How much speaks for an overlay."""
        pairs = self._matches(quarter, dx, dy)
        agreed = sum(self._label[s, k] + self._place[s, k] for s, k in pairs)
        fresh = len(self._group) - len(pairs)
        missing = len(self._known) - len(pairs)
        return float(agreed + NEW * fresh + MISSING * missing + self._turn[quarter])


def _agreement(seen: SeenTile, tile: Tile) -> float:
    p = label_p(seen, tile)
    share = min(1.0, max(0.0, (math.log(p + 1e-6) + 7) / 6))
    return DISAGREE + (AGREE - DISAGREE) * share


def _place_scores(group: Sequence[SeenTile], known: Sequence[KnownTile]) -> Points:
    scores = np.zeros((len(group), len(known)))
    for k, each in enumerate(known):
        if each.corners_px is None:
            continue
        edge = edge_px(each.corners_px)
        for s, seen in enumerate(group):
            shift = float(np.linalg.norm(seen.corners_px.mean(0) - each.corners_px.mean(0)))
            scores[s, k] = PLACE * (1 - min(1.0, shift / (edge * PLACE_TILES)))
    return scores


def _turn_score(group: Sequence[SeenTile], known: Sequence[KnownTile], quarter: int) -> float:
    """Whether the layout's axes would point the same way in the picture as before."""
    old = [heading(each.corners_px) for each in known if each.corners_px is not None]
    if not old:
        return 0.0
    new = sum(heading(seen.corners_px) for seen in group) * np.exp(-0.5j * np.pi * quarter)
    angle = abs(float(np.angle(new / sum(old)))) if sum(old) != 0 and new != 0 else 0.0
    return TURNED if angle > np.pi / 4 else 0.0


def heading(corners_px: Quad) -> complex:
    """The direction of the layout's x axis in the picture, as a complex number of length 1."""
    ahead = (corners_px[1] - corners_px[0]) + (corners_px[2] - corners_px[3])
    length = float(np.hypot(*ahead))
    return complex(ahead[0], ahead[1]) / length if length else 0j


def edge_px(corners_px: Quad) -> float:
    """The mean edge of a tile in the picture."""
    return float(np.linalg.norm(corners_px - np.roll(corners_px, 1, 0), axis=1).mean())
