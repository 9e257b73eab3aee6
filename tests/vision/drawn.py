"""Drawn tables for tests: plain ones, with known tiles in known cells."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from scorer.tiles import BACKGROUNDS, COLOURS, SHAPES, Cell, Tile
from vision.scene.artwork import Look
from vision.scene.blocks import Block
from vision.scene.light import Light
from vision.scene.pinhole import Pinhole
from vision.scene.sensor import Sensor
from vision.scene.table import Drawn, Table, draw
from vision.scene.tables import TABLES

Frame = npt.NDArray[np.uint8]
SIZE_WH = (1024, 768)


def layout_of(seed: int, count: int = 14, rules: str = "flex") -> dict[Cell, Tile]:
    """A connected layout of different tiles; it need not be a legal one."""
    rng = np.random.default_rng(seed)
    layout: dict[Cell, Tile] = {}
    cell = (0, 0)
    while len(layout) < count:
        colour, shape = COLOURS[rng.integers(6)], SHAPES[rng.integers(6)]
        background = BACKGROUNDS[rng.integers(3)] if rules == "flex" else "black"
        layout[cell] = Tile(shape, colour, background)
        step = ((1, 0), (-1, 0), (0, 1), (0, -1))[rng.integers(4)]
        cell = (cell[0] + step[0], cell[1] + step[1])
    return layout


def blocks_of(layout: dict[Cell, Tile], seed: int = 0, turn: float = 0.0) -> tuple[Block, ...]:
    """The layout laid by hand: small gaps and turns."""
    rng = np.random.default_rng(seed)
    middle = np.mean(list(layout), 0)
    blocks = []
    cos, sin = np.cos(turn), np.sin(turn)
    for cell, tile in layout.items():
        x, y = (np.array(cell) - middle) * 1.03 + rng.normal(0, 0.02, 2)
        place = (x * cos - y * sin, x * sin + y * cos)
        blocks.append(Block(*place, turn + rng.normal(0, 0.02), tile, int(rng.integers(4))))
    return tuple(blocks)


def drawn_table(
    blocks: tuple[Block, ...],
    seed: int = 0,
    table: str = "light wood",
    tilt: float = 0.2,
    edge_px: float = 48.0,
    look: Look | None = None,
    light: Light | None = None,
    sensor: Sensor | None = None,
) -> Drawn:
    """A picture of the blocks on a table."""
    rng = np.random.default_rng(seed)
    focal = 1100.0
    camera = Pinhole(SIZE_WH, focal, focal / edge_px, tilt, azimuth=1.1, roll=0.3)
    scene = Table(
        camera=camera,
        texture=TABLES[table](rng),
        blocks=blocks,
        look=look or Look(),
        light=light or Light(),
        sensor=sensor or Sensor(exposure=0.8, noise=0.01, blur_px=0.4, jpeg=90),
    )
    return draw(scene, rng)
