"""The aim check: every fault is really made, and named with its cure."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

import numpy as np
import pytest

from calibration.aim import check
from calibration.drift import camera_findings, light_change, light_findings, reference
from calibration.findings import Finding, worst
from calibration.plane import from_tiles
from models.degrade import WORSE
from tests.calibration.evidence import tinted
from tests.vision.drawn import Frame, blocks_of, drawn_table, layout_of
from vision.model import Model, load
from vision.reader import Reader
from vision.reading import Reading, SeenTile

LAYOUT = layout_of(1, 18)


@pytest.fixture(scope="module")
def model() -> Model:
    return load()


@pytest.fixture(scope="module")
def frame() -> Frame:
    return drawn_table(blocks_of(LAYOUT), 1).frame_bgr


@pytest.fixture(scope="module")
def reader(model: Model) -> Reader:
    return Reader("flex", model=model)


@pytest.fixture(scope="module")
def reading(frame: Frame, reader: Reader) -> Reading:
    return reader.read(frame)


def codes(findings: list[Finding]) -> set[str]:
    return {finding.code for finding in findings}


def test_a_good_picture_is_called_good(frame: Frame, reading: Reading, model: Model) -> None:
    found = check(frame, reading, model)
    good = {"size_good", "sharp", "light_good", "colours_good"}
    assert good <= codes(found)
    assert worst(finding for finding in found if finding.code in good) == "good"


@pytest.mark.parametrize(
    ("change", "code", "level"),
    [
        (WORSE["blur 2.5 px"], "soft", "hint"),
        (WORSE["blur 4 px"], "blurred", "problem"),
        (WORSE["exposure x0.35"], "dim", "hint"),
        (WORSE["exposure x0.2 and noise"], "too_dark", "problem"),
        (tinted(2.2, 2.2, 2.2), "overexposed", "problem"),
        (WORSE["glare"], "glare", "hint"),
    ],
    ids=["soft", "blurred", "dim", "dark", "overexposed", "glare"],
)
def test_each_fault_is_named(
    change: Callable[[Frame], Frame], code: str, level: str, frame: Frame, reader: Reader
) -> None:
    worse = change(frame)
    found = {finding.code: finding for finding in check(worse, reader.read(worse), load())}
    assert code in found, sorted(found)
    assert found[code].level == level


@pytest.mark.parametrize(
    ("edge_px", "code"), [(24.0, "tiles_too_small"), (34.0, "tiles_small"), (48.0, "size_good")]
)
def test_the_size_of_tiles_is_judged(edge_px: float, code: str, reader: Reader) -> None:
    picture = drawn_table(blocks_of(LAYOUT), 1, edge_px=edge_px).frame_bgr
    found = check(picture, reader.read(picture), load())
    assert code in codes(found)


def test_colours_that_look_alike_are_named(frame: Frame, reading: Reading, model: Model) -> None:
    tiles = tuple(_with_colour_of(tile, reading, model) for tile in reading.tiles)
    found = check(frame, replace(reading, tiles=tiles), model)
    alike = next(finding for finding in found if finding.code == "colours_too_close")
    assert {alike.values["one"], alike.values["other"]} == {"red", "orange"}


def _with_colour_of(tile: SeenTile, reading: Reading, model: Model) -> SeenTile:
    """Orange tiles whose features are those of red ones."""
    red = next(each.features for each in reading.tiles if each.tile.colour == "red")
    return replace(tile, features=red) if tile.tile.colour in ("orange", "red") else tile


def test_tiles_at_the_border_are_noticed(frame: Frame, reading: Reading, model: Model) -> None:
    right = int(max(tile.corners_px[:, 0].max() for tile in reading.tiles))
    cut = replace(reading, size_wh=(right + 5, reading.size_wh[1]))
    found = {finding.code: finding for finding in check(frame, cut, model)}
    assert found["at_the_border"].values["side"] == "right"


@pytest.mark.parametrize(("level", "code"), [(0, "no_tiles_dark"), (140, "no_tiles")])
def test_an_empty_table_asks_for_tiles(level: int, code: str, model: Model) -> None:
    frame = np.full((480, 640, 3), level, np.uint8)
    assert codes(check(frame, Reading((), (640, 480)), model)) == {code}


def test_other_tiles_in_the_same_light_are_no_drift(frame: Frame) -> None:
    other = drawn_table(blocks_of(layout_of(2, 24)), 1).frame_bgr
    assert light_findings(reference(frame), other) == []


@pytest.mark.parametrize(
    ("change", "code"),
    [
        (tinted(0.7, 0.95, 1.1), "light_warmer"),
        (tinted(1.1, 1.0, 0.8), "light_cooler"),
        (tinted(0.45, 0.45, 0.45), "light_darker"),
        (tinted(0.0, 0.0, 0.0), "light_gone"),
    ],
    ids=["warmer", "cooler", "darker", "gone"],
)
def test_a_changed_light_is_noticed(
    change: Callable[[Frame], Frame], code: str, frame: Frame
) -> None:
    assert codes(light_findings(reference(frame), change(frame))) == {code}


COLOURED = {
    "red cloth": (14, 10, 170),
    "green felt by a warm lamp": (9, 80, 40),
    "navy": (45, 18, 9),
    "walnut": (8, 22, 45),
}


@pytest.mark.parametrize("table_bgr", COLOURED.values(), ids=COLOURED)
def test_a_coloured_table_in_good_light_is_not_taken_for_darkness(
    table_bgr: tuple[int, int, int], frame: Frame, reading: Reading
) -> None:
    there = on_plain_table(frame, reading, table_bgr)
    assert light_findings(reference(there), there) == []
    dark = (there * 0.02).astype(np.uint8)
    assert codes(light_findings(reference(there), dark)) == {"light_gone"}


def on_plain_table(frame: Frame, reading: Reading, table_bgr: tuple[int, int, int]) -> Frame:
    """Twelve tiles of a picture on a flat table of one colour."""
    plain = np.full_like(frame, table_bgr)
    for tile in reading.tiles[:12]:
        (x0, y0), (x1, y1) = tile.corners_px.min(0).astype(int), tile.corners_px.max(0).astype(int)
        plain[y0:y1, x0:x1] = frame[y0:y1, x0:x1]
    return plain


def test_a_set_up_in_the_dark_tells_nothing_about_the_light(frame: Frame) -> None:
    assert light_findings(reference(np.zeros_like(frame)), frame) == []


def test_the_change_of_light_is_measured(frame: Frame) -> None:
    dim = (frame * 0.5).astype(np.uint8)
    change = light_change(reference(dim), reference(tinted(0.8, 1.0, 1.1)(dim)))
    assert change is not None
    assert change[1] == pytest.approx(np.log(0.8), abs=0.05)
    assert change[2] == pytest.approx(np.log(1.1), abs=0.05)


def test_a_moved_camera_is_noticed_and_moved_tiles_are_not(
    frame: Frame, reading: Reading, reader: Reader
) -> None:
    plane, _ = from_tiles(reading.layout, reading.size_wh)
    moved_tiles = drawn_table(blocks_of(layout_of(3, 18), turn=0.7), 1).frame_bgr
    assert camera_findings(plane, reader.read(moved_tiles).tiles) == []
    nearer = drawn_table(blocks_of(LAYOUT), 1, edge_px=54.0).frame_bgr
    assert codes(camera_findings(plane, reader.read(nearer).tiles)) == {"camera_moved"}
    assert camera_findings(plane, ()) == []
