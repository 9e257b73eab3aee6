"""Finding tiles: where they lie in a frame, how large and how turned."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import cv2
import numpy as np
import numpy.typing as npt

Array = npt.NDArray[Any]

STRIDE = 8
EDGE_UNIT_PX = 24.0
"""The finder tells edges as the logarithm of their ratio to this."""

DOUBTFUL = 0.12
"""Below this score there is no tile; between this and `SURE` one needs the layout's support."""

SURE = 0.45


@dataclass(frozen=True, slots=True)
class Found:
    """Tiles found in a frame, in its pixels, best first.

    `centres_px` (N, 2), `edges_px` (N,) the mean edge, `turns` (N,) radians within ±π/4,
    `scores` (N,) from 0 to 1.
    """

    centres_px: Array
    edges_px: Array
    turns: Array
    scores: Array

    def __len__(self) -> int:
        return len(self.scores)

    def where(self, chosen: Array) -> Found:
        """The chosen ones, by index or mask."""
        return Found(
            self.centres_px[chosen], self.edges_px[chosen], self.turns[chosen], self.scores[chosen]
        )

    def moved(self, scale: float, shift_xy: tuple[float, float] = (0.0, 0.0)) -> Found:
        """The same tiles in the pixels of a picture that is `scale` times as large."""
        centres = (self.centres_px + 0.5) * scale - 0.5 + np.array(shift_xy)
        return Found(centres, self.edges_px * scale, self.turns, self.scores)


class Finder:
    """Runs the finder network on a picture."""

    def __init__(self, onnx: bytes) -> None:
        self._net = cv2.dnn.readNetFromONNX(np.frombuffer(onnx, np.uint8))

    def find(self, picture_bgr: Array) -> Found:
        """All places that may be tiles; a picture smaller than one stride has none."""
        height, width = picture_bgr.shape[:2]
        padded = _to_whole_strides(picture_bgr)
        blob = cv2.dnn.blobFromImage(padded, 1 / 255.0)
        self._net.setInput(blob)
        answer = np.asarray(self._net.forward())[0]
        found = _peaks(answer)
        inside = (found.centres_px < np.array([width, height])).all(1)
        return found.where(np.asarray(inside))


def _to_whole_strides(picture: Array) -> Array:
    height, width = picture.shape[:2]
    down, right = -height % STRIDE, -width % STRIDE
    if not down and not right:
        return picture
    return cv2.copyMakeBorder(picture, 0, down, 0, right, cv2.BORDER_REPLICATE)


def _peaks(answer: Array) -> Found:
    """Candidates above the threshold, with those of one tile merged into one."""
    scores = 1 / (1 + np.exp(-answer[0]))
    rows, columns = np.nonzero(scores > DOUBTFUL)
    score = scores[rows, columns]
    order = np.argsort(-score)
    rows, columns, score = rows[order], columns[order], score[order]
    _, dx, dy, log_edge, cos, sin = answer[:, rows, columns]
    centres = np.stack([columns + 0.5 + dx, rows + 0.5 + dy], 1) * STRIDE - 0.5
    edges = np.exp(np.clip(log_edge, -2.0, 2.5)) * EDGE_UNIT_PX
    turns = np.arctan2(sin, cos) / 4
    return _merged(Found(centres, edges, turns, score))


def _merged(found: Found) -> Found:
    """Keep the best candidate of each tile, placed at the weighted mean of its votes."""
    free = np.ones(len(found), bool)
    kept, centres, edges = [], [], []
    for index in range(len(found)):
        if not free[index]:
            continue
        away = np.linalg.norm(found.centres_px - found.centres_px[index], axis=1)
        same = free & (away < 0.55 * found.edges_px[index])
        free &= ~same
        weight = found.scores[same]
        centres.append(weight @ found.centres_px[same] / weight.sum())
        edges.append(weight @ found.edges_px[same] / weight.sum())
        kept.append(index)
    picked = found.where(np.array(kept, int))
    if not kept:
        return picked
    return Found(np.array(centres), np.array(edges), picked.turns, picked.scores)
