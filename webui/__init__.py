"""The page of the scorekeeper: a Flask application around a game session.

It shows what the session tells and sends what people tap. It computes no rule and no pixel.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path

from flask import Flask
from werkzeug.routing import IntegerConverter

from webui import errors, events, guard
from webui.hosts import Hosts
from webui.locales import Locales
from webui.lock import Lock
from webui.table import Setup, Table
from webui.views import archive, camera, game, page, pin, setup, turns

MOST_BYTES = 64 * 1024
"""A table of 108 tiles takes 9 kB; photos have a limit of their own."""


class Number(IntegerConverter):
    """A number in an address: of a game or a turn, so nine digits are more than enough."""

    regex = "[0-9]{1,9}"


def create_app(
    table: Table,
    find_address: Callable[[], str] | None = None,
    names: Sequence[str] = (),
    pin_folder: Path | None = None,
    camera_setup: Setup | None = None,
) -> Flask:
    """The application for one session.

    Args:
        table: The game session.
        find_address: Finds where other devices find the page, such as `http://10.0.0.7:8000`; that
            may change, and wireless networks are often there after the page.
        names: How this machine is called in the home network.
        pin_folder: Where the PIN is kept; without one, only as long as the program runs.
        camera_setup: What sets up the camera, where there may be one.
    """
    app = Flask(__name__)
    app.url_map.merge_slashes = False  # nothing here ever sends a browser elsewhere
    app.config["MAX_CONTENT_LENGTH"] = MOST_BYTES
    app.json.sort_keys = False  # type: ignore[attr-defined]  # the default provider has it
    app.url_map.converters["int"] = Number
    app.extensions["tiletally"] = table
    app.extensions["tiletally_find_address"] = find_address
    app.extensions["tiletally_hosts"] = Hosts(names)
    app.extensions["tiletally_lock"] = Lock(pin_folder)
    app.extensions["tiletally_setup"] = camera_setup
    app.extensions["tiletally_locales"] = Locales.load()
    guard.init_app(app)
    errors.init_app(app)
    events.init_app(app)
    for view in (page, game, turns, archive, camera, setup, pin):
        app.register_blueprint(view.blueprint)
    return app
