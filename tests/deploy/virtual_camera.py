"""Our camera adapter on the real picamera2 and libcamera's virtual camera; see `test-picamera`.

The virtual camera offers one format and no raw modes, so those two differences to a camera module
are evened out here, outside of the adapter.
"""

from __future__ import annotations

import sys
import time
from pathlib import Path
from typing import Any

import cv2
import libcamera
import numpy as np
from picamera2 import Picamera2
from picamera2.allocators import DmaAllocator, LibcameraAllocator
from picamera2.request import CompletedRequest

from vision.cameras.base import CameraError, Glance
from vision.cameras.picamera import PiCamera
from vision.cameras.picamera_library import CameraBusyError, Library, NoPiCameraError
from vision.cameras.picamera_light import MOST_FRAMES

PICTURE_WH = (1920, 1080)
Untyped = Any
"""What picamera2 leaves without a type."""


class VirtualPicamera2(Picamera2):  # type: ignore[misc]  # it comes without types
    """The real class on a camera that knows only NV12 and has no raw modes."""

    def __init__(self, camera_num: int = 0, allocator: Untyped = None) -> None:
        super().__init__(camera_num, allocator=allocator)
        self.allocator = LibcameraAllocator(self.camera)

    def _get_raw_modes(self) -> list[dict[str, Any]]:
        made = self.camera.generate_configuration([libcamera.StreamRole.VideoRecording])
        return [{"format": str(made.at(0).pixel_format), "size": PICTURE_WH}]

    def create_video_configuration(self, **wanted: Untyped) -> dict[str, Any]:
        if "main" in wanted:  # not when the class makes its own at first
            wanted["main"] = {"size": PICTURE_WH, "format": "NV12"}
            wanted["lores"] = {**wanted["lores"], "format": "NV12"}
        return dict(super().create_video_configuration(**wanted))

    def capture_request(
        self, wait: Untyped = None, signal_function: Untyped = None, flush: Untyped = None
    ) -> Untyped:
        # Flushing asks for the exposure time, which a virtual camera does not have.
        return super().capture_request(wait=wait, signal_function=signal_function)


_make_array = CompletedRequest.make_array


def make_array(self: Untyped, name: str) -> Untyped:
    """NV12 as picamera2 would hand out RGB888, and the light stream as it is."""
    array = _make_array(self, name)
    if name == "main":
        return cv2.cvtColor(np.ascontiguousarray(array[:, : PICTURE_WH[0]]), cv2.COLOR_YUV2BGR_NV12)
    return array


def say(sentence: str) -> None:
    sys.stdout.write(f"{sentence}\n")
    sys.stdout.flush()


def opened(index: int = 0) -> PiCamera:
    library = Library(VirtualPicamera2, DmaAllocator, libcamera.controls)
    return PiCamera(index, loader=lambda: library, sleep=lambda _: None)


def first_glance(camera: PiCamera) -> Glance:
    for _ in range(MOST_FRAMES + 1):
        glance = camera.glance()
        if glance is not None:
            return glance
    raise AssertionError("the light never settled")


def frames_flow() -> None:
    camera = opened()
    glance = first_glance(camera)
    picture = camera.picture()
    assert glance.grey.shape == (240, 320)
    assert picture.shape == (1080, 1920, 3)
    small = cv2.resize(cv2.cvtColor(picture, cv2.COLOR_BGR2GRAY), (320, 240))
    likeness = np.corrcoef(small.ravel(), glance.grey.ravel())[0, 1]
    assert likeness > 0.9, f"glance and picture differ: {likeness:.2f}"
    seen = {int(first_glance(camera).grey.astype(int).sum()) for _ in range(40)}
    assert len(seen) > 1, "always the same frame"
    camera.close()
    say(f"frames flow, glance and picture alike ({likeness:.3f}), {len(seen)} different")


def tiles_are_read() -> None:
    from vision.reader import Reader

    camera = opened()
    first_glance(camera)
    reading = Reader("classic", None).read(camera.picture())
    camera.close()
    assert reading.tiles, "no tile was read from the virtual camera's picture"
    say(f"{len(reading.tiles)} tiles read through libcamera")


def a_busy_camera_is_said() -> None:
    first, second = opened(), opened()
    first_glance(first)
    try:
        second.glance()
    except CameraBusyError as error:
        say(f"in use: {error}")
    else:
        raise AssertionError("the camera was opened twice")
    first_glance(first)
    first.close()


def a_missing_camera_is_said() -> None:
    try:
        opened(7).glance()
    except NoPiCameraError as error:
        say(f"missing: {str(error)[:60]}…")
    else:
        raise AssertionError("a camera that is not there was opened")


def a_lost_camera_comes_back() -> None:
    camera = opened()
    first_glance(camera)
    camera._camera.stop()  # frames end, as with a pulled ribbon
    try:
        camera.glance()
    except CameraError as error:
        say(f"lost: {error}")
    else:
        raise AssertionError("the loss went unnoticed")
    assert not camera.is_stuck
    first_glance(camera)
    camera.close()
    say("found again")


def no_file_is_leaked() -> None:
    counts = []
    for _ in range(3):
        camera = opened()
        first_glance(camera)
        camera.close()
        counts.append(len(list(Path("/proc/self/fd").iterdir())))
    assert counts[2] <= counts[1], f"open files grow: {counts}"
    say(f"no file is leaked ({counts})")


def main() -> None:
    CompletedRequest.make_array = make_array
    started = time.monotonic()
    frames_flow()
    tiles_are_read()
    a_busy_camera_is_said()
    a_missing_camera_is_said()
    a_lost_camera_comes_back()
    no_file_is_leaked()
    say(f"all passed in {time.monotonic() - started:.1f} s")


if __name__ == "__main__":
    main()
