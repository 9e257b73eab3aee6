"""Devices that never read, dawdle, stop in mid-sentence or vanish: a normal tablet is answered."""

from __future__ import annotations

import contextlib
import socket
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from tests.faults.running import Device, Scorekeeper
from tests.webui.conftest import tiles
from tiletally.web_patience import MOST_CONNECTIONS

GAME = {"rules": "classic", "players": ["Anna", "Ben"]}
STREAM = b"GET /api/events HTTP/1.1\r\nHost: localhost\r\n\r\n"
HALF_A_HEAD = b"GET /api/state HTTP/1.1\r\nHost: ta"
HALF_A_TAP = b"POST /api/turn/undo HTTP/1.1\r\nHost: localhost\r\nContent-Length: 900\r\n\r\n{"
WHOLE = b"GET /api/state HTTP/1.1\r\nHost: localhost\r\n\r\n"
SMALLEST_BUFFER = 2048


def connect(port: int, words: bytes, address: str = "127.0.0.1") -> socket.socket:
    """A device that says something and listens no further."""
    device = socket.socket()
    device.bind((address, 0))
    device.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, SMALLEST_BUFFER)
    device.settimeout(60)
    device.connect(("127.0.0.1", port))
    device.sendall(words)
    return device


@pytest.fixture(scope="module")
def scorekeeper(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Scorekeeper]:
    with Scorekeeper(tmp_path_factory.mktemp("stuck") / "data") as scorekeeper:
        scorekeeper.wait_for_page()
        yield scorekeeper


@pytest.fixture
def crowd() -> Iterator[Callable[[int, bytes, int], list[socket.socket]]]:
    """Makes many such devices."""
    with contextlib.ExitStack() as all_of_them:

        def many(port: int, words: bytes, count: int) -> list[socket.socket]:
            places = [f"127.0.0.{2 + number % 200}" for number in range(count)]
            return [all_of_them.enter_context(connect(port, words, place)) for place in places]

        yield many


def play(port: int) -> None:
    """A normal tablet plays a turn and can follow."""
    device = Device(f"http://127.0.0.1:{port}")
    assert device.post("/api/games", GAME).is_done
    assert device.post("/api/turn/place", {"placed": tiles("Ro@0,0 Rs@1,0")}).is_done
    state = device.post("/api/turn/done").json
    assert state["players"][0]["score"] == 2
    with connect(port, STREAM) as stream:
        assert any(state["version"].encode() in line for line in stream.makefile("rb"))


Crowd = Callable[[int, bytes, int], list[socket.socket]]


@pytest.mark.parametrize(
    ("words", "count"),
    [
        (STREAM, 30),
        (b"", MOST_CONNECTIONS + 20),
        (HALF_A_HEAD, MOST_CONNECTIONS + 20),
        (HALF_A_TAP, MOST_CONNECTIONS + 20),
        (WHOLE * 50, 80),
    ],
    ids=["never read", "silent", "half a head", "half a tap", "never read many answers"],
)
def test_a_normal_tablet_is_answered(
    scorekeeper: Scorekeeper, crowd: Crowd, words: bytes, count: int
) -> None:
    stuck = crowd(scorekeeper.port, words, count)
    play(scorekeeper.port)
    for each in stuck[: count // 2]:  # some vanish: a reset instead of a farewell
        each.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, b"\1\0\0\0\0\0\0\0")
        each.close()
    assert Device(scorekeeper.url).post("/api/turn/undo").is_done


def test_it_ends_while_nobody_listens(tmp_path: Path, crowd: Crowd) -> None:
    with Scorekeeper(tmp_path / "data") as scorekeeper:
        scorekeeper.wait_for_page()
        crowd(scorekeeper.port, STREAM, 30)
        crowd(scorekeeper.port, HALF_A_TAP, 30)
        assert scorekeeper.end() == 0
