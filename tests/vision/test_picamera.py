"""The Raspberry Pi camera: its calls held against the real picamera2, and its failures in words."""

from __future__ import annotations

import ast
import copy
import importlib.util
import inspect
import sys
import threading
from collections.abc import Iterator
from concurrent.futures import CancelledError
from pathlib import Path
from types import ModuleType
from typing import Any, cast
from unittest import mock

import numpy as np
import numpy.typing as npt
import pytest

from tests.vision.raspberry import FIXED_LENS, RESTING, FakeRequest, Rig, real_classes, yuv_frame
from vision.cameras import picamera
from vision.cameras.base import CameraError, Glance
from vision.cameras.picamera import PiCamera, has_pi_camera
from vision.cameras.picamera_library import (
    CameraBusyError,
    NoLibraryError,
    NoPiCameraError,
    NumpyClashError,
    import_error,
    load_library,
)
from vision.cameras.picamera_light import MOST_FRAMES, Settling, light_of
from vision.cameras.picamera_modes import Mode, configuration_of, mode_for
from vision.cameras.sources import Source, SourceError, open_camera, parse_source


def no_sleep(_: float) -> None:
    """Stand in for waiting."""


def camera_on(rig: Rig, module: ModuleType = picamera) -> PiCamera:
    return cast(PiCamera, module.PiCamera(loader=rig.library, clock=rig.clock, sleep=no_sleep))


def settled(rig: Rig, camera: PiCamera) -> Glance:
    """The first glance after the light has settled."""
    for _ in range(MOST_FRAMES + 1):
        glance = camera.glance()
        if glance is not None:
            return glance
    raise AssertionError("the light never settled")


def test_nothing_is_opened_before_the_first_glance() -> None:
    rig = Rig()
    camera = camera_on(rig)
    with pytest.raises(CameraError, match="not sent a picture"):
        camera.picture()
    camera.close()
    assert not rig.cls.called


def test_glance_and_picture_are_of_the_same_exposure() -> None:
    rig = Rig()
    camera = camera_on(rig)
    glance = settled(rig, camera)
    assert glance.grey.shape == (240, 320)
    assert abs(float(glance.grey.mean()) - 120) < 1
    assert camera.picture().shape == (1296, 2304, 3)
    last = rig.requests[-1]
    assert last.asked == ["lores", "main"]
    assert camera.name == "Camera Module 3"


def test_every_request_goes_back_to_the_camera() -> None:
    rig = Rig()
    camera = camera_on(rig)
    settled(rig, camera)
    for _ in range(5):
        camera.glance()
    held = [request for request in rig.requests if not request.released]
    assert held == [rig.requests[-1]]
    camera.close()
    assert all(request.released == 1 for request in rig.requests)


def test_light_and_focus_are_settled_once_and_then_held() -> None:
    rig = Rig()
    camera = camera_on(rig)
    settled(rig, camera)
    for _ in range(100):
        camera.glance()
    assert rig.controls_set == [
        {"AeEnable": True, "AwbEnable": True},
        {name: RESTING[name] for name in ("ExposureTime", "AnalogueGain", "ColourGains")},
        {"AfMode": "manual", "LensPosition": 1.4},
    ]
    assert rig.camera.autofocus_cycle.call_count == 1


def test_a_lens_that_cannot_move_is_not_focused() -> None:
    rig = Rig(model="imx219", known=dict(FIXED_LENS))
    settled(rig, camera_on(rig))
    assert not rig.camera.autofocus_cycle.called
    assert all("AfMode" not in controls for controls in rig.controls_set)


@pytest.mark.parametrize("trouble", [False, TimeoutError(), CancelledError()])
def test_where_autofocus_finds_nothing_the_usual_distance_is_taken(trouble: object) -> None:
    rig = Rig()
    rig.camera.autofocus_cycle.side_effect = [trouble]
    settled(rig, camera_on(rig))
    assert rig.controls_set[-1] == {"AfMode": "manual", "LensPosition": 1.25}


@pytest.mark.parametrize(
    ("yuv", "is_change"),
    [
        (yuv_frame(), False),
        (yuv_frame(grey=145), False),
        (yuv_frame(grey=40), True),
        (yuv_frame(grey=230), True),
        (yuv_frame(u=118, v=140), True),
    ],
    ids=["same", "a little brighter", "darker", "brighter", "warmer"],
)
def test_only_a_lasting_change_of_light_settles_the_camera_anew(
    yuv: npt.NDArray[np.uint8], is_change: bool
) -> None:
    rig = Rig()
    camera = camera_on(rig)
    settled(rig, camera)
    before = len(rig.controls_set)
    rig.yuv = yuv
    for _ in range(30):
        camera.glance()
    assert len(rig.controls_set) == before, "three seconds are not lasting"
    for _ in range(60):
        camera.glance()
    assert (len(rig.controls_set) > before) == is_change


def test_a_hand_over_less_than_half_of_the_table_is_no_change_of_light() -> None:
    light = light_of(yuv_frame())
    covered = yuv_frame()
    covered[:240, :150] = 20
    assert light_of(covered)[0] == pytest.approx(light[0], abs=6)


def test_a_light_that_never_rests_is_held_after_four_seconds() -> None:
    settling = Settling()
    frames = ({"ExposureTime": 1000 * (2 + i % 2), "AnalogueGain": 1.0} for i in range(1000))
    assert [settling.is_settled(frame) for frame in frames].index(True) == MOST_FRAMES - 1


def test_stale_frames_are_flushed_after_every_pause_and_only_then() -> None:
    rig = Rig()
    camera = camera_on(rig)
    settled(rig, camera)
    flushed = [call.kwargs["flush"] for call in rig.camera.capture_request.call_args_list]
    assert flushed[0] is True
    assert not any(flushed[1:])
    rig.now_s += 1.0
    camera.glance()
    assert rig.camera.capture_request.call_args.kwargs["flush"] is True


# --- failures


@pytest.mark.parametrize("missing", ["libcamera", "picamera2"])
def test_a_missing_library_is_said_with_its_cure(missing: str) -> None:
    with (
        mock.patch.dict(sys.modules, {missing: None}),
        pytest.raises(NoLibraryError, match="python3-picamera2"),
    ):
        load_library()


@pytest.mark.parametrize(
    ("error", "cure"),
    [
        (
            ValueError("numpy.dtype size changed, may indicate binary incompatibility."),
            "simplejpeg>=1.8.2",
        ),
        (ImportError("numpy.core.multiarray failed to import"), "simplejpeg>=1.8.2"),
        (AttributeError("module 'x' has no attribute 'ExposureTimeMode'"), "full-upgrade"),
        (ImportError("libcamera.so.0.6: cannot open shared object file"), "--reinstall"),
    ],
)
def test_a_broken_library_is_said_with_its_cure(error: Exception, cure: str) -> None:
    assert cure in str(import_error(error))


def test_a_numpy_that_does_not_fit_is_told_from_a_missing_library(tmp_path: Path) -> None:
    (tmp_path / "libcamera.py").write_text("controls = None\n")
    (tmp_path / "picamera2.py").write_text(
        'raise ValueError("numpy.dtype size changed, may indicate binary incompatibility")\n'
    )
    with (
        mock.patch.object(sys, "path", [str(tmp_path), *sys.path]),
        mock.patch.dict(sys.modules),
        pytest.raises(NumpyClashError, match="does not fit the numpy"),
    ):
        load_library()


def test_no_camera_is_noticed_before_a_file_is_leaked() -> None:
    rig = Rig()
    rig.cls.global_camera_info.return_value = []
    with pytest.raises(NoPiCameraError, match=r"no camera module.*ribbon"):
        camera_on(rig).glance()
    assert not rig.cls.called
    assert not has_pi_camera(rig.library)


def test_a_camera_in_use_is_said() -> None:
    rig = Rig()
    busy = RuntimeError("Camera __init__ sequence did not complete.")
    busy.__cause__ = RuntimeError("Failed to acquire camera: Device or resource busy")
    rig.cls.side_effect = busy
    camera = camera_on(rig)
    with pytest.raises(CameraBusyError, match="in use by another program"):
        camera.glance()
    rig.cls.side_effect = None
    assert settled(rig, camera).grey.shape == (240, 320), "it is taken when it is free"


def test_a_camera_in_use_for_long_asks_for_a_new_start_before_no_file_is_left() -> None:
    rig = Rig()
    rig.cls.side_effect = RuntimeError("Failed to acquire camera: Device or resource busy")
    camera = camera_on(rig)
    with mock.patch.object(picamera, "MOST_FAILURES", 3):
        for tried in range(1, 4):
            with pytest.raises(CameraBusyError):
                camera.glance()
            assert camera.is_stuck is (tried == 3)


def test_a_camera_that_answers_but_sends_nothing_has_a_loose_ribbon() -> None:
    rig = Rig(fails=[TimeoutError()])
    with pytest.raises(CameraError, match="ribbon is not seated"):
        camera_on(rig).glance()
    assert rig.camera.cancel_all_and_flush.called
    assert rig.camera.close.called


def test_a_camera_that_stops_is_opened_again_and_settled_anew() -> None:
    rig = Rig()
    camera = camera_on(rig)
    settled(rig, camera)
    rig.fails = [TimeoutError()]
    with pytest.raises(CameraError, match="stopped sending"):
        camera.glance()
    assert settled(rig, camera).grey.shape == (240, 320)
    assert rig.cls.call_count == 2
    assert rig.camera.close.call_count == 1


def test_a_camera_that_cannot_even_be_closed_asks_for_a_new_start() -> None:
    rig = Rig(fails=[TimeoutError()])
    forever = threading.Event()
    rig.camera.close.side_effect = forever.wait
    camera = camera_on(rig)
    with mock.patch.object(picamera, "CLOSE_WAIT_S", 0.01), pytest.raises(CameraError):
        camera.glance()
    assert camera.is_stuck
    with pytest.raises(CameraError, match="started again"):
        camera.glance()
    forever.set()


def test_closing_from_another_thread_ends_a_waiting_glance() -> None:
    rig = Rig()
    waiting, cancelled = threading.Event(), threading.Event()

    def capture(**_: object) -> None:
        waiting.set()
        assert cancelled.wait(10)
        raise CancelledError

    rig.camera.capture_request.side_effect = capture
    rig.camera.cancel_all_and_flush.side_effect = cancelled.set
    camera = camera_on(rig)
    said: list[str] = []

    def look() -> None:
        try:
            camera.glance()
        except CameraError as error:
            said.append(str(error))

    thread = threading.Thread(target=look)
    thread.start()
    assert waiting.wait(10)
    camera.close()
    thread.join(10)
    assert said == ["the camera was closed"]


def test_a_second_camera_that_is_not_there_is_said() -> None:
    rig = Rig()
    with pytest.raises(NoPiCameraError):
        PiCamera(1, loader=rig.library, clock=rig.clock, sleep=no_sleep).glance()


def test_the_source_is_chosen_by_its_word() -> None:
    assert isinstance(open_camera(parse_source("picamera")), PiCamera)
    assert isinstance(open_camera(Source("picamera", "1")), PiCamera)
    with pytest.raises(SourceError, match="not a number"):
        parse_source("picamera:left")


# --- modes


@pytest.mark.parametrize(
    ("model", "title", "sensor_wh"),
    [
        ("imx708", "Camera Module 3", (2304, 1296)),
        ("imx708_wide", "Camera Module 3 Wide", (2304, 1296)),
        ("imx708_wide_noir", "Camera Module 3 Wide", (2304, 1296)),
        ("imx219", "Camera Module 2", (3280, 2464)),
        ("imx477", "HQ Camera", (2028, 1520)),
        ("ov5647", "Camera Module 1", (2592, 1944)),
        ("imx999", "imx999", (9000, 6000)),
    ],
)
def test_every_module_shows_its_whole_field(
    model: str, title: str, sensor_wh: tuple[int, int]
) -> None:
    mode = mode_for(model, (9000, 6000))
    assert (mode.title, mode.sensor_wh) == (title, sensor_wh)
    wide, high = mode.picture_wh
    assert wide / high == pytest.approx(sensor_wh[0] / sensor_wh[1], rel=0.01)
    assert 2000 < wide <= 2592


@pytest.mark.parametrize("model", ["imx708", "imx219", "imx477", "ov5647", "imx999"])
def test_the_real_library_accepts_the_configuration(model: str) -> None:
    real, _ = real_classes()
    bare = real.__new__(real)
    vars(bare).update(
        _preview=None, is_open=False, camera=object(), sensor_format="SRGGB10", camera_ctrl_info={}
    )
    bare.camera_properties_ = {"ColorFilterArrangement": 0}
    mode = mode_for(model, (9000, 6000))
    made = bare.create_video_configuration(**configuration_of(mode, FIXED_LENS))
    for name in ("main", "lores"):
        bare.check_stream_config(made[name], name)
    assert made["main"]["size"] == mode.picture_wh, "picamera2 would have changed the size"
    assert made["raw"] is None


# --- every name of picamera2 that the adapter uses

SOURCE = Path(picamera.__file__)
OWNERS = {"camera", "_camera", "picamera2", "request", "_request", "_controls", "AfModeEnum"}


def owner_of(node: ast.expr) -> str:
    return node.attr if isinstance(node, ast.Attribute) else getattr(node, "id", "")


def used_names(tree: ast.AST) -> Iterator[str]:
    """Every attribute and keyword that the adapter asks of picamera2 and libcamera."""
    for node in ast.walk(tree):
        if isinstance(node, ast.Attribute) and owner_of(node.value) in OWNERS:
            yield node.attr
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute):
            is_theirs = owner_of(node.func.value) in OWNERS
            keywords = [each.arg for each in node.keywords if each.arg and is_theirs]
            yield from (f"{node.func.attr}({keyword}=)" for keyword in keywords)


class Misspell(ast.NodeTransformer):
    """Misspells one name wherever it is asked of picamera2."""

    def __init__(self, name: str) -> None:
        self._call, _, keyword = name.partition("(")
        self._keyword = keyword.removesuffix("=)")

    def visit_Attribute(self, node: ast.Attribute) -> ast.AST:
        self.generic_visit(node)
        if not self._keyword and node.attr == self._call and owner_of(node.value) in OWNERS:
            node.attr += "x"
        return node

    def visit_Call(self, node: ast.Call) -> ast.AST:
        self.generic_visit(node)
        if self._keyword and isinstance(node.func, ast.Attribute) and node.func.attr == self._call:
            for keyword in node.keywords:
                if keyword.arg == self._keyword:
                    keyword.arg += "x"
        return node


TREE = ast.parse(SOURCE.read_text(encoding="utf-8"))
USED = sorted({name for name in used_names(TREE) if name not in OWNERS})


def adapter_from(tree: ast.Module) -> ModuleType:
    spec = importlib.util.spec_from_loader("picamera_misspelt", loader=None)
    assert spec is not None
    module = importlib.util.module_from_spec(spec)
    exec(compile(ast.fix_missing_locations(tree), str(SOURCE), "exec"), module.__dict__)
    return module


def live_through_everything(module: ModuleType) -> None:
    """Open, settle, focus, look, lose the camera, find it again, close."""
    in_threads: list[BaseException | None] = []
    with mock.patch.object(threading, "excepthook", lambda args: in_threads.append(args.exc_value)):
        rig = Rig()
        camera = camera_on(rig, module)
        settled(rig, camera)
        camera.picture()
        rig.fails = [TimeoutError()]
        with pytest.raises(CameraError):
            camera.glance()
        settled(rig, camera)
        camera.close()
        assert module.has_pi_camera(rig.library)
    for error in in_threads:
        assert error is not None
        raise error


def test_the_right_names_live_through_everything() -> None:
    live_through_everything(adapter_from(copy.deepcopy(TREE)))


def test_the_names_are_those_of_the_library() -> None:
    assert {
        "global_camera_info",
        "create_video_configuration",
        "configure",
        "start",
        "capture_request",
        "capture_request(flush=)",
        "capture_request(wait=)",
        "capture_metadata",
        "autofocus_cycle(wait=)",
        "camera_controls",
        "camera_properties",
        "cancel_all_and_flush",
        "close",
        "get_metadata",
        "make_array",
        "release",
        "set_controls",
        "Manual",
    } <= set(USED)


@pytest.mark.parametrize("name", USED)
def test_a_misspelt_name_or_keyword_is_caught(name: str) -> None:
    misspelt = Misspell(name).visit(copy.deepcopy(TREE))
    with pytest.raises((AttributeError, TypeError)):
        live_through_everything(adapter_from(misspelt))


@pytest.mark.parametrize("name", sorted(configuration_of(mode_for("imx708", (1, 1)), {})))
def test_a_misspelt_keyword_of_the_configuration_is_caught(name: str) -> None:
    def misspelt(mode: Mode, controls: dict[str, Any]) -> dict[str, Any]:
        made = configuration_of(mode, controls)
        return {f"{key}x" if key == name else key: value for key, value in made.items()}

    module = adapter_from(copy.deepcopy(TREE))
    vars(module)["configuration_of"] = misspelt
    with pytest.raises(TypeError, match=f"{name}x"):
        live_through_everything(module)


def test_an_unknown_control_is_caught() -> None:
    rig = Rig(known={"AeEnable": None, "AwbEnable": None, "AfMode": None})
    with pytest.raises(RuntimeError, match="LensPosition is not advertised"):
        settled(rig, camera_on(rig))


def test_the_fake_request_has_only_what_a_real_one_has() -> None:
    _, request = real_classes()
    for name in ("make_array", "get_metadata", "release"):
        ours, theirs = (inspect.signature(getattr(c, name)) for c in (FakeRequest, request))
        assert list(ours.parameters) == list(theirs.parameters)


def test_frames_keep_their_pixels() -> None:
    rig = Rig()
    glance = settled(rig, camera_on(rig))
    assert np.array_equal(glance.grey, rig.yuv[:240, :320])
