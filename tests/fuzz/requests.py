"""Bad requests against a real scorekeeper, over real connections.

Fitting and unfitting requests out of the description, spoiled in further ways, against every call,
while a family plays. The promises: no failure of the server, no answer after more than two
seconds, nothing of the inside in any answer or in the log, every answer as described, every error
one sentence of JSON; memory, threads and open files stay as they were; and in the end the page
works and shows what the journal tells.
"""

from __future__ import annotations

import itertools
import json
import random
import time
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from statistics import median
from typing import Any
from urllib.parse import unquote_to_bytes

from scorer.journal import JournalReader
from tests.faults.running import ROOT, Device, Scorekeeper, wait_until
from tests.fuzz.family import Family
from tests.fuzz.nasty import changed
from tests.fuzz.wire import STREAM, Heard, Line, Request
from tests.webui.described import Answer, Description
from tiletally.session_archive import Archive
from webui.pin_file import remove_pin

SLOWEST_S = 2.0
MOST_GROWTH = 0.05
WARM = 0.4
WARM_AFTER = 5000
"""Requests until all threads have had some and the memory has found its size."""
LONGEST_SENTENCE = 400
MOST_TOLD = 12
FAMILY_EVERY = 25
HALF_EVERY = 97
RARE = {"POST /api/games": 0.02, "POST /api/rematch": 0.02, "GET /api/events": 0.3}
"""How often calls that fill the disk or hold a thread are asked, against 1 for all others."""
INSIDE = (b"Traceback", b'File "', b"site-packages", b"sqlite3.", b".py", str(ROOT).encode())
FROM_OUTSIDE = ("text/javascript", "application/javascript", "text/html")


@dataclass(slots=True)
class Figures:
    """What was asked of one scorekeeper, and which promises it broke."""

    part: str
    camera: str
    requests: int = 0
    cut_off: int = 0
    family_taps: int = 0
    statuses: dict[int, int] = field(default_factory=dict)
    calls: int = 0
    turns_in_the_end: int = 0
    games_in_the_end: int = 0
    seconds: float = 0.0
    slowest_ms: float = 0.0
    median_ms: float = 0.0
    rss_warm_mb: float = 0.0
    rss_end_mb: float = 0.0
    threads: tuple[int, int] = (0, 0)
    files: tuple[int, int] = (0, 0)
    broken_count: int = 0
    broken: list[str] = field(default_factory=list)

    @property
    def is_kept(self) -> bool:
        """Whether every promise was kept."""
        return self.broken_count == 0

    def complain(self, about: str) -> None:
        """Count a broken promise, and keep the first few."""
        self.broken_count += 1
        is_new = not any(about[:40] == other[:40] for other in self.broken)
        if is_new and len(self.broken) < MOST_TOLD:
            self.broken.append(about)


class Judge:
    """Holds every answer against the promises."""

    def __init__(self, figures: Figures, data: Path) -> None:
        """Know what must never be told."""
        self._figures, self._inside = figures, (*INSIDE, str(data).encode())
        self._description = Description.load()
        self._frame: Mapping[str, Any] = self._description.document["x-not-http"]
        self._seconds: list[float] = []

    def see(self, request: Request, heard: Heard | None) -> None:
        """Judge one answer."""
        self._figures.requests += 1
        told = f"{'+'.join(request.made)}: {request.method} {request.target[:70]}"
        told += f" {request.body[:60]!r}"
        if heard is None:
            if request.is_http:
                self._figures.complain(f"no answer: {told}")
            return
        self._seconds.append(heard.seconds)
        self._figures.statuses[heard.status] = self._figures.statuses.get(heard.status, 0) + 1
        for problem in filter(None, self._problems(request, heard)):
            self._figures.complain(f"{problem} | {told}")

    def _problems(self, request: Request, heard: Heard) -> list[str | None]:
        return [
            f"failure {heard.status} {heard.data[:200]!r}" if heard.status >= 500 else None,
            f"{heard.seconds:.1f} s" if heard.seconds > SLOWEST_S else None,
            self._inside_problem(heard),
            self._shape_problem(request, heard),
            _sentence_problem(heard) if heard.status >= 400 and request.method != "HEAD" else None,
        ]

    def _inside_problem(self, heard: Heard) -> str | None:
        if heard.kind in FROM_OUTSIDE or heard.kind == "application/manifest+json":
            return None
        text = heard.data + heard.head.encode("utf-8", "replace")
        found = next((word for word in self._inside if word in text), None)
        return f"tells {found!r}: {heard.data[:200]!r}" if found and heard.status != 200 else None

    def _shape_problem(self, request: Request, heard: Heard) -> str | None:
        if heard.kind == STREAM and heard.status == 200:
            return None
        path = _path(request.target)
        problem = self._description.problem(
            Answer(request.method, path, heard.status, heard.kind, heard.data)
        )
        # The web server refuses some before any call is asked.
        is_refused = str(heard.status) in self._frame and heard.kind == "application/json"
        return None if is_refused else problem

    def finish(self) -> None:
        """Sum up the times."""
        if self._seconds:
            self._figures.slowest_ms = round(max(self._seconds) * 1000, 1)
            self._figures.median_ms = round(median(self._seconds) * 1000, 2)


def _path(target: str) -> str:
    if target.startswith("http://"):
        target = "/" + target.partition("://")[2].partition("/")[2]
    bare = "/" + target.partition("?")[0].partition("#")[0].lstrip("/")
    return unquote_to_bytes(bare).decode("utf-8", "replace")


def _sentence_problem(heard: Heard) -> str | None:
    try:
        body = json.loads(heard.data)
        sentence = body["error"]
    except (ValueError, TypeError, KeyError):
        return f"the error is no JSON: {heard.status} {heard.data[:200]!r}"
    if not isinstance(sentence, str) or not 1 < len(sentence) <= LONGEST_SENTENCE:
        return f"no clear sentence: {str(sentence)[:200]}"
    return f"more than one line: {sentence!r}" if "\n" in sentence else None


def spoil(
    data: Path, camera: str, count: int, pool: Mapping[str, Sequence[Request]], seed: int
) -> Figures:
    """Ask one scorekeeper `count` times, and judge."""
    figures = Figures("requests", camera, calls=len(pool))
    begun = time.monotonic()
    with Scorekeeper(data, camera) as scorekeeper:
        scorekeeper.wait_for_page()
        _wait_for_camera(scorekeeper, camera)
        _ask_all(scorekeeper, count, pool, seed, figures, Judge(figures, data))
        _compare(scorekeeper, data, figures)
        _read_log(scorekeeper.said, figures)
        if scorekeeper.end() != 0:
            figures.complain("it did not end well")
    figures.seconds = round(time.monotonic() - begun, 1)
    return figures


def _wait_for_camera(scorekeeper: Scorekeeper, camera: str) -> None:
    if camera != "none":
        device = Device(scorekeeper.url)
        wait_until(
            lambda: (device.state().get("camera") or {}).get("can_upload"),
            "the camera is there",
        )


def _ask_all(
    scorekeeper: Scorekeeper,
    count: int,
    pool: Mapping[str, Sequence[Request]],
    seed: int,
    figures: Figures,
    judge: Judge,
) -> None:
    rng = random.Random(seed)
    line, process = Line(scorekeeper.port), Process(scorekeeper.process.pid)
    family = Family(Line(scorekeeper.port), rng)
    names, weights = list(pool), [RARE.get(name, 1.0) for name in pool]
    real: list[Request] = family.play()
    warm = max(1, int(count * WARM))
    for number in itertools.count(1):
        if number % FAMILY_EVERY == 0:
            real = [*real[-30:], *family.play()]
        if number == warm:
            line.close()
            process.remember()
        if number > count:
            break
        request = _chosen(rng, pool, names, weights, real)
        if number % HALF_EVERY == 0:
            line.send_half(request, rng.random())
            figures.cut_off += 1
        else:
            judge.see(request, line.ask(request))
        remove_pin(scorekeeper.data)  # that chance has set; nobody knows it
    line.close()
    family.leave()
    figures.family_taps = family.taps
    judge.finish()
    process.compare(figures)


def _chosen(
    rng: random.Random,
    pool: Mapping[str, Sequence[Request]],
    names: Sequence[str],
    weights: Sequence[float],
    real: Sequence[Request],
) -> Request:
    """One of the description as it is or spoiled, or a spoiled real one."""
    lot = rng.random()
    if lot < 0.2:
        return changed(rng.choice(real), rng)
    request = rng.choice(pool[rng.choices(names, weights)[0]])
    return request if lot < 0.5 else changed(request, rng)


class Process:
    """Memory, threads and open files of a process."""

    def __init__(self, pid: int) -> None:
        """Look at this one."""
        self._place = Path(f"/proc/{pid}")
        self._then = (0.0, 0, 0)

    def _now(self) -> tuple[float, int, int]:
        time.sleep(0.5)  # what was just closed is let go of
        status = (self._place / "status").read_text()
        rss = next(int(row.split()[1]) for row in status.splitlines() if row.startswith("VmRSS"))
        tasks = sum(1 for _ in (self._place / "task").iterdir())
        return rss / 1024, tasks, sum(1 for _ in (self._place / "fd").iterdir())

    def remember(self) -> None:
        """What it needs after it has warmed up."""
        self._then = self._now()

    def compare(self, figures: Figures) -> None:
        """What it needs in the end."""
        now = self._now()
        figures.rss_warm_mb, figures.rss_end_mb = round(self._then[0], 1), round(now[0], 1)
        figures.threads, figures.files = (self._then[1], now[1]), (self._then[2], now[2])
        is_warm = figures.requests >= WARM_AFTER / WARM
        if is_warm and now[0] > self._then[0] * (1 + MOST_GROWTH):
            figures.complain(f"memory grew from {self._then[0]:.1f} to {now[0]:.1f} MB")
        if now[1] > self._then[1]:
            figures.complain(f"threads grew from {self._then[1]} to {now[1]}")
        if now[2] > self._then[2] + 1:
            figures.complain(f"open files grew from {self._then[2]} to {now[2]}")


def _compare(scorekeeper: Scorekeeper, data: Path, figures: Figures) -> None:
    """The page still works, and what it shows is what the journal tells."""
    device = Device(scorekeeper.url)
    if not device.post("/api/games", {"rules": "flex", "players": ["Anna", "Ben"]}).is_done:
        figures.complain("no new game can be started in the end")
    games = device.get("/api/games").json["games"]
    figures.games_in_the_end = len(games)
    most = max(games, key=lambda game: game["turns"])
    device.post(f"/api/games/{most['id']}/resume")
    state = device.state()
    figures.turns_in_the_end = len(state["turns"])
    with JournalReader.open(data) as journal:
        told = Archive(journal).game(most["id"])
    for part in ("game", "board", "turns", "next_player", "tiles_left"):
        if state[part] != told[part]:
            figures.complain(f"the page shows another {part} than the journal")


def _read_log(said: str, figures: Figures) -> None:
    found = Counter(
        row for row in said.splitlines() if "Traceback" in row or "ERROR" in row or '.py"' in row
    )
    for row, count in found.items():
        figures.complain(f"the log says {count} times: {row[:200]}")
