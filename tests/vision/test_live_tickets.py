"""A tap counts for what the person saw, once, also while the camera is in the middle of a look."""

from __future__ import annotations

import pytest

from scorer.journal import JournalError, StaleEdit
from tests.vision.live_table import OPENING, SECOND, THIRD, Living
from tiletally.session import Session, Ticket
from vision.cameras.base import Frame


def ticket(living: Living, command_id: str) -> Ticket:
    """What a tablet sends that shows the present state."""
    current = living.session.current()
    assert current is not None
    return Ticket(command_id, current.game_id, current.seq)


def test_a_done_that_waited_for_a_look_does_not_close_the_next_move(living: Living) -> None:
    living.lay(OPENING)
    late = ticket(living, "late")
    living.tap("done")
    living.lay(SECOND)
    with pytest.raises(StaleEdit):
        living.table.wish("done", {}, late)
    assert living.turns == [2]


def test_the_same_done_twice_closes_one_move(living: Living) -> None:
    living.lay(OPENING)
    same = ticket(living, "same")
    assert living.table.wish("done", {}, same)
    living.lay(SECOND)
    assert living.table.wish("done", {}, same)
    assert living.turns == [2]


def test_a_done_sent_again_after_a_restart_has_counted(living: Living) -> None:
    living.lay(OPENING)
    same = ticket(living, "same")
    living.session.command("done", {}, same)
    living.restart()
    living.wait(1.5)
    assert len(living.session.command("done", {}, same)["turns"]) == 1


def test_a_done_under_a_hand_that_counted_later_is_known_after_a_restart(living: Living) -> None:
    living.lay(OPENING, settle_s=0.125)
    same = ticket(living, "same")
    living.session.command("done", {}, same)
    living.wait(1.5)
    assert living.turns == [2]
    living.restart()
    living.wait(1.5)
    assert len(living.session.command("done", {}, same)["turns"]) == 1


def test_a_turn_is_never_played_into_another_game(
    living: Living, monkeypatch: pytest.MonkeyPatch
) -> None:
    living.lay(OPENING)
    living.wait(2)
    take_picture = living.camera.picture

    def picture_during_which_a_game_begins() -> Frame:
        monkeypatch.undo()
        living.session.new_game({"rules": "flex", "players": ["Cleo", "Dan"]})
        return take_picture()

    monkeypatch.setattr(living.camera, "picture", picture_during_which_a_game_begins)
    living.lay(SECOND)
    assert [player["name"] for player in living.state["players"]] == ["Cleo", "Dan"]
    assert living.turns == []


def test_moves_that_lie_there_together_stay_apart_when_saving_fails_once(
    living: Living, monkeypatch: pytest.MonkeyPatch
) -> None:
    def fail(self: Session, *_: object, **__: object) -> None:
        raise JournalError("the disk is full")

    living.lay(OPENING)
    living.tap("done")
    living.lay(SECOND)
    living.wait(2)
    with monkeypatch.context() as patch:
        patch.setattr(Session, "play", fail)
        living.lay(THIRD)
    assert len(living.turns) == 1
    living.wait(8)
    assert [len(turn["placed"]) for turn in living.state["turns"]] == [2, 2]
    assert living.pending_points() == 3
    living.wait(6)
    assert [len(turn["placed"]) for turn in living.state["turns"]] == [2, 2, 1]
    assert living.state["camera"]["hints"] == []
