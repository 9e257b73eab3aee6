"""What the service manager hears of the program."""

from __future__ import annotations

import os
import socket
import threading
from collections.abc import Iterator
from pathlib import Path

import pytest

from tiletally import systemd


@pytest.fixture
def manager(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[socket.socket]:
    """The service manager's end of the line."""
    with socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM) as channel:
        channel.bind(str(tmp_path / "notify"))
        channel.settimeout(10)
        monkeypatch.setenv("NOTIFY_SOCKET", str(tmp_path / "notify"))
        yield channel


def test_without_a_service_manager_nothing_happens(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("NOTIFY_SOCKET", raising=False)
    systemd.notify_ready()
    monkeypatch.setenv("NOTIFY_SOCKET", "/nowhere/at/all")
    systemd.notify_watchdog()


def test_each_word_is_heard(manager: socket.socket) -> None:
    systemd.notify_ready("http://table\nlocal")
    systemd.notify_watchdog()
    systemd.notify_status("plays")
    systemd.notify_stopping()
    assert [manager.recv(99) for _ in range(4)] == [
        b"READY=1\nSTATUS=http://table local",
        b"WATCHDOG=1",
        b"STATUS=plays",
        b"STOPPING=1",
    ]


def test_an_abstract_socket_is_understood(monkeypatch: pytest.MonkeyPatch) -> None:
    with socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM) as channel:
        channel.bind(f"\0tiletally-test-{os.getpid()}")
        channel.settimeout(10)
        monkeypatch.setenv("NOTIFY_SOCKET", f"@tiletally-test-{os.getpid()}")
        systemd.notify_watchdog()
        assert channel.recv(99) == b"WATCHDOG=1"


@pytest.mark.parametrize(
    ("usec", "pid", "wanted_s"),
    [
        (None, None, None),
        ("", None, None),
        ("0", None, None),
        ("often", None, None),
        ("30000000", None, 10.0),
        ("30000000", "own", 10.0),
        ("30000000", "1", None),
    ],
)
def test_reports_come_three_times_in_the_patience_of_the_manager(
    usec: str | None, pid: str | None, wanted_s: float | None, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name, value in (("WATCHDOG_USEC", usec), ("WATCHDOG_PID", pid)):
        monkeypatch.delenv(name, raising=False)
        if value is not None:
            monkeypatch.setenv(name, str(os.getpid()) if value == "own" else value)
    assert systemd.report_every_s() == wanted_s


def test_life_is_reported_only_while_there_is_some(
    manager: socket.socket, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("WATCHDOG_USEC", "3000")
    ended, answers = threading.Event(), iter([True, True, False])

    def is_alive() -> bool:
        answer = next(answers, None)
        if answer is None:
            ended.set()
        return bool(answer)

    systemd.watch_over(ended, is_alive)
    heard = [manager.recv(99) for _ in range(4)]
    assert heard[:2] == [b"WATCHDOG=1", b"WATCHDOG=1"]
    assert all(word.startswith(b"STATUS=hangs") for word in heard[2:])
