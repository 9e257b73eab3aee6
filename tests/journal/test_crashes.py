"""Killed at any instant, or without power: what was acknowledged is there, nothing half there."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

from tests.shims import compiled

HERE = Path(__file__).parent
ROOT = HERE.parent.parent
KILLS = 200
POWER_CUTS = 36


def run_rounds(*words: str, preload: Path | None = None) -> dict[str, int]:
    environment = dict(os.environ) | ({"LD_PRELOAD": str(preload)} if preload else {})
    done = subprocess.run(
        [sys.executable, "-m", *words],
        cwd=ROOT,
        env=environment,
        capture_output=True,
        text=True,
        timeout=300,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    tally: dict[str, int] = json.loads(done.stdout)
    return tally


@pytest.fixture(scope="session")
def power_cut(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The library that remembers only what was synced."""
    return compiled(HERE / "powercut.c", tmp_path_factory.mktemp("powercut"))


def test_killed_200_times_nothing_acknowledged_is_lost(tmp_path: Path) -> None:
    tally = run_rounds("tests.journal.kill_rounds", str(tmp_path), str(KILLS))
    assert tally["lost"] == 0
    assert tally["notices"] == 0
    assert tally["crashes"] == KILLS
    assert tally["crashes_with_acknowledged"] >= KILLS / 2  # the others may hit the opening


@pytest.mark.parametrize("survivors", ["none", "some"])
def test_without_power_nothing_acknowledged_is_lost(
    tmp_path: Path, power_cut: Path, survivors: str
) -> None:
    words = ("tests.journal.power_cut", str(tmp_path), str(POWER_CUTS), "FULL", survivors)
    tally = run_rounds(*words, preload=power_cut)
    assert tally["lost"] == 0
    assert tally["notices"] == 0
    assert tally["crashes"] == POWER_CUTS
    assert tally["crashes_with_acknowledged"] >= POWER_CUTS / 2


def test_the_simulation_catches_commits_that_do_not_wait_for_the_disk(
    tmp_path: Path, power_cut: Path
) -> None:
    words = ("tests.journal.power_cut", str(tmp_path), "12", "NORMAL", "none")
    tally = run_rounds(*words, preload=power_cut)
    assert tally["lost"] > 0
