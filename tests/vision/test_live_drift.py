"""While a game is followed, light that changes is a hint, and gone when it is gone."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from calibration.drift import reference
from calibration.profile import Profile
from scorer.tiles import Tile
from tests.vision.live_table import Living
from tiletally.live import CameraTable
from tiletally.live_drift import EVERY_S
from vision.cameras.base import Frame

RED = {(0, 0): Tile("circle", "red", "black")}
WARM, NEUTRAL = (0.55, 1.0, 1.2), (1.0, 1.0, 1.0)


class Lamp(Living):
    """A table whose pictures change their colours, but not their grey."""

    cast = NEUTRAL

    def open(self) -> None:
        super().open()
        picture = self.camera.picture

        def tinted() -> Frame:
            return np.asarray(np.clip(picture() * np.array(self.cast), 0, 255), np.uint8)

        self.camera.picture = tinted  # type: ignore[method-assign]
        profile = replace(Profile(), reference=reference(picture()))
        self.table = CameraTable(
            self.session,
            self.camera,
            make_reader=lambda _rules, _colours: self.reader,
            check_drift=lambda frame, reading: [
                finding.code for finding in profile.drift(frame, reading)
            ],
            clock=lambda: self.camera.now_s,
        )
        self.session.attach(self.table)

    def hints(self) -> list[str]:
        return [hint["code"] for hint in self.session.state()["camera"]["hints"]]


@pytest.fixture
def living(tmp_path: Path) -> Iterator[Lamp]:
    living = Lamp(tmp_path)
    yield living
    living.session.close()


def test_a_lamp_that_only_changes_the_colours_is_noticed(living: Lamp) -> None:
    living.lay(RED)
    assert living.hints() == []
    looks = living.table.look_count
    living.cast = WARM
    living.wait(EVERY_S + 1)
    assert living.hints() == ["light_warmer"]
    living.cast = NEUTRAL
    living.wait(EVERY_S + 1)
    assert living.hints() == []
    assert living.table.look_count == looks, "the tiles need not be read again for that"


def test_after_a_new_set_up_old_drift_is_forgotten_and_the_table_read_again(living: Lamp) -> None:
    living.lay(RED)
    living.cast = WARM
    living.wait(EVERY_S + 1)
    looks = living.table.look_count
    living.cast = NEUTRAL
    living.table.renew_reader()
    living.wait(1.0)
    assert living.hints() == []
    assert living.table.look_count > looks


def test_a_game_is_not_followed_while_the_camera_is_set_up(living: Lamp) -> None:
    living.wait(1.0)
    living.table.look_away(5.0)
    living.lay(RED)
    assert living.hints() == ["being_set_up"]
    assert living.session.state()["pending"] is None
    living.wait(5.0)
    assert living.hints() == []
    assert living.session.state()["pending"] is not None
