"""From a source to its camera."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

from vision.cameras.base import Camera, CameraError
from vision.cameras.capture import UsbCamera, VideoCamera
from vision.cameras.demo import DemoTable
from vision.cameras.folder import FolderCamera
from vision.cameras.phone import PhoneCamera
from vision.cameras.picamera import PiCamera
from vision.cameras.picamera_library import has_pi_camera
from vision.cameras.source_name import Source, SourceError, parse_source

__all__ = ["Source", "SourceError", "find_source", "open_camera", "parse_source"]

MOST_USB = 4
"""How many camera numbers are tried when none was named."""


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


def find_source() -> Source | None:
    """The best camera that is there: a camera module, a USB camera that sends pictures, or none."""
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
    return None
