"""The text notation reads back what it writes."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from scorer.notation import (
    NotationError,
    format_move,
    format_table,
    format_tile,
    parse_move,
    parse_table,
    parse_tile,
)
from scorer.tiles import BACKGROUNDS, COLOURS, SHAPES, Placed, Tile

colours = st.sampled_from((*COLOURS, "pink", "türkis", "sky-blue", "R"))
tiles = st.builds(Tile, st.sampled_from(SHAPES), colours, st.sampled_from(BACKGROUNDS))
cells = st.tuples(st.integers(), st.integers())
near = st.tuples(st.integers(-9, 9), st.integers(-9, 9))


@given(tiles)
def test_a_tile_reads_back(tile: Tile) -> None:
    assert parse_tile(format_tile(tile)) == tile


@given(st.lists(st.builds(Placed, cells, tiles)))
def test_a_move_reads_back(move: list[Placed]) -> None:
    assert parse_move(format_move(move)) == tuple(move)


@given(st.dictionaries(near, tiles))
def test_a_table_reads_back(table: dict[tuple[int, int], Tile]) -> None:
    assert parse_table(format_table(table)) == table


def test_how_it_looks() -> None:
    move = parse_move("Ro@-1,0 Y4+@0,0")
    assert move == (
        Placed((-1, 0), Tile("circle", "red")),
        Placed((0, 0), Tile("star4", "yellow", "white")),
    )
    table = {**dict(move), (0, 1): Tile("star8", "green", "split")}
    assert format_table(table) == "@-1,0\nRo  Y4+\n.   G8/"
    assert format_move(()) == "-"
    assert format_table({}) == "@0,0"


@pytest.mark.parametrize("text", ["", "R", "Xo", "Rz", "Ro*", "ro", "()o", "Ro Rs"])
def test_what_is_not_a_tile(text: str) -> None:
    with pytest.raises(NotationError):
        parse_tile(text)


@pytest.mark.parametrize("text", ["Ro", "Ro@", "Ro@1", "Ro@1,x", "Ro@1.5,0", "Zo@0,0"])
def test_what_is_not_a_move(text: str) -> None:
    with pytest.raises(NotationError):
        parse_move(text)


@pytest.mark.parametrize("text", ["", "Ro Rs", "@0\nRo", "@0,0\nRo Rx"])
def test_what_is_not_a_table(text: str) -> None:
    with pytest.raises(NotationError):
        parse_table(text)
