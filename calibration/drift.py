"""Has the light or the camera changed since it was calibrated?"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import cv2
import numpy as np
import numpy.typing as npt

from calibration.findings import Finding
from calibration.plane import Plane, misfit
from vision.reading import SeenTile

Array = npt.NDArray[Any]
Frame = npt.NDArray[Any]

FIELDS_WH = (16, 12)
"""The picture in fields; a game covers less than half of them with new tiles."""

DARKEST = 12.0
"""A channel of a field darker than this level says nothing about the colour of the light."""

LEAST_FIELDS = 0.1
"""Share of the fields that must be compared. On a coloured cloth two channels may be dark all over:
then only the tiles could be, and in a game those are others each time."""

CAST_DRIFT = 0.15
"""Log of how much blue or red changed against green. Looks at six rendered games with more and more
tiles differ by at most 0.007; the weakest cast judged (cool: 1.25 and 0.7) by 0.36."""

BRIGHTNESS_DRIFT = 0.5
"""Log of how much brighter or darker: a factor of 1.6 of the levels, 3 of the light. More tiles on
the table make at most 0.04."""

LEAST_TILES = 4
SIZE_DRIFT = 0.08
"""Change of a tile's edge: the camera is 8 % nearer or farther. Against a plane from eight tiles
laid by hand, later tiles of six rendered games, some with a slight bump, differ by up to 0.048."""

SKEW_DRIFT = 0.10
"""Tiles that were square on the known plane look oblong by so much. The same games make up to
0.066. A camera that is tilted by 20 degrees and still aims at the same spot makes 0.08: that alone
is not noticed, and reading does not mind."""


def reference(frame_bgr: Frame) -> npt.NDArray[np.float32]:
    """What is kept of a frame to notice drift: mean levels (12, 16, 3) BGR of its fields."""
    small = cv2.resize(np.asarray(frame_bgr, np.uint8), FIELDS_WH, interpolation=cv2.INTER_AREA)
    return np.asarray(small, np.float32)


def light_change(before: Array, now: Array) -> tuple[float, float, float] | None:
    """Log changes of brightness, of blue and of red against green; None if they cannot be told."""
    usable = (before.min(2) > DARKEST) & (now.min(2) > DARKEST)
    if usable.mean() < LEAST_FIELDS:
        return None
    change = np.log(now[usable] / before[usable])
    brightness = float(np.median(change.mean(1)))
    blue, red = (float(np.median(change[:, k] - change[:, 1])) for k in (0, 2))
    return brightness, blue, red


def light_is_gone(before: Array, now: Array) -> bool:
    """Whether fields that were not dark in every channel now are."""
    lit = before.max(2) > DARKEST
    is_told = lit.mean() >= LEAST_FIELDS
    return bool(is_told and (now.max(2)[lit] > DARKEST).mean() < LEAST_FIELDS)


def light_findings(before: Array, frame_bgr: Frame) -> list[Finding]:
    """Whether the light has changed; nothing where it has not, or where that cannot be told."""
    now = reference(frame_bgr)
    if light_is_gone(before, now):
        text = "It has become too dark to see. Switch the light on again."
        return [Finding("light_gone", "problem", text)]
    change = light_change(before, now)
    if change is None:
        return []
    brightness, blue, red = change
    values: dict[str, float | int | str] = {
        "brightness": round(brightness, 2),
        "blue": round(blue, 2),
        "red": round(red, 2),
    }
    found = []
    if max(abs(blue), abs(red)) > CAST_DRIFT:
        way = "warmer" if red > blue else "cooler"
        text = f"The light has become {way} since the tiles were shown. Show them again if colours"
        found.append(Finding(f"light_{way}", "hint", f"{text} are mixed up.", values))
    if abs(brightness) > BRIGHTNESS_DRIFT:
        way = "brighter" if brightness > 0 else "darker"
        text = f"The light is much {way} than when the camera was set up."
        found.append(Finding(f"light_{way}", "hint", text, values))
    return found


def camera_findings(plane: Plane, tiles: Sequence[SeenTile]) -> list[Finding]:
    """Whether the camera was moved; nothing where it was not, or where too few tiles lie."""
    if len(tiles) < LEAST_TILES:
        return []
    edge, skew = misfit(plane, tiles)
    if abs(edge - 1) < SIZE_DRIFT and skew < SKEW_DRIFT:
        return []
    values: dict[str, float | int | str] = {"edge": round(edge, 3), "skew": round(skew, 3)}
    text = "The camera has been moved since it was set up. Reading goes on; check the aim again."
    return [Finding("camera_moved", "hint", text, values)]
