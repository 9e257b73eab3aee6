"""Laying readings over the known layout."""

from __future__ import annotations

from functools import cache

import numpy as np
import pytest

from scorer.tiles import Cell, Tile
from tests.vision.fake_readings import Blur, Eye, make_reading
from vision.cameras.demo_play import Play, play_game
from vision.follow import Follower, Sighting
from vision.reading import Reading


@cache
def plays_of(seed: int) -> list[Play]:
    return play_game(seed, 2, "flex", lambda cell: max(map(abs, cell)) < 9, 50)


def board_of(seed: int, turns: int) -> dict[Cell, Tile]:
    return {cell: tile for play in plays_of(seed)[:turns] for cell, tile in play.placed}


def taught(board: dict[Cell, Tile], eye: Eye | None = None) -> Follower:
    """A follower that has seen this board before."""
    follower = Follower()
    first = next(iter(board))
    for cells in ({first: board[first]}, board):
        reading = make_reading(cells, eye=eye, shift=(0, 0))
        known = {tile.cell: tile.tile for tile in reading.layout}
        if len(cells) == 1:
            follower.keep(_as_sighting(follower, reading), known)
        else:
            follower.keep(follower.sight(reading, cells), cells)
    return follower


def _as_sighting(follower: Follower, reading: Reading) -> Sighting:
    return Sighting(True, new=follower.openings(reading)[0])


@pytest.mark.parametrize("turns", [1, 2, 6, 20, 50])
@pytest.mark.parametrize("quarter", [0, 1, 2, 3])
def test_a_reading_is_found_again_whatever_its_origin_and_turn(turns: int, quarter: int) -> None:
    board = board_of(3, turns)
    reading = make_reading(board, shift=(5, -9), quarter=quarter, seed=turns)
    sighting = taught(board).sight(reading, board)
    assert sighting.is_placed
    assert set(sighting.seen) == set(board)
    assert not sighting.new
    assert not sighting.missing
    assert not sighting.conflicts


@pytest.mark.parametrize("seed", range(6))
@pytest.mark.parametrize("turns", [2, 5, 25])
def test_a_push_by_a_tile_and_five_degrees_is_absorbed(seed: int, turns: int) -> None:
    board = board_of(seed, turns)
    rng = np.random.default_rng(seed)
    x, y = rng.uniform(-50, 50, 2)
    pushed = Eye(50.0, 0.1 + float(rng.uniform(-0.09, 0.09)), (800 + float(x), 600 + float(y)))
    sighting = taught(board).sight(make_reading(board, eye=pushed, quarter=seed % 4), board)
    assert sighting.is_placed
    assert set(sighting.seen) == set(board)
    assert not sighting.conflicts


def test_a_single_tile_is_followed_by_its_place() -> None:
    board = {(0, 0): Tile("circle", "red", "black")}
    after = {**board, (0, 1): Tile("circle", "blue", "black"), (0, 2): Tile("circle", "green")}
    sighting = taught(board).sight(make_reading(after, quarter=3), board)
    assert set(sighting.seen) == {(0, 0)}
    assert set(sighting.new) == {(0, 1), (0, 2)}


def test_hidden_tiles_are_reported_as_missing() -> None:
    board = board_of(4, 12)
    hidden = sorted(board)[:3]
    sighting = taught(board).sight(make_reading(board, hidden=hidden), board)
    assert sighting.missing == frozenset(hidden)
    assert not sighting.new


def test_a_layout_broken_in_two_by_a_hidden_tile_is_put_together_again() -> None:
    row = {
        (x, 0): Tile(shape, "red", "black")
        for x, shape in enumerate(("circle", "square", "diamond", "clover", "star4"))
    }
    board = {**row, (4, 1): Tile("star4", "blue", "white"), (4, 2): Tile("star4", "green", "white")}
    after = {**board, (5, 2): Tile("circle", "green", "black")}
    sighting = taught(board).sight(make_reading(after, hidden=[(3, 0)]), board)
    assert sighting.missing == {(3, 0)}
    assert set(sighting.new) == {(5, 2)}


def test_strays_stay_strays() -> None:
    board = board_of(5, 8)
    strays = {(0, 0): Tile("star8", "yellow", "white"), (1, 0): Tile("circle", "purple", "white")}
    sighting = taught(board).sight(make_reading(board, strays=strays), board)
    assert len(sighting.strays) == 2
    assert not sighting.new


def test_strays_of_the_empty_table_are_no_opening() -> None:
    strays = {(0, 0): Tile("star8", "yellow", "white"), (1, 0): Tile("circle", "purple", "white")}
    follower = Follower()
    follower.keep_strays(make_reading({}, strays=strays).tiles)
    board = {(0, 0): Tile("circle", "red", "black"), (1, 0): Tile("square", "red", "black")}
    openings = follower.openings(make_reading(board, strays=strays))
    assert [sorted(tile.tile for tile in group.values()) for group in openings] == [
        sorted(board.values())
    ]


def test_a_tile_with_another_face_is_a_conflict() -> None:
    board = board_of(6, 10)
    cell = sorted(board)[2]
    other = Tile("star8" if board[cell].shape != "star8" else "circle", *board[cell][1:])
    sighting = taught(board).sight(make_reading({**board, cell: other}), board)
    assert sighting.conflicts == {cell}


def test_a_reading_of_another_table_is_not_placed() -> None:
    board = {(0, 0): Tile("circle", "red", "black"), (1, 0): Tile("circle", "blue", "black")}
    other = {(0, 0): Tile("star8", "green", "white"), (1, 0): Tile("star8", "yellow", "split")}
    far = Eye(50.0, 0.9, (300.0, 900.0))
    assert not taught(board).sight(make_reading(other, eye=far), board).is_placed


def test_poor_labels_do_not_lose_the_layout() -> None:
    board = board_of(7, 15)
    blur = Blur(p=0.55, jitter_px=3.0)
    sighting = taught(board).sight(make_reading(board, blur=blur, quarter=1), board)
    assert set(sighting.seen) == set(board)
