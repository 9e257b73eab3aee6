"""Calibrating step by step: what the command line and the page call.

Each step takes frames as the camera gives them, answers with findings in plain words, and keeps
what it learned in the profile at once. Steps may be done in any order and any of them left out.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import numpy.typing as npt

from calibration import aim, lens, plane, sheet
from calibration.arrangement import suggested
from calibration.drift import reference
from calibration.findings import CalibrationError, Finding
from calibration.my_tiles import Edition, Lesson, learn_from_photo
from calibration.profile import Profile
from calibration.profile_file import load_profile, save_profile
from scorer.tiles import Cell, Tile
from vision.model import Model, load
from vision.reader import Reader
from vision.reading import Reading

Frame = npt.NDArray[Any]


class Calibration:
    """The calibration of one camera at one place.

    `message` says, in one sentence, why the defaults are used; None when a profile was found.
    """

    def __init__(
        self,
        data_dir: Path,
        camera: str = "camera",
        place: str = "table",
        model: Model | None = None,
    ) -> None:
        self._data_dir = data_dir
        self._model = model or load()
        found, self.message = load_profile(data_dir, camera, place)
        self.profile: Profile = found.for_model(self._model)

    def aim(self, frame_bgr: Frame, edition: Edition | None = None) -> list[Finding]:
        """Is the table in view, sharp, well lit? Also what has changed since the last time."""
        reading = self._read(frame_bgr, edition)
        seen = self.profile.corrected(frame_bgr)
        return aim.check(seen, reading, self._model) + self.profile.drift(frame_bgr, reading)

    def sheet(self, paper: str) -> bytes:
        """The sheet for the lens as a PDF, for `a4` or `letter`."""
        return sheet.pdf(paper)

    def lens(self, frames: Sequence[Frame]) -> Finding:
        """Learn the lens from several photos of the sheet.

        A plane that was known is forgotten: it was that of the bent picture.

        Raises:
            CalibrationError: The photos do not suffice.
        """
        found, finding = lens.calibrate(frames)
        self._keep(replace(self.profile, lens=found, plane=None))
        return finding

    def plane(self, frame_bgr: Frame, edition: Edition | None = None) -> Finding:
        """Learn the table's plane from the sheet lying there or else from the tiles.

        Raises:
            CalibrationError: Neither is there.
        """
        view = lens.find_sheet(self.profile.corrected(frame_bgr))
        if view is not None:
            found, finding = plane.from_sheet(view)
        else:
            reading = self._read(frame_bgr, edition)
            found, finding = plane.from_tiles(reading.layout, reading.size_wh)
        self._keep(replace(self.profile, plane=found))
        return finding

    def arrangement(self, edition: Edition) -> dict[Cell, Tile]:
        """The tiles to lay out for `tiles`, by cell: two rows of six."""
        return suggested(edition.rules, edition.colours)

    def tiles(
        self, frame_bgr: Frame, edition: Edition, laid: Mapping[Cell, Tile] | None = None
    ) -> Lesson:
        """Learn light and colours from one photo of the tiles of `arrangement`.

        Raises:
            CalibrationError: The tiles do not lie there as shown, or reading got no better.
        """
        known = self.profile.lens
        straight = known.straightened(frame_bgr) if known else frame_bgr
        expected = laid or self.arrangement(edition)
        lesson = learn_from_photo(straight, expected, edition, self._model)
        if lesson.after.colours_right < lesson.before.colours_right:
            raise CalibrationError(
                "tiles_no_gain",
                "Colours are read no better with what this photo teaches, so nothing was changed. "
                "Check that every tile lies as shown, and avoid shine and shadows.",
            )
        fields = reference(frame_bgr)
        self._keep(self.profile.with_tiles(lesson, edition, self._model, fields))
        return lesson

    def reader(self, edition: Edition) -> Reader:
        """A reader with the family's own colours; give it frames from `profile.corrected`."""
        own = self.profile.own_set(edition)
        return Reader(edition.rules, edition.colours, self._model, own)

    def _read(self, frame_bgr: Frame, edition: Edition | None) -> Reading:
        reader = self.reader(edition) if edition else Reader(model=self._model)
        return reader.read(self.profile.corrected(frame_bgr))

    def _keep(self, profile: Profile) -> None:
        made = datetime.now(UTC).isoformat(timespec="seconds")
        self.profile = replace(profile, made=made)
        _, said = save_profile(self._data_dir, self.profile)
        self.message = said
