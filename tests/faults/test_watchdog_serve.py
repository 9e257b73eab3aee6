"""The scorekeeper itself, with a camera that hangs and with a disk that hangs."""

from __future__ import annotations

import time
from pathlib import Path
from typing import Any

import pytest

from tests.faults.running import Device, Scorekeeper, wait_until
from tests.shims import compiled
from tests.webui.conftest import tiles

GAME = {"rules": "classic", "players": ["Anna", "Ben"], "command": "game"}
HANGS_ONCE = """
import sys, threading, time
from tiletally import cli
from vision.cameras.phone import PhoneCamera
glance, first = PhoneCamera.glance, []
def hang(camera):
    if not first:
        first.append(camera)
    if first[0] is camera and time.monotonic() > began + 1:
        print("hangs now", file=sys.stderr, flush=True)
        threading.Event().wait()
    return glance(camera)
began = time.monotonic()
PhoneCamera.glance = hang
sys.exit(cli.main(sys.argv[1:]))
"""

IMPATIENT = """
import sys
from scorer.journal import JournalReader
from tiletally import cli, writer
writer.PATIENCE_S = JournalReader.patience_s = 1.0
sys.exit(cli.main(sys.argv[1:]))
"""


def hints(state: dict[str, Any]) -> list[str]:
    return [hint["code"] for hint in (state["camera"] or {"hints": []})["hints"]]


def test_with_its_own_patience_a_camera_that_hangs_is_replaced_within_ten_seconds(
    tmp_path: Path,
) -> None:
    with Scorekeeper(tmp_path / "data", "phone", code=("-c", HANGS_ONCE)) as scorekeeper:
        scorekeeper.wait_for_page()
        device = Device(scorekeeper.url)
        device.post("/api/games", GAME)
        device.follow()
        wait_until(lambda: "hangs now" in scorekeeper.said, "it hangs")
        device.post("/api/turn/place", {"placed": tiles("Ro@0,0 Rs@1,0")})
        assert device.post("/api/turn/done").json["players"][0]["score"] == 2
        device.wait_for(lambda s: "restarted" in hints(s), "another one is there")
        worker = device.get("/healthz").json["workers"]["camera"]
        assert (worker["state"], worker["restarts"]) == ("ok", 1)
        assert device.state()["players"][0]["score"] == 2
        assert scorekeeper.end() == 0


@pytest.fixture(scope="session")
def hung_disk(tmp_path_factory: pytest.TempPathFactory) -> Path:
    source = Path(__file__).with_name("hungdisk.c")
    return compiled(source, tmp_path_factory.mktemp("hungdisk"))


class HungDisk:
    """A scorekeeper by hand on a disk that hangs when told to, with one turn played."""

    def __init__(self, tmp_path: Path, library: Path) -> None:
        self.flag = tmp_path / "hangs"
        environment = {"LD_PRELOAD": str(library), "HUNGDISK_FLAG": str(self.flag)}
        self.scorekeeper = Scorekeeper(
            tmp_path / "data", environment=environment, code=("-c", IMPATIENT)
        )
        self.scorekeeper.wait_for_page()
        self.device = Device(self.scorekeeper.url)
        self.device.post("/api/games", GAME)
        self.play("a1", 5)
        self.flag.touch()

    def play(self, command: str, points: int) -> int:
        body = {"points": points, "tiles": 2, "command": command}
        return self.device.post("/api/turn/points", body).status


def test_a_disk_that_hangs_keeps_nobody_waiting_and_loses_nothing(
    tmp_path: Path, hung_disk: Path
) -> None:
    disk = HungDisk(tmp_path, hung_disk)
    device = disk.device
    with disk.scorekeeper:
        assert disk.play("a2", 7) == 503
        assert disk.play("a3", 9) == 503, "a second tap is answered too"
        assert device.post("/api/settings", {"show_unseen": False}).status == 503
        assert device.get("/api/games").status == 503
        assert len(device.state()["turns"]) == 1, "what is shown is what is safe"
        wait_until(lambda: device.state()["notices"], "people are told")
        assert [each["code"] for each in device.state()["notices"]] == ["disk_hangs"]
        health = device.get("/healthz")
        assert (health.status, health.json["journal"]) == (503, "disk_hangs")
        assert health.json["workers"]["journal"]["state"] == "hung"
        disk.flag.unlink()
        wait_until(lambda: len(device.state()["turns"]) == 2, "the turn is there after all")
        wait_until(lambda: not device.state()["notices"], "all is well")
        assert disk.play("a2", 7) == 200, "sent again it counts once"
        assert disk.play("a3", 9) == 200, "what was refused was not done"
        assert [turn["score"] for turn in device.state()["turns"]] == [5, 7, 9]
        assert device.get("/healthz").status == 200
        assert disk.scorekeeper.end() == 0


def test_started_again_by_the_service_manager_all_that_was_acknowledged_is_there(
    tmp_path: Path, hung_disk: Path
) -> None:
    disk = HungDisk(tmp_path, hung_disk)
    with disk.scorekeeper as hanging:
        assert disk.play("a2", 7) == 503
        began_s = time.monotonic()
        assert hanging.end() == 0, "a hanging disk does not keep it from ending either"
        assert time.monotonic() - began_s < 30
    with Scorekeeper(tmp_path / "data") as again:
        again.wait_for_page()
        disk.device = Device(again.url)
        assert disk.play("a2", 7) == 200
        assert [turn["score"] for turn in disk.device.state()["turns"]] == [5, 7]
        assert again.end() == 0
