"""Table tops: wood, laminate, glass, felt, cloth and printed boards."""

from __future__ import annotations

from collections.abc import Callable

import cv2
import numpy as np

from scorer.tiles import SHAPES
from vision.scene.artwork import FACE_PX, RGB, Image, speckle, symbol_mask
from vision.scene.pinhole import Pinhole

PLANE_PX = 1024
SPAN = 24.0
"""The texture repeats after this many tile edges; it is PLANE_PX wide."""

Rng = np.random.Generator


def _fill(colour: RGB) -> Image:
    return np.broadcast_to(np.array(colour, np.float32), (PLANE_PX, PLANE_PX, 3)).copy()


def _shaded(texture: Image, amount: Image) -> Image:
    return np.asarray(np.clip(texture * (1 + amount[..., None]), 0.003, 1), np.float32)


def _jitter(rng: Rng, colour: RGB, spread: float) -> RGB:
    red, green, blue = np.clip(np.array(colour) * np.exp(rng.normal(0, spread, 3)), 0.004, 0.92)
    return float(red), float(green), float(blue)


def any_hue(rng: Rng, value: float, saturation: float) -> RGB:
    """A colour of any hue."""
    hsv = np.array([[[rng.uniform(0, 360), saturation, value]]], np.float32)
    red, green, blue = cv2.cvtColor(hsv, cv2.COLOR_HSV2RGB)[0, 0]
    return float(red), float(green), float(blue)


def _wood(rng: Rng, base: RGB) -> Image:
    texture = _fill(_jitter(rng, base, 0.2))
    grain = cv2.resize(
        rng.standard_normal((PLANE_PX // 3, 12)).astype(np.float32), (PLANE_PX, PLANE_PX)
    )
    planks = np.repeat(rng.normal(0, 0.25, 8), PLANE_PX // 8).astype(np.float32)[:, None]
    knots = speckle(rng, (PLANE_PX, PLANE_PX), 40) * 0.2
    amount = grain * rng.uniform(0.03, 0.16) + planks * rng.uniform(0.2, 1) + knots
    seam = PLANE_PX // 8
    amount[::seam] -= rng.uniform(0, 0.5)
    return _shaded(texture, amount)


def light_wood(rng: Rng) -> Image:
    """Beech, oak or pine boards."""
    return _wood(rng, (0.55, 0.34, 0.18))


def dark_wood(rng: Rng) -> Image:
    """Walnut or stained boards."""
    return _wood(rng, (0.16, 0.075, 0.04))


def laminate(rng: Rng) -> Image:
    """A plain, pale top."""
    grey = rng.uniform(0.35, 0.85)
    texture = _fill(_jitter(rng, (grey, grey, grey), 0.05))
    return _shaded(texture, speckle(rng, (PLANE_PX, PLANE_PX), 5) * rng.uniform(0, 0.04))


def dark_glass(rng: Rng) -> Image:
    """Black glass or stone with specks."""
    texture = _fill((0.008, 0.008, 0.009))
    specks = (rng.random((PLANE_PX, PLANE_PX)) > 0.998).astype(np.float32) * rng.uniform(0, 8)
    return _shaded(texture, specks + speckle(rng, (PLANE_PX, PLANE_PX), 30) * 0.3)


def felt(rng: Rng) -> Image:
    """A cloth of one colour."""
    texture = _fill(any_hue(rng, rng.uniform(0.05, 0.6), rng.uniform(0.2, 0.95)))
    fibre = speckle(rng, (PLANE_PX, PLANE_PX), 2) * rng.uniform(0.02, 0.15)
    return _shaded(texture, fibre + speckle(rng, (PLANE_PX, PLANE_PX), 60) * 0.1)


def _weave(rng: Rng) -> Image:
    threads = np.indices((PLANE_PX, PLANE_PX)).sum(0) // 2 % 2
    return np.asarray((threads - 0.5) * rng.uniform(0, 0.25), np.float32)


def _two_hues(rng: Rng) -> tuple[Image, Image]:
    dark = any_hue(rng, rng.uniform(0.02, 0.5), rng.uniform(0, 1))
    pale = any_hue(rng, rng.uniform(0.3, 0.8), rng.uniform(0, 0.5))
    return np.array(dark, np.float32), np.array(pale, np.float32)


def checked(rng: Rng) -> Image:
    """A gingham or chequered cloth; squares may be as large as a tile."""
    dark, pale = _two_hues(rng)
    edge = int(PLANE_PX / SPAN * rng.uniform(0.3, 2.2))
    bands = (np.arange(PLANE_PX) // max(edge, 3) % 2).astype(np.float32)
    level = (
        (bands[:, None] + bands[None]) / 2 if rng.random() < 0.6 else abs(bands[:, None] - bands)
    )
    texture = dark * level[..., None] + pale * (1 - level[..., None])
    return _shaded(texture.astype(np.float32), _weave(rng))


def striped(rng: Rng) -> Image:
    """A cloth with stripes of several colours and widths."""
    texture = _fill(any_hue(rng, rng.uniform(0.05, 0.6), rng.uniform(0, 0.6)))
    for _ in range(rng.integers(4, 30)):
        start, width = rng.integers(0, PLANE_PX), int(PLANE_PX / SPAN * rng.uniform(0.1, 1.5))
        texture[start : start + width] = any_hue(rng, rng.uniform(0.1, 0.8), rng.uniform(0, 0.9))
    return _shaded(texture, _weave(rng))


def patterned(rng: Rng) -> Image:
    """A cloth or board strewn with shapes, some of them like the symbols."""
    texture = _fill(any_hue(rng, rng.uniform(0.05, 0.8), rng.uniform(0, 0.7)))
    hues = [
        np.array(any_hue(rng, rng.uniform(0.1, 0.8), rng.uniform(0, 1)), np.float32) for _ in "abc"
    ]
    for _ in range(rng.integers(10, 120)):
        edge = int(PLANE_PX / SPAN * rng.uniform(0.4, 1.5))
        symbol = symbol_mask(str(rng.choice(SHAPES)), 1.0, 0.145, 0.13, 0.2)
        turn = cv2.getRotationMatrix2D((48, 48), rng.uniform(0, 360), 1)
        mask = cv2.resize(cv2.warpAffine(symbol, turn, (FACE_PX, FACE_PX)), (edge, edge))[..., None]
        x, y = rng.integers(0, PLANE_PX - edge, 2)
        spot = texture[y : y + edge, x : x + edge]
        spot[:] = spot * (1 - mask) + hues[rng.integers(3)] * mask
    return _shaded(texture, _weave(rng))


def printed_board(rng: Rng) -> Image:
    """A pale board with a grid of lines, framed digits and faint pictures."""
    paper = np.array(any_hue(rng, rng.uniform(0.5, 0.85), rng.uniform(0, 0.2)), np.float32)
    texture = np.broadcast_to(paper, (PLANE_PX, PLANE_PX, 3)).copy()
    line, width = any_hue(rng, rng.uniform(0.1, 0.5), 0.8), int(rng.integers(1, 3))
    step = PLANE_PX / SPAN
    for k in range(int(SPAN) + 1):
        at = int((k + 0.5) * step)
        cv2.line(texture, (at, 0), (at, PLANE_PX), line, width, cv2.LINE_8)
        cv2.line(texture, (0, at), (PLANE_PX, at), line, width, cv2.LINE_8)
    frame, digit = (
        any_hue(rng, rng.uniform(0.3, 0.8), 0.9),
        any_hue(rng, rng.uniform(0.2, 0.7), 0.95),
    )
    border, share = int(rng.integers(1, 7)), rng.uniform(0.05, 0.6)
    for row in range(int(SPAN) - 1):
        for column in range(int(SPAN) - 1):
            corner = int((column + 0.5) * step) + 2, int((row + 0.5) * step) + 2
            if rng.random() < share:
                _framed_digit(texture, corner, int(step) - 3, frame, digit, border, rng)
            elif rng.random() < 0.15:
                _faint_picture(texture, corner, int(step) - 3, paper, rng)
    return texture


def _framed_digit(
    texture: Image, corner: tuple[int, int], edge: int, frame: RGB, ink: RGB, border: int, rng: Rng
) -> None:
    pattern = np.zeros((edge, edge), np.uint8)
    text, size = str(rng.integers(1, 10)), edge / rng.uniform(30, 46)
    (width, height), _ = cv2.getTextSize(text, cv2.FONT_HERSHEY_DUPLEX, size, 3)
    place = ((edge - width) // 2, (edge + height) // 2)
    cv2.putText(pattern, text, place, cv2.FONT_HERSHEY_DUPLEX, size, 255, int(rng.integers(2, 6)))
    turn = cv2.getRotationMatrix2D(
        (edge / 2, edge / 2), float(rng.choice([0, 20, 45, 90, 180, 225])), 1
    )
    cover = np.asarray(cv2.warpAffine(pattern, turn, (edge, edge)) / 255, np.float32)[..., None]
    x, y = corner
    spot = texture[y : y + edge, x : x + edge]
    spot[:] = spot * (1 - cover) + np.array(ink, np.float32) * cover
    cv2.rectangle(texture, corner, (x + edge, y + edge), frame, border)


def _faint_picture(
    texture: Image, corner: tuple[int, int], edge: int, paper: Image, rng: Rng
) -> None:
    symbol = symbol_mask(str(rng.choice(SHAPES)), 1.0, 0.145, 0.13, 0.2)
    cover = np.asarray(cv2.resize(symbol, (edge, edge)))[..., None]
    x, y = corner
    spot = texture[y : y + edge, x : x + edge]
    spot[:] = spot * (1 - cover) + paper * rng.uniform(0.6, 0.9) * cover


TABLES: dict[str, Callable[[Rng], Image]] = {
    "light wood": light_wood,
    "dark wood": dark_wood,
    "laminate": laminate,
    "dark glass": dark_glass,
    "felt": felt,
    "checked cloth": checked,
    "striped cloth": striped,
    "patterned cloth": patterned,
    "printed board": printed_board,
}


def spread(texture: Image, camera: Pinhole, turn: float) -> Image:
    """The texture as the camera sees it on the table, linear RGB (H, W, 3)."""
    scale = PLANE_PX / SPAN
    cos, sin = np.cos(turn) / scale, np.sin(turn) / scale
    half = SPAN / 2
    to_plane = np.array([[cos, -sin, -half], [sin, cos, -half], [0, 0, 1]])
    seen = cv2.warpPerspective(
        texture,
        camera.plane() @ to_plane,
        camera.size_wh,
        flags=cv2.INTER_LINEAR,
        borderMode=cv2.BORDER_WRAP,
    )
    return np.asarray(seen, np.float32)
