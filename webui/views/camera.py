"""What the camera sees, the photos of the turns, and photos from a phone."""

from __future__ import annotations

from typing import Any

from flask import Blueprint, Response, abort, request

from webui.access import picture_sent, table
from webui.table import Eye

blueprint = Blueprint("camera", __name__)


@blueprint.get("/api/camera.jpg")
def preview() -> Response:
    """The present picture; `?marked` draws in what was understood."""
    return jpeg(_eye().preview("marked" in request.args), "there is no picture yet")


@blueprint.get("/api/turns/<int:number>/photo.jpg")
def photo(number: int) -> Response:
    """The photo that proves a turn."""
    game_id, cells = table().turn_cells(number)
    return jpeg(_eye().photo(game_id, cells), "no photo of this turn was kept")


@blueprint.post("/api/photo")
def send() -> tuple[dict[str, Any], int]:
    """Take a photo from a phone's browser."""
    eye = _eye()
    with picture_sent() as data:
        try:
            eye.send_photo(data)
        except ValueError as error:
            abort(422, str(error))
    return {}, 202


def _eye() -> Eye:
    eye = table().live
    if eye is None:
        abort(404, "there is no camera")
    return eye


def jpeg(data: bytes | None, missing: str) -> Response:
    """A picture that is another one every time."""
    if data is None:
        abort(404, missing)
    answer = Response(data, mimetype="image/jpeg")
    answer.headers["Cache-Control"] = "no-store"
    return answer
