"""Setting up the camera: how it is aimed, the family's own tiles, the table's plane, the lens."""

from __future__ import annotations

from contextlib import nullcontext
from typing import Any

from flask import Blueprint, Response, request

from webui.access import body, picture_sent, setup
from webui.views.camera import jpeg

blueprint = Blueprint("setup", __name__)


@blueprint.get("/api/calibration")
def known() -> dict[str, Any]:
    """What is known about the camera, and which tiles to lay out."""
    return setup().known()


@blueprint.get("/api/calibration/picture.jpg")
def picture() -> Response:
    """The picture that was looked at last, with what was understood."""
    return jpeg(setup().picture(), "no picture was looked at yet")


@blueprint.get("/calibration-sheet.pdf")
def sheet() -> Response:
    """The sheet for the lens, to be printed."""
    paper = request.args.get("paper", "a4")
    answer = Response(setup().sheet(paper), mimetype="application/pdf")
    answer.headers["Content-Disposition"] = f'attachment; filename="tiletally-{paper}.pdf"'
    return answer


@blueprint.post("/api/calibration/aim")
def aim() -> dict[str, Any]:
    """Look at the picture: is the table in view, sharp and well lit?"""
    return _step("aim")


@blueprint.post("/api/calibration/tiles")
def tiles() -> dict[str, Any]:
    """Learn light, colours and shapes from the tiles that were laid out."""
    return _step("tiles")


@blueprint.post("/api/calibration/plane")
def plane() -> dict[str, Any]:
    """Learn the table's plane from the tiles or the sheet lying there."""
    return _step("plane")


@blueprint.post("/api/calibration/sheet")
def sheet_photo() -> dict[str, Any]:
    """Take one photo of the sheet for the lens."""
    return _step("sheet")


@blueprint.post("/api/calibration/lens")
def lens() -> dict[str, Any]:
    """Learn the lens from the photos of the sheet."""
    return setup().step("lens", "", None)


@blueprint.post("/api/calibration/forget")
def forget() -> dict[str, Any]:
    """Forget what one step taught."""
    return setup().forget(str(body().get("what", "")))


@blueprint.post("/api/calibration/leave")
def leave() -> tuple[str, int]:
    """The set-up is over: the game is followed again at once."""
    setup().leave()
    return "", 204


def _step(name: str) -> dict[str, Any]:
    """Do a step with the picture that was sent, or else with one that the camera takes."""
    has_picture = bool(request.content_length) or request.mimetype.startswith("image/")
    steps = setup()
    with picture_sent() if has_picture else nullcontext() as photo:
        return steps.step(name, request.args.get("edition", ""), photo)
