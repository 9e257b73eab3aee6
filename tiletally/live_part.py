"""The live table's part of the state, as plain JSON."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np

from scorer.tiles import Cell
from tiletally.live_game import FollowedGame
from tiletally.live_pending import Countdown
from tiletally.session_state import pending_json
from vision.align import Quad, edge_px

BORDER_TILES = 1.5
"""Room between the layout and the border, in tile edges, below which people are warned."""


def live_part(followed: FollowedGame, size_wh: tuple[int, int], pace: float) -> dict[str, Any]:
    """Everything but the camera; times are divided by the `pace` of a simulated clock."""
    turn, game = followed.turn, followed.game
    pending = None if turn.is_illegal else turn.pending
    quads = {**followed.onlooker.follower.quads, **(turn.pending.quads if turn.pending else {})}
    part: dict[str, Any] = {
        "pending": None,
        "illegal": pending_json(game, followed.illegal) if followed.illegal else None,
        "questions": [question.to_json() for question in followed.open_questions],
        "border": border_json(quads, size_wh),
    }
    if pending is not None:
        action = "take" if pending.taken else ""
        part["pending"] = {
            **pending_json(game, pending.move, pending.taken, action),
            "doubt": pending.doubt,
            "held": pending.is_held,
            "countdown": _countdown(turn.countdown(followed.now_s), pace),
        }
    return part


def _countdown(countdown: Countdown | None, pace: float) -> dict[str, float] | None:
    if countdown is None:
        return None
    return {
        "left_s": round(countdown.left_s / pace, 1),
        "of_s": round(countdown.of_s / pace, 1),
    }


def border_json(quads: Mapping[Cell, Quad], size_wh: tuple[int, int]) -> dict[str, Any] | None:
    """The sides of the picture that the layout has nearly reached, and the room left in tiles."""
    if not quads or not size_wh[0]:
        return None
    corners = np.vstack(list(quads.values()))
    edge = float(np.median([edge_px(quad) for quad in quads.values()]))
    low, high = corners.min(0), np.array(size_wh) - corners.max(0)
    room = {"left": low[0], "top": low[1], "right": high[0], "bottom": high[1]}
    sides = [side for side, px in room.items() if px < BORDER_TILES * edge]
    if not sides:
        return None
    return {"sides": sides, "tiles": max(0, int(min(room.values()) / edge))}
