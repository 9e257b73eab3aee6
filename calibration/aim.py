"""Is the camera set up well? Size, sharpness, light, colours and reach, in plain words."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np
import numpy.typing as npt

from calibration.findings import Finding, Level
from calibration.measure import Aim, measure
from vision.model import Model
from vision.reading import Reading

Frame = npt.NDArray[Any]

SMALL_PX, TOO_SMALL_PX, LARGE_PX = 38.0, 30.0, 200.0
"""Edge of a tile: reading is made for 30 to 200 pixels."""

SOFT, BLURRED = 0.10, 0.15
"""Width of the edges in a picture, in tiles. Sharp pictures have 0.05 to 0.06; at 50 px a tile, a
blur of 2.5 px makes 0.13 and one of 4 px 0.17, where the mean confidence falls to 0.95."""

DIM, DARK = 95.0, 65.0
"""Level (of 255) that one pixel in twenty of the tiles exceeds. Well-lit tiles have 220 to 255, at
a third of the light 79 to 89, at a fifth, where tiles are missed, 48 to 55."""

BRIGHT, OVEREXPOSED = 0.15, 0.30
"""Share of the median tile that is clipped: 0 to 0.08 of all tiles in good pictures, 0.3 to 0.5 at
1.6 times the exposure."""

GLARING, GLARE_TILES = 0.5, 0.08
"""A tile of which this share is clipped has glare on it; so many of the tiles may have it. Where a
quarter of the tiles is not even bright, it is no matter of the exposure."""

CLOSE, TOO_CLOSE = 8.0, 6.0
"""Distance of the two nearest colours in spreads of one colour: 10 to 13 in good light, 7 to 10
under a strong cast, 8 to 9 at a fifth of the light, 6.2 in an over-exposed picture."""

NARROW_TILES, CUT_TILES = 3.0, 0.5
"""Room between the layout and the picture's border, in tiles."""


def check(frame_bgr: Frame, reading: Reading, model: Model) -> list[Finding]:
    """What is good and what could be better about a picture of the table."""
    if not reading.tiles:
        return [_nothing_seen(frame_bgr)]
    return list(_findings(measure(frame_bgr, reading, model)))


def _nothing_seen(frame: Frame) -> Finding:
    level = float(np.percentile(frame, 95)) if frame.size else 0.0
    if level < DARK:
        text = "The picture is too dark. Switch on a light, or take the cap off the lens."
        return Finding("no_tiles_dark", "problem", text, {"level": round(level)})
    text = "No tiles are seen. Lay a few tiles, face up, in the middle of the table and look again."
    return Finding("no_tiles", "problem", text)


def _findings(aim: Aim) -> Iterator[Finding]:
    yield _size(aim)
    yield _sharpness(aim)
    yield _light(aim)
    if (glare := _glare(aim)) is not None:
        yield glare
    if aim.nearest is not None:
        yield _colours(aim, aim.nearest)
    yield _reach(aim)


def _size(aim: Aim) -> Finding:
    values: dict[str, float | int | str] = {"px": round(aim.tile_px)}
    if aim.tile_px < TOO_SMALL_PX:
        text = (
            f"A tile is only {aim.tile_px:.0f} pixels wide; {TOO_SMALL_PX:.0f} are needed. Bring "
            "the camera closer to the table, or choose larger pictures."
        )
        return Finding("tiles_too_small", "problem", text, values)
    if aim.tile_px < SMALL_PX:
        text = f"A tile is {aim.tile_px:.0f} pixels wide. A little closer would be surer."
        return Finding("tiles_small", "hint", text, values)
    if aim.tile_px > LARGE_PX:
        text = f"A tile is {aim.tile_px:.0f} pixels wide. Move the camera away to see more table."
        return Finding("tiles_large", "hint", text, values)
    return Finding("size_good", "good", f"A tile is {aim.tile_px:.0f} pixels wide.", values)


def _sharpness(aim: Aim) -> Finding:
    values: dict[str, float | int | str] = {"width": round(aim.edge_width, 3)}
    if aim.edge_width > BLURRED:
        text = "The picture is blurred. Focus on the tiles, wipe the lens, and fix the camera."
        return Finding("blurred", "problem", text, values)
    if aim.edge_width > SOFT:
        text = "The picture is a little soft. Focus on the tiles, or give the camera more light."
        return Finding("soft", "hint", text, values)
    return Finding("sharp", "good", "The picture is sharp.", values)


def _light(aim: Aim) -> Finding:
    share = float(np.median(aim.clipped))
    values: dict[str, float | int | str] = {"level": round(aim.level), "clipped": round(share, 2)}
    if aim.level < DARK:
        return Finding("too_dark", "problem", "It is too dark. Put a lamp by the table.", values)
    if aim.level < DIM:
        return Finding("dim", "hint", "The light is dim. A lamp by the table would help.", values)
    if share > OVEREXPOSED:
        text = "The picture is over-exposed: colours fade to white. Dim the lamp or move it away."
        return Finding("overexposed", "problem", text, values)
    if share > BRIGHT:
        text = "The picture is very bright. A weaker or more distant lamp would be better."
        return Finding("bright", "hint", text, values)
    return Finding("light_good", "good", "The light is bright enough.", values)


def _glare(aim: Aim) -> Finding | None:
    count = int((aim.clipped > GLARING).sum())
    is_all_bright = float(np.percentile(aim.clipped, 25)) > BRIGHT
    if is_all_bright or count <= GLARE_TILES * aim.tiles:
        return None
    text = (
        f"A lamp or window is mirrored on {count} of {aim.tiles} tiles. Move the lamp to the side "
        "until the shine is gone."
    )
    return Finding("glare", "hint", text, {"count": count, "tiles": aim.tiles})


def _colours(aim: Aim, pair: tuple[str, str]) -> Finding:
    one, other = pair
    values: dict[str, float | int | str] = {
        "one": one,
        "other": other,
        "distance": round(aim.distance, 1),
    }
    if aim.distance < CLOSE:
        level: Level = "problem" if aim.distance < TOO_CLOSE else "hint"
        text = (
            f"{one.capitalize()} and {other} look much alike in this light. Use a whiter lamp, or "
            "show your tiles with “my tiles”."
        )
        code = "colours_too_close" if level == "problem" else "colours_close"
        return Finding(code, level, text, values)
    text = f"The colours are easy to tell apart; {one} and {other} are nearest."
    return Finding("colours_good", "good", text, values)


def _reach(aim: Aim) -> Finding:
    names = ("left", "top", "right", "bottom")
    least = min(aim.room)
    side = names[aim.room.index(least)]
    values: dict[str, float | int | str] = {
        name: round(room, 1) for name, room in zip(names, aim.room, strict=True)
    }
    values["side"] = side
    if least < CUT_TILES:
        text = f"Tiles touch the {side} border of the picture. Turn or raise the camera."
        return Finding("at_the_border", "problem", text, values)
    if least < NARROW_TILES:
        text = f"Only {least:.0f} more tiles fit on the {side} side. Aim the camera at the middle."
        return Finding("little_room", "hint", text, values)
    text = f"On every side there is room for {int(least)} more tiles or more."
    return Finding("room_good", "good", text, values)
