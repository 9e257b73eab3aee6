"""The Raspberry Pi camera: its calls held against the real picamera2, and its failures in words."""

from __future__ import annotations

import errno
import sys
import threading
from concurrent.futures import CancelledError
from pathlib import Path
from unittest import mock

import numpy as np
import numpy.typing as npt
import pytest

from tests.vision.raspberry import (
    FIXED_LENS,
    MODULE,
    MOVING_LENS,
    RESTING,
    USB,
    Rig,
    WhiteBalance,
    bare_camera,
    real_classes,
    yuv_frame,
)
from vision.cameras import picamera
from vision.cameras.base import CameraError, Glance
from vision.cameras.picamera import PiCamera
from vision.cameras.picamera_focus import REFOCUS_S
from vision.cameras.picamera_library import (
    CameraBusyError,
    CameraMemoryError,
    Library,
    NoLibraryError,
    NoPiCameraError,
    NumpyClashError,
    has_pi_camera,
    import_error,
    library_problem,
    load_library,
)
from vision.cameras.picamera_light import CHANGED_S, MOST_FRAMES, Settling, light_of
from vision.cameras.picamera_modes import SETTLING_US, WATCHING_US, configuration_of, mode_for
from vision.cameras.sources import Source, SourceError, open_camera, parse_source


def no_sleep(_: float) -> None:
    """Stand in for waiting."""


def camera_on(rig: Rig) -> PiCamera:
    return PiCamera(loader=rig.library, clock=rig.clock, sleep=no_sleep)


def settled(camera: PiCamera) -> Glance:
    """The first glance after the light has settled."""
    for _ in range(MOST_FRAMES + 1):
        glance = camera.glance()
        if glance is not None:
            return glance
    raise AssertionError("the light never settled")


def unsettled(camera: PiCamera, within_s: float) -> bool:
    """Whether the camera begins to settle anew within a time at ten frames a second."""
    return any(camera.glance() is None for _ in range(round(within_s * 10)))


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
    glance = settled(camera)
    assert glance.grey.shape == (240, 320)
    assert abs(float(glance.grey.mean()) - 120) < 1
    assert camera.picture().shape == (1296, 2304, 3)
    last = rig.requests[-1]
    assert last.asked == ["lores", "main"]
    assert camera.name == "Camera Module 3"


def test_every_request_goes_back_to_the_camera() -> None:
    rig = Rig()
    camera = camera_on(rig)
    settled(camera)
    for _ in range(5):
        camera.glance()
    held = [request for request in rig.requests if not request.released]
    assert held == [rig.requests[-1]]
    camera.close()
    assert all(request.released == 1 for request in rig.requests)


def test_light_and_focus_are_settled_once_and_then_held() -> None:
    rig = Rig()
    camera = camera_on(rig)
    settled(camera)
    for _ in range(100):
        camera.glance()
    assert rig.controls_set == [
        {"AeEnable": True, "AwbEnable": True, "FrameDurationLimits": SETTLING_US},
        {name: RESTING[name] for name in ("ExposureTime", "AnalogueGain", "ColourGains")},
        {"AfMode": "manual", "LensPosition": 1.4},
        {"FrameDurationLimits": WATCHING_US},
    ]
    assert rig.camera.autofocus_cycle.call_count == 1


def test_a_lens_that_cannot_move_is_not_focused() -> None:
    rig = Rig(model="imx219", known=dict(FIXED_LENS))
    settled(camera_on(rig))
    assert not rig.camera.autofocus_cycle.called
    assert all("AfMode" not in controls for controls in rig.controls_set)


@pytest.mark.parametrize("trouble", [False, TimeoutError(), CancelledError()])
def test_where_autofocus_finds_nothing_the_usual_distance_is_taken(trouble: object) -> None:
    rig = Rig()
    rig.camera.autofocus_cycle.side_effect = [trouble]
    settled(camera_on(rig))
    assert rig.controls_set[-2] == {"AfMode": "manual", "LensPosition": 1.25}


def test_a_camera_that_can_focus_does_so_again_when_asked_but_not_at_once() -> None:
    rig = Rig()
    camera = camera_on(rig)
    settled(camera)
    camera.refocus()
    assert camera.glance() is not None, "it was focused just now"
    rig.now_s += REFOCUS_S
    camera.refocus()
    assert camera.glance() is None
    rig.metadata["LensPosition"] = 2.5
    settled(camera)
    assert rig.controls_set[-2:] == [
        {"AfMode": "manual", "LensPosition": 2.5},
        {"FrameDurationLimits": WATCHING_US},
    ]
    assert rig.camera.autofocus_cycle.call_count == 2


def test_a_fixed_lens_is_left_in_peace_when_asked_to_focus() -> None:
    rig = Rig(model="imx219", known=dict(FIXED_LENS))
    camera = camera_on(rig)
    settled(camera)
    rig.now_s += 10 * REFOCUS_S
    camera.refocus()
    assert camera.glance() is not None


def test_focusing_is_looked_for_at_thirty_frames_a_second_and_for_fifteen_seconds() -> None:
    rig = Rig()
    rig.camera.autofocus_cycle.side_effect = lambda wait: rig.frame_s < 0.034 and wait >= 15
    settled(camera_on(rig))
    assert rig.controls_set[-2]["LensPosition"] == 1.4


DAYLIGHT, LAMP, CANDLE = (2.2, 1.5), (1.5, 2.4), (1.4, 2.9)
"""Gains of red and blue: what white balance finds in the light of a window, a lamp and a candle."""


@pytest.mark.parametrize("latency", [4, 14], ids=["soon", "late"])
@pytest.mark.parametrize(
    ("before", "after"),
    [(DAYLIGHT, LAMP), (LAMP, DAYLIGHT), (DAYLIGHT, CANDLE), (CANDLE, DAYLIGHT), (LAMP, CANDLE)],
)
def test_white_balance_has_arrived_when_it_is_held(
    before: tuple[float, float], after: tuple[float, float], latency: int
) -> None:
    balance = WhiteBalance(before, before, latency)
    rig = Rig(white_balance=balance)
    camera = camera_on(rig)
    settled(camera)
    rig.yuv, balance.target = yuv_frame(u=118, v=140), after
    assert unsettled(camera, CHANGED_S + 1)
    began_s = rig.now_s
    settled(camera)
    held = next(each for each in reversed(rig.controls_set) if "ColourGains" in each)
    for old, new, found in zip(before, after, held["ColourGains"], strict=True):
        assert abs(found - old) >= 0.95 * abs(new - old)
    assert rig.now_s - began_s < 4.0


def test_a_light_that_comes_on_late_is_waited_for() -> None:
    balance = WhiteBalance(DAYLIGHT, LAMP, latency=50, is_running=True)
    settling = Settling()
    while not settling.is_settled(RESTING | {"ColourGains": balance.next()}):
        pass
    for old, new, found in zip(DAYLIGHT, LAMP, balance.gains, strict=True):
        assert abs(found - old) >= 0.9 * abs(new - old)


def test_while_the_camera_settles_no_picture_is_given() -> None:
    rig = Rig()
    camera = camera_on(rig)
    assert camera.glance() is None
    assert camera.is_settling
    with pytest.raises(CameraError, match="getting used to the light: ask again"):
        camera.picture()
    settled(camera)
    rig.yuv = yuv_frame(grey=40)
    assert unsettled(camera, CHANGED_S + 1)
    with pytest.raises(CameraError, match="getting used to the light"):
        camera.picture()
    settled(camera)
    assert not camera.is_settling
    assert camera.picture().shape == (1296, 2304, 3)


def test_nobody_who_asks_for_a_picture_waits_until_the_camera_has_focused() -> None:
    rig = Rig()
    camera = camera_on(rig)
    said: list[str] = []

    def ask() -> None:
        with pytest.raises(CameraError, match="in a moment") as caught:
            camera.picture()
        said.append(str(caught.value))

    def focus(**_: object) -> bool:
        other = threading.Thread(target=ask)
        other.start()
        other.join(5)
        return True

    rig.camera.autofocus_cycle.side_effect = focus
    settled(camera)
    assert said


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
    settled(camera)
    before = len(rig.controls_set)
    rig.yuv = yuv
    assert not unsettled(camera, 3), "three seconds are not lasting"
    assert len(rig.controls_set) == before
    assert unsettled(camera, 6) == is_change
    assert (len(rig.controls_set) > before) == is_change


def test_a_hand_over_less_than_half_of_the_table_is_no_change_of_light() -> None:
    light = light_of(yuv_frame())
    covered = yuv_frame()
    covered[:240, :150] = 20
    assert light_of(covered)[0] == pytest.approx(light[0], abs=6)


def test_a_light_that_never_rests_is_held_after_the_most_frames() -> None:
    settling = Settling()
    frames = ({"ExposureTime": 1000 * 1.05**i, "AnalogueGain": 1.0} for i in range(1000))
    assert [settling.is_settled(frame) for frame in frames].index(True) == MOST_FRAMES - 1


def test_stale_frames_are_flushed_after_every_pause_and_only_then() -> None:
    rig = Rig()
    camera = camera_on(rig)
    settled(camera)
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


@pytest.mark.parametrize(
    ("error", "board", "said"),
    [
        (ModuleNotFoundError(name="picamera2"), "LENOVO", ""),
        (ModuleNotFoundError(name="picamera2"), "", ""),
        (ModuleNotFoundError(name="picamera2"), "Raspberry Pi 5 Model B", "python3-picamera2"),
        (ValueError("numpy.dtype size changed"), "LENOVO", "simplejpeg"),
        (AttributeError("ExposureTimeMode"), "Raspberry Pi 4", "full-upgrade"),
        (None, "Raspberry Pi 4", ""),
    ],
)
def test_a_broken_library_is_a_problem_and_a_missing_one_only_on_a_raspberry_pi(
    error: Exception | None, board: str, said: str, tmp_path: Path
) -> None:
    def load() -> Library:
        if error is not None:
            raise import_error(error)
        return Library(None, None, None)

    model = tmp_path / "model"
    if board:
        model.write_text(board)
    problem = library_problem(load, model)
    assert said in problem
    assert bool(problem) == bool(said)


def test_no_camera_is_noticed_before_a_file_is_leaked() -> None:
    rig = Rig()
    rig.cls.global_camera_info.return_value = []
    with pytest.raises(NoPiCameraError, match=r"no camera module.*ribbon"):
        camera_on(rig).glance()
    assert not rig.cls.called
    assert not has_pi_camera(rig.library)


def test_a_usb_camera_on_a_raspberry_pi_is_no_camera_module() -> None:
    rig = Rig()
    module, webcam = {"Model": "imx708", "Num": 1, "Id": MODULE}, {"Num": 0, "Id": USB}
    rig.cls.global_camera_info.return_value = [webcam]
    assert not has_pi_camera(rig.library)
    with pytest.raises(NoPiCameraError):
        camera_on(rig).glance()
    assert not rig.cls.called
    rig.cls.global_camera_info.return_value = [module, webcam]  # as picamera2 sorts them
    assert has_pi_camera(rig.library)
    with pytest.raises(NoPiCameraError):
        PiCamera(1, loader=rig.library, clock=rig.clock, sleep=no_sleep).glance()
    camera = camera_on(rig)
    settled(camera)
    assert camera.name == "Camera Module 3"


NO_MEMORY = OSError(errno.ENOMEM, "Cannot allocate memory")
NO_RIGHT = PermissionError(errno.EACCES, "Permission denied", "/dev/dma_heap/vidbuf_cached")


@pytest.mark.parametrize("call", ["configure", "start", "create_video_configuration"])
@pytest.mark.parametrize(
    ("error", "kind", "cure"),
    [
        (NO_MEMORY, CameraMemoryError, "not enough memory .*: .*cma-384"),
        (NO_RIGHT, CameraMemoryError, "no right .*: sudo usermod -aG video"),
        (AttributeError("'NoneType' has no 'x'"), CameraError, "does not start .*: .*full-upgrade"),
        (RuntimeError("Configuration failed"), CameraError, "does not start .*: .*ribbon"),
    ],
    ids=["memory", "right", "attribute", "ribbon"],
)
def test_whatever_fails_while_starting_is_said_and_leaves_no_camera_behind(
    call: str, error: Exception, kind: type[CameraError], cure: str
) -> None:
    rig = Rig()
    camera = camera_on(rig)
    calls = getattr(rig.camera, call)
    works, calls.side_effect = calls.side_effect, error
    for tried in (1, 2):
        with pytest.raises(kind, match=cure):
            camera.glance()
        assert rig.camera.close.call_count == tried
    calls.side_effect = works
    assert settled(camera).grey.shape == (240, 320), "it is taken when it can be had"


def test_without_a_right_to_its_memory_the_camera_is_not_even_opened() -> None:
    rig = Rig()
    rig.allocator.side_effect = NO_RIGHT
    with pytest.raises(CameraMemoryError, match="no right"):
        camera_on(rig).glance()
    assert not rig.cls.called, "picamera2 would not let go of the camera any more"
    rig.allocator.side_effect = None
    settled(camera_on(rig))
    assert rig.cls.call_args.kwargs == {"allocator": rig.allocator.return_value}


def test_an_error_inside_the_library_is_said_whatever_it_is() -> None:
    rig = Rig()
    broken = RuntimeError("Camera __init__ sequence did not complete.")
    broken.__cause__ = AttributeError("module 'libcamera' has no attribute 'x'")
    rig.cls.side_effect = broken
    with pytest.raises(CameraError, match=r"has no attribute.*full-upgrade"):
        camera_on(rig).glance()


def test_a_camera_in_use_is_said() -> None:
    rig = Rig()
    busy = RuntimeError("Camera __init__ sequence did not complete.")
    busy.__cause__ = RuntimeError("Failed to acquire camera: Device or resource busy")
    rig.cls.side_effect = busy
    camera = camera_on(rig)
    with pytest.raises(CameraBusyError, match="in use by another program"):
        camera.glance()
    rig.cls.side_effect = None
    assert settled(camera).grey.shape == (240, 320), "it is taken when it is free"


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
    settled(camera)
    rig.fails = [TimeoutError()]
    with pytest.raises(CameraError, match="stopped sending"):
        camera.glance()
    assert settled(camera).grey.shape == (240, 320)
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


@pytest.mark.parametrize(
    ("model", "sensor_wh", "picture_wh"),
    [
        ("imx708", (2304, 1296), (2304, 1296)),
        ("imx219", (3280, 2464), (2464, 1848)),
        ("imx477", (2028, 1520), (2028, 1520)),
        ("ov5647", (2592, 1944), (2592, 1944)),
        ("imx999", (4608, 2592), (2592, 1458)),
    ],
)
def test_the_real_library_takes_the_configuration_as_it_is(
    model: str, sensor_wh: tuple[int, int], picture_wh: tuple[int, int]
) -> None:
    bare = bare_camera(FIXED_LENS)
    mode = mode_for(model, (4608, 2592))
    made = bare.create_video_configuration(**configuration_of(mode, FIXED_LENS))
    bare.check_camera_config(made)
    controls = real_classes().controls(bare, controls=made["controls"])
    assert controls.make_dict()["FrameDurationLimits"] == (33_333, 200_000)
    ours = {name: made[name] for name in ("raw", "queue", "buffer_count", "display", "encode")}
    assert ours == {"raw": None, "queue": False, "buffer_count": 4, "display": None, "encode": None}
    assert made["sensor"] == {"output_size": sensor_wh}
    assert made["main"] == {"size": picture_wh, "format": "RGB888", "preserve_ar": True}
    assert made["lores"] == {"size": (320, 240), "format": "YUV420", "preserve_ar": False}


def test_an_unknown_module_is_run_at_the_size_of_its_sensor() -> None:
    rig = Rig(model="imx999")
    camera = camera_on(rig)
    settled(camera)
    assert rig.configured["sensor"] == {"output_size": (4608, 2592)}
    assert rig.configured["main"]["size"] == (2592, 1458)
    assert camera.picture().shape == (1458, 2592, 3)


def test_an_unknown_control_is_caught() -> None:
    rig = Rig(known={name: MOVING_LENS[name] for name in ("AeEnable", "AwbEnable", "AfMode")})
    with pytest.raises(RuntimeError, match="LensPosition is not advertised"):
        settled(camera_on(rig))


def test_frames_keep_their_pixels() -> None:
    rig = Rig()
    glance = settled(camera_on(rig))
    assert np.array_equal(glance.grey, rig.yuv[:240, :320])
