"""A family's camera in a test: pictures that are drawn, and everything behind them for real."""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from pathlib import Path

import cv2
import numpy as np
import numpy.typing as npt

from calibration.session import Calibration
from scorer.tiles import Cell, Tile
from tests.vision.drawn import blocks_of, drawn_table
from tiletally.calibrating import CameraSetup
from tiletally.calibrating_steps import calibrated_table
from tiletally.live import CameraTable
from tiletally.profiled import faults_of_picture
from tiletally.session import Session
from vision.cameras.folder import FolderCamera
from vision.cameras.phone import PhoneCamera

Frame = npt.NDArray[np.uint8]

CANDLE = (0.25, 0.65, 1.1)
"""What a very warm light multiplies blue, green and red by."""
DAYLIGHT = (1.0, 1.0, 1.0)


def picture_of(layout: dict[Cell, Tile], cast: tuple[float, float, float] = DAYLIGHT) -> Frame:
    """A layout on a wooden table in some light."""
    frame = drawn_table(blocks_of(layout)).frame_bgr
    return np.asarray(np.clip(frame * np.array(cast), 0, 255), np.uint8)


def jpeg_of(frame: Frame) -> bytes:
    return bytes(cv2.imencode(".jpg", frame, [cv2.IMWRITE_JPEG_QUALITY, 95])[1].tobytes())


@dataclass(slots=True)
class FamilyCamera:
    """A folder that pictures are put into one by one, watched by the live table."""

    session: Session
    folder: Path
    setup: CameraSetup
    table: CameraTable
    count: int = 0

    @classmethod
    def watching(cls, session: Session, data: Path, by_phone: bool = False) -> FamilyCamera:
        folder, setup = data / "pictures", CameraSetup()
        folder.mkdir()
        camera = PhoneCamera() if by_phone else FolderCamera(folder)
        name = "phone" if by_phone else "folder:pictures"
        make = partial(CameraTable, session, camera, source=name, check_aim=faults_of_picture)
        table = calibrated_table(session, Calibration(data, name), make, setup)
        session.attach(table)
        table.start()
        return cls(session, folder, setup, table)

    def shows(self, frame: Frame) -> None:
        """Let the camera see a picture, and wait until it has."""
        self.count += 1
        path = self.folder / f"{self.count:03}.png"
        cv2.imwrite(str(path.with_name(".new.png")), frame)
        path.with_name(".new.png").rename(path)
        until(lambda: self._sees(frame))

    def _sees(self, frame: Frame) -> bool:
        camera = self.table._camera
        assert isinstance(camera, FolderCamera)
        return camera.photo == f"{self.count:03}.png" and self._is_at_rest()

    def _is_at_rest(self) -> bool:
        """Whether the step that took the last picture is over."""
        before = self.table.beat.doing.since_s
        until(lambda: self.table.beat.doing.since_s > before)
        return True

    def hints(self) -> list[str]:
        camera = self.session.state()["camera"] or {"hints": []}
        return [hint["code"] for hint in camera["hints"]]


def until(is_true: Callable[[], bool], within_s: float = 60.0) -> None:
    """Wait for something that happens in another thread."""
    end_s = time.monotonic() + within_s
    while not is_true():
        assert time.monotonic() < end_s, "it did not happen"
        time.sleep(0.02)
