"""What was learned about a camera's light is undone before its frames are read."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import numpy.typing as npt
import pytest

from calibration.my_tiles import Edition
from calibration.session import Calibration
from scorer.tiles import Cell, Tile
from tests.vision.drawn import blocks_of, drawn_table, layout_of
from tiletally.live_health import CameraHealth
from tiletally.profiled import faults_of_picture, reader_maker
from vision.reader import Reader
from vision.reading import Reading
from vision.scene.sensor import Sensor

FLEX = Edition("flex")


def by_candle(layout: dict[Cell, Tile]) -> npt.NDArray[np.uint8]:
    frame = drawn_table(blocks_of(layout)).frame_bgr
    return np.asarray(np.clip(frame * np.array([0.25, 0.65, 1.1]), 0, 255), np.uint8)


def confidence(reading: Reading) -> float:
    return float(np.mean([tile.confidence for tile in reading.layout]))


def test_a_kept_profile_undoes_the_cast_and_a_missing_one_is_said(tmp_path: Path) -> None:
    said: list[str] = []
    layout = layout_of(seed=3)
    plain = reader_maker(tmp_path, "usb:0", said.append)("flex", None).read(by_candle(layout))
    assert len(said) == 1
    calibration = Calibration(tmp_path, "usb:0")
    calibration.tiles(by_candle(calibration.arrangement(FLEX)), FLEX)
    helped = reader_maker(tmp_path, "usb:0", said.append)("flex", None).read(by_candle(layout))
    assert len(said) == 1
    assert len(helped.layout) == len(layout)
    assert confidence(helped) > confidence(plain)


@pytest.mark.parametrize(
    ("edge_px", "sensor", "hint"),
    [
        (48.0, Sensor(exposure=0.8, blur_px=5.0), "blurred"),
        (20.0, Sensor(exposure=0.8), "too_far"),
        (48.0, Sensor(exposure=6.0), "too_bright"),
    ],
)
def test_a_poor_picture_is_said_on_the_page_until_it_is_good(
    edge_px: float, sensor: Sensor, hint: str
) -> None:
    reader, health = Reader("flex"), CameraHealth("usb:0")
    blocks = blocks_of(layout_of(seed=4))
    poor = drawn_table(blocks, edge_px=edge_px, sensor=sensor).frame_bgr
    health.aimed(faults_of_picture(poor, reader.read(poor)))
    assert hint in [each["code"] for each in health.to_json()["hints"]]
    good = drawn_table(blocks).frame_bgr
    health.aimed(faults_of_picture(good, reader.read(good)))
    assert health.to_json()["hints"] == []
