"""From one frame to a reading: find tiles, lay the grid through them, name them."""

from __future__ import annotations

import time
from collections.abc import Sequence
from functools import cached_property
from typing import Any

import numpy as np
import numpy.typing as npt

from vision import lattice
from vision.changes import Box, changed_boxes, thumbnail
from vision.classify import Allowed, Namer
from vision.find import SURE, Finder, Found
from vision.lattice import Lattice
from vision.model import Model, load
from vision.own_set import OwnSet
from vision.patches import cut
from vision.pyramid import Pyramid
from vision.reading import Reading, SeenTile
from vision.seen import IS_TILE, Seen, placed

Array = npt.NDArray[Any]

WORK_PX = 576
"""The finder sees a copy of the frame whose longer side is about this."""

EDGE_RANGE_PX = (15.0, 50.0)
"""Tile edges that the finder is at home with; outside, it looks again at another scale."""

BEST_EDGE_PX = 26.0
SMALLEST_WORK_PX = 64
PATCH_EDGE_PX = 62.0
"""Patches are cut from a halved frame until a tile is smaller than this, or they would alias."""

SECOND_GLANCE = 0.9
"""A sure find named with less confidence than this is looked at once more, better centred.

A tenth of a tile off, a white square on black passes for a hole: 0.02 before, 0.99 after.
"""

SMALLEST_PX = 16


class Reader:
    """Reads frames of one edition with one model; not to be shared between threads."""

    def __init__(
        self,
        rules: str | None = None,
        colours: Sequence[str] | None = None,
        model: Model | None = None,
        own_set: OwnSet | None = None,
    ) -> None:
        self._allowed = Allowed.by(rules, colours)
        self._model = model or load()
        self._own_set = own_set

    @cached_property
    def _finder(self) -> Finder:
        return Finder(self._model.finder_onnx)

    @cached_property
    def _namer(self) -> Namer:
        return Namer(self._model, self._own_set)

    def read(self, frame_bgr: Array, known: Reading | None = None) -> Reading:
        """All tiles in a frame; an empty reading where there are none.

        With the reading of the look before, only what changed since is looked at again.
        """
        started = time.perf_counter()
        pyramid = Pyramid(frame_bgr)
        if min(pyramid.size_wh) < SMALLEST_PX:
            return Reading((), pyramid.size_wh)
        small = thumbnail(frame_bgr)
        tiles = self._again(pyramid, small, known) if known else None
        if tiles is None:
            tiles = self._afresh(pyramid)
        spent = (time.perf_counter() - started) * 1000
        return Reading(tuple(tiles), pyramid.size_wh, spent, small)

    def _afresh(self, pyramid: Pyramid) -> list[SeenTile]:
        seen = self._name(pyramid, self._find(pyramid), [])
        return seen.where(seen.credible).tiles(pyramid.middle_px)

    def _again(self, pyramid: Pyramid, small: Array, known: Reading) -> list[SeenTile] | None:
        """The known tiles where nothing changed and fresh ones elsewhere; None to read it all."""
        if known.thumbnail is None or not known.tiles or known.size_wh != pyramid.size_wh:
            return None
        boxes = changed_boxes(known.thumbnail, small, pyramid.size_wh)
        if boxes is None:
            return None
        edge = float(np.median([tile.edge_px for tile in known.tiles]))
        boxes = [_grown(box, edge * 0.7, pyramid.size_wh) for box in boxes]
        kept = [tile for tile in known.tiles if not any(_touches(tile, box) for box in boxes)]
        scale = min(1.0, BEST_EDGE_PX / edge)
        found = [self._find_in(pyramid, scale, _grown(b, edge, pyramid.size_wh)) for b in boxes]
        fresh = _joined(found, kept, edge)
        seen = self._name(pyramid, fresh, kept)
        new = seen.where(seen.named.tile_p > IS_TILE).tiles(pyramid.middle_px)
        return placed(kept + new, pyramid.middle_px)

    def _find(self, pyramid: Pyramid) -> Found:
        """Tiles in the frame's pixels, looked for at the scale that suits them."""
        longest = max(pyramid.size_wh)
        scale = min(1.0, WORK_PX / longest)
        found = self._find_in(pyramid, scale)
        for _ in range(2):
            better = _better_scale(found, scale)
            if abs(np.log(better / scale)) < 0.2 or better * longest < SMALLEST_WORK_PX:
                return found
            scale, found = better, self._find_in(pyramid, better)
        return found

    def _find_in(self, pyramid: Pyramid, scale: float, box: Box | None = None) -> Found:
        picture = pyramid.scaled(scale)
        grown = pyramid.size_wh[0] / picture.shape[1]
        if box is None:
            return self._finder.find(picture).moved(grown)
        x0, y0, x1, y1 = (int(value / grown) for value in box)
        part = self._finder.find(picture[y0 : y1 + 1, x0 : x1 + 1])
        return part.moved(grown, (x0 * grown, y0 * grown))

    def _name(self, pyramid: Pyramid, found: Found, beside: Sequence[SeenTile]) -> Seen:
        grid = lattice.build(found, pyramid.middle_px)
        context = np.array([tile.features for tile in beside], np.float32)
        patches = _patches(pyramid, found.centres_px, grid)
        seen = Seen(found, grid, self._namer.name(patches, self._allowed, context))
        return self._with_second_glance(pyramid, seen, context)

    def _with_second_glance(self, pyramid: Pyramid, seen: Seen, context: Array) -> Seen:
        """Name doubtful tiles again, put upright by the corners that the first glance saw."""
        doubtful = (seen.named.confidence < SECOND_GLANCE) & (seen.found.scores > SURE)
        if not doubtful.any():
            return seen
        part = seen.where(doubtful)
        centres = part.corners_px.mean(1)
        others = seen.named.features[~doubtful & (seen.named.tile_p > IS_TILE)]
        near = np.concatenate([others, context.reshape(-1, seen.named.features.shape[1])])
        patches = _patches(pyramid, centres, part.grid)
        again = self._namer.name(patches, self._allowed, near)
        return seen.replaced(doubtful, centres, again)


def _patches(pyramid: Pyramid, centres_px: Array, grid: Lattice) -> Array:
    """Upright patches, cut from the half of the frame that suits the tiles' size."""
    edge = float(np.median(np.linalg.norm(grid.u_px, axis=1))) if len(centres_px) else 1.0
    halvings = max(0, int(np.ceil(np.log2(edge / PATCH_EDGE_PX))))
    scale = 0.5**halvings
    centres = (centres_px + 0.5) * scale - 0.5
    return cut(pyramid.level(halvings), centres, grid.u_px * scale, grid.v_px * scale)


def _better_scale(found: Found, scale: float) -> float:
    """The scale at which tiles have the size that the finder is at home with."""
    sure = found.edges_px[found.scores > SURE]
    if not len(sure):
        return scale / 2.5
    edge = float(np.median(sure)) * scale
    if EDGE_RANGE_PX[0] <= edge <= EDGE_RANGE_PX[1]:
        return scale
    return min(scale * BEST_EDGE_PX / edge, 2.0)


def _grown(box: Box, margin: float, size_wh: tuple[int, int]) -> Box:
    x0, y0, x1, y1 = box
    return (
        max(0, int(x0 - margin)),
        max(0, int(y0 - margin)),
        min(size_wh[0], int(x1 + margin)),
        min(size_wh[1], int(y1 + margin)),
    )


def _touches(tile: SeenTile, box: Box) -> bool:
    x, y = tile.corners_px.mean(0)
    return bool(box[0] <= x < box[2] and box[1] <= y < box[3])


def _joined(parts: list[Found], kept: list[SeenTile], edge: float) -> Found:
    """All finds of several boxes, without those that are a kept tile or found twice."""
    centres = [tile.corners_px.mean(0) for tile in kept]
    chosen: list[tuple[Found, int]] = []
    for part in parts:
        for k in range(len(part)):
            centre = part.centres_px[k]
            if part.scores[k] > SURE and all(
                np.linalg.norm(centre - other) > 0.5 * edge for other in centres
            ):
                centres.append(centre)
                chosen.append((part, k))
    return Found(
        np.array([part.centres_px[k] for part, k in chosen]).reshape(-1, 2),
        np.array([part.edges_px[k] for part, k in chosen]),
        np.array([part.turns[k] for part, k in chosen]),
        np.array([part.scores[k] for part, k in chosen]),
    )
