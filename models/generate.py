"""Seeded random tables for training: any set, table, light, camera and clutter."""

from __future__ import annotations

from dataclasses import dataclass
from functools import partial

import numpy as np
import numpy.typing as npt

from scorer.tiles import BACKGROUNDS, COLOURS, SHAPES, Cell, Tile
from vision.scene.artwork import INKS, RGB, SPLITS, Look
from vision.scene.blocks import Block
from vision.scene.canvas import Canvas, Points
from vision.scene.light import Glare, Light, Patch
from vision.scene.pinhole import Pinhole
from vision.scene.sensor import Sensor
from vision.scene.table import Drawn, Painter, Table, draw
from vision.scene.tables import TABLES
from vision.scene.things import THINGS, Spot, hand, ring, slab

Rng = np.random.Generator
FRAME_WH = (960, 720)

TABLE_SHARES = {
    "light wood": 0.12,
    "dark wood": 0.10,
    "laminate": 0.11,
    "dark glass": 0.12,
    "felt": 0.08,
    "checked cloth": 0.16,
    "striped cloth": 0.09,
    "patterned cloth": 0.07,
    "printed board": 0.15,
}
"""Tables on which a piece of the surface can pass for a tile come more often."""


@dataclass(frozen=True, slots=True)
class Sample:
    """A drawn frame with its truth: the blocks that show a face, and their corners in pixels."""

    drawn: Drawn
    table: Table


def sample(seed: int) -> Sample:
    """One random table; the same seed gives the same picture."""
    rng = np.random.default_rng(seed)
    table = random_table(rng)
    return Sample(draw(table, rng), table)


def random_table(rng: Rng) -> Table:
    """Everything about a table drawn by lot."""
    edition = str(rng.choice(["classic", "white", "flex", "any"], p=[0.2, 0.15, 0.5, 0.15]))
    look = random_look(rng)
    camera = random_camera(rng)
    kind = str(rng.choice(list(TABLE_SHARES), p=list(TABLE_SHARES.values())))
    layout = _layout(rng, edition)
    blocks = layout + [b for b in _strays(rng, edition) if _is_apart(b, layout)]
    gloss = rng.uniform(0.3, 1.0) if kind in ("dark glass", "laminate") else rng.uniform(0, 0.4)
    return Table(
        camera=camera,
        texture=TABLES[kind](rng),
        blocks=tuple(blocks),
        look=look,
        light=random_light(rng, camera),
        sensor=random_sensor(rng),
        texture_turn=0.0 if rng.random() < 0.4 else rng.uniform(0, 2 * np.pi),
        table_gloss=gloss,
        under=tuple(_clutter(rng)),
        over=tuple(_hands(rng)),
    )


def _rgb(values: npt.NDArray[np.float64]) -> RGB:
    red, green, blue = values
    return float(red), float(green), float(blue)


def random_look(rng: Rng) -> Look:
    """A printed set: inks keep their order of hue, everything else varies."""
    depth = rng.uniform(0.55, 1.2)
    inks = {}
    for name, ink in INKS.items():
        own = np.array(ink) * depth * np.exp(rng.normal(0, [0.16, 0.16, 0.22]))
        if name == "orange":
            own[1] = np.clip(own[1], own[0] * 0.12, own[0] * 0.30)
        if name == "red":
            own[1] = min(own[1], own[0] * 0.06)
            own[2] = own[0] * rng.uniform(0.02, 0.13)
        if name == "white":
            own = np.full(3, rng.uniform(0.5, 0.9)) * rng.uniform(0.94, 1.06, 3)
        pale = rng.uniform(0, 0.03)
        inks[name] = _rgb(np.clip(own + pale, 0.004, 0.95))
    grey, white = rng.uniform(0.004, 0.045), rng.uniform(0.45, 0.9)
    return Look(
        inks=inks,
        black=_rgb(grey * rng.uniform(0.85, 1.15, 3)),
        white=_rgb(white * rng.uniform(0.92, 1.04, 3)),
        split=str(rng.choice(SPLITS)),
        split_white_first=bool(rng.random() < 0.5),
        scale=rng.uniform(0.82, 1.06),
        leaf=rng.uniform(0.125, 0.175),
        star4_waist=rng.uniform(0.10, 0.19),
        star8_waist=rng.uniform(0.17, 0.27),
        wear=rng.uniform(0, 1),
        height=rng.uniform(0.3, 0.65),
        black_sides=bool(rng.random() < 0.4),
        gloss=rng.uniform(0.05, 0.8),
        rounding=rng.uniform(0, 0.08),
        seed=int(rng.integers(2**31)),
    )


def random_camera(rng: Rng) -> Pinhole:
    """From straight above to 38 degrees off, any roll, 26 to 95 pixels a tile."""
    edge_px = float(np.exp(rng.uniform(np.log(26), np.log(95))))
    focal = FRAME_WH[0] * rng.uniform(0.7, 1.5)
    tilt = np.deg2rad(rng.uniform(0, 38)) if rng.random() < 0.85 else 0.0
    aim = (rng.normal(0, 1.5), rng.normal(0, 1.5))
    azimuth, roll = rng.uniform(0, 2 * np.pi, 2)
    return Pinhole(FRAME_WH, focal, focal / edge_px, tilt, azimuth, roll, aim)


def random_tile(rng: Rng, edition: str) -> Tile:
    """A tile of the edition, every face as likely as any other."""
    shape = SHAPES[rng.integers(6)]
    if edition == "any":
        return Tile(shape, COLOURS[rng.integers(7)], "black" if rng.random() < 0.5 else "split")
    colours = [c for c in COLOURS if c != ("purple" if edition == "white" else "white")]
    background = BACKGROUNDS[rng.integers(3)] if edition == "flex" else "black"
    return Tile(shape, colours[rng.integers(6)], background)


def _cells(rng: Rng) -> list[Cell]:
    """A connected layout grown from lines, as in a game."""
    cells = {(0, 0)}
    wanted = int(np.exp(rng.uniform(0, np.log(60)))) if rng.random() < 0.6 else rng.integers(8, 50)
    while len(cells) < wanted:
        x, y = list(cells)[rng.integers(len(cells))]
        dx, dy = ((1, 0), (-1, 0), (0, 1), (0, -1))[rng.integers(4)]
        for step in range(1, int(rng.integers(2, 6))):
            cells.add((x + dx * step, y + dy * step))
    return sorted(cells)


def _layout(rng: Rng, edition: str) -> list[Block]:
    pitch = 1 + abs(rng.normal(0, 0.04))
    wobble, turn = rng.uniform(0, 0.05), rng.uniform(0, 0.05)
    drift = rng.normal(0, 0.012, (2, 2))
    few = [random_tile(rng, edition) for _ in range(int(rng.integers(2, 7)))]
    blocks = []
    cells = _cells(rng)
    middle = np.mean(cells, 0)
    for x, y in cells:
        place = (np.array([x, y]) - middle) * pitch
        place = place + drift @ place + rng.normal(0, wobble, 2)
        tile = random_tile(rng, edition)
        if rng.random() < 0.3:
            like = few[rng.integers(len(few))]
            tile = tile._replace(colour=like.colour)
        blocks.append(Block(place[0], place[1], rng.normal(0, turn), tile, int(rng.integers(4))))
    return blocks


def _strays(rng: Rng, edition: str) -> list[Block]:
    """Single tiles, short rows and face-down tiles away from the layout."""
    blocks: list[Block] = []
    for _ in range(rng.integers(0, 5)):
        spot, turn = rng.uniform(-11, 11, 2), rng.uniform(0, np.pi)
        along = np.array([np.cos(turn), np.sin(turn)])
        is_down = rng.random() < 0.6
        for k in range(int(rng.integers(1, 4))):
            x, y = spot + along * k * rng.uniform(1.01, 1.5)
            tile = None if is_down else random_tile(rng, edition)
            down = BACKGROUNDS[rng.integers(2)]
            blocks.append(Block(x, y, turn + rng.normal(0, 0.1), tile, int(rng.integers(4)), down))
    return blocks


def _is_apart(block: Block, layout: list[Block]) -> bool:
    return all(np.hypot(block.x - other.x, block.y - other.y) > 1.45 for other in layout)


def _clutter(rng: Rng) -> list[Painter]:
    painters: list[Painter] = []
    for name in rng.choice(list(THINGS), int(rng.integers(0, 6))):
        angle, away = rng.uniform(0, 2 * np.pi), rng.uniform(3, 14)
        spot = (away * np.cos(angle), away * np.sin(angle))
        painters.append(partial(_thing, name=str(name), spot=spot, seed=int(rng.integers(2**31))))
    return painters


def _thing(canvas: Canvas, camera: Pinhole, name: str, spot: Spot, seed: int) -> None:
    THINGS[name](canvas, camera, spot, np.random.default_rng(seed))


def _hands(rng: Rng) -> list[Painter]:
    if rng.random() > 0.12:
        return []
    spot = (float(rng.normal(0, 4)), float(rng.normal(0, 4)))
    return [lambda canvas, camera: hand(canvas, camera, spot, np.random.default_rng(1))]


def _tint(rng: Rng, spread: float) -> RGB:
    """A light between candle and blue sky, with a little green or magenta."""
    warmth, green = rng.normal(0, spread), rng.normal(0, spread * 0.25)
    return (float(np.exp(warmth)), float(np.exp(green)), float(np.exp(-warmth * 1.3)))


def _spot_px(rng: Rng) -> Points:
    return np.asarray(rng.uniform(0.1, 0.9, 2) * np.array(FRAME_WH))


def random_light(rng: Rng, camera: Pinhole) -> Light:
    """Lamp, window or both; sometimes a hard shadow, a patch of sun, mirrored lamps."""
    balance = _tint(rng, 0.16)
    sky = np.array(_tint(rng, 0.15)) * balance
    patches, glares = [], []
    while rng.random() < 0.35:
        size = rng.uniform(80, 500)
        outline = slab(size, size * rng.uniform(0.3, 3), rng.uniform(0, np.pi)) + _spot_px(rng)
        factor = rng.uniform(0.05, 0.6) if rng.random() < 0.65 else rng.uniform(1.5, 4)
        patches.append(Patch(outline, factor, rng.uniform(0, 30), _tint(rng, 0.1)))
    while rng.random() < 0.5:
        size = float(np.exp(rng.uniform(np.log(20), np.log(260))))
        shape = ring(size) if rng.random() < 0.5 else slab(size * 2, size, rng.uniform(0, 3))
        strength = np.exp(rng.uniform(np.log(0.1), np.log(3)))
        glares.append(Glare(shape + _spot_px(rng), strength, size * rng.uniform(0.05, 0.8)))
    angle, length = rng.uniform(0, 2 * np.pi), abs(rng.normal(0, 0.8))
    ambient = rng.uniform(0.15, 1.2) * sky
    return Light(
        key=balance,
        ambient=_rgb(ambient),
        throw=(length * np.cos(angle), length * np.sin(angle)),
        slope=(rng.normal(0, 0.4), rng.normal(0, 0.4)),
        patches=tuple(patches),
        glares=tuple(glares),
    )


def random_sensor(rng: Rng) -> Sensor:
    """From a good phone to a poor webcam."""
    warmth = rng.normal(0, 0.14)
    balance = (float(np.exp(warmth)), float(np.exp(rng.normal(0, 0.04))), float(np.exp(-warmth)))
    is_poor = rng.random() < 0.35
    shake = 3.0 if is_poor and rng.random() < 0.3 else 0.0
    return Sensor(
        exposure=float(np.exp(rng.normal(-0.3, 0.5))),
        balance=balance,
        saturation=rng.uniform(0.6, 1.5),
        contrast=rng.uniform(-0.2, 0.9),
        haze=rng.uniform(0, 0.3) if is_poor else 0.0,
        gamma=rng.uniform(1.8, 2.4),
        blur_px=abs(rng.normal(0, 1.3 if is_poor else 0.5)),
        motion_px=(rng.normal(0, shake), rng.normal(0, shake)),
        noise=abs(rng.normal(0, 0.06 if is_poor else 0.015)),
        sharpen=rng.uniform(0, 1.2) if rng.random() < 0.4 else 0.0,
        jpeg=int(rng.integers(25, 96)),
    )
