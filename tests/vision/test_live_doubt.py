"""A tile whose label stays doubtful over several looks still belongs to the turn that laid it."""

from __future__ import annotations

from pathlib import Path

import cv2

from tiletally.live import CameraTable
from tiletally.session import Session
from vision.cameras.demo import DemoTable


def test_a_doubtful_tile_is_not_lost_between_two_looks(tmp_path: Path) -> None:
    """In this game turn 10 lays two tiles, and the first one's background is long in doubt."""
    cv2.setNumThreads(1)
    session, camera = Session.open(tmp_path), DemoTable(7, None)
    try:
        table = CameraTable(session, camera, source="demo")
        session.attach(table)
        table.step()
        while table.turn_count < 11:
            table.step()
        current = session.current()
        assert current is not None
        points = [turn.points for turn in current.game.turns[:11]]
        assert points == [play.score for play in camera.script.plays[:11]]
    finally:
        session.close()
