"""What the doctor says of a camera that a running tiletally has, whose faults are really made."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from urllib.parse import urlsplit

import cv2
import numpy as np
import pytest

from scorer.notation import parse_move
from tests.webui.family_camera import FamilyCamera, Frame, picture_of, until
from tests.webui.test_serve import served, until_told, wait_until_ready
from tiletally import cli
from tiletally.doctor_findings import Finding, Surroundings
from tiletally.doctor_running import check_running_camera
from tiletally.session import Session
from tiletally.web_server import WebServer
from vision.cameras.sources import find_source
from webui import create_app

TILES = {placed.cell: placed.tile for placed in parse_move("Ro@0,0 Rs@1,0 Rd@2,0 Rc@3,0")}


@contextmanager
def page_of(session: Session) -> Iterator[Surroundings]:
    server = WebServer(create_app(session), "127.0.0.1", 0)
    server.start()
    yield Surroundings(Path(), port=server.port)
    session.let_go()
    server.stop()


@pytest.fixture
def session(tmp_path: Path) -> Iterator[Session]:
    session = Session.open(tmp_path / "data")
    session.new_game({"rules": "classic", "players": ["Ada", "Ben"]})
    yield session
    session.close()


def told(findings: list[Finding] | None) -> dict[str, str]:
    """What was looked at, and what is wrong with it."""
    assert findings is not None
    return {each.check: each.code for each in findings}


def test_without_a_running_tiletally_nothing_is_known(tmp_path: Path) -> None:
    assert check_running_camera(Surroundings(tmp_path, port=1)) is None


@pytest.mark.parametrize(
    ("spoil", "found"),
    [
        (lambda frame: frame, {"light": "", "focus": ""}),
        (lambda frame: frame // 6, {"light": "too_dark", "focus": ""}),
        (lambda frame: np.full_like(frame, 3), {"light": "lens_covered"}),
        (lambda frame: cv2.GaussianBlur(frame, (0, 0), 5), {"light": "", "focus": "blurred"}),
    ],
    ids=["sound", "dark", "cap on", "blurred"],
)
def test_light_and_focus_are_those_of_the_camera_in_use(
    spoil: Callable[[Frame], Frame], found: dict[str, str], session: Session, tmp_path: Path
) -> None:
    camera = FamilyCamera.watching(session, tmp_path)
    camera.shows(spoil(picture_of(TILES)))
    until(lambda: session.state()["camera"]["state"] != "starting")
    with page_of(session) as where:
        assert told(check_running_camera(where)) == {"camera": "", **found}
    camera.table.close()


@pytest.mark.parametrize(
    ("camera", "code"),
    [
        ({"state": "starting", "hints": []}, ""),
        ({"state": "none", "hints": []}, "camera_unused"),
        ({"state": "frozen", "hints": []}, "camera_frozen"),
        ({"state": "lost", "hints": [{"code": "restarting", "params": {}}]}, "camera_lost"),
        ({"state": "ok", "hints": [{"code": "internal", "params": {}}]}, "camera_stumbles"),
    ],
)
def test_a_camera_that_fails_while_it_is_in_use(
    camera: dict[str, object], code: str, session: Session
) -> None:
    session.show({"camera": {"source": "picamera", "can_upload": False, **camera}})
    with page_of(session) as where:
        assert told(check_running_camera(where))["camera"] == code


def test_the_camera_of_a_running_service_is_not_taken_away(
    session: Session, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    part = {"state": "ok", "source": "picamera", "can_upload": False, "hints": []}
    session.show({"camera": part})
    with page_of(session) as where:
        cli.main(["doctor", "--json", "--data", str(tmp_path / "data"), "--port", str(where.port)])
    found = [json.loads(line) for line in capsys.readouterr().out.splitlines()]
    told = {each["check"]: each for each in found}
    assert told["camera"]["sentence"].startswith("in use by the running tiletally")
    assert {told[each]["state"] for each in ("camera", "light", "focus", "page")} == {"ok"}


def test_what_the_camera_said_comes_with_its_cure(session: Session) -> None:
    words = "no picture comes from the camera: push its ribbon in again"
    hints = [{"code": "problem", "params": {"sentence": words}}]
    part = {"state": "lost", "source": "picamera", "can_upload": False, "hints": hints}
    session.show({"camera": part})
    with page_of(session) as where:
        (found,) = check_running_camera(where) or []
    assert (found.code, found.sentence) == ("camera_lost", "no picture comes from the camera")
    assert found.cure == "push its ribbon in again"


def test_a_camera_that_was_not_found_is_no_camera_in_use(tmp_path: Path) -> None:
    if find_source() is not None:
        pytest.skip("this machine has a camera")
    with served("", tmp_path, "--fallback", "phone") as (process, url):
        wait_until_ready(process)
        until_told(url)
        found = check_running_camera(Surroundings(tmp_path, port=urlsplit(url).port or 0))
    assert told(found) == {"camera": "camera_missing"}
