"""The figures behind the aim check: size, sharpness, levels, colours and reach."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import cv2
import numpy as np
import numpy.typing as npt

from calibration.light import patches_of
from scorer.tiles import COLOURS
from vision.model import Model
from vision.patches import PATCH_PX, PATCH_SPAN
from vision.reading import Reading, SeenTile

Array = npt.NDArray[Any]
Frame = npt.NDArray[Any]

CLIPPED = 250
"""A pixel with two channels at or above this level has lost its colour."""

STEEPEST_PER_CENT = 98
"""Gradients are noisy: the steepest edge of a tile is this percentile of them."""

FLATTEST = 0.5
"""Levels per pixel; a tile without any edge must not divide by zero."""

FACE = 0.84
"""Share of a tile's edge that is surely its face, in spite of small errors of the corners."""


@dataclass(frozen=True, slots=True)
class Aim:
    """The figures of a picture of the table, where tiles are seen.

    `edge_width` is in tiles, `level` the brightness of the bright parts of tiles (0 to 255),
    `clipped` (N,) the clipped share of each tile, `room` the tiles that fit on between the layout
    and the left, top, right and bottom border; `nearest` names the two nearest colours and their
    `distance`, None where fewer than two colours lie there.
    """

    tiles: int
    tile_px: float
    edge_width: float
    level: float
    clipped: Array
    room: tuple[float, float, float, float]
    nearest: tuple[str, str] | None
    distance: float


def measure(frame_bgr: Frame, reading: Reading, model: Model) -> Aim:
    """The figures of a picture with tiles."""
    frame = np.asarray(frame_bgr, np.uint8)
    edge = float(np.median([tile.edge_px for tile in reading.tiles]))
    faces = _faces(frame, reading.tiles)
    pair, distance = nearest_colours(reading.tiles, model)
    return Aim(
        tiles=len(reading.tiles),
        tile_px=edge,
        edge_width=edge_width_px(frame, reading.tiles) / edge,
        level=float(np.percentile(faces.max(2), 95)),
        clipped=(np.sort(faces, 2)[:, :, 1] >= CLIPPED).mean(1),
        room=_room(reading, edge),
        nearest=pair,
        distance=distance,
    )


def _faces(frame: Array, tiles: Sequence[SeenTile]) -> Array:
    """Pixels (N, P, 3) of the tiles' faces without their surroundings."""
    margin = round(PATCH_PX * (1 - FACE / PATCH_SPAN) / 2)
    patches = patches_of(frame, tiles)[:, margin:-margin, margin:-margin]
    return np.asarray(patches.reshape(len(tiles), -1, 3))


def edge_width_px(frame_bgr: Frame, tiles: Sequence[SeenTile]) -> float:
    """How many pixels the change from dark to light takes at the tiles' sharpest edges."""
    grey = cv2.cvtColor(np.asarray(frame_bgr, np.uint8), cv2.COLOR_BGR2GRAY).astype(np.float32)
    widths = []
    for tile in tiles:
        x0, y0 = np.maximum(tile.corners_px.min(0).astype(int) - 1, 0)
        x1, y1 = tile.corners_px.max(0).astype(int) + 2
        part = grey[y0:y1, x0:x1]
        if min(part.shape) < 4:
            continue
        across, down = (cv2.Sobel(part, cv2.CV_32F, *way, ksize=3) / 8 for way in ((1, 0), (0, 1)))
        steepest = float(np.percentile(np.hypot(across, down), STEEPEST_PER_CENT))
        contrast = float(np.percentile(part, 95) - np.percentile(part, 5))
        widths.append(contrast / max(steepest, FLATTEST))
    return float(np.median(widths)) if widths else 0.0


def nearest_colours(
    tiles: Sequence[SeenTile], model: Model
) -> tuple[tuple[str, str] | None, float]:
    """The two colours on the table that look most alike, and their distance in spreads."""
    by_colour: dict[str, list[Array]] = {}
    for tile in tiles:
        if len(tile.features):
            by_colour.setdefault(tile.tile.colour, []).append(tile.features)
    means = {colour: np.mean(by_colour[colour], 0) for colour in COLOURS if colour in by_colour}
    best: tuple[tuple[str, str] | None, float] = (None, float("inf"))
    for one, first in means.items():
        for other, second in means.items():
            gap = first - second
            distance = float(np.sqrt(max(0.0, gap @ model.colour_spread @ gap)))
            if one < other and distance < best[1]:
                best = ((one, other), distance)
    return best


def _room(reading: Reading, edge_px: float) -> tuple[float, float, float, float]:
    tiles = reading.layout or reading.tiles
    corners = np.concatenate([tile.corners_px for tile in tiles])
    low, high = corners.min(0), np.array(reading.size_wh) - corners.max(0)
    left, top, right, bottom = np.concatenate([low, high]) / edge_px
    return float(left), float(top), float(right), float(bottom)
