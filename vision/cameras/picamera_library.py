"""The Raspberry Pi camera's library, loaded only when it is asked for, and its failures in words.

`picamera2` and `libcamera` come with Raspberry Pi OS and belong to the system's own Python; they
cannot be listed as dependencies. Whatever is wrong with them is said with its cure.
"""

from __future__ import annotations

import sys
from dataclasses import dataclass
from typing import Any

from vision.cameras.base import CameraError

INSTALL = "sudo apt install python3-picamera2 --no-install-recommends"


class NoLibraryError(CameraError):
    """The library of the Raspberry Pi camera is missing or broken."""


class NumpyClashError(NoLibraryError):
    """The library was built for another numpy than the one that is loaded."""


class NoPiCameraError(CameraError):
    """The library works, but no camera module answers."""


class CameraBusyError(CameraError):
    """Another program has the camera."""


class LooseRibbonError(CameraError):
    """The camera module answers, but its pictures do not come through."""


@dataclass(frozen=True, slots=True)
class Library:
    """What the adapter uses of the library: the class `Picamera2` and `libcamera.controls`."""

    picamera2: Any
    controls: Any


def load_library() -> Library:
    """Import picamera2.

    Raises:
        NoLibraryError: It is missing or broken; the message has the cure.
    """
    try:
        from libcamera import controls
        from picamera2 import Picamera2
    except (ImportError, ValueError, AttributeError) as error:
        raise import_error(error) from error
    return Library(Picamera2, controls)


def import_error(error: Exception) -> NoLibraryError:
    """What is wrong with an import of picamera2 that failed so, and how to mend it."""
    text = str(error)
    if "numpy" in text or "_ARRAY_API" in text:
        return NumpyClashError(
            "picamera2 does not fit the numpy of this environment:"
            " run the installer again, or pip install 'simplejpeg>=1.8.2' into it"
        )
    return NoLibraryError(_import_cure(error, text))


def _import_cure(error: Exception, text: str) -> str:
    if isinstance(error, ModuleNotFoundError):
        return _missing(error.name or "picamera2")
    if isinstance(error, AttributeError):
        return (
            "picamera2 and libcamera are of different releases:"
            " sudo apt full-upgrade, and remove a picamera2 installed by pip"
        )
    return f"picamera2 cannot be loaded ({_one_line(text)}): {INSTALL} --reinstall"


def _missing(module: str) -> str:
    if _is_closed_environment():
        return (
            f"this Python environment cannot see the system's {module}: make it with"
            f" python3 -m venv --system-site-packages, after {INSTALL}"
        )
    return f"the camera's library is not installed ({module} is missing): {INSTALL}"


def _is_closed_environment() -> bool:
    """Whether Python runs in an environment that does not see the system's packages."""
    return sys.prefix != sys.base_prefix and not any("dist-packages" in each for each in sys.path)


def opening_error(error: Exception) -> CameraError:
    """What the people at the table should know when `Picamera2(n)` failed so."""
    causes = [str(each) for each in _chain(error)]
    if any("busy" in each.lower() or "acquire" in each.lower() for each in causes):
        return CameraBusyError(
            "the camera is in use by another program: close it (rpicam-hello, a second"
            " tiletally, motion), or start the Raspberry Pi again"
        )
    if any("No camera number" in each or "not found" in each for each in causes):
        return no_camera()
    return CameraError(f"the camera does not start ({_one_line(causes[-1])}): {SEAT_THE_RIBBON}")


def no_camera() -> NoPiCameraError:
    """No camera module answers."""
    return NoPiCameraError(f"no camera module was found: {SEAT_THE_RIBBON}")


SEAT_THE_RIBBON = (
    "switch the Raspberry Pi off, take the ribbon out and push it fully in at both ends"
    " (its contacts toward the contacts of the socket), close the latches, switch on again"
)


def no_first_picture() -> LooseRibbonError:
    """The camera module answers, but pictures do not come through."""
    return LooseRibbonError(
        "the camera answers but sends no pictures, so its ribbon is not seated well:"
        f" {SEAT_THE_RIBBON}"
    )


def _chain(error: BaseException) -> list[BaseException]:
    found: list[BaseException] = []
    current: BaseException | None = error
    while current is not None and current not in found:
        found.append(current)
        current = current.__cause__ or current.__context__
    return found


def _one_line(text: str) -> str:
    return " ".join(text.split())[:120]
