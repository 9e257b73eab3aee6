"""The scorekeeper as a service: ready, alive, hanging, stopping."""

from __future__ import annotations

import os
import signal
import socket
import subprocess
import sys
from pathlib import Path

import pytest


def heard_from(service: str, tmp_path: Path, until: bytes) -> tuple[list[bytes], int]:
    """What the service manager hears of a program until a word comes, and its exit status."""
    with socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM) as manager:
        manager.bind(str(tmp_path / "notify"))
        manager.settimeout(60)
        told = {"NOTIFY_SOCKET": str(tmp_path / "notify"), "WATCHDOG_USEC": "300000"}
        process = subprocess.Popen(
            [sys.executable, "-c", service, str(tmp_path / "data")],
            env=os.environ | told,
            stderr=subprocess.DEVNULL,
        )
        try:
            heard = [manager.recv(999)]
            while not heard[-1].startswith(until):
                heard.append(manager.recv(999))
            process.send_signal(signal.SIGTERM)
            while heard[-1] != b"STOPPING=1":
                heard.append(manager.recv(999))
            return heard, process.wait(20)
        finally:
            process.kill()
            process.wait()


SERVE = """
import sys
from tiletally import cli, serve
{trouble}
sys.exit(cli.main(["serve", "--camera", {camera!r}, "--host", "127.0.0.1", "--port", {port!r},
                   "--data", sys.argv[1]]))
"""


def free_port() -> str:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return str(probe.getsockname()[1])


@pytest.mark.parametrize("camera", ["none", "phone"])
def test_a_working_service_reports_life(camera: str, tmp_path: Path) -> None:
    service = SERVE.format(trouble="", camera=camera, port=free_port())
    heard, status = heard_from(service, tmp_path, b"WATCHDOG=1")
    assert heard[0].startswith(b"READY=1\nSTATUS=http://127.0.0.1:")
    assert status == 0


def test_a_device_that_hangs_ends_the_reports(tmp_path: Path) -> None:
    trouble = """
import threading
from tiletally import live_beat
from vision.cameras.phone import PhoneCamera
live_beat.HUNG_S = 0.2
PhoneCamera.holds_device = True
PhoneCamera.glance = lambda self: threading.Event().wait()
"""
    service = SERVE.format(trouble=trouble, camera="phone", port=free_port())
    heard, _ = heard_from(service, tmp_path, b"STATUS=hangs")
    hung = [word.startswith(b"STATUS=hangs") for word in heard].index(True)
    assert b"WATCHDOG=1" not in heard[hung:]
