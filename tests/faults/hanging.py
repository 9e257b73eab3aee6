"""A watched table in a test: cameras and readers that hang, die or stumble when told to."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

from tests.faults.running import wait_until
from tests.vision.live_table import StageCamera
from tests.vision.stage_readings import StageReader
from tiletally.live import CameraTable, Limits
from tiletally.restart_budget import RestartBudget
from tiletally.session import Session
from tiletally.session_guest import Guest
from tiletally.table_keeper import TableKeeper
from vision.cameras.base import Frame, Glance
from vision.reading import Reading

HUNG_S = 1.0
Trouble = Callable[[], None]


class TroubledCamera(StageCamera):
    """A camera of a drawn table; troubles are called in place of giving a picture."""

    def __init__(self, number: int) -> None:
        super().__init__()
        self.name = f"camera {number}"
        self.in_glance: Trouble | None = None
        self.in_picture: Trouble | None = None
        self.in_read: Trouble | None = None
        self.in_close: Trouble | None = None
        self.holds_device = False
        self.is_closed = False

    def glance(self) -> Glance | None:
        time.sleep(0.005)
        if self.in_glance is not None:
            self.in_glance()
        return super().glance()

    def picture(self) -> Frame:
        if self.in_picture is not None:
            self.in_picture()
        return super().picture()

    def close(self) -> None:
        if self.in_close is not None:
            self.in_close()
        self.is_closed = True


class TroubledReader:
    """Reads what lies on the stage of a camera."""

    def __init__(self, camera: TroubledCamera) -> None:
        self._camera = camera
        self._reader = StageReader(lambda: camera.stage)

    def read(self, frame_bgr: Frame, known: Reading | None = None) -> Reading:
        if self._camera.in_read is not None:
            self._camera.in_read()
        return self._reader.read(frame_bgr, known)


class WatchedTable:
    """Session and keeper, looked after by the test; each camera is made anew by `prepare`."""

    def __init__(
        self,
        data: Path,
        prepare: Callable[[TroubledCamera, int], None] = lambda camera, number: None,
        budget: RestartBudget | None = None,
        arrives_within_s: float = 60.0,
        hung_s: float = HUNG_S,
    ) -> None:
        self._limits = Limits(hung_s=hung_s, stumble_s=0.01)
        self.session = Session.open(data)
        self.session.new_game({"rules": "classic", "players": ["Anna", "Ben"]})
        self.cameras: list[TroubledCamera] = []
        self.tables: list[CameraTable] = []
        self._prepare = prepare
        self.keeper = TableKeeper(
            self.session,
            "stage",
            self._make,
            budget=budget or RestartBudget(pause_s=0.01),
            arrives_within_s=arrives_within_s,
            lets_go_within_s=0.1,
        )
        self.keeper.start()

    def _make(self, guest: Guest, is_restart: bool) -> CameraTable:
        camera = TroubledCamera(len(self.cameras) + 1)
        self.cameras.append(camera)
        self._prepare(camera, len(self.cameras))
        table = CameraTable(
            guest,
            camera,
            make_reader=lambda _rules, _colours: TroubledReader(camera),
            was_restarted=is_restart,
            limits=self._limits,
        )
        self.tables.append(table)
        return table

    def look_until(self, is_so: Callable[[], object], what: str) -> None:
        """Look after the table until something is so."""

        def look() -> object:
            self.keeper.look()
            time.sleep(0.01)
            return is_so()

        wait_until(look, what)

    def works(self) -> bool:
        """Whether the newest camera has told how it is."""
        name = self.cameras[-1].name if self.cameras else "none"
        camera = self.session.state()["camera"] or {}
        return camera.get("source") == name and camera["state"] in ("ok", "busy")

    @property
    def hints(self) -> list[str]:
        """What people are told about the camera."""
        camera: dict[str, Any] = self.session.state()["camera"] or {"hints": []}
        return [hint["code"] for hint in camera["hints"]]

    @property
    def worker(self) -> dict[str, Any]:
        """What `GET /healthz` says about the camera."""
        told: dict[str, Any] = self.session.health()[1]["workers"]["camera"]
        return told


class Hang:
    """Hangs whoever calls it until it is released."""

    def __init__(self) -> None:
        self.is_reached = threading.Event()
        self.is_released = threading.Event()

    def __call__(self) -> None:
        self.is_reached.set()
        self.is_released.wait()
