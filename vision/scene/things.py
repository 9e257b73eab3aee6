"""Things that lie about on a table: cups, pencils, paper, phones, bags, racks, hands."""

from __future__ import annotations

from collections.abc import Callable

import cv2
import numpy as np

from vision.scene.artwork import RGB
from vision.scene.canvas import Canvas, Points
from vision.scene.pinhole import Pinhole
from vision.scene.tables import any_hue

Rng = np.random.Generator
Spot = tuple[float, float]


def ring(radius: float, corners: int = 40) -> Points:
    """A circle as a polygon around the origin."""
    angle = np.linspace(0, 2 * np.pi, corners, endpoint=False)
    return np.stack([np.cos(angle), np.sin(angle)], 1) * radius


def slab(width: float, length: float, turn: float) -> Points:
    """A turned rectangle around the origin."""
    corners = np.array([[-1, -1], [1, -1], [1, 1], [-1, 1]]) * [width / 2, length / 2]
    cos, sin = np.cos(turn), np.sin(turn)
    return np.asarray(corners @ np.array([[cos, sin], [-sin, cos]]))


def at_height(outline: Points, spot: Spot, height: float) -> Points:
    """Table points (N, 3) of an outline moved to a spot."""
    return np.column_stack([outline + np.array(spot), np.full(len(outline), height)])


def dimmed(colour: RGB, factor: float) -> RGB:
    """The colour with so much of its brightness."""
    return colour[0] * factor, colour[1] * factor, colour[2] * factor


def solid(
    canvas: Canvas,
    camera: Pinhole,
    outline: Points,
    spot: Spot,
    height: float,
    colour: RGB,
    gloss: float,
) -> None:
    """A block with this outline: its sides as one dark hull, then its top, with a shadow."""
    foot = camera.project(at_height(outline, spot, 0))
    top = camera.project(at_height(outline, spot, height))
    canvas.shade(foot + (top - foot) * 0.4 + 2, 4, 0.5)
    hull = cv2.convexHull(np.vstack([foot, top]).astype(np.float32)).reshape(-1, 2)
    canvas.polygon(hull.astype(np.float64), dimmed(colour, 0.6), gloss)
    canvas.polygon(top, colour, gloss)


def cup(canvas: Canvas, camera: Pinhole, spot: Spot, rng: Rng) -> None:
    """A mug with something in it."""
    radius = rng.uniform(1.2, 2.2)
    colour = any_hue(rng, rng.uniform(0.02, 0.8), rng.uniform(0, 0.8))
    turn = rng.uniform(0, 2 * np.pi)
    handle = (spot[0] + np.cos(turn) * radius, spot[1] + np.sin(turn) * radius)
    solid(canvas, camera, ring(0.5), handle, 1.5, colour, 0.6)
    solid(canvas, camera, ring(radius), spot, rng.uniform(1.5, 4), colour, 0.6)
    inside = camera.project(at_height(ring(radius * 0.88), spot, 1.5))
    canvas.polygon(inside, any_hue(rng, rng.uniform(0.01, 0.5), rng.uniform(0, 0.9)), 0.3)


def pencil(canvas: Canvas, camera: Pinhole, spot: Spot, rng: Rng) -> None:
    """A pencil in any colour."""
    turn, length = rng.uniform(0, np.pi), rng.uniform(4, 8)
    body = any_hue(rng, rng.uniform(0.1, 0.8), rng.uniform(0.3, 1))
    solid(canvas, camera, slab(0.32, length, turn), spot, 0.3, body, 0.4)


def paper(canvas: Canvas, camera: Pinhole, spot: Spot, rng: Rng) -> None:
    """A sheet with columns of scribbled marks."""
    turn, width, length = rng.uniform(0, np.pi), rng.uniform(3, 8), rng.uniform(4, 10)
    canvas.polygon(
        camera.project(at_height(slab(width, length, turn), spot, 0)), (0.78, 0.78, 0.76), 0.05
    )
    ink = any_hue(rng, rng.uniform(0.02, 0.3), rng.uniform(0, 0.9))
    cos, sin = np.cos(turn), np.sin(turn)
    for x in np.linspace(-width / 2 + 0.6, width / 2 - 0.6, 4):
        for y in np.arange(-length / 2 + 0.5, length / 2 * rng.uniform(-0.5, 1), 0.5):
            mark = slab(rng.uniform(0.05, 0.3), rng.uniform(0.05, 0.25), rng.uniform(0, 3))
            place = (spot[0] + x * cos - y * sin, spot[1] + x * sin + y * cos)
            canvas.polygon(camera.project(at_height(mark, place, 0)), ink, 0.05)


def phone(canvas: Canvas, camera: Pinhole, spot: Spot, rng: Rng) -> None:
    """A phone that lies face up."""
    turn = rng.uniform(0, np.pi)
    solid(canvas, camera, slab(3, 6, turn), spot, 0.3, (0.01, 0.01, 0.012), 0.9)
    if rng.random() < 0.3:
        screen = camera.project(at_height(slab(2.8, 5.5, turn), spot, 0.3))
        canvas.polygon(screen, any_hue(rng, rng.uniform(0.1, 0.9), rng.uniform(0, 0.8)), 0.9)


def bag(canvas: Canvas, camera: Pinhole, spot: Spot, rng: Rng) -> None:
    """A cloth bag: a lumpy heap."""
    outline = ring(1.0, 24) * (rng.uniform(1.8, 3.2) * (1 + 0.12 * rng.standard_normal((24, 1))))
    colour = any_hue(rng, rng.uniform(0.02, 0.6), rng.uniform(0.1, 0.8))
    solid(canvas, camera, outline, spot, rng.uniform(0.5, 2), colour, 0.05)


def counter(canvas: Canvas, camera: Pinhole, spot: Spot, rng: Rng) -> None:
    """A coloured disc, cube or coin: as bright as a symbol, but no tile."""
    outline = (
        ring(rng.uniform(0.2, 0.6)) if rng.random() < 0.6 else slab(0.6, 0.6, rng.uniform(0, 3))
    )
    colour = any_hue(rng, rng.uniform(0.1, 0.8), rng.uniform(0.2, 1))
    solid(canvas, camera, outline, spot, rng.uniform(0, 0.5), colour, 0.4)


def rack(canvas: Canvas, camera: Pinhole, spot: Spot, rng: Rng) -> None:
    """A wooden rack with the backs of tiles."""
    turn, length = rng.uniform(0, np.pi), 7.0
    solid(canvas, camera, slab(1.0, length, turn), spot, 0.6, (0.45, 0.26, 0.12), 0.2)
    cos, sin = np.cos(turn), np.sin(turn)
    for step in np.arange(-3, 3.1, 1.05):
        if rng.random() < 0.75:
            shade = 0.012 if rng.random() < 0.6 else 0.75
            place = (spot[0] - step * sin, spot[1] + step * cos)
            block = slab(rng.uniform(0.4, 0.9), 0.98, turn)
            solid(canvas, camera, block, place, rng.uniform(0.6, 1.6), (shade, shade, shade), 0.2)


SKIN = ((0.62, 0.36, 0.26), (0.45, 0.22, 0.14), (0.22, 0.1, 0.06), (0.1, 0.045, 0.03))


def capsule(start: Points, end: Points, start_width: float, end_width: float) -> Points:
    """The outline of a limb from one point to another."""
    along = (end - start) / max(float(np.linalg.norm(end - start)), 1e-6)
    across = np.array([-along[1], along[0]])
    half = np.linspace(-np.pi / 2, np.pi / 2, 9)[:, None]
    tip = end + end_width * (np.cos(half) * along + np.sin(half) * across)
    root = start + start_width * (-np.cos(half) * along - np.sin(half) * across)
    return np.vstack([tip, root])


def hand(canvas: Canvas, camera: Pinhole, spot: Spot, rng: Rng) -> None:
    """A hand at the spot whose arm comes in from the border of the picture."""
    skin = dimmed(SKIN[rng.integers(len(SKIN))], rng.uniform(0.8, 1.2))
    reach_hand(canvas, camera, spot, rng.uniform(0, 2 * np.pi), skin, rng)


def reach_hand(
    canvas: Canvas,
    camera: Pinhole,
    spot: Spot,
    turn: float,
    skin: RGB,
    rng: Rng,
) -> None:
    """A hand whose finger tips are at the spot and whose arm points in the direction `turn`."""
    away = np.array([np.cos(turn), np.sin(turn)])
    across = np.array([-away[1], away[0]])
    tips = np.array(spot)
    palm = tips + away * 3.2
    parts = [capsule(palm + away * 40, palm + away * 1.5, 2.2, 1.3)]
    parts.append(capsule(palm + away * 1.2, palm, 1.5, 1.7))
    for k in range(4):
        root = palm + across * (k - 1.5) * 0.75 - away
        tip = tips + across * (k - 1.5) * rng.uniform(0.35, 0.75) + away * abs(k - 1.4) * 0.45
        parts.append(capsule(root, tip, 0.45, 0.35))
    parts.append(capsule(palm + across * 1.5, tips + across * 1.9 + away * 1.8, 0.5, 0.4))
    for part in parts:
        canvas.shade(camera.project(at_height(part, (0.6, 0.8), 0)), 6, 0.45)
    for height, tone in ((1.0, 0.75), (1.2, 1.0)):
        for part in parts:
            shrunk = part if tone < 1 else part.mean(0) + (part - part.mean(0)) * 0.93
            outline = camera.project(at_height(shrunk, (0, 0), height))
            canvas.polygon(outline, dimmed(skin, tone), 0.15)


THINGS: dict[str, Callable[[Canvas, Pinhole, Spot, Rng], None]] = {
    "cup": cup,
    "pencil": pencil,
    "paper": paper,
    "phone": phone,
    "bag": bag,
    "counter": counter,
    "rack": rack,
}
