"""Word to the system's service manager: ready, still working, stopping.

Without a service manager every call does nothing. `watch_over` replaces waiting for the end: it
reports life only while the program really works, so that a hung one is started again.
"""

from __future__ import annotations

import contextlib
import os
import socket
import threading
from collections.abc import Callable

SHARE_OF_PATIENCE = 3
"""Reports in the time after which the service manager loses patience."""
PACE_S = 1.0
"""Pace of looking after the program."""


def notify_ready(status: str = "") -> None:
    """Say that the page can be opened."""
    _send("READY=1" + (f"\nSTATUS={_one_line(status)}" if status else ""))


def notify_watchdog() -> None:
    """Say that the program still works."""
    _send("WATCHDOG=1")


def notify_status(status: str) -> None:
    """Say in a few words how it is, for `systemctl status`."""
    _send(f"STATUS={_one_line(status)}")


def notify_stopping() -> None:
    """Say that the program is about to end as told."""
    _send("STOPPING=1")


def report_every_s() -> float | None:
    """How often the service manager wants to hear of life, or None when it does not."""
    microseconds = os.environ.get("WATCHDOG_USEC", "")
    is_for_us = os.environ.get("WATCHDOG_PID", str(os.getpid())) == str(os.getpid())
    if not microseconds.isdecimal() or not is_for_us or int(microseconds) == 0:
        return None
    return int(microseconds) / 1e6 / SHARE_OF_PATIENCE


def watch_over(ended: threading.Event, is_alive: Callable[[], bool]) -> None:
    """Wait until the program is told to end, and report life for as long as there is some.

    Args:
        ended: Set when the program has been told to end.
        is_alive: Whether the parts that do the work have moved lately.
    """
    pace_s = min(report_every_s() or PACE_S, PACE_S)
    while not ended.wait(pace_s):
        if is_alive():
            notify_watchdog()
        else:
            notify_status("hangs, and waits to be started again")


def _one_line(text: str) -> str:
    return " ".join(text.split())


def _send(message: str) -> None:
    address = os.environ.get("NOTIFY_SOCKET", "")
    if address[:1] not in ("/", "@"):
        return
    with (
        contextlib.suppress(OSError),
        socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM | socket.SOCK_CLOEXEC) as channel,
    ):
        channel.connect(address.replace("@", "\0", 1))
        channel.sendall(message.encode())
