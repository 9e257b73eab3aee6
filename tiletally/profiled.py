"""Readers that see through the calibration of their camera."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import cache
from pathlib import Path

from calibration.aim import check
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


def faults_of_picture(frame_bgr: Frame, reading: Reading) -> list[str]:
    """What is wrong with a picture of the table, as the codes of `calibration.aim`."""
    return [finding.code for finding in check(frame_bgr, reading, _model())]


@cache
def _model() -> Model:
    return load()


def reader_maker(
    data_dir: Path, camera: str, say: Callable[[str], None]
) -> Callable[[str, Sequence[str] | None], ProfiledReader]:
    """Makes readers with what was learned about this camera; says it where nothing was."""
    calibration = Calibration(data_dir, camera)
    if calibration.message:
        say(calibration.message)

    def make(rules: str, colours: Sequence[str] | None) -> ProfiledReader:
        edition = Edition(rules, tuple(colours) if colours else None)
        return ProfiledReader(calibration.reader(edition), calibration.profile.gains)

    return make
