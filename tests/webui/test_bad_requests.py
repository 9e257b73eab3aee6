"""Requests that nobody in good faith would send: one clear sentence, and nothing has changed."""

from __future__ import annotations

import json
import socket
import time
from typing import Any
from urllib.parse import urlsplit

import pytest
from flask import Flask
from flask.testing import FlaskClient

from tests.webui.conftest import tiles
from tiletally.session import Session
from tiletally.web_server import MOST_HEAD_BYTES

GAME: dict[str, Any] = {"rules": "flex", "players": ["Anna", "Ben"]}
LONGEST_SENTENCE = 300


def _refused(client: FlaskClient, path: str, body: bytes | dict[str, Any], status: int) -> str:
    data = body if isinstance(body, bytes) else json.dumps(body).encode()
    answer = client.post(path, data=data, content_type="application/json")
    assert answer.status_code == status, answer.text
    sentence: str = answer.get_json()["error"]
    assert 1 < len(sentence) <= LONGEST_SENTENCE
    assert "\n" not in sentence
    return sentence


@pytest.mark.parametrize(
    "path",
    [
        "/api/games/9223372036854775808",
        "/api/games/" + "9" * 5000,
        "/games/99999999999999999999.csv",
        "/api/turns/" + "9" * 5000 + "/photo.jpg",
        "/api/turns/٣/photo.jpg",
        "/api//state",
        "/api/games/1/",
    ],
)
def test_an_address_that_cannot_be_is_not_there(client: FlaskClient, path: str) -> None:
    client.post("/api/games", json=GAME)
    assert client.get(path).status_code == 404


def test_a_game_with_an_endless_number_cannot_be_resumed(client: FlaskClient) -> None:
    assert client.post("/api/games/36893488147419103231/resume").status_code == 404


@pytest.mark.parametrize("origin", ["http://[", "http://[::1", "null", "http://a:b:c", "é"])
def test_an_origin_that_is_no_address_is_another_site(client: FlaskClient, origin: str) -> None:
    headers = {"Origin": origin.encode().decode("latin-1")}
    assert client.post("/api/games", json=GAME, headers=headers).status_code == 403


@pytest.mark.parametrize(
    "change",
    [
        {"rules": [], "colours": ["a", "b", "c", "d", "e", "f"]},
        {"rules": {}, "colours": "a,b,c,d,e,f"},
        {"players": [{"name": "Anna", "colour": "\ud800"}, "Ben"]},
        {"players": [{"name": "Anna", "colour": "red\n"}, "Ben"]},
        {"colours": ["\ud800", "b", "c", "d", "e", "f"]},
        {"colours": [[], {}, None, 1, 2, 3]},
        {"late": {"scores": [0, 0], "board": [{"x": 0, "y": 0, "shape": {}, "colour": "red"}]}},
        {"options": {"tie": []}},
        {"options": {"expansions": [[]]}},
        {"expansions": {"a": 1}},
        {"expansions": [["mini"]]},
        {"players": ["Anna"] * 150},
    ],
)
def test_a_game_that_cannot_be_is_not_begun(
    client: FlaskClient, session: Session, change: dict[str, Any]
) -> None:
    answer = client.post("/api/games", json={**GAME, **change})
    assert answer.status_code in (400, 409), answer.text
    assert session.archive.games() == []
    assert session.players() == []


def test_half_a_letter_is_nobodys_name(client: FlaskClient) -> None:
    sentence = _refused(client, "/api/players/forget", b'{"name":"\\ud800"}', 409)
    assert "half a letter" in sentence


@pytest.mark.parametrize("name", ["", "\x00", "x" * 60_000])
def test_a_name_that_nobody_has_can_be_forgotten(client: FlaskClient, name: str) -> None:
    client.post("/api/games", json=GAME)
    answer = client.post("/api/players/forget", json={"name": name})
    assert answer.status_code == 200
    assert len(answer.get_json()["players"]) == 2


@pytest.mark.parametrize("depth", [20, 400, 900, 940, 960, 980, 30_000])
@pytest.mark.parametrize("path", ["/api/turn/place", "/api/turn/points", "/api/turns/1"])
def test_nesting_has_an_end(client: FlaskClient, path: str, depth: int) -> None:
    client.post("/api/games", json=GAME)
    for key in (b"placed", b"points", b"player"):
        body = b'{"%s":%s%s}' % (key, b"[" * depth, b"]" * depth)
        _refused(client, path, body, 400)


def test_brackets_inside_of_text_are_no_nesting(client: FlaskClient, session: Session) -> None:
    client.post("/api/games", json=GAME)
    body = {"player": 0, "points": 1, "reason": '[{\\"' * 30}
    assert client.post("/api/turn/adjust", json=body).status_code == 200
    assert session.state()["players"][0]["score"] == 1


def test_text_without_end_takes_no_time(client: FlaskClient) -> None:
    client.post("/api/games", json=GAME)
    begun = time.process_time()
    _refused(client, "/api/turn/points", b'"' + b'\\"' * 32_000, 400)
    assert time.process_time() - begun < 2


@pytest.mark.parametrize(
    "body",
    [
        {"points": "x" * 50_000},
        {"points": ["x"] * 9000},
        {"y" * 50_000: 1, "points": 1},
        {"points": 1, "player": "x" * 50_000},
        {"points": 10**4000},
    ],
)
def test_an_error_does_not_repeat_a_whole_book(client: FlaskClient, body: dict[str, Any]) -> None:
    client.post("/api/games", json=GAME)
    answer = client.post("/api/turn/points", json=body)
    assert answer.status_code in (400, 409)
    assert len(answer.get_json()["error"]) <= LONGEST_SENTENCE


def test_an_error_is_one_line_whatever_was_sent(client: FlaskClient) -> None:
    client.post("/api/games", json=GAME)
    tile = {"x": 0, "y": 0, "shape": "circle", "colour": "a\r\nb", "background": "black"}
    answer = client.post("/api/turn/place", json={"placed": [tile]})
    assert answer.get_json()["error"].splitlines() == [answer.get_json()["error"]]
    assert "a b" in answer.get_json()["error"]


@pytest.mark.parametrize("wish", ["special", "action"])
def test_an_action_that_no_box_holds_is_not_accepted(client: FlaskClient, wish: str) -> None:
    client.post("/api/games", json=GAME)
    _refused(client, f"/api/turn/{wish}", {"action": "win", "accepted": True}, 409)


def test_a_code_for_an_endless_name_is_refused(client: FlaskClient) -> None:
    for host in ("a" * 3000, ".".join(["abcdefgh"] * 400)):
        assert client.get("/qr.svg", headers={"Host": host}).status_code == 421


def test_looking_at_the_head_of_the_stream_holds_nothing(app: Flask, client: FlaskClient) -> None:
    answer = client.head("/api/events")
    assert answer.status_code == 405
    assert app.extensions["tiletally_seats"].take("127.0.0.1")


def _raw(url: str, data: bytes) -> tuple[int, dict[str, str], bytes]:
    place = urlsplit(url)
    with socket.create_connection((str(place.hostname), int(place.port or 0)), 20) as connection:
        connection.sendall(data)
        connection.shutdown(socket.SHUT_WR)
        answer = b"".join(iter(lambda: connection.recv(65_536), b""))
    head, _, body = answer.partition(b"\r\n\r\n")
    status, *lines = head.decode("latin-1").split("\r\n")
    fields = dict(line.split(": ", 1) for line in lines)
    return int(status.split()[1]), fields, body


@pytest.mark.parametrize(
    ("data", "status"),
    [
        (b"POST /api/turn/done HTTP/1.1\r\nTransfer-Encoding: gzip\r\n\r\n", 400),
        (b"POST /api/turn/done HTTP/1.1\r\nTransfer-Encoding: chunked\r\n\r\nzz\r\n", 400),
        (b"POST /api/turn/done HTTP/1.1\r\nContent-Length: -1\r\n\r\n", 400),
        (b"POST /api/photo HTTP/1.1\r\nContent-Length: 99999999\r\n\r\n", 413),
        (b"GET /api/state HTTP/1.1\r\nX: ".ljust(MOST_HEAD_BYTES, b"x"), 431),
        (b"GET /api/state HTTP/1.1\r\na b: c\r\n\r\n", 400),
        (b"nonsense\r\n\r\n", 400),
    ],
)
def test_what_is_no_http_is_refused_like_all_else(url: str, data: bytes, status: int) -> None:
    found, fields, body = _raw(url, data)
    assert (found, fields["Content-Type"]) == (status, "application/json")
    assert fields["X-Content-Type-Options"] == "nosniff"
    said = json.loads(body)
    assert set(said) == {"error", "code"}
    assert "\n" not in said["error"]
    assert "generated" not in said["error"]


def test_who_announces_a_body_and_has_none_is_answered(url: str) -> None:
    head = b"GET /api/state HTTP/1.1\r\nHost: localhost\r\nExpect: 100-continue\r\n"
    status, _, body = _raw(url, head + b"Connection: close\r\n\r\n")
    assert status == 200
    assert json.loads(body)["game"] is None


def test_all_of_it_left_the_game_as_it_was(client: FlaskClient, session: Session) -> None:
    client.post("/api/games", json=GAME)
    client.post("/api/turn/place", json={"placed": tiles("Ro@0,0")})
    before = session.state()
    for body in (b"{", b"[]", b'{"placed":NaN}', b"\xff", b'{"placed":[{"x":1e999}]}'):
        _refused(client, "/api/turn/place", body, 400)
    assert session.state() == before
