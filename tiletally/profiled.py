"""Readers that see through the calibration of their camera, and what has changed since."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from functools import cache

import numpy as np

from calibration.aim import check
from calibration.lens import Lens
from calibration.my_tiles import Edition
from calibration.session import Calibration
from vision.balance import Gains, corrected
from vision.images import Frame
from vision.model import Model, load
from vision.reader import Reader
from vision.reading import Reading


class ProfiledReader:
    """Undoes the light's cast before reading.

    The lens is left as it is: reading copes with its bend, and the corners of tiles stay where
    the photo shows them.
    """

    def __init__(self, reader: Reader, gains: Gains) -> None:
        self._reader = reader
        self._gains = gains

    def read(self, frame_bgr: Frame, known: Reading | None = None) -> Reading:
        """All tiles in a frame as the camera gave it."""
        return self._reader.read(corrected(frame_bgr, self._gains), known)


class Profiled:
    """What was learned about a camera, for the table that it watches.

    It follows the calibration: a reader that is made later knows what was learned meanwhile.
    """

    def __init__(self, calibration: Calibration) -> None:
        self._calibration = calibration

    def reader(self, rules: str, colours: Sequence[str] | None) -> ProfiledReader:
        """A reader for the tiles of a box."""
        edition = Edition(rules, tuple(colours) if colours else None)
        return ProfiledReader(self._calibration.reader(edition), self._calibration.profile.gains)

    def drift(self, frame_bgr: Frame, reading: Reading | None) -> list[str]:
        """What has changed since the set-up, as the codes of `calibration.drift`."""
        profile = self._calibration.profile
        if profile.lens is not None and reading is not None:
            reading = straightened(reading, profile.lens)
        return [finding.code for finding in profile.drift(frame_bgr, reading)]


def straightened(reading: Reading, lens: Lens) -> Reading:
    """A reading of a frame as the camera gave it, as that of the frame without the lens's bend."""
    if not reading.size_wh[0] or not lens.fits(reading.size_wh):
        return reading
    scale = lens.size_wh[0] / reading.size_wh[0]
    tiles = [
        replace(tile, corners_px=np.asarray(lens.straight_points(tile.corners_px * scale) / scale))
        for tile in reading.tiles
    ]
    return replace(reading, tiles=tuple(tiles))


def faults_of_picture(frame_bgr: Frame, reading: Reading) -> list[str]:
    """What is wrong with a picture of the table, as the codes of `calibration.aim`."""
    return [finding.code for finding in check(frame_bgr, reading, _model())]


@cache
def _model() -> Model:
    return load()
