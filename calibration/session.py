"""Calibrating step by step: what the command line and the page call.

Each step takes frames as the camera gives them, answers with findings in plain words, and keeps
what it learned in the profile at once. Steps may be done in any order and any of them left out.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import numpy.typing as npt

from calibration import aim, lens, plane, sheet
from calibration.arrangement import suggested
from calibration.drift import reference
from calibration.findings import CalibrationError, Finding
from calibration.lens import Lens, SheetView
from calibration.my_tiles import Edition, Lesson, learn_from_photo
from calibration.profile import Profile, Step
from calibration.profile_file import forget_profile, load_profile, save_profile
from calibration.seeing import Seeing
from calibration.straight import straightened
from scorer.tiles import Cell, Tile
from vision.balance import corrected
from vision.model import Model, load
from vision.reader import Reader
from vision.reading import Reading

Frame = npt.NDArray[Any]


@dataclass(frozen=True, slots=True)
class Look:
    """A frame in the light in which it is read, what was read, and what that says."""

    seen_bgr: Frame
    reading: Reading
    findings: list[Finding]


class Calibration:
    """The calibration of one camera at one place.

    `notice` says why the defaults are used, or what became of a damaged profile; None when there
    is nothing to say.
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
        found, self.notice = load_profile(data_dir, camera, place)
        self.profile: Profile = found.for_model(self._model)

    @property
    def message(self) -> str | None:
        """The notice as one sentence."""
        return self.notice.text if self.notice else None

    def aim(self, frame_bgr: Frame, edition: Edition | None = None) -> list[Finding]:
        """Is the table in view, sharp, well lit? Also what has changed since the last time."""
        return self.look(frame_bgr, edition).findings

    def look(self, frame_bgr: Frame, edition: Edition | None = None) -> Look:
        """The findings of `aim`, and the picture that they are about."""
        seeing = self._seeing(edition)
        reading = seeing.read(frame_bgr)
        seen = corrected(frame_bgr, seeing.gains)
        found = aim.check(seen, reading, self._model) + self.profile.drift(frame_bgr, reading)
        return Look(seen, reading, found)

    def sheet(self, paper: str) -> bytes:
        """The sheet for the lens as a PDF, for `a4` or `letter`."""
        return sheet.pdf(paper)

    def lens(self, frames: Sequence[Frame]) -> Finding:
        """Learn the lens from several photos of the sheet.

        A plane that was known is forgotten: it was that of the bent picture.

        Raises:
            CalibrationError: The photos do not suffice.
        """
        return self._learn_lens(*lens.calibrate(frames))

    def lens_view(self, frame_bgr: Frame) -> SheetView:
        """The sheet in one photo, to be kept for `lens_from`.

        Raises:
            CalibrationError: It cannot be seen well.
        """
        view = lens.find_sheet(frame_bgr)
        if view is None:
            raise CalibrationError(
                "sheet_not_seen",
                "The sheet cannot be seen well, so this photo does not count. Show the whole "
                "sheet, flat and in good light.",
            )
        return view

    def lens_from(self, views: Sequence[SheetView]) -> Finding:
        """Learn the lens from the sheet as it was seen in several photos, like `lens`."""
        return self._learn_lens(*lens.from_views(views, len(views)))

    def plane(self, frame_bgr: Frame, edition: Edition | None = None) -> Finding:
        """Learn the table's plane from the sheet lying there or else from the tiles.

        Raises:
            CalibrationError: Neither is there.
        """
        known, view = self.profile.lens, lens.find_sheet(frame_bgr)
        if view is not None:
            found, finding = plane.from_sheet(known.straight_view(view) if known else view)
        else:
            reading = self._seeing(edition).read(frame_bgr)
            straight = straightened(reading, known) if known else reading
            found, finding = plane.from_tiles(straight.layout, straight.size_wh)
        self._keep(replace(self.profile, plane=found))
        return finding

    def arrangement(self, edition: Edition) -> dict[Cell, Tile]:
        """The tiles to lay out for `tiles`, by cell: two rows of six."""
        return suggested(edition.rules, edition.colours)

    def tiles(
        self, frame_bgr: Frame, edition: Edition, laid: Mapping[Cell, Tile] | None = None
    ) -> Lesson:
        """Learn light, colours and shapes from one photo of the tiles of `arrangement`.

        Raises:
            CalibrationError: The tiles do not lie there as shown, or reading got no better.
        """
        known = self.profile.lens
        straight = known.straightened(frame_bgr) if known else frame_bgr
        expected = laid or self.arrangement(edition)
        lesson = learn_from_photo(straight, expected, edition, self._model)
        if lesson.after.is_worse_than(lesson.before):
            raise CalibrationError(
                "tiles_no_gain",
                "Tiles are read no better with what this photo teaches, so nothing was changed. "
                "Check that every tile lies as shown, and avoid shine and shadows.",
            )
        fields = reference(frame_bgr)
        self._keep(self.profile.with_tiles(lesson, edition, self._model, fields))
        return lesson

    def forget(self, step: Step) -> None:
        """Forget what a step taught; the profile as it was is set aside.

        Raises:
            CalibrationError: There is nothing to forget.
        """
        if step not in self.profile.steps:
            raise CalibrationError("nothing_to_forget", "There is nothing to forget.")
        rest = self.profile.without(step)
        forget_profile(self._data_dir, self.profile, rest)
        self.profile, self.notice = rest, None

    def reader(self, edition: Edition) -> Seeing:
        """A reader for the family's own tiles, for frames as the camera gives them."""
        own = self.profile.own_set(edition)
        return Seeing(self.profile, Reader(edition.rules, edition.colours, self._model, own))

    def _seeing(self, edition: Edition | None) -> Seeing:
        if edition:
            return self.reader(edition)
        return Seeing(self.profile, Reader(model=self._model))

    def _learn_lens(self, found: Lens, finding: Finding) -> Finding:
        self._keep(replace(self.profile, lens=found, plane=None))
        return finding

    def _keep(self, profile: Profile) -> None:
        """Safe on the disk first, then in use."""
        dated = replace(profile, made=datetime.now(UTC).isoformat(timespec="seconds"))
        _, self.notice = save_profile(self._data_dir, dated)
        self.profile = dated
