"""Watching: still or moving, free or not, changed or the same."""

from __future__ import annotations

from typing import Any

import cv2
import numpy as np
import numpy.typing as npt
import pytest

from vision.cameras.base import CameraEndedError, Grey
from vision.cameras.demo import DemoTable
from vision.cameras.demo_script import Habits, make_script
from vision.watch import PUT_DOWN_S, Watched, Watcher

STEP_S = 0.125
Scene = npt.NDArray[Any]


class Stream:
    """A drawn table top with noise, seen frame by frame."""

    def __init__(self, seed: int = 1) -> None:
        self._rng = np.random.default_rng(seed)
        rough = self._rng.normal(120, 25, (24, 32)).astype(np.float32)
        self.table = cv2.resize(rough, (320, 240), interpolation=cv2.INTER_CUBIC)
        self.watcher = Watcher()
        self.time_s = 0.0

    def frame(self, scene: Scene | None = None) -> Grey:
        base = self.table if scene is None else scene
        noisy = base + self._rng.normal(0, 2.0, base.shape)
        return np.clip(noisy, 0, 255).astype(np.uint8)

    def show(self, scene: Scene | None = None, frames: int = 1) -> Watched:
        for _ in range(frames):
            self.time_s += STEP_S
            grey = self.frame(scene)
            watched = self.watcher.see(grey, self.time_s)
        return watched

    def accept(self, scene: Scene | None = None) -> None:
        self.watcher.accept(self.frame(scene))

    def with_box(self, x: int, y: int, w: int, h: int, value: float = 30.0) -> Scene:
        scene = self.table.copy()
        scene[y : y + h, x : x + w] = value
        return scene


@pytest.fixture
def stream() -> Stream:
    stream = Stream()
    assert stream.show(frames=6).is_free
    stream.accept()
    return stream


def test_the_first_still_frames_are_worth_a_look() -> None:
    watched = Stream().show(frames=5)
    assert watched.is_free
    assert watched.is_changed


def test_an_idle_table_costs_no_reading(stream: Stream) -> None:
    for _ in range(200):
        watched = stream.show()
        assert watched.is_free
        assert not watched.is_changed


def test_a_new_tile_is_a_change_but_no_hand(stream: Stream) -> None:
    watched = stream.show(stream.with_box(150, 100, 11, 11), frames=6)
    assert watched.is_free
    assert watched.is_changed


def test_something_moving_is_not_still(stream: Stream) -> None:
    for x in range(0, 100, 8):
        watched = stream.show(stream.with_box(x, 100, 40, 30))
        assert watched.is_moving
        assert not watched.is_free


def test_a_hand_that_rests_is_in_the_way(stream: Stream) -> None:
    watched = stream.show(stream.with_box(0, 100, 120, 40, 200.0), frames=10)
    assert watched.still_s > 0.5
    assert watched.has_hand
    assert not watched.is_free


def test_a_cup_put_down_at_the_border_stops_being_a_hand(stream: Stream) -> None:
    cup = stream.with_box(0, 100, 60, 60, 200.0)
    assert not stream.show(cup, frames=8).is_free
    assert stream.show(cup, frames=round(PUT_DOWN_S / STEP_S) + 4).is_free


@pytest.mark.parametrize("gain", [0.75, 1.2])
def test_a_new_light_is_told_from_a_hand(stream: Stream, gain: float) -> None:
    watched = stream.show(stream.table * gain, frames=8)
    assert watched.light_changed
    assert watched.is_free


def test_a_pushed_camera_is_told_from_a_hand() -> None:
    rng = np.random.default_rng(5)
    stream = Stream()
    fine = cv2.resize(rng.normal(120, 40, (48, 64)).astype(np.float32), (320, 240))
    stream.table = fine
    stream.show(frames=6)
    stream.accept()
    watched = stream.show(np.roll(fine, (6, 9), axis=(0, 1)), frames=8)
    assert watched.was_pushed
    assert not watched.has_hand


def test_a_frozen_stream_is_noticed(stream: Stream) -> None:
    grey = stream.frame()
    for k in range(40):
        watched = stream.watcher.see(grey, 100.0 + k)
    assert watched.frozen_s >= 38


@pytest.mark.parametrize("value", [0, 3, 128])
def test_a_covered_lens_is_blind(stream: Stream, value: int) -> None:
    watched = stream.watcher.see(np.full((240, 320), value, np.uint8), 50.0)
    assert watched.is_blind
    assert not watched.is_free


@pytest.mark.parametrize("seed", [5, 8])
def test_no_free_look_at_the_simulated_table_has_a_hand_in_it(seed: int) -> None:
    table = DemoTable(seed, None, make_script(seed, most_turns=8, habits=Habits(hover=0.5)))
    watcher = Watcher()
    looks = 0
    while True:
        try:
            glance = table.glance()
        except CameraEndedError:
            break
        watched = watcher.see(glance.grey, glance.time_s)
        if watched.is_free and watched.is_changed:
            assert not any(abs(hand.x) < 11 and abs(hand.y) < 7 for hand in table.hands)
            watcher.accept(glance.grey)
            looks += 1
    assert 8 <= looks <= 24
