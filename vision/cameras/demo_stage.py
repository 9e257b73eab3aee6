"""The simulated table as a picture: drawn once, then only changed where something changed.

A whole drawing takes a third of a second; a new tile redraws its neighbourhood only, and hands,
light and noise are put over the finished 8-bit picture, so that a frame of the light stream costs
about a millisecond.
"""

from __future__ import annotations

from dataclasses import dataclass, replace

import cv2
import numpy as np
import numpy.typing as npt

from scorer.tiles import Cell, Tile
from vision.cameras.base import GLANCE_WH, Frame, Grey
from vision.scene.artwork import Look
from vision.scene.blocks import Block, lay_block, shadow
from vision.scene.canvas import Canvas, Points
from vision.scene.light import Light, illuminate
from vision.scene.pinhole import Pinhole
from vision.scene.sensor import Sensor, develop
from vision.scene.tables import TABLES, spread
from vision.scene.things import SKIN, capsule

PICTURE_WH = (1280, 960)
TILE_PX = 46.0
"""Pitch of the layout in the middle of the picture, so that about 27 x 20 tiles fit in."""
REDRAWN = 2.2
"""Tile edges around a new tile within which shadows and sides of others may change."""
NOISE_GREY = 2.0
"""Standard deviation of a pixel in grey levels: a webcam indoors has 1.5 to 3."""
SURFACES = ("light wood", "laminate", "felt", "dark wood")


@dataclass(frozen=True, slots=True)
class Hand:
    """A hand whose finger tips are at (x, y) in tile edges and whose arm points away at `turn`."""

    x: float
    y: float
    turn: float
    skin: int = 0


@dataclass(frozen=True, slots=True)
class Pose:
    """Where the layout lies: moved by (x, y) tile edges and turned (radians) about the middle."""

    x: float = 0.0
    y: float = 0.0
    turn: float = 0.0

    def moved(self, point: tuple[float, float]) -> tuple[float, float]:
        """A point of the layout on the table."""
        cos, sin = np.cos(self.turn), np.sin(self.turn)
        x, y = point
        return float(cos * x - sin * y + self.x), float(sin * x + cos * y + self.y)


class Stage:
    """A table, a camera above it and the tiles that lie there."""

    def __init__(self, seed: int) -> None:
        """Choose table, light, camera and tile set by the seed."""
        rng = np.random.default_rng((seed, 1))
        self._seed = seed
        self._rng = np.random.default_rng((seed, 2))
        self._camera = _camera(rng)
        surface = SURFACES[int(rng.integers(len(SURFACES)))]
        self._texture = TABLES[surface](rng)
        self._texture_turn = float(rng.uniform(0, np.pi))
        self._look = Look(split=str(rng.choice(["/", "|", "\\"])), gloss=0.1)
        self._light = Light(throw=(float(rng.uniform(-0.5, 0.5)), float(rng.uniform(-0.5, 0.5))))
        self._sensor = Sensor(exposure=float(rng.uniform(0.6, 0.75)))
        self._jitter = np.random.default_rng((seed, 3)).normal(0, 1, (128, 3))
        self._noise = _noise_sheet(self._rng)
        self._tiles: dict[Cell, tuple[Tile, int]] = {}
        self._pose = Pose()
        self._count = 0
        self._draw_all()

    @property
    def tiles(self) -> dict[Cell, Tile]:
        """What lies on the table."""
        return {cell: tile for cell, (tile, _) in self._tiles.items()}

    def lay(self, cell: Cell, tile: Tile) -> None:
        """Put a tile down."""
        self._tiles[cell] = (tile, self._count % len(self._jitter))
        self._count += 1
        self._draw_around(cell)

    def take(self, cell: Cell) -> None:
        """Take a tile away."""
        del self._tiles[cell]
        self._draw_all()

    def nudge(self, pose: Pose) -> None:
        """Push the layout to another place on the table."""
        self._pose = pose
        self._draw_all()

    def push(self, shift: tuple[float, float], roll: float) -> None:
        """Push the camera: it aims elsewhere and is turned a little."""
        x, y = self._camera.aim
        self._camera = replace(
            self._camera, aim=(x + shift[0], y + shift[1]), roll=self._camera.roll + roll
        )
        self._draw_all()

    def corners_px(self, cell: Cell) -> Points:
        """The corners (4, 2) of the top face of the tile on a cell."""
        return self._camera.project(self._block(cell).at(self._look.height))

    def is_in_view(self, cell: Cell) -> bool:
        """Whether a tile on this cell would be in the picture as a whole."""
        spot = self._pose.moved((cell[0] * 1.03, cell[1] * 1.03))
        corners = self._camera.project(Block(*spot, 0.0, None).at(0.0))
        size = np.array(PICTURE_WH)
        return bool(((corners > 8) & (corners < size - 8)).all())

    def picture(self, hands: tuple[Hand, ...] = (), gain: float = 1.0) -> Frame:
        """The full picture (960, 1280, 3) with hands over the table and another light."""
        frame = self._clean.copy()
        for hand in hands:
            _paint_hand(frame, self._camera, hand, 1.0)
        return self._through_sensor(frame, gain)

    def glance(self, hands: tuple[Hand, ...] = (), gain: float = 1.0) -> Grey:
        """The grey picture (240, 320) of the light stream."""
        grey = self._small.copy()
        for hand in hands:
            _paint_hand(grey, self._camera, hand, GLANCE_WH[0] / PICTURE_WH[0])
        return self._through_sensor(grey, gain)

    def _through_sensor(self, image: npt.NDArray[np.uint8], gain: float) -> npt.NDArray[np.uint8]:
        dy, dx = self._rng.integers(0, 64, 2)
        height, width = image.shape[:2]
        noise = self._noise[dy : dy + height, dx : dx + width]
        if image.ndim == 2:
            noise = noise[..., 0]
        lit = cv2.convertScaleAbs(image, alpha=gain) if gain != 1.0 else image
        return np.asarray(cv2.add(lit, noise, dtype=cv2.CV_8U), np.uint8)

    def _block(self, cell: Cell) -> Block:
        tile, number = self._tiles[cell]
        dx, dy, turn = self._jitter[number] * (0.015, 0.015, 0.012)
        x, y = self._pose.moved((cell[0] * 1.03 + float(dx), cell[1] * 1.03 + float(dy)))
        return Block(x, y, self._pose.turn + float(turn), tile, number % 4)

    def _draw_all(self) -> None:
        albedo = spread(self._texture, self._camera, self._texture_turn)
        self._canvas = Canvas.covered_by(albedo, 0.05)
        self._paint(list(self._tiles), list(self._tiles))
        self._develop((slice(0, PICTURE_WH[1]), slice(0, PICTURE_WH[0])))

    def _draw_around(self, cell: Cell) -> None:
        x, y = cell
        near = [c for c in self._tiles if max(abs(c[0] - x), abs(c[1] - y)) <= REDRAWN]
        self._paint([cell], near)
        outline = np.vstack([self._camera.project(self._block(c).at(0.0)) for c in near])
        box = self._canvas.box(outline, margin=round(TILE_PX))
        if box is not None:
            self._develop(box)

    def _paint(self, shadowed: list[Cell], laid: list[Cell]) -> None:
        throw = np.array(self._light.throw)
        for cell in shadowed:
            shadow(self._canvas, self._camera, self._block(cell), self._look, throw)
        _, place = self._camera.pose
        blocks = [(self._block(cell), self._tiles[cell][1]) for cell in laid]
        blocks.sort(key=lambda each: -float(np.hypot(each[0].x - place[0], each[0].y - place[1])))
        for block, number in blocks:
            rng = np.random.default_rng((self._seed, 4, number))
            lay_block(self._canvas, self._camera, block, self._look, throw, rng)

    def _develop(self, box: tuple[slice, slice]) -> None:
        part = Canvas(self._canvas.albedo[box], self._canvas.lit[box], self._canvas.gloss[box])
        clean = develop(illuminate(part, self._light), self._sensor, self._rng)
        if part.size_wh == PICTURE_WH:
            self._clean = clean
        else:
            self._clean[box] = clean
        small = cv2.resize(self._clean, GLANCE_WH, interpolation=cv2.INTER_AREA)
        self._small = np.asarray(cv2.cvtColor(small, cv2.COLOR_BGR2GRAY), np.uint8)


def _camera(rng: np.random.Generator) -> Pinhole:
    distance = 34.0
    return Pinhole(
        PICTURE_WH,
        TILE_PX * (distance - 0.5),
        distance,
        tilt=float(rng.uniform(0.05, 0.22)),
        azimuth=float(-np.pi / 2 + rng.normal(0, 0.1)),
        roll=float(rng.normal(0, 0.04)),
    )


def _noise_sheet(rng: np.random.Generator) -> npt.NDArray[np.int16]:
    shape = (PICTURE_WH[1] + 64, PICTURE_WH[0] + 64, 3)
    sheet = rng.standard_normal(shape, dtype=np.float32) * NOISE_GREY
    return np.asarray(np.rint(sheet), np.int16)


def _paint_hand(image: npt.NDArray[np.uint8], camera: Pinhole, hand: Hand, scale: float) -> None:
    """Lay a hand with its shadow over a finished picture, colour or grey."""
    linear = np.array(SKIN[hand.skin % len(SKIN)])
    bgr = np.clip(linear[::-1] * 0.8, 0, 1) ** (1 / 2.2) * 255
    grey = float(bgr @ (0.114, 0.587, 0.299))
    parts = _limbs(hand)
    shade = np.zeros(image.shape[:2], np.uint8)
    for part in parts:
        _fill(shade, camera, part + np.array([0.5, 0.6]), 0.0, scale, 90.0)
    dark = cv2.convertScaleAbs(image, alpha=0.6)
    np.copyto(image, dark, where=(shade > 0) if image.ndim == 2 else (shade > 0)[..., None])
    for height, tone in ((1.0, 0.8), (1.2, 1.0)):
        for part in parts:
            shrunk = part if tone < 1 else part.mean(0) + (part - part.mean(0)) * 0.93
            colour = grey * tone if image.ndim == 2 else tuple(float(c) * tone for c in bgr)
            _fill(image, camera, shrunk, height, scale, colour)


def _limbs(hand: Hand) -> list[Points]:
    away = np.array([np.cos(hand.turn), np.sin(hand.turn)])
    across = np.array([-away[1], away[0]])
    tips = np.array([hand.x, hand.y])
    palm = tips + away * 3.2
    parts = [capsule(palm + away * 40, palm + away * 1.5, 2.2, 1.3)]
    parts.append(capsule(palm + away * 1.2, palm, 1.5, 1.7))
    for k, reach in enumerate((0.65, 0.2, 0.3, 0.8)):
        root = palm + across * (k - 1.5) * 0.75 - away
        parts.append(capsule(root, tips + across * (k - 1.5) * 0.55 + away * reach, 0.45, 0.35))
    parts.append(capsule(palm + across * 1.5, tips + across * 1.9 + away * 1.8, 0.5, 0.4))
    return parts


def _fill(
    image: npt.NDArray[np.uint8],
    camera: Pinhole,
    outline: Points,
    height: float,
    scale: float,
    colour: float | tuple[float, ...],
) -> None:
    points = camera.project(np.column_stack([outline, np.full(len(outline), height)])) * scale
    # Arms reach far out of the picture; OpenCV's fixed-point corners overflow beyond that.
    pixels = np.rint(np.clip(points, -4000, 4000) * 16).astype(np.int32)
    value = colour if isinstance(colour, tuple) else (colour,)
    cv2.fillPoly(image, [pixels], value, cv2.LINE_AA, 4)
