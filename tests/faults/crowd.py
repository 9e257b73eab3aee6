"""A crowd in front of one scorekeeper; run as `make crowd SECONDS=600 CLIENTS=50 TAPPERS=4`.

Many devices follow, each with an address of its own, and some tap at random: moves, exchanges,
undo, redo, corrections, new games, often several copies of the same tap, sometimes on an old state.
In the end every tap that was acknowledged is in the journal exactly once, none that was refused
is, and all devices show the same state. The figures are one line of JSON on standard output; the
exit status is 1 when a promise was broken.
"""

from __future__ import annotations

import argparse
import json
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Sequence
from dataclasses import asdict, dataclass, field
from pathlib import Path

from scorer.journal import JournalReader
from tests.faults.crowd_devices import Follower, Tap, Tapper
from tests.faults.running import Device, Scorekeeper, wait_until

GAME = {"rules": "flex", "players": ["Anna", "Ben"]}
TOLD_EVERY_S = 30.0
SAME_WITHIN_S = 30.0
FIRST_ADDRESS = 10


@dataclass(slots=True)
class Figures:
    """What a crowd did, and what came of it."""

    seconds: float
    clients: int
    tappers: int
    taps: int = 0
    copies: int = 0
    acknowledged: int = 0
    refused: int = 0
    new_games: int = 0
    lost: list[str] = field(default_factory=list)
    doubled: list[str] = field(default_factory=list)
    refused_but_kept: list[str] = field(default_factory=list)
    taken_back: list[str] = field(default_factory=list)
    """Taps whose first copy was acknowledged and a later one refused."""
    server_errors: int = 0
    broken_connections: int = 0
    streams: int = 0
    streams_refused: int = 0
    states_received: int = 0
    clients_that_differ: int = 0
    same_state_after_s: float = 0.0
    slowest_tap_s: float = 0.0
    threads_before: int = 0
    threads_after: int = 0

    @property
    def is_kept(self) -> bool:
        """Whether every promise was kept."""
        broken = (self.lost, self.doubled, self.refused_but_kept, self.taken_back)
        counts = (self.server_errors, self.broken_connections, self.streams_refused)
        is_leaking = self.threads_after > self.threads_before
        return not any((*broken, *counts, self.clients_that_differ, is_leaking))


def crowd(data: Path, seconds: float, clients: int, tappers: int, seed: int = 1) -> Figures:
    """Let a crowd loose on one scorekeeper, and compare what it saw with the journal."""
    figures = Figures(seconds, clients, tappers)
    with Scorekeeper(data) as scorekeeper:
        scorekeeper.wait_for_page()
        device = Device(scorekeeper.url)
        assert device.post("/api/games", GAME).is_done
        followers = [Follower(scorekeeper.url, FIRST_ADDRESS + n) for n in range(clients)]
        people = [Tapper(scorekeeper.url, seed * 100 + number) for number in range(tappers)]
        figures.threads_before = threads_of(scorekeeper.process.pid)
        for each in (*followers, *people):
            each.start()
        _let_them(people, seconds)
        _compare_screens(device, followers, figures)
        figures.threads_after = threads_of(scorekeeper.process.pid)
        for follower in followers:
            follower.end()
    _count_devices(followers, people, figures)
    _compare_journal(data, [tap for person in people for tap in person.taps], figures)
    return figures


def threads_of(pid: int) -> int:
    """How many threads a process has."""
    return sum(1 for _ in Path(f"/proc/{pid}/task").iterdir())


def _let_them(people: Sequence[Tapper], seconds: float) -> None:
    end = time.monotonic() + seconds
    while (left := end - time.monotonic()) > 0:
        time.sleep(min(TOLD_EVERY_S, left))
        taps = sum(len(person.taps) for person in people)
        sys.stderr.write(f"{max(0.0, end - time.monotonic()):5.0f} s left, {taps} taps\n")
        sys.stderr.flush()
    for person in people:
        person.end()
    for person in people:
        person.join()


def _compare_screens(device: Device, followers: Sequence[Follower], figures: Figures) -> None:
    """Everybody must show what the server tells."""
    begun = time.monotonic()
    body = device.get("/api/state").body
    shown = (json.loads(body)["version"], body)

    def differing() -> int:
        return sum(follower.shown != shown for follower in followers)

    try:
        wait_until(lambda: differing() == 0, "all devices show the same", SAME_WITHIN_S)
    except AssertionError:
        figures.clients_that_differ = differing()
    figures.same_state_after_s = round(time.monotonic() - begun, 2)


def _count_devices(
    followers: Sequence[Follower], people: Sequence[Tapper], figures: Figures
) -> None:
    figures.streams = sum(follower.streams for follower in followers)
    figures.streams_refused = sum(len(follower.refusals) for follower in followers)
    figures.states_received = sum(follower.states for follower in followers)
    # A stream that was open at the end broke off with the server, once for each follower.
    breaks = sum(max(0, follower.breaks - 1) for follower in followers)
    figures.broken_connections = breaks + sum(len(person.breaks) for person in people)
    figures.slowest_tap_s = round(max(person.slowest_s for person in people), 2)


def _compare_journal(data: Path, taps: Sequence[Tap], figures: Figures) -> None:
    """What was acknowledged is there once, what was refused is not there."""
    with JournalReader.open(data) as journal:
        games = journal.games()
        kept = Counter(entry.command_id for game in games for entry in journal.events(game.id))
    kept.update(game.uid for game in games)
    figures.new_games, figures.taps = len(games) - 1, sum(tap.is_event for tap in taps)
    figures.copies = sum(len(tap.statuses) for tap in taps)
    figures.server_errors = sum(status >= 500 for tap in taps for status in tap.statuses)
    figures.taken_back = [str(tap) for tap in taps if tap.is_taken_back]
    for tap in filter(lambda tap: tap.is_event, taps):
        figures.acknowledged += tap.is_acknowledged
        figures.refused += not tap.is_acknowledged
        if tap.is_acknowledged and not kept[tap.command]:
            figures.lost.append(str(tap))
        if kept[tap.command] > 1:
            figures.doubled.append(str(tap))
        if not tap.is_acknowledged and kept[tap.command]:
            figures.refused_but_kept.append(str(tap))


def main(words: Sequence[str] | None = None) -> int:
    """Run a crowd of the wanted size."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--seconds", type=float, default=600)
    parser.add_argument("--clients", type=int, default=50)
    parser.add_argument("--tappers", type=int, default=4)
    parser.add_argument("--seed", type=int, default=1)
    args = parser.parse_args(words)
    with tempfile.TemporaryDirectory() as folder:
        place = Path(folder) / "data"
        figures = crowd(place, args.seconds, args.clients, args.tappers, args.seed)
    sys.stdout.write(f"{json.dumps(asdict(figures) | {'is_kept': figures.is_kept})}\n")
    return 0 if figures.is_kept else 1


if __name__ == "__main__":
    sys.exit(main())
