"""Every call of the contract, and how each refuses what cannot be."""

from __future__ import annotations

from typing import Any

import pytest
from flask.testing import FlaskClient

from scorer.journal import JournalError
from tests.webui.conftest import lay, tiles
from tiletally.session import Session

GAME = {"rules": "classic", "players": ["Anna", "Ben"]}


@pytest.fixture
def playing(client: FlaskClient) -> FlaskClient:
    assert client.post("/api/games", json={**GAME, "command": "start"}).status_code == 201
    return client


def state(client: FlaskClient) -> dict[str, Any]:
    answer = client.get("/api/state")
    assert answer.status_code == 200
    data: dict[str, Any] = answer.get_json()
    return data


def test_the_state_tells_everything(playing: FlaskClient, session: Session) -> None:
    lay(session, "Ro@0,0 Rs@1,0")
    told = state(playing)
    assert {
        "game", "players", "next_player", "board", "pending", "last_turn", "tiles_left", "camera"
    } <= set(told)  # fmt: skip
    assert [player["score"] for player in told["players"]] == [2, 0]
    assert told["last_turn"]["lines"][0]["points"] == 2


def test_an_unchanged_state_is_not_sent_again(playing: FlaskClient) -> None:
    tag = playing.get("/api/state").headers["ETag"]
    assert playing.get("/api/state", headers={"If-None-Match": tag}).status_code == 304


def test_a_turn_by_hand(playing: FlaskClient) -> None:
    placed = tiles("Ro@0,0 Rs@1,0 Rd@2,0")
    assert playing.post("/api/judge", json={"placed": placed}).get_json()["points"] == 3
    assert playing.post("/api/turn/place", json={"placed": placed}).status_code == 200
    after = playing.post("/api/turn/done").get_json()
    assert after["players"][0]["score"] == 3
    assert playing.post("/api/turn/undo").get_json()["players"][0]["score"] == 0
    assert playing.post("/api/turn/redo").get_json()["players"][0]["score"] == 3
    assert playing.post("/api/turn/exchange", json={"count": 2}).get_json()["next_player"] == 0
    assert playing.post("/api/turns/1", json={"points": 7}).get_json()["players"][0]["score"] == 7


@pytest.mark.parametrize(
    ("path", "body", "status"),
    [
        ("/api/games", {}, 400),
        ("/api/games", {"rules": "chess", "players": ["A", "B"]}, 409),
        ("/api/games", {"rules": "flex", "players": ["A"]}, 409),
        ("/api/games", {"rules": "flex", "players": "AB"}, 400),
        ("/api/games", {"rules": "flex", "players": ["A", "A"]}, 409),
        ("/api/games", {**GAME, "colours": ["red"]}, 400),
        ("/api/games", {**GAME, "wishes": 3}, 400),
        ("/api/turn/fly", {}, 404),
        ("/api/turn/done", {}, 409),
        ("/api/turn/hold", {}, 409),
        ("/api/turn/redo", {}, 409),
        ("/api/turn/exchange", {}, 400),
        ("/api/turn/exchange", {"count": 2}, 422),
        ("/api/turn/pass", {"seq": "x"}, 400),
        ("/api/turn/pass", {"command": "no spaces, please"}, 400),
        ("/api/turn/place", {"placed": "all"}, 400),
        ("/api/turn/place", {"placed": [{"x": 0}]}, 400),
        ("/api/turn/points", {"points": 10**9}, 400),
        ("/api/turns/1", {"points": 5}, 409),
        ("/api/turns/1/fold", {}, 404),
        ("/api/turns/99999999999999999999", {}, 404),
        ("/api/settings", {"close_turn_after_s": -1}, 400),
        ("/api/settings", {"colour": "pink"}, 400),
        ("/api/games/7/resume", {}, 404),
    ],
)
def test_what_cannot_be_done_is_told(
    playing: FlaskClient, path: str, body: dict[str, Any], status: int
) -> None:
    before = state(playing)
    answer = playing.post(path, json=body)
    assert answer.status_code == status
    assert answer.get_json()["error"]
    assert state(playing) == before


@pytest.mark.parametrize(
    ("data", "content_type", "status"),
    [
        (b"{", "application/json", 400),
        (b"[]", "application/json", 400),
        (b'{"count": NaN}', "application/json", 400),
        (b"count=1", "application/x-www-form-urlencoded", 415),
        (b" " * 70_000, "application/json", 413),
        (b'{"x":' + b"[" * 30_000, "application/json", 400),
    ],
)
def test_a_broken_body_is_refused(
    playing: FlaskClient, data: bytes, content_type: str, status: int
) -> None:
    answer = playing.post("/api/turn/exchange", data=data, content_type=content_type)
    assert answer.status_code == status
    assert answer.get_json()["error"]


@pytest.mark.parametrize(
    "path", ["/nowhere", "/api/games/7", "/api/likely?x=a&y=0", "/locales/xx.json"]
)
def test_what_is_not_there_is_told_as_json(playing: FlaskClient, path: str) -> None:
    answer = playing.get(path)
    assert answer.status_code in (400, 404)
    assert answer.get_json()["error"]


def test_a_repeated_command_counts_once(playing: FlaskClient, session: Session) -> None:
    lay(session, "Ro@0,0 Rs@1,0")
    body = {"count": 1, "command": "c-1", "game": 1, "seq": 2}
    first = playing.post("/api/turn/exchange", json=body).get_json()
    again = playing.post("/api/turn/exchange", json=body).get_json()
    assert len(first["turns"]) == len(again["turns"]) == 2


def test_a_stale_edit_is_refused_with_the_newer_state(
    playing: FlaskClient, session: Session
) -> None:
    lay(session, "Ro@0,0 Rs@1,0")
    answer = playing.post("/api/turn/exchange", json={"count": 1, "game": 1, "seq": 1})
    assert answer.status_code == 409
    assert answer.get_json()["code"] == "stale"
    assert answer.get_json()["state"]["game"]["seq"] == 2


def test_an_illegal_turn_names_its_cells(playing: FlaskClient) -> None:
    playing.post("/api/turn/place", json={"placed": tiles("Ro@0,0 Bs@1,0")})
    answer = playing.post("/api/turn/done")
    assert answer.status_code == 422
    assert answer.get_json()["violations"][0]["code"] == "line_mismatch"
    assert playing.post("/api/turn/accept").status_code == 200


def test_corrections_by_name(playing: FlaskClient, session: Session) -> None:
    lay(session, "Ro@0,0 Rs@1,0", "Rd@2,0")
    assert playing.post("/api/turns/1/merge").get_json()["players"][0]["score"] == 3
    assert (
        len(playing.post("/api/turns/1/split", json={"cells": [[0, 0]]}).get_json()["turns"]) == 2
    )
    after = playing.post("/api/turns/2", json={"player": "Anna"}).get_json()
    assert after["turns"][1]["player"] == 0
    assert len(playing.post("/api/turns/2/remove").get_json()["turns"]) == 1


def test_the_archive_and_a_rematch(playing: FlaskClient, session: Session) -> None:
    lay(session, "Ro@0,0 Rs@1,0")
    playing.post("/api/turn/end", json={"player": 0})
    listed = playing.get("/api/games").get_json()
    assert (listed["games"][0]["winners"], listed["players"][0]["games"]) == ([0], 1)
    assert playing.get("/api/games/1").get_json()["players"][0]["score"] == 8
    csv = playing.get("/games/1.csv")
    assert "attachment" in csv.headers["Content-Disposition"]
    assert b"Anna" in csv.data
    assert playing.post("/api/rematch", json={}).status_code == 201
    assert state(playing)["game"]["id"] == 2
    assert playing.post("/api/games/1/resume", json={}).get_json()["game"]["id"] == 1


def test_players_are_remembered_and_forgotten(playing: FlaskClient) -> None:
    names = {player["name"] for player in playing.get("/api/players").get_json()["players"]}
    assert names == {"Anna", "Ben"}
    left = playing.post("/api/players/forget", json={"name": "Ben"}).get_json()["players"]
    assert [player["name"] for player in left] == ["Anna"]


def test_health(playing: FlaskClient, session: Session, monkeypatch: pytest.MonkeyPatch) -> None:
    answer = playing.get("/healthz")
    assert answer.status_code == 200
    assert answer.get_json()["journal"] == "ok"

    def broken() -> None:
        raise JournalError("The disk reports an error.", "disk_error")

    monkeypatch.setattr(session._journal, "players", broken)
    assert playing.get("/healthz").status_code == 503


def test_a_full_disk_is_told_and_changes_nothing(
    playing: FlaskClient, session: Session, monkeypatch: pytest.MonkeyPatch
) -> None:
    def full(*_: object, **__: object) -> None:
        raise JournalError("The disk is full, nothing was saved.", "disk_full")

    playing.post("/api/turn/place", json={"placed": tiles("Ro@0,0 Rs@1,0")})
    monkeypatch.setattr(session._journal, "append", full)
    answer = playing.post("/api/turn/done")
    assert (answer.status_code, answer.get_json()["code"]) == (507, "disk_full")
    assert state(playing)["turns"] == []


def test_without_a_camera_there_are_no_pictures(playing: FlaskClient, session: Session) -> None:
    lay(session, "Ro@0,0 Rs@1,0")
    assert playing.get("/api/camera.jpg").status_code == 404
    assert playing.get("/api/turns/1/photo.jpg").status_code == 404
    assert playing.post("/api/photo", data=b"x", content_type="image/jpeg").status_code == 404
    assert playing.post("/api/photo", data=b"x", content_type="text/plain").status_code == 415


def test_every_answer_is_guarded(client: FlaskClient) -> None:
    for path in ("/", "/api/state", "/static/js/main.js", "/qr.svg", "/nowhere"):
        with client.get(path) as answer:
            headers = answer.headers
        assert headers["Content-Security-Policy"].startswith("default-src 'self'")
        assert headers["X-Content-Type-Options"] == "nosniff"
        assert headers["X-Frame-Options"] == "DENY"


def test_another_site_cannot_tap(client: FlaskClient) -> None:
    there = {"Origin": "http://elsewhere.example"}
    assert client.post("/api/games", json=GAME, headers=there).status_code == 403
    here = {"Origin": "http://localhost"}
    assert client.post("/api/games", json=GAME, headers=here).status_code == 201


def test_the_page_speaks_the_language_of_the_browser(client: FlaskClient) -> None:
    assert b'lang="de"' in client.get("/", headers={"Accept-Language": "de-CH,de;q=0.9"}).data
    assert b'lang="en"' in client.get("/", headers={"Accept-Language": "nl"}).data
    client.set_cookie("language", "it")
    assert b'lang="it"' in client.get("/", headers={"Accept-Language": "de"}).data


def test_a_name_is_never_html(client: FlaskClient) -> None:
    name = "<img src=x>"
    client.post("/api/games", json={"rules": "classic", "players": [name, "Ben"]})
    assert name.encode() not in client.get("/").data
    assert state(client)["players"][0]["name"] == name


def test_the_address_for_other_devices(client: FlaskClient) -> None:
    assert b"http://10.0.0.7:8000" in client.get("/").data
    assert b"http://tiletally.local" in client.get("/", base_url="http://tiletally.local").data
    assert client.get("/qr.svg").mimetype == "image/svg+xml"
