"""What happens at the simulated table and when: hands, tiles, hesitation, nudges, light, taps."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from itertools import combinations

import numpy as np

from scorer.rules import judge
from scorer.tiles import Cell, Placed, Tile
from scorer.tilesets import HAND_SIZE
from vision.cameras.demo_play import Play, Position, play_on
from vision.cameras.demo_stage import Hand, Pose

NAMES = ("Ada", "Ben", "Cleo", "Dan", "Eva", "Finn")
REACH = (9, 6)
"""Cells from the middle that the simulated players use, so that all stays in the picture."""
FINAL_AFTER_S = 7.6
"""How long the players wait when they let the turn close by itself: 6 s and the time to settle."""
ARM_OUT = 26.0
"""Tile edges from the middle at which a whole hand is out of the picture."""

TREMBLE = 0.12
"""No hand is quite still over a table: it sways by about three millimetres, in tile edges."""

Rng = np.random.Generator


@dataclass(frozen=True, slots=True)
class Habits:
    """How often (share of turns) the players do what makes a camera's life hard."""

    hover: float = 0.15
    two_visits: float = 0.2
    misplace: float = 0.08
    nudge: float = 0.05
    light: float = 0.06
    done: float = 0.35
    quick: float = 0.15


@dataclass(frozen=True, slots=True)
class Cue:
    """Something that happens at one instant; which fields count depends on `kind`.

    Kinds: `lay` (cell, tile), `take` (cell), `nudge` (pose), `light` (amount), `tap` (word).
    """

    time_s: float
    kind: str
    cell: Cell = (0, 0)
    tile: Tile | None = None
    pose: Pose = field(default_factory=Pose)
    amount: float = 1.0
    word: str = ""


@dataclass(frozen=True, slots=True)
class Visit:
    """One hand over the table: way points (time, x, y), in straight lines between them."""

    turn: float
    skin: int
    points: tuple[tuple[float, float, float], ...]

    def at(self, time_s: float) -> Hand | None:
        """The hand at an instant, or None before it comes and after it has left."""
        if not self.points[0][0] <= time_s <= self.points[-1][0]:
            return None
        times, xs, ys = np.array(self.points).T
        x, y = np.interp(time_s, times, xs), np.interp(time_s, times, ys)
        shake = TREMBLE * np.array([np.sin(time_s * 23.0), np.cos(time_s * 19.0)])
        return Hand(float(x + shake[0]), float(y + shake[1]), self.turn, self.skin)


@dataclass(frozen=True, slots=True)
class Script:
    """A whole game at the simulated table."""

    rules: str
    players: tuple[str, ...]
    plays: tuple[Play, ...]
    cues: tuple[Cue, ...]
    visits: tuple[Visit, ...]
    last_leaves_s: tuple[float, ...]
    """For each play the instant at which the last hand has left; -1 for a play without tiles."""
    end_s: float


def make_script(
    seed: int,
    rules: str = "flex",
    players: int | None = None,
    most_turns: int = 200,
    habits: Habits | None = None,
) -> Script:
    """Write the script of one game; the same seed gives the same script."""
    count = players or int(np.random.default_rng((seed, 6)).integers(2, 5))
    return script_from(seed, Position(rules, (HAND_SIZE,) * count), most_turns, habits)


def script_from(
    seed: int, position: Position, most_turns: int = 200, habits: Habits | None = None
) -> Script:
    """Write the script of a game that goes on from a position."""
    plays = play_on(seed, position, _is_allowed, most_turns)
    count = len(position.hands)
    rng = np.random.default_rng((seed, 7))
    director = _Director(rng, habits or Habits(), position.rules, count)
    director.board.update(position.board)
    for index, play in enumerate(plays):
        director.turn(play, plays[index + 1] if index + 1 < len(plays) else None)
    return Script(
        position.rules,
        NAMES[:count],
        tuple(plays),
        tuple(director.cues),
        tuple(director.visits),
        tuple(director.leaves),
        director.now_s + 2 * FINAL_AFTER_S,
    )


def _is_allowed(cell: Cell) -> bool:
    return abs(cell[0]) <= REACH[0] and abs(cell[1]) <= REACH[1]


class _Director:
    """Writes one turn after the other onto the time line."""

    def __init__(self, rng: Rng, habits: Habits, rules: str, players: int) -> None:
        self._rng = rng
        self._habits = habits
        self._rules = rules
        seat = np.arange(players) * 2 * np.pi / players
        self._sides = [float(side) for side in seat + rng.uniform(0, 2 * np.pi)]
        self._skins = [int(skin) for skin in rng.integers(0, 4, players)]
        self.board: dict[Cell, Tile] = {}
        self._pose = Pose()
        self.now_s = 1.5
        self.cues: list[Cue] = []
        self.visits: list[Visit] = []
        self.leaves: list[float] = []

    def turn(self, play: Play, following: Play | None) -> None:
        """One player's turn: thinking, laying, leaving, and the pause before the next."""
        self._wait(0.5, 2.5)
        if self._happens(self._habits.light):
            self._change_light()
        if not play.placed:
            self._cue("tap", word=play.action, amount=float(play.count))
            self.leaves.append(-1.0)
            self._wait(1.0, 2.0)
            return
        if self._happens(self._habits.hover):
            self._visit(play.player, [])
            self._wait(0.8, 2.0)
        for part in self._parts(play.placed):
            self._visit(play.player, part)
            self._wait(1.2, 3.0)
        self.leaves.append(self.visits[-1].points[-1][0])
        self.board.update(play.placed)
        self._pause(play, following)

    def _parts(self, placed: tuple[Placed, ...]) -> list[list[Placed]]:
        if len(placed) > 1 and self._happens(self._habits.two_visits):
            cut = int(self._rng.integers(1, len(placed)))
            if judge(self.board, placed[:cut], self._rules).legal:
                return [list(placed[:cut]), list(placed[cut:])]
        return [list(placed)]

    def _pause(self, play: Play, following: Play | None) -> None:
        if self._happens(self._habits.done):
            self._wait(0.8, 1.6)
            self._cue("tap", word="done")
        elif not (self._happens(self._habits.quick) and self._is_told_apart(play, following)):
            self._wait(FINAL_AFTER_S, FINAL_AFTER_S + 1.5)

    def _is_told_apart(self, play: Play, following: Play | None) -> bool:
        """Whether no part of the next move could belong to this one: else players wait."""
        if following is None or not following.placed:
            return False
        before = {c: t for c, t in self.board.items() if c not in dict(play.placed)}
        return not any(
            judge(before, (*play.placed, *part), self._rules).legal
            for size in range(1, len(following.placed) + 1)
            for part in combinations(following.placed, size)
        )

    def _visit(self, player: int, tiles: list[Placed]) -> None:
        """A hand reaches in, lays tiles one by one (or only hovers), and leaves."""
        side = self._sides[player] + float(self._rng.normal(0, 0.2))
        points = [(self.now_s, *self._outside(side))]
        self.now_s += float(self._rng.uniform(0.4, 0.7))
        if not tiles:
            spot = self._pose.moved((float(self._rng.normal(0, 3)), float(self._rng.normal(0, 2))))
            points += self._hover(spot)
        for each in tiles:
            points += list(self._lay(each))
        if tiles and len(self.board) > 2 and self._happens(self._habits.nudge):
            self._nudge()
        points.append((self.now_s, *points[-1][1:]))
        self.now_s += float(self._rng.uniform(0.4, 0.7))
        points.append((self.now_s, *self._outside(side)))
        self.visits.append(Visit(side, self._skins[player], tuple(points)))

    def _lay(self, each: Placed) -> Iterator[tuple[float, float, float]]:
        if self._happens(self._habits.misplace) and (wrong := self._free_cell(each.cell)):
            yield from self._reach(wrong)
            self._cue("lay", cell=wrong, tile=each.tile)
            self.now_s += float(self._rng.uniform(0.5, 1.2))
            yield (self.now_s, *self._pose.moved(wrong))
            self._cue("take", cell=wrong)
        yield from self._reach(each.cell)
        self._cue("lay", cell=each.cell, tile=each.tile)

    def _reach(self, cell: Cell) -> Iterator[tuple[float, float, float]]:
        x, y = self._pose.moved((cell[0] * 1.03, cell[1] * 1.03))
        yield (self.now_s, x, y)
        self.now_s += float(self._rng.uniform(0.3, 0.8))
        yield (self.now_s, x, y)

    def _hover(self, spot: tuple[float, float]) -> list[tuple[float, float, float]]:
        points = []
        for _ in range(int(self._rng.integers(2, 5))):
            x, y = np.array(spot) + self._rng.normal(0, 0.6, 2)
            points.append((self.now_s, float(x), float(y)))
            self.now_s += float(self._rng.uniform(0.3, 0.7))
        return points

    def _free_cell(self, cell: Cell) -> Cell | None:
        x, y = cell
        for near in ((x + 1, y + 1), (x - 1, y + 1), (x + 1, y - 1), (x - 1, y - 1)):
            if near not in self.board and _is_allowed(near):
                return near
        return None

    def _nudge(self) -> None:
        turn = np.clip(self._pose.turn + self._rng.uniform(-0.06, 0.06), -0.08, 0.08)
        x, y = np.clip(self._rng.uniform(-0.6, 0.6, 2), -0.9, 0.9)
        self._pose = Pose(float(x), float(y), float(turn))
        self._cue("nudge", pose=self._pose)

    def _change_light(self) -> None:
        self._cue("light", amount=float(self._rng.uniform(0.72, 1.15)))
        self._wait(1.0, 2.0)

    def _outside(self, side: float) -> tuple[float, float]:
        return float(np.cos(side) * ARM_OUT), float(np.sin(side) * ARM_OUT)

    def _cue(self, kind: str, **fields: object) -> None:
        self.cues.append(Cue(self.now_s, kind, **fields))  # type: ignore[arg-type]

    def _happens(self, share: float) -> bool:
        return bool(self._rng.random() < share)

    def _wait(self, least_s: float, most_s: float) -> None:
        self.now_s += float(self._rng.uniform(least_s, most_s))
