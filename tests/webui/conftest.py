"""A session, its page, and a real browser in front of it."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from flask import Flask
from flask.testing import FlaskClient
from playwright.sync_api import Browser, Page
from werkzeug.test import TestResponse

from scorer.notation import parse_move
from scorer.plain import tile_json
from tests.webui.described import Answer, Description
from tiletally.session import Session, Ticket
from tiletally.web_server import WebServer
from webui import create_app

PHONE, TABLET, UPRIGHT, TV = (390, 844), (1280, 800), (800, 1280), (1920, 1080)
OpenPage = Callable[..., Page]
DESCRIPTION = Description.load()


class DescribedClient(FlaskClient):
    """Asks the page, and holds every answer against the description of the calls."""

    def open(self, *args: Any, **kwargs: Any) -> TestResponse:  # noqa: ANN401 - Flask's own
        answer = super().open(*args, **kwargs)
        if not answer.is_streamed or answer.mimetype != "text/event-stream":
            told = answer.request
            kind = answer.mimetype or ""
            found = Answer(told.method, told.path, answer.status_code, kind, answer.data)
            assert DESCRIPTION.problem(found) is None
        return answer


def tiles(text: str) -> list[dict[str, object]]:
    """The tiles of a move in the text notation."""
    return [tile_json(placed) for placed in parse_move(text)]


def lay(session: Session, *moves: str) -> None:
    """Play moves by hand."""
    for move in moves:
        session.command("place", {"placed": tiles(move)}, Ticket())
        session.command("done", {}, Ticket())


@pytest.fixture
def session(tmp_path: Path) -> Iterator[Session]:
    session = Session.open(tmp_path)
    yield session
    session.close()


@pytest.fixture
def app(session: Session) -> Flask:
    app = create_app(session, lambda: "http://10.0.0.7:8000")
    app.test_client_class = DescribedClient
    return app


@pytest.fixture
def client(app: Flask) -> FlaskClient:
    return app.test_client()


@pytest.fixture
def url(session: Session, app: Flask) -> Iterator[str]:
    """The address of a running server."""
    server = WebServer(app, "127.0.0.1", 0)
    server.start()
    yield f"http://127.0.0.1:{server.port}"
    session.let_go()
    server.stop(within_s=20)


@pytest.fixture
def open_page(browser: Browser, url: str) -> Iterator[OpenPage]:
    """Opens a view as a device of a given size would; errors of its scripts fail the test."""
    contexts = []
    problems: list[str] = []

    def open_page(
        view: str = "score",
        size: tuple[int, int] = TABLET,
        language: str = "en",
        theme: str = "light",
    ) -> Page:
        context = browser.new_context(
            viewport={"width": size[0], "height": size[1]},
            has_touch=True,
            locale=language,
            reduced_motion="reduce",
            color_scheme="dark" if theme == "dark" else "light",
        )
        contexts.append(context)
        page = context.new_page()
        page.set_default_timeout(float(os.environ.get("TILETALLY_TEST_WAIT_MS", "15000")))
        page.on("pageerror", lambda error: problems.append(str(error)))
        page.goto(f"{url}/#/{view}")
        page.wait_for_selector(".view")
        return page

    yield open_page
    for context in contexts:
        context.close()
    assert problems == []
