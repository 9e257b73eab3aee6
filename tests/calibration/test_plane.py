"""The table plane, from the sheet and from tiles, against a camera that is known."""

from __future__ import annotations

import cv2
import numpy as np
import numpy.typing as npt
import pytest

from calibration.findings import CalibrationError
from calibration.lens import Lens, SheetView, calibrate, find_sheet
from calibration.plane import TILE_MM, Plane, from_sheet, from_tiles, misfit
from scorer.tiles import Cell, Tile
from tests.calibration.test_lens import BARREL, MATRIX, SIZE_WH, VIEWS, camera, sheet_photo
from tests.vision.drawn import blocks_of, drawn_table, layout_of
from tests.vision.fake_readings import Blur, Eye, seen_tile
from vision.reader import Reader
from vision.reading import SeenTile
from vision.scene.pinhole import Pinhole

TILT, EDGE_PX, FOCAL_PX = 0.4, 48.0, 1100.0
RED = Tile("circle", "red", "black")
LENS = Lens(SIZE_WH, MATRIX, BARREL, 0.0, 0)
"""The lens through which the photos of the sheet are drawn."""


def seen(
    cells: list[Cell], pinhole: Pinhole, off: float = 0.0, turn: float = 0.0
) -> list[SeenTile]:
    """Tiles on cells as a known camera sees them, laid off by a share of a tile."""
    rng = np.random.default_rng(3)
    cos, sin = np.cos(turn), np.sin(turn)
    tiles = []
    for cell in cells:
        square = np.array([[-0.5, -0.5], [0.5, -0.5], [0.5, 0.5], [-0.5, 0.5]]) + np.array(cell)
        spun = square @ np.array([[cos, sin], [-sin, cos]]) + rng.normal(0, off, 2)
        corners = pinhole.project(np.column_stack([spun, np.zeros(4)]))
        tiles.append(seen_tile(cell, RED, corners, Blur(), cell))
    return tiles


def table_camera(distance: float = FOCAL_PX / EDGE_PX) -> Pinhole:
    return Pinhole((1024, 768), FOCAL_PX, distance, TILT, 1.1, 0.3)


CELLS = [(x, y) for x in range(-3, 4) for y in range(-2, 2)]


def truth_off_px(plane: Plane, pinhole: Pinhole, places: npt.NDArray[np.float64]) -> float:
    """How far off (root of the mean square, pixels) the plane is where the camera is known."""
    pixels = pinhole.project(np.column_stack([places, np.zeros(len(places))]))
    return float(np.sqrt(((plane.to_px(places) - pixels) ** 2).sum(1).mean()))


def test_a_sheet_on_the_table_gives_the_plane_to_half_a_pixel() -> None:
    pinhole = camera(VIEWS[4])
    mm = np.stack(np.meshgrid(np.arange(24, 168, 24), np.arange(24, 240, 24)), 2).reshape(-1, 2)
    pixels = pinhole.project(np.column_stack([mm, np.zeros(len(mm))]))
    noisy = pixels + np.random.default_rng(1).normal(0, 0.2, pixels.shape)
    view = SheetView(noisy, np.column_stack([mm, np.zeros(len(mm))]).astype(float), SIZE_WH)
    plane, finding = from_sheet(view, tile_mm=24.0)
    assert plane.error_px < 0.5
    assert np.abs(plane.to_px(mm / 24.0) - pixels).max() < 0.5
    assert finding.code == "plane_known"


@pytest.fixture(scope="module")
def measured() -> Lens:
    return calibrate([sheet_photo(number) for number in range(len(VIEWS))])[0]


@pytest.mark.parametrize("number", range(len(VIEWS)))
def test_from_rendered_sheets_over_lens_to_plane_all_is_right_to_half_a_pixel(
    number: int, measured: Lens
) -> None:
    view = find_sheet(sheet_photo(number))
    assert view is not None
    plane, _ = from_sheet(measured.straight_view(view))
    assert plane.error_px < 0.5
    grid = np.arange(24.0, 168, 24), np.arange(24.0, 240, 24)
    mm = np.stack(np.meshgrid(*grid), 2).reshape(-1, 2)
    seen = bent_px(camera(VIEWS[number]).project(np.column_stack([mm, np.zeros(len(mm))])), LENS)
    # Lens and plane are judged together, in the frame: each may make up for the other's scale.
    found = bent_px(plane.to_px(mm / TILE_MM), measured)
    is_in_view = ((seen > 0) & (seen < SIZE_WH)).all(1)
    assert np.linalg.norm(found - seen, axis=1)[is_in_view].max() < 0.5


def bent_px(straight_px: npt.NDArray[np.float64], lens: Lens) -> npt.NDArray[np.float64]:
    """Where a lens shows what one without its bend shows at these pixels."""
    homogeneous = np.column_stack([straight_px, np.ones(len(straight_px))])
    rays = homogeneous @ np.linalg.inv(lens.matrix).T
    pixels, _ = cv2.projectPoints(rays, np.zeros(3), np.zeros(3), lens.matrix, lens.bend)
    return np.asarray(pixels, np.float64).reshape(-1, 2)


def test_exact_tiles_give_the_plane_to_half_a_pixel() -> None:
    plane, _ = from_tiles(seen(CELLS, table_camera()), (1024, 768))
    assert plane.error_px < 0.5
    assert truth_off_px(plane, table_camera(), np.array(CELLS, float)) < 0.5
    assert plane.tile_px == pytest.approx(EDGE_PX, rel=0.05)


def test_hand_laid_tiles_give_it_to_a_twentieth_of_a_tile() -> None:
    plane, _ = from_tiles(seen(CELLS, table_camera(), off=0.03), (1024, 768))
    assert truth_off_px(plane, table_camera(), np.array(CELLS, float)) < EDGE_PX / 20


def test_tiles_read_from_a_picture_give_a_plane() -> None:
    layout = layout_of(5, 16)
    reading = Reader("flex").read(drawn_table(blocks_of(layout), tilt=0.4).frame_bgr)
    plane, _ = from_tiles(reading.layout, reading.size_wh)
    assert plane.error_tiles < 0.06
    assert plane.tile_px == pytest.approx(48, rel=0.08)


@pytest.mark.parametrize("count", [0, 1, 5])
def test_too_few_tiles_are_refused(count: int) -> None:
    with pytest.raises(CalibrationError, match=f"{count} tiles are seen together"):
        from_tiles(seen(CELLS[:count], table_camera()), (1024, 768))


def test_tiles_strewn_about_are_refused() -> None:
    rng = np.random.default_rng(2)
    strewn = [
        seen_tile(cell, RED, Eye().corners_px(cell) + rng.normal(0, 25, (4, 2)), Blur(), cell)
        for cell in CELLS
    ]
    with pytest.raises(CalibrationError, match="Push them together"):
        from_tiles(strewn, (1640, 1232))


def test_a_moved_layout_fits_the_known_plane_and_a_moved_camera_does_not() -> None:
    plane, _ = from_tiles(seen(CELLS, table_camera()), (1024, 768))
    elsewhere = seen([(x + 2, y - 3) for x, y in CELLS], table_camera(), turn=0.5)
    edge, skew = misfit(plane, elsewhere)
    assert edge == pytest.approx(1, abs=0.01)
    assert skew < 0.02
    assert misfit(plane, seen(CELLS, table_camera(20.0)))[0] == pytest.approx(1.146, abs=0.03)
    tilted = Pinhole((1024, 768), FOCAL_PX, FOCAL_PX / EDGE_PX, 0.1, 1.1, 0.3)
    assert misfit(plane, seen(CELLS, tilted))[1] > 0.03
