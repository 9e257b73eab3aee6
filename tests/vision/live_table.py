"""A living table in a test: a drawn table, hands on command, and a clock of its own."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np

from scorer.tiles import Cell, Tile
from tests.vision.stage_readings import StageReader
from tiletally.live import CameraTable
from tiletally.session import Session, Ticket
from vision.cameras.base import GLANCE_WH, CameraError, Frame, Glance, Grey
from vision.cameras.demo_stage import Hand, Stage

STEP_S = 0.125
OPENING = {(0, 0): Tile("circle", "red"), (1, 0): Tile("square", "red", "white")}
SECOND = {(1, 1): Tile("square", "blue", "split"), (1, 2): Tile("square", "green")}
THIRD = {(-1, 0): Tile("clover", "red", "white")}
"""Moves of 2, 3 and 3 points."""


class StageCamera:
    """Shows a stage; a test moves hands, pulls the cable, freezes or garbles the stream."""

    name = "stage"

    def __init__(self, seed: int = 3) -> None:
        self.stage = Stage(seed)
        self.hands: tuple[Hand, ...] = ()
        self.gain = 1.0
        self.problem = ""
        self.frozen: Glance | None = None
        self.is_striped = False
        self.is_settling = False
        self._rng = np.random.default_rng(seed)
        self.now_s = 0.0

    def glance(self) -> Glance | None:
        self.now_s += STEP_S
        if self.is_settling:
            return None
        if self.problem:
            raise CameraError(self.problem)
        if self.frozen is not None:
            return Glance(self.now_s, self.frozen.grey)
        if self.is_striped:
            return Glance(self.now_s, self._stripes())
        return Glance(self.now_s, self.stage.glance(self.hands, self.gain))

    def _stripes(self) -> Grey:
        width, height = GLANCE_WH
        stripes = np.where(np.arange(width) // 8 % 2, 60, 200).astype(np.uint8)
        return stripes + self._rng.integers(0, 4, (height, width), dtype=np.uint8)

    def picture(self) -> Frame:
        return self.stage.picture(self.hands, self.gain)

    def close(self) -> None:
        """Nothing to let go of."""


class Living:
    """Session, camera and live table wired together, stepped by the test."""

    def __init__(
        self, data: Path, seed: int = 3, rules: str = "flex", photos: Path | None = None
    ) -> None:
        self.data = data
        self.camera = StageCamera(seed)
        self.reader = StageReader(lambda: self.camera.stage)
        self.photos = photos
        self.open()
        if self.session.current() is None:
            self.session.new_game({"rules": rules, "players": ["Ada", "Ben"]})

    def open(self) -> None:
        self.session = Session.open(self.data)
        self.table = CameraTable(
            self.session,
            self.camera,
            make_reader=lambda _rules, _colours: self.reader,
            photos=self.photos,
            clock=lambda: self.camera.now_s,
        )
        self.session.attach(self.table)

    def restart(self) -> None:
        """End the program and start it again; the tiles stay on the table."""
        self.session.close()
        self.open()

    def wait(self, seconds: float) -> None:
        for _ in range(round(seconds / STEP_S)):
            self.table.step()

    def lay(self, tiles: dict[Cell, Tile], settle_s: float = 1.5) -> None:
        """A hand comes, lays tiles, leaves; then the table settles."""
        spot = next(iter(tiles), (0, 0))
        for x in (26.0, 10.0):
            self.camera.hands = (Hand(x, 0.0, 0.0),)
            self.wait(STEP_S)
        self.camera.hands = (Hand(float(spot[0]), float(spot[1]), 0.0),)
        self.wait(2 * STEP_S)
        for cell, tile in tiles.items():
            self.camera.stage.lay(cell, tile)
        self.wait(2 * STEP_S)
        self.camera.hands = ()
        self.wait(settle_s)

    def take(self, cell: Cell, settle_s: float = 1.5) -> None:
        self.camera.stage.take(cell)
        self.wait(settle_s)

    def tap(self, wish: str, **params: object) -> dict[str, Any]:
        return self.session.command(wish, params, Ticket())

    def pending_points(self) -> int | None:
        """What the pending move would count."""
        pending = self.state["pending"]
        return None if pending is None else int(pending["points"])

    @property
    def state(self) -> dict[str, Any]:
        return self.session.state()

    @property
    def scores(self) -> list[int]:
        return [player["score"] for player in self.state["players"]]

    @property
    def turns(self) -> list[int]:
        """The points of all final turns."""
        current = self.session.current()
        assert current is not None
        return [turn.points for turn in current.game.turns]
