"""A family's own shapes: what the general judgement makes of each symbol of their set.

Another edition's star may look half like a square to a network that never saw it, but it does so
each time. So the judgement is kept, and its log-probabilities are mapped to what they mean for
this set. Whether there is a tile at all stays the general judgement's business.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
import numpy.typing as npt

from scorer.tiles import SHAPES
from vision.softmax import softmax

Array = npt.NDArray[Any]

ORDINARY = np.eye(len(SHAPES), dtype=np.float32)
"""The map of a set whose shapes are what they seem."""

PULL = 0.5
"""How strongly the map is held to the ordinary one. Of 1457 drawn tiles of odd sets, 136 were
wrong without own shapes, 18 with a pull of 3, 9 with 0.5, 6 with 0.05; of 2072 of ordinary sets,
none with any of them."""

STEPS = 400
LEAST_P = 1e-9


def judged(shape_p: Array, meaning: Array) -> Array:
    """Shape probabilities (N, 6) as they are meant in this set."""
    return softmax(_logs(shape_p) @ meaning)


def learn_shapes(shape_p: Array, shapes: Sequence[str]) -> Array:
    """The map (6, 6) under which tiles judged (N, 6) have the shapes that they are known to have.

    Logistic regression that starts from the ordinary map and is held to it: tiles that are judged
    right leave it as it is. Accelerated descent, in steps that cannot overshoot.
    """
    logs, wanted = _logs(shape_p), ORDINARY[[SHAPES.index(shape) for shape in shapes]]
    steepest = 0.5 * np.linalg.norm(logs, 2) ** 2 / max(1, len(logs)) + PULL
    bend = ahead = np.zeros_like(ORDINARY, np.float64)
    for step in range(STEPS if len(logs) else 0):
        missing = softmax(logs + logs @ ahead) - wanted
        before, bend = bend, ahead - (logs.T @ missing / len(logs) + PULL * ahead) / steepest
        ahead = bend + step / (step + 3) * (bend - before)
    return np.asarray(ORDINARY + bend, np.float32)


def _logs(chances: Array) -> Array:
    return np.log(np.maximum(chances, LEAST_P))
