"""Sums over the turns of a game: what the podium and the archive tell about the players."""

from __future__ import annotations

from collections import Counter
from typing import Any

from scorer.board import DIAGONAL_STEPS
from scorer.rules import LONGEST
from scorer.state import State, Turn

_KINDS = ("row", "column", "diagonal_down", "diagonal_up")


def player_stats(state: State) -> list[dict[str, Any]]:
    """For every player: turns, best turn, Qwirkles, Flexes, and points by kind of line."""
    return [_stats(state, player) for player in range(len(state.players))]


def _stats(state: State, player: int) -> dict[str, Any]:
    turns = [turn for turn in state.turns if turn.player == player]
    sixes = Counter(_six_of(line.kind) for t in turns for line in t.lines if line.length == LONGEST)
    best = max(turns, key=lambda turn: turn.points, default=None)
    return {
        "turns": len(turns),
        "tiles": sum(turn.count for turn in turns if turn.kind == "place"),
        "best": best.points if best else 0,
        "best_turn": best.number if best else None,
        "qwirkles": sixes["qwirkle"],
        "flexes": sixes["flex"],
        "by_kind": _by_kind(state, turns, player),
    }


def _six_of(kind: str) -> str:
    return "flex" if kind in DIAGONAL_STEPS else "qwirkle"


def _by_kind(state: State, turns: list[Turn], player: int) -> dict[str, int]:
    """Points by kind of line; what no line explains is `other`, the rest of the total."""
    points = dict.fromkeys(_KINDS, 0)
    for turn in turns:
        if not turn.is_points_set:
            for line in turn.lines:
                points[line.kind] += line.points
    ending = state.ending
    bonus = ending.bonus if ending and ending.player == player else 0
    other = state.totals[player] - sum(points.values()) - bonus
    return {**points, "bonus": bonus, "other": other}
