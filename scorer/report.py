"""A game for pages and tables: one plain summary, and rows for a spreadsheet.

`summary(game)` is plain JSON with everything that a page shows. `csv_rows(game)` gives one row a
turn under the names in `CSV_COLUMNS`; `csv_text(game)` is the finished file.
"""

from __future__ import annotations

import csv
from io import StringIO

from scorer.events import Happening, LateStart, PointsAdjusted
from scorer.game import Game
from scorer.notation import format_move, format_tile
from scorer.plain import tile_json
from scorer.rules import Judgement, Line, Violation
from scorer.sentences import sentence
from scorer.state import Ending, Turn
from scorer.tiles import Placed

CSV_COLUMNS = (
    "turn",
    "player",
    "kind",
    "action",
    "placed",
    "taken",
    "tiles",
    "lines",
    "points",
    "bonus",
    "total",
    "set_by_hand",
    "reason",
)


def summary(game: Game) -> dict[str, object]:
    """How a game stands, as plain JSON."""
    state = game.state
    return {
        "rules": state.rules,
        "options": {"expansions": list(state.options.expansions)},
        "colours": list(state.box.colours),
        "players": [_player_json(game, player) for player in range(len(state.players))],
        "next_player": None if state.is_over else state.next_player,
        "pending_action": state.pending.action,
        "board": [tile_json(Placed(cell, tile)) for cell, tile in state.board.items()],
        "turns": [turn_json(turn) for turn in state.turns],
        "knows_tiles": state.knows_tiles,
        "bag": state.bag,
        "specials": list(state.specials),
        "unseen": {format_tile(tile): count for tile, count in state.unseen.items()},
        "is_over": state.is_over,
        "ending": _ending_json(state.ending),
        "winners": list(state.winners),
        "leaders": list(state.leaders),
        "warnings": [violation_json(warning) for warning in state.warnings],
        "can_undo": game.can_undo,
        "can_redo": game.can_redo,
    }


def turn_json(turn: Turn) -> dict[str, object]:
    """One turn as plain JSON."""
    return {
        "turn": turn.number,
        "player": turn.player,
        "kind": turn.kind,
        "action": turn.action,
        "placed": [tile_json(placed) for placed in turn.placed],
        "taken": [tile_json(placed) for placed in turn.taken],
        "count": turn.count,
        "lines": [line_json(line) for line in turn.lines],
        "line_points": turn.line_points,
        "score": turn.points,
        "bonus": turn.bonus,
        "total": turn.total,
        "is_points_set": turn.is_points_set,
        "reason": turn.reason,
        "is_accepted": turn.is_accepted,
        "needs_a_look": turn.needs_a_look,
        "violations": [violation_json(violation) for violation in turn.violations],
        "warnings": [violation_json(warning) for warning in turn.warnings],
    }


def judgement_json(judgement: Judgement) -> dict[str, object]:
    """What the rules say about a move, as plain JSON."""
    return {
        "legal": judgement.legal,
        "score": judgement.score,
        "points": judgement.points,
        "lines": [line_json(line) for line in judgement.lines],
        "violations": [violation_json(violation) for violation in judgement.violations],
    }


def line_json(line: Line) -> dict[str, object]:
    """A counted line as plain JSON."""
    cells = [list(cell) for cell in line.cells]
    return {"kind": line.kind, "length": line.length, "points": line.points, "cells": cells}


def violation_json(violation: Violation) -> dict[str, object]:
    """A broken rule or a warning as plain JSON, with its English sentence."""
    return {
        "code": violation.code,
        "cells": [list(cell) for cell in violation.cells],
        "params": dict(violation.params),
        "text": sentence(violation),
    }


def csv_rows(game: Game) -> list[dict[str, object]]:
    """One row for every turn and for everything else that gave points, in order."""
    turns = iter(game.turns)
    totals = [0] * len(game.players)
    rows: list[dict[str, object]] = []
    for entry in game.state.timeline:
        if entry.is_turn:
            turn = next(turns)
            totals[turn.player] = turn.total
            rows.append(_turn_row(game, turn))
        else:
            rows += _other_rows(game, entry.event, totals)
    ending = game.state.ending
    if ending and ending.player is not None and not any(turn.bonus for turn in game.turns):
        total = totals[ending.player] + ending.bonus
        rows.append(_row(game, ending.player, "end", bonus=ending.bonus, total=total))
    return rows


def _other_rows(game: Game, event: Happening, totals: list[int]) -> list[dict[str, object]]:
    """Rows of points that no turn made; keeps the running totals."""
    if isinstance(event, LateStart):
        totals[:] = event.scores
        return [
            _row(game, player, "late_start", points=score, total=score)
            for player, score in enumerate(event.scores)
        ]
    if isinstance(event, PointsAdjusted):
        totals[event.player] += event.points
        changes = {"points": event.points, "total": totals[event.player], "set_by_hand": "yes"}
        return [_row(game, event.player, "adjustment", reason=_safe(event.reason), **changes)]
    return []


def csv_text(game: Game) -> str:
    """The turns of a game as a CSV file."""
    out = StringIO()
    writer = csv.DictWriter(out, CSV_COLUMNS, lineterminator="\n")
    writer.writeheader()
    writer.writerows(csv_rows(game))
    return out.getvalue()


def _turn_row(game: Game, turn: Turn) -> dict[str, object]:
    return _row(
        game,
        turn.player,
        turn.kind,
        turn=turn.number,
        action=turn.action,
        placed=format_move(turn.placed) if turn.placed else "",
        taken=format_move(turn.taken) if turn.taken else "",
        tiles=turn.count,
        lines=" ".join(f"{line.kind}:{line.length}={line.points}" for line in turn.lines),
        points=turn.points,
        bonus=turn.bonus,
        total=turn.total,
        set_by_hand="yes" if turn.is_points_set else "no",
        reason=_safe(turn.reason),
    )


def _row(game: Game, player: int, kind: str, **values: object) -> dict[str, object]:
    name = _safe(game.players[player])
    return {**dict.fromkeys(CSV_COLUMNS, ""), "player": name, "kind": kind, **values}


def _safe(text: str) -> str:
    """Text that no spreadsheet takes for a formula."""
    return f"'{text}" if text.startswith(("=", "+", "-", "@", "\t", "\r")) else text


def _player_json(game: Game, player: int) -> dict[str, object]:
    state = game.state
    return {
        "name": state.players[player],
        "total": state.totals[player],
        "hand": state.hands[player],
        "actions": list(state.actions[player]),
    }


def _ending_json(ending: Ending | None) -> dict[str, object] | None:
    if ending is None:
        return None
    return {
        "how": ending.how,
        "player": ending.player,
        "bonus": ending.bonus,
        "reason": ending.reason,
    }
