"""People in front of a live game: they follow it, and tap whatever there is."""

from __future__ import annotations

import http.client
import random
import threading
from typing import Any

from tests.faults.promises import Ledger, Tap
from tests.faults.running import Device, State

LONG_GAME = 40
WITHOUT_EVENT = ("/api/turn/hold", "/api/turn/done")
"""The camera's own move is not the tap's event, and a hold is none."""
PAUSE_S = (0.05, 0.7)
Wish = tuple[int, str, dict[str, Any]]


class Person(threading.Thread):
    """Taps until told to end, or until the scorekeeper is gone."""

    def __init__(self, url: str, name: str, ledger: Ledger, *, can_start: bool = True) -> None:
        """The name makes the ids of the taps unlike those of everybody else.

        `can_start` lets this person start new games too.
        """
        super().__init__(name=name, daemon=True)
        self._device, self._ledger = Device(url), ledger
        self._rng = random.Random(name)
        self._can_start = can_start
        self._count = 0
        self._ended = threading.Event()

    def run(self) -> None:
        """Look, tap, wait."""
        while not self._ended.is_set():
            try:
                state = self._device.state()
            except (OSError, http.client.HTTPException):
                self._ended.wait(PAUSE_S[0])
                continue
            self._ledger.see(state)
            if state["game"] is not None:
                self.tap(state)
            self._ended.wait(self._rng.uniform(*PAUSE_S))

    def end(self) -> None:
        """Tap no more."""
        self._ended.set()

    def tap(self, state: State, path: str = "", params: dict[str, Any] | None = None) -> Tap:
        """Tap something, or what is asked for."""
        if not path:
            path, params = self._wish(state)
        self._count += 1
        body = {**(params or {}), **self._ticket(state, path)}
        body["command"] = f"{self.name}-{self._count}"
        tap = Tap(path, body, path not in WITHOUT_EVENT)
        self._ledger.send(self._device, tap, self._rng.choice((1, 1, 1, 2)))
        return tap

    def _wish(self, state: State) -> tuple[str, dict[str, Any]]:
        """Something to tap, fitting or not."""
        turns, rng, seats = state["turns"], self._rng, len(state["players"])
        number = rng.randint(1, max(1, len(turns)))
        is_long = self._can_start and (state["game"]["is_over"] or len(turns) > LONG_GAME)
        fresh = {"rules": rng.choice(("classic", "flex")), "players": ["Anna", "Ben"]}
        wishes: list[Wish] = [
            (12, "/api/turn/exchange", {"count": rng.randint(1, 6)}),
            (4, "/api/turn/pass", {"accepted": True}),
            (6, "/api/turn/points", {"points": rng.randint(1, 24), "tiles": rng.randint(1, 3)}),
            (14, "/api/turn/undo", {}),
            (10, "/api/turn/redo", {}),
            (10, f"/api/turns/{number}", {"points": rng.randint(0, 30)}),
            (4, f"/api/turns/{number}", {"clear_points": True}),
            (4, f"/api/turns/{number}", {"player": rng.randrange(seats)}),
            (3, f"/api/turns/{number}/remove", {}),
            (4, "/api/turn/adjust", {"player": 0, "points": rng.randint(-5, 5)}),
            (8, "/api/turn/hold", {"on": rng.random() < 0.4}),
            (10, "/api/turn/done", {}),
            (30 if is_long else 0, "/api/rematch", {}),
            (6 if is_long else 0, "/api/games", fresh),
        ]
        _, path, params = rng.choices(wishes, [weight for weight, _, _ in wishes])[0]
        return path, params

    def _ticket(self, state: State, path: str) -> dict[str, int]:
        """What this person saw: mostly the newest state, sometimes an old one."""
        if path in ("/api/rematch", "/api/games"):
            return {}
        age = self._rng.randint(1, 4) if self._rng.random() < 0.1 else 0
        return {"game": state["game"]["id"], "seq": max(0, state["game"]["seq"] - age)}
