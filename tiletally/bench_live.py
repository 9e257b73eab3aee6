"""Whole simulated games through the real pipeline, and what watching costs.

`TILETALLY_GAMES` says how many games `bench live` plays (1 without it), `TILETALLY_SEED` the seed
of the first. Every game is Flex with 2 to 4 players, hands, hesitation, nudges and light changes,
played on the simulated clock as fast as it goes.
"""

from __future__ import annotations

import os
import sys
import tempfile
import time
from collections.abc import Callable
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path

import cv2
import numpy as np

from scorer.state import Turn
from tiletally.live import CameraTable
from tiletally.session import Session
from vision.cameras.base import Frame, Grey
from vision.cameras.demo import DemoTable
from vision.cameras.demo_play import Play
from vision.watch import Watcher

FRAMES = 400


@dataclass(slots=True)
class GameReport:
    """One simulated game against its truth."""

    seed: int
    plays: int
    turns: int = 0
    wrong: list[str] = field(default_factory=list)
    asked: set[str] = field(default_factory=set)
    latencies_s: list[float] = field(default_factory=list)
    simulated_s: float = 0.0
    real_s: float = 0.0
    looks: int = 0

    def __str__(self) -> str:
        asked = ", ".join(sorted(self.asked)) or "nothing"
        return (
            f"game {self.seed}: {self.turns} of {self.plays} turns, {len(self.wrong)} wrong, "
            f"asked {asked}; {self.simulated_s:.0f} s in {self.real_s:.0f} s"
        )


def bench_live() -> dict[str, float]:
    """Play games and count what went wrong; every doubt that was asked is named."""
    cv2.setNumThreads(1)
    first = int(os.environ.get("TILETALLY_SEED", "1"))
    seeds = range(first, first + int(os.environ.get("TILETALLY_GAMES", "1")))
    reports = [_told(play_through(seed)) for seed in seeds]
    latencies = [latency for report in reports for latency in report.latencies_s]
    real_s = sum(report.real_s for report in reports)
    return {
        "games": len(reports),
        "turns": sum(report.plays for report in reports),
        "turns_wrong": sum(len(report.wrong) for report in reports),
        "turns_missed": sum(max(0, report.plays - report.turns) for report in reports),
        "turns_false": sum(max(0, report.turns - report.plays) for report in reports),
        "questions_asked": sum(len(report.asked) for report in reports),
        "looks": sum(report.looks for report in reports),
        "hand_to_points_median_s": round(float(np.median(latencies)), 2),
        "hand_to_points_p95_s": round(float(np.percentile(latencies, 95)), 2),
        "simulated_to_real_ratio": round(sum(r.simulated_s for r in reports) / real_s, 1),
    }


def _told(report: GameReport) -> GameReport:
    for line in (str(report), *report.wrong):
        sys.stderr.write(f"{line}\n")
    sys.stderr.flush()
    return report


def play_through(seed: int, most_s: float = 1e9) -> GameReport:
    """Play one game to its end and compare it with its script."""
    with tempfile.TemporaryDirectory() as folder:
        session = Session.open(Path(folder))
        try:
            return _play(session, DemoTable(seed, None), seed, most_s)
        finally:
            session.close()


def _play(session: Session, camera: DemoTable, seed: int, most_s: float) -> GameReport:
    table = CameraTable(session, camera, source="demo")
    session.attach(table)
    table.step()
    script = camera.script
    report = GameReport(seed, len(script.plays))
    started = time.perf_counter()
    shown: set[int] = set()
    while camera.script_s < min(script.end_s - 0.5, most_s):
        before = time.perf_counter()
        table.step()
        _note(table, camera, report, shown, time.perf_counter() - before)
    current = session.current()
    assert current is not None
    report.turns = len(current.game.turns)
    report.wrong = _differences(script.plays, current.game.turns)
    report.simulated_s, report.real_s = camera.script_s, time.perf_counter() - started
    report.looks = table.look_count
    return report


def _note(
    table: CameraTable, camera: DemoTable, report: GameReport, shown: set[int], step_s: float
) -> None:
    """Note what is asked, and when each move's points are on the page."""
    told = table.told
    report.asked |= {f"{q['code']} at {tuple(q['cell'])}" for q in told.get("questions", [])}
    index = table.turn_count
    pending = told.get("pending")
    plays = camera.script.plays
    if pending is None or index in shown or index >= len(plays):
        return
    if len(pending["placed"]) == len(plays[index].placed) and plays[index].placed:
        shown.add(index)
        report.latencies_s.append(camera.script_s - camera.script.last_leaves_s[index] + step_s)


def _differences(plays: tuple[Play, ...], turns: tuple[Turn, ...]) -> list[str]:
    wrong = []
    for number, (play, turn) in enumerate(zip(plays, turns, strict=False), start=1):
        real = sorted(tile for _, tile in play.placed)
        told = sorted(tile for _, tile in turn.placed)
        if (play.player, play.score, real) != (turn.player, turn.points, told):
            wrong.append(f"  turn {number}: {turn.points} points told, {play.score} right")
    return wrong


def bench_watch() -> dict[str, float]:
    """What a frame of the light stream costs, against a grey conversion and a difference."""
    cv2.setNumThreads(1)
    camera = DemoTable(3, None)
    frames = [camera.glance().grey for _ in range(FRAMES)]
    watcher = Watcher()
    for grey in frames[:10]:
        watcher.see(grey, 0.0)
    watcher.accept(frames[9])
    colour = np.asarray(cv2.cvtColor(frames[0], cv2.COLOR_GRAY2BGR), np.uint8)
    watch = _typical([partial(watcher.see, grey, k / 8) for k, grey in enumerate(frames)])
    base = _typical([partial(_grey_and_difference, colour, grey) for grey in frames])
    return {
        "frames": FRAMES,
        "watch_ms": round(watch * 1000, 3),
        "grey_and_difference_ms": round(base * 1000, 3),
        "watch_to_grey_and_difference_ratio": round(watch / base, 1),
    }


def _grey_and_difference(frame_bgr: Frame, before: Grey) -> None:
    cv2.absdiff(cv2.cvtColor(frame_bgr, cv2.COLOR_BGR2GRAY), before)


def _typical(works: list[Callable[[], object]]) -> float:
    times = []
    for work in works:
        started = time.perf_counter()
        work()
        times.append(time.perf_counter() - started)
    return float(np.mean(times))
