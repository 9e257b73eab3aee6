"""Every tile belongs to the turn that laid it, also when looks are doubtful or moves pile up."""

from __future__ import annotations

from pathlib import Path

import cv2
import pytest

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
