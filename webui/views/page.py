"""The page itself: one document, its words, the way to it."""

from __future__ import annotations

import io
from pathlib import Path

import segno
from flask import Blueprint, Response, abort, current_app, jsonify, render_template, request

from webui.access import address, locales
from webui.hosts import name_of
from webui.locales import LANGUAGES, choose

blueprint = Blueprint("page", __name__)

_DESCRIPTION = Path(__file__).parents[1] / "openapi.json"
_LOCAL = ("localhost", "127.0.0.1", "[::1]")


@blueprint.get("/")
def index() -> str:
    """The one document; its modules do the rest."""
    language = choose(request.cookies.get("language"), request.accept_languages)
    words = locales()
    return render_template(
        "index.html",
        language=language,
        address=_address(),
        modules=_modules(),
        say=lambda key: words.say(language, key),
    )


@blueprint.get("/locales/<language>.json")
def words(language: str) -> Response:
    """All words of one language."""
    if language not in LANGUAGES:
        abort(404, f"there is no language {language!r}")
    answer = jsonify(locales().words[language])
    answer.add_etag()
    answer.make_conditional(request)
    return answer


@blueprint.get("/qr.svg")
def qr() -> Response:
    """The address of the page, for a phone's camera."""
    file = io.BytesIO()
    try:
        code = segno.make(_address(), error="m", micro=False)
    except segno.DataOverflowError:
        abort(400, "the name of this place is too long for a code")
    code.save(file, kind="svg", scale=8, border=2, xmldecl=False, omitsize=True, light="#fff")
    return Response(file.getvalue(), mimetype="image/svg+xml")


@blueprint.get("/manifest.webmanifest")
def manifest() -> Response:
    """What a home screen wants to know."""
    icons = [
        {"src": f"/static/icon-{size}.png", "sizes": f"{size}x{size}", "type": "image/png"}
        for size in (192, 512)
    ]
    about = {
        "name": "tiletally",
        "short_name": "tiletally",
        "start_url": "/",
        "display": "standalone",
        "background_color": "#14181c",
        "theme_color": "#14181c",
        "icons": icons,
    }
    answer = jsonify(about)
    answer.mimetype = "application/manifest+json"
    return answer


@blueprint.get("/api/openapi.json")
def description() -> Response:
    """Every call of the page, for programs."""
    return Response(_DESCRIPTION.read_bytes(), mimetype="application/json")


def _address() -> str:
    """Where another device finds this page: not by the name of this machine for itself."""
    found = address() if name_of(request.host) in _LOCAL else None
    return found or request.host_url.rstrip("/")


def _modules() -> list[str]:
    """All modules, so that the browser asks for them at once and not one after the other."""
    folder = Path(str(current_app.static_folder)) / "js"
    return sorted(path.relative_to(folder).as_posix() for path in folder.rglob("*.js"))
