"""Has the light or the camera changed since the set-up? Asked now and then, told by the camera."""

from __future__ import annotations

from collections.abc import Callable, Iterable

from tiletally.live_health import CameraHealth
from vision.images import Frame
from vision.reading import Reading

EVERY_S = 5.0
"""A lamp that is switched changes the colours, but not always the grey picture that is watched."""

CheckDrift = Callable[[Frame, Reading | None], Iterable[str]]
"""Tells, as codes, what has changed since the set-up."""


class DriftWatch:
    """Keeps the camera's hints about drift up to date."""

    def __init__(self, check: CheckDrift | None, health: CameraHealth) -> None:
        """Without a `check` there is never anything to tell."""
        self._check = check
        self._health = health
        self._checked_s = -EVERY_S

    def is_due(self, now_s: float) -> bool:
        """Whether a picture is wanted."""
        return self._check is not None and now_s - self._checked_s >= EVERY_S

    def see(self, frame_bgr: Frame, reading: Reading | None, now_s: float) -> None:
        """Compare a free picture, and what was read last, with what the set-up saw."""
        if self._check is not None:
            self._checked_s = now_s
            self._health.drifted(self._check(frame_bgr, reading))

    def forget(self) -> None:
        """Start anew: there is another set-up."""
        self._checked_s = -EVERY_S
        self._health.drifted(())
