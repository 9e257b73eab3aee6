"""What people take back, stop or enter by hand stays so, whatever else is changed meanwhile."""

from __future__ import annotations

import pytest

from scorer.errors import GameError
from scorer.plain import tile_json
from scorer.tiles import Placed, Tile
from tests.vision.live_table import OPENING, SECOND, THIRD, Living


@pytest.fixture
def two_turns(living: Living) -> Living:
    for tiles in (OPENING, SECOND):
        living.lay(tiles)
        living.tap("done")
    assert len(living.turns) == 2
    return living


def test_two_turns_taken_back_do_not_count_again_by_themselves(two_turns: Living) -> None:
    two_turns.tap("undo")
    two_turns.tap("undo")
    two_turns.wait(15)
    assert two_turns.turns == []
    two_turns.tap("redo")
    two_turns.tap("redo")
    two_turns.wait(15)
    assert len(two_turns.turns) == 2
    assert two_turns.state["pending"] is None


def test_two_turns_taken_back_with_a_look_between(two_turns: Living) -> None:
    for _ in range(2):
        two_turns.tap("undo")
        two_turns.wait(3)
    two_turns.wait(15)
    assert two_turns.turns == []


def test_of_two_turns_taken_back_done_counts_one_at_a_time(two_turns: Living) -> None:
    before = two_turns.turns
    two_turns.tap("undo")
    two_turns.tap("undo")
    for count in (1, 2):
        two_turns.wait(3)
        assert two_turns.state["pending"]["held"]
        two_turns.tap("done")
        two_turns.wait(15)
        assert two_turns.turns == before[:count]


def test_a_turn_taken_back_stays_so_when_another_one_is_corrected(two_turns: Living) -> None:
    two_turns.tap("undo")
    two_turns.wait(2)
    two_turns.tap("correct", turn=1, points=9)
    two_turns.wait(15)
    assert two_turns.turns == [9]


def test_a_turn_taken_back_stays_so_after_a_restart(two_turns: Living) -> None:
    two_turns.tap("undo")
    two_turns.wait(2)
    two_turns.restart()
    two_turns.wait(15)
    assert len(two_turns.turns) == 1
    assert two_turns.state["pending"]["held"]


def test_all_turns_taken_back_stay_so_after_a_restart(two_turns: Living) -> None:
    before = two_turns.turns
    two_turns.tap("undo")
    two_turns.tap("undo")
    two_turns.restart()
    two_turns.wait(15)
    assert two_turns.turns == []
    two_turns.tap("done")
    two_turns.wait(15)
    assert two_turns.turns == before[:1]


def test_tiles_taken_away_after_an_undo_may_be_laid_anew(two_turns: Living) -> None:
    two_turns.tap("undo")
    two_turns.wait(2)
    for cell in SECOND:
        two_turns.take(cell)
    two_turns.lay(SECOND)
    two_turns.wait(7)
    assert len(two_turns.turns) == 2


def test_a_stopped_countdown_stays_so_when_somebody_corrects_a_turn(living: Living) -> None:
    living.lay(OPENING)
    living.tap("done")
    living.lay(SECOND)
    living.tap("hold", on=True)
    living.tap("correct", turn=1, points=9)
    living.wait(15)
    assert living.turns == [9]
    assert living.state["pending"]["held"]


def test_tiles_said_by_hand_stay_so_when_somebody_corrects_a_turn(living: Living) -> None:
    living.lay(OPENING)
    living.tap("done")
    living.lay(THIRD)
    cell = next((t["x"], t["y"]) for t in living.state["pending"]["placed"])
    said = tile_json(Placed(cell, Tile("clover", "red", "split")))
    living.tap("place", placed=[said])
    living.tap("correct", turn=1, points=9)
    living.wait(7)
    assert living.state["last_turn"]["placed"][0]["background"] == "split"


def test_a_move_is_pending_no_more_when_the_game_is_ended(living: Living) -> None:
    living.lay(OPENING)
    living.tap("end", player=0)
    living.wait(7)
    assert living.state["pending"] is None
    with pytest.raises(GameError):
        living.tap("done")
