"""Light on the table: lamps and windows, shadows and patches of sun, glare."""

from __future__ import annotations

from dataclasses import dataclass, field

import cv2
import numpy as np

from vision.scene.artwork import RGB, Image
from vision.scene.canvas import Canvas, Points


@dataclass(frozen=True, slots=True)
class Patch:
    """A region of the picture (polygon in pixels) whose key light is multiplied by `factor`."""

    polygon_px: Points
    factor: float
    soft_px: float
    tint: RGB = (1.0, 1.0, 1.0)


@dataclass(frozen=True, slots=True)
class Glare:
    """A mirrored lamp or window: light added in proportion to a surface's gloss."""

    polygon_px: Points
    strength: float
    soft_px: float


@dataclass(frozen=True, slots=True)
class Light:
    """One lighting of the table; `throw` is how far a shadow reaches per unit of height."""

    key: RGB = (1.0, 1.0, 1.0)
    ambient: RGB = (0.35, 0.35, 0.35)
    throw: tuple[float, float] = (0.4, 0.3)
    slope: tuple[float, float] = (0.0, 0.0)
    patches: tuple[Patch, ...] = field(default=())
    glares: tuple[Glare, ...] = field(default=())


def _soft(shape: tuple[int, ...], polygon_px: Points, soft_px: float) -> Image:
    """A blurred polygon, made on a quarter-size picture since it has no fine detail."""
    small = np.zeros((shape[0] // 4 + 1, shape[1] // 4 + 1), np.uint8)
    cv2.fillPoly(small, [np.rint(polygon_px * 4).astype(np.int32)], 255, cv2.LINE_AA, 4)
    mask: Image = np.asarray(small / 255, np.float32)
    if soft_px > 2:
        mask = np.asarray(cv2.GaussianBlur(mask, (0, 0), soft_px / 4), np.float32)
    return np.asarray(cv2.resize(mask, (shape[1], shape[0])), np.float32)


def illuminate(canvas: Canvas, light: Light) -> Image:
    """The radiance (H, W, 3) that reaches the camera, linear RGB."""
    shape = canvas.albedo.shape
    rows = np.linspace(-0.5, 0.5, shape[0], dtype=np.float32)[:, None]
    columns = np.linspace(-0.5, 0.5, shape[1], dtype=np.float32)[None]
    level = np.clip(1 + light.slope[0] * columns + light.slope[1] * rows, 0.15, 3)
    lit = (canvas.lit * level)[..., None] * np.array(light.key, np.float32)
    for patch in light.patches:
        mask = _soft(shape, patch.polygon_px, patch.soft_px)[..., None]
        lit *= 1 + mask * (patch.factor * np.array(patch.tint, np.float32) - 1)
    radiance = canvas.albedo * (lit + np.array(light.ambient, np.float32) * level[..., None])
    for glare in light.glares:
        added = _soft(shape, glare.polygon_px, glare.soft_px) * glare.strength * canvas.gloss
        radiance += added[..., None] * np.array(light.key, np.float32)
    return np.asarray(radiance, np.float32)
