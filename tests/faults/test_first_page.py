"""After a start the page is there first, with the game as it stood; the camera joins it."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.faults.running import Device, Scorekeeper
from tests.webui.conftest import tiles

GAME = {"rules": "classic", "players": ["Anna", "Ben"]}
WITH_TROUBLE = """
import sys, threading
from tiletally import cli
import vision.cameras.sources
def open_camera(*_):
    {trouble}
vision.cameras.sources.open_camera = open_camera
sys.exit(cli.main(sys.argv[1:]))
"""


def serve(data: Path, trouble: str) -> Scorekeeper:
    return Scorekeeper(data, "phone", code=("-c", WITH_TROUBLE.format(trouble=trouble)))


def test_the_page_does_not_wait_for_a_camera_that_never_comes(tmp_path: Path) -> None:
    with serve(tmp_path / "data", "threading.Event().wait()") as scorekeeper:
        scorekeeper.wait_for_page()
        device = Device(scorekeeper.url)
        assert device.state()["camera"]["state"] == "starting"
        assert not device.state()["is_manual"]
        device.post("/api/games", GAME)
        device.post("/api/turn/place", {"placed": tiles("Ro@0,0 Rs@1,0")})
        assert device.post("/api/turn/done").json["players"][0]["score"] == 2
        assert scorekeeper.end() == 0


def test_a_camera_that_cannot_be_set_up_is_told_on_the_page(tmp_path: Path) -> None:
    with serve(tmp_path / "data", "raise RuntimeError('no driver')") as scorekeeper:
        scorekeeper.wait_for_page()
        device = Device(scorekeeper.url)
        device.follow()
        camera = device.wait_for(lambda s: s["camera"]["state"] == "lost", "lost")["camera"]
        assert [hint["code"] for hint in camera["hints"]] == ["restarting"]
        assert "no driver" in scorekeeper.said
        assert scorekeeper.end() == 0


@pytest.mark.parametrize("camera", ["periscope", "folder", "usb:left"])
def test_a_wrong_word_for_the_camera_ends_it_before_anything_is_made(
    camera: str, tmp_path: Path
) -> None:
    with Scorekeeper(tmp_path / "data", camera) as scorekeeper:
        assert scorekeeper.wait() == 1
        assert len(scorekeeper.said.splitlines()) == 1
        assert not scorekeeper.data.exists()
