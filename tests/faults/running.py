"""A real `tiletally serve` in a process of its own, and devices in front of it.

with Scorekeeper(data, "demo", speed=50) as scorekeeper:
    scorekeeper.wait_for_page()
    device = Device(scorekeeper.url)
    device.follow()
    device.post("/api/turn/undo", {"command": "a1"})
    scorekeeper.kill()
"""

from __future__ import annotations

import http.client
import json
import os
import signal
import socket
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from types import TracebackType
from typing import Any, Self
from urllib.parse import urlsplit

ROOT = Path(__file__).parent.parent.parent
PATIENCE_S = 60.0
LOOK_AGAIN_S = 0.005
State = dict[str, Any]


def free_port() -> int:
    """A port that nobody uses at this moment."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])


def wait_until(is_so: Callable[[], object], what: str, patience_s: float = PATIENCE_S) -> None:
    """Wait until something is so, and fail with `what` if it never is."""
    end = time.monotonic() + patience_s
    while not is_so():
        assert time.monotonic() < end, f"never: {what}"
        time.sleep(LOOK_AGAIN_S)


class Scorekeeper:
    """One process of `tiletally serve`; what it says goes into a file beside its data."""

    def __init__(
        self,
        data: Path,
        camera: str = "none",
        *,
        port: int | None = None,
        speed: float | None = None,
        environment: Mapping[str, str] | None = None,
        code: Sequence[str] = ("-m", "tiletally"),
    ) -> None:
        """Start it; `code` may name other Python code that ends in the command line."""
        self.data, self.port = data, port or free_port()
        self.url = f"http://127.0.0.1:{self.port}"
        self.log = data.with_name(f"{data.name}.log")
        words = ["serve", "--camera", camera, "--host", "127.0.0.1", "--port", str(self.port)]
        words += ["--speed", str(speed)] if speed else []
        with self.log.open("ab") as log:
            self._log_begin = log.tell()
            self.started_s = time.monotonic()
            self.process = subprocess.Popen(
                [sys.executable, *code, *words, "--data", str(data)],
                cwd=ROOT,
                env={**os.environ, **(environment or {})},
                stdin=subprocess.DEVNULL,
                stdout=log,
                stderr=log,
            )

    @property
    def said(self) -> str:
        """What this process has said so far."""
        with self.log.open("rb") as log:
            log.seek(self._log_begin)
            return log.read().decode(errors="replace")

    def wait_for_page(self) -> float:
        """Wait until the page is there, and return how many seconds that took from the start."""
        wait_until(self._has_page, f"a page at {self.url}")
        return time.monotonic() - self.started_s

    def _has_page(self) -> bool:
        assert self.process.poll() is None, f"it ended at its start: {self.said}"
        try:
            return Device(self.url).get("/").status == 200
        except OSError:
            return False

    def kill(self) -> None:
        """End it in the middle of whatever it does."""
        self.process.kill()
        self.process.wait()

    def end(self, how: signal.Signals = signal.SIGTERM) -> int:
        """Ask it to end, and return its exit status."""
        self.process.send_signal(how)
        return self.process.wait(PATIENCE_S)

    def wait(self) -> int:
        """Wait until it ends by itself, and return its exit status."""
        return self.process.wait(PATIENCE_S)

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        traceback: TracebackType | None,
    ) -> None:
        self.kill()


@dataclass(frozen=True, slots=True)
class Answer:
    """What came back."""

    status: int
    body: bytes

    @property
    def json(self) -> State:
        """The object in it."""
        found: State = json.loads(self.body)
        return found

    @property
    def is_done(self) -> bool:
        """Whether it was acknowledged."""
        return 200 <= self.status < 300


class Device:
    """A tablet: asks, taps, and follows the stream of states in a thread of its own."""

    def __init__(self, url: str, saw: Callable[[State], None] | None = None) -> None:
        """`saw` is called with each state of the stream, in the following thread."""
        self._host = urlsplit(url).netloc
        self._saw = saw
        self._stream: http.client.HTTPConnection | None = None
        self._thread: threading.Thread | None = None
        self.latest: State | None = None
        """The state that was shown last."""

    def get(self, path: str, timeout_s: float = PATIENCE_S) -> Answer:
        """Ask for something.

        Raises:
            OSError, http.client.HTTPException: There was no whole answer.
        """
        return self._ask("GET", path, None, timeout_s)

    def post(
        self, path: str, body: Mapping[str, Any] | None = None, timeout_s: float = PATIENCE_S
    ) -> Answer:
        """Tap something; the errors are those of `get`."""
        return self._ask("POST", path, json.dumps(body or {}).encode(), timeout_s)

    def state(self) -> State:
        """The present state."""
        return self.get("/api/state").json

    def _ask(self, method: str, path: str, body: bytes | None, timeout_s: float) -> Answer:
        connection = http.client.HTTPConnection(self._host, timeout=timeout_s)
        try:
            headers = {"Content-Type": "application/json"} if body is not None else {}
            connection.request(method, path, body, headers)
            answer = connection.getresponse()
            return Answer(answer.status, answer.read())
        finally:
            connection.close()

    def follow(self, known: str = "") -> None:
        """Follow the stream until it ends; it ends with the process, or by itself in a minute."""
        self._stream = http.client.HTTPConnection(self._host, timeout=PATIENCE_S)
        self._stream.request("GET", f"/api/events?since={known}")
        answer = self._stream.getresponse()
        assert answer.status == 200, answer.read()
        self._thread = threading.Thread(target=self._follow, args=(answer,), daemon=True)
        self._thread.start()

    def _follow(self, answer: http.client.HTTPResponse) -> None:
        # A stream that breaks off in the middle of a line has not shown that state.
        try:
            for line in answer:
                if line.startswith(b"data: ") and line.endswith(b"\n"):
                    self.latest = json.loads(line[6:])
                    if self._saw is not None:
                        self._saw(self.latest)
        except (OSError, http.client.HTTPException):
            return

    def wait_for(self, is_so: Callable[[State], object], what: str) -> State:
        """Wait until the stream shows a state in which something is so."""
        wait_until(lambda: self.latest is not None and is_so(self.latest), what)
        assert self.latest is not None
        return self.latest

    def join(self) -> None:
        """Wait until the stream has ended and everything it brought was seen."""
        if self._thread is not None and self._stream is not None:
            self._thread.join(PATIENCE_S)
            assert not self._thread.is_alive(), "the stream goes on"
            self._stream.close()
