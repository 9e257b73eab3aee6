"""What people were told, and whether the journal keeps it.

Every state that a device was shown and every tap goes into a `Ledger`. `check` reads the journal
from outside and compares: what was acknowledged is there exactly once, what was refused is not,
what was there before is unchanged, each shown state is what the events up to it make, and the
totals are those of a second opinion. A tap without an answer may be there or not, but once.
"""

from __future__ import annotations

import hashlib
import http.client
import itertools
import json
import threading
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from scorer.event_json import event_from_json
from scorer.game import Game
from scorer.journal import Entry, JournalReader
from tests.faults.running import Device, State
from tests.faults.second_tally import second_totals
from tiletally.session_state import game_json, game_part

ABOUT_GAME = ("rules", "is_over", "ending", "winners", "can_undo", "can_redo")
ABOUT_TABLE = ("next_player", "board", "turns", "tiles_left", "warnings", "begun")
ABOUT_PLAYER = ("name", "score", "hand", "is_leader")
STORAGE_TROUBLE = 507
TOOK_TOO_LONG = 503
"""The person is told to look whether it counted, so that is no answer yet."""
Place = tuple[int, int]
"""A game and the number of its last event."""


@dataclass(slots=True, eq=False)
class Tap:
    """One tap, and how each of its copies was answered; None where no answer came."""

    path: str
    body: dict[str, Any]
    is_event: bool = True
    """Whether it leaves an event or a game with its own id in the journal."""
    statuses: list[int | None] = field(default_factory=list)

    @property
    def command(self) -> str:
        """Its id."""
        return str(self.body["command"])

    @property
    def is_acknowledged(self) -> bool:
        """Whether the person was told that it counts."""
        return any(status is not None and status < 300 for status in self.statuses)

    @property
    def is_open(self) -> bool:
        """Whether the person does not know yet."""
        return not self.is_acknowledged and self.statuses[-1:] == [None]

    @property
    def has_failed(self) -> bool:
        """Whether the server itself failed over it; a full disk is told, and no failure."""
        found = [status for status in self.statuses if status is not None]
        return any(status >= 500 and status != STORAGE_TROUBLE for status in found)

    @property
    def is_taken_back(self) -> bool:
        """Whether a copy was refused after one had been acknowledged."""
        known = [status for status in self.statuses if status is not None]
        return any(one < 300 <= later for one, later in itertools.pairwise(known))

    def send(self, device: Device) -> None:
        """Send it once more."""
        try:
            status = device.post(self.path, self.body).status
            self.statuses.append(None if status == TOOK_TOO_LONG else status)
        except (OSError, http.client.HTTPException):
            self.statuses.append(None)


@dataclass(slots=True)
class Book:
    """One game as the journal had it when it was read last."""

    entries: list[Entry] = field(default_factory=list)
    game: Game | None = None
    prints: dict[int, str] = field(default_factory=dict)
    """What is to be shown after each event."""
    wrong_totals: list[int] = field(default_factory=list)

    def read_on(self, entries: Sequence[Entry]) -> None:
        """Take in the events that are new."""
        for entry in entries[len(self.entries) :]:
            event = event_from_json(entry.event)
            if self.game is None:
                self.game = Game.fold([event])
            else:
                self.game = self.game._after(event, strict=False)
            self.entries.append(entry)
            self.prints[entry.seq] = fingerprint(told_by(self.game))
            if list(self.game.totals) != second_totals([each.event for each in self.entries]):
                self.wrong_totals.append(entry.seq)


def told_by(game: Game) -> State:
    """What a game tells, in the shape of the state."""
    told: State = json.loads(json.dumps({"game": game_json(game), **game_part(game, {})}))
    return told


def fingerprint(state: State) -> str:
    """The part of a state that follows from the events, as a short text."""
    part: State = {key: state["game"][key] for key in ABOUT_GAME}
    part |= {key: state[key] for key in ABOUT_TABLE}
    part["players"] = [{key: each[key] for key in ABOUT_PLAYER} for each in state["players"]]
    return hashlib.sha256(json.dumps(part, sort_keys=True).encode()).hexdigest()


class Ledger:
    """Everything that people were told by one scorekeeper, over all its lives."""

    def __init__(self, data: Path) -> None:
        """Begin with a data directory that nobody has used."""
        self._data = data
        self._lock = threading.Lock()
        self._shown: dict[Place, str] = {}
        self._unchecked: list[Tap] = []
        self._books: dict[int, Book] = {}
        self._kept: Counter[str] = Counter()
        self.newest: Place = (0, 0)
        """The latest that anybody was shown."""
        self.broken: list[str] = []
        self.taps = self.acknowledged = self.refused = 0
        self.states = self.open_found = self.open_absent = 0
        self.new_turn, self.new_tap = threading.Event(), threading.Event()

    # --- what happens

    def see(self, state: State) -> None:
        """A device was shown a state."""
        if state["game"] is None:
            return
        place, shown = (state["game"]["id"], state["game"]["seq"]), fingerprint(state)
        with self._lock:
            self.states += 1
            if self._shown.setdefault(place, shown) != shown:
                self.broken.append(f"told differently: {place}")
            is_new = place > self.newest
            self.newest = max(self.newest, place)
        if is_new and (state["last_turn"] or {}).get("kind") == "place":
            self.new_turn.set()

    def send(self, device: Device, tap: Tap, copies: int = 1) -> None:
        """A person taps."""
        with self._lock:
            self.taps += 1
            self._unchecked.append(tap)
        self.new_tap.set()
        for _ in range(copies):
            tap.send(device)

    def resend(self, device: Device) -> int:
        """The devices send again what was not answered; returns how much that was."""
        waiting = [tap for tap in self._unchecked if tap.is_open]
        for tap in waiting:
            tap.send(device)
        return len(waiting)

    def expect_newest(self, state: State) -> None:
        """After a restart nothing older may be shown than what was shown before."""
        place = (state["game"]["id"], state["game"]["seq"]) if state["game"] else (0, 0)
        if place < self.newest:
            self.broken.append(f"shown after a restart: {place}, before it: {self.newest}")
        self.see(state)

    # --- what the journal says

    @property
    def games(self) -> int:
        """How many games there are."""
        return len(self._books)

    @property
    def events(self) -> int:
        """How many events there are."""
        return sum(len(book.entries) for book in self._books.values())

    @property
    def seen_turns(self) -> int:
        """How many turns the camera played."""
        entries = (entry for book in self._books.values() for entry in book.entries)
        return sum(entry.event["type"] == "turn_played" for entry in entries)

    def entries(self, game_id: int) -> list[Entry]:
        """The events of one game as they were read last."""
        return self._books[game_id].entries if game_id in self._books else []

    def note_unanswered(self) -> None:
        """Count what became of the taps that were not answered, before they are sent again."""
        self._read()
        for tap in self._unchecked:
            if tap.is_open and tap.is_event:
                self.open_found += self._kept[tap.command] > 0
                self.open_absent += self._kept[tap.command] == 0

    def check(self) -> None:
        """Compare all that people were told with the journal."""
        with self._lock:
            shown, self._shown = self._shown, {}
            # What is answered only while the journal is read may be missing in what was read.
            taps = [tap for tap in self._unchecked if tap.statuses and not tap.is_open]
            self._unchecked = [tap for tap in self._unchecked if tap not in taps]
        self._read()
        for place, told in shown.items():
            self._check_shown(place, told)
        for tap in taps:
            self._check_tap(tap)
        for path in self._data.glob("journal-*"):
            self.broken.append(f"set aside: {path.name}")

    def _read(self) -> None:
        with JournalReader.open(self._data) as journal:
            games = journal.games()
            for game in games:
                self._read_game(game.id, game.uid, journal.events(game.id))
        if set(self._books) - {game.id for game in games}:
            self.broken.append("a game is gone")

    def _read_game(self, game_id: int, uid: str, entries: list[Entry]) -> None:
        if game_id not in self._books:
            self._kept[uid] += 1
        book = self._books.setdefault(game_id, Book())
        if entries[: len(book.entries)] != book.entries or not entries:
            self.broken.append(f"game {game_id} has lost events")
            return
        new = entries[len(book.entries) :]
        self._kept.update(entry.command_id for entry in new if entry.command_id)
        book.read_on(entries)
        self.broken += [f"wrong totals: game {game_id}, {seq}" for seq in book.wrong_totals]
        book.wrong_totals.clear()

    def _check_shown(self, place: Place, told: str) -> None:
        game_id, seq = place
        book = self._books.get(game_id, Book())
        if seq not in book.prints:
            self.broken.append(f"shown, but not in the journal: {place}")
        elif book.prints[seq] != told:
            self.broken.append(f"shown, but not what the journal tells: {place}")

    def _check_tap(self, tap: Tap) -> None:
        kept, what = self._kept[tap.command], f"{tap.path} {tap.command} {tap.statuses}"
        if tap.has_failed:
            self.broken.append(f"failed: {what}")
        if tap.is_taken_back:
            self.broken.append(f"taken back: {what}")
        if kept > 1:
            self.broken.append(f"counted {kept} times: {what}")
        if not tap.is_event:
            return
        self.acknowledged += tap.is_acknowledged
        self.refused += not tap.is_acknowledged
        if tap.is_acknowledged and not kept:
            self.broken.append(f"lost: {what}")
        if not tap.is_acknowledged and kept:
            self.broken.append(f"refused, but kept: {what}")
