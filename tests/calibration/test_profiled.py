"""What was learned about a camera's light is undone before its frames are read."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import cv2
import numpy as np
import numpy.typing as npt
import pytest

from calibration.my_tiles import Edition
from calibration.session import Calibration
from scorer.tiles import Cell, Tile
from tests.calibration.test_lens import VIEWS, bent_source, sheet_photo
from tests.vision.drawn import blocks_of, drawn_table, layout_of
from tiletally.live_health import CameraHealth
from tiletally.profiled import Profiled, faults_of_picture
from vision.reader import Reader
from vision.reading import Reading
from vision.scene.sensor import Sensor

FLEX = Edition("flex")
AT_THE_BORDER = (9.0, 0.0)
"""Tiles from the middle: there the lens makes them a tenth smaller."""


def by_candle(layout: dict[Cell, Tile]) -> npt.NDArray[np.uint8]:
    frame = drawn_table(blocks_of(layout)).frame_bgr
    return np.asarray(np.clip(frame * np.array([0.25, 0.65, 1.1]), 0, 255), np.uint8)


def confidence(reading: Reading) -> float:
    return float(np.mean([tile.confidence for tile in reading.layout]))


def test_a_kept_profile_undoes_the_cast_and_a_missing_one_is_said(tmp_path: Path) -> None:
    layout = layout_of(seed=3)
    calibration = Calibration(tmp_path, "usb:0")
    assert "not calibrated" in str(calibration.message)
    profiled = Profiled(calibration)
    plain = profiled.reader("flex", None).read(by_candle(layout))
    calibration.tiles(by_candle(calibration.arrangement(FLEX)), FLEX)
    assert calibration.message is None
    helped = profiled.reader("flex", None).read(by_candle(layout))
    again = Profiled(Calibration(tmp_path, "usb:0")).reader("flex", None).read(by_candle(layout))
    assert [tile.tile for tile in again.layout] == [tile.tile for tile in helped.layout]
    assert len(helped.layout) == len(layout)
    assert confidence(helped) > confidence(plain)


@pytest.mark.parametrize(
    ("edge_px", "cast", "codes"),
    [
        (48.0, (1.0, 1.0, 1.0), []),
        (48.0, (0.55, 1.0, 1.2), ["light_warmer"]),
        (48.0, (1.25, 1.0, 0.7), ["light_cooler"]),
        (48.0, (0.4, 0.4, 0.4), ["light_darker"]),
        (48.0, (0.02, 0.02, 0.02), ["light_gone"]),
        (56.0, (1.0, 1.0, 1.0), ["camera_moved"]),
    ],
)
def test_what_has_changed_since_the_set_up_is_noticed_in_a_real_reading(
    edge_px: float, cast: tuple[float, float, float], codes: list[str], tmp_path: Path
) -> None:
    _, profiled = set_up(tmp_path)
    frame = drawn_table(blocks_of(layout_of(seed=5)), edge_px=edge_px).frame_bgr
    seen = np.asarray(np.clip(frame * np.array(cast), 0, 255), np.uint8)
    assert profiled.drift(seen, profiled.reader("flex", None).read(seen)) == codes


def set_up(data: Path) -> tuple[Calibration, Profiled]:
    calibration = Calibration(data, "usb:0")
    photo = drawn_table(blocks_of(calibration.arrangement(FLEX))).frame_bgr
    calibration.tiles(photo, FLEX)
    calibration.plane(photo, FLEX)
    return calibration, Profiled(calibration)


def test_a_wide_lens_that_is_known_is_not_taken_for_a_moved_camera(tmp_path: Path) -> None:
    calibration, profiled = set_up(tmp_path)
    calibration.lens([sheet_photo(number) for number in range(len(VIEWS))])
    arrangement = calibration.arrangement(FLEX)
    calibration.plane(bent(arrangement, (0.0, 0.0)), FLEX)
    frame = bent(arrangement, AT_THE_BORDER)
    reading = profiled.reader("flex", None).read(frame)
    assert len(reading.layout) == 12
    assert profiled.drift(frame, reading) == []


def bent(layout: dict[Cell, Tile], at: tuple[float, float]) -> npt.NDArray[np.uint8]:
    """A layout somewhere on the table through the lens that bends the photos of the sheet."""
    source = bent_source()
    blocks = [replace(each, x=each.x + at[0], y=each.y + at[1]) for each in blocks_of(layout)]
    straight = drawn_table(tuple(blocks), edge_px=36.0).frame_bgr
    return np.asarray(cv2.remap(straight, source[..., 0], source[..., 1], cv2.INTER_LINEAR))


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
