"""A camera that sees nothing cannot know that hands have been away."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from scorer.tiles import Tile
from tests.vision.live_table import Living
from vision.cameras.demo_stage import Hand

FIRST = {(0, 0): Tile("circle", "red"), (1, 0): Tile("square", "red", "white")}
MORE = {(2, 0): Tile("clover", "red")}
STILL_MORE = {(3, 0): Tile("diamond", "red")}
LONG_S, CLOSES_S = 30.0, 10


@pytest.fixture
def living(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Living]:
    monkeypatch.setattr("tiletally.live.LOST_S", 0.0)  # the table has a clock of its own
    living = Living(tmp_path / "data")
    living.session.change_settings({"close_turn_after_s": CLOSES_S})
    living.wait(1.5)
    living.lay(FIRST)
    assert living.pending_points() == 2
    yield living
    living.session.close()


def see_nothing(living: Living, how: str) -> None:
    if how == "lost":
        living.camera.problem = "the cable is out"
    elif how == "frozen":
        living.camera.frozen = living.camera.glance()
    else:
        living.camera.gain = 0.0


def see_again(living: Living) -> None:
    living.camera.problem, living.camera.frozen, living.camera.gain = "", None, 1.0


@pytest.mark.parametrize("how", ["lost", "frozen", "covered"])
def test_a_move_that_cannot_be_seen_does_not_count_by_itself(how: str, living: Living) -> None:
    see_nothing(living, how)
    living.wait(LONG_S)
    assert living.turns == []
    for cell, tile in MORE.items():
        living.camera.stage.lay(cell, tile)
    see_again(living)
    living.wait(2)
    assert living.pending_points() == 3
    living.wait(CLOSES_S + 2)
    assert living.turns == [3]


@pytest.mark.parametrize("how", ["lost", "frozen", "covered"])
def test_done_counts_it_all_the_same(how: str, living: Living) -> None:
    see_nothing(living, how)
    living.wait(0.5)
    living.tap("done")
    see_again(living)
    living.wait(2)
    assert living.turns == [2]


def test_a_picture_that_makes_no_sense_does_not_show_that_hands_are_away(living: Living) -> None:
    """A last tile is laid, and before a look could see it the picture is nothing but stripes."""
    living.tap("done")
    living.lay(MORE)
    assert living.pending_points() == 3
    living.lay(STILL_MORE, settle_s=0.0)
    show_stripes(living)
    living.wait(LONG_S)
    assert living.turns == [2]
    assert "layout_lost" in [hint["code"] for hint in living.state["camera"]["hints"]]
    show_stripes(living, False)
    living.wait(2)
    assert living.turns == [2]
    assert living.pending_points() == 4
    living.wait(CLOSES_S + 2)
    assert living.turns == [2, 4]


def test_done_counts_what_was_seen_before_the_picture_made_no_sense(living: Living) -> None:
    living.tap("done")
    living.lay(MORE)
    show_stripes(living)
    living.wait(LONG_S)
    living.tap("done")
    living.wait(2)
    assert living.turns == [2, 3]


def show_stripes(living: Living, is_on: bool = True) -> None:
    living.camera.is_striped = living.reader.is_lost = is_on


def test_a_hand_in_a_frozen_picture_is_not_read_as_a_thing_that_was_put_down(
    living: Living,
) -> None:
    living.camera.hands = (Hand(0.0, 0.0, 0.0),)
    living.wait(0.5)
    reads = living.reader.reads
    living.camera.frozen = living.camera.glance()
    living.wait(LONG_S)
    assert living.reader.reads == reads
    living.camera.hands, living.camera.frozen = (), None
    living.wait(CLOSES_S + 2)
    assert living.turns == [2]
