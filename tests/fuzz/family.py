"""A family that plays for real between the bad requests, so that these find real turns."""

from __future__ import annotations

import json
import random
from typing import Any

from scorer.board import neighbours
from tests.fuzz.wire import Line, Request

JSON = (("Content-Type", "application/json"),)
LONGEST_GAME = 60


def post(path: str, **body: object) -> Request:
    """A sound request."""
    return Request("POST", path, JSON, json.dumps(body).encode(), made=("family",))


class Family:
    """Lays tiles, exchanges, corrects and begins again, all as it should be."""

    def __init__(self, line: Line, rng: random.Random) -> None:
        """Sit down at a connection."""
        self._line, self._rng = line, rng
        self.taps = 0

    def play(self) -> list[Request]:
        """Do one thing, and return the requests that it took, for others to spoil."""
        state = self._asked(Request("GET", "/api/state"))
        requests = list(self._wishes(state))
        for request in requests:
            self._asked(request)
        return requests

    def leave(self) -> None:
        """Hang up."""
        self._line.close()

    def _asked(self, request: Request) -> dict[str, Any]:
        heard = self._line.ask(request)
        assert heard is not None, f"no answer to {request.method} {request.target}"
        self.taps += 1
        found: dict[str, Any] = json.loads(heard.data)
        return found

    def _wishes(self, state: dict[str, Any]) -> list[Request]:
        game = state["game"]
        if game is None or game["is_over"] or len(state["turns"]) > LONGEST_GAME:
            rules = self._rng.choice(("flex", "classic", "flex72"))
            return [post("/api/games", rules=rules, players=["Anna", "Ben", "Cleo"])]
        seen = {"game": game["id"], "seq": game["seq"]}
        turn = self._rng.randint(0, len(state["turns"]))
        lot = self._rng.random()
        if lot < 0.6 and (placed := self._move(state)):
            return [post("/api/turn/place", placed=placed, **seen), post("/api/turn/done")]
        other = (
            post("/api/turn/exchange", count=self._rng.randint(1, 3), accepted=True, **seen),
            post("/api/turn/points", points=self._rng.randint(0, 24), tiles=2, **seen),
            post("/api/turn/undo", **seen),
            post("/api/turn/redo", **seen),
            post(f"/api/turns/{turn}", points=self._rng.randint(0, 30), **seen),
            post(f"/api/turns/{turn}/split", cells=[[0, 0]], **seen),
            post(f"/api/turns/{turn}/remove", **seen),
            post(f"/api/turns/{turn}/insert", placed=self._move(state), **seen),
            post(f"/api/turns/{turn}/merge", **seen),
            post("/api/turn/adjust", player=1, points=-1, reason="it fell", **seen),
            post("/api/judge", placed=self._move(state)),
            post("/api/turn/action", action="swap", player=0, accepted=True, **seen),
        )
        return [self._rng.choice(other)]

    def _move(self, state: dict[str, Any]) -> list[dict[str, Any]]:
        """One tile that fits somewhere."""
        cells = {(tile["x"], tile["y"]) for tile in state["board"]}
        near = {free for cell in cells for free in neighbours(cell)} - cells
        x, y = self._rng.choice(sorted(near)) if near else (0, 0)
        likely = self._asked(Request("GET", f"/api/likely?x={x}&y={y}")).get("tiles", [])
        return [{**self._rng.choice(likely), "x": x, "y": y}] if likely else []
