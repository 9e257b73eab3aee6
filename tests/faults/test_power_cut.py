"""The power is cut at any acknowledged moment of a live evening: everything is there again."""

from __future__ import annotations

import os
import random
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from scorer.journal import JournalReader
from tests.faults.faulty import power_cut_environment
from tests.faults.running import ROOT, Device, Scorekeeper, State
from tests.faults.test_full_disk import STEPS
from tests.journal.power_cut import rebuild
from tiletally.backup_file import BackupReader
from tiletally.session import Session

PROFILE = """
import sys
from pathlib import Path
from calibration.profile import Profile
from calibration.profile_file import save_profile
save_profile(Path(sys.argv[1]), Profile("usb:0", "kitchen"))
"""


class Disk:
    """A disk of which only what was synced survives."""

    def __init__(self, library: Path, folder: Path) -> None:
        self._folder, self._cuts = folder, 0
        self.path, self._shadow = folder / "disk", folder / "shadow"
        self.path.mkdir()
        self._shadow.mkdir()
        self.environment = power_cut_environment(library, self.path, self._shadow)

    def cut(self, chance: random.Random | None = None) -> Path:
        """What a machine would find that lost its power now."""
        self._cuts += 1
        return rebuild(self._shadow, self.path, self._folder / f"cut-{self._cuts}", chance)

    def run(self, *words: str) -> None:
        """Run Python on this disk."""
        environment = {**os.environ, **self.environment}
        subprocess.run([sys.executable, *words], cwd=ROOT, env=environment, check=True, timeout=60)


@pytest.fixture
def disk(shims: dict[str, Path], tmp_path: Path) -> Disk:
    return Disk(shims["powercut"], tmp_path)


def found(data: Path) -> State:
    """What a scorekeeper tells that starts on a disk."""
    session = Session.open(data)
    try:
        assert session.notices == ()
        return told(session.state(), session.players())
    finally:
        session.close()


def told(state: State, players: list[Any]) -> State:
    # Tiles that are still being laid are in nobody's file.
    return {**state, "version": "", "pending": None, "illegal": None, "players": players}


@pytest.mark.parametrize("survivors", ["none", "some"])
def test_every_acknowledged_tap_survives(disk: Disk, survivors: str) -> None:
    chance = random.Random(1) if survivors == "some" else None
    with Scorekeeper(disk.path / "data", environment=disk.environment) as scorekeeper:
        scorekeeper.wait_for_page()
        device = Device(scorekeeper.url)
        for path, body in STEPS:
            assert device.post(path, body).is_done
            players = device.get("/api/players").json["players"]
            assert found(disk.cut(chance) / "data") == told(device.state(), players), path


def test_backups_profiles_and_restored_settings_survive(disk: Disk) -> None:
    data, other = disk.path / "data", disk.path / "other"
    with Scorekeeper(data, environment=disk.environment) as scorekeeper:
        scorekeeper.wait_for_page()
        for path, body in STEPS:
            assert Device(scorekeeper.url).post(path, body).is_done
    disk.run("-c", PROFILE, str(data))
    backup = str(disk.path / "games.zip")
    disk.run("-m", "tiletally", "backup", backup, "--data", str(data))
    disk.run("-m", "tiletally", "restore", backup, "--data", str(other))
    left = disk.cut()
    reader = BackupReader(left / "games.zip")
    assert len(list(reader.games())) == 2
    reader.close()
    with JournalReader.open(left / "other") as journal:
        assert len(journal.games()) == 2
    settings = [left / name / "settings.json" for name in ("data", "other")]
    assert settings[0].read_bytes() == settings[1].read_bytes() != b""
    profile = next((left / "data").glob("*/*kitchen*"))
    assert profile.stat().st_size > 0
