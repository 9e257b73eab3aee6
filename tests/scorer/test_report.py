"""The summary for pages and the table for spreadsheets."""

from __future__ import annotations

import csv
import json
from io import StringIO
from typing import Any

from scorer.events import (
    GameEnded,
    GameStarted,
    LateStart,
    PointsAdjusted,
    TilesExchanged,
    TurnCorrected,
    TurnPlayed,
)
from scorer.game import Game
from scorer.notation import parse_move
from scorer.report import CSV_COLUMNS, csv_rows, csv_text, judgement_json, summary


def a_game() -> Game:
    game = Game.start(GameStarted("flex", ("Anna", "=Ben")))
    for event in (
        TurnPlayed(parse_move("Ro@0,0 Rs+@1,0")),
        TilesExchanged(2),
        TurnPlayed(parse_move("Rd@2,0")),
        PointsAdjusted(1, 5, "+guest"),
        TurnCorrected(3, points=4, reason="generous"),
    ):
        game = game.apply(event)
    return game


def test_the_summary_is_plain_json_and_complete() -> None:
    data: dict[str, Any] = json.loads(json.dumps(summary(a_game())))
    assert [p["total"] for p in data["players"]] == [6, 5]
    assert data["next_player"] == 1
    assert len(data["board"]) == 3
    assert data["turns"][0]["lines"] == [
        {"kind": "row", "length": 2, "points": 2, "cells": [[0, 0], [1, 0]]}
    ]
    assert data["turns"][2]["score"] == 4
    assert data["turns"][2]["line_points"] == 3
    assert data["bag"] == 93
    assert "Ro" not in data["unseen"]
    assert data["unseen"]["Ro/"] == 1
    assert data["ending"] is None
    assert data["can_undo"]


def test_the_summary_of_a_finished_game() -> None:
    data = summary(a_game().apply(GameEnded(player=1)))
    assert data["next_player"] is None
    assert data["winners"] == [1]
    assert data["ending"] == {"how": "ended", "player": 1, "bonus": 6, "reason": ""}


def test_a_judgement_as_json() -> None:
    data: dict[str, Any] = judgement_json(a_game().judge(parse_move("Ro+@3,0")))
    assert not data["legal"]
    assert data["violations"][0]["text"] == "two red circles in one row"
    assert data["violations"][0]["params"]["count"] == 2


def test_rows_for_a_spreadsheet() -> None:
    rows = csv_rows(a_game())
    assert [row["kind"] for row in rows] == ["place", "exchange", "place", "adjustment"]
    assert rows[0]["placed"] == "Ro@0,0 Rs+@1,0"
    assert rows[0]["lines"] == "row:2=2"
    assert rows[2]["set_by_hand"] == "yes"
    assert rows[3]["total"] == 5
    ended = csv_rows(a_game().apply(GameEnded(player=1)))
    assert (ended[-1]["kind"], ended[-1]["bonus"], ended[-1]["total"]) == ("end", 6, 11)


def test_a_late_start_begins_with_the_points_so_far() -> None:
    game = Game.start(GameStarted("flex", ("Anna", "Ben")))
    game = game.apply(LateStart(parse_move("Ro@0,0"), (31, 7)))
    game = game.apply(TurnPlayed(parse_move("Rs@1,0")))
    assert [(r["kind"], r["points"], r["total"]) for r in csv_rows(game)] == [
        ("late_start", 31, 31),
        ("late_start", 7, 7),
        ("place", 2, 33),
    ]


def test_the_file_reads_back_and_holds_no_formula() -> None:
    rows = list(csv.DictReader(StringIO(csv_text(a_game()))))
    assert tuple(rows[0]) == CSV_COLUMNS
    assert rows[1]["player"] == "'=Ben"
    assert rows[3]["reason"] == "'+guest"
