"""Which sensor mode and which picture sizes suit each camera module.

Only modes that use the whole field of the sensor are taken: the smaller ones of some modules cut
the view, so that a part of the table would be lost. The full picture is not larger than reading
needs, because every buffer of it lies in memory that the camera shares with the screen.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from vision.cameras.base import GLANCE_WH

Size = tuple[int, int]

MOST_WIDE_PX = 2592
"""Widest full picture: 40 px a tile of 25 mm on a table of 1.6 m."""
BUFFERS = 4
"""One is held until the next glance, one is being read out, two are under way."""
WATCHING_US = (100_000, 200_000)
"""Ten frames a second, and down to five where the evening light needs longer exposure."""
SETTLING_US = (33_333, 200_000)
"""Thirty, or what the sensor can: light and focus are found in frames, and somebody waits."""


@dataclass(frozen=True, slots=True)
class Mode:
    """How a camera module is run: what its sensor delivers, and the full picture made of it."""

    title: str
    sensor_wh: Size
    picture_wh: Size


# The first word of libcamera's model name; the wide and the infrared versions share the sensor.
MODES = {
    "imx708": Mode("Camera Module 3", (2304, 1296), (2304, 1296)),
    "imx477": Mode("HQ Camera", (2028, 1520), (2028, 1520)),
    "imx219": Mode("Camera Module 2", (3280, 2464), (2464, 1848)),
    "ov5647": Mode("Camera Module 1", (2592, 1944), (2592, 1944)),
}


def mode_for(model: str, sensor_wh: Size) -> Mode:
    """The mode of a camera module by libcamera's name for its sensor, such as `imx708_wide`.

    An unknown sensor is run at its full size, and the picture is scaled down from that.
    """
    known = MODES.get(model.split("_")[0])
    if known is None:
        return Mode(model or "camera", sensor_wh, _reduced(sensor_wh))
    if "_wide" in model:
        return Mode(f"{known.title} Wide", known.sensor_wh, known.picture_wh)
    return known


def _reduced(size_wh: Size) -> Size:
    """A size of the same shape that is not too wide, and even as the camera demands."""
    scale = min(1.0, MOST_WIDE_PX / size_wh[0])
    return int(size_wh[0] * scale) // 2 * 2, int(size_wh[1] * scale) // 2 * 2


def start(camera: Any, model: str) -> str:  # noqa: ANN401 - has no types of its own
    """Configure and start a camera module; its title."""
    size = camera.camera_properties.get("PixelArraySize", (1920, 1080))
    mode = mode_for(model, (int(size[0]), int(size[1])))
    arguments = configuration_of(mode, camera.camera_controls)
    camera.configure(camera.create_video_configuration(**arguments))
    camera.start()
    return mode.title


def configuration_of(mode: Mode, controls: Mapping[str, Any]) -> dict[str, Any]:
    """The arguments of `create_video_configuration` for a mode.

    Video and not still, since still has one buffer and would switch the mode for every picture.
    """
    return {
        # picamera2 names the bytes from the far end: RGB888 is what OpenCV calls BGR.
        "main": {"size": mode.picture_wh, "format": "RGB888"},
        "lores": {"size": GLANCE_WH, "format": "YUV420"},
        "raw": None,
        "sensor": {"output_size": mode.sensor_wh},
        "buffer_count": BUFFERS,
        # A queued frame would be as old as the last glance.
        "queue": False,
        "display": None,
        "encode": None,
        "controls": pace_controls(SETTLING_US, controls),
    }


def pace_controls(frame_us: tuple[int, int], known: Mapping[str, Any]) -> dict[str, Any]:
    """The controls for a pace: the shortest and the longest time of a frame."""
    return {"FrameDurationLimits": frame_us} if "FrameDurationLimits" in known else {}
