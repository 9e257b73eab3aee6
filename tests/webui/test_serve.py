"""The command `tiletally serve`: it says where it is, serves, and ends at once."""

from __future__ import annotations

import json
import signal
import socket
import subprocess
import sys
import time
import urllib.error
import urllib.request
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest

from tests.webui.test_events import Follower
from vision.cameras.sources import find_source

START_WITHIN_S = 60
END_WITHIN_S = 2.0


@contextmanager
def served(camera: str, data: Path, *more: str) -> Iterator[tuple[subprocess.Popen[str], str]]:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port = probe.getsockname()[1]
    words = ["serve", "--host", "127.0.0.1", "--port", str(port), *more]
    words += ["--camera", camera] if camera else []
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


def test_an_appliance_without_its_camera_says_so_and_takes_photos(tmp_path: Path) -> None:
    if find_source() is not None:
        pytest.skip("this machine has a camera")
    with served("", tmp_path, "--fallback", "phone") as (process, url):
        wait_until_ready(process)
        camera = until_told(url)["camera"]
    assert camera["source"] == "phone"
    assert camera["can_upload"]
    assert [hint["code"] for hint in camera["hints"]] == ["not_found"]


def test_a_library_that_does_not_fit_is_said_and_shown(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    if find_source() is not None:
        pytest.skip("this machine has a camera")
    (tmp_path / "libcamera.py").write_text("controls = None\n")
    (tmp_path / "picamera2.py").write_text("raise ValueError('numpy.dtype size changed')\n")
    monkeypatch.setenv("PYTHONPATH", str(tmp_path))
    with served("", tmp_path / "data", "--fallback", "phone") as (process, url):
        assert process.stderr is not None
        said = next(line for line in process.stderr if line.startswith("Camera module: "))
        hints = until_told(url)["camera"]["hints"]
    assert "does not fit the numpy" in said
    assert [hint["code"] for hint in hints] == ["not_found", "problem"]
    assert hints[1]["params"]["sentence"] in said


def until_told(url: str) -> dict[str, Any]:
    """The state once it is known which camera follows the game."""
    for _ in range(START_WITHIN_S * 10):
        state: dict[str, Any] = json.load(urllib.request.urlopen(f"{url}/api/state", timeout=5))
        if (state["camera"] or {}).get("source"):
            return state
        time.sleep(0.1)
    raise AssertionError("nothing was told of a camera")


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


def test_a_name_that_was_given_is_answered_and_no_other(tmp_path: Path) -> None:
    with served("none", tmp_path, "--name", "tiletally.fritz.box") as (process, url):
        wait_until_ready(process)
        assert status_of(url, "tiletally.fritz.box") == 200
        assert status_of(url, socket.gethostname()) == 200
        assert status_of(url, "fritz.box") == 421


def status_of(url: str, host: str) -> int:
    """What the page answers when it is called by a name."""
    request = urllib.request.Request(f"{url}/api/state", headers={"Host": host})
    try:
        with urllib.request.urlopen(request, timeout=START_WITHIN_S) as answer:
            return int(answer.status)
    except urllib.error.HTTPError as error:
        error.close()
        return error.code
