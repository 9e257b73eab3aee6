"""Hostile pictures through the decoder, as `tiletally read` and as an upload from a phone.

The promises: the process never ends, no picture costs more than two seconds of computing, memory
has a bound, and what is no picture gets one clear sentence.
"""

from __future__ import annotations

import itertools
import json
import os
import random
import subprocess
import sys
import time
from collections import Counter
from collections.abc import Iterator
from dataclasses import asdict, dataclass, field
from pathlib import Path

from tests.faults.running import ROOT, Device, Scorekeeper, wait_until
from tests.fuzz.peak import peak_mb
from tests.fuzz.pictures import mutated, named
from tests.fuzz.wire import Heard, Line, Request

MOST_CPU_S = 2.0
MOST_WAIT_S = 15.0
"""Other programs may compute too; nothing may hang."""
MOST_MB = 1024.0
MOST_TOLD = 12
LONGEST_SENTENCE = 200
READ_EVERY = 100
TICKS = os.sysconf("SC_CLK_TCK")


@dataclass(slots=True)
class Figures:
    """What became of the pictures of one way in."""

    part: str
    images: int = 0
    decoded: int = 0
    refused: int = 0
    read: int = 0
    sentences: dict[str, int] = field(default_factory=dict)
    seconds: float = 0.0
    slowest_cpu_s: float = 0.0
    slowest_s: float = 0.0
    most_mb: float = 0.0
    broken: list[str] = field(default_factory=list)

    @property
    def is_kept(self) -> bool:
        """Whether every promise was kept."""
        return not self.broken

    def complain(self, about: str) -> None:
        """Keep the first few broken promises."""
        if len(self.broken) < MOST_TOLD:
            self.broken.append(about)

    def took(self, name: str, cpu_s: float, wait_s: float) -> None:
        """Judge the time of one picture."""
        self.slowest_cpu_s = round(max(self.slowest_cpu_s, cpu_s), 2)
        self.slowest_s = round(max(self.slowest_s, wait_s), 2)
        if cpu_s > MOST_CPU_S or wait_s > MOST_WAIT_S:
            self.complain(f"{name} took {cpu_s:.1f} s of computing, {wait_s:.1f} s in all")

    def said(self, name: str, sentence: str) -> None:
        """Judge what was said about one picture."""
        self.refused += 1
        known = " ".join(word for word in sentence.split() if not any(map(str.isdigit, word)))
        self.sentences[known] = self.sentences.get(known, 0) + 1
        if not 10 < len(sentence) < LONGEST_SENTENCE or "\n" in sentence or "Error" in sentence:
            self.complain(f"{name}: no clear sentence: {sentence!r}")


def hostile(count: int, seed: int) -> Iterator[tuple[str, bytes]]:
    """The named ones, then as many changed ones as are left."""
    rng = random.Random(seed)
    changed = ((f"changed {seed}/{number}", mutated(rng)) for number in itertools.count())
    return itertools.islice(itertools.chain(named(), changed), count)


def decode_here(count: int, seed: int) -> Figures:
    """Decode in this process, and read some of what could be decoded."""
    from vision.images import ImageError, decode_image
    from vision.reader import Reader

    figures, begun, reader = Figures("images, decoded"), time.monotonic(), Reader("flex", None)
    for name, data in hostile(count, seed):
        figures.images += 1
        since, cpu = time.monotonic(), time.process_time()
        try:
            frame = decode_image(data, "photo.jpg")
            figures.decoded += 1
        except ImageError as error:
            figures.said(name, str(error))
            frame = None
        figures.took(name, time.process_time() - cpu, time.monotonic() - since)
        is_small = frame is not None and frame.size < 4_000_000
        if frame is not None and is_small and (figures.decoded % READ_EVERY == 0 or " by " in name):
            reader.read(frame)
            figures.read += 1
    figures.seconds = round(time.monotonic() - begun, 1)
    figures.most_mb = peak_mb()
    if figures.most_mb > MOST_MB:
        figures.complain(f"{figures.most_mb} MB of memory")
    return figures


def decode(count: int, seed: int) -> Figures:
    """Decode in a process of its own, because one that ends must be noticed."""
    words = [sys.executable, "-m", "tests.fuzz.images", str(count), str(seed)]
    done = subprocess.run(words, cwd=ROOT, capture_output=True, check=False)
    if done.returncode != 0:
        failed = Figures("images, decoded")
        failed.complain(f"the process ended with {done.returncode}: {done.stderr[-600:]!r}")
        return failed
    return Figures(**json.loads(done.stdout))


def upload(data: Path, count: int, seed: int) -> Figures:
    """Send them as photos to a real scorekeeper."""
    figures, begun, rng = Figures("images, uploaded"), time.monotonic(), random.Random(seed)
    with Scorekeeper(data, "phone") as scorekeeper:
        scorekeeper.wait_for_page()
        device = Device(scorekeeper.url)
        wait_until(lambda: (device.state()["camera"] or {}).get("can_upload"), "the camera")
        device.post("/api/games", {"rules": "flex", "players": ["Anna", "Ben"]})
        line = Line(scorekeeper.port)
        for name, picture in hostile(count, seed):
            kind = rng.choice(("image/jpeg", "image/png"))
            cpu = cpu_of(scorekeeper.process.pid)
            heard = line.ask(Request("POST", "/api/photo", (("Content-Type", kind),), picture))
            _judge(figures, name, heard, cpu_of(scorekeeper.process.pid) - cpu)
        line.close()
        _look_at_the_end(scorekeeper, figures)
    figures.seconds = round(time.monotonic() - begun, 1)
    return figures


def _judge(figures: Figures, name: str, heard: Heard | None, cpu_s: float) -> None:
    figures.images += 1
    if heard is None:
        figures.complain(f"{name}: no answer")
        return
    # The camera reads what came before at the same time; only a long wait is the decoder's.
    figures.took(name, min(cpu_s, heard.seconds), heard.seconds)
    if heard.status == 202:
        figures.decoded += 1
    elif heard.status in (413, 422):
        figures.said(name, json.loads(heard.data)["error"])
    else:
        figures.complain(f"{name}: {heard.status} {heard.data[:200]!r}")


def _look_at_the_end(scorekeeper: Scorekeeper, figures: Figures) -> None:
    figures.most_mb = peak_mb(scorekeeper.process.pid)
    if figures.most_mb > MOST_MB:
        figures.complain(f"{figures.most_mb} MB of memory")
    if Device(scorekeeper.url).get("/healthz").status != 200:
        figures.complain("it is not well in the end")
    rows = [row for row in scorekeeper.said.splitlines() if "Traceback" in row or "ERROR" in row]
    for row, times in Counter(rows).items():
        figures.complain(f"the log says {times} times: {row[:200]}")
    if scorekeeper.end() != 0:
        figures.complain("it did not end well")


def cpu_of(pid: int) -> float:
    """Seconds that a process has computed so far."""
    words = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
    return (int(words[11]) + int(words[12])) / TICKS


if __name__ == "__main__":
    sys.stdout.write(json.dumps(asdict(decode_here(int(sys.argv[1]), int(sys.argv[2])))))
