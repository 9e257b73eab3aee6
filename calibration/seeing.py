"""Reading through what was learned: without the lens's bend, and in the light that there is now.

The light of an evening is seldom that of the lesson. How the table's colour has changed since tells
how the light has, unless there is another cloth on it; so where it has changed, the tiles decide
under which gains they are read surest, once for each light.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from calibration.drift import CAST_DRIFT, light_change, reference
from calibration.profile import Profile
from calibration.straight import bent
from vision.balance import NEUTRAL, Gains, corrected
from vision.reader import Reader
from vision.reading import Reading

Frame = npt.NDArray[Any]
Change = tuple[float, float]

LEAST_TILES = 6
"""So many tiles must lie there to decide for as long as the light stays; with fewer, each look
tries again. With three, 13 of 600 tiles were read wrong, and 40 without a lesson."""


@dataclass(frozen=True, slots=True)
class Light:
    """A light, as the change (log) of blue and red since the lesson, and gains that suit it."""

    gains: Gains
    change: Change = (0.0, 0.0)

    def is_like(self, change: Change) -> bool:
        """Whether the light is still the same; so much is told as no drift either."""
        gaps = (abs(now - then) for now, then in zip(change, self.change, strict=True))
        return max(gaps) <= CAST_DRIFT


class Seeing:
    """Reads frames as the camera gives them; not to be shared between threads."""

    def __init__(self, profile: Profile, reader: Reader) -> None:
        """Read with a reader for the profile's own tiles."""
        self._profile = profile
        self._reader = reader
        self._lesson = self._light = Light(profile.gains)
        self.gains: Gains = profile.gains
        """What the frame that was read last was multiplied by."""

    def read(self, frame_bgr: Frame, known: Reading | None = None) -> Reading:
        """All tiles in a frame, with corners where that frame shows them."""
        lights, lens = self._lights(frame_bgr), self._profile.lens
        if lens is None or not lens.fits((frame_bgr.shape[1], frame_bgr.shape[0])):
            return self._surest(frame_bgr, lights, known)
        return bent(self._surest(lens.straightened(frame_bgr), lights), lens)

    def _surest(
        self, picture: Frame, lights: tuple[Light, ...], known: Reading | None = None
    ) -> Reading:
        readings = [self._reader.read(corrected(picture, each.gains), known) for each in lights]
        trust = [sum(tile.confidence for tile in reading.layout) for reading in readings]
        best = int(np.argmax(trust))
        self.gains = lights[best].gains
        if len(lights) == 1 or len(readings[best].layout) >= LEAST_TILES:
            self._light = lights[best]
        return readings[best]

    def _lights(self, frame_bgr: Frame) -> tuple[Light, ...]:
        """What the light may be; more than one where it has just changed."""
        before = self._profile.reference
        found = None if before is None else light_change(before, reference(frame_bgr))
        if found is None:
            return (self._light,)
        change = found[1:]
        for known in (self._light, self._lesson):
            if known.is_like(change):
                return (known,)
        gains = followed(self._lesson.gains, change), self._lesson.gains, NEUTRAL
        return tuple(Light(each, change) for each in gains)


def followed(gains: Gains, change: Change) -> Gains:
    """The gains that undo a light of which blue and red have changed so since they were learned."""
    blue, green, red = gains
    return blue * float(np.exp(-change[0])), green, red * float(np.exp(-change[1]))
