"""The real picamera2, with only the compiled libraries below it replaced.

`create_autospec` of the real classes refuses every name, keyword and number of arguments that
they do not have; configurations and controls go through picamera2's own checks. What it does with a
sensor is not simulated, except how slowly white balance follows: see `make test-picamera`.
"""

from __future__ import annotations

import importlib
import sys
from collections.abc import Callable
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path
from types import ModuleType, SimpleNamespace
from typing import Any, NamedTuple
from unittest import mock

import numpy as np
import numpy.typing as npt
import pytest

from vision.cameras.picamera_library import Library, load_library
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
    "NoiseReductionMode": (0, 4, 0),
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


MODULE = "/base/soc/i2c0mux/i2c@1/imx708@1a"
USB = "/base/scb/pcie@7d500000/pci@0,0/usb@0,0-1.3:1.0-046d:0825"
"""How libcamera calls a camera module and a webcam on a Raspberry Pi."""


class Real(NamedTuple):
    """The classes of the real library."""

    picamera2: Any
    request: Any
    allocator: Any
    controls: Any


class _Kind:
    """A class of libcamera that picamera2 asks for with `isinstance`."""

    Rec709 = Smpte170m = Sycc = classmethod(lambda cls: cls())

    def __init__(self, **values: int) -> None:
        self.values = values


def _stub_of_libcamera() -> mock.MagicMock:
    kinds = {name: type(name, (_Kind,), {}) for name in ("ColorSpace", "Transform")}
    sizes = {name: type(name, (), {}) for name in ("Rectangle", "Size")}
    return mock.MagicMock(name="libcamera", _libcamera=SimpleNamespace(**kinds), **kinds, **sizes)


@cache
def _import_real() -> Real | None:
    if not (FOLDER / "picamera2").is_dir():
        return None
    stubs = {name: mock.MagicMock(name=name) for name in COMPILED}
    stubs["libcamera"] = _stub_of_libcamera()
    with (
        mock.patch.dict(sys.modules, stubs),
        mock.patch.object(sys, "path", [str(FOLDER), *sys.path]),
    ):
        module = importlib.import_module("picamera2")
        allocators = importlib.import_module("picamera2.allocators")
    return Real(module.Picamera2, module.CompletedRequest, allocators.DmaAllocator, module.Controls)


def real_classes() -> Real:
    """The classes of the real library."""
    found = _import_real()
    if found is None:
        pytest.skip("picamera2 was not fetched into the environment: run `make test`")
    return found


def bare_camera(known: dict[str, Any]) -> Any:  # noqa: ANN401 - has no types of its own
    """The real class without a camera, for what it checks by itself."""
    real = real_classes().picamera2
    bare = real.__new__(real)
    names = {name: SimpleNamespace(name=name, type=None) for name in known}
    ranges = {
        name: SimpleNamespace(min=each[0], max=each[1], default=each[2]) if each else None
        for name, each in known.items()
    }
    vars(bare).update(_preview=None, is_open=False, camera=object(), sensor_format="SRGGB10")
    bare.camera_ctrl_info = {name: (names[name], ranges[name]) for name in known}
    bare.camera_properties_ = {"ColorFilterArrangement": 0}
    return bare


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
        if name == "lores":
            return self._yuv
        width, height = mode_for(self._rig.model, (4608, 2592)).picture_wh
        return {"main": np.full((height, width, 3), 90, np.uint8)}[name]

    def get_metadata(self) -> dict[str, Any]:
        """What the sensor said about the exposure."""
        return self._metadata

    def release(self) -> None:
        """Give the memory back to the camera."""
        self.released += 1


@dataclass
class WhiteBalance:
    """Follows the light as the Raspberry Pi does: 5 % of the way in each frame, after a while."""

    gains: tuple[float, ...]
    target: tuple[float, ...]
    latency: int
    frames: int = 0
    is_running: bool = False

    def next(self) -> tuple[float, ...]:
        """The gains of the next frame."""
        self.frames = self.frames + 1 if self.is_running else 0
        if self.frames > self.latency:
            self.gains = tuple(
                0.95 * a + 0.05 * b for a, b in zip(self.gains, self.target, strict=True)
            )
        return self.gains


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
    white_balance: WhiteBalance | None = None
    requests: list[FakeRequest] = field(default_factory=list)
    configured: dict[str, Any] = field(default_factory=dict)

    def __post_init__(self) -> None:
        real = real_classes()
        # A subclass of the real one: a name that it lacks is missing here too.
        self._request_class = type("Request", (FakeRequest, real.request), {})
        self._bare = bare_camera(self.known)
        self._checks = real.controls(self._bare)
        self.allocator = mock.create_autospec(real.allocator)
        self.cls = mock.create_autospec(real.picamera2)
        self.cls.global_camera_info.return_value = [{"Model": self.model, "Num": 0, "Id": MODULE}]
        self.camera = self.cls.return_value
        self.camera.camera_controls = self.known
        self.camera.camera_properties = {"PixelArraySize": (4608, 2592), "Model": self.model}
        make = self._bare.create_video_configuration
        self.camera.create_video_configuration.side_effect = make
        self.camera.configure.side_effect = self._configure
        self.camera.set_controls.side_effect = self._set_controls
        self.camera.capture_request.side_effect = self._capture
        self.camera.capture_metadata.side_effect = lambda **_: dict(self.metadata)
        self.camera.autofocus_cycle.return_value = True
        self.controls = SimpleNamespace(AfModeEnum=SimpleNamespace(Manual="manual"))

    def library(self, load: Callable[[], Library] = load_library) -> Library:
        """What is loaded where this is the camera of the system."""
        with mock.patch.dict(sys.modules, self._modules()):
            return load()

    def _modules(self) -> dict[str, ModuleType]:
        names: dict[str, dict[str, Any]] = {
            "libcamera": {"controls": self.controls},
            "picamera2": {"Picamera2": self.cls},
            "picamera2.allocators": {"DmaAllocator": self.allocator},
        }
        made = {name: ModuleType(name) for name in names}
        for name, module in made.items():
            vars(module).update(names[name])
        return made

    def clock(self) -> float:
        """The camera's clock: it moves with the frames."""
        return self.now_s

    def _capture(self, **_: object) -> FakeRequest:
        self.now_s += self.frame_s
        if self.fails:
            raise self.fails.pop(0)
        if self.white_balance is not None:
            self.metadata["ColourGains"] = self.white_balance.next()
        request: FakeRequest = self._request_class(self)
        self.requests.append(request)
        return request

    def _configure(self, configuration: dict[str, Any]) -> None:
        self._bare.check_camera_config(configuration)
        self._checks.set_controls(configuration["controls"])
        self.configured = configuration

    def _set_controls(self, controls: dict[str, Any]) -> None:
        self._checks.set_controls(controls)
        if "FrameDurationLimits" in controls:
            self.frame_s = controls["FrameDurationLimits"][0] / 1e6
        if self.white_balance is not None and controls.keys() & {"AwbEnable", "ColourGains"}:
            self.white_balance.is_running = "AwbEnable" in controls

    @property
    def controls_set(self) -> list[dict[str, Any]]:
        """All controls in the order in which they were set."""
        return [call.args[0] for call in self.camera.set_controls.call_args_list]
