"""Is a hand in the way? One look compared with the last free look, in colour.

A hand with its arm is large, comes in from the border and reaches the tiles. Cups, bags and
phones that were moved, a new light or a pushed camera are none of that.
"""

from __future__ import annotations

from collections.abc import Sequence
from copy import copy
from dataclasses import dataclass

import cv2
import numpy as np
import numpy.typing as npt

from vision.cameras.base import Frame

LONG_SIDE_PX = 320
CHANGED_GREY = 10.0
"""Least change of a pixel's strongest channel: 95 % of 59 free real photos stay below 9, and the
pale hand on a wooden table has 26 on average."""
SPECK_PX = 12
REACHING_TILES = 10.0
"""Least size, in tile areas, of something that comes from the border and reaches the layout; the
drawn and rendered hands cover 70 and more."""
LARGE_TILES = 45.0
"""Least size of something that comes from the border to be in the way wherever it is; moved bags
and cups reach 25 (63 rendered looks)."""
TOUCH_TILES = 0.8
"""How near to a tile something must come to reach the layout, in tile edges."""
ECC_STEPS = 40

Mask = npt.NDArray[np.uint8]


@dataclass(frozen=True, slots=True)
class SmallLook:
    """A look reduced for comparing: BGR with a long side of 320 px; `scale` leads there."""

    bgr: Frame
    scale: float


def small_look(frame_bgr: Frame) -> SmallLook:
    """Reduce a full picture."""
    scale = LONG_SIDE_PX / max(frame_bgr.shape[:2])
    size = (round(frame_bgr.shape[1] * scale), round(frame_bgr.shape[0] * scale))
    return SmallLook(
        np.asarray(cv2.resize(frame_bgr, size, interpolation=cv2.INTER_AREA), np.uint8), scale
    )


def is_obstructed(
    before: SmallLook, now: SmallLook, quads_px: Sequence[npt.NDArray[np.float32]]
) -> bool:
    """Whether a hand is in the way, given the corners (4, 2) of all tiles, old and new."""
    if before.bgr.shape != now.bgr.shape:
        return False
    if not _is_in_the_way(_changed(before.bgr, now.bgr), now.scale, quads_px):
        return False
    pushed = moved_onto(before, now)
    settled = before if pushed is None else pushed.look
    return _is_in_the_way(_changed(settled.bgr, now.bgr), now.scale, quads_px)


class ChangeMap:
    """How much each cell changed between two looks from the same place."""

    def __init__(self, before: SmallLook, now: SmallLook) -> None:
        """Compare two looks."""
        is_alike = before.bgr.shape == now.bgr.shape
        self._change = _change(before.bgr, now.bgr) if is_alike else np.zeros((1, 1), np.float32)
        self._scale = now.scale

    def without(self, quads_px: Sequence[npt.NDArray[np.float32]]) -> ChangeMap:
        """The same with the places of these tiles taken as unchanged: they are explained."""
        explained, _ = _tile_mask(self._change.shape, self._scale, quads_px, margin=1.12)
        other = copy(self)
        other._change = np.where(explained > 0, np.float32(0), self._change)
        return other

    def cell(self, quad_px: npt.NDArray[np.float32]) -> float:
        """Mean change in grey levels of the middle of a cell with these corners (4, 2)."""
        middle = quad_px.mean(0)
        inner = (middle + (quad_px - middle) * 0.7) * self._scale
        mask = np.zeros(self._change.shape, np.uint8)
        cv2.fillConvexPoly(mask, np.rint(inner).astype(np.int32), 1)
        change = self._change[mask > 0]
        return float(change.mean()) if len(change) else 0.0


def _change(before: Frame, now: Frame) -> npt.NDArray[np.float32]:
    """Change of each pixel's strongest channel in grey levels, the light evened out."""
    old, new = before.astype(np.float32) + 4, now.astype(np.float32) + 4
    old = old * np.median(new / old, axis=(0, 1))
    return np.asarray(np.abs(cv2.blur(old, (3, 3)) - cv2.blur(new, (3, 3))).max(2), np.float32)


def _changed(before: Frame, now: Frame) -> Mask:
    """Pixels that differ by more than light and noise explain, cleaned of specks."""
    changed = (_change(before, now) > CHANGED_GREY).astype(np.uint8)
    opened = cv2.morphologyEx(changed, cv2.MORPH_OPEN, np.ones((3, 3), np.uint8))
    closed = cv2.morphologyEx(opened, cv2.MORPH_CLOSE, np.ones((5, 5), np.uint8))
    return np.asarray(closed, np.uint8)


def _is_in_the_way(
    changed: Mask, scale: float, quads_px: Sequence[npt.NDArray[np.float32]]
) -> bool:
    tiles, tile_px = _tile_mask(changed.shape, scale, quads_px)
    foreign = changed & ~tiles
    reach = max(1, round(TOUCH_TILES * tile_px))
    near = cv2.dilate(tiles, np.ones((2 * reach + 1, 2 * reach + 1), np.uint8))
    count, labels, stats, _ = cv2.connectedComponentsWithStats(foreign, connectivity=8)
    border = set(labels[0]) | set(labels[-1]) | set(labels[:, 0]) | set(labels[:, -1])
    for label in range(1, count):
        area = stats[label, cv2.CC_STAT_AREA] / tile_px**2
        if label not in border or area < REACHING_TILES:
            continue
        if area >= LARGE_TILES or bool(near[labels == label].any()):
            return True
    return False


def _tile_mask(
    shape: tuple[int, ...],
    scale: float,
    quads_px: Sequence[npt.NDArray[np.float32]],
    margin: float = 1.25,
) -> tuple[Mask, float]:
    """Where the tiles lie, each with a margin for its side and shadow, and their edge in px."""
    mask: Mask = np.zeros(shape, np.uint8)
    if not quads_px:
        return mask, LONG_SIDE_PX / 25
    edges = [float(np.linalg.norm(quad - np.roll(quad, 1, 0), axis=1).mean()) for quad in quads_px]
    tile_px = float(np.median(edges)) * scale
    for quad in quads_px:
        middle = quad.mean(0)
        wider = (middle + (quad - middle) * margin) * scale
        cv2.fillConvexPoly(mask, np.rint(wider).astype(np.int32), 1)
    return mask, tile_px


@dataclass(frozen=True, slots=True)
class Pushed:
    """An old look moved and turned onto a new one; `from_new` (2, 3) leads back, small pixels."""

    look: SmallLook
    from_new: npt.NDArray[np.float64]

    def to_new(self, points_px: npt.NDArray[np.float32]) -> npt.NDArray[np.float32]:
        """Where full-size points (N, 2) of the old look are in the new one."""
        turn, shift = self.from_new[:, :2], self.from_new[:, 2] / self.look.scale
        moved = (points_px - shift) @ np.linalg.inv(turn).T
        return np.asarray(moved, np.float32)


def moved_onto(before: SmallLook, now: SmallLook) -> Pushed | None:
    """The old look moved and turned onto the new one, in case the camera was pushed."""
    if before.bgr.shape != now.bgr.shape:
        return None
    old = cv2.GaussianBlur(cv2.cvtColor(before.bgr, cv2.COLOR_BGR2GRAY), (5, 5), 0)
    new = cv2.GaussianBlur(cv2.cvtColor(now.bgr, cv2.COLOR_BGR2GRAY), (5, 5), 0)
    start = np.eye(2, 3, dtype=np.float32)
    stop = (cv2.TERM_CRITERIA_EPS | cv2.TERM_CRITERIA_COUNT, ECC_STEPS, 1e-4)
    try:
        _, warp = cv2.findTransformECC(new, old, start, cv2.MOTION_EUCLIDEAN, stop)
    except cv2.error:
        return None
    flags = cv2.INTER_LINEAR | cv2.WARP_INVERSE_MAP
    size = (before.bgr.shape[1], before.bgr.shape[0])
    bgr = cv2.warpAffine(before.bgr, warp, size, flags=flags, borderMode=cv2.BORDER_REPLICATE)
    look = SmallLook(np.asarray(bgr, np.uint8), before.scale)
    return Pushed(look, np.asarray(warp, np.float64))
