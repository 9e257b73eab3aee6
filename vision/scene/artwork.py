"""The look of the wooden tiles: symbols, inks and backgrounds."""

from __future__ import annotations

from dataclasses import dataclass, field
from functools import lru_cache

import cv2
import numpy as np
import numpy.typing as npt

from scorer.tiles import Tile

Image = npt.NDArray[np.float32]
RGB = tuple[float, float, float]

FACE_PX = 96
"""Edge of a drawn face. A tile is rarely larger than this in a working frame."""

INKS: dict[str, RGB] = {
    "red": (0.62, 0.018, 0.035),
    "orange": (0.85, 0.155, 0.012),
    "yellow": (0.82, 0.60, 0.015),
    "green": (0.022, 0.24, 0.055),
    "blue": (0.022, 0.145, 0.60),
    "purple": (0.19, 0.04, 0.36),
    "white": (0.80, 0.80, 0.78),
}

SPLITS = ("|", "-", "/", "\\")


@dataclass(frozen=True, slots=True)
class Look:
    """One printed set: what its artwork, paint and wood look like."""

    inks: dict[str, RGB] = field(default_factory=lambda: dict(INKS))
    black: RGB = (0.012, 0.012, 0.013)
    white: RGB = (0.78, 0.77, 0.74)
    split: str = "/"
    split_white_first: bool = True
    scale: float = 1.0
    leaf: float = 0.145
    star4_waist: float = 0.13
    star8_waist: float = 0.20
    soft: float = 0.0
    swell: float = 0.0
    wear: float = 0.3
    height: float = 0.5
    black_sides: bool = False
    gloss: float = 0.3
    rounding: float = 0.05
    seed: int = 0
    """Decides the grain and wear of each tile, which stay the same from picture to picture."""


def _star(points: int, reach: float, waist: float, turn: float) -> npt.NDArray[np.float64]:
    angle = turn + np.arange(2 * points) * np.pi / points
    radius = np.where(np.arange(2 * points) % 2 == 0, reach, waist)
    return np.stack([np.cos(angle), np.sin(angle)], 1) * radius[:, None]


@lru_cache(maxsize=256)
def symbol_mask(
    shape: str,
    scale: float,
    leaf: float,
    waist4: float,
    waist8: float,
    soft: float = 0.0,
    swell: float = 0.0,
) -> Image:
    """Coverage (FACE_PX, FACE_PX) from 0 to 1 of the symbol on an upright face.

    `soft` rounds its corners and `swell` makes it fatter (thinner below 0), both in tile edges.
    """
    fine = FACE_PX * 4
    mask = np.zeros((fine, fine), np.uint8)

    def polygon(points: npt.NDArray[np.float64]) -> None:
        pixels = np.rint((points * scale + 0.5) * fine * 16).astype(np.int32)
        cv2.fillPoly(mask, [pixels], 255, cv2.LINE_8, 4)

    def disc(x: float, y: float, radius: float) -> None:
        centre = (round((x * scale + 0.5) * fine), round((y * scale + 0.5) * fine))
        cv2.circle(mask, centre, round(radius * scale * fine), 255, -1)

    quarter = np.array([[-1, -1], [1, -1], [1, 1], [-1, 1]], dtype=np.float64)
    if shape == "circle":
        disc(0, 0, 0.40)
    elif shape == "square":
        polygon(quarter * 0.32)
    elif shape == "diamond":
        polygon(np.array([[0, -1], [1, 0], [0, 1], [-1, 0]]) * 0.41)
    elif shape == "clover":
        for x, y in ((1, 0), (-1, 0), (0, 1), (0, -1)):
            disc(x * 0.275, y * 0.275, leaf)
        polygon(quarter * [[0.275, leaf * 0.8]])
        polygon(quarter * [[leaf * 0.8, 0.275]])
    elif shape == "star4":
        polygon(_star(4, 0.54, waist4, np.pi / 4))
    else:
        polygon(_star(8, 0.42, waist8, 0.0))
    if soft or swell:
        return _painted(mask, soft, swell)
    small = cv2.resize(mask, (FACE_PX, FACE_PX), interpolation=cv2.INTER_AREA)
    return np.asarray(small / 255, np.float32)


def _painted(mask: npt.NDArray[np.uint8], soft: float, swell: float) -> Image:
    """The symbol as with a brush: the distance from its outline is smoothed, then shifted."""
    inside, outside = (cv2.distanceTransform(part, cv2.DIST_L2, 5) for part in (mask, 255 - mask))
    small = cv2.resize(inside - outside, (FACE_PX, FACE_PX), interpolation=cv2.INTER_AREA)
    if soft:
        small = cv2.GaussianBlur(small, (0, 0), soft * FACE_PX)
    away_px = np.asarray(small * FACE_PX / len(mask))
    return np.clip(away_px + swell * FACE_PX + 0.5, 0, 1).astype(np.float32)


@lru_cache(maxsize=8)
def _split_mask(split: str) -> Image:
    """1 in the first half of a split face, 0 in the second."""
    axis = (np.arange(FACE_PX, dtype=np.float32) + 0.5) / FACE_PX - 0.5
    x, y = np.meshgrid(axis, axis)
    side = {"|": -x, "-": -y, "/": -(x + y) * 0.7, "\\": (x - y) * 0.7}[split]
    return np.clip(side * FACE_PX + 0.5, 0, 1).astype(np.float32)


def speckle(rng: np.random.Generator, shape: tuple[int, int], grain_px: float) -> Image:
    """Smooth random texture, about -1 to 1, with grains of the given size."""
    small = (max(2, round(shape[0] / grain_px)), max(2, round(shape[1] / grain_px)))
    noise = rng.standard_normal(small).astype(np.float32) * 0.5
    return np.asarray(cv2.resize(noise, (shape[1], shape[0]), interpolation=cv2.INTER_CUBIC))


def blank_face(background: str, look: Look, rng: np.random.Generator) -> Image:
    """A face without a symbol, linear RGB (FACE_PX, FACE_PX, 3)."""
    black, white = np.array(look.black), np.array(look.white)
    if background == "split":
        first = _split_mask(look.split)[..., None]
        whiteness = first if look.split_white_first else 1 - first
    else:
        whiteness = np.full((FACE_PX, FACE_PX, 1), float(background == "white"), np.float32)
    face = white * whiteness + black * (1 - whiteness)
    grain = speckle(rng, (FACE_PX, FACE_PX), 6) * 0.10 + speckle(rng, (FACE_PX, FACE_PX), 30) * 0.05
    return np.asarray(face * (1 + grain[..., None] * (0.3 + look.wear)), np.float32)


def face(tile: Tile, look: Look, rng: np.random.Generator) -> Image:
    """The upright top of a tile, linear RGB (FACE_PX, FACE_PX, 3)."""
    ground = blank_face(tile.background, look, rng)
    waists = look.star4_waist, look.star8_waist
    mask = symbol_mask(tile.shape, look.scale, look.leaf, *waists, look.soft, look.swell)
    ink = np.array(look.inks[tile.colour], np.float32)
    streaks = speckle(rng, (FACE_PX, FACE_PX), 3.0)
    if tile.colour == "white" and look.wear > 0.5:
        streaks = streaks + speckle(rng, (FACE_PX, FACE_PX), 9.0)
    worn = np.clip((streaks - 0.9) * 1.6, 0, 0.6) * look.wear
    cover = (mask * (1 - worn))[..., None]
    shade = 1 + 0.12 * look.wear * streaks[..., None]
    return np.asarray(ground * (1 - cover) + ink * shade * cover, np.float32)
