"""Who keeps the server waiting is hung up on after a while; who waits for the server never."""

from __future__ import annotations

import socket
import time
from collections.abc import Iterator
from urllib.parse import urlsplit

import pytest
from flask import Flask

from tiletally.session import Session
from tiletally.web_patience import MOST_LARGE
from tiletally.web_server import WebServer

FAST = 60
HEAD = b"GET /api/state HTTP/1.1\r\nHost: localhost\r\n"


@pytest.fixture
def port(session: Session, app: Flask) -> Iterator[int]:
    """A server for which a minute passes in a second."""
    server = WebServer(app, "127.0.0.1", 0, clock=lambda: time.monotonic() * FAST)
    server.start()
    yield server.port
    session.let_go()
    server.stop(within_s=20)


def test_a_name_with_two_addresses(
    session: Session, app: Flask, monkeypatch: pytest.MonkeyPatch
) -> None:
    kind, look_up = (socket.SOCK_STREAM, 6, ""), socket.getaddrinfo
    two = [(socket.AF_INET6, *kind, ("::1", 0, 0, 0)), (socket.AF_INET, *kind, ("127.0.0.1", 0))]
    names = {"localhost": two}
    monkeypatch.setattr(
        "socket.getaddrinfo", lambda host, *a, **kw: names.get(host) or look_up(host, *a, **kw)
    )
    server = WebServer(app, "localhost", 0)
    server.start()
    socket.create_connection(("127.0.0.1", server.port), 30).close()
    session.let_go()
    server.stop(within_s=20)


@pytest.mark.parametrize(
    "words",
    [
        b"",
        HEAD,
        HEAD.replace(b"GET", b"POST") + b"Content-Length: 5\r\n\r\n{",
        HEAD + b"\r\n",
    ],
    ids=["silent", "half a head", "half a body", "resting"],
)
def test_hung_up_on(port: int, words: bytes) -> None:
    with socket.create_connection(("127.0.0.1", port), 30) as device:
        device.sendall(words)
        answer = b"".join(iter(lambda: device.recv(4096), b""))
    assert answer.startswith(b"HTTP/1.1 200" if words.endswith(b"\r\n\r\n") else b"")


def test_of_many_photos_at_a_time_only_a_few_are_taken_in(url: str) -> None:
    port = urlsplit(url).port
    head = HEAD.replace(b"GET /api/state", b"POST /api/photo") + b"Content-Length: 20000000\r\n\r\n"
    devices = [socket.create_connection(("127.0.0.1", port), 30) for _ in range(30)]
    for device in devices:
        device.sendall(head + bytes(300_000))
    time.sleep(2.5)
    kept = [device for device in devices if not is_closed(device)]
    assert len(kept) == MOST_LARGE
    for device in devices:
        device.close()


def is_closed(device: socket.socket) -> bool:
    device.setblocking(False)
    try:
        return device.recv(1) == b""
    except BlockingIOError:
        return False
    except ConnectionError:
        return True


def is_hung_up_on(device: socket.socket, words: bytes) -> bool:
    """Whether the line goes dead although the device keeps talking."""
    try:
        for _ in range(200):
            device.sendall(words)
            time.sleep(0.05)
    except ConnectionError:
        return True
    return False


def test_bytes_now_and_then_do_not_keep_a_request_alive(port: int) -> None:
    with socket.create_connection(("127.0.0.1", port), 30) as device:
        device.sendall(HEAD)
        assert is_hung_up_on(device, b"X")


def test_an_answer_that_nobody_reads_is_given_up(port: int, session: Session) -> None:
    with socket.socket() as device:
        device.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 2048)
        device.settimeout(30)
        device.connect(("127.0.0.1", port))
        # More than the system takes off the server's hands; one answer has 400 bytes.
        device.sendall((HEAD + b"\r\n") * 9000)
        assert is_hung_up_on(device, b"\r\n" * 10_000)


def test_a_stream_that_waits_for_news_is_kept(port: int, session: Session) -> None:
    with socket.create_connection(("127.0.0.1", port), 30) as device:
        device.sendall(b"GET /api/events HTTP/1.0\r\nHost: localhost\r\n\r\n")
        lines = device.makefile("rb")
        assert b" 200 " in lines.readline()
        time.sleep(3)
        session.new_game({"rules": "classic", "players": ["Anna", "Ben"]})
        assert any(b"Anna" in line for line in lines)
