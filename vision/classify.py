"""Naming tiles: shape, colour and background of upright patches, with probabilities."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import cv2
import numpy as np
import numpy.typing as npt

from scorer.tiles import BACKGROUNDS, COLOURS, SHAPES
from vision.model import Model
from vision.own_set import OwnSet
from vision.softmax import softmax

Array = npt.NDArray[Any]

_SHAPE = slice(0, len(SHAPES) + 1)
_BACKGROUND = slice(_SHAPE.stop, _SHAPE.stop + len(BACKGROUNDS))
_CORNERS = slice(_BACKGROUND.stop, _BACKGROUND.stop + 8)
_FEATURES = slice(_CORNERS.stop, None)

SQUARE = np.array([[-0.5, -0.5], [0.5, -0.5], [0.5, 0.5], [-0.5, 0.5]], np.float32)


@dataclass(frozen=True, slots=True)
class Named:
    """Answers for N patches.

    `tile_p` (N,) is the probability that there is a tile of this box at all, `shape_p` (N, 6),
    `colour_p` (N, 7) and `background_p` (N, 3) each sum to 1; `corners` (N, 4, 2) of the top face
    are in tile edges from the patch's middle; `features` (N, F) are what colours are judged by.
    """

    tile_p: Array
    shape_p: Array
    colour_p: Array
    background_p: Array
    corners: Array
    features: Array

    @property
    def confidence(self) -> Array:
        """(N,) the probability that there is a tile and its likeliest label is right."""
        best = self.shape_p.max(1) * self.colour_p.max(1) * self.background_p.max(1)
        return np.asarray(self.tile_p * best)


@dataclass(frozen=True, slots=True)
class Allowed:
    """Which colours and backgrounds the box holds, as masks over `COLOURS` and `BACKGROUNDS`."""

    colours: Array
    backgrounds: Array

    @classmethod
    def by(cls, rules: str | None, colours: Sequence[str] | None) -> Allowed:
        """What the box of an edition holds; without rules and colours, everything."""
        white_symbols = rules not in ("flex", "flex72")
        shown = [
            name in colours if colours else name != "white" or white_symbols for name in COLOURS
        ]
        lies = {"classic": ("black",), "flex72": ("black", "white")}.get(rules or "", BACKGROUNDS)
        return cls(np.array(shown), np.array([name in lies for name in BACKGROUNDS]))


class Namer:
    """Runs the namer network and judges colours in the context of the frame."""

    def __init__(self, model: Model, own_set: OwnSet | None = None) -> None:
        self._own_set = own_set
        self._spread = model.colour_spread
        self._net = cv2.dnn.readNetFromONNX(np.frombuffer(model.namer_onnx, np.uint8))
        self._context = model.context
        self._temperature = model.temperature

    def name(self, patches_bgr: Array, allowed: Allowed, beside: Array) -> Named:
        """Name patches (N, 48, 48, 3) that were cut from one frame.

        `beside` (M, F) are the features of tiles in the frame that are known already.
        """
        answer = self._run(patches_bgr)
        shape_t, colour_t, background_t = self._temperature
        shape = softmax(answer[:, _SHAPE] / shape_t)
        grounds = softmax(answer[:, _BACKGROUND] / background_t)
        is_any = np.maximum(1 - shape[:, -1], 1e-9)
        tile_p = is_any * grounds[:, allowed.backgrounds].sum(1)
        general = shape[:, :-1] / is_any[:, None]
        features = answer[:, _FEATURES]
        colours = self._colours(features, tile_p, beside) / colour_t
        return Named(
            tile_p=tile_p,
            shape_p=self._own_set.shape_p(general) if self._own_set else general,
            colour_p=softmax(np.where(allowed.colours, colours, -1e9)),
            background_p=_renormalised(grounds * allowed.backgrounds),
            corners=answer[:, _CORNERS].reshape(-1, 4, 2) + SQUARE,
            features=features,
        )

    def _run(self, patches_bgr: Array) -> Array:
        if not len(patches_bgr):
            return np.zeros((0, _FEATURES.start + self._context["own_weight"].shape[1]), np.float32)
        blob = np.ascontiguousarray(patches_bgr.transpose(0, 3, 1, 2), np.float32) / 255
        self._net.setInput(blob)
        return np.asarray(self._net.forward())

    def _colours(self, features: Array, tile_p: Array, beside: Array) -> Array:
        """Logits (N, 7) of the colours; patches that are no tile do not count as context."""
        own = _rectified(self._layer(features, "own"))
        counted = features[tile_p > 0.5] if (tile_p > 0.5).any() else features
        every = np.concatenate([counted, beside.reshape(-1, features.shape[1])])
        shared = _rectified(self._layer(every, "shared"))
        if not len(shared):
            return np.zeros((len(features), len(COLOURS)), np.float32)
        rows = np.ones((len(features), 1), np.float32)
        both = [own, rows * shared.mean(0), rows * shared.max(0)]
        mixed = _rectified(self._layer(np.concatenate(both, 1), "mixed"))
        base = self._layer(mixed, "out")
        return self._own_set.logits(features, base, self._spread) if self._own_set else base

    def _layer(self, values: Array, name: str) -> Array:
        weight, bias = self._context[f"{name}_weight"], self._context[f"{name}_bias"]
        return np.asarray(values @ weight.T + bias)


def _renormalised(chances: Array) -> Array:
    return np.asarray(chances / np.maximum(chances.sum(1, keepdims=True), 1e-12))


def _rectified(values: Array) -> Array:
    return np.maximum(values, 0)
