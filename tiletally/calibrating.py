"""Setting up the camera from the page: one step at a time, whatever camera is there.

This part is there before the camera and loads nothing that reads pictures; the work itself is in
`tiletally.calibrating_steps`, which joins together with the camera.
"""

from __future__ import annotations

import errno
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any

from tiletally.session_guest import DismissedError
from webui.table import SetupError

if TYPE_CHECKING:
    from tiletally.calibrating_steps import Steps

ABSENT = {
    "starting": "the camera is still starting: try again in a moment",
    "none": "there is no camera to set up",
    "demo": "the table is simulated: there is nothing to set up",
}
"""Why there is nothing to set up, by what the page is told instead of a camera."""

Plain = dict[str, Any]


class CameraSetup:
    """What the page asks about the set-up of the camera (`webui.table.Setup`)."""

    def __init__(self, absent: str = "starting") -> None:
        """Wait for a camera; `absent` says what to tell until then."""
        self._absent = absent
        self._steps: Steps | None = None
        self._one_at_a_time = threading.Lock()

    def join(self, steps: Steps) -> None:
        """A camera is there."""
        self._steps = steps

    def give_up(self, absent: str) -> None:
        """There will be no camera."""
        self._absent = absent

    def known(self) -> Plain:
        """What is known about the camera, and which tiles to lay out."""
        try:
            if self._steps is not None:
                return {"state": "ready", **self._steps.known()}
        except DismissedError:
            return {"state": "starting"}
        return {"state": self._absent}

    def picture(self) -> bytes | None:
        """The picture that was looked at last, with what was understood."""
        return self._steps.picture if self._steps else None

    def sheet(self, paper: str) -> bytes:
        """The sheet for the lens as a PDF."""
        from calibration.sheet import PAPERS_MM, pdf

        if paper not in PAPERS_MM:
            raise SetupError(400, "bad_request", "the paper is a4 or letter")
        return pdf(paper)

    def step(self, name: str, edition: str, photo: bytes | None) -> Plain:
        """Do a step; what it found, and what is known afterwards."""
        return self._alone(lambda steps: steps.do(name, edition, photo))

    def forget(self, what: str) -> Plain:
        """Forget what a step taught, or the photos of the sheet."""
        return self._alone(lambda steps: steps.forget(what))

    def leave(self) -> None:
        """Follow the game again."""
        if self._steps is not None:
            self._steps.leave()

    def _alone(self, do: Callable[[Steps], list[Plain]]) -> Plain:
        steps = self._steps
        if steps is None:
            raise SetupError(409, self._absent, ABSENT[self._absent])
        if not self._one_at_a_time.acquire(blocking=False):
            raise SetupError(409, "step_running", "another step is running: wait for it to end")
        try:
            with _kept():
                findings = do(steps)
        finally:
            self._one_at_a_time.release()
        return {"findings": findings, "calibration": self.known()}


@contextmanager
def _kept() -> Iterator[None]:
    """Tell a disk that takes nothing more, or a camera that was replaced, as what it is."""
    try:
        yield
    except OSError as error:
        code = "disk_full" if error.errno in (errno.ENOSPC, errno.EDQUOT) else "disk_error"
        raise SetupError(507, code, f"what was learned cannot be kept: {error}") from error
    except DismissedError as error:
        raise SetupError(409, "starting", ABSENT["starting"]) from error
