"""From one frame to a reading: find tiles, lay the grid through them, name them."""

from __future__ import annotations

import time
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import cv2
import numpy as np
import numpy.typing as npt

from scorer.tiles import BACKGROUNDS, COLOURS, SHAPES, Tile
from vision import lattice
from vision.classify import Allowed, Named, Namer
from vision.find import SURE, Finder, Found
from vision.lattice import Lattice
from vision.model import Model, load
from vision.patches import cut
from vision.reading import Reading, SeenTile

Array = npt.NDArray[Any]

WORK_PX = 700
"""The finder sees a copy of the frame whose longer side is about this."""

EDGE_RANGE_PX = (15.0, 50.0)
"""Tile edges that the finder is at home with; outside, it looks again at another scale."""

BEST_EDGE_PX = 26.0
PATCH_EDGE_PX = 62.0
"""Patches are cut from a halved frame until a tile is smaller than this, or they would alias."""

IS_TILE = 0.5
SMALLEST_PX = 16


class Pyramid:
    """A frame and its halves."""

    def __init__(self, frame_bgr: Array) -> None:
        self._levels = [frame_bgr]

    @property
    def frame(self) -> Array:
        """The frame itself."""
        return self._levels[0]

    def level(self, number: int) -> Array:
        """The frame halved `number` times."""
        while len(self._levels) <= number:
            last = self._levels[-1]
            size = (max(1, last.shape[1] // 2), max(1, last.shape[0] // 2))
            self._levels.append(cv2.resize(last, size, interpolation=cv2.INTER_AREA))
        return self._levels[number]

    def scaled(self, scale: float) -> Array:
        """The frame at any scale up to 2, from the next larger half."""
        halvings = 0
        while scale * 2 ** (halvings + 1) <= 1 and halvings < 6:
            halvings += 1
        source = self.level(halvings)
        width, height = self.frame.shape[1::-1]
        size = (max(1, round(width * scale)), max(1, round(height * scale)))
        if size == source.shape[1::-1]:
            return source
        return cv2.resize(source, size, interpolation=cv2.INTER_LINEAR)


@dataclass(frozen=True, slots=True)
class _Seen:
    """Found tiles with their grid and their names, index by index."""

    found: Found
    grid: Lattice
    named: Named


class Reader:
    """Reads frames of one edition with one model."""

    def __init__(
        self,
        rules: str | None = None,
        colours: Sequence[str] | None = None,
        model: Model | None = None,
    ) -> None:
        self._allowed = allowed(rules, colours)
        self._model = model or load()

    @cached_property
    def _finder(self) -> Finder:
        return Finder(self._model.finder_onnx)

    @cached_property
    def _namer(self) -> Namer:
        return Namer(self._model)

    def read(self, frame_bgr: Array, known: Reading | None = None) -> Reading:
        """All tiles in a frame; an empty reading where there are none."""
        started = time.perf_counter()
        size = (int(frame_bgr.shape[1]), int(frame_bgr.shape[0]))
        tiles: tuple[SeenTile, ...] = ()
        if min(size) >= SMALLEST_PX:
            tiles = self._tiles(Pyramid(frame_bgr))
        return Reading(tiles, size, (time.perf_counter() - started) * 1000)

    def _tiles(self, pyramid: Pyramid) -> tuple[SeenTile, ...]:
        found = self._find(pyramid)
        seen = self._name(pyramid, found)
        seen = _only(seen, _credible(seen))
        if not len(seen.found):
            return ()
        return _seen_tiles(_settled(seen, _middle(pyramid)))

    def _find(self, pyramid: Pyramid) -> Found:
        """Tiles in the frame's pixels, looked for at the scale that suits them."""
        scale = min(1.0, WORK_PX / max(pyramid.frame.shape[:2]))
        found = self._find_at(pyramid, scale)
        for _ in range(2):
            sure = found.edges_px[found.scores > SURE]
            if len(sure):
                edge = float(np.median(sure)) * scale
                if EDGE_RANGE_PX[0] <= edge <= EDGE_RANGE_PX[1]:
                    return found
                better = min(scale * BEST_EDGE_PX / edge, 2.0)
            else:
                better = scale / 2.5
            if abs(np.log(better / scale)) < 0.2 or better * max(pyramid.frame.shape[:2]) < 64:
                return found
            scale, found = better, self._find_at(pyramid, better)
        return found

    def _find_at(self, pyramid: Pyramid, scale: float) -> Found:
        picture = pyramid.scaled(scale)
        found = self._finder.find(picture)
        return found.moved(pyramid.frame.shape[1] / picture.shape[1])

    def _name(self, pyramid: Pyramid, found: Found) -> _Seen:
        grid = lattice.build(found, _middle(pyramid))
        if not len(found):
            return _Seen(found, grid, self._namer.name(np.zeros((0, 48, 48, 3)), self._allowed))
        edge = float(np.median(found.edges_px))
        halvings = max(0, int(np.ceil(np.log2(edge / PATCH_EDGE_PX))))
        scale = 0.5**halvings
        centres = (found.centres_px + 0.5) * scale - 0.5
        patches = cut(pyramid.level(halvings), centres, grid.u_px * scale, grid.v_px * scale)
        return _Seen(found, grid, self._namer.name(patches, self._allowed))


def allowed(rules: str | None, colours: Sequence[str] | None) -> Allowed:
    """What the box of an edition holds; without rules, everything."""
    backgrounds = np.ones(len(BACKGROUNDS), bool)
    shown = np.ones(len(COLOURS), bool)
    if rules == "classic":
        backgrounds = np.array([name == "black" for name in BACKGROUNDS])
    elif rules in ("flex", "flex72"):
        shown = np.array([name != "white" for name in COLOURS])
        backgrounds = np.array([rules == "flex" or name != "split" for name in BACKGROUNDS])
    if colours:
        shown = np.array([name in colours for name in COLOURS])
    return Allowed(shown, backgrounds)


def _middle(pyramid: Pyramid) -> tuple[float, float]:
    height, width = pyramid.frame.shape[:2]
    return width / 2, height / 2


def _credible(seen: _Seen) -> Array:
    """Sure finds that look like a tile, and doubtful ones that also have a neighbour."""
    looks = seen.named.tile_p > IS_TILE
    sure = seen.found.scores > SURE
    partners = np.bincount(seen.grid.groups, minlength=1)[seen.grid.groups] > 1
    return np.asarray(looks & (sure | (partners & (seen.named.tile_p > 0.9))))


def _only(seen: _Seen, mask: Array) -> _Seen:
    grid, named = seen.grid, seen.named
    return _Seen(
        seen.found.where(mask),
        Lattice(grid.cells[mask], grid.groups[mask], grid.u_px[mask], grid.v_px[mask]),
        Named(
            named.tile_p[mask],
            named.shape_p[mask],
            named.colour_p[mask],
            named.background_p[mask],
            named.corners[mask],
            named.features[mask],
        ),
    )


def _corners_px(seen: _Seen) -> Array:
    axes = np.stack([seen.grid.u_px, seen.grid.v_px], 1)
    offsets = np.einsum("nkc,ncp->nkp", seen.named.corners, axes)
    return np.asarray(seen.found.centres_px[:, None] + offsets)


def _settled(seen: _Seen, middle_px: tuple[float, float]) -> _Seen:
    """The grid laid once more through the seen corners, which are finer than the first finds."""
    corners = _corners_px(seen)
    u = (corners[:, 1] - corners[:, 0] + corners[:, 2] - corners[:, 3]) / 2
    v = (corners[:, 3] - corners[:, 0] + corners[:, 2] - corners[:, 1]) / 2
    edges = (np.linalg.norm(u, axis=1) + np.linalg.norm(v, axis=1)) / 2
    turns = np.arctan2(u[:, 1] - v[:, 0], u[:, 0] + v[:, 1])
    found = Found(corners.mean(1), edges, turns, seen.found.scores)
    grid = lattice.build(found, middle_px, (u, v))
    local = np.linalg.solve(
        np.stack([grid.u_px, grid.v_px], 2)[:, None],
        (corners - found.centres_px[:, None])[..., None],
    )[..., 0]
    named = seen.named
    return _Seen(
        found,
        grid,
        Named(
            named.tile_p, named.shape_p, named.colour_p, named.background_p, local, named.features
        ),
    )


def _seen_tiles(seen: _Seen) -> tuple[SeenTile, ...]:
    corners = _corners_px(seen).astype(np.float32)
    named = seen.named
    shape, colour = named.shape_p.argmax(1), named.colour_p.argmax(1)
    background = named.background_p.argmax(1)
    confidence = (
        named.tile_p * named.shape_p.max(1) * named.colour_p.max(1) * named.background_p.max(1)
    )
    order = np.lexsort((seen.grid.cells[:, 0], seen.grid.cells[:, 1], seen.grid.groups))
    return tuple(
        SeenTile(
            cell=(int(seen.grid.cells[k, 0]), int(seen.grid.cells[k, 1])),
            tile=Tile(SHAPES[shape[k]], COLOURS[colour[k]], BACKGROUNDS[background[k]]),
            confidence=float(confidence[k]),
            shape_p=named.shape_p[k].astype(np.float32),
            colour_p=named.colour_p[k].astype(np.float32),
            background_p=named.background_p[k].astype(np.float32),
            corners_px=corners[k],
            group=int(seen.grid.groups[k]),
        )
        for k in order
    )
