"""The camera is pulled, stumbles or sends garbage: no turn is invented, and it recovers."""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial
from pathlib import Path

import cv2
import numpy as np
import pytest
from playwright.sync_api import expect

from scorer.tiles import Tile
from tests.faults.conftest import OpenTablet
from tests.faults.faulty import FULL, DiskFault
from tests.faults.running import Device, Scorekeeper, State
from tests.faults.shaky import CODE, FAULTS
from vision.cameras.demo_stage import Stage

GAME = {"rules": "classic", "players": ["Anna", "Ben"]}
OPENING = {(0, 0): Tile("circle", "red"), (1, 0): Tile("square", "red")}
SECOND = {(2, 0): Tile("diamond", "red")}
MOST_WRITES = 20
LENS_COVERED, INTERNAL = "lens_covered", "internal"
TOLD = {
    "bug": INTERNAL,
    "black": LENS_COVERED,
    "huge": LENS_COVERED,
    "noise": "",
}
"""What the page is told where it is not that the camera is gone."""


@pytest.fixture(scope="module")
def pictures(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """An empty table, an opening, and a second move."""
    folder = tmp_path_factory.mktemp("pictures")
    stage = Stage(3)
    for name, tiles in (("empty", {}), ("opening", OPENING), ("second", SECOND)):
        for cell, tile in tiles.items():
            stage.lay(cell, tile)
        np.save(folder / name, stage.picture((), 1.0))
    return folder


class Table:
    """A scorekeeper whose webcam does what the test says."""

    def __init__(self, scorekeeper: Scorekeeper, pictures: Path) -> None:
        self._pictures, self.url = pictures, scorekeeper.url
        self.device = Device(scorekeeper.url)
        self.device.follow()

    def show(self, mode: str) -> None:
        (self._pictures / "mode").write_text(mode)

    def play(self, mode: str, turns: int) -> None:
        """Lay a move in front of the camera and say done."""
        self.show(mode)
        self.device.wait_for(lambda state: state["pending"], f"the move {mode}")
        assert self.device.post("/api/turn/done").is_done
        self.device.wait_for(lambda state: len(state["turns"]) == turns, f"turn {turns}")


@pytest.fixture
def table(pictures: Path, disk_fault: DiskFault) -> Iterator[Table]:
    (pictures / "mode").write_text("empty")
    environment = {**disk_fault.environment, "SHAKY_CAMERA": str(pictures)}
    with Scorekeeper(
        disk_fault.folder, "usb:0", environment=environment, code=("-c", CODE)
    ) as scorekeeper:
        scorekeeper.wait_for_page()
        table = Table(scorekeeper, pictures)
        assert table.device.post("/api/games", GAME).is_done
        yield table
        assert scorekeeper.end() == 0
        table.device.join()


def is_told(state: State, fault: str) -> bool:
    camera = state["camera"]
    codes = [hint["code"] for hint in camera["hints"]]
    if fault not in TOLD:
        return camera["state"] == "lost" and "problem" in codes
    return TOLD[fault] in codes if TOLD[fault] else camera["state"] != "ok"


def is_well(state: State) -> bool:
    return state["camera"]["state"] == "ok" and not state["camera"]["hints"]


def test_no_fault_of_the_camera_makes_or_loses_a_turn(table: Table) -> None:
    device = table.device
    table.play("opening", turns=1)
    for fault in FAULTS:
        device.wait_for(is_well, f"a camera that is well before {fault}")
        table.show(fault)
        state = device.wait_for(partial(is_told, fault=fault), f"words about {fault}")
        assert (len(state["turns"]), state["pending"], state["questions"]) == (1, None, []), fault
        assert device.get("/api/camera.jpg").status in (200, 404), fault
        table.show("opening")
    device.wait_for(is_well, "a camera that is well in the end")
    table.play("second", turns=2)
    assert [player["score"] for player in device.state()["players"]] == [2, 3]


def test_a_full_disk_costs_the_photo_and_holds_up_the_turn_until_there_is_room(
    table: Table, disk_fault: DiskFault, open_tablet: OpenTablet
) -> None:
    device = table.device
    page = open_tablet(table.url)
    table.show("opening")
    device.wait_for(lambda state: state["pending"], "the opening")
    disk_fault.begin(FULL)
    refusal = device.post("/api/turn/done")
    assert (refusal.status, refusal.json["code"]) == (507, "disk_full")
    state = device.wait_for(lambda s: "turn_not_saved" in str(s["camera"]), "words about it")
    assert state["turns"] == []
    assert state["pending"]
    # In the words of the page, which knows the family's language, and not in those of the server.
    expect(page.locator(".stage .notices")).to_contain_text("The disk is full, nothing was saved.")
    disk_fault.end()
    assert device.post("/api/turn/done").is_done
    device.wait_for(lambda s: len(s["turns"]) == 1 and is_well(s), "the turn, and all is well")
    assert device.get("/api/turns/1/photo.jpg").status == 200

    photos = disk_fault.folder / "photos"
    kept = sorted(photos.iterdir())
    table.show("second")
    device.wait_for(lambda state: state["pending"], "the second move")
    for after in range(MOST_WRITES):  # until the turn still has room, but its photo has none
        disk_fault.begin(FULL, after)
        if device.post("/api/turn/done").is_done:
            break
    device.wait_for(lambda s: "photos_not_saved" in str(s["camera"]), "words about the photo")
    disk_fault.end()
    assert len(device.state()["turns"]) == 2
    assert sorted(photos.iterdir()) == kept


def test_broken_files_in_a_folder_are_told_and_passed_over(pictures: Path, tmp_path: Path) -> None:
    folder = tmp_path / "photos"
    folder.mkdir()
    for number, name in enumerate(("empty", "opening", "second"), start=1):
        good = cv2.imencode(".jpg", np.load(pictures / f"{name}.npy"))[1].tobytes()
        (folder / f"{number}0-empty-file.jpg").write_bytes(b"")
        (folder / f"{number}1-half.jpg").write_bytes(good[: len(good) // 3])
        (folder / f"{number}2-words.jpg").write_text("this is no picture")
        (folder / f"{number}3-folder.jpg").mkdir()
        (folder / f"{number}4-tiny.jpg").write_bytes(
            cv2.imencode(".jpg", np.zeros((9, 9, 3), np.uint8))[1].tobytes()
        )
        (folder / f"{number}5-good.part").write_bytes(good)
    with Scorekeeper(tmp_path / "data", f"folder:{folder}") as scorekeeper:
        scorekeeper.wait_for_page()
        device = Device(scorekeeper.url)
        assert device.post("/api/games", GAME).is_done
        device.follow()
        device.wait_for(lambda s: "problem" in str(s["camera"]), "words about a broken file")
        for number, turns in ((1, 0), (2, 1), (3, 2)):
            (folder / f"{number}5-good.part").rename(folder / f"{number}5-good.jpg")
            if turns:
                device.wait_for(lambda s: s["pending"], "the move")
                assert device.post("/api/turn/done").is_done
                device.wait_for(lambda s: not s["pending"], "the move is pending no more")
        state = device.wait_for(lambda s: len(s["turns"]) == 2, "both turns")
        assert [player["score"] for player in state["players"]] == [2, 3]
        assert scorekeeper.end() == 0
        device.join()
