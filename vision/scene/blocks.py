"""Tiles as wooden blocks: top faces, sides, and the shadows that they throw."""

from __future__ import annotations

import zlib
from dataclasses import dataclass

import cv2
import numpy as np

from scorer.tiles import Tile
from vision.scene.artwork import FACE_PX, Image, Look, blank_face, face
from vision.scene.canvas import Canvas, Points
from vision.scene.pinhole import Pinhole

SQUARE = np.array([[-0.5, -0.5], [0.5, -0.5], [0.5, 0.5], [-0.5, 0.5]])


@dataclass(frozen=True, slots=True)
class Block:
    """A tile on the table: place of its centre and turn (radians); `quarter` turns its artwork.

    With `tile` None it lies face down and shows plain wood of the given background.
    """

    x: float
    y: float
    turn: float
    tile: Tile | None
    quarter: int = 0
    background: str = "black"

    @property
    def outline(self) -> Points:
        """Corners (4, 2) on the table, clockwise from the top left."""
        cos, sin = np.cos(self.turn), np.sin(self.turn)
        corners: Points = SQUARE @ np.array([[cos, sin], [-sin, cos]]) + [self.x, self.y]
        return corners

    def grain(self, look: Look) -> np.random.Generator:
        """The lot that decides this tile's wear: the same in every picture of the same set."""
        name = f"{self.tile} {self.background} {self.quarter}"
        return np.random.default_rng([look.seed, zlib.crc32(name.encode())])

    def at(self, height: float) -> Points:
        """Table points (4, 3) of the outline at a height."""
        return np.column_stack([self.outline, np.full(4, height)])


def _top_texture(block: Block, look: Look, rng: np.random.Generator) -> Image:
    if block.tile is None:
        texture: Image = blank_face(block.background, look, rng)
    else:
        texture = face(block.tile, look, rng)
    edge = np.zeros((FACE_PX, FACE_PX), np.float32)
    cv2.rectangle(edge, (0, 0), (FACE_PX - 1, FACE_PX - 1), float(rng.uniform(-0.5, 0.6)), 3)
    worn = texture * (1 + edge[..., None]) + np.maximum(edge, 0)[..., None] * 0.04 * look.wear
    return np.asarray(np.rot90(worn, block.quarter), np.float32)


def shadow(canvas: Canvas, camera: Pinhole, block: Block, look: Look, throw: Points) -> None:
    """Darken the table where the block keeps the key light away."""
    foot = camera.project(block.at(0))
    shifted = block.at(0)
    shifted[:, :2] += throw * look.height
    both = np.vstack([foot, camera.project(shifted)]).astype(np.float32)
    hull = cv2.convexHull(both).reshape(-1, 2).astype(np.float64)
    edge_px = float(np.linalg.norm(foot[0] - foot[1]))
    canvas.shade(hull, edge_px * 0.06, 0.95)


def lay_block(
    canvas: Canvas,
    camera: Pinhole,
    block: Block,
    look: Look,
    throw: Points,
    rng: np.random.Generator,
) -> Points:
    """Paint one block and return the corners (4, 2) of its top face in pixels."""
    top = camera.project(block.at(look.height))
    foot = camera.project(block.at(0))
    texture = _top_texture(block, look, rng)
    _sides(canvas, block, look, top, foot, throw, texture)
    _top(canvas, top, texture, look.gloss * float(rng.uniform(0.2, 1.8)), look.rounding)
    return top


def _sides(
    canvas: Canvas, block: Block, look: Look, top: Points, foot: Points, throw: Points, art: Image
) -> None:
    outline = block.outline
    for k in range(4):
        j = (k + 1) % 4
        quad = np.array([top[k], top[j], foot[j], foot[k]])
        ahead, below = top[j] - top[k], foot[k] - top[k]
        if ahead[0] * below[1] - ahead[1] * below[0] >= 0:
            continue
        middle = (outline[k] + outline[j]) / 2 - [block.x, block.y]
        facing = float(-middle @ throw) / (0.5 * float(np.hypot(*throw)) + 1e-6)
        border = (art[2], art[:, -3], art[-3], art[:, 2])[k].mean(0)
        colour = np.array(look.black) if look.black_sides else border
        lit = float(np.clip(0.35 + 0.5 * facing, 0.0, 1.0))
        canvas.polygon(quad, np.asarray(colour, np.float32), look.gloss * 0.3, lit)


def _top(canvas: Canvas, top: Points, texture: Image, gloss: float, rounding: float) -> None:
    box = canvas.box(top)
    if box is None:
        return
    rows, columns = box
    size = (columns.stop - columns.start, rows.stop - rows.start)
    edge_px = float(np.linalg.norm(top - np.roll(top, 1, 0), axis=1).mean())
    edge = int(np.clip(edge_px * 1.2, 12, FACE_PX))
    small = cv2.resize(texture, (edge, edge), interpolation=cv2.INTER_AREA)
    source = np.array([[0, 0], [edge, 0], [edge, edge], [0, edge]], np.float32) - 0.5
    target = (top - [columns.start, rows.start]).astype(np.float32)
    warp = cv2.getPerspectiveTransform(source, target)
    paint = cv2.warpPerspective(small, warp, size, borderMode=cv2.BORDER_REPLICATE)
    corners = []
    for k in range(4):
        for other in (top[k - 1], top[(k + 1) % 4]):
            corners.append(top[k] + (other - top[k]) * rounding)
    mask = canvas.mask(np.array(corners), box)
    canvas.lay(box, mask, np.asarray(paint, np.float32), gloss)
