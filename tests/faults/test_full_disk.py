"""The disk is full at every single write: nothing half there, and it goes on when there is room."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from scorer.journal import JournalReader
from tests.faults.faulty import FULL, READ_ONLY, DiskFault
from tests.faults.running import ROOT, Answer, Device, Scorekeeper
from tests.webui.conftest import tiles

IS_THOROUGH = "TILETALLY_ALL_FAULTS" in os.environ
"""Set by `make faults`: also those that need a process for each write."""
MOST_WRITES = 200
GAME = {"rules": "classic", "players": [{"name": "Anna", "colour": "#aa0000"}, "Ben"]}
CORRECTION = {"placed": tiles("Ro@0,0 Rs@1,0"), "reason": "misread"}
Step = tuple[str, dict[str, Any]]
STEPS: tuple[Step, ...] = (
    ("/api/games", GAME),
    ("/api/turn/place", {"placed": tiles("Ro@0,0 Rd@1,0")}),
    ("/api/turn/done", {}),
    ("/api/turn/exchange", {"count": 2}),
    ("/api/turns/1", CORRECTION),
    ("/api/turn/undo", {}),
    ("/api/turn/redo", {}),
    ("/api/settings", {"close_turn_after_s": 9}),
    ("/api/settings", {"show_unseen": False}),
    ("/api/players/forget", {"name": "Ben"}),
    ("/api/rematch", {}),
    ("/api/games/1/resume", {}),
    ("/api/turn/points", {"points": 7, "tiles": 2}),
)
AFTER_IT = {"scores": [9, 0], "game": 1, "close_turn_after_s": 9, "show_unseen": False}


def essence(device: Device) -> dict[str, Any]:
    """What a family would miss."""
    state = device.state()
    names = device.get("/api/players").json
    return {**state, "version": "", "names": names, "games": device.get("/api/games").json}


def kept(data: Path) -> list[list[Any]]:
    """What is on the disk."""
    try:
        with JournalReader.open(data) as journal:
            games = [[game.uid, *journal.events(game.id)] for game in journal.games()]
            return [*games, [*journal.players()], [*_files(data)]]
    except Exception as error:  # noqa: BLE001 - there may be no journal yet
        return [[str(error)]]


def _files(data: Path) -> Iterator[str]:
    """The names that a family may find, without those that belong to the database."""
    for path in sorted(data.rglob("*")):
        # What was begun cannot be cleared away where nothing can be changed.
        if not path.name.startswith("journal") and path.suffix != ".new":
            yield str(path.relative_to(data))


def refusals(device: Device, disk: DiskFault, step: Step, error: int) -> Iterator[Answer]:
    """Try one step with ever more writes that succeed, until all do; each refusal is returned."""
    path, body = step
    for after in range(MOST_WRITES):
        before = essence(device), kept(disk.folder)
        disk.begin(error, after)
        answer = device.post(path, body)
        disk.end()
        if answer.is_done:
            return
        yield answer
        assert before == (essence(device), kept(disk.folder)), after
        assert error == READ_ONLY or not list(disk.folder.glob("*.new")), after
    raise AssertionError(f"{path} never succeeded")


@pytest.mark.parametrize(("error", "code"), [(FULL, "disk_full"), (READ_ONLY, "read_only")])
def test_every_tap_is_refused_whole_or_kept_whole(
    tmp_path: Path, disk_fault: DiskFault, error: int, code: str
) -> None:
    data = tmp_path / "data"
    with Scorekeeper(data, environment=disk_fault.environment) as scorekeeper:
        scorekeeper.wait_for_page()
        device = Device(scorekeeper.url)
        refused: dict[str, int] = {}
        for step in STEPS:
            for answer in refusals(device, disk_fault, step, error):
                refused[step[0]] = refused.get(step[0], 0) + 1
                assert answer.status == 507, answer.json
                assert answer.json["code"] in (code, "disk_error"), (step, answer.json)
                assert answer.json["error"].endswith((".", "?"))
        told = device.state()
    with Scorekeeper(data) as again:
        again.wait_for_page()
        assert {**Device(again.url).state(), "version": ""} == {**told, "version": ""}
    assert told["game"]["id"] == AFTER_IT["game"]
    assert [player["score"] for player in told["players"]] == AFTER_IT["scores"]
    # Tiles that are being laid are in nobody's file yet.
    assert set(refused) == {path for path, _ in STEPS} - {"/api/turn/place"}


def run_command(disk: DiskFault, *words: str, to: Path | None = None) -> tuple[int, str]:
    """A command of the command line on the faulty disk; its status and what it said of faults."""
    with (to or Path(os.devnull)).open("wb") as output:
        done = subprocess.run(
            [sys.executable, "-m", "tiletally", *words, "--data", str(disk.folder)],
            cwd=ROOT,
            env={**os.environ, **disk.environment},
            stdout=output,
            stderr=subprocess.PIPE,
            timeout=60,
            check=False,
        )
    return done.returncode, done.stderr.decode()


def tried(thorough: int, *quick: int) -> Iterator[int]:
    """How many writes succeed before the disk is full."""
    yield from range(thorough) if IS_THOROUGH else quick


def test_a_start_on_a_full_disk_says_so_in_one_sentence_and_leaves_nothing_half(
    disk_fault: DiskFault,
) -> None:
    for after in tried(MOST_WRITES, 0, 3, 9, MOST_WRITES):
        disk_fault.begin(FULL, after)
        with Scorekeeper(disk_fault.folder, environment=disk_fault.environment) as scorekeeper:
            is_started = started(scorekeeper)
            assert is_started == (disk_fault.end() == 0), scorekeeper.said
            if is_started:
                assert Device(scorekeeper.url).post("/api/games", GAME).is_done
                assert "damaged" not in scorekeeper.said
                return
            assert scorekeeper.wait() == 1
            assert len(scorekeeper.said.splitlines()) == 1, scorekeeper.said
            assert "full" in scorekeeper.said or "No space left" in scorekeeper.said
    raise AssertionError("it never started")


def started(scorekeeper: Scorekeeper) -> bool:
    """Whether it serves its page, or ends instead."""
    try:
        scorekeeper.wait_for_page()
    except AssertionError:
        return False
    return True


@pytest.fixture
def played(disk_fault: DiskFault) -> DiskFault:
    """A disk with a game on it."""
    with Scorekeeper(disk_fault.folder) as scorekeeper:
        scorekeeper.wait_for_page()
        for path, body in STEPS[:4]:
            assert Device(scorekeeper.url).post(path, body).is_done
        assert scorekeeper.end() == 0
    return disk_fault


@pytest.mark.parametrize("is_backup", [True, False], ids=["backup", "export"])
def test_a_backup_or_an_export_on_a_full_disk_is_whole_or_not_there(
    played: DiskFault, is_backup: bool
) -> None:
    target = played.folder / "kept-for-later"
    for after in tried(MOST_WRITES, 0, 2):
        played.begin(FULL, after)
        if is_backup:
            status, said = run_command(played, "backup", str(target))
            assert target.exists() == (status == 0)
        else:
            status, said = run_command(played, "export", "last", to=target)
        if not played.end() or status == 0:
            break
        assert status == 1, said
        assert "No space left" in said or "disk is full" in said, said
        assert len(said.splitlines()) == 1, said
        assert not list(played.folder.glob(".tiletally-*"))
    else:
        words = ("backup", str(target)) if is_backup else ("export", "last")
        assert run_command(played, *words, to=None if is_backup else target)[0] == 0
    assert target.stat().st_size > 0
