"""The command `tiletally serve`: it says where it is, serves, and ends at once."""

from __future__ import annotations

import json
import signal
import socket
import subprocess
import sys
import time
import urllib.request
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from tests.webui.test_events import Follower

START_WITHIN_S = 60
END_WITHIN_S = 2.0


@contextmanager
def served(camera: str, data: Path) -> Iterator[tuple[subprocess.Popen[str], str]]:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port = probe.getsockname()[1]
    words = ["serve", "--camera", camera, "--host", "127.0.0.1", "--port", str(port)]
    process = subprocess.Popen(
        [sys.executable, "-m", "tiletally", *words, "--data", str(data)],
        stderr=subprocess.PIPE,
        text=True,
    )
    try:
        yield process, f"http://127.0.0.1:{port}"
    finally:
        process.kill()
        process.communicate()


def wait_until_ready(process: subprocess.Popen[str]) -> str:
    assert process.stderr is not None
    for line in process.stderr:
        if "ready" in line:
            return line
    raise AssertionError("it ended before it was ready")


@pytest.mark.parametrize("camera", ["none", "demo"])
@pytest.mark.parametrize("how", [signal.SIGTERM, signal.SIGINT])
def test_it_ends_within_two_seconds(camera: str, how: signal.Signals, tmp_path: Path) -> None:
    with served(camera, tmp_path) as (process, url):
        assert url in wait_until_ready(process)
        follower = Follower(url)
        follower.next()
        health = json.load(urllib.request.urlopen(f"{url}/healthz", timeout=5))
        assert health["journal"] == "ok"
        begun = time.monotonic()
        process.send_signal(how)
        assert process.wait(START_WITHIN_S) == 0
        assert time.monotonic() - begun < END_WITHIN_S
        follower.close()


def test_a_port_in_use_is_told_in_one_line(tmp_path: Path) -> None:
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        taken.listen()
        words = ["serve", "--camera", "none", "--host", "127.0.0.1", "--data", str(tmp_path)]
        ended = subprocess.run(
            [sys.executable, "-m", "tiletally", *words, "--port", str(taken.getsockname()[1])],
            capture_output=True,
            text=True,
            timeout=START_WITHIN_S,
            check=False,
        )
    assert ended.returncode == 1
    assert "cannot be used" in ended.stderr
    assert "Traceback" not in ended.stderr
