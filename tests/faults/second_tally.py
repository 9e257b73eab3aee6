"""A second opinion on the totals of a game: added up from the journal's plain events.

It shares nothing with the engine: no event classes, no fold, no rules. It knows what the devices
of these tests tap and what a camera plays, and refuses anything else.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

from scorer.tiles import Cell, Tile
from tests.scorer.oracle import worth_of_lines

Plain = Mapping[str, Any]
BOX = {"classic": 108, "flex": 108, "flex72": 72}
TURNS = ("turn_played", "tiles_exchanged", "turn_passed", "points_entered")
HAND, OUT = 6, 6


@dataclass(frozen=True, slots=True)
class Step:
    """One happening, with the points that a person set for it."""

    event: Plain
    points: int | None = None


Steps = tuple[Step, ...]


def second_totals(events: Sequence[Plain]) -> list[int]:
    """The points of every player after all events of one game."""
    first = events[0]
    past: list[Steps] = [()]
    future: list[Steps] = []
    assert first["type"] == "game_started"
    assert not first["options"]["expansions"]
    for event in events[1:]:
        if event["type"] == "undone":
            future.append(past.pop())
        elif event["type"] == "redone":
            past.append(future.pop())
        else:
            past.append(_after(past[-1], event, first))
            future.clear()
    return _add_up(first, past[-1]).totals


def _after(steps: Steps, event: Plain, first: Plain) -> Steps:
    kind = event["type"]
    if kind in (*TURNS, "points_adjusted"):
        return (*steps, Step(event))
    places = [n for n, step in enumerate(steps) if step.event["type"] in TURNS]
    place = places[event["turn"] - 1]
    if kind == "turn_removed":
        return steps[:place] + steps[place + 1 :]
    assert kind == "turn_corrected", f"what is a {kind}?"
    changed = list(steps)
    if event["player"] is not None and event["turn"] < len(places):
        # The next turn stays with whom it was.
        following = places[event["turn"]]
        owner = _add_up(first, steps).owners[event["turn"]]
        changed[following] = _with(steps[following], {"player": owner})
    changed[place] = _corrected(steps[place], event)
    return tuple(changed)


def _corrected(step: Step, event: Plain) -> Step:
    assert event["taken"] is None
    assert not event["shift_following"]
    if event["placed"] is not None:
        step = _with(step, {"type": "turn_played", "placed": event["placed"]})
    if event["player"] is not None:
        step = _with(step, {"player": event["player"]})
    if event["points"] is not None or event["clear_points"]:
        step = replace(step, points=event["points"])
    return step


def _with(step: Step, changes: Plain) -> Step:
    return replace(step, event={**step.event, **changes})


@dataclass(slots=True)
class _Sum:
    """A game that is being added up."""

    totals: list[int]
    hands: list[int]
    bag: int
    player: int
    owners: list[int] = field(default_factory=list)
    table: dict[Cell, Tile] = field(default_factory=dict)
    out: int | None = None
    """Who went out, and has the bonus for it as long as nobody plays on."""


def _add_up(first: Plain, steps: Steps) -> _Sum:
    count = len(first["players"])
    bag = BOX[first["rules"]] - HAND * count
    told = _Sum([0] * count, [HAND] * count, bag, first["starter"])
    for step in steps:
        if step.event["type"] == "points_adjusted":
            told.totals[step.event["player"]] += step.event["points"]
        else:
            _add_turn(told, step, first)
    return told


def _add_turn(told: _Sum, step: Step, first: Plain) -> None:
    event = step.event
    if told.out is not None:
        told.totals[told.out] -= OUT
        told.out = None
    player = told.player if event["player"] is None else event["player"]
    worth, used = _worth(told, event, first)
    told.totals[player] += worth if step.points is None else step.points
    told.owners.append(player)
    told.player = (player + 1) % len(told.totals)
    if used:
        _use_up(told, player, used)


def _worth(told: _Sum, event: Plain, first: Plain) -> tuple[int, int]:
    """What a turn is worth by itself, and how many tiles of the hand it takes."""
    if event["type"] == "points_entered":
        return event["points"], event["tiles"] or 0
    if event["type"] != "turn_played":
        return 0, 0
    assert not event["taken"]
    assert not event["action"]
    placed = {
        (t["x"], t["y"]): Tile(t["shape"], t["colour"], t["background"]) for t in event["placed"]
    }
    told.table.update(placed)
    return worth_of_lines(told.table, set(placed), first["rules"]), len(event["placed"])


def _use_up(told: _Sum, player: int, used: int) -> None:
    left = max(0, told.hands[player] - used)
    if not left and not told.bag:
        told.totals[player] += OUT
        told.out = player
    drawn = min(HAND - left, told.bag) if left < HAND else 0
    told.bag -= drawn
    told.hands[player] = left + drawn
