"""Nothing grows for ever: photos, damaged journals, and all that is kept in memory."""

from __future__ import annotations

import os
import shutil
import time
from collections.abc import Iterator
from pathlib import Path

import cv2
import numpy as np
import pytest

from tests.faults.running import Device, Scorekeeper, wait_until
from tests.vision.live_table import OPENING, Living
from tests.webui.conftest import tiles
from tiletally.housekeeping import Housekeeping, remove_old_damaged
from tiletally.photo_store import DAY_S, Bounds, PhotoRule, PhotoStore
from tiletally.session import MOST_ANSWERED, MOST_PLAYERS, Session, Ticket
from vision.cameras.base import CameraError
from vision.cameras.folder import FolderCamera
from vision.cameras.phone import PhoneCamera

CELLS = [frozenset({(x, 0)}) for x in range(9)]
GAME = {"rules": "classic", "players": ["Anna", "Ben"]}


def keep(store: PhotoStore, game_id: int, number: int, age_days: float, folder: Path) -> None:
    """A photo of a turn that is some days old."""
    before = set(folder.glob("*.jpg"))
    store.save(game_id, CELLS[number], bytes(1000))
    taken_s = time.time() - age_days * DAY_S
    for path in set(folder.glob("*.jpg")) - before:
        os.utime(path, (taken_s, taken_s))


@pytest.fixture
def session(tmp_path: Path) -> Iterator[Session]:
    opened = Session.open(tmp_path / "data")
    yield opened
    opened.close()


@pytest.mark.parametrize(
    ("rule", "kept"),
    [
        (PhotoRule(is_on=False, days=30, game_id=2), []),
        (PhotoRule(is_on=True, days=0, game_id=None), []),
        (PhotoRule(is_on=True, days=0, game_id=2), [2]),
        (PhotoRule(is_on=True, days=7, game_id=2), [1, 2]),
        (PhotoRule(is_on=True, days=366, game_id=2), [0, 1, 2]),
        (PhotoRule(is_on=True, days=7, game_id=1), [0, 1, 2]),  # the present game, however old
    ],
)
def test_photos_are_kept_as_long_as_the_family_wishes(
    rule: PhotoRule, kept: list[int], tmp_path: Path
) -> None:
    store = PhotoStore(tmp_path)
    for number, (game_id, age_days) in enumerate([(1, 40), (1, 5), (2, 0)]):
        keep(store, game_id, number, age_days, tmp_path)
    (tmp_path / "game000001-half.new").touch()
    store.tidy(rule)
    found = [n for n, game_id in enumerate([1, 1, 2]) if store.load(game_id, CELLS[n])]
    assert found == kept
    assert len(list(tmp_path.iterdir())) == len(kept)


@pytest.mark.parametrize("bounds", [Bounds(most=3), Bounds(most_bytes=3500)])
def test_the_oldest_photos_make_room_for_new_ones(bounds: Bounds, tmp_path: Path) -> None:
    store = PhotoStore(tmp_path, bounds)
    for number in range(9):
        keep(store, 1, number, 9 - number, tmp_path)
    assert [n for n in range(9) if store.load(1, CELLS[n])] == [6, 7, 8]


def test_when_the_disk_is_nearly_full_photos_are_given_up_and_games_go_on(
    session: Session, tmp_path: Path
) -> None:
    session.new_game(GAME)
    photos = tmp_path / "photos"
    keep(PhotoStore(photos), 1, 0, 0, photos)
    full = Bounds(reserve_bytes=shutil.disk_usage(tmp_path).total * 2)
    rule = PhotoRule(is_on=True, days=30, game_id=1)
    store = PhotoStore(photos, full)
    Housekeeping(session, store).tidy(rule)
    assert [each["code"] for each in session.state()["notices"]] == ["disk_nearly_full"]
    store.save(1, CELLS[1], b"photo")
    assert store.is_full
    assert list(photos.iterdir()) == []
    session.command("points", {"points": 4, "tiles": 2}, Ticket())
    assert session.state()["players"][0]["score"] == 4
    Housekeeping(session, PhotoStore(photos)).tidy(rule)
    assert session.state()["notices"] == []


def test_a_turn_counts_without_its_photo_and_none_is_taken_when_none_is_wanted(
    tmp_path: Path,
) -> None:
    living = Living(tmp_path / "data", photos=tmp_path / "photos")
    living.table._desk.photos = PhotoStore(tmp_path / "photos", Bounds(reserve_bytes=2**62))
    living.lay(OPENING)
    living.tap("done")
    assert len(living.turns) == 1
    assert "photos_not_saved" in [hint["code"] for hint in living.state["camera"]["hints"]]
    living.session.change_settings({"keep_photos": False})
    living.table._desk.photos = PhotoStore(tmp_path / "photos")
    living.tap("undo")
    living.wait(2)
    living.tap("done")
    assert len(living.turns) == 1
    assert list((tmp_path / "photos").iterdir()) == []
    living.session.close()


def test_the_wish_holds_from_the_start_and_at_once_when_it_changes(tmp_path: Path) -> None:
    photos = tmp_path / "data" / "photos"
    store = PhotoStore(photos)
    keep(store, 1, 0, 40, photos)
    keep(store, 1, 1, 1, photos)
    with Scorekeeper(tmp_path / "data") as scorekeeper:
        scorekeeper.wait_for_page()
        wait_until(lambda: store.load(1, CELLS[0]) is None, "too old for thirty days")
        assert store.load(1, CELLS[1]) is not None
        device = Device(scorekeeper.url)
        assert device.post("/api/settings", {"keep_photos": False}).is_done
        wait_until(lambda: not list(photos.iterdir()), "all are gone")
        assert device.get("/healthz").json["workers"]["housekeeping"]["state"] == "ok"
        assert scorekeeper.end() == 0


def test_damaged_journals_do_not_become_ever_more(tmp_path: Path) -> None:
    for number in range(14):
        folder = tmp_path / f"journal-damaged-{number:02d}"
        folder.mkdir()
        (folder / "journal.sqlite3").touch()
        os.utime(folder, (number, number))
    (tmp_path / "journal-newer-1").mkdir()
    for _ in range(2):
        remove_old_damaged(tmp_path, most=4)
        left = sorted(path.name[-2:] for path in tmp_path.glob("journal-damaged-*"))
        assert left == ["00", "11", "12", "13"]
    assert (tmp_path / "journal-newer-1").is_dir()


def test_what_the_session_remembers_is_bounded(session: Session) -> None:
    session.new_game(GAME)
    for number in range(MOST_ANSWERED + 20):
        placed = {"placed": tiles("Ro@0,0")}
        session.command("place", placed, Ticket(command_id=f"tap{number}"))
    assert len(session._answered) == MOST_ANSWERED
    for number in range(0, MOST_PLAYERS + 12, 4):
        names = [f"Guest {number + each}" for each in range(4)]
        session.new_game({"rules": "classic", "players": names})
    assert len(session.players()) == MOST_PLAYERS
    assert session.players()[0]["name"] == f"Guest {MOST_PLAYERS + 8}"


def test_photos_that_wait_to_be_read_are_bounded_in_pixels(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr("vision.cameras.phone.MOST_PIXELS_WAITING", 400_000)
    picture = np.zeros((400, 500, 3), np.uint8)
    data = cv2.imencode(".png", picture)[1].tobytes()
    phone = PhoneCamera()
    phone.send(data)
    phone.send(data)
    with pytest.raises(CameraError, match="faster"):
        phone.send(data)
    assert phone.glance() is not None
    phone.send(data)


def test_a_folder_camera_forgets_photos_that_are_gone(tmp_path: Path) -> None:
    picture = np.zeros((300, 400, 3), np.uint8)
    camera = FolderCamera(tmp_path, sleep=lambda _: None)
    for number in range(5):
        path = tmp_path / f"{number}.png"
        cv2.imwrite(str(path), picture)
        assert camera.glance() is not None
        assert camera.glance() is None
        path.unlink()
    assert camera.glance() is None
    assert camera._seen == set()
