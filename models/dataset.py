"""Training data for the two networks, made from drawn tables kept in a folder."""

from __future__ import annotations

import json
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import cv2
import numpy as np
import numpy.typing as npt

from models.generate import sample
from scorer.tiles import BACKGROUNDS, COLOURS, SHAPES
from vision.find import Finder, Found
from vision.patches import cut

Array = npt.NDArray[Any]
Rng = np.random.Generator

NO_TILE = len(SHAPES)
MIN_VISIBLE = 0.75
"""A tile with less of its face in view need not be found."""


@dataclass(frozen=True, slots=True)
class Truth:
    """What one drawn frame shows: one entry per block."""

    corners_px: Array
    visible: Array
    labels: Array
    """(N, 3) indices of shape, colour and background; shape is NO_TILE for a face-down block."""


def draw_to(folder: Path, seeds: range) -> None:
    """Draw tables into a folder; those that are there already are kept."""
    folder.mkdir(parents=True, exist_ok=True)
    for seed in seeds:
        picture = folder / f"{seed:06d}.jpg"
        if picture.with_suffix(".json").exists():
            continue
        made = sample(seed)
        cv2.imwrite(str(picture), made.drawn.frame_bgr, [cv2.IMWRITE_JPEG_QUALITY, 97])
        truth = [
            {
                "tile": list(block.tile) if block.tile else None,
                "c": np.round(corners, 2).tolist(),
                "v": visible,
            }
            for block, corners, visible in zip(
                made.table.blocks, made.drawn.corners_px, made.drawn.visible, strict=True
            )
        ]
        picture.with_suffix(".json").write_text(json.dumps(truth))


def load(picture: Path) -> tuple[Array, Truth]:
    """A drawn frame and its truth."""
    entries = json.loads(picture.with_suffix(".json").read_text())
    frame = cv2.imread(str(picture))
    assert frame is not None, picture
    labels = [_label(entry["tile"]) for entry in entries]
    truth = Truth(
        np.array([entry["c"] for entry in entries], np.float32).reshape(-1, 4, 2),
        np.array([entry["v"] for entry in entries], np.float32),
        np.array(labels, np.int64).reshape(-1, 3),
    )
    return frame, truth


def _label(tile: list[str] | None) -> tuple[int, int, int]:
    if tile is None:
        return NO_TILE, 0, 0
    shape, colour, background = tile
    return SHAPES.index(shape), COLOURS.index(colour), BACKGROUNDS.index(background)


def tone(frame: Array, rng: Rng) -> Array:
    """A cheap change of exposure, cast, contrast and noise, on top of what was drawn."""
    warmth = rng.normal(0, 0.2) * np.array([-1.0, 0.0, 0.7])
    gain = np.exp(rng.normal(0, 0.22) + warmth + rng.normal(0, 0.07, 3))
    lift = rng.uniform(-12, 12)
    values = np.arange(256, dtype=np.float32)[:, None]
    curve = 255 * (values / 255) ** np.exp(rng.normal(0, 0.15))
    table = np.clip(curve * gain + lift, 0, 255).astype(np.uint8)
    toned = cv2.LUT(frame, table.reshape(1, 256, 3) if frame.ndim == 3 else table)
    if rng.random() < 0.3:
        noise = rng.normal(0, rng.uniform(2, 14), frame.shape).astype(np.float32)
        toned = np.clip(toned + noise, 0, 255).astype(np.uint8)
    return np.asarray(toned)


def finder_crop(frame: Array, truth: Truth, rng: Rng, size: int) -> tuple[Array, Array]:
    """A square crop (size, size, 3) at a random scale, and its target grid (size/8, size/8, 7).

    Target channels: is a tile (1), is not (0) or unknown (-1), then the five regressed values.
    """
    shown = truth.labels[:, 0] != NO_TILE
    edges = _edges(truth.corners_px[shown]) if shown.any() else np.array([50.0])
    wanted = np.exp(rng.uniform(np.log(13), np.log(52)))
    scale = float(np.clip(wanted / np.median(edges), 0.2, 1.6))
    focus = np.array(frame.shape[1::-1]) * rng.uniform(0, 1, 2)
    if shown.any() and rng.random() < 0.85:
        focus = truth.corners_px[shown][rng.integers(shown.sum())].mean(0)
    shift = size / 2 - focus * scale + rng.uniform(-0.35, 0.35, 2) * size
    matrix = np.array([[scale, 0, shift[0]], [0, scale, shift[1]]])
    small = frame
    if scale < 0.7:
        small = cv2.resize(frame, None, fx=scale, fy=scale, interpolation=cv2.INTER_AREA)
        matrix = np.array([[1.0, 0, shift[0]], [0, 1.0, shift[1]]])
    crop = cv2.warpAffine(small, matrix, (size, size), borderMode=cv2.BORDER_REPLICATE)
    if rng.random() < 0.25:
        crop = cv2.GaussianBlur(crop, (0, 0), rng.uniform(0.4, 1.3))
    corners = truth.corners_px * scale + shift
    return tone(crop, rng), _finder_target(corners, truth, shown, size)


def _edges(corners: Array) -> Array:
    return np.asarray(np.linalg.norm(corners - np.roll(corners, 1, 1), axis=2).mean(1))


def _finder_target(corners: Array, truth: Truth, shown: Array, size: int) -> Array:
    cells = size // 8
    target = np.zeros((cells, cells, 6), np.float32)
    nearest = np.full((cells, cells), np.inf)
    axis = np.arange(cells) * 8 + 4.0
    columns, rows = np.meshgrid(axis, axis)
    edges = _edges(corners)
    for k in np.flatnonzero(shown):
        centre, edge = corners[k].mean(0), edges[k]
        dx, dy = centre[0] - columns, centre[1] - rows
        away = np.hypot(dx, dy)
        near = away < max(0.28 * edge, 5.7)
        ring = (away < 0.55 * edge) & (target[..., 0] == 0)
        target[..., 0][ring] = -1
        if truth.visible[k] < MIN_VISIBLE:
            if truth.visible[k] > 0.25:
                target[..., 0][near] = -1
            continue
        mine = near & (away < nearest)
        u, v = corners[k][1] - corners[k][0], corners[k][3] - corners[k][0]
        turn = np.arctan2(u[1] - v[0], u[0] + v[1])
        nearest[mine] = away[mine]
        values = (dx[mine] / 8, dy[mine] / 8, np.log(edge / 24), np.cos(4 * turn), np.sin(4 * turn))
        target[mine] = np.stack(np.broadcast_arrays(1.0, *values), 1)
    return target


@dataclass(slots=True)
class Patches:
    """Patches (N, 48, 48, 3), labels (N, 3), corners (N, 4, 2) in tile edges, and frame (N,)."""

    pixels: npt.NDArray[np.uint8]
    labels: Array
    corners: Array
    frame_of: Array


def frame_patches(
    frame: Array, truth: Truth, rng: Rng, decoys: Found | None = None
) -> tuple[Array, Array, Array]:
    """Patches of a frame's tiles, cut as unsteadily as at run time, and of what is no tile."""
    corners = truth.corners_px
    centres = corners.mean(1)
    u = (corners[:, 1] - corners[:, 0] + corners[:, 2] - corners[:, 3]) / 2
    v = (corners[:, 3] - corners[:, 0] + corners[:, 2] - corners[:, 1]) / 2
    u, v, corners = _quarter(rng, u, v, corners)
    keep = truth.visible > MIN_VISIBLE
    labels = truth.labels.copy()
    spots, off_u, off_v = _no_tiles(frame, centres, u, v, rng)
    if decoys is not None and len(decoys):
        axis = np.stack([np.cos(decoys.turns), np.sin(decoys.turns)], 1) * decoys.edges_px[:, None]
        spots = np.concatenate([spots, decoys.centres_px])
        off_u = np.concatenate([off_u, axis])
        off_v = np.concatenate([off_v, axis[:, ::-1] * [-1, 1]])
    centres = np.concatenate([centres[keep], spots])
    u, v = np.concatenate([u[keep], off_u]), np.concatenate([v[keep], off_v])
    none = np.tile([NO_TILE, 0, 0], (len(spots), 1))
    labels = np.concatenate([labels[keep], none])
    corners = np.concatenate([corners[keep], np.zeros((len(spots), 4, 2), np.float32)])
    centres, u, v = _unsteady(rng, centres, u, v)
    inverse = np.linalg.inv(np.stack([u, v], 2))
    local = np.einsum("nij,nkj->nki", inverse, corners - centres[:, None])
    size = float(np.median(np.linalg.norm(u, axis=1))) if len(u) else 50.0
    if size > 60:
        shrink = 0.5
        frame = cv2.resize(frame, None, fx=shrink, fy=shrink, interpolation=cv2.INTER_AREA)
        centres, u, v = centres * shrink - 0.25, u * shrink, v * shrink
    return cut(frame, centres, u, v), labels, local.astype(np.float32)


def _quarter(rng: Rng, u: Array, v: Array, corners: Array) -> tuple[Array, Array, Array]:
    """Turn the frame of reference by a random number of quarter turns, as a lattice may lie."""
    for _ in range(int(rng.integers(4))):
        u, v, corners = v, -u, np.roll(corners, -1, 1)
    return u, v, corners


def _unsteady(rng: Rng, centres: Array, u: Array, v: Array) -> tuple[Array, Array, Array]:
    count = len(centres)
    edge = np.linalg.norm(u, axis=1, keepdims=True)
    centres = centres + rng.normal(0, 0.035, (count, 2)) * edge
    common, each = rng.normal(0, 0.03), rng.normal(0, 0.03, count)
    turn, grow = common + each, 1 + rng.normal(0.02, 0.045, (count, 1))
    cos, sin = np.cos(turn)[:, None], np.sin(turn)[:, None]
    swap = np.array([[0, 1], [-1, 0]])
    skew = rng.normal(0, 0.02, (count, 1))
    return centres, (u * cos + u @ swap * sin) * grow, (v * cos + v @ swap * sin + u * skew) * grow


def _no_tiles(
    frame: Array, centres: Array, u: Array, v: Array, rng: Rng
) -> tuple[Array, Array, Array]:
    """Places that are no tile: beside tiles, between tiles, and anywhere."""
    if not len(centres):
        return np.zeros((0, 2)), np.zeros((0, 2)), np.zeros((0, 2))
    count = max(2, len(centres) // 4)
    picks = rng.integers(len(centres), size=count * 3)
    steps = np.array([[1, 0], [-1, 0], [0, 1], [0, -1], [0.5, 0.5], [0.5, -0.5], [0.5, 0]])
    step = steps[rng.integers(len(steps), size=len(picks))]
    beside = centres[picks] + step[:, :1] * u[picks] + step[:, 1:] * v[picks]
    anywhere = rng.uniform(0, 1, (count, 2)) * np.array(frame.shape[1::-1])
    spots = np.concatenate([beside, anywhere])
    edge = np.linalg.norm(u, axis=1).max()
    away = np.linalg.norm(spots[:, None] - centres[None], axis=2).min(1)
    inside = ((spots > 0) & (spots < np.array(frame.shape[1::-1]))).all(1)
    chosen = np.flatnonzero((away > 0.45 * edge) & inside)[: count + 2]
    every = np.concatenate([picks, rng.integers(len(centres), size=count)])[chosen]
    return spots[chosen], u[every], v[every]


def decoys(finder: Finder, frame: Array, truth: Truth, most: int = 10) -> Found:
    """Places that a finder takes for tiles and that are none: what the namer must refuse."""
    edge = float(np.median(_edges(truth.corners_px))) if len(truth.corners_px) else 50.0
    scale = min(1.0, 26 / edge)
    small = cv2.resize(frame, None, fx=scale, fy=scale, interpolation=cv2.INTER_AREA)
    found = finder.find(small).moved(1 / scale)
    if not len(found):
        return found
    shown = truth.corners_px[(truth.labels[:, 0] != NO_TILE) & (truth.visible > 0.2)].mean(1)
    away = np.linalg.norm(found.centres_px[:, None] - shown[None], axis=2)
    false = (away > 0.6 * edge).all(1) if len(shown) else np.ones(len(found), bool)
    return found.where(np.flatnonzero(false)[:most])


def all_patches(
    pictures: list[Path], seed: int, looks: int, finder: Finder | None = None
) -> Patches:
    """Patches of many frames, each frame cut `looks` times with other jitter and tone."""
    rng = np.random.default_rng(seed)
    pixels, labels, corners, frame_of = [], [], [], []
    for number, picture in enumerate(pictures):
        frame, truth = load(picture)
        false = decoys(finder, frame, truth) if finder else None
        for look in range(looks):
            changed = tone(frame, rng) if look else frame
            if look and rng.random() < 0.3:
                changed = cv2.GaussianBlur(changed, (0, 0), rng.uniform(0.5, 2.2))
            found = frame_patches(changed, truth, rng, false)
            pixels.append(found[0])
            labels.append(found[1])
            corners.append(found[2])
            frame_of.append(np.full(len(found[1]), number * looks + look))
    return Patches(
        np.concatenate(pixels),
        np.concatenate(labels),
        np.concatenate(corners),
        np.concatenate(frame_of),
    )
