"""The simulated table as a camera: a whole game, played by nobody, through the real pipeline."""

from __future__ import annotations

import time
from collections.abc import Callable

from vision.cameras.base import CameraEndedError, CameraError, Frame, Glance
from vision.cameras.demo_play import Position
from vision.cameras.demo_script import Cue, Script, make_script, script_from
from vision.cameras.demo_stage import Hand, Stage

GLANCES_PER_S = 8.0
"""Frames of the light stream for each second of the simulated time."""
LIGHT_RAMP_S = 1.0
"""How long a change of light takes: a cloud, or a lamp with the exposure following."""


class DemoTable:
    """Plays a script on its own clock, in real time times `speed`, or as fast as it is asked.

    The same seed shows the same game, hands and light. `take_taps` are the buttons that the
    simulated players press; the caller takes them and does what the page would do. `begin` clears
    the table for another game, or sets it up as a game stands.
    """

    name = "simulated table"

    def __init__(
        self,
        seed: int = 1,
        speed: float | None = 1.0,
        script: Script | None = None,
        clock: Callable[[], float] = time.monotonic,
        sleep: Callable[[float], None] = time.sleep,
    ) -> None:
        """Set the table up; with `speed` None frames come as fast as they are asked for."""
        self._seed = seed
        self.speed = speed
        self._clock = clock
        self._sleep = sleep
        self._started_s: float | None = None
        self._now_s = 0.0
        self._games = 0
        self._is_closed = False
        self._set_up(script)

    def begin(self, position: Position) -> None:
        """Clear the table and play another game, or go on from where a game stands."""
        self._games += 1
        self._set_up(script_from(self._seed + 1000 * self._games, position))
        for cell, tile in position.board.items():
            self._stage.lay(cell, tile)

    def _set_up(self, script: Script | None) -> None:
        self._script = script
        self._stage = Stage(self._seed)
        self._start_s = self._now_s
        self._cues = list(script.cues)[::-1] if script else []
        self._taps: list[tuple[str, int]] = []
        self._gain, self._gain_from, self._gain_since_s = 1.0, 1.0, -LIGHT_RAMP_S

    @property
    def script(self) -> Script:
        """The game that is being played; written when it is needed, which takes a while."""
        if self._script is None:
            self._script = make_script(self._seed)
            self._cues = list(self._script.cues)[::-1]
        return self._script

    @property
    def script_s(self) -> float:
        """The time on the script of the game that is being played."""
        return self._now_s - self._start_s

    @property
    def now_s(self) -> float:
        """The simulated time."""
        return self._now_s

    @property
    def stage(self) -> Stage:
        """The table itself, for those who know the truth."""
        return self._stage

    def take_taps(self) -> list[tuple[str, int]]:
        """The buttons pressed since the last call: `done`, `exchange` with a number, `pass`."""
        taps, self._taps = self._taps, []
        return taps

    def glance(self) -> Glance:
        """The next frame of the light stream."""
        if self._is_closed:
            raise CameraError("the simulated table is closed")
        if self.script_s >= self.script.end_s:
            raise CameraEndedError("the simulated game is over")
        self._now_s += 1 / GLANCES_PER_S
        self._keep_pace()
        while self._cues and self._cues[-1].time_s <= self.script_s:
            self._act(self._cues.pop())
        return Glance(self._now_s, self._stage.glance(self.hands, self._light()))

    def picture(self) -> Frame:
        """The full picture of the same moment."""
        return self._stage.picture(self.hands, self._light())

    def close(self) -> None:
        """Stop playing."""
        self._is_closed = True

    @property
    def hands(self) -> tuple[Hand, ...]:
        """The hands that are over the table or on their way."""
        found = (visit.at(self.script_s) for visit in self.script.visits)
        return tuple(hand for hand in found if hand is not None)

    def _keep_pace(self) -> None:
        if self.speed is None:
            return
        if self._started_s is None:
            self._started_s = self._clock()
        ahead_s = self._now_s / self.speed - (self._clock() - self._started_s)
        if ahead_s > 0:
            self._sleep(ahead_s)

    def _act(self, cue: Cue) -> None:
        if cue.kind == "lay" and cue.tile is not None:
            self._stage.lay(cue.cell, cue.tile)
        elif cue.kind == "take":
            self._stage.take(cue.cell)
        elif cue.kind == "nudge":
            self._stage.nudge(cue.pose)
        elif cue.kind == "light":
            self._gain_from, self._gain = self._light(), cue.amount
            self._gain_since_s = cue.time_s
        elif cue.kind == "tap":
            self._taps.append((cue.word, int(cue.amount)))

    def _light(self) -> float:
        share = min(1.0, max(0.0, (self.script_s - self._gain_since_s) / LIGHT_RAMP_S))
        return self._gain_from + (self._gain - self._gain_from) * share
