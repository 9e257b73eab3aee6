"""What a live table contributes: pictures, questions, illegal moves, the countdown."""

from __future__ import annotations

import threading
from collections.abc import Mapping
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import pytest
from flask import Flask
from flask.testing import FlaskClient
from playwright.sync_api import expect

from scorer.notation import parse_move
from tests.webui.conftest import OpenPage, lay, tiles
from tests.webui.family import Person
from tiletally.session import Session, pending_json
from tiletally.session_live import AnyTicket
from webui.access import MOST_PICTURES

JPEG = b"\xff\xd8\xff\xe0 picture"


class Eye:
    """A live table that sees what the test tells it."""

    def __init__(self) -> None:
        self.wishes: list[tuple[str, dict[str, Any]]] = []
        self.photos: list[bytes] = []

    def wish(self, name: str, params: Mapping[str, Any], ticket: AnyTicket) -> bool:
        self.wishes.append((name, dict(params)))
        return True

    def preview(self, is_marked: bool) -> bytes | None:
        return JPEG + (b" marked" if is_marked else b"")

    def photo(self, game_id: int, cells: frozenset[tuple[int, int]]) -> bytes | None:
        return JPEG if (0, 0) in cells else None

    def send_photo(self, data: bytes) -> None:
        if not data.startswith(b"\xff\xd8"):
            raise ValueError("this is no picture")
        self.photos.append(data)

    def close(self) -> None:
        pass


@pytest.fixture
def eye(session: Session) -> Eye:
    session.new_game({"rules": "classic", "players": ["Anna", "Ben"]})
    lay(session, "Ro@0,0 Rs@1,0", "Rd@2,0")
    eye = Eye()
    session.attach(eye)
    return eye


def shown(session: Session, **part: object) -> None:
    session.show({"camera": {"state": "ok", "source": "usb:0", "hints": []}, **part})


def test_pictures(client: FlaskClient, eye: Eye) -> None:
    assert client.get("/api/camera.jpg").data == JPEG
    assert client.get("/api/camera.jpg?marked").data.endswith(b"marked")
    assert client.get("/api/turns/1/photo.jpg").mimetype == "image/jpeg"
    assert client.get("/api/turns/2/photo.jpg").status_code == 404
    assert client.get("/api/turns/9/photo.jpg").status_code == 409


@pytest.mark.parametrize(
    ("data", "status"),
    [(JPEG + b"x" * 200_000, 202), (b"GIF", 422), (b"\xff\xd8" + b"x" * 21_000_000, 413)],
)
def test_photos_from_a_phone(client: FlaskClient, eye: Eye, data: bytes, status: int) -> None:
    answer = client.post("/api/photo", data=data, content_type="image/jpeg")
    assert answer.status_code == status
    assert len(eye.photos) == (status == 202)


def test_photos_that_are_read_at_a_time_have_a_bound(
    app: Flask, client: FlaskClient, eye: Eye, monkeypatch: pytest.MonkeyPatch
) -> None:
    reading, go_on = threading.Semaphore(0), threading.Event()

    def read_slowly(data: bytes) -> None:
        reading.release()
        assert go_on.wait(20)

    def send(client: FlaskClient) -> int:
        return client.post("/api/photo", data=JPEG, content_type="image/jpeg").status_code

    monkeypatch.setattr(eye, "send_photo", read_slowly)
    with ThreadPoolExecutor(MOST_PICTURES) as devices:
        sent = [devices.submit(send, app.test_client()) for _ in range(MOST_PICTURES)]
        assert all(reading.acquire(timeout=20) for _ in sent)
        refused = client.post("/api/photo", data=JPEG, content_type="image/jpeg")
        go_on.set()
    assert (refused.status_code, refused.get_json()["code"]) == (503, "busy")
    assert int(refused.headers["Retry-After"]) > 0
    assert [each.result() for each in sent] == [202] * MOST_PICTURES
    assert [send(client) for _ in range(MOST_PICTURES + 1)] == [202] * (MOST_PICTURES + 1)


def test_a_question_is_answered_with_one_tap(
    open_page: OpenPage, session: Session, eye: Eye
) -> None:
    choices = tiles("Rd@2,0") + tiles("Od@2,0")
    ask = {"id": "2,0", "code": "which_tile", "cell": [2, 0], "params": {}, "choices": choices}
    shown(session, questions=[ask])
    page = open_page("score")
    expect(page.locator(".panel.ask")).to_contain_text("red diamond or a orange diamond")
    page.get_by_role("button", name="orange diamond").tap()
    page.wait_for_timeout(300)
    (name, params) = eye.wishes[-1]
    assert (name, params["question"], params["choice"]) == ("answer", "2,0", 1)


def test_a_pending_move_counts_down_and_waits(
    open_page: OpenPage, session: Session, eye: Eye
) -> None:
    current = session.current()
    assert current is not None
    pending = pending_json(current.game, parse_move("Rc@3,0"))
    clock = {"left_s": 6.0, "of_s": 6.0}
    shown(session, pending={**pending, "held": False, "countdown": clock})
    page = open_page("score")
    person = Person(page)
    expect(page.locator(".panel.pending .points")).to_have_text("+4")
    expect(page.locator(".bar .fill")).to_be_visible()
    person.tap("Wait")
    person.tap("Done")
    page.wait_for_timeout(300)
    assert [name for name, _ in eye.wishes] == ["hold", "done"]
    assert eye.wishes[0][1]["on"] is True


def test_an_illegal_move_of_the_camera_is_explained(
    open_page: OpenPage, session: Session, eye: Eye
) -> None:
    current = session.current()
    assert current is not None
    shown(session, illegal=pending_json(current.game, parse_move("Bo@3,0")))
    page = open_page("score", language="de")
    expect(page.locator(".panel.wrong")).to_contain_text("passen nicht in eine Zeile")
    page.get_by_role("button", name="Trotzdem zählen").tap()
    page.wait_for_timeout(300)
    assert eye.wishes[-1][0] == "accept"


def test_a_lost_camera_is_told_in_words(open_page: OpenPage, session: Session, eye: Eye) -> None:
    hints = [{"code": "too_dark", "params": {}}]
    session.show({"camera": {"state": "lost", "source": "usb:0", "hints": hints}})
    page = open_page("score")
    expect(page.locator("#status .alert")).to_contain_text("play on by hand")
    expect(page.locator(".notices")).to_contain_text("too dark")
    page.locator("#status .alert").tap()
    page.wait_for_selector(".camera-view")
