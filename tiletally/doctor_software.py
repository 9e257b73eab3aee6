"""Python, its packages and the model file."""

from __future__ import annotations

import importlib
import platform
import sys

from tiletally.doctor_findings import Finding, Surroundings, fault, fine

LEAST_PYTHON = (3, 11)
LEAST_OPENCV = (4, 10)
PACKAGES = {
    "numpy": "python3-numpy",
    "cv2": "python3-opencv",
    "flask": "python3-flask",
    "waitress": "python3-waitress",
    "segno": "python3-segno",
}
"""What the program imports, and the Debian package that brings it."""


def check_python(where: Surroundings) -> list[Finding]:
    """Whether Python is new enough."""
    return [judge_python(tuple(sys.version_info[:2]))]


def judge_python(version: tuple[int, ...]) -> Finding:
    """Judge a version of Python."""
    if version < LEAST_PYTHON:
        return fault(
            "python",
            "python_old",
            f"Python {'.'.join(map(str, version))} is too old, 3.11 is needed",
            "install Raspberry Pi OS Bookworm or Trixie",
        )
    return fine("python", f"Python {platform.python_version()}")


def check_packages(where: Surroundings) -> list[Finding]:
    """Whether all packages are there, fit together and are new enough."""
    found = [_check_package(name, debian) for name, debian in PACKAGES.items()]
    faults = [each for each in found if each is not None]
    return faults or [_check_opencv()]


def _check_package(name: str, debian: str) -> Finding | None:
    cure = f"run the installer again, or: sudo apt install --reinstall {debian}"
    try:
        importlib.import_module(name)
    except ModuleNotFoundError as error:
        missing = error.name or name
        return fault("packages", "package_missing", f"the package {missing} is missing", cure)
    except (ImportError, ValueError, AttributeError) as error:
        reason = " ".join(str(error).split())[:100]
        code = "numpy_clash" if "numpy" in reason else "package_broken"
        return fault("packages", code, f"{name} cannot be loaded: {reason}", cure)
    return None


def _check_opencv() -> Finding:
    import cv2

    version = tuple(int(part) for part in cv2.__version__.split(".")[:2])
    if version < LEAST_OPENCV:
        return fault(
            "packages",
            "opencv_old",
            f"OpenCV {cv2.__version__} is too old, 4.10 is needed",
            "run the installer again",
        )
    return fine("packages", f"all there, OpenCV {cv2.__version__}")


def check_model(where: Surroundings) -> list[Finding]:
    """Whether the file with which tiles are recognised is whole."""
    try:
        from vision.model import ModelError, load
    except (ImportError, ValueError, AttributeError):
        return []  # said by the packages
    try:
        load()
    except ModelError as error:
        code = "model_missing" if "missing" in str(error) else "model_damaged"
        return [fault("model", code, str(error).partition(":")[0], "install tiletally again")]
    return [fine("model", "whole")]
