"""The steps of the set-up with the camera that watches the table."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, cast

import numpy as np

from calibration.findings import CalibrationError, Finding
from calibration.lens import LEAST_PHOTOS, SheetView
from calibration.my_tiles import Edition
from calibration.profile import Profile, Step
from calibration.session import Calibration
from scorer.plain import tile_json
from scorer.tiles import COLOURS, Placed
from tiletally.calibrating import CameraSetup
from tiletally.live import CameraTable
from tiletally.live_photos import encode_jpeg, reduced
from tiletally.profiled import Profiled
from tiletally.session_guest import TableSession
from vision.cameras.base import CameraError, Frame, check_frame
from vision.images import ImageError, decode_image
from vision.overlay import draw_overlay
from webui.table import SetupError

Plain = dict[str, Any]

AWAY_S = 15.0
"""How long the game is not followed after a step; an open page asks for one every few seconds."""
MOST_SHEETS = 24
"""Photos of the sheet that are kept at most; more than a dozen teach nothing new."""

PURPLE, WHITE = COLOURS[:6], (*COLOURS[:5], "white")
EDITIONS = {
    "classic": Edition("classic", PURPLE),
    "classic_white": Edition("classic", WHITE),
    "flex": Edition("flex", PURPLE),
}
OWN = "game"
"""What the box of the present game is called where it is none of these."""


class Steps:
    """Calibrates one camera; each method is called by one thread at a time."""

    def __init__(self, session: TableSession, table: CameraTable, calibration: Calibration) -> None:
        """Take the pictures from a table, and give it new readers when something was learned."""
        self._session = session
        self._table = table
        self._calibration = calibration
        self._views: list[SheetView] = []
        self.picture: bytes | None = None
        """The picture that was looked at last, as a JPEG with what was understood."""

    def known(self) -> Plain:
        """What is known about the camera, and which tiles to lay out."""
        editions, chosen = self._editions()
        profile, notice = self._calibration.profile, self._calibration.notice
        return {
            "camera": profile.camera,
            "by_photo": self._table.takes_photos,
            "edition": chosen,
            "editions": [self._edition_json(name, each) for name, each in editions.items()],
            "made": profile.made,
            "notice": notice.as_json() if notice else None,
            **_learned(profile),
            "sheets": {"taken": len(self._views), "needed": LEAST_PHOTOS},
        }

    def do(self, name: str, edition: str, photo: bytes | None) -> list[Plain]:
        """Do one step with a photo, or with the camera's present picture.

        Raises:
            SetupError: It cannot be done.
            OSError: What was learned cannot be kept.
        """
        if not self._table.takes_photos:
            self._table.look_away(AWAY_S)
        try:
            found = self._do(name, edition, photo)
        except CalibrationError as error:
            raise SetupError(422, error.finding.code, str(error), error.finding.values) from error
        return [finding.as_json() for finding in found]

    def forget(self, what: str) -> list[Plain]:
        """Forget what a step taught, or the photos of the sheet."""
        if what == "sheets":
            self._views = []
        elif what in ("tiles", "plane", "lens"):
            try:
                self._calibration.forget(cast(Step, what))
            except CalibrationError as error:
                raise SetupError(409, error.finding.code, str(error)) from error
            self._table.renew_reader()
        else:
            raise SetupError(400, "bad_request", "say what to forget: tiles, plane, lens or sheets")
        return []

    def leave(self) -> None:
        """Follow the game again at once."""
        self._table.look_away(0.0)

    # --- the steps

    def _do(self, name: str, edition: str, photo: bytes | None) -> list[Finding]:
        if name == "lens":
            return self._lens()
        frame = self._frame(photo)
        if name == "sheet":
            return self._sheet(frame)
        steps = {"aim": self._aim, "tiles": self._tiles, "plane": self._plane}
        return steps[name](frame, edition)

    def _aim(self, frame: Frame, edition: str) -> list[Finding]:
        # Without a game any tile may lie there.
        is_open = not edition and self._session.current() is None
        look = self._calibration.look(frame, None if is_open else self._edition(edition))
        shown = draw_overlay(look.seen_bgr, look.reading)
        self.picture = encode_jpeg(reduced(np.asarray(shown, np.uint8)))
        if any(finding.code == "blurred" for finding in look.findings):
            self._table.refocus()
        return look.findings

    def _tiles(self, frame: Frame, edition: str) -> list[Finding]:
        lesson = self._calibration.tiles(frame, self._edition(edition))
        self._table.renew_reader()
        return list(lesson.findings)

    def _plane(self, frame: Frame, edition: str) -> list[Finding]:
        finding = self._calibration.plane(frame, self._edition(edition))
        self._table.renew_reader()
        return [finding]

    def _sheet(self, frame: Frame) -> list[Finding]:
        if len(self._views) >= MOST_SHEETS:
            sentence = "that is more than enough: finish, or begin anew"
            raise SetupError(409, "too_many_sheets", sentence)
        self._views.append(self._calibration.lens_view(frame))
        return []

    def _lens(self) -> list[Finding]:
        finding = self._calibration.lens_from(self._views)
        self._views = []
        self._table.renew_reader()
        return [finding]

    # --- what they need

    def _frame(self, photo: bytes | None) -> Frame:
        if photo is None and self._table.takes_photos:
            raise SetupError(409, "no_photo", "take a photo of the table first")
        if photo is not None and not self._table.takes_photos:
            raise SetupError(409, "own_pictures", "this camera takes its own pictures")
        try:
            if photo is not None:
                return check_frame(decode_image(photo, "the photo"))
            return self._table.picture()
        except ImageError as error:
            raise SetupError(422, "no_picture", str(error)) from error
        except CameraError as error:
            raise SetupError(409, "no_picture", str(error)) from error

    def _edition(self, name: str) -> Edition:
        editions, chosen = self._editions()
        if name and name not in editions:
            raise SetupError(400, "bad_request", f"the edition is one of {', '.join(editions)}")
        return editions[name or chosen]

    def _editions(self) -> tuple[dict[str, Edition], str]:
        """The boxes that can be laid out, and the one of the present game."""
        current = self._session.current()
        if current is None:
            return EDITIONS, "classic"
        state = current.game.state
        colours = tuple(name for name in COLOURS if name in state.box.colours) or PURPLE
        # The beginners' game of Flex is played with tiles of the same box.
        own = Edition("flex" if state.rules == "flex72" else state.rules, colours)
        for name, edition in EDITIONS.items():
            if edition == own:
                return EDITIONS, name
        return {OWN: own, **EDITIONS}, OWN

    def _edition_json(self, name: str, edition: Edition) -> Plain:
        laid = self._calibration.arrangement(edition)
        tiles = [tile_json(Placed(cell, tile)) for cell, tile in laid.items()]
        return {"id": name, "rules": edition.rules, "tiles": tiles}


def calibrated_table(
    session: TableSession,
    calibration: Calibration,
    make: Callable[..., CameraTable],
    setup: CameraSetup,
) -> CameraTable:
    """A table that is read through the calibration of its camera, and can be set up."""
    profiled = Profiled(calibration)
    table = make(make_reader=profiled.reader, check_drift=profiled.drift)
    setup.join(Steps(session, table, calibration))
    return table


def _learned(profile: Profile) -> Plain:
    mine, plane, lens = profile.my_tiles, profile.plane, profile.lens
    return {
        "tiles": {"rules": mine.edition.rules, "count": len(mine.shown.tiles)} if mine else None,
        "plane": {"source": plane.source, "error_px": round(plane.error_px, 2)} if plane else None,
        "lens": {"photos": lens.photos, "error_px": round(lens.rms_px, 3)} if lens else None,
    }
