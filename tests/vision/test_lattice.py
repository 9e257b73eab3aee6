"""Cells follow from which tiles touch, however crookedly people lay them."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt
import pytest

from vision import lattice
from vision.find import Found

Points = npt.NDArray[np.float64]
MIDDLE = (450.0, 450.0)
LAYOUT = [(0, 0), (1, 0), (2, 0), (3, 0), (3, 1), (3, 2), (2, 2), (1, 2), (0, 2), (0, 3), (5, 0)]


def tiles_at(places: Points, edge: float = 40.0, turn: float = 0.0) -> Found:
    count = len(places)
    return Found(places, np.full(count, edge), np.full(count, turn), np.ones(count))


def relative(cells: Points) -> list[tuple[int, ...]]:
    return [tuple(int(v) for v in cell - cells[0]) for cell in cells]


def test_no_tiles_make_no_cells() -> None:
    grid = lattice.build(tiles_at(np.zeros((0, 2))), MIDDLE)
    assert grid.cells.shape == (0, 2)
    assert grid.groups.shape == (0,)


@pytest.mark.parametrize("turn", [0.0, 0.3, -0.7])
def test_cells_are_those_that_were_laid_at_any_angle(turn: float) -> None:
    cells = np.array(LAYOUT[:-1])
    rotation = np.array([[np.cos(turn), np.sin(turn)], [-np.sin(turn), np.cos(turn)]])
    grid = lattice.build(tiles_at(cells * 41.0 @ rotation, turn=turn), MIDDLE)
    assert relative(grid.cells) == relative(cells)
    assert set(grid.groups) == {0}


def test_rows_may_drift_by_a_quarter_of_a_tile() -> None:
    rng = np.random.default_rng(3)
    cells = np.array([(x, 0) for x in range(6)] + [(5, y) for y in range(1, 6)])
    drift = cells @ np.array([[0.0, 0.25 / 6], [-0.25 / 6, 0.0]])
    places = (cells * 1.02 + drift + rng.normal(0, 0.02, cells.shape)) * 40
    grid = lattice.build(tiles_at(places), MIDDLE)
    assert relative(grid.cells) == relative(cells)


def test_perspective_changes_size_and_angles_across_the_table() -> None:
    cells = np.array([(x, y) for x in range(6) for y in range(5)], float)
    depth = 1 + cells[:, 1] * 0.06 + cells[:, 0] * 0.03
    places = cells * 40 / depth[:, None]
    count = len(cells)
    found = Found(places, 40 / depth, np.zeros(count), np.ones(count))
    grid = lattice.build(found, MIDDLE)
    assert relative(grid.cells) == relative(cells)


def test_a_stray_tile_is_a_group_of_its_own() -> None:
    layout = np.array(LAYOUT[:-1]) * 41.0
    beside = np.array([[6.5 * 41, 0.0], [7.5 * 41, 0.0]])
    grid = lattice.build(tiles_at(np.concatenate([layout, beside])), MIDDLE)
    assert set(grid.groups[:-2]) == {0}
    assert set(grid.groups[-2:]) == {1}


def test_a_stray_that_touches_at_another_angle_does_not_join() -> None:
    found = tiles_at(np.array([[400, 400], [441, 400], [482, 400], [526, 405.0]]))
    turned = Found(found.centres_px, found.edges_px, np.array([0, 0, 0, 0.6]), found.scores)
    assert list(lattice.build(turned, MIDDLE).groups) == [0, 0, 0, 1]


def test_corners_do_not_connect() -> None:
    grid = lattice.build(tiles_at(np.array([[400, 400], [441, 400], [482, 441.0]])), MIDDLE)
    assert list(grid.groups) == [0, 0, 1]


def test_of_two_equal_groups_the_one_in_the_middle_is_the_layout() -> None:
    places = np.array([[600, 500], [641, 500], [440, 500], [481, 500.0]])
    assert list(lattice.build(tiles_at(places), (480.0, 480.0)).groups) == [1, 1, 0, 0]
    assert list(lattice.build(tiles_at(places), (620.0, 480.0)).groups) == [0, 0, 1, 1]


def test_a_few_tiles_laid_aside_are_not_the_layout() -> None:
    aside = [[20.0, 40.0], [61.0, 40.0], [102.0, 40.0]]
    assert set(lattice.build(tiles_at(np.array(aside)), (480.0, 480.0)).groups) == {1}
    both = np.array([*aside, [470.0, 480.0], [511.0, 480.0]])
    assert list(lattice.build(tiles_at(both), (480.0, 480.0)).groups) == [1, 1, 1, 0, 0]
