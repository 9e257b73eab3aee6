"""The clock on the wall jumps by years, back and forth, in the middle of a game."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

from scorer.journal_archive import ArchivedGame
from tests.faults.faulty import ClockJump
from tests.faults.running import ROOT, Device, Scorekeeper
from tiletally.backup_file import BackupReader

YEAR_S = 365 * 24 * 3600
JUMPS_S = (20 * YEAR_S, -30 * YEAR_S, 0, 5 * YEAR_S, -YEAR_S)
POINTS = {"points": 5, "tiles": 2}


def game(*players: str) -> dict[str, object]:
    return {"rules": "classic", "players": players}


def wait_for_turns(device: Device, count: int) -> None:
    device.wait_for(lambda state: len(state["turns"]) >= count, "the turn in the stream")


@pytest.fixture
def data(tmp_path: Path) -> Path:
    return tmp_path / "data"


def test_turns_undo_games_and_players_keep_their_order(data: Path, clock_jump: ClockJump) -> None:
    names = [("Anna", "Ben"), ("Cleo", "Dora"), ("Emil", "Fritz"), ("Gina", "Hans")]
    with Scorekeeper(data, environment=clock_jump.environment) as scorekeeper:
        scorekeeper.wait_for_page()
        device = Device(scorekeeper.url)
        for pair, jump_s in zip(names, JUMPS_S, strict=False):
            clock_jump.set(jump_s)
            assert device.post("/api/games", game(*pair)).is_done
            for turn, then_s in enumerate(JUMPS_S, start=1):
                clock_jump.set(then_s)
                assert device.post("/api/turn/points", {**POINTS, "points": turn}).is_done
            assert device.post("/api/turn/undo").is_done
        state = device.state()
        games = device.get("/api/games").json["games"]
        players = device.get("/api/players").json["players"]
    assert [turn["score"] for turn in state["turns"]] == [1, 2, 3, 4]
    assert [each["id"] for each in games] == [4, 3, 2, 1]
    offered = [player["name"] for player in players]
    assert offered == [name for pair in reversed(names) for name in pair]
    years = {each["started_at"][:4] for each in games}
    assert len(years) > 2, "the clock did not jump"


def test_the_stream_goes_on_and_connections_are_still_looked_after(
    data: Path, clock_jump: ClockJump
) -> None:
    with Scorekeeper(data, environment=clock_jump.environment) as scorekeeper:
        scorekeeper.wait_for_page()
        device = Device(scorekeeper.url)
        assert device.post("/api/games", game("Anna", "Ben")).is_done
        device.follow()
        for count, jump_s in enumerate(JUMPS_S, start=1):
            clock_jump.set(jump_s)
            assert device.post("/api/turn/points", POINTS).is_done
            wait_for_turns(device, count)
            assert device.get("/healthz").status == 200
        assert scorekeeper.end() == 0
        device.join()


def test_a_countdown_runs_by_the_time_that_passes(data: Path, clock_jump: ClockJump) -> None:
    environment = clock_jump.environment
    with Scorekeeper(data, "demo:3", speed=20, environment=environment) as scorekeeper:
        scorekeeper.wait_for_page()
        device = Device(scorekeeper.url)
        device.follow()
        device.wait_for(lambda state: state["game"], "a game")
        for count, jump_s in enumerate(JUMPS_S[:2], start=1):
            clock_jump.set(jump_s)
            wait_for_turns(device, count)
            pending = device.state()["pending"]
            left_s = (pending or {}).get("countdown") or {"left_s": 0, "of_s": 0}
            assert 0 <= left_s["left_s"] <= left_s["of_s"]
        photo = device.get("/api/turns/1/photo.jpg")
        assert photo.status == 200
        assert scorekeeper.end() == 0
        device.join()


def test_backups_made_before_and_after_a_jump_are_both_whole(
    data: Path, clock_jump: ClockJump
) -> None:
    with Scorekeeper(data, environment=clock_jump.environment) as scorekeeper:
        scorekeeper.wait_for_page()
        device = Device(scorekeeper.url)
        assert device.post("/api/games", game("Anna", "Ben")).is_done
        for jump_s in JUMPS_S[:2]:
            clock_jump.set(jump_s)
            assert device.post("/api/turn/points", POINTS).is_done
            target = data.with_name(f"backup{jump_s}.zip")
            words = [sys.executable, "-m", "tiletally", "backup", str(target), "--data", str(data)]
            subprocess.run(words, cwd=ROOT, check=True, timeout=60)
    counts = []
    for jump_s in JUMPS_S[:2]:
        reader = BackupReader(data.with_name(f"backup{jump_s}.zip"))
        counts += [len(each.entries) for each in reader.games() if isinstance(each, ArchivedGame)]
        reader.close()
    assert counts == [2, 3]
