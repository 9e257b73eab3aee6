"""Whether straightening a wide lens's frames before reading finds more tiles.

`python -m tests.calibration.wide_lens` prints the table: drawn tables through known lenses, with
layouts that reach the border of the picture.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cache
from typing import Any

import cv2
import numpy as np
import numpy.typing as npt

from calibration.arrangement import match
from calibration.lens import Lens
from calibration.profile import Profile
from calibration.seeing import Seeing
from scorer.tiles import BACKGROUNDS, COLOURS, SHAPES, Cell, Tile
from tests.vision.drawn import blocks_of, layout_of
from vision.model import load
from vision.reader import Reader
from vision.scene.artwork import Look
from vision.scene.blocks import Block
from vision.scene.light import Light
from vision.scene.pinhole import Pinhole
from vision.scene.sensor import Sensor
from vision.scene.table import Table, draw
from vision.scene.tables import TABLES

Array = npt.NDArray[Any]
Frame = npt.NDArray[np.uint8]

SIZE_WH = (1024, 768)
EDGE_PX = 40.0
"""Of a tile in the middle; at the border the lens makes it smaller."""

PLACES = {"in the middle": 0.0, "half-way": 0.5, "at the border": 1.0}
"""How far the layout is pushed towards some side of the picture."""
MARGIN_PX = 8.0
"""Layouts reach so near to the border."""
BEYOND = 2.2
"""How much wider than the frame the straight picture is drawn, so that the bent one is full."""

LENSES = {
    "weak (-0.05)": (0.88, -0.05, 0.0),
    "barrel (-0.18)": (0.88, -0.18, 0.05),
    "wide (-0.18)": (0.43, -0.18, 0.03),
    "very wide (-0.30)": (0.43, -0.30, 0.08),
}
"""Focal length in widths of the picture (the Camera Module 3 Wide has 0.43), and two terms."""


def lens_of(name: str) -> Lens:
    """A lens that is known exactly."""
    focal, first, second = LENSES[name]
    width, height = SIZE_WH
    matrix = np.array([[focal * width, 0, width / 2], [0, focal * width, height / 2], [0, 0, 1.0]])
    return Lens(SIZE_WH, matrix, np.array([first, second, 0.0, 0.0, 0.0]), 0.0, 0)


def spread_layout(seed: int) -> dict[Cell, Tile]:
    """A long row and a long column, as late in a game."""
    rng = np.random.default_rng(seed)
    column = int(rng.integers(16))
    cells = [(x, 0) for x in range(16)] + [(column, y) for y in range(1, 11)]
    return {cell: _any_tile(rng) for cell in cells}


def _any_tile(rng: np.random.Generator) -> Tile:
    return Tile(SHAPES[rng.integers(6)], COLOURS[rng.integers(6)], BACKGROUNDS[rng.integers(3)])


def photo_of(layout: Mapping[Cell, Tile], name: str, seed: int, share: float) -> Frame:
    """The layout pushed towards the border of the picture, through the lens."""
    rng, lens = np.random.default_rng(seed), lens_of(name)
    focal = float(lens.matrix[0, 0])
    wide = (int(SIZE_WH[0] * BEYOND), int(SIZE_WH[1] * BEYOND))
    camera = Pinhole(wide, focal, focal / EDGE_PX, rng.uniform(0, 0.2), rng.uniform(0, 6), 0.0)
    laid = blocks_of(dict(layout), seed, rng.uniform(-0.2, 0.2))
    way = share * _way_to_the_border(laid, camera, lens, rng)
    blocks = _moved(laid, way)
    top = ("light wood", "laminate", "dark wood", "felt")[seed % 4]
    sensor = Sensor(exposure=0.8, noise=0.01, blur_px=0.4, jpeg=95)
    scene = Table(camera, TABLES[top](rng), blocks, Look(), Light(), sensor)
    return bent(draw(scene, rng).frame_bgr, name)


def _way_to_the_border(
    blocks: Sequence[Block], camera: Pinhole, lens: Lens, rng: np.random.Generator
) -> Array:
    """How far (2,) all of them can be pushed towards some side and still be seen."""
    turn = rng.uniform(0, 2 * np.pi)
    ways = np.arange(0, 30, 0.5)[:, None] * [np.cos(turn), np.sin(turn)]
    seen = [_are_seen(_moved(blocks, way), camera, lens) for way in ways]
    return np.asarray(ways[max(0, seen.index(False) - 1)])


def _moved(blocks: Sequence[Block], way: Array) -> tuple[Block, ...]:
    return tuple(replace(each, x=each.x + way[0], y=each.y + way[1]) for each in blocks)


def _are_seen(blocks: Sequence[Block], camera: Pinhole, lens: Lens) -> bool:
    middles = np.array([[each.x, each.y, 0] for each in blocks])
    around = np.array([[i, j, 0] for i in (-0.6, 0.6) for j in (-0.6, 0.6)])
    seen = camera.project((middles[:, None] + around).reshape(-1, 3))
    rays = np.column_stack(
        [seen - np.array(camera.size_wh) / 2, np.full(len(seen), camera.focal_px)]
    )
    still = np.zeros(3)
    pixels = cv2.projectPoints(rays, still, still, lens.matrix, lens.bend)[0].reshape(-1, 2)
    return bool(((pixels > MARGIN_PX) & (pixels < np.array(SIZE_WH) - MARGIN_PX)).all())


def bent(straight: Frame, name: str) -> Frame:
    """A wide picture without bend as the lens shows it."""
    source = _source(name) + np.array([straight.shape[1], straight.shape[0]]) / 2
    maps = source.astype(np.float32)
    return np.asarray(cv2.remap(straight, maps[..., 0], maps[..., 1], cv2.INTER_CUBIC), np.uint8)


@cache
def _source(name: str) -> Array:
    """Where each pixel (H, W, 2) of the frame is in the straight picture, from its middle."""
    columns, rows = np.meshgrid(np.arange(SIZE_WH[0]), np.arange(SIZE_WH[1]))
    points = np.stack([columns, rows], 2).reshape(-1, 2).astype(np.float64)
    source = lens_of(name).straight_points(points) - np.array(SIZE_WH) / 2
    return np.asarray(source.reshape(SIZE_WH[1], SIZE_WH[0], 2))


@dataclass(slots=True)
class Score:
    """Tiles read right (cell and label), read wrong, and missed."""

    tiles: int = 0
    right: int = 0
    wrong: int = 0

    def add(self, seeing: Seeing, frame: Frame, layout: Mapping[Cell, Tile]) -> None:
        """Read a frame and count."""
        found = match(seeing.read(frame).layout, layout)
        right = sum(seen.tile == tile for seen, tile in found.pairs)
        self.tiles += len(layout)
        self.right += right
        self.wrong += len(found.pairs) - right

    @property
    def missed(self) -> int:
        """Tiles that were not found in their cells."""
        return self.tiles - self.right - self.wrong


def measured(name: str, share: float, seeds: Sequence[int], reader: Reader) -> tuple[Score, Score]:
    """The same photos as they are and straightened, `share` of the way to the border."""
    lens = lens_of(name)
    scores = Score(), Score()
    seeings = Seeing(Profile(), reader), Seeing(Profile(lens=lens), reader)
    for seed in seeds:
        layout = spread_layout(seed) if seed % 2 else layout_of(seed, 30)
        frame = photo_of(layout, name, seed, share)
        for score, seeing in zip(scores, seeings, strict=True):
            score.add(seeing, frame, layout)
    return scores


def main() -> None:
    """Print the table."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--tables", type=int, default=12, help="drawn tables for each lens")
    args = parser.parse_args()
    reader = Reader("flex", model=load())
    sys.stdout.write("| lens | layout | tiles | as it is | straightened |\n")
    sys.stdout.write("|---|---|---|---|---|\n")
    for name in LENSES:
        for place, share in PLACES.items():
            scores = measured(name, share, range(args.tables), reader)
            counts = " | ".join(f"{s.wrong} wrong, {s.missed} missed" for s in scores)
            sys.stdout.write(f"| {name} | {place} | {scores[0].tiles} | {counts} |\n")
            sys.stdout.flush()


if __name__ == "__main__":
    main()
