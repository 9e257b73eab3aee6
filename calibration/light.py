"""The colour cast of a light, estimated from tiles whose colours are known."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

import cv2
import numpy as np
import numpy.typing as npt

from scorer.tiles import COLOURS, Tile
from vision.balance import Gains, corrected
from vision.classify import Allowed, Namer
from vision.model import Model
from vision.patches import cut
from vision.reader import PATCH_EDGE_PX
from vision.reading import SeenTile

Array = npt.NDArray[Any]

STARTS = tuple(
    (float(np.exp(blue)), 1.0, float(np.exp(red)))
    for blue, red in (
        (0.0, 0.0),
        (0.5, -0.35),
        (-0.5, 0.35),
        (0.9, -0.35),
        (-0.5, 0.7),
        (0.5, 0.0),
        (0.0, 0.35),
        (0.0, -0.35),
        (-0.5, 0.0),
        (0.0, 0.7),
        (0.9, 0.0),
    )
)
"""Gains under which a first look is tried, from none over lamps to a blue window."""

FAR = 40.0
"""Half the squared distance (in spreads) beyond which one odd tile does not count for more."""

CAST_SPREAD = 0.7
"""How far blue and red may be from green: log of the gain, one standard deviation. Undoing the
very warm cast takes 0.7 of blue and 0.4 of red, the strongest one judged 1.1 and 0.8."""

BRIGHTNESS_SPREAD = 0.25
"""How far the mean of the log gains strays: brightness is the camera's business. Over 7 renders
and 4 casts, 0.12 left 16 of 2144 tiles unseen, 0.25 left 9, 0.5 left 15."""

FIRST_STEP, LAST_STEP = 0.24, 0.03
"""Steps of the search in log gain: from a quarter down to three per cent."""

SEARCHES = 2
"""The search starts from this many of the most likely guesses."""

_WAYS = np.array([[1, 0, 0], [0, 0, 1], [1, 1, 1], [1, 0, -1], [1, 0, 1]], float)


@dataclass(frozen=True, slots=True)
class Shown:
    """Tiles that were shown: raw patches (N, 48, 48, 3) BGR and what they truly are."""

    patches_bgr: npt.NDArray[np.uint8]
    tiles: tuple[Tile, ...]


def patches_of(frame_bgr: Array, seen: Sequence[SeenTile]) -> npt.NDArray[np.uint8]:
    """Upright patches (N, 48, 48, 3) of seen tiles, as the reader cuts them."""
    corners = np.stack([each.corners_px for each in seen]).astype(float)
    u = (corners[:, 1] - corners[:, 0] + corners[:, 2] - corners[:, 3]) / 2
    v = (corners[:, 3] - corners[:, 0] + corners[:, 2] - corners[:, 1]) / 2
    edge = float(np.median(np.linalg.norm(u, axis=1)))
    scale, picture = 1.0, np.asarray(frame_bgr, np.uint8)
    while edge * scale > PATCH_EDGE_PX:
        half = (max(1, picture.shape[1] // 2), max(1, picture.shape[0] // 2))
        picture = np.asarray(cv2.resize(picture, half, interpolation=cv2.INTER_AREA), np.uint8)
        scale /= 2
    return cut(picture, (corners.mean(1) + 0.5) * scale - 0.5, u * scale, v * scale)


class Cast:
    """How unlike the model's colours the shown tiles look under given gains."""

    def __init__(self, shown: Shown, allowed: Allowed, model: Model) -> None:
        self._shown = shown
        self._allowed = allowed
        self._namer = Namer(model)
        self._spread = model.colour_spread
        colours = [COLOURS.index(tile.colour) for tile in shown.tiles]
        self._means = model.colour_means[colours]
        self._known: dict[tuple[float, ...], float] = {}

    def features(self, gains: Gains) -> Array:
        """Colour features (N, F) of the shown tiles under these gains."""
        patches = corrected(self._shown.patches_bgr, gains)
        nothing = np.zeros((0, 0), np.float32)
        return self._namer.name(patches, self._allowed, nothing).features

    def cost(self, logs: Array) -> float:
        """Mean distance of the tiles from their colours, and how unusual the gains (3,) are."""
        key = tuple(np.round(logs, 3).tolist())
        if key not in self._known:
            gap = self.features(_gains(logs)) - self._means
            far = 0.5 * np.einsum("nf,fg,ng->n", gap, self._spread, gap)
            self._known[key] = float(np.minimum(far, FAR).sum()) + _strangeness(logs)
        return self._known[key]


def _strangeness(logs: Array) -> float:
    cast = ((logs[[0, 2]] - logs[1]) ** 2).sum() / CAST_SPREAD**2
    return float(0.5 * (cast + (logs.mean() / BRIGHTNESS_SPREAD) ** 2))


def _gains(logs: Array) -> Gains:
    blue, green, red = np.exp(logs)
    return float(blue), float(green), float(red)


def estimate(cast: Cast, start: Gains) -> Gains:
    """The gains under which the shown tiles look most like their true colours.

    Searched from more than one guess at the light, since a search may end in a hollow: on a drawn
    table, one of five once ended 9 above the others' cost of 134, with red off by a quarter.
    """
    guesses = sorted((start, *STARTS), key=lambda gains: cast.cost(np.log(np.array(gains))))
    found = [_searched(cast, guess) for guess in guesses[:SEARCHES]]
    return _gains(min(found, key=cast.cost))


def _searched(cast: Cast, start: Gains) -> Array:
    """Log gains (3,) by pattern search: no gradient, about fifty looks at a dozen patches."""
    best = np.log(np.array(start))
    cost, step = cast.cost(best), FIRST_STEP
    while step > LAST_STEP:
        better = next((way for way in _around(best, step) if cast.cost(way) < cost - 1e-6), None)
        if better is None:
            step /= 2
        else:
            best, cost = better, cast.cost(better)
    return np.asarray(best)


def _around(logs: Array, step: float) -> Iterator[Array]:
    for way in _WAYS:
        yield logs + step * way
        yield logs - step * way


def in_words(gains: Gains) -> str:
    """What the light is like, from the gains that undo it."""
    warmth = float(np.log(gains[0] / gains[2]))
    name = "warm" if warmth > 0 else "cool"
    if abs(warmth) < 0.15:
        return "The light is neutral."
    if abs(warmth) < 0.5:
        return f"The light is a little {name}."
    return f"The light is {name}." if abs(warmth) < 0.9 else f"The light is very {name}."
