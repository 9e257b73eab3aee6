"""A worn memory card can only be read: one sentence, and whatever only looks still works."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest
from playwright.sync_api import expect

from tests.faults.conftest import OpenTablet
from tests.faults.faulty import FULL, READ_ONLY, DiskFault
from tests.faults.running import ROOT, Device, Scorekeeper, free_port
from tests.webui.conftest import tiles

GAME = {"rules": "classic", "players": ["Anna", "Ben"]}
LOCKED = 'mount --bind "$0" "$0" && mount -o remount,ro,bind "$0" && exec "$@"'


def run_on_read_only(data: Path, *words: str) -> tuple[int, str, str]:
    """Run a command that sees its data on a file system mounted read-only."""
    private = ["unshare", "--mount", "sh", "-c"]
    command = [*private, LOCKED, str(data), sys.executable, "-m", "tiletally", *words]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, timeout=60)
    return done.returncode, done.stdout, done.stderr


@pytest.fixture
def data(tmp_path: Path) -> Path:
    """A game of one turn, ended properly, in a place that can be mounted read-only."""
    place = tmp_path / "data"
    with Scorekeeper(place) as scorekeeper:
        scorekeeper.wait_for_page()
        device = Device(scorekeeper.url)
        assert device.post("/api/games", GAME).is_done
        assert device.post("/api/turn/points", {"points": 7, "tiles": 2}).is_done
        assert scorekeeper.end() == 0
    return place


@pytest.fixture
def locked(data: Path) -> Path:
    probe = ["unshare", "--mount", "sh", "-c", LOCKED, str(data), "true"]
    try:
        subprocess.run(probe, check=True, capture_output=True)
    except (OSError, subprocess.CalledProcessError):
        pytest.skip("mounting read-only needs root and mount namespaces")
    return data


def test_a_start_says_it_in_one_sentence(locked: Path) -> None:
    port = str(free_port())
    words = ("serve", "--camera", "none", "--port", port, "--data", str(locked))
    status, _, said = run_on_read_only(locked, *words)
    assert status == 1
    assert said == f"tiletally: Cannot write in {locked}: Read-only file system.\n"


def test_the_games_can_still_be_taken_away(locked: Path, tmp_path: Path) -> None:
    backup, new = tmp_path / "stick.zip", tmp_path / "new"
    assert run_on_read_only(locked, "backup", str(backup), "--data", str(locked))[0] == 0
    status, table, _ = run_on_read_only(
        locked, "export", "last", "--format", "csv", "--data", str(locked)
    )
    assert status == 0
    assert "Anna" in table
    restore = [sys.executable, "-m", "tiletally", "restore", str(backup), "--data", str(new)]
    assert subprocess.run(restore, cwd=ROOT, check=False).returncode == 0


@pytest.mark.parametrize(
    ("error", "words"), [(READ_ONLY, "The disk reports an error"), (FULL, "The disk is full")]
)
def test_during_a_game_taps_are_refused_in_words_and_it_goes_on_by_itself(
    data: Path, disk_fault: DiskFault, open_tablet: OpenTablet, error: int, words: str
) -> None:
    with Scorekeeper(data, environment=disk_fault.environment) as scorekeeper:
        scorekeeper.wait_for_page()
        device = Device(scorekeeper.url)
        page = open_tablet(scorekeeper.url)
        device.post("/api/turn/place", {"placed": tiles("Ro@0,0 Rs@1,0")})
        done = page.get_by_role("button", name="Done")
        expect(done).to_be_visible()
        disk_fault.begin(error)
        done.tap()
        expect(page.locator("#toast")).to_contain_text(words)
        assert device.get("/api/games").status == 200
        assert device.get("/games/1.csv").status == 200
        assert [player["score"] for player in device.state()["players"]] == [7, 0]
        disk_fault.end()
        done.tap()
        expect(page.locator(".number").nth(1)).to_have_text("2")
