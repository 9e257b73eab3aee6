"""The sheet and the lens: what is printed is found again, and a known bend is measured."""

from __future__ import annotations

import re
from functools import cache

import cv2
import numpy as np
import numpy.typing as npt
import pytest

from calibration import lens as lenses
from calibration.findings import CalibrationError
from calibration.lens import Lens, calibrate, find_sheet
from calibration.sheet import COLUMNS, POINTS_PER_MM, ROWS, SQUARE_MM, board, pdf
from tests.calibration.wide_lens import lens_of
from vision.scene.pinhole import Pinhole

SIZE_WH = (1024, 768)
FOCAL_PX = 900.0
MATRIX = np.array([[FOCAL_PX, 0, SIZE_WH[0] / 2], [0, FOCAL_PX, SIZE_WH[1] / 2], [0, 0, 1.0]])
BARREL = np.array([-0.18, 0.05, 0.0, 0.0, 0.0])
VIEWS = (
    (0.45, 0.3, 0.2, (60.0, 90.0)),
    (0.5, 1.9, -0.3, (120.0, 100.0)),
    (0.4, 3.5, 0.1, (80.0, 160.0)),
    (0.5, 5.0, 1.4, (110.0, 140.0)),
    (0.1, 0.0, 1.6, (84.0, 120.0)),
    (0.3, 2.6, 1.5, (40.0, 60.0)),
)
"""Tilt, azimuth and roll in radians, and the point of the sheet aimed at, in millimetres."""

Frame = npt.NDArray[np.uint8]


def camera(view: tuple[float, float, float, tuple[float, float]], mm: float = 330.0) -> Pinhole:
    tilt, azimuth, roll, aim = view
    return Pinhole(SIZE_WH, FOCAL_PX, mm, tilt, azimuth, roll, aim)


@cache
def sheet_photo(number: int) -> Frame:
    """The sheet seen by a known camera, through the bent lens."""
    per_mm = 6
    art = np.asarray(
        board().generateImage((int(COLUMNS * SQUARE_MM * per_mm), int(ROWS * SQUARE_MM * per_mm)))
    )
    to_mm = np.array([[1 / per_mm, 0, 0.5 / per_mm], [0, 1 / per_mm, 0.5 / per_mm], [0, 0, 1]])
    fine = 3
    finer = np.array([[fine, 0, (fine - 1) / 2], [0, fine, (fine - 1) / 2], [0, 0, 1.0]])
    homography = finer @ camera(VIEWS[number]).plane() @ to_mm
    straight = cv2.warpPerspective(
        art, homography, (SIZE_WH[0] * fine, SIZE_WH[1] * fine), borderValue=150
    )
    source = bent_source() * fine + (fine - 1) / 2
    seen = cv2.remap(straight, source[..., 0], source[..., 1], cv2.INTER_LINEAR)
    noise = np.random.default_rng(number).normal(0, 3, seen.shape)
    soft = cv2.GaussianBlur(seen, (0, 0), 0.6).astype(float) * 0.8 + 20 + noise
    return cv2.cvtColor(np.clip(soft, 0, 255).astype(np.uint8), cv2.COLOR_GRAY2BGR).astype(np.uint8)


@cache
def bent_source() -> npt.NDArray[np.float32]:
    """Where each pixel (H, W, 2) of the bent picture is in the straight one."""
    columns, rows = np.meshgrid(np.arange(SIZE_WH[0]), np.arange(SIZE_WH[1]))
    points = np.stack([columns, rows], 2).reshape(-1, 1, 2).astype(np.float64)
    straight = cv2.undistortPoints(points, MATRIX, BARREL, P=MATRIX)
    return np.asarray(straight, np.float32).reshape(SIZE_WH[1], SIZE_WH[0], 2)


@pytest.fixture(scope="module")
def known() -> Lens:
    return calibrate([sheet_photo(k) for k in range(len(VIEWS))])[0]


def rectangles(data: bytes) -> npt.NDArray[np.float64]:
    rows = re.findall(rb"^([\d.]+) ([\d.]+) ([\d.]+) ([\d.]+) re f$", data, re.MULTILINE)
    return np.array(rows, float) / POINTS_PER_MM


@pytest.mark.parametrize(("paper", "size_mm"), [("a4", (210, 297)), ("letter", (215.9, 279.4))])
def test_the_printed_sheet_is_the_board_that_is_looked_for(
    paper: str, size_mm: tuple[float, float]
) -> None:
    data = pdf(paper)
    per_mm = 5
    page = np.full((int(size_mm[1] * per_mm), int(size_mm[0] * per_mm), 3), 255, np.uint8)
    for x, y, wide, high in rectangles(data):
        top, left = round((size_mm[1] - y - high) * per_mm), round(x * per_mm)
        page[top : top + round(high * per_mm), left : left + round(wide * per_mm)] = 0
    view = find_sheet(page)
    assert view is not None
    assert len(view.corners_px) == (COLUMNS - 1) * (ROWS - 1)
    steps = np.linalg.norm(np.diff(view.corners_px[: COLUMNS - 1], axis=0), axis=1)
    assert steps == pytest.approx(SQUARE_MM * per_mm, abs=0.5)


@pytest.mark.parametrize("paper", ["a4", "letter"])
def test_the_pdf_is_sound_and_everything_is_on_the_paper(paper: str) -> None:
    data = pdf(paper)
    assert data.startswith(b"%PDF-1.4")
    start = int(data.split(b"startxref\n")[1].split()[0])
    assert data[start : start + 4] == b"xref"
    for number, place in enumerate(re.findall(rb"^(\d{10}) 00000 n", data, re.MULTILINE), start=1):
        assert data[int(place) :].startswith(b"%d 0 obj" % number)
    box = re.search(rb"MediaBox \[0 0 ([\d.]+) ([\d.]+)\]", data)
    assert box is not None
    size = np.array(box.groups(), float) / POINTS_PER_MM
    boxes = rectangles(data)
    assert (boxes[:, :2] >= 5).all()
    assert (boxes[:, :2] + boxes[:, 2:] <= size - 5).all()
    assert 100.0 in boxes[:, 2].round(2), "the check ruler"


def test_a_known_lens_is_measured_to_half_a_pixel(known: Lens) -> None:
    assert known.rms_px < 0.5
    assert known.matrix[0, 0] == pytest.approx(FOCAL_PX, rel=0.01)
    assert off_px(known).max() < 0.5


def off_px(known: Lens) -> npt.NDArray[np.float64]:
    """How far straightened points are from the truth, over a grid of the whole picture.

    The two may differ by a plane's view (focal length and middle), which bends nothing.
    """
    grid = np.stack(np.meshgrid(np.arange(20, 1010, 60), np.arange(20, 760, 60)), 2)
    points = grid.reshape(-1, 2).astype(np.float64)
    truth = cv2.undistortPoints(points.reshape(-1, 1, 2), MATRIX, BARREL, P=MATRIX).reshape(-1, 2)
    found = known.straight_points(points)
    view, _ = cv2.findHomography(found, truth)
    moved = cv2.perspectiveTransform(found.reshape(-1, 1, 2), np.asarray(view)).reshape(-1, 2)
    return np.asarray(np.linalg.norm(moved - truth, axis=1))


def test_a_straightened_photo_has_straight_lines(known: Lens) -> None:
    view = find_sheet(known.straightened(sheet_photo(4)))
    assert view is not None
    matrix, _ = cv2.findHomography(view.corners_mm[:, :2], view.corners_px)
    places = view.corners_mm[:, None, :2].copy()
    straight = cv2.perspectiveTransform(places, np.asarray(matrix)).reshape(-1, 2)
    assert np.sqrt(((straight - view.corners_px) ** 2).sum(1).mean()) < 0.5


def test_all_of_a_wide_lens_is_in_the_straightened_picture() -> None:
    wide = lens_of("very wide (-0.30)")
    corners = np.array([[0, 0], [1023, 0], [1023, 767], [0, 767], [512, 0]], float)
    frame = np.zeros((768, 1024, 3), np.uint8)
    for x, y in corners.astype(int):
        cv2.circle(frame, (x, y), 14, (255, 255, 255), -1)
    grey = cv2.cvtColor(wide.straightened(frame), cv2.COLOR_BGR2GRAY)
    count, _, _, middles = cv2.connectedComponentsWithStats((grey > 99).astype(np.uint8))
    assert count == 1 + len(corners)
    back = wide.bent_points(middles[1:], SIZE_WH)
    off = np.linalg.norm(back[:, None] - corners[None], axis=2).min(0)
    assert off.max() < 14, "within the spots, of which the border cuts off a part"


def test_points_lead_to_the_straight_picture_and_back_at_any_size() -> None:
    wide = lens_of("very wide (-0.30)")
    for size in (SIZE_WH, (2048, 1536)):
        points = np.array([[4, 4], [size[0] - 5, 9], [size[0] // 3, size[1] - 4]], float)
        straight = wide.straight_points(points, size)
        assert np.abs(wide._seen(straight, wide._scaled(size), size) - points).max() < 0.01


def test_a_lens_whose_terms_lead_nowhere_at_the_border_still_gives_a_picture() -> None:
    folded = Lens(SIZE_WH, lens_of("wide (-0.18)").matrix, np.array([-0.3, 0, 0, 0, 0]), 0.0, 4)
    straight = folded.straightened(np.full((768, 1024, 3), 99, np.uint8))
    assert straight[384, 512].tolist() == [99, 99, 99]


def test_frames_of_another_shape_are_left_alone_and_smaller_ones_are_not(known: Lens) -> None:
    wide = np.zeros((500, 1000, 3), np.uint8)
    assert known.straightened(wide) is wide
    small = cv2.resize(sheet_photo(4), (512, 384))
    assert (known.straightened(small) != small).any()


def test_too_few_photos_are_refused() -> None:
    empty = np.full((300, 400, 3), 90, np.uint8)
    with pytest.raises(CalibrationError, match="in 1 of 2 photos") as caught:
        calibrate([sheet_photo(0), empty])
    assert caught.value.finding.code == "too_few_sheets"


def test_photos_from_one_side_are_refused() -> None:
    with pytest.raises(CalibrationError) as caught:
        calibrate([sheet_photo(4)] * 4)
    assert caught.value.finding.code in ("views_alike", "sheet_only_in_middle")


def test_photos_of_different_sizes_are_refused() -> None:
    small = np.ascontiguousarray(sheet_photo(3)[:700])
    with pytest.raises(CalibrationError, match="different sizes"):
        calibrate([sheet_photo(0), sheet_photo(1), sheet_photo(2), small])


def test_a_sheet_that_is_not_flat_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    rng = np.random.default_rng(1)
    real = lenses.find_sheet

    def wavy(frame: Frame) -> lenses.SheetView | None:
        view = real(frame)
        assert view is not None
        crumpled = view.corners_px + rng.normal(0, 3, view.corners_px.shape)
        return lenses.SheetView(crumpled, view.corners_mm, view.size_wh)

    monkeypatch.setattr(lenses, "find_sheet", wavy)
    with pytest.raises(CalibrationError, match="so that it is flat"):
        calibrate([sheet_photo(k) for k in range(len(VIEWS))])
