"""The page of the scorekeeper: a Flask application around a game session.

It shows what the session tells and sends what people tap. It computes no rule and no pixel.
"""

from __future__ import annotations

from collections.abc import Sequence

from flask import Flask

from webui import errors, events, guard
from webui.locales import Locales
from webui.table import Table
from webui.views import archive, camera, game, page, turns

MOST_BYTES = 64 * 1024
"""A table of 108 tiles takes 9 kB; photos have a limit of their own."""


def create_app(table: Table, addresses: Sequence[str] = ()) -> Flask:
    """The application for one session.

    Args:
        table: The game session.
        addresses: Where other devices find the page, best first, such as `http://10.0.0.7:8000`.
    """
    app = Flask(__name__)
    app.config["MAX_CONTENT_LENGTH"] = MOST_BYTES
    app.json.sort_keys = False  # type: ignore[attr-defined]  # the default provider has it
    app.extensions["tiletally"] = table
    app.extensions["tiletally_addresses"] = tuple(addresses)
    app.extensions["tiletally_locales"] = Locales.load()
    guard.init_app(app)
    errors.init_app(app)
    events.init_app(app)
    for view in (page, game, turns, archive, camera):
        app.register_blueprint(view.blueprint)
    return app
