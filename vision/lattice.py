"""The free-form grid: which tiles touch, and which cell each one has.

There is no global grid: hand-laid rows drift by a quarter of a tile. Tiles are linked neighbour
to neighbour, and cells follow from the links.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from vision.find import Found

Array = npt.NDArray[Any]

NEAREST, FARTHEST = 0.78, 1.36
"""How far apart touching tiles are, in edges: perspective shortens, gaps lengthen."""

SIDESTEP = 0.40
"""How far a neighbour may lie off the straight line, in edges (seen: 0.28 in real games)."""

TURN_LIMIT = np.deg2rad(17.0)
"""Neighbours of one layout lie at nearly the same angle; a stray seldom does."""


FEW, CENTRAL = 4, 0.6
"""A group of this few tiles, farther from the middle than this share of the way to the border,
was laid aside: the camera is aimed at the layout, and strays lie where they are not in the way."""


@dataclass(frozen=True, slots=True)
class Lattice:
    """Cells (N, 2) and groups (N,) of found tiles, and their local axes `u_px`, `v_px` (N, 2).

    Group 0 is the layout in play; where only tiles lie that were laid aside, there is none.
    """

    cells: Array
    groups: Array
    u_px: Array
    v_px: Array


@dataclass(frozen=True, slots=True)
class _Links:
    """Pairs of neighbours: `second` lies at `step` (1, 0) or (0, 1) from `first`."""

    first: Array
    second: Array
    step: Array
    badness: Array


def build(
    found: Found, middle_px: tuple[float, float], axes: tuple[Array, Array] | None = None
) -> Lattice:
    """Link neighbours, best links first, and number the cells of each group.

    `middle_px` is the middle of the picture, where people aim a camera; `axes` are the tiles' own
    edges where they are known better than by turn and mean edge.
    """
    u, v = axes or _own_axes(found)
    for _ in range(2):
        links = _links(found, u, v)
        cells, roots = _assign(len(found), links)
        u, v = _fitted_axes(found, links, u, v)
    return Lattice(cells, _numbered(roots, found, middle_px), u, v)


def _own_axes(found: Found) -> tuple[Array, Array]:
    """Axes from each tile's own turn, all near one common direction."""
    turns = _common_turn(found)
    u = np.stack([np.cos(turns), np.sin(turns)], 1) * found.edges_px[:, None]
    return u, np.stack([-u[:, 1], u[:, 0]], 1)


def _common_turn(found: Found) -> Array:
    """Turns, modulo a quarter, unwrapped to lie within ±π/4 of the layout's mean."""
    if not len(found):
        return found.turns
    pointer = np.exp(4j * found.turns) @ found.scores
    mean = np.angle(pointer) / 4
    return np.asarray(mean + (found.turns - mean + np.pi / 4) % (np.pi / 2) - np.pi / 4)


def _links(found: Found, u: Array, v: Array) -> _Links:
    first, second = np.nonzero(_near(found))
    gap = found.centres_px[second] - found.centres_px[first]
    along = _along(gap, u[first], v[first]) + _along(gap, u[second], v[second])
    along = along / 2
    is_u = np.abs(along[:, 0]) > np.abs(along[:, 1])
    ahead = np.where(is_u, along[:, 0], along[:, 1])
    aside = np.abs(np.where(is_u, along[:, 1], along[:, 0]))
    twist = np.abs((found.turns[first] - found.turns[second] + np.pi / 4) % (np.pi / 2) - np.pi / 4)
    keep = (ahead > NEAREST) & (ahead < FARTHEST) & (aside < SIDESTEP) & (twist < TURN_LIMIT)
    badness = np.abs(ahead - 1.03) * 1.5 + aside + twist
    step = np.stack([is_u, ~is_u], 1).astype(int)
    return _Links(first[keep], second[keep], step[keep], badness[keep])


def _near(found: Found) -> Array:
    away = np.linalg.norm(found.centres_px[:, None] - found.centres_px[None], axis=2)
    reach = np.minimum(found.edges_px[:, None], found.edges_px[None]) * 1.6
    ratio = found.edges_px[:, None] / found.edges_px[None]
    near = (away < reach) & (ratio > 0.65) & (ratio < 1.54)
    np.fill_diagonal(near, False)
    return np.asarray(near)


def _along(gap: Array, u: Array, v: Array) -> Array:
    """Each gap (N, 2) in units of its own axes."""
    determinant = u[:, 0] * v[:, 1] - u[:, 1] * v[:, 0]
    a = (gap[:, 0] * v[:, 1] - gap[:, 1] * v[:, 0]) / determinant
    b = (u[:, 0] * gap[:, 1] - u[:, 1] * gap[:, 0]) / determinant
    return np.stack([a, b], 1)


def _assign(count: int, links: _Links) -> tuple[Array, Array]:
    """Join tiles by their links, best first; a link that contradicts better ones is dropped."""
    root = list(range(count))
    cells = [(0, 0)] * count
    members: dict[int, list[int]] = {k: [k] for k in range(count)}
    taken: dict[int, set[tuple[int, int]]] = {k: {(0, 0)} for k in range(count)}
    for index in np.argsort(links.badness, kind="stable"):
        a, b = int(links.first[index]), int(links.second[index])
        if root[a] == root[b]:
            continue
        sx, sy = links.step[index]
        shift = (cells[a][0] + int(sx) - cells[b][0], cells[a][1] + int(sy) - cells[b][1])
        keep, gone = root[a], root[b]
        moved = {(x + shift[0], y + shift[1]) for x, y in taken[gone]}
        if moved & taken[keep]:
            continue
        for k in members[gone]:
            cells[k] = (cells[k][0] + shift[0], cells[k][1] + shift[1])
            root[k] = keep
        members[keep] += members.pop(gone)
        taken[keep] |= moved
        del taken[gone]
    return np.array(cells, int).reshape(-1, 2), np.array(root, int)


def _fitted_axes(found: Found, links: _Links, u: Array, v: Array) -> tuple[Array, Array]:
    """Axes of each tile from the gaps to its neighbours, which perspective has already shaped."""
    gap = found.centres_px[links.second] - found.centres_px[links.first]
    fitted = []
    for axis, own in ((0, u), (1, v)):
        mine = links.step[:, axis] == 1
        total, weight = own * 0.5, np.full(len(found), 0.5)
        for end in (links.first[mine], links.second[mine]):
            np.add.at(total, end, gap[mine])
            np.add.at(weight, end, 1.0)
        fitted.append(total / weight[:, None])
    return _smoothed(found, links, fitted[0]), _smoothed(found, links, fitted[1])


def _smoothed(found: Found, links: _Links, axis: Array) -> Array:
    """The mean with the neighbours' axes, for tiles that have a neighbour on one side only."""
    total, weight = axis.copy(), np.ones(len(axis))
    for here, there in ((links.first, links.second), (links.second, links.first)):
        np.add.at(total, here, axis[there])
        np.add.at(weight, here, 1.0)
    return np.asarray(total / weight[:, None])


def _numbered(roots: Array, found: Found, middle_px: tuple[float, float]) -> Array:
    """Group numbers: the layout is 0, the largest group that is not a few tiles laid aside."""
    names, inverse = np.unique(roots, return_inverse=True)
    inverse = inverse.reshape(-1)
    size = np.bincount(inverse, minlength=len(names))
    places = np.abs(found.centres_px / np.array(middle_px) - 1)
    offset = (
        np.stack(
            [np.bincount(inverse, weights=places[:, k], minlength=len(names)) for k in (0, 1)], 1
        )
        / np.maximum(size, 1)[:, None]
    )
    is_aside = (size <= FEW) & (offset > CENTRAL).any(1)
    order = np.lexsort((offset.sum(1), -size, is_aside))
    number = np.empty(len(names), int)
    number[order] = np.arange(len(names)) + int(is_aside.all())
    return np.asarray(number[inverse])
