"""A whole drawn table: put the layers together and tell where every tile lies."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field

import numpy as np
import numpy.typing as npt

from vision.scene.artwork import Image, Look
from vision.scene.blocks import Block, lay_block, shadow
from vision.scene.canvas import Canvas, Points
from vision.scene.light import Light, illuminate
from vision.scene.pinhole import Pinhole
from vision.scene.sensor import Sensor, develop
from vision.scene.tables import spread

Painter = Callable[[Canvas, Pinhole], None]
"""Draws a thing onto the canvas."""


@dataclass(frozen=True, slots=True)
class Table:
    """Everything that a picture of a table shows."""

    camera: Pinhole
    texture: Image
    blocks: tuple[Block, ...]
    look: Look = field(default_factory=Look)
    light: Light = field(default_factory=Light)
    sensor: Sensor = field(default_factory=Sensor)
    texture_turn: float = 0.0
    table_gloss: float = 0.1
    under: tuple[Painter, ...] = field(default=())
    over: tuple[Painter, ...] = field(default=())


@dataclass(frozen=True, slots=True)
class Drawn:
    """A frame (H, W, 3) BGR and the truth about each block, in `blocks` order.

    `corners_px` are the corners (4, 2) of the top faces, `visible` the share of each top face that
    is in the picture and not under a hand.
    """

    frame_bgr: npt.NDArray[np.uint8]
    corners_px: tuple[Points, ...]
    visible: tuple[float, ...]


def draw(table: Table, rng: np.random.Generator) -> Drawn:
    """Paint the table: surface, things, shadows, blocks from far to near, hands, light, sensor."""
    albedo = spread(table.texture, table.camera, table.texture_turn)
    canvas = Canvas.covered_by(albedo, table.table_gloss)
    for paint in table.under:
        paint(canvas, table.camera)
    throw = np.array(table.light.throw)
    for block in table.blocks:
        shadow(canvas, table.camera, block, table.look, throw)
    corners: dict[int, Points] = {}
    for index in _far_first(table):
        block = table.blocks[index]
        grain = block.grain(table.look)
        corners[index] = lay_block(canvas, table.camera, block, table.look, throw, grain)
    hidden = _painted_over(canvas, table)
    frame = develop(illuminate(canvas, table.light), table.sensor, rng)
    places = tuple(corners[i] for i in range(len(table.blocks)))
    return Drawn(frame, places, tuple(_visible(place, hidden) for place in places))


def _painted_over(canvas: Canvas, table: Table) -> npt.NDArray[np.bool_]:
    """Paint what is above the blocks and tell where (H, W) it is."""
    if not table.over:
        return np.zeros(canvas.lit.shape, bool)
    before = canvas.albedo.copy()
    for paint in table.over:
        paint(canvas, table.camera)
    return np.asarray(np.abs(canvas.albedo - before).max(2) > 1e-4)


def _visible(corners_px: Points, hidden: npt.NDArray[np.bool_]) -> float:
    """The share of a 7 by 7 raster on the face that is in the picture and not hidden."""
    steps = (np.arange(7) + 0.5) / 7
    across, down = np.meshgrid(steps, steps)
    u, v = (corners_px[1] - corners_px[0]), (corners_px[3] - corners_px[0])
    points = corners_px[0] + across.reshape(-1, 1) * u + down.reshape(-1, 1) * v
    x, y = np.rint(points).astype(int).T
    inside = (x >= 0) & (y >= 0) & (x < hidden.shape[1]) & (y < hidden.shape[0])
    free = ~hidden[y[inside], x[inside]]
    return float(free.sum() / inside.size)


def _far_first(table: Table) -> list[int]:
    _, place = table.camera.pose
    distance = [np.hypot(b.x - place[0], b.y - place[1]) for b in table.blocks]
    return sorted(range(len(distance)), key=lambda k: -distance[k])
