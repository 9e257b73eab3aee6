"""How well a photo of known tiles is read, and what was gained, in words."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from calibration.arrangement import Match
from calibration.findings import Finding, Level
from calibration.light import in_words
from scorer.tiles import COLOURS
from vision.balance import Gains

LEAST_SHARE = 0.6
"""Of the tiles laid out, this share must be seen as they are, or it is no good photo."""


@dataclass(frozen=True, slots=True)
class Figures:
    """How a photo of known tiles is read: of `tiles`, how many are found, right in colour, shape.

    `trust` is the mean probability given to the true colour; a tile not found counts as 0.
    """

    tiles: int
    found: int
    colours_right: int
    shapes_right: int
    trust: float

    @classmethod
    def of(cls, found: Match, count: int) -> Figures:
        """How well a matched photo of `count` tiles was read."""
        trust = [seen.colour_p[COLOURS.index(tile.colour)] for seen, tile in found.pairs]
        shapes = sum(seen.tile.shape == tile.shape for seen, tile in found.pairs)
        mean = float(np.sum(trust)) / max(1, count)
        return cls(count, len(found.pairs), found.colours_right, shapes, mean)

    def as_json(self) -> dict[str, float]:
        """The figures as plain values."""
        return {
            "tiles": self.tiles,
            "found": self.found,
            "colours_right": self.colours_right,
            "shapes_right": self.shapes_right,
            "trust": round(self.trust, 3),
        }

    @property
    def is_perfect(self) -> bool:
        """Whether every tile is right in colour and shape."""
        return self.colours_right == self.shapes_right == self.tiles

    def is_worse_than(self, other: Figures) -> bool:
        """Whether fewer colours or fewer shapes are right."""
        return self.colours_right < other.colours_right or self.shapes_right < other.shapes_right


def gain_in_words(gains: Gains, before: Figures, after: Figures) -> Finding:
    """What a photo taught: the light, and how much better its tiles are read."""
    values: dict[str, float | int | str] = {
        "count": before.tiles,
        "before": before.colours_right,
        "after": after.colours_right,
        "shapes_before": before.shapes_right,
        "shapes_after": after.shapes_right,
        "trust_before": round(before.trust, 3),
        "trust_after": round(after.trust, 3),
        "warmth": round(float(np.log(gains[0] / gains[2])), 2),
    }
    text = f"{in_words(gains)} {_gain(before, after)}"
    return Finding("tiles_learned", _level(after), text, values)


def _level(after: Figures) -> Level:
    if after.is_perfect:
        return "good"
    right = min(after.colours_right, after.shapes_right)
    return "hint" if right >= LEAST_SHARE * after.tiles else "problem"


def _gain(before: Figures, after: Figures) -> str:
    better = []
    for name, was, now in (
        ("colour", before.colours_right, after.colours_right),
        ("shape", before.shapes_right, after.shapes_right),
    ):
        if now > was:
            better.append(f"{was} had the right {name} before and {now} have it now")
    if better:
        return f"Of {before.tiles} tiles, {'; '.join(better)}."
    if not after.is_perfect:
        right = f"{after.colours_right} have the right colour and {after.shapes_right}"
        return f"Of {after.tiles} tiles, {right} the right shape, as before."
    if after.trust > before.trust + 0.01:
        surer = f"{before.trust:.0%} before, {after.trust:.0%} now"
        return f"All colours were right already; now they are surer: {surer}."
    return "The tiles were read well already; nothing is lost and the light is known now."
