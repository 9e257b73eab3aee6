"""Devices of a crowd: some only follow, some tap at random and send the same tap more than once."""

from __future__ import annotations

import http.client
import random
import socket
import threading
import time
from collections.abc import Mapping
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from typing import Any
from urllib.parse import urlsplit

from scorer.board import neighbours
from tests.faults.running import Device, State

QUIET_S = 30.0
"""A stream that brings nothing for so long is taken for dead; it says something every 10 s."""
PAUSE_S = 0.2
PLACE = "/api/turn/place"
MOST_COPIES = 3


class Follower(threading.Thread):
    """A device with an address of its own that follows, and comes back whenever its stream ends."""

    def __init__(self, url: str, number: int) -> None:
        """Take the address 127.0.0.`number`."""
        super().__init__(name=f"follower {number}", daemon=True)
        place = urlsplit(url)
        self._server = (str(place.hostname), int(place.port or 80))
        self._from = (f"127.0.0.{number}", 0)
        self._ended = threading.Event()
        self.shown: tuple[str, bytes] = ("", b"")
        """The version and the state that this device shows."""
        self.states = self.streams = self.breaks = 0
        self.refusals: list[str] = []

    def run(self) -> None:
        """Follow until told to end."""
        while not self._ended.is_set():
            try:
                self._follow_once()
            except OSError:
                self.breaks += 1
            self._ended.wait(PAUSE_S)

    def end(self) -> None:
        """Follow no more; the stream that is open runs out with the server."""
        self._ended.set()

    def _follow_once(self) -> None:
        with socket.create_connection(self._server, QUIET_S, self._from) as stream:
            # HTTP/1.0, so that the stream comes as it is and not in chunks.
            known = f"Last-Event-ID: {self.shown[0]}\r\n" if self.shown[0] else ""
            host = f"{self._server[0]}:{self._server[1]}"
            words = f"GET /api/events HTTP/1.0\r\nHost: {host}\r\n{known}\r\n"
            stream.sendall(words.encode())
            lines = stream.makefile("rb")
            status = lines.readline().decode()
            if " 200 " not in status:
                self.refusals.append(status.strip())
                return
            self.streams += 1
            version = ""
            for line in lines:
                if line.startswith(b"id: "):
                    version = line[4:].strip().decode()
                elif line.startswith(b"data: ") and line.endswith(b"\n"):
                    self.shown = (version, line[6:].strip())
                    self.states += 1
                if self._ended.is_set():
                    return


@dataclass(slots=True)
class Tap:
    """One tap, and how each of its copies was answered, in order."""

    path: str
    command: str
    is_one_by_one: bool = True
    """Whether each copy was sent after the answer to the one before."""
    statuses: list[int] = field(default_factory=list)

    @property
    def is_acknowledged(self) -> bool:
        """Whether the person was told that it counts."""
        return any(200 <= status < 300 for status in self.statuses)

    @property
    def is_event(self) -> bool:
        """Whether it belongs in the journal; tiles of a move that is being entered do not."""
        return self.path != PLACE

    @property
    def is_taken_back(self) -> bool:
        """Whether a copy was refused after one before it had been acknowledged."""
        first = next((n for n, status in enumerate(self.statuses) if status < 300), None)
        is_refused = first is not None and max(self.statuses[first:]) >= 300
        return self.is_one_by_one and is_refused


class Tapper(threading.Thread):
    """A person who taps whatever there is, with a nervous finger and sometimes an old page."""

    def __init__(self, url: str, seed: int) -> None:
        """Choose by lot, but by the same lot for the same seed."""
        super().__init__(name=f"tapper {seed}", daemon=True)
        self._device = Device(url)
        self._rng = random.Random(seed)
        self._seed, self._count = seed, 0
        self._ended = threading.Event()
        self._state: State = {}
        self.taps: list[Tap] = []
        self.slowest_s = 0.0
        self.breaks: list[str] = []

    def run(self) -> None:
        """Tap until told to end."""
        with ThreadPoolExecutor(MOST_COPIES) as fingers:
            while not self._ended.is_set():
                try:
                    self._state = self._device.state()
                    self._tap(fingers)
                except (OSError, http.client.HTTPException) as error:
                    self.breaks.append(repr(error))
                self._ended.wait(self._rng.uniform(0.05, 0.8))

    def end(self) -> None:
        """Tap no more."""
        self._ended.set()

    def _tap(self, fingers: ThreadPoolExecutor) -> None:
        path, params = self._wish()
        self._send(fingers, path, params)
        if path == PLACE:
            self._state = self._device.state()
            self._send(fingers, "/api/turn/done", {})

    def _wish(self) -> tuple[str, dict[str, Any]]:
        """Something to tap, fitting or not."""
        turns, rng = self._state["turns"], self._rng
        number = rng.randint(1, max(1, len(turns)))
        wishes: list[tuple[int, str, dict[str, Any]]] = [
            (30, PLACE, {"placed": self._move()}),
            (14, "/api/turn/exchange", {"count": rng.randint(1, 6)}),
            (8, "/api/turn/pass", {}),
            (8, "/api/turn/points", {"points": rng.randint(1, 24), "tiles": 2}),
            (12, "/api/turn/undo", {}),
            (8, "/api/turn/redo", {}),
            (10, f"/api/turns/{number}", {"points": rng.randint(0, 30)}),
            (3, f"/api/turns/{number}/remove", {}),
            (4, "/api/turn/adjust", {"player": rng.randint(0, 1), "points": rng.randint(-5, 5)}),
            (1 if len(turns) > 20 else 0, "/api/rematch", {}),
        ]
        _, path, params = rng.choices(wishes, [weight for weight, _, _ in wishes])[0]
        return path, params

    def _move(self) -> list[dict[str, Any]]:
        """One tile that fits somewhere."""
        cells = {(tile["x"], tile["y"]) for tile in self._state["board"]}
        near = {free for cell in cells for free in neighbours(cell)} - cells
        x, y = self._rng.choice(sorted(near)) if near else (0, 0)
        likely = self._device.get(f"/api/likely?x={x}&y={y}").json.get("tiles", [])
        return [{**self._rng.choice(likely), "x": x, "y": y}] if likely else []

    def _send(self, fingers: ThreadPoolExecutor, path: str, params: Mapping[str, Any]) -> None:
        """Send it, often more than once, one after the other or at the same time."""
        self._count += 1
        tap = Tap(path, f"tap-{self._seed}-{self._count}", self._rng.random() < 0.5)
        body = {**params, **self._ticket(path), "command": tap.command}
        copies = [body] * self._rng.choice((1, 1, 2, MOST_COPIES))
        begun = time.monotonic()
        send = map if tap.is_one_by_one else fingers.map
        answers = list(send(lambda copy: self._device.post(path, copy), copies))
        self.slowest_s = max(self.slowest_s, time.monotonic() - begun)
        tap.statuses = [answer.status for answer in answers]
        self.taps.append(tap)

    def _ticket(self, path: str) -> dict[str, int]:
        """What this person saw: mostly the newest state, sometimes an old one or nothing."""
        lot = self._rng.random()
        if path == "/api/rematch" or lot < 0.15:
            return {}
        game = self._state["game"]
        age = self._rng.randint(1, 4) if lot < 0.3 else 0
        return {"game": game["id"], "seq": max(0, game["seq"] - age)}
