"""The stream of states: at once, in order, resumed by id, and never in the way."""

from __future__ import annotations

import http.client
import json
import threading
import time
import urllib.request
from typing import Any

import pytest
from flask import Flask
from flask.testing import FlaskClient

from tests.webui.conftest import lay
from tiletally.session import Session
from webui import events
from webui.events import Seats

GAME = {"rules": "classic", "players": ["Anna", "Ben"]}


class Follower:
    """A device that follows the stream."""

    def __init__(self, url: str, known: str = "") -> None:
        headers = {"Last-Event-ID": known} if known else {}
        request = urllib.request.Request(f"{url}/api/events", headers=headers)
        self._answer: http.client.HTTPResponse = urllib.request.urlopen(request, timeout=10)

    def next(self) -> tuple[str, dict[str, Any]]:
        """The id and the state of the next event."""
        number = ""
        while True:
            line = self._answer.readline().decode()
            if line.startswith("id: "):
                number = line[4:].strip()
            if line.startswith("data: "):
                return number, json.loads(line[6:])

    def rest(self) -> str:
        """Everything until the stream ends."""
        return self._answer.read().decode()

    def close(self) -> None:
        self._answer.close()


def test_each_change_is_one_event(session: Session, url: str) -> None:
    follower = Follower(url)
    assert follower.next()[1]["game"] is None
    session.new_game(GAME)
    assert follower.next()[1]["game"]["rules"] == "classic"
    lay(session, "Ro@0,0 Rs@1,0")
    told = [follower.next()[1] for _ in range(1)]
    while told[-1]["pending"] is not None:
        told.append(follower.next()[1])
    assert told[-1]["players"][0]["score"] == 2
    follower.close()


def test_a_reconnecting_device_says_what_it_knows(session: Session, url: str) -> None:
    session.new_game(GAME)
    first = Follower(url)
    known, _ = first.next()
    first.close()
    again = Follower(url, known)
    threading.Timer(0.2, lambda: session.command("end", {}, _Ticket())).start()
    number, state = again.next()
    assert number != known
    assert state["game"]["is_over"]
    again.close()


class _Ticket:
    command_id = game_id = seq = None


def test_streams_end_by_themselves(
    session: Session, url: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(events, "LONGEST_S", 0.5)
    monkeypatch.setattr(events, "HEARTBEAT_S", 0.1)
    follower = Follower(url)
    begun = time.monotonic()
    text = follower.rest()
    assert time.monotonic() - begun < 3
    assert ": still here" in text


def test_closing_ends_all_streams_at_once(session: Session, url: str) -> None:
    followers = [Follower(url) for _ in range(5)]
    for follower in followers:
        follower.next()
    begun = time.monotonic()
    session.let_go()
    for follower in followers:
        follower.rest()
    assert time.monotonic() - begun < 1


def test_too_many_streams_leave_room_for_requests(app: Flask, url: str) -> None:
    app.extensions["tiletally_seats"] = Seats(2)
    followers = [Follower(url), Follower(url)]
    with pytest.raises(urllib.error.HTTPError) as refused:
        Follower(url)
    assert refused.value.code == 429
    refused.value.close()
    assert urllib.request.urlopen(f"{url}/api/state", timeout=5).status == 200
    for follower in followers:
        follower.close()


def test_a_stream_that_nobody_read_gives_its_place_back(client: FlaskClient, app: Flask) -> None:
    app.extensions["tiletally_seats"] = Seats(1)
    for _ in range(3):
        answer = client.get("/api/events", buffered=False)
        assert answer.status_code == 200
        answer.close()
