"""What was understood, drawn on the photo."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from typing import Any

import cv2
import numpy as np
import numpy.typing as npt

from scorer.tiles import Tile
from vision.reading import LAYOUT, Reading, SeenTile

Array = npt.NDArray[Any]

CERTAIN = 0.95
"""From this confidence on, a tile's frame is green; below, amber."""

GREEN, AMBER, GREY = (80, 200, 60), (0, 170, 255), (190, 190, 190)

INK: dict[str, tuple[int, int, int]] = {
    "red": (50, 50, 230),
    "orange": (30, 130, 255),
    "yellow": (40, 220, 250),
    "green": (60, 170, 40),
    "blue": (235, 130, 30),
    "purple": (190, 60, 150),
    "white": (255, 255, 255),
}

SYMBOL = {"circle": "o", "square": "[]", "diamond": "<>", "clover": "+", "star4": "x", "star8": "*"}

_pen = ThreadPoolExecutor(max_workers=1, thread_name_prefix="overlay")


def draw_overlay(frame_bgr: Array, reading: Reading) -> npt.NDArray[np.uint8]:
    """A copy of the frame with every tile outlined and named; strays are grey.

    It is drawn in one thread, whoever asks: OpenCV keeps its fonts, 5 MB, once more for every
    thread that has ever written something.
    """
    return _pen.submit(_draw, frame_bgr, reading).result()


def _draw(frame_bgr: Array, reading: Reading) -> npt.NDArray[np.uint8]:
    picture = np.ascontiguousarray(frame_bgr, np.uint8).copy()
    for tile in reading.tiles:
        _outline(picture, tile)
    for tile in reading.tiles:
        _name(picture, tile)
    return picture


def label(tile: Tile) -> str:
    """A few letters that tell the tile: colour, symbol, background."""
    return f"{tile.colour[0].upper()}{SYMBOL[tile.shape]}{tile.background[0]}"


def _outline(picture: Array, tile: SeenTile) -> None:
    colour = GREY if tile.group != LAYOUT else GREEN if tile.confidence >= CERTAIN else AMBER
    thickness = max(1, round(tile.edge_px / 22))
    points = np.rint(tile.corners_px).astype(np.int32)
    cv2.polylines(picture, [points], True, (0, 0, 0), thickness + 2, cv2.LINE_AA)
    cv2.polylines(picture, [points], True, colour, thickness, cv2.LINE_AA)


def _name(picture: Array, tile: SeenTile) -> None:
    edge = tile.edge_px
    size, thickness = edge / 115, max(1, round(edge / 60))
    text = label(tile.tile)
    (width, _), _ = cv2.getTextSize(text, cv2.FONT_HERSHEY_DUPLEX, size, thickness)
    centre = tile.corners_px.mean(0)
    place = (round(float(centre[0]) - width / 2), round(float(centre[1]) + edge * 0.46))
    ink = INK.get(tile.tile.colour, (255, 255, 255))
    for colour, weight in (((0, 0, 0), thickness + 3), (ink, thickness)):
        cv2.putText(
            picture, text, place, cv2.FONT_HERSHEY_DUPLEX, size, colour, weight, cv2.LINE_AA
        )
