"""One picture from a camera that was just opened."""

from __future__ import annotations

import time

from vision.cameras.base import Camera, CameraError, Frame

PATIENCE_S = 30.0
"""A camera module takes up to 10 s to settle light in the evening, and up to 15 s to focus."""


def settled_picture(camera: Camera, more_glances: int = 0) -> Frame:
    """The full picture once the camera has got used to the light, and some frames later.

    Raises:
        CameraError: There is none.
    """
    ends_s = time.monotonic() + PATIENCE_S
    while camera.glance() is None:
        if time.monotonic() > ends_s:
            raise CameraError("the camera shows no picture")
    for _ in range(more_glances):
        camera.glance()
    return camera.picture()
