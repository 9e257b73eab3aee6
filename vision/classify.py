"""Naming tiles: shape, colour and background of upright patches, with probabilities."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import cv2
import numpy as np
import numpy.typing as npt

from scorer.tiles import BACKGROUNDS, COLOURS, SHAPES
from vision.model import Model

Array = npt.NDArray[Any]

_SHAPE = slice(0, len(SHAPES) + 1)
_BACKGROUND = slice(_SHAPE.stop, _SHAPE.stop + len(BACKGROUNDS))
_CORNERS = slice(_BACKGROUND.stop, _BACKGROUND.stop + 8)
_FEATURES = slice(_CORNERS.stop, None)

SQUARE = np.array([[-0.5, -0.5], [0.5, -0.5], [0.5, 0.5], [-0.5, 0.5]], np.float32)


@dataclass(frozen=True, slots=True)
class Named:
    """Answers for N patches.

    `tile_p` (N,) is the probability that there is a tile at all, `shape_p` (N, 6), `colour_p`
    (N, 7) and `background_p` (N, 3) each sum to 1; `corners` (N, 4, 2) of the top face are in
    tile edges from the patch's middle; `features` (N, F) are what the colours were judged by.
    """

    tile_p: Array
    shape_p: Array
    colour_p: Array
    background_p: Array
    corners: Array
    features: Array


@dataclass(frozen=True, slots=True)
class Allowed:
    """Which colours and backgrounds the box holds, as masks over `COLOURS` and `BACKGROUNDS`."""

    colours: Array
    backgrounds: Array

    @classmethod
    def everything(cls) -> Allowed:
        """Any colour on any background."""
        return cls(np.ones(len(COLOURS), bool), np.ones(len(BACKGROUNDS), bool))


class Namer:
    """Runs the namer network and judges colours in the context of the frame."""

    def __init__(self, model: Model) -> None:
        self._net = cv2.dnn.readNetFromONNX(np.frombuffer(model.namer_onnx, np.uint8))
        self._context = model.context
        self._temperature = model.temperature

    def name(self, patches_bgr: Array, allowed: Allowed) -> Named:
        """Name patches (N, 48, 48, 3) that were cut from one frame."""
        answer = self._run(patches_bgr)
        shape_t, colour_t, background_t = self._temperature
        shape = softmax(answer[:, _SHAPE] / shape_t)
        tile_p = 1 - shape[:, -1]
        features = answer[:, _FEATURES]
        colours = self.colours(features, tile_p) / colour_t
        return Named(
            tile_p=tile_p,
            shape_p=shape[:, :-1] / np.maximum(tile_p, 1e-9)[:, None],
            colour_p=softmax(np.where(allowed.colours, colours, -1e9)),
            background_p=softmax(
                np.where(allowed.backgrounds, answer[:, _BACKGROUND] / background_t, -1e9)
            ),
            corners=answer[:, _CORNERS].reshape(-1, 4, 2) + SQUARE,
            features=features,
        )

    def _run(self, patches_bgr: Array) -> Array:
        blob = np.ascontiguousarray(patches_bgr.transpose(0, 3, 1, 2), np.float32) / 255
        self._net.setInput(blob)
        return np.asarray(self._net.forward())

    def colours(self, features: Array, tile_p: Array) -> Array:
        """Logits (N, 7) of the colours; patches that are no tile do not count as context."""
        own = _rectified(self._layer(features, "own"))
        shared = _rectified(self._layer(features, "shared"))
        counted = shared[tile_p > 0.5] if (tile_p > 0.5).any() else shared
        every = np.ones((len(features), 1), np.float32)
        both = [own, every * counted.mean(0), every * counted.max(0)]
        mixed = _rectified(self._layer(np.concatenate(both, 1), "mixed"))
        return self._layer(mixed, "out")

    def _layer(self, values: Array, name: str) -> Array:
        weight, bias = self._context[f"{name}_weight"], self._context[f"{name}_bias"]
        return np.asarray(values @ weight.T + bias)


def _rectified(values: Array) -> Array:
    return np.maximum(values, 0)


def softmax(logits: Array) -> Array:
    """Probabilities along the last axis."""
    powers = np.exp(logits - logits.max(-1, keepdims=True))
    return np.asarray(powers / powers.sum(-1, keepdims=True))
