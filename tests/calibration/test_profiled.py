"""What was learned about a camera's light is undone before its frames are read."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import numpy.typing as npt

from calibration.my_tiles import Edition
from calibration.session import Calibration
from scorer.tiles import Cell, Tile
from tests.vision.drawn import blocks_of, drawn_table, layout_of
from tiletally.profiled import reader_maker
from vision.reading import Reading

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
