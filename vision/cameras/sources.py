"""From the word after `--camera` to a camera."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

from vision.cameras.base import Camera, CameraError
from vision.cameras.capture import UsbCamera, VideoCamera
from vision.cameras.demo import DemoTable
from vision.cameras.folder import FolderCamera
from vision.cameras.phone import PhoneCamera
from vision.cameras.picamera import PiCamera, has_pi_camera

KINDS = ("demo", "picamera", "usb", "folder", "video", "phone")
MOST_USB = 4
"""How many camera numbers are tried when none was named."""


class SourceError(ValueError):
    """The word for the camera makes no sense; the message says what would."""


@dataclass(frozen=True, slots=True)
class Source:
    """A kind of camera and what follows the colon."""

    kind: str
    detail: str = ""

    def __str__(self) -> str:
        return f"{self.kind}:{self.detail}" if self.detail else self.kind


def parse_source(text: str) -> Source:
    """Understand `demo`, `demo:SEED`, `usb`, `usb:N`, `folder:DIR`, `video:FILE`, `phone`, …

    Raises:
        SourceError: There is no such kind, or what belongs after the colon is missing or wrong.
    """
    kind, _, detail = text.partition(":")
    if kind not in KINDS:
        raise SourceError(f"there is no camera {text!r}: use one of {', '.join(KINDS)}")
    if kind in ("folder", "video") and not detail:
        raise SourceError(f"{kind} needs a place: {kind}:PATH")
    if kind in ("demo", "picamera", "usb") and detail and not detail.isdecimal():
        raise SourceError(f"{kind}:{detail} is not a number")
    return Source(kind, detail)


def open_camera(source: Source, speed: float = 1.0) -> Camera:
    """The camera of a source; `speed` is that of the simulated table.

    Raises:
        SourceError: The program does not have this kind of camera here.
    """
    makers: dict[str, Callable[[], Camera]] = {
        "demo": lambda: DemoTable(int(source.detail or 1), speed),
        "picamera": lambda: PiCamera(int(source.detail or 0)),
        "usb": lambda: UsbCamera(int(source.detail or 0)),
        "folder": lambda: FolderCamera(Path(source.detail)),
        "video": lambda: VideoCamera(Path(source.detail), is_real_time=True),
        "phone": PhoneCamera,
    }
    if source.kind not in makers:
        raise SourceError(f"this version cannot use the camera {source.kind}")
    return makers[source.kind]()


def find_source() -> Source:
    """The best camera that is there: a camera module, a USB camera that sends pictures, or demo."""
    if has_pi_camera():
        return Source("picamera")
    for index in range(MOST_USB):
        camera = UsbCamera(index, sleep=lambda _: None)
        try:
            camera.glance()
        except CameraError:
            continue
        finally:
            camera.close()
        return Source("usb", str(index))
    return Source("demo")
