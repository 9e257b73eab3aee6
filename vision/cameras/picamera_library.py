"""The Raspberry Pi camera's library, loaded only when it is asked for, and its failures in words.

`picamera2` and `libcamera` come with Raspberry Pi OS and belong to the system's own Python; they
cannot be listed as dependencies. Whatever is wrong with them is said with its cure.
"""

from __future__ import annotations

import errno
import logging
import sys
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from vision.cameras.base import CameraError

logger = logging.getLogger(__name__)

BOARD = Path("/proc/device-tree/model")
INSTALL = "sudo apt install python3-picamera2 --no-install-recommends"


class NoLibraryError(CameraError):
    """The library of the Raspberry Pi camera is broken, or missing as on any other computer."""

    def __init__(self, sentence: str, is_missing: bool = False) -> None:
        """Say what is wrong and how to mend it."""
        super().__init__(sentence)
        self.is_missing = is_missing


class NumpyClashError(NoLibraryError):
    """The library was built for another numpy than the one that is loaded."""


class NoPiCameraError(CameraError):
    """The library works, but no camera module answers."""


class CameraBusyError(CameraError):
    """Another program has the camera."""


class LooseRibbonError(CameraError):
    """The camera module answers, but its pictures do not come through."""


class CameraMemoryError(CameraError):
    """There is no memory for the camera's pictures, or no right to it."""


@dataclass(frozen=True, slots=True)
class Library:
    """What the adapter uses: two classes of picamera2, and `libcamera.controls`."""

    picamera2: Any
    allocator: Any
    controls: Any


def load_library() -> Library:
    """Import picamera2.

    Raises:
        NoLibraryError: It is missing or broken; the message has the cure.
    """
    try:
        from libcamera import controls
        from picamera2 import Picamera2
        from picamera2.allocators import DmaAllocator
    except (ImportError, ValueError, AttributeError) as error:
        raise import_error(error) from error
    return Library(Picamera2, DmaAllocator, controls)


def modules_of(library: Library) -> list[dict[str, Any]]:
    """The camera modules that are plugged in, in the order of their numbers.

    libcamera knows USB cameras too; picamera2 counts them after all modules.
    """
    found = library.picamera2.global_camera_info()
    return [each for each in found if "/usb" not in each.get("Id", "")]


def has_pi_camera(loader: Callable[[], Library] = load_library) -> bool:
    """Whether a camera module is there and its library works."""
    try:
        return bool(modules_of(loader()))
    except (NoLibraryError, RuntimeError, OSError):
        return False


def library_problem(loader: Callable[[], Library] = load_library, board: Path = BOARD) -> str:
    """What is wrong with the library, or nothing; only a Raspberry Pi has to have it."""
    try:
        loader()
    except NoLibraryError as error:
        return "" if error.is_missing and not _is_raspberry_pi(board) else str(error)
    return ""


def _is_raspberry_pi(board: Path) -> bool:
    try:
        return "Raspberry Pi" in board.read_text(encoding="utf-8")
    except OSError:
        return False


def import_error(error: Exception) -> NoLibraryError:
    """What is wrong with an import of picamera2 that failed so, and how to mend it."""
    text = str(error)
    if "numpy" in text or "_ARRAY_API" in text:
        return NumpyClashError(
            "picamera2 does not fit the numpy of this environment:"
            " run the installer again, or pip install 'simplejpeg>=1.8.2' into it"
        )
    if isinstance(error, ModuleNotFoundError):
        return NoLibraryError(_missing(error.name or "picamera2"), is_missing=True)
    if isinstance(error, AttributeError):
        return NoLibraryError(
            "picamera2 and libcamera are of different releases:"
            " sudo apt full-upgrade, and remove a picamera2 installed by pip"
        )
    return NoLibraryError(f"picamera2 cannot be loaded ({_one_line(text)}): {INSTALL} --reinstall")


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
    """What the people at the table should know when the camera could not be opened or started."""
    chain = _chain(error)
    causes = [str(each) for each in chain]
    if any("busy" in each.lower() or "acquire" in each.lower() for each in causes):
        return CameraBusyError(
            "the camera is in use by another program: close it (rpicam-hello, a second"
            " tiletally, motion), or start the Raspberry Pi again"
        )
    if any("No camera number" in each or "not found" in each for each in causes):
        return no_camera()
    for number in (each.errno for each in chain if isinstance(each, OSError)):
        if number in MEMORY_CURES:
            return CameraMemoryError(MEMORY_CURES[number])
    logger.warning("the camera could not be opened", exc_info=error)
    cure = SEAT_THE_RIBBON if isinstance(chain[-1], RuntimeError) else START_AGAIN
    return CameraError(f"the camera does not start ({_one_line(causes[-1])}): {cure}")


START_AGAIN = "start the Raspberry Pi again; if that does not help, sudo apt full-upgrade"
_NO_RIGHT = (
    "this user has no right to the camera's memory (/dev/dma_heap):"
    " sudo usermod -aG video $USER, then log in again"
)
MEMORY_CURES = {
    errno.ENOMEM: (
        "there is not enough memory for the camera's pictures: start the Raspberry Pi again; if"
        " that does not help, write dtoverlay=vc4-kms-v3d,cma-384 in place of"
        " dtoverlay=vc4-kms-v3d into /boot/firmware/config.txt"
    ),
    errno.EACCES: _NO_RIGHT,
    errno.EPERM: _NO_RIGHT,
}
"""picamera2 asks for contiguous memory (CMA), which the screen uses as well."""


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
