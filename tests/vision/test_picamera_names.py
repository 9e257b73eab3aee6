"""Every name of picamera2 and libcamera that the adapter uses, misspelt once in every place."""

from __future__ import annotations

import ast
import copy
import inspect
import re
import sys
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from types import ModuleType
from unittest import mock

import pytest

from tests.vision.raspberry import MODULE, RESTING, USB, FakeRequest, Rig, real_classes
from vision.cameras import picamera
from vision.cameras.base import CameraError

FOLDER = Path(picamera.__file__).parent
MODULES = ("picamera_library", "picamera_light", "picamera_modes", "picamera_focus", "picamera")
"""The adapter, each module after those that it imports."""
TREES = {name: ast.parse((FOLDER / f"{name}.py").read_text(encoding="utf-8")) for name in MODULES}

THEIRS = {
    *("camera", "_camera", "library", "picamera2", "request", "_request"),
    *("controls", "_controls", "AfModeEnum"),
}
"""What the adapter calls the objects of picamera2 and libcamera."""
OURS = {
    *("numpy", "_ARRAY_API", "busy", "acquire", "utf-8", "dist-packages", "picamera2"),
    *("imx708", "imx477", "imx219", "ov5647", "camera", "_wide", "_"),
}
"""Texts in the adapter that are no names of theirs."""
NAME = re.compile(r"[/A-Za-z_][A-Za-z0-9_-]*")

Place = tuple[str, int, str]
"""A module of the adapter, which of its nodes, and the name that stands there."""


def owner_of(node: ast.expr) -> str:
    return node.attr if isinstance(node, ast.Attribute) else getattr(node, "id", "")


def name_in(node: ast.AST) -> str:
    """The name of theirs that a node holds, or nothing."""
    if isinstance(node, ast.Attribute) and owner_of(node.value) in THEIRS:
        return node.attr
    if isinstance(node, ast.Constant) and isinstance(node.value, str):
        return node.value if NAME.fullmatch(node.value) and node.value not in OURS else ""
    if isinstance(node, ast.ImportFrom) and re.match("libcamera|picamera2", node.module or ""):
        return node.module or ""
    return ""


def names_in(tree: ast.AST) -> Iterator[tuple[int, str]]:
    for number, node in enumerate(ast.walk(tree)):
        if name := name_in(node):
            yield number, name
        if isinstance(node, ast.ImportFrom) and name:
            yield from ((-number, alias.name) for alias in node.names)
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute):
            is_theirs = owner_of(node.func.value) in THEIRS
            keywords = [each.arg for each in node.keywords if each.arg and is_theirs]
            yield from ((number, f"{keyword}=") for keyword in keywords)


PLACES = [(module, *each) for module, tree in TREES.items() for each in names_in(tree)]


def misspelt(place: Place) -> ast.Module:
    module, number, name = place
    tree = copy.deepcopy(TREES[module])
    node = list(ast.walk(tree))[abs(number)]
    if isinstance(node, ast.Attribute):
        node.attr += "x"
    elif isinstance(node, ast.Constant):
        node.value = f"{name}x"
    elif isinstance(node, ast.ImportFrom) and number > 0:
        node.module = f"{name}x"
    elif isinstance(node, ast.ImportFrom):
        alias = next(each for each in node.names if each.name == name)
        alias.name, alias.asname = f"{name}x", name
    elif isinstance(node, ast.Call):
        next(each for each in node.keywords if each.arg == name[:-1]).arg = f"{name[:-1]}x"
    return tree


@contextmanager
def adapter_of(trees: dict[str, ast.Module]) -> Iterator[dict[str, ModuleType]]:
    """The modules of the adapter made from their sources."""
    made: dict[str, ModuleType] = {}
    with mock.patch.dict(sys.modules):
        for name, tree in trees.items():
            full = f"vision.cameras.{name}"
            made[name] = sys.modules[full] = ModuleType(full)
            source = compile(ast.fix_missing_locations(tree), f"{name}.py", "exec")
            exec(source, vars(made[name]))
        yield made


def live_through_everything(modules: dict[str, ModuleType]) -> None:
    """Open, settle, focus, look, lose the camera, find it again, close; then an unknown module."""
    in_threads: list[BaseException | None] = []
    vars(modules["picamera_light"])["LEAST_FRAMES"] = 16  # settling takes most of the time
    with mock.patch.object(threading, "excepthook", lambda args: in_threads.append(args.exc_value)):
        with_module_3(modules)
        with_an_unknown_module(modules)
        each_level_has_to_rest(modules["picamera_light"])
    for error in in_threads:
        assert error is not None
        raise error


def first_glance(modules: dict[str, ModuleType], camera: picamera.PiCamera) -> None:
    for _ in range(modules["picamera_light"].MOST_FRAMES + 1):
        if camera.glance() is not None:
            return
    raise AssertionError("the light never settled")


def camera_on(modules: dict[str, ModuleType], rig: Rig) -> picamera.PiCamera:
    load = modules["picamera_library"].load_library
    made: picamera.PiCamera = modules["picamera"].PiCamera(
        loader=lambda: rig.library(load), clock=rig.clock, sleep=lambda _: None
    )
    return made


def with_module_3(modules: dict[str, ModuleType]) -> None:
    rig = Rig()
    camera = camera_on(modules, rig)
    first_glance(modules, camera)
    assert camera.name == "Camera Module 3"
    assert camera.picture().shape == (1296, 2304, 3)
    assert rig.controls_set == [
        {"AeEnable": True, "AwbEnable": True, "FrameDurationLimits": (33_333, 200_000)},
        {name: RESTING[name] for name in ("ExposureTime", "AnalogueGain", "ColourGains")},
        {"AfMode": "manual", "LensPosition": 1.4},
        {"FrameDurationLimits": (100_000, 200_000)},
    ]
    assert rig.configured["controls"]["FrameDurationLimits"] == (33_333, 200_000)
    rig.fails = [TimeoutError()]
    with pytest.raises(CameraError, match="stopped sending"):
        camera.glance()
    first_glance(modules, camera)
    camera.close()
    assert rig.camera.close.call_count == 2


def with_an_unknown_module(modules: dict[str, ModuleType]) -> None:
    rig = Rig(model="imx999")
    load = modules["picamera_library"].load_library
    camera = camera_on(modules, rig)
    rig.camera.autofocus_cycle.side_effect = [TimeoutError()]
    first_glance(modules, camera)
    assert rig.camera.cancel_all_and_flush.called
    assert camera.name == "imx999"
    assert rig.configured["sensor"] == {"output_size": (4608, 2592)}
    found = modules["picamera_library"].has_pi_camera
    assert found(lambda: rig.library(load))
    rig.cls.global_camera_info.return_value = [{"Num": 0, "Id": USB}]
    assert not found(lambda: rig.library(load))
    rig.cls.global_camera_info.return_value.append({"Num": 1, "Id": MODULE})
    assert found(lambda: rig.library(load))


def each_level_has_to_rest(light: ModuleType) -> None:
    for name in ("ExposureTime", "AnalogueGain", "ColourGains"):
        settling = light.Settling()
        for frame in range(light.LEAST_FRAMES + 5):
            grown = 1.05**frame
            level = (grown, 1.0) if name == "ColourGains" else grown
            assert not settling.is_settled({**RESTING, name: level}), f"{name} still moves"


def test_the_right_names_live_through_everything() -> None:
    with adapter_of(TREES) as modules:
        live_through_everything(modules)


def test_the_names_are_those_of_the_library() -> None:
    assert {
        *("libcamera", "picamera2", "picamera2.allocators"),
        *("Picamera2", "DmaAllocator", "controls", "allocator="),
        *("global_camera_info", "Id", "/usb", "Model"),
        *("create_video_configuration", "configure", "start", "close", "cancel_all_and_flush"),
        *("main", "lores", "raw", "sensor", "size", "format", "output_size", "RGB888", "YUV420"),
        *("buffer_count", "queue", "display", "encode"),
        *("camera_controls", "set_controls", "FrameDurationLimits", "AeEnable", "AwbEnable"),
        *("ExposureTime", "AnalogueGain", "ColourGains"),
        *("camera_properties", "PixelArraySize"),
        *("capture_request", "flush=", "wait=", "capture_metadata"),
        *("get_metadata", "make_array", "release"),
        *("autofocus_cycle", "AfMode", "AfModeEnum", "Manual", "LensPosition"),
    } <= {name for _, _, name in PLACES}


@pytest.mark.parametrize("place", PLACES, ids=lambda place: f"{place[0]}-{place[2]}-{place[1]}")
def test_a_misspelt_name_is_caught(place: Place) -> None:
    trees = {**TREES, place[0]: misspelt(place)}
    caught = (AssertionError, AttributeError, CameraError, ImportError, LookupError, RuntimeError)
    with pytest.raises((*caught, TypeError)), adapter_of(trees) as modules:
        live_through_everything(modules)


def test_the_fake_request_has_only_what_a_real_one_has() -> None:
    for name in ("make_array", "get_metadata", "release"):
        pair = (FakeRequest, real_classes().request)
        ours, theirs = (inspect.signature(getattr(each, name)) for each in pair)
        assert list(ours.parameters) == list(theirs.parameters)
