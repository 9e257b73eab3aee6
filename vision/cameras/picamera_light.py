"""Settling exposure, gain and white balance once, and noticing that the light really changed.

Automatic exposure and white balance follow every hand that reaches in, and colours would swing
with them. So they run until they come to rest, and are then held.

White balance comes to rest slowly: of the way that is left it goes 5 % in every frame (`speed` in
the Raspberry Pi's tuning files), at once only in the ten frames after a start. One frame hardly
differs from the next, so frames are compared that lie half a second apart.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

import numpy as np
import numpy.typing as npt

from vision.cameras.base import GLANCE_WH, Grey

HELD = ("ExposureTime", "AnalogueGain", "ColourGains")
AUTOMATIC = {"AeEnable": True, "AwbEnable": True}

LEAST_FRAMES = 75
"""14 until white balance is worked out anew (every tenth frame) and shows, and 61 after which 4 %
of the way are left; 2.5 s at 30 frames a second, 3.6 s at the 21 of Module 2."""
MOST_FRAMES = 150
"""What has not come to rest in 5 to 10 s, as under a lamp that fades, has to do."""
RESTING_FRAMES = 15
RESTING_SHARE = 0.03
"""At rest is what changed by less than 3 % in fifteen frames: white balance then has 2.6 % to go,
for 0.95 ** 15 is 0.46."""

CHANGED_STEPS = 0.5
"""Change of the table's brightness in powers of two that asks for a new exposure: half a stop."""
CHANGED_CHROMA = 6.0
"""Change of the table's colour, in levels of U or V, that asks for a new white balance; the step
from daylight to a warm lamp is 15 and more, noise under 1."""
CHANGED_S = 4.0
"""A lamp that is switched stays so; a sleeve over half of the table does not."""

Metadata = Mapping[str, Any]
Yuv = npt.NDArray[np.uint8]


@dataclass(slots=True)
class Settling:
    """Waits for the automatics to come to rest, frame by frame."""

    frames: int = 0
    _levels: deque[tuple[float, ...]] = field(
        default_factory=lambda: deque(maxlen=RESTING_FRAMES + 1)
    )

    def is_settled(self, metadata: Metadata) -> bool:
        """Judge the next frame; after the most frames what there is has to do."""
        self.frames += 1
        self._levels.append(_levels(metadata))
        is_resting = self.frames >= LEAST_FRAMES and _is_near(self._levels[0], self._levels[-1])
        return is_resting or self.frames >= MOST_FRAMES


def _levels(metadata: Metadata) -> tuple[float, ...]:
    light = float(metadata.get("ExposureTime", 1)) * float(metadata.get("AnalogueGain", 1.0))
    return (light, *(float(each) for each in metadata.get("ColourGains", ())))


def _is_near(before: tuple[float, ...], now: tuple[float, ...]) -> bool:
    if len(before) != len(now):
        return False
    return all(
        abs(a - b) <= RESTING_SHARE * max(abs(a), 1e-6) for a, b in zip(before, now, strict=True)
    )


def held_controls(metadata: Metadata, known: Mapping[str, Any]) -> dict[str, Any]:
    """The controls that hold what the automatics found; setting them ends the automatics."""
    return {name: metadata[name] for name in HELD if name in metadata and name in known}


def automatic_controls(known: Mapping[str, Any]) -> dict[str, Any]:
    """The controls that let the automatics run again."""
    return {name: value for name, value in AUTOMATIC.items() if name in known}


def grey_of(yuv: Yuv) -> Grey:
    """The grey picture (240, 320) out of a YUV420 frame (360, stride), whose rows are padded."""
    return np.ascontiguousarray(yuv[: GLANCE_WH[1], : GLANCE_WH[0]])


def light_of(yuv: Yuv) -> tuple[float, float, float]:
    """Brightness (0-255) and colour (U, V) of the table in a YUV420 frame (360, stride).

    The middle values over the picture: a hand covers less than half of it.
    """
    width, height = GLANCE_WH
    colour = yuv[height:].reshape(height, -1)[:, : width // 2]
    planes = (yuv[:height:4, :width:4], colour[: height // 2], colour[height // 2 :])
    y, u, v = (float(np.median(plane)) for plane in planes)
    return y, u, v


@dataclass(slots=True)
class LightWatch:
    """Notices that the table is lit otherwise than when the light was settled, and stays so."""

    settled: tuple[float, float, float]
    _since_s: float | None = field(default=None)

    def has_changed(self, light: tuple[float, float, float], time_s: float) -> bool:
        """Judge the light of the next frame."""
        if not self._differs(light):
            self._since_s = None
            return False
        if self._since_s is None:
            self._since_s = time_s
        return time_s - self._since_s >= CHANGED_S

    def _differs(self, light: tuple[float, float, float]) -> bool:
        steps = abs(np.log2((light[0] + 4) / (self.settled[0] + 4)))
        chroma = max(abs(light[i] - self.settled[i]) for i in (1, 2))
        return bool(steps >= CHANGED_STEPS or chroma >= CHANGED_CHROMA)
