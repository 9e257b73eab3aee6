"""What the buttons do, and corrections."""

from __future__ import annotations

from typing import Any

from flask import Blueprint, abort, request

from webui.access import body, table, ticketed

blueprint = Blueprint("turns", __name__)

_WISHES = (
    "done",
    "hold",
    "accept",
    "place",
    "answer",
    "exchange",
    "pass",
    "points",
    "action",
    "special",
    "adjust",
    "end",
    "undo",
    "redo",
)
_CORRECTIONS = {
    "accept": "accept_turn",
    "merge": "merge",
    "split": "split",
    "remove": "remove",
    "insert": "insert",
}


@blueprint.post("/api/turn/<wish>")
def turn(wish: str) -> dict[str, Any]:
    """What a button of the present turn does."""
    if wish not in _WISHES:
        abort(404, f"there is no button {wish!r}")
    params, ticket = ticketed()
    return table().command(wish, params, ticket)


@blueprint.post("/api/turns/<int:number>")
def correct(number: int) -> dict[str, Any]:
    """Correct the tiles, the player or the points of a turn."""
    params, ticket = ticketed()
    return table().command("correct", {**params, "turn": number}, ticket)


@blueprint.post("/api/turns/<int:number>/<what>")
def mend(number: int, what: str) -> dict[str, Any]:
    """Accept, merge, split, remove or insert a turn."""
    if what not in _CORRECTIONS:
        abort(404, f"there is no correction {what!r}")
    params, ticket = ticketed()
    return table().command(_CORRECTIONS[what], {**params, "turn": number}, ticket)


@blueprint.post("/api/judge")
def judge() -> dict[str, Any]:
    """What a move would count, without playing it."""
    return table().judge(body())


@blueprint.get("/api/likely")
def likely() -> dict[str, Any]:
    """Which tiles may lie on a cell."""
    x, y = _whole("x"), _whole("y")
    number = _whole("turn") if "turn" in request.args else None
    return {"tiles": table().likely((x, y), number)}


def _whole(name: str) -> int:
    text = request.args.get(name, "")
    if not text.removeprefix("-").isdecimal() or len(text) > 6:
        abort(400, f"{name} must be a whole number")
    return int(text)
