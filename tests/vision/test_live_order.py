"""Every tile belongs to the turn that laid it, also when looks are doubtful or moves pile up."""

from __future__ import annotations

from pathlib import Path

import cv2
import pytest

from tests.vision.live_table import OPENING, SECOND, THIRD, Living
from tiletally.live import CameraTable
from tiletally.session import Session
from vision.cameras.demo import DemoTable


@pytest.mark.parametrize(
    ("seed", "turns"),
    [
        pytest.param(7, 11, id="a tile whose background is long in doubt"),
        pytest.param(38, 2, id="a second move before the opening is final"),
    ],
)
def test_simulated_turns_get_their_own_tiles(seed: int, turns: int, tmp_path: Path) -> None:
    cv2.setNumThreads(1)
    session, camera = Session.open(tmp_path), DemoTable(seed, None)
    try:
        table = CameraTable(session, camera, source="demo")
        session.attach(table)
        table.step()
        while table.turn_count < turns:
            table.step()
        current = session.current()
        assert current is not None
        points = [turn.points for turn in current.game.turns[:turns]]
        assert points == [play.score for play in camera.script.plays[:turns]]
    finally:
        session.close()


def test_a_move_laid_in_two_visits_stays_whole_when_the_next_player_is_quick(
    living: Living,
) -> None:
    living.lay(OPENING)
    living.tap("done")
    for cell, tile in SECOND.items():
        living.lay({cell: tile})
    living.lay(THIRD)
    assert living.state["questions"] == []
    assert [len(turn["placed"]) for turn in living.state["turns"]] == [2, 2]
    assert living.pending_points() == 3
