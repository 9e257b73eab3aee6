"""A webcam's driver that does what a file says: pictures, garbage, errors, or nothing at all.

Run as `python -c CODE serve …` with the folder of its pictures in SHAKY_CAMERA; the file `mode` in
it names a picture there or one of the faults below.
"""

from __future__ import annotations

import os
import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import cv2
import numpy as np

CODE = "from tests.faults.shaky import main; main()"
FRAME_S = 0.1
Read = tuple[bool, Any]


def _broken() -> Read:
    raise cv2.error("select timeout")


def _buggy() -> Read:
    raise RuntimeError("a bug in the driver")


def _noise(*shape: int) -> Read:
    return True, np.random.default_rng().integers(0, 255, shape, dtype=np.uint8)


FAULTS: dict[str, Callable[[], Read]] = {
    "pulled": lambda: (False, None),
    "nothing": lambda: (True, None),
    "error": _broken,
    "bug": _buggy,
    "black": lambda: (True, np.zeros((960, 1280, 3), np.uint8)),
    "noise": lambda: _noise(960, 1280, 3),
    "small": lambda: _noise(48, 64, 3),
    "one row": lambda: _noise(1, 1280, 3),
    "no colour": lambda: _noise(960, 1280),
    "not a number": lambda: (True, np.full((960, 1280, 3), np.nan)),
    "huge": lambda: (True, np.zeros((6000, 8000, 3), np.uint8)),
}


class ShakyCapture:
    """Stands in for `cv2.VideoCapture`, because no cable can be pulled here."""

    def __init__(self, source: int | str) -> None:
        self._folder = Path(os.environ["SHAKY_CAMERA"])
        self._rng = np.random.default_rng(1)

    @property
    def _mode(self) -> str:
        return (self._folder / "mode").read_text()

    def isOpened(self) -> bool:  # noqa: N802 - OpenCV's name
        return self._mode != "pulled"

    def set(self, *_: object) -> bool:
        return True

    def read(self) -> Read:
        time.sleep(FRAME_S)
        mode = self._mode
        if mode in FAULTS:
            return FAULTS[mode]()
        picture = np.load(self._folder / f"{mode}.npy")
        grain = self._rng.integers(0, 5, picture.shape, dtype=np.uint8)
        return True, cv2.add(picture, grain)

    def release(self) -> None:
        """Nothing to let go of."""


def main() -> None:
    """The command line with this driver for every webcam."""
    from tiletally import cli
    from vision.cameras import sources
    from vision.cameras.capture import UsbCamera

    def usb(index: int = 0) -> UsbCamera:
        return UsbCamera(index, ShakyCapture, sleep=lambda _: time.sleep(FRAME_S))

    vars(sources)["UsbCamera"] = usb
    sys.exit(cli.main(sys.argv[1:]))
