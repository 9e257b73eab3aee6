"""A scorekeeper that lives through everything, the games at its table, and how it fares.

Games alternate: in one nobody interferes for good, and then what the camera counted must be what
the simulated people laid; in the next people tap whatever there is, and then the totals must be
those of a second opinion on the journal.
"""

from __future__ import annotations

import os
import statistics
import threading
import time
from collections.abc import Sequence
from dataclasses import dataclass, field
from itertools import zip_longest
from pathlib import Path

from tests.faults.crowd import FIRST_ADDRESS, threads_of
from tests.faults.crowd_devices import Follower
from tests.faults.people import Person
from tests.faults.promises import Ledger
from tests.faults.running import Device, Scorekeeper, State, wait_until
from tests.faults.second_tally import second_totals
from tests.faults.troubled_disk import TroubledDisk
from tests.faults.troubled_table import TROUBLED, TroubledTable

SPEED = 20.0
FOLLOWERS, PEOPLE = 6, 2
LONGEST_S = 60.0
"""How long people play who tap whatever there is: they may never come to an end."""
STANDS_STILL_S = 90.0
SAME_WITHIN_S = 30.0
PAGE_BYTES = os.sysconf("SC_PAGE_SIZE")
MB = 1024 * 1024
LEAST_WARM_S = 120


@dataclass(slots=True)
class Truth:
    """How the games in which nobody interfered compare with what was laid."""

    games: int = 0
    turns: int = 0
    wrong: list[str] = field(default_factory=list)


class Steady:
    """The scorekeeper, its devices, and its games one after the other."""

    def __init__(self, folder: Path) -> None:
        """Start it with a table and a disk that can be troubled."""
        data = folder / "data"
        self.disk, self.table = TroubledDisk(data, folder), TroubledTable(folder)
        environment = {**self.disk.environment, **self.table.environment}
        self.scorekeeper = Scorekeeper(
            data, "demo", speed=SPEED, code=TROUBLED, environment=environment
        )
        self.device = Device(self.scorekeeper.url)
        self.ledger, self.truth = Ledger(data), Truth()
        self.person = Person(self.scorekeeper.url, "steady", self.ledger)
        """Taps what a fault asks for."""
        self.is_clean = True
        self.followers: list[Follower] = []
        self._people: list[Person] = []
        self.games = 0
        """How many were played to their end."""
        self._moved: tuple[tuple[int, int], float] = ((0, 0), time.monotonic())
        self._began_s = time.monotonic()

    @property
    def pid(self) -> int:
        """The process."""
        return self.scorekeeper.process.pid

    def begin(self) -> None:
        """Wait until the table is played at, and let devices follow."""
        self.scorekeeper.wait_for_page()
        wait_until(lambda: self.device.state()["turns"], "a first turn")
        url = self.scorekeeper.url
        self.followers = [Follower(url, FIRST_ADDRESS + n) for n in range(FOLLOWERS)]
        for follower in self.followers:
            follower.start()
        wait_until(lambda: all(each.states for each in self.followers), "all devices follow")

    def look(self) -> None:
        """See how the game goes; when it is over, compare and begin the next."""
        state = self.device.state()
        self.ledger.see(state)
        self._expect_progress(state)
        is_over = state["game"]["is_over"] or state["camera"]["state"] == "ended"
        is_enough = not self.is_clean and time.monotonic() - self._began_s > LONGEST_S
        if is_over or is_enough:
            self._change_game(state)

    def _expect_progress(self, state: State) -> None:
        place = (state["game"]["id"], state["game"]["seq"])
        now = time.monotonic()
        if place != self._moved[0]:
            self._moved = (place, now)
        elif self.is_clean and now - self._moved[1] > STANDS_STILL_S:
            self.truth.wrong.append(f"nothing was counted for {STANDS_STILL_S:.0f} s: {place}")
            self._change_game(state)

    def _change_game(self, state: State) -> None:
        self._end_people()
        if self.is_clean:
            self.compare(self.device.state(), is_whole=True)
        self.games += 1
        self.is_clean = self.games % 2 == 0
        self.person.tap(state, "/api/rematch")
        wait_until(self._is_played_at, "the next game is played")
        self._began_s = time.monotonic()
        if not self.is_clean:
            names = [f"game{self.games}-p{number}" for number in range(PEOPLE)]
            url = self.scorekeeper.url
            self._people = [Person(url, n, self.ledger, can_start=False) for n in names]
            for person in self._people:
                person.start()

    def _is_played_at(self) -> bool:
        state = self.device.state()
        game_id, camera = int(state["game"]["id"]), str(state["camera"]["state"])
        return len(self.table.games()) >= game_id and camera != "ended"

    def _end_people(self) -> None:
        for person in self._people:
            person.end()
            person.join()
        self._people = []

    def compare(self, state: State, *, is_whole: bool) -> None:
        """Compare a game in which nobody interfered with what was laid on the table."""
        laid = self.table.games()[state["game"]["id"] - 1]
        turns = state["turns"]
        self.truth.games += is_whole
        self.truth.turns += len(turns)
        expected = laid if is_whole else laid[: len(turns)]
        pairs = zip_longest(_laid(turns), _laid(expected))
        for number, (counted, meant) in enumerate(pairs, start=1):
            if counted != meant:
                how = (state["game"]["ending"], state["camera"]["state"], state["illegal"])
                place = f"game {state['game']['id']} {how}, turn {number} of {len(expected)}"
                self.truth.wrong.append(f"{place}: counted {counted}, but {meant} was laid")
                break
        totals = second_totals([self._start_of(state["game"]["id"]), *expected])
        if [player["score"] for player in state["players"]] != totals:
            self.truth.wrong.append(f"other totals: game {state['game']['id']}")

    def _start_of(self, game_id: int) -> State:
        self.ledger.check()
        return self.ledger.entries(game_id)[0].event

    def end(self) -> None:
        """People stop; what is being played is compared as far as it has come."""
        self._end_people()
        if self.is_clean:
            self.compare(self.device.state(), is_whole=False)
        self.ledger.check()

    def differing(self) -> int:
        """How many devices show something else than the scorekeeper, after some patience."""

        def count() -> int:
            body = self.device.get("/api/state").body
            return sum(follower.shown[1] != body for follower in self.followers)

        try:
            wait_until(lambda: count() == 0, "all devices show the same", SAME_WITHIN_S)
        except AssertionError:
            return count()
        return 0


def _laid(turns: Sequence[State]) -> list[list[tuple[object, ...]]]:
    """The tiles of each turn, none for an exchange or a pass; the first tile lies at (0, 0)."""
    placed = [turn.get("placed", []) for turn in turns]
    x, y = next(((min(_cell(t) for t in tiles)) for tiles in placed if tiles), (0, 0))
    kinds = ("shape", "colour", "background")
    return [
        sorted((t["x"] - x, t["y"] - y, *(t[kind] for kind in kinds)) for t in tiles)
        for tiles in placed
    ]


def _cell(tile: State) -> tuple[int, int]:
    return tile["x"], tile["y"]


@dataclass(frozen=True, slots=True)
class Burden:
    """What a process holds at one moment."""

    memory_bytes: int
    threads: int
    files: int

    @classmethod
    def of(cls, pid: int) -> Burden:
        """Look into /proc."""
        pages = int(Path(f"/proc/{pid}/statm").read_text().split()[1])
        files = sum(1 for _ in Path(f"/proc/{pid}/fd").iterdir())
        return cls(pages * PAGE_BYTES, threads_of(pid), files)


class Gauge(threading.Thread):
    """Looks at the memory of a process every second."""

    def __init__(self, pid: int) -> None:
        """Look at this process."""
        super().__init__(name="gauge", daemon=True)
        self._pid, self._ended = pid, threading.Event()
        self.memory_bytes: list[int] = []
        self.warm_from = 0
        """From which look on all that is kept for good should be there."""

    def run(self) -> None:
        """Look until told to end."""
        while not self._ended.wait(1.0):
            self.memory_bytes.append(Burden.of(self._pid).memory_bytes)

    def end(self) -> None:
        """Look no more."""
        self._ended.set()
        self.join()

    @property
    def is_warm(self) -> bool:
        """Whether it was looked at for long enough after warming up."""
        return len(self.memory_bytes) - self.warm_from >= LEAST_WARM_S

    def windows_mb(self) -> tuple[float, float]:
        """The median of the memory early, after warming up, and of that at the end."""
        seen = self.memory_bytes[self.warm_from :] or self.memory_bytes
        quarter = max(1, len(seen) // 4)
        return statistics.median(seen[:quarter]) / MB, statistics.median(seen[-quarter:]) / MB
