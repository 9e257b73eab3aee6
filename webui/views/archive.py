"""All games that were played, and what they say about the players."""

from __future__ import annotations

from typing import Any

from flask import Blueprint, Response

from webui.access import table

blueprint = Blueprint("archive", __name__)


@blueprint.get("/api/games")
def games() -> dict[str, Any]:
    """One line for each game, and the players over time."""
    archive = table().archive
    return {"games": archive.games(), "players": archive.statistics()}


@blueprint.get("/api/games/<int:game_id>")
def game(game_id: int) -> dict[str, Any]:
    """One game in the shape of the state."""
    return table().archive.game(game_id)


@blueprint.post("/api/games/<int:game_id>/resume")
def resume(game_id: int) -> dict[str, Any]:
    """Go on with an older game."""
    return table().resume(game_id)


@blueprint.get("/games/<int:game_id>.csv")
def csv(game_id: int) -> Response:
    """One game as a table for a spreadsheet."""
    answer = Response(table().archive.csv(game_id), mimetype="text/csv")
    answer.headers["Content-Disposition"] = f'attachment; filename="qwirkle-{game_id}.csv"'
    return answer
