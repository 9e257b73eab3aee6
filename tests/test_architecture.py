"""Imports between the packages point one way, and each package uses only its own tools."""

from __future__ import annotations

import ast
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

ROOT = Path(__file__).parent.parent

# What each package may import of ours, besides itself.
OURS = {
    "scorer": set(),
    "vision": {"scorer"},
    "calibration": {"scorer", "vision"},
    "models": {"scorer", "vision", "calibration"},
    "webui": {"scorer"},
    "tiletally": {"scorer", "vision", "calibration", "models", "webui"},
}

# What each package may import from outside the standard library.
OTHERS = {
    "scorer": set(),
    "vision": {"cv2", "numpy"},
    "calibration": {"cv2", "numpy"},
    "models": {"cv2", "numpy", "onnx", "sklearn", "torch"},
    "webui": {"flask", "segno", "werkzeug"},
    "tiletally": {"cv2", "numpy", "segno", "waitress"},
}

# Only the camera adapters know the Raspberry Pi's camera.
CAMERAS = "vision/cameras/"
CAMERA_MODULES = {"libcamera", "picamera2"}


def imported_names(source: str) -> Iterator[tuple[int, str]]:
    """Yield line and top-level name of every import, wherever in the module it stands."""
    for node in ast.walk(ast.parse(source)):
        if isinstance(node, ast.Import):
            yield from ((node.lineno, alias.name.split(".")[0]) for alias in node.names)
        elif isinstance(node, ast.ImportFrom) and node.level == 0 and node.module:
            yield node.lineno, node.module.split(".")[0]


def wrong_imports(path: str, source: str) -> list[str]:
    """Return one complaint for each import that the module at `path` must not have."""
    package = path.split("/")[0]
    allowed = {package} | OURS[package] | OTHERS[package] | set(sys.stdlib_module_names)
    if path.startswith(CAMERAS):
        allowed |= CAMERA_MODULES
    return [
        f"{path}:{line} imports {name}"
        for line, name in imported_names(source)
        if name not in allowed
    ]


def modules() -> list[str]:
    return sorted(
        str(path.relative_to(ROOT)) for package in OURS for path in (ROOT / package).rglob("*.py")
    )


@pytest.mark.parametrize("path", modules())
def test_imports_point_the_right_way(path: str) -> None:
    assert wrong_imports(path, (ROOT / path).read_text(encoding="utf-8")) == []


def test_every_package_of_the_wheel_has_its_rule() -> None:
    packages = {path.parent.name for path in ROOT.glob("*/__init__.py")} - {"tests"}
    assert packages == set(OURS) == set(OTHERS)


@pytest.mark.parametrize(
    ("path", "source", "complaint"),
    [
        ("scorer/game.py", "import numpy", "scorer/game.py:1 imports numpy"),
        ("scorer/game.py", "from vision.reading import Reading", "imports vision"),
        ("scorer/game.py", "def f():\n    import flask", "scorer/game.py:2 imports flask"),
        ("vision/reader.py", "import webui.events as e", "imports webui"),
        ("vision/reader.py", "from picamera2 import Picamera2", "imports picamera2"),
        ("vision/reader.py", "import torch", "imports torch"),
        ("calibration/lens.py", "from models import train", "imports models"),
        ("models/train.py", "from tiletally import cli", "imports tiletally"),
        ("webui/views.py", "from vision import reading", "imports vision"),
        ("webui/views.py", "import cv2", "imports cv2"),
        ("tiletally/serve.py", "import torch", "imports torch"),
    ],
)
def test_a_wrong_import_is_found(path: str, source: str, complaint: str) -> None:
    found = wrong_imports(path, source)
    assert len(found) == 1
    assert complaint in found[0]


@pytest.mark.parametrize(
    ("path", "source"),
    [
        ("scorer/game.py", ""),
        ("scorer/game.py", "import sqlite3\nfrom . import board\nfrom scorer.tiles import Tile"),
        ("vision/cameras/picamera.py", "def f():\n    from picamera2 import Picamera2"),
        ("models/train.py", "import sklearn.svm"),
    ],
)
def test_a_right_import_passes(path: str, source: str) -> None:
    assert wrong_imports(path, source) == []
