"""The state, new games, players, settings, health."""

from __future__ import annotations

from typing import Any

from flask import Blueprint, Response, abort, jsonify, request

from webui.access import body, command_id, table, ticketed

blueprint = Blueprint("game", __name__)


@blueprint.get("/api/state")
def state() -> Response:
    """The whole present state."""
    snapshot = table().snapshot()
    answer = Response(snapshot.text, mimetype="application/json")
    answer.set_etag(snapshot.version)
    answer.headers["Cache-Control"] = "no-cache"
    answer.make_conditional(request)
    return answer


@blueprint.post("/api/games")
def new_game() -> tuple[Response, int]:
    """Start a game."""
    wish = body()
    command = command_id(wish)
    return jsonify(table().new_game(wish, command)), 201


@blueprint.post("/api/rematch")
def rematch() -> tuple[Response, int]:
    """Start the same game once more."""
    _, ticket = ticketed()
    return jsonify(table().rematch(ticket)), 201


@blueprint.get("/api/players")
def players() -> Response:
    """All remembered players."""
    return jsonify(players=table().players())


@blueprint.post("/api/players/forget")
def forget() -> Response:
    """Do not offer a player any more."""
    name = body().get("name")
    if not isinstance(name, str):
        abort(400, "say which name")
    table().forget_player(name)
    return jsonify(players=table().players())


@blueprint.post("/api/settings")
def settings() -> dict[str, Any]:
    """Change settings that hold for everybody."""
    return table().change_settings(body())


@blueprint.get("/healthz")
def healthz() -> tuple[Response, int]:
    """Whether camera, journal and disk are well."""
    is_well, parts = table().health()
    return jsonify(parts), 200 if is_well else 503
