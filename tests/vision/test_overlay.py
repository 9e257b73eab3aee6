"""What was understood, drawn on the photo, whoever asks for it."""

from __future__ import annotations

import threading
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import numpy as np

from scorer.tiles import Tile
from tests.faults.steady import MB, PAGE_BYTES
from tests.vision.stage_readings import stage_reading
from vision.cameras.demo_stage import Stage
from vision.overlay import draw_overlay

PLACES = 12
MOST_GROWTH_MB = 30


def memory_mb() -> float:
    """What this process holds."""
    return int(Path("/proc/self/statm").read_text().split()[1]) * PAGE_BYTES / MB


def test_tiles_are_outlined_and_named_and_the_photo_stays_as_it_is() -> None:
    stage = Stage(3)
    stage.lay((0, 0), Tile("circle", "red", "black"))
    frame = stage.picture()
    before = frame.copy()
    drawn = draw_overlay(frame, stage_reading(stage))
    assert (frame == before).all()
    x0, y0 = np.floor(stage.corners_px((0, 0)).min(0)).astype(int) - 30
    x1, y1 = np.ceil(stage.corners_px((0, 0)).max(0)).astype(int) + 30
    changed = (drawn != frame).any(2)
    assert changed[y0:y1, x0:x1].sum() > 100
    changed[y0:y1, x0:x1] = False
    assert not changed.any()


def test_threads_that_asked_for_a_drawing_keep_nothing_of_it() -> None:
    stage = Stage(3)
    stage.lay((0, 0), Tile("circle", "red", "black"))
    frame, reading = stage.picture(), stage_reading(stage)
    together = threading.Barrier(PLACES)

    def draw() -> None:
        together.wait()
        draw_overlay(frame, reading)

    draw_overlay(frame, reading)
    before_mb = memory_mb()
    with ThreadPoolExecutor(PLACES) as threads:
        for _ in threads.map(lambda _: draw(), range(PLACES)):
            pass
        assert memory_mb() < before_mb + MOST_GROWTH_MB
