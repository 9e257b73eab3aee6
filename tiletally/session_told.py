"""The state as it is told: the game that is being played, and the live table's part of it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from scorer.tiles import Placed
from tiletally.session_live import LIVE_KEYS, Current
from tiletally.session_state import Plain, game_json, game_part, pending_json

_NO_GAME: Plain = {
    "game": None,
    "players": [],
    "next_player": None,
    "board": [],
    "turns": [],
    "last_turn": None,
    "tiles_left": None,
    "unseen": [],
    "warnings": [],
    "begun": None,
}
_NOTHING_SEEN: Plain = {
    "pending": None,
    "illegal": None,
    "questions": [],
    "camera": None,
    "border": None,
}


def current_part(current: Current | None, players: Sequence[Plain]) -> Plain:
    """The game that is being played; `players` are the remembered ones with their colours."""
    if current is None:
        return dict(_NO_GAME)
    about = {"id": current.game_id, "seq": current.seq, "started_at": current.started_at}
    colours = {player["name"]: player["colour"] for player in players}
    game = {**about, **game_json(current.game)}
    return {"game": game, **game_part(current.game, colours)}


def live_part(current: Current | None, part: Plain, draft: tuple[Placed, ...]) -> Plain:
    """What the live table tells; a move that a person is entering comes before what it sees."""
    told = {**_NOTHING_SEEN, **part}
    if current is not None and draft:
        told["pending"] = {**pending_json(current.game, draft), "by_hand": True}
        told["illegal"] = None
    return told


def checked_part(part: Mapping[str, Any]) -> Plain:
    """The part of the state that a live table tells, if it keeps to its keys.

    Raises:
        ValueError: It does not.
    """
    unknown = set(part) - set(LIVE_KEYS)
    if unknown:
        raise ValueError(f"a live table does not tell {sorted(unknown)[0]!r}")
    return dict(part)
