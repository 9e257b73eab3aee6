"""Is a hand in the way? One look compared with the last free look, in colour.

A hand with its arm is large, comes in from the border and reaches the tiles. Cups, bags and
phones that were moved, a new light or a pushed camera are none of that.
"""

from __future__ import annotations

from collections.abc import Sequence
from copy import copy
from dataclasses import dataclass
from typing import TypeGuard

import cv2
import numpy as np
import numpy.typing as npt

from vision.cameras.base import Frame

LONG_SIDE_PX = 320
CHANGED_GREY = 10.0
"""Least change of a pixel's strongest channel: 95 % of 59 free real photos stay below 9, and the
pale hand on a wooden table has 26 on average."""
SPECK_PX = 3
PUSHED_SPECK_PX = 5
"""Changes narrower than this are no part of a hand, in looks from one place and after a push."""
EVERYWHERE = 0.6
"""Share of the picture above which a change is no hand: the camera was moved, or the light."""
REACHING_TILES = 10.0
"""Least size, in tile areas, of something that comes from the border and reaches the layout; the
drawn and rendered hands cover 70 and more."""
LARGE_TILES = 45.0
"""Least size of something that comes from the border to be in the way wherever it is; moved bags
and cups reach 25 (63 rendered looks)."""
TOUCH_TILES = 0.8
"""How near to a tile something must come to reach the layout, in tile edges."""
ECC_STEPS = 40
PUSH_PX = 32.0
PUSH_RAD = 0.18
"""Farthest push: about three tiles of a small look, and ten degrees."""
MATTERS_GREY = 40
"""Changes above this count alike when two ways to move a picture are compared: a hand is one."""

Mask = npt.NDArray[np.uint8]
Warp = npt.NDArray[np.float32]
"""A move and turn (2, 3) from the new look to the old one, in small pixels."""


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
    changed = _changed(before.bgr, now.bgr, SPECK_PX)
    if not _is_in_the_way(changed, _rim(changed.shape), now.scale, quads_px):
        return False
    pushed = moved_onto(before, now)
    if pushed is None:
        return float(changed.mean()) < EVERYWHERE
    # Edges of a pattern never match to the pixel after a push; a hand is wider than those lines.
    settled = _changed(pushed.look.bgr, now.bgr, PUSHED_SPECK_PX)
    return _is_in_the_way(settled, pushed.rim, now.scale, quads_px)


def _rim(shape: tuple[int, ...]) -> Mask:
    """The border of a picture as a mask."""
    rim = np.ones(shape, np.uint8)
    rim[1:-1, 1:-1] = 0
    return rim


class ChangeMap:
    """How much each cell changed between two looks from the same place."""

    def __init__(self, before: SmallLook, now: SmallLook) -> None:
        """Compare two looks."""
        is_alike = before.bgr.shape == now.bgr.shape
        self._change = _change(before.bgr, now.bgr) if is_alike else np.zeros((1, 1), np.float32)
        self._scale = now.scale

    @property
    def share(self) -> float:
        """The share of the picture that changed."""
        return float((self._change > CHANGED_GREY).mean())

    def without(self, quads_px: Sequence[npt.NDArray[np.float32]]) -> ChangeMap:
        """The same with the places of these tiles taken as unchanged: they are explained."""
        explained, _ = _tile_mask(self._change.shape, self._scale, quads_px, margin=1.3)
        other = copy(self)
        other._change = np.where(explained > 0, np.float32(0), self._change)
        return other

    def cell(self, quad_px: npt.NDArray[np.float32]) -> float:
        """Mean change in grey levels of the middle of a cell with these corners (4, 2)."""
        middle = quad_px.mean(0)
        inner = (middle + (quad_px - middle) * 0.65) * self._scale
        mask = np.zeros(self._change.shape, np.uint8)
        cv2.fillConvexPoly(mask, np.rint(inner).astype(np.int32), 1)
        change = self._change[mask > 0]
        return float(change.mean()) if len(change) else 0.0


def _change(before: Frame, now: Frame) -> npt.NDArray[np.float32]:
    """Change of each pixel's strongest channel in grey levels, the light evened out."""
    old, new = before.astype(np.float32) + 4, now.astype(np.float32) + 4
    old = old * np.median(new / old, axis=(0, 1))
    return np.asarray(np.abs(cv2.blur(old, (3, 3)) - cv2.blur(new, (3, 3))).max(2), np.float32)


def _changed(before: Frame, now: Frame, speck_px: int) -> Mask:
    """Pixels that differ by more than light and noise explain, cleaned of specks."""
    changed = (_change(before, now) > CHANGED_GREY).astype(np.uint8)
    opened = cv2.morphologyEx(changed, cv2.MORPH_OPEN, np.ones((speck_px, speck_px), np.uint8))
    closed = cv2.morphologyEx(opened, cv2.MORPH_CLOSE, np.ones((5, 5), np.uint8))
    return np.asarray(closed, np.uint8)


def _is_in_the_way(
    changed: Mask, rim: Mask, scale: float, quads_px: Sequence[npt.NDArray[np.float32]]
) -> bool:
    tiles, tile_px = _tile_mask(changed.shape, scale, quads_px)
    foreign = changed & ~tiles
    reach = max(1, round(TOUCH_TILES * tile_px))
    near = cv2.dilate(tiles, np.ones((2 * reach + 1, 2 * reach + 1), np.uint8))
    count, labels, stats, _ = cv2.connectedComponentsWithStats(foreign, connectivity=8)
    border = set(np.unique(labels[rim > 0]))
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
    rim: Mask
    """Where the old look ends in the new one."""

    def to_new(self, points_px: npt.NDArray[np.float32]) -> npt.NDArray[np.float32]:
        """Where full-size points (N, 2) of the old look are in the new one."""
        turn, shift = self.from_new[:, :2], self.from_new[:, 2] / self.look.scale
        moved = (points_px - shift) @ np.linalg.inv(turn).T
        return np.asarray(moved, np.float32)


def moved_onto(before: SmallLook, now: SmallLook) -> Pushed | None:
    """The old look moved and turned onto the new one, in case the camera was pushed."""
    if before.bgr.shape != now.bgr.shape:
        return None
    old = np.asarray(cv2.cvtColor(before.bgr, cv2.COLOR_BGR2GRAY), np.uint8)
    new = np.asarray(cv2.cvtColor(now.bgr, cv2.COLOR_BGR2GRAY), np.uint8)
    found = [_refined(old, new, start) for start in _starts(old, new)]
    pushes = [_pushed(before, now, warp) for warp in found if _is_a_push(warp, now)]
    return min(pushes, key=lambda each: _difference(each.look, now), default=None)


def _is_a_push(warp: Warp | None, now: SmallLook) -> TypeGuard[Warp]:
    """Whether a move is as small as pushes are; anything else is a mistake of the matching."""
    if warp is None:
        return False
    middle = np.array([now.bgr.shape[1] / 2, now.bgr.shape[0] / 2, 1.0])
    shift = float(np.linalg.norm(warp @ middle - middle[:2]))
    turn = abs(float(np.arctan2(warp[1, 0], warp[0, 0])))
    return shift <= PUSH_PX and turn <= PUSH_RAD


def _difference(one: SmallLook, other: SmallLook) -> float:
    return float(np.minimum(cv2.absdiff(one.bgr, other.bgr), MATTERS_GREY).mean())


def _pushed(before: SmallLook, now: SmallLook, warp: Warp) -> Pushed:
    flags = cv2.INTER_LINEAR | cv2.WARP_INVERSE_MAP
    size = (before.bgr.shape[1], before.bgr.shape[0])
    bgr = cv2.warpAffine(before.bgr, warp, size, flags=flags)
    inside = cv2.warpAffine(np.ones(size[::-1], np.uint8), warp, size, flags=flags)
    # What has come into the picture by the push was not seen before: it counts as unchanged.
    filled = np.where(inside[..., None] > 0, bgr, now.bgr)
    look = SmallLook(np.asarray(filled, np.uint8), before.scale)
    outside = np.maximum(1 - inside, _rim(inside.shape)).astype(np.uint8)
    rim = cv2.dilate(outside, np.ones((7, 7), np.uint8))
    return Pushed(look, np.asarray(warp, np.float64), np.asarray(rim, np.uint8))


def _refined(old: Mask, new: Mask, start: Warp) -> Warp | None:
    """The move and turn from new to old (2, 3), refined on the brightness of the pictures."""
    stop = (cv2.TERM_CRITERIA_EPS | cv2.TERM_CRITERIA_COUNT, ECC_STEPS, 1e-4)
    soft = cv2.GaussianBlur(new, (5, 5), 0), cv2.GaussianBlur(old, (5, 5), 0)
    try:
        _, warp = cv2.findTransformECC(*soft, start.copy(), cv2.MOTION_EUCLIDEAN, stop)
    except cv2.error:
        return None
    return np.asarray(warp, np.float32)


def _starts(old: Mask, new: Mask) -> list[Warp]:
    """First guesses: not moved at all, and moved as marked points of the picture have."""
    starts = [np.eye(2, 3, dtype=np.float32)]
    finder = cv2.ORB.create(600, edgeThreshold=15, patchSize=21)
    points_old, marks_old = finder.detectAndCompute(old, None)
    points_new, marks_new = finder.detectAndCompute(new, None)
    if marks_old is None or marks_new is None or min(len(marks_old), len(marks_new)) < 8:
        return starts
    pairs = cv2.BFMatcher(cv2.NORM_HAMMING, crossCheck=True).match(marks_new, marks_old)
    source = np.array([points_new[pair.queryIdx].pt for pair in pairs], np.float32)
    target = np.array([points_old[pair.trainIdx].pt for pair in pairs], np.float32)
    if len(pairs) >= 8:
        affine, _ = cv2.estimateAffinePartial2D(source, target, ransacReprojThreshold=2.0)
        if affine is not None:
            turn = affine[:, :2] / np.sqrt(max(float(np.linalg.det(affine[:, :2])), 1e-6))
            starts.append(np.asarray(np.column_stack([turn, affine[:, 2]]), np.float32))
    return starts
