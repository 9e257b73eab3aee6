"""`tiletally serve` at a simulated table whose camera can be made to fail from outside.

Scorekeeper(data, "demo", code=TROUBLED, environment=TroubledTable(folder).environment)

While there is trouble the simulated people wait between two turns with their hands away, so that
it is known what must be counted in the end: what they lay is written into a file, game by game.
"""

from __future__ import annotations

import contextlib
import json
import os
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from itertools import accumulate
from pathlib import Path
from typing import Any

import numpy as np

from scorer.plain import tile_json
from scorer.tiles import Cell
from tests.faults.running import State, wait_until
from tiletally import cli
from vision.cameras import sources
from vision.cameras.base import GLANCE_WH, CameraError, Frame, Glance, Grey
from vision.cameras.demo import GLANCES_PER_S, DemoTable
from vision.cameras.demo_play import Play, Position
from vision.cameras.demo_stage import PICTURE_WH

TROUBLED = ("-m", "tests.faults.troubled_table")
TROUBLES = ("lost", "garbage", "stripes", "frozen", "waiting")
"""The last is none of the camera: the people wait because of something else."""
STRIPE_PX = 37
RESTS_S = 12.0
"""Twice the time after which a move is counted by itself."""
LONGEST_STEP_S = 1.0
Cells = frozenset[Cell]


class TroubledTable:
    """The switch of such a table, and the truth about its games."""

    def __init__(self, folder: Path) -> None:
        """Use two files in a folder."""
        self._switch, self._truth = folder / "table", folder / "truth"
        self.environment = {"TABLE_SWITCH": str(self._switch), "TABLE_TRUTH": str(self._truth)}

    @contextmanager
    def is_(self, trouble: str) -> Iterator[None]:
        """There is one of `TROUBLES` inside the block."""
        fresh = self._switch.with_suffix(".new")
        fresh.write_text(trouble)
        fresh.replace(self._switch)
        try:
            wait_until(_began(self._switch).exists, f"the table is {trouble}")
            yield
        finally:
            self._switch.unlink()
            wait_until(lambda: not _began(self._switch).exists(), f"the table was {trouble}")

    def games(self) -> list[list[State]]:
        """The turns of every game as events, as far as the people mean to play them."""
        if not self._truth.exists():
            return []
        written = self._truth.read_text().splitlines(keepends=True)
        # A line without an end is still being written.
        return [json.loads(line) for line in written if line.endswith("\n")]


class _Table(DemoTable):
    """The simulated table with trouble in between."""

    _late_s = 0.0
    _present = ""
    """The present trouble."""
    _whole: frozenset[Cells] = frozenset()
    """What lies there between two turns."""
    _rest_s = 0.0
    """How much longer people wait after a trouble, until their last move is counted."""
    _waited_s = 0.0
    _waited_with = -1
    """How many tiles lay there when people last waited."""
    _shown: Glance | None = None
    _picture: Frame | None = None

    def begin(self, position: Position) -> None:
        """Write down what will be played."""
        super().begin(position)
        turns = [_event(play) for play in self.script.plays]
        laid = [frozenset(cell for cell, _ in play.placed) for play in self.script.plays]
        self._whole = frozenset(accumulate(laid, _joined, initial=frozenset(position.board)))
        with Path(os.environ["TABLE_TRUTH"]).open("a") as truth:
            truth.write(f"{json.dumps(turns)}\n")

    def glance(self) -> Glance:
        """The next frame, or whatever the camera delivers instead."""
        self._present = trouble = self._trouble()
        if not trouble and self._rest_s > 0:
            self._rest_s -= self._wait()
            return Glance(self._now_s + self._late_s, self._stage.glance((), self._light()))
        if not trouble:
            seen = super().glance()
            self._shown = Glance(seen.time_s + self._late_s, seen.grey)
            self._picture = None
            return self._shown
        self._wait()
        if trouble == "lost":
            raise CameraError("the camera was unplugged")
        return Glance(self._now_s + self._late_s, self._grey(trouble))

    def take_taps(self) -> list[tuple[str, int]]:
        """Nobody says done once more when the trouble is over and the move was counted."""
        is_counted = len(self.stage.tiles) == self._waited_with
        return [tap for tap in super().take_taps() if tap[0] != "done" or not is_counted]

    def picture(self) -> Frame:
        """The full picture, or whatever the camera delivers instead."""
        trouble = self._present
        if trouble == "lost":
            raise CameraError("the camera was unplugged")
        if trouble in ("garbage", "stripes"):
            return np.dstack([_garbage(trouble, PICTURE_WH)] * 3)
        if trouble == "frozen" and self._picture is not None:
            return self._picture
        self._picture = super().picture()
        return self._picture

    def _grey(self, trouble: str) -> Grey:
        if trouble in ("garbage", "stripes"):
            return _garbage(trouble, GLANCE_WH)
        if trouble == "frozen" and self._shown is not None:
            return self._shown.grey
        return self._stage.glance(self.hands, self._light())

    def _trouble(self) -> str:
        """The trouble from now on; a move is finished first, because one that rests is counted."""
        switch, wanted = Path(os.environ["TABLE_SWITCH"]), ""
        with contextlib.suppress(FileNotFoundError):
            wanted = switch.read_text()
        if self._present and not wanted:
            self._rest_s = RESTS_S
            _began(switch).unlink()
        elif not self._present and wanted:
            if self.hands or frozenset(self.stage.tiles) not in self._whole:
                return ""
            self._waited_with = len(self.stage.tiles)
            _began(switch).touch()
        return wanted

    def _wait(self) -> float:
        """The camera's clock goes on, the people's does not; returns how far."""
        really_s = 1 / GLANCES_PER_S / (self.speed or 1.0)
        time.sleep(really_s)
        if self._started_s is not None:
            self._started_s += really_s
        now_s = time.monotonic()
        passed_s = max(1 / GLANCES_PER_S, min(now_s - self._waited_s, LONGEST_STEP_S))
        self._waited_s = now_s
        self._late_s += passed_s
        return passed_s


def _joined(some: Cells, more: Cells) -> Cells:
    return some | more


def _began(switch: Path) -> Path:
    """There for as long as the trouble really is."""
    return switch.with_suffix(".began")


def _garbage(trouble: str, size_wh: tuple[int, int]) -> Grey:
    """Noise that is new each time, or stripes that stay."""
    width, height = size_wh
    rng = np.random.default_rng()
    if trouble == "garbage":
        return rng.integers(0, 256, (height, width), dtype=np.uint8)
    step = STRIPE_PX * width // PICTURE_WH[0]
    stripes = np.where(np.arange(width) // step % 2, 60, 200).astype(np.uint8)
    return np.tile(stripes, (height, 1)) + rng.integers(0, 4, (height, width), dtype=np.uint8)


def _event(play: Play) -> dict[str, Any]:
    """A turn as the journal should tell it."""
    kinds = {"place": "turn_played", "exchange": "tiles_exchanged", "pass": "turn_passed"}
    event: dict[str, Any] = {"type": kinds[play.action], "player": play.player}
    if play.placed:
        event |= {"placed": [tile_json(each) for each in play.placed], "taken": [], "action": ""}
    return event


if __name__ == "__main__":
    setattr(sources, "DemoTable", _Table)  # noqa: B010 - it is not meant to be replaced
    sys.exit(cli.main(sys.argv[1:]))
