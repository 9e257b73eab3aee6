"""Events survive their plain form, and nothing else passes for one."""

from __future__ import annotations

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from scorer.errors import EventError
from scorer.event_json import event_from_json
from scorer.events import (
    EVENTS,
    ActionUsed,
    Event,
    GameStarted,
    LateStart,
    SpecialDrawn,
    TilesExchanged,
    TurnPlayed,
    TurnSplit,
)
from scorer.notation import parse_move
from scorer.options import Options
from scorer.tiles import BACKGROUNDS, COLOURS, SHAPES, Tile
from scorer.tilesets import tileset

MOVE = parse_move("Ro@0,0 Y4+@1,0 (pink)8/@-3,7")


TILES = st.builds(
    Tile, st.sampled_from(SHAPES), st.sampled_from((*COLOURS, "pink")), st.sampled_from(BACKGROUNDS)
)
st.register_type_strategy(Tile, TILES)


@given(st.one_of([st.from_type(kind) for kind in EVENTS if kind is not GameStarted]))
def test_every_event_reads_back(event: Event) -> None:
    assert event_from_json(json.loads(json.dumps(event.to_json()))) == event


@pytest.mark.parametrize(
    "event",
    [
        GameStarted("flex", ("Anna", "Ben"), 1, Options(six_players=True), tileset("flex")),
        GameStarted("classic", ("Anna", "Ben")),
        LateStart(MOVE, (1, 2), 1, 7, (6, 5)),
        TurnPlayed(MOVE, MOVE[:1], 1, "take", True),
        TilesExchanged(2, 1),
        ActionUsed("take", cell=(3, -4)),
        SpecialDrawn("ask"),
        TurnSplit(3, ((0, 0), (1, 0))),
    ],
)
def test_events_with_tiles_read_back(event: Event) -> None:
    assert event_from_json(json.loads(json.dumps(event.to_json()))) == event


def test_how_an_event_looks() -> None:
    assert TurnPlayed(parse_move("Ro@0,0")).to_json() == {
        "type": "turn_played",
        "placed": [{"x": 0, "y": 0, "shape": "circle", "colour": "red", "background": "black"}],
        "taken": [],
        "player": None,
        "action": "",
        "accepted": False,
    }


def test_fields_with_a_default_may_be_missing() -> None:
    assert event_from_json({"type": "tiles_exchanged", "count": 2}) == TilesExchanged(2)


@pytest.mark.parametrize(
    "data",
    [
        None,
        [],
        {},
        {"type": 7},
        {"type": ["undone"]},
        {"type": "exploded"},
        {"type": "undone", "why": 1},
        {"type": "tiles_exchanged"},
        {"type": "tiles_exchanged", "count": None},
        {"type": "tiles_exchanged", "count": True},
        {"type": "tiles_exchanged", "count": 1.0},
        {"type": "tiles_exchanged", "count": 1, "accepted": 1},
        {"type": "turn_played", "placed": None},
        {"type": "turn_played", "placed": [7]},
        {"type": "turn_played", "placed": [{"x": 0, "y": 0}]},
        {"type": "turn_played", "placed": [{"x": 0, "y": 0, "shape": "heart", "colour": "red"}]},
        {"type": "turn_played", "placed": [{"x": 0, "y": 0, "shape": [], "colour": "red"}]},
        {"type": "turn_played", "placed": [{"x": "0", "y": 0, "shape": "circle", "colour": "red"}]},
        {"type": "turn_split", "turn": 1, "cells": [[0]]},
        {"type": "action_used", "action": 7},
        {"type": "game_started", "rules": "flex", "players": "Anna"},
        {"type": "game_started", "rules": "flex", "players": [], "options": []},
        {"type": "game_started", "rules": "flex", "players": [], "options": {"fast": True}},
        {"type": "game_started", "rules": "flex", "players": [], "options": {"tie": "tallest"}},
        {"type": "game_started", "rules": "flex", "players": [], "box": {"title": "x"}},
    ],
)
def test_what_is_no_event_is_refused_in_one_sentence(data: object) -> None:
    with pytest.raises(EventError) as refused:
        event_from_json(data)
    assert str(refused.value)
    assert "\n" not in str(refused.value)
