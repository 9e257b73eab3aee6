"""The lens: how it bends straight lines, from several photos of the printed sheet."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import lru_cache
from typing import Any

import cv2
import numpy as np
import numpy.typing as npt

from calibration.findings import CalibrationError, Finding
from calibration.sheet import board

Array = npt.NDArray[Any]
Frame = npt.NDArray[Any]

LEAST_PHOTOS = 4
"""Fewer photos leave the focal length and the bend undecided."""

LEAST_CORNERS = 20
"""Of the sheet's 54 inner corners; with fewer, the sheet is cut off or blurred."""

LEAST_COVER = 0.35
"""Share of the picture, in fields of 8 by 6, in which corners were seen over all photos: the bend
is strongest at the borders, and what was never seen there is only guessed."""

LEAST_TILT_SPREAD = 8.0
"""Degrees between the flattest and the most slanted view: from views that are all alike, focal
length and distance cannot be told apart."""

WORST_RMS = 1.0
"""Pixels, for a picture of 1640 px. Drawn photos of 1024 px with some blur and noise give 0.17;
corners that are off by 3 px, as on a wavy sheet, give more than 3."""

MOST_SHRUNK = 2.0
"""A straightened picture is shown at half the scale at the least, and the rest is cut off. All of
the strongest lens measured (Camera Module 3 Wide, k1 of minus 0.30) takes 1.4."""

BORDER_POINTS = 9
ROUNDS = 40
"""Half steps, since whole ones overshoot where the second term rules: each takes a quarter off the
error or more, for the strongest lens measured."""
LONGEST_PX = 1e5
"""Where a lens's terms lead nowhere, the search must not run away."""

_RMS_AT_PX = 1640
_FLAGS = cv2.CALIB_FIX_K3 | cv2.CALIB_ZERO_TANGENT_DIST | cv2.CALIB_FIX_ASPECT_RATIO
"""Two terms of bend about the middle: more of them fit noise where the corners are few."""


@dataclass(frozen=True, slots=True)
class Lens:
    """A calibrated lens: `matrix` (3, 3) and `bend` (5,) for frames of `size_wh`.

    `rms_px` is how far the sheet's corners are from where the lens would show them.
    """

    size_wh: tuple[int, int]
    matrix: Array
    bend: Array
    rms_px: float
    photos: int

    def straightened(self, frame_bgr: Frame) -> Frame:
        """The whole frame as a lens without bend would show it, at a smaller scale.

        At the scale of the middle, what is at the border would fall out of the picture. Frames of
        another shape stay as they are.
        """
        size = (int(frame_bgr.shape[1]), int(frame_bgr.shape[0]))
        if not self.fits(size):
            return frame_bgr
        matrices = self._scaled(size), self.bend, self._shown(size)
        first, second = _maps(*(each.tobytes() for each in matrices), size)
        return np.asarray(cv2.remap(frame_bgr, first, second, cv2.INTER_LINEAR))

    def straight_points(self, points_px: Array, size_wh: tuple[int, int] | None = None) -> Array:
        """Pixels (N, 2) of a frame as a lens without bend shows them, at the middle's scale."""
        size = size_wh or self.size_wh
        points, matrix = np.asarray(points_px, np.float64).reshape(-1, 2), self._scaled(size)
        straight = points.copy()
        # OpenCV stops after five rounds: a wide lens's corners are then 250 px off.
        for _ in range(ROUNDS):
            straight += (points - self._seen(straight, matrix, size)) / 2
            np.clip(straight, -LONGEST_PX, LONGEST_PX, out=straight)
        return straight

    def straight_view(self, view: SheetView) -> SheetView:
        """The sheet of a photo as a lens without bend shows it."""
        if not self.fits(view.size_wh):
            return view
        return replace(view, corners_px=self.straight_points(view.corners_px, view.size_wh))

    def bent_points(self, points_px: Array, size_wh: tuple[int, int]) -> Array:
        """Pixels (N, 2) of a `straightened` frame as they are in the frame of the camera."""
        return self._seen(points_px, self._shown(size_wh), size_wh)

    def _seen(self, straight_px: Array, shown: Array, size_wh: tuple[int, int]) -> Array:
        """Where the lens shows what a lens without bend, of matrix `shown`, shows there."""
        points = np.asarray(straight_px, np.float64).reshape(-1, 2)
        rays = np.column_stack([points, np.ones(len(points))]) @ np.linalg.inv(shown).T
        still = np.zeros(3)
        seen, _ = cv2.projectPoints(rays, still, still, self._scaled(size_wh), self.bend)
        return np.asarray(seen, np.float64).reshape(-1, 2)

    def _shown(self, size_wh: tuple[int, int]) -> Array:
        """The matrix (3, 3) of the straightened frame, which shows all of the bent one's border."""
        matrix = self._scaled(size_wh)
        border = _border(size_wh)
        straight = self.straight_points(border, size_wh)
        # Where the two terms say nonsense, as far beyond all sheets, they do not lead back.
        is_sound = np.abs(self._seen(straight, matrix, size_wh) - border).max(1) < 1
        middle = matrix[:2, 2]
        reach = np.abs(straight - middle) / np.abs(np.where(straight > middle, size_wh, 0) - middle)
        shown = matrix.copy()
        shown[[0, 1], [0, 1]] /= np.clip(reach[is_sound].max(initial=1.0), 1.0, MOST_SHRUNK)
        return shown

    def fits(self, size_wh: tuple[int, int]) -> bool:
        """Whether frames of this size come from the same whole picture, only scaled."""
        return abs(size_wh[0] * self.size_wh[1] / (size_wh[1] * self.size_wh[0]) - 1) < 0.01

    def _scaled(self, size_wh: tuple[int, int]) -> Array:
        scaled = self.matrix.copy()
        scaled[:2] *= size_wh[0] / self.size_wh[0]
        return scaled


@lru_cache(maxsize=1)
def _maps(
    matrix: bytes, bend: bytes, shown: bytes, size_wh: tuple[int, int]
) -> tuple[Array, Array]:
    """Where each pixel of the straightened frame comes from; kept, since it takes long."""
    old, new = (np.frombuffer(each, np.float64).reshape(3, 3) for each in (matrix, shown))
    terms = np.frombuffer(bend, np.float64)
    maps = cv2.initUndistortRectifyMap(old, terms, np.eye(3), new, size_wh, cv2.CV_16SC2)
    return np.asarray(maps[0]), np.asarray(maps[1])


def _border(size_wh: tuple[int, int]) -> Array:
    """Points (N, 2) along the border of a picture."""
    along = np.linspace(0, 1, BORDER_POINTS)
    sides = [np.column_stack([along, np.full_like(along, end)]) for end in (0, 1)]
    places = np.concatenate([*sides, *(side[:, ::-1] for side in sides)])
    return np.asarray(places * (np.array(size_wh) - 1))


@dataclass(frozen=True, slots=True)
class SheetView:
    """The sheet in one photo: its corners (N, 2) in pixels and (N, 3) in millimetres."""

    corners_px: Array
    corners_mm: Array
    size_wh: tuple[int, int]


def find_sheet(frame_bgr: Frame) -> SheetView | None:
    """The sheet's corners in a photo, or None where it is not there or mostly hidden."""
    grey = cv2.cvtColor(np.asarray(frame_bgr, np.uint8), cv2.COLOR_BGR2GRAY)
    made = board()
    corners, numbers, _, _ = cv2.aruco.CharucoDetector(made).detectBoard(grey)
    if corners is None or numbers is None or len(corners) < LEAST_CORNERS:
        return None
    places = np.asarray(made.getChessboardCorners(), np.float64).reshape(-1, 3)
    size = (int(frame_bgr.shape[1]), int(frame_bgr.shape[0]))
    chosen = places[np.asarray(numbers).ravel()]
    return SheetView(np.asarray(corners, np.float64).reshape(-1, 2), chosen, size)


def calibrate(frames: Sequence[Frame]) -> tuple[Lens, Finding]:
    """Calibrate the lens from photos of the sheet.

    Raises:
        CalibrationError: The photos do not suffice; the message says which others to take.
    """
    views = [view for frame in frames if (view := find_sheet(frame)) is not None]
    return from_views(views, len(frames))


def from_views(views: Sequence[SheetView], taken: int) -> tuple[Lens, Finding]:
    """Calibrate the lens from the sheet as it was seen in some of `taken` photos.

    Raises:
        CalibrationError: They do not suffice; the message says which others to take.
    """
    _check_views(views, taken)
    objects = [view.corners_mm.astype(np.float32).reshape(-1, 1, 3) for view in views]
    pictures = [view.corners_px.astype(np.float32).reshape(-1, 1, 2) for view in views]
    size = views[0].size_wh
    guess = np.array([[size[0], 0, size[0] / 2], [0, size[0], size[1] / 2], [0, 0, 1]], float)
    rms, matrix, bend, turns, _ = cv2.calibrateCamera(
        objects, pictures, size, guess, np.zeros(5), flags=_FLAGS | cv2.CALIB_USE_INTRINSIC_GUESS
    )
    _check_result(float(rms), [np.asarray(turn) for turn in turns], size)
    terms = np.asarray(bend, np.float64).ravel()[:5]
    lens = Lens(size, np.asarray(matrix, np.float64), terms, float(rms), len(views))
    return lens, _in_words(lens)


def _check_views(views: Sequence[SheetView], taken: int) -> None:
    if len(views) < LEAST_PHOTOS:
        raise CalibrationError(
            "too_few_sheets",
            f"The sheet can be seen well in {len(views)} of {taken} photos; {LEAST_PHOTOS} or more "
            "are needed. Show the whole sheet, flat and in good light, from several sides.",
            seen=len(views),
            taken=taken,
            needed=LEAST_PHOTOS,
        )
    if len({view.size_wh for view in views}) > 1:
        raise CalibrationError(
            "sizes_differ",
            "The photos have different sizes. Take all of them with the camera that watches the "
            "table, held the same way.",
        )
    share = covered(views)
    if share < LEAST_COVER:
        raise CalibrationError(
            "sheet_only_in_middle",
            f"The sheet was shown in {share:.0%} of the picture only. Move it into the corners and "
            "along the borders as well.",
            share=round(share, 2),
        )


def covered(views: Sequence[SheetView]) -> float:
    """The share of 8 by 6 fields of the picture in which a corner was seen."""
    fields = set()
    for view in views:
        places = np.clip(view.corners_px / np.array(view.size_wh), 0, 0.999) * [8, 6]
        fields |= {(int(x), int(y)) for x, y in places}
    return len(fields) / 48


def _check_result(rms_px: float, turns: Sequence[Array], size_wh: tuple[int, int]) -> None:
    normals = np.stack([np.asarray(cv2.Rodrigues(turn)[0])[:, 2] for turn in turns])
    between = np.degrees(np.arccos(np.clip(normals @ normals.T, -1, 1))).max()
    if between < LEAST_TILT_SPREAD:
        raise CalibrationError(
            "views_alike",
            "All photos show the sheet from the same side. Slant it differently in each photo: "
            "towards you, away from you, to the left and to the right.",
            degrees=round(float(between), 1),
        )
    most = WORST_RMS * max(size_wh) / _RMS_AT_PX
    if rms_px > most:
        raise CalibrationError(
            "lens_does_not_fit",
            f"The photos contradict each other by {rms_px:.1f} pixels ({most:.1f} would do). Glue "
            "the sheet to a board so that it is flat, hold still, and take them again.",
            rms=round(rms_px, 2),
            most=round(most, 2),
        )


def _in_words(lens: Lens) -> Finding:
    return Finding(
        "lens_calibrated",
        "good",
        f"The lens is known from {lens.photos} photos to {lens.rms_px:.2f} pixels.",
        {"photos": lens.photos, "rms": round(lens.rms_px, 3)},
    )
