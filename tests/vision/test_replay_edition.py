"""Nobody need say whether the classic box has purple or white tiles."""

from __future__ import annotations

from pathlib import Path

import cv2
import pytest

from scorer.tiles import Tile
from tests.vision.drawn import blocks_of, drawn_table
from tiletally.replaying import colours_seen
from vision.reader import Reader


@pytest.mark.parametrize("colour", ["purple", "white"])
def test_the_last_readable_photo_tells_the_edition(colour: str, tmp_path: Path) -> None:
    layout = {(0, 0): Tile("circle", "red"), (1, 0): Tile("circle", colour)}
    frame = drawn_table(blocks_of(layout)).frame_bgr
    cv2.imwrite(str(tmp_path / "turn_01.jpg"), frame)
    (tmp_path / "turn_02.jpg").write_bytes(b"no picture")
    colours = colours_seen(tmp_path, Reader("classic"), "classic")
    assert colour in colours
    assert len(colours) == 6


def test_flex_has_but_one_box(tmp_path: Path) -> None:
    assert "purple" in colours_seen(tmp_path, Reader("flex"), "flex")
