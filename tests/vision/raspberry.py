"""The real picamera2, with only the compiled libraries below it replaced.

`create_autospec` of the real classes refuses every name, keyword and number of arguments that
they do not have. What picamera2 does with a sensor is not simulated: see `make test-picamera`.
"""

from __future__ import annotations

import importlib
import sys
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path
from types import SimpleNamespace
from typing import Any
from unittest import mock

import numpy as np
import numpy.typing as npt
import pytest

from vision.cameras.picamera_library import Library
from vision.cameras.picamera_modes import mode_for

FOLDER = Path(sys.prefix) / "raspberry"
COMPILED = (
    *("libcamera", "libcamera.controls", "pykms", "videodev2", "prctl", "simplejpeg"),
    *("piexif", "PIL", "PIL.Image", "av", "pidng", "pidng.camdefs", "pidng.core"),
)

# As `Picamera2.camera_controls` gives them for a Camera Module 3: least, most, default.
FIXED_LENS: dict[str, Any] = {
    "AeEnable": (False, True, True),
    "AnalogueGain": (1.12, 16.0, 1.0),
    "AwbEnable": (False, True, None),
    "ColourGains": (0.0, 32.0, None),
    "ExposureTime": (13, 112015096, 20000),
    "FrameDurationLimits": (17849, 112015443, 33333),
}
MOVING_LENS = FIXED_LENS | {
    "AfMode": (0, 2, 0),
    "AfTrigger": (0, 1, 0),
    "LensPosition": (0.0, 32.0, 1.0),
}
RESTING = {
    "ExposureTime": 24987,
    "AnalogueGain": 2.5,
    "ColourGains": (1.8, 1.6),
    "SensorTimestamp": 1,
    "LensPosition": 1.4,
}


@cache
def _import_real() -> tuple[Any, Any] | None:
    if not (FOLDER / "picamera2").is_dir():
        return None
    stubs = {name: mock.MagicMock(name=name) for name in COMPILED}
    with (
        mock.patch.dict(sys.modules, stubs),
        mock.patch.object(sys, "path", [str(FOLDER), *sys.path]),
    ):
        module = importlib.import_module("picamera2")
        return module.Picamera2, module.CompletedRequest


def real_classes() -> tuple[Any, Any]:
    """`Picamera2` and `CompletedRequest` of the real library."""
    found = _import_real()
    if found is None:
        pytest.skip("picamera2 was not fetched into the environment: run `make test`")
    return found


def yuv_frame(grey: int = 120, u: int = 128, v: int = 128, padding: int = 32) -> npt.NDArray[Any]:
    """A lores frame (360, 320 + padding) as picamera2 hands it out, with padded rows."""
    rng = np.random.default_rng(7)
    frame = np.zeros((360, 320 + padding), np.uint8)
    frame[:240, :320] = rng.integers(grey - 5, grey + 6, (240, 320))
    colour = frame[240:].reshape(240, -1)
    colour[:120, :160], colour[120:, :160] = u, v
    return frame


class FakeRequest:
    """One exposure with both its streams."""

    def __init__(self, rig: Rig) -> None:
        self._rig = rig
        self._yuv, self._metadata = rig.yuv, dict(rig.metadata)
        self.asked: list[str] = []
        self.released = 0

    def make_array(self, name: str) -> npt.NDArray[Any]:
        """The frame of a stream."""
        assert not self.released, "its memory belongs to the camera again"
        self.asked.append(name)
        width, height = mode_for(self._rig.model, (4608, 2592)).picture_wh
        return {"lores": self._yuv, "main": np.full((height, width, 3), 90, np.uint8)}[name]

    def get_metadata(self) -> dict[str, Any]:
        """What the sensor said about the exposure."""
        return self._metadata

    def release(self) -> None:
        """Give the memory back to the camera."""
        self.released += 1


@dataclass
class Rig:
    """A camera module as the real class would offer it; a test sets what it shows."""

    model: str = "imx708"
    known: dict[str, Any] = field(default_factory=lambda: dict(MOVING_LENS))
    metadata: dict[str, Any] = field(default_factory=lambda: dict(RESTING))
    yuv: npt.NDArray[Any] = field(default_factory=yuv_frame)
    fails: list[BaseException] = field(default_factory=list)
    now_s: float = 100.0
    frame_s: float = 0.1
    requests: list[FakeRequest] = field(default_factory=list)

    def __post_init__(self) -> None:
        real, request = real_classes()
        # A subclass of the real one: a name that it lacks is missing here too.
        self._request_class = type("Request", (FakeRequest, request), {})
        self.cls = mock.create_autospec(real)
        self.cls.global_camera_info.return_value = [{"Model": self.model, "Num": 0, "Id": "/i2c"}]
        self.camera = self.cls.return_value
        self.camera.camera_controls = self.known
        self.camera.camera_properties = {"PixelArraySize": (4608, 2592), "Model": self.model}
        self.camera.set_controls.side_effect = self._set_controls
        self.camera.capture_request.side_effect = self._capture
        self.camera.capture_metadata.side_effect = lambda **_: dict(self.metadata)
        self.camera.autofocus_cycle.return_value = True
        self.controls = SimpleNamespace(AfModeEnum=SimpleNamespace(Manual="manual"))

    def library(self) -> Library:
        """What stands in for the import of picamera2."""
        return Library(self.cls, self.controls)

    def clock(self) -> float:
        """The camera's clock: it moves with the frames."""
        return self.now_s

    def _capture(self, **_: object) -> FakeRequest:
        self.now_s += self.frame_s
        if self.fails:
            raise self.fails.pop(0)
        request: FakeRequest = self._request_class(self)
        self.requests.append(request)
        return request

    def _set_controls(self, controls: dict[str, Any]) -> None:
        for name in controls:
            if name not in self.known:  # as the real one does
                raise RuntimeError(f"Control {name} is not advertised by libcamera")

    @property
    def controls_set(self) -> list[dict[str, Any]]:
        """All controls in the order in which they were set."""
        return [call.args[0] for call in self.camera.set_controls.call_args_list]
