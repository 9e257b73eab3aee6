"""How the camera does, as codes that the page words."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import Any

from vision.watch import Watched

FROZEN_S = 5.0
"""A stream with exactly the same picture for so long stands still: sensors always have noise."""
RESTLESS_S = 20.0
"""After so long without a still moment people are told why nothing is scored."""
GREY_DARK = 35.0
"""Mean grey level of the table below which colours cannot be told apart well."""

AIM_HINTS = {
    "blurred": "blurred",
    "overexposed": "too_bright",
    "glare": "too_bright",
    "tiles_too_small": "too_far",
}
"""What people are told, by what `calibration.aim` finds in a picture."""

DRIFT_HINTS = (
    "camera_moved",
    "light_brighter",
    "light_cooler",
    "light_darker",
    "light_gone",
    "light_warmer",
)
"""The codes of `calibration.drift`, which people are told as they are."""

Hint = dict[str, Any]


@dataclass(slots=True)
class CameraHealth:
    """What the page says about the camera. Hints are codes with parameters."""

    source: str
    can_upload: bool = False
    state: str = "starting"
    problem: str = ""
    hints: dict[str, Hint] = field(default_factory=dict)
    _restless_since_s: float | None = None

    @property
    def sees_nothing(self) -> bool:
        """Whether the camera cannot tell what happens at the table now."""
        return self.state in ("lost", "frozen")

    def lost(self, problem: str) -> None:
        """The camera gives no picture."""
        self.state, self.problem = "lost", problem

    def ended(self, problem: str) -> None:
        """The camera has shown all it had."""
        self.state, self.problem = "ended", problem

    def saw(self, watched: Watched, mean_grey: float, is_stream: bool) -> None:
        """The camera gave a picture."""
        self.problem = ""
        self.state = "busy" if watched.has_hand or watched.is_moving else "ok"
        if is_stream and watched.frozen_s >= FROZEN_S:
            self.state = "frozen"
        self.hint("lens_covered", watched.is_blind)
        self.hint("pushed", watched.was_pushed)
        self.hint("too_dark", not watched.is_blind and mean_grey < GREY_DARK)
        if watched.is_free or not is_stream:
            self._restless_since_s = None
        elif self._restless_since_s is None:
            self._restless_since_s = watched.time_s
        since = self._restless_since_s
        self.hint("never_still", since is not None and watched.time_s - since > RESTLESS_S)

    def aimed(self, codes: Iterable[str]) -> None:
        """A picture was looked at closely, and these are its faults."""
        found = {AIM_HINTS[code] for code in codes if code in AIM_HINTS}
        for code in set(AIM_HINTS.values()):
            self.hint(code, code in found)

    def drifted(self, codes: Iterable[str]) -> None:
        """A picture was compared with the set-up, and this has changed since."""
        found = set(codes)
        if found & {"light_warmer", "light_cooler"}:
            # Another lamp is seldom just as bright; one hint about it is enough.
            found -= {"light_brighter", "light_darker"}
        for code in DRIFT_HINTS:
            self.hint(code, code in found)

    def hint(self, code: str, is_on: bool, **params: Any) -> None:  # noqa: ANN401 - plain JSON
        """Give a hint or take it back."""
        if is_on:
            self.hints[code] = {"code": code, "params": params}
        else:
            self.hints.pop(code, None)

    def to_json(self) -> dict[str, Any]:
        """The part of the state that is about the camera."""
        hints = [self.hints[code] for code in sorted(self.hints)]
        if self.problem:
            hints.insert(0, {"code": "problem", "params": {"sentence": self.problem}})
        return {
            "state": self.state,
            "source": self.source,
            "hints": hints,
            "can_upload": self.can_upload,
        }
