"""Readers that see through the calibration of their camera, and what has changed since."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache

from calibration.aim import check
from calibration.my_tiles import Edition
from calibration.seeing import Seeing
from calibration.session import Calibration
from vision.images import Frame
from vision.model import Model, load
from vision.reading import Reading


class Profiled:
    """What was learned about a camera, for the table that it watches.

    It follows the calibration: a reader that is made later knows what was learned meanwhile.
    """

    def __init__(self, calibration: Calibration) -> None:
        self._calibration = calibration

    def reader(self, rules: str, colours: Sequence[str] | None) -> Seeing:
        """A reader for the tiles of a box."""
        return self._calibration.reader(Edition(rules, tuple(colours) if colours else None))

    def drift(self, frame_bgr: Frame, reading: Reading | None) -> list[str]:
        """What has changed since the set-up, as the codes of `calibration.drift`."""
        return [finding.code for finding in self._calibration.profile.drift(frame_bgr, reading)]


def faults_of_picture(frame_bgr: Frame, reading: Reading) -> list[str]:
    """What is wrong with a picture of the table, as the codes of `calibration.aim`."""
    return [finding.code for finding in check(frame_bgr, reading, _model())]


@cache
def _model() -> Model:
    return load()
