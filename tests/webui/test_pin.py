"""The PIN: everybody looks, and only those who know it tap."""

from __future__ import annotations

import stat
import subprocess
import sys
from pathlib import Path

import pytest
from flask import Flask
from flask.testing import FlaskClient

from tests.webui.conftest import DescribedClient
from tiletally.session import Session
from webui import create_app
from webui.hosts import Hosts
from webui.pin_file import FILE_NAME, TRIES_NAME
from webui.pin_tries import EVERYBODY, Count, TooSoonError, Tries

GAME = {"rules": "classic", "players": ["Anna", "Ben"]}
PIN, OTHER = "2580", "13579"


def test_there_is_no_pin_at_first(client: FlaskClient) -> None:
    assert client.get("/api/pin").get_json() == {"is_set": False, "is_open": True, "wait_s": 0}
    assert client.post("/api/pin/enter", json={"pin": PIN}).get_json()["is_open"]
    assert client.post("/api/games", json=GAME).status_code == 201


@pytest.mark.parametrize(
    "pin", ["", "123", "123456789", "12a4", "\uff11\uff12\uff13\uff14", " 1234", None, 1234]
)
def test_a_pin_has_four_to_eight_digits(client: FlaskClient, pin: object) -> None:
    assert client.post("/api/pin", json={"new": pin}).status_code == 400
    assert not client.get("/api/pin").get_json()["is_set"]


@pytest.fixture
def locked(app: Flask) -> FlaskClient:
    """A device that does not know the PIN that another one has set."""
    assert app.test_client().post("/api/pin", json={"new": PIN}).status_code == 200
    return app.test_client()


def test_looking_stays_open_and_every_tap_is_locked(app: Flask, locked: FlaskClient) -> None:
    for rule in app.url_map.iter_rules():
        path = rule.rule.replace("<wish>", "done").replace("<what>", "merge")
        for gap in ("<int:number>", "<int:game_id>"):
            path = path.replace(gap, "1")
        if "POST" in (rule.methods or ()) and not path.startswith("/api/pin"):
            # The push button is told from a browser by the origin that a browser sends.
            answer = locked.post(path, headers={"Origin": "http://localhost"})
            assert (path, answer.status_code) == (path, 423)
            assert answer.get_json()["code"] == "locked"
    for path in ("/", "/api/state", "/api/games", "/api/players", "/healthz", "/qr.svg"):
        assert locked.get(path).status_code == 200


@pytest.mark.parametrize("path", ["/api/camera.jpg", "/api/turns/1/photo.jpg"])
def test_the_pictures_are_locked_too(locked: FlaskClient, path: str) -> None:
    assert locked.get(path).status_code == 423
    assert locked.head(path).status_code == 423
    locked.post("/api/pin/enter", json={"pin": PIN})
    assert locked.get(path).status_code in (404, 409), "there is no camera and no game"


def test_who_enters_it_may_tap_until_the_device_is_locked_again(locked: FlaskClient) -> None:
    assert locked.post("/api/pin/enter", json={"pin": OTHER}).status_code == 403
    assert locked.post("/api/pin/enter", json={"pin": PIN}).get_json()["is_open"]
    assert locked.post("/api/games", json=GAME).status_code == 201
    assert not locked.post("/api/pin/leave").get_json()["is_open"]
    assert locked.post("/api/rematch").status_code == 423


def test_changing_it_needs_the_old_one_and_puts_all_others_out(
    app: Flask, locked: FlaskClient
) -> None:
    locked.post("/api/pin/enter", json={"pin": PIN})
    parents = app.test_client()
    assert parents.post("/api/pin", json={"new": OTHER}).status_code == 403
    assert parents.post("/api/pin", json={"pin": OTHER, "new": OTHER}).status_code == 403
    assert parents.post("/api/pin", json={"pin": PIN, "new": OTHER}).get_json()["is_open"]
    assert not locked.get("/api/pin").get_json()["is_open"]
    assert locked.post("/api/pin/enter", json={"pin": PIN}).status_code == 403
    assert locked.post("/api/pin/enter", json={"pin": OTHER}).status_code == 200


def test_removing_it_needs_it(locked: FlaskClient) -> None:
    assert locked.post("/api/pin/remove", json={"pin": OTHER}).status_code == 403
    assert not locked.post("/api/pin/remove", json={"pin": PIN}).get_json()["is_set"]
    assert locked.post("/api/games", json=GAME).status_code == 201


# --- kept on the disk


@pytest.fixture
def kept(session: Session, tmp_path: Path) -> Flask:
    return served(session, tmp_path)


def served(session: Session, folder: Path) -> Flask:
    app = create_app(session, pin_folder=folder)
    app.test_client_class = DescribedClient
    return app


def test_pin_and_keys_survive_a_restart(kept: Flask, session: Session, tmp_path: Path) -> None:
    device = kept.test_client()
    device.post("/api/pin", json={"new": PIN})
    key = device.get_cookie("tiletally_key")
    assert key is not None
    again = served(session, tmp_path).test_client()
    assert again.post("/api/games", json=GAME).status_code == 423
    again.set_cookie("tiletally_key", key.value)
    assert again.post("/api/games", json=GAME).status_code == 201


def test_neither_the_pin_nor_a_key_can_be_read_in_the_file(kept: Flask, tmp_path: Path) -> None:
    device = kept.test_client()
    device.post("/api/pin", json={"new": "70617283"})
    device.post("/api/pin/enter", json={"pin": "70617282"})
    key = device.get_cookie("tiletally_key")
    assert key is not None
    for name in (FILE_NAME, TRIES_NAME):
        assert stat.S_IMODE((tmp_path / name).stat().st_mode) == 0o600
        text = (tmp_path / name).read_text()
        assert key.value not in text
        assert "7061728" not in text


def test_only_so_many_devices_are_kept(kept: Flask) -> None:
    first = kept.test_client()
    first.post("/api/pin", json={"new": PIN})
    second = kept.test_client()
    for _ in range(33):
        second.delete_cookie("tiletally_key")
        assert second.post("/api/pin/enter", json={"pin": PIN}).status_code == 200
    assert not first.get("/api/pin").get_json()["is_open"], "the one that came first had to go"


def run_pin(folder: Path, *words: str) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "-m", "tiletally", "pin", "--data", str(folder), *words]
    return subprocess.run(command, capture_output=True, text=True, timeout=60, check=False)


def test_parents_who_forgot_it_remove_it_on_the_machine(kept: Flask, tmp_path: Path) -> None:
    assert "no PIN" in run_pin(tmp_path).stdout
    kept.test_client().post("/api/pin", json={"new": PIN})
    assert "1 device has" in run_pin(tmp_path).stdout
    assert run_pin(tmp_path, "--remove").stdout == "The PIN is removed.\n"
    assert run_pin(tmp_path, "--remove").stdout == "There was no PIN.\n"
    assert kept.test_client().post("/api/games", json=GAME).status_code == 201
    assert run_pin(tmp_path / "nowhere").returncode == 1


@pytest.mark.parametrize(
    "text", ["", "{", "[]", '{"salt": 3}', '{"salt":"00","hash":"00","cost":3,"devices":[]}']
)
def test_a_damaged_file_locks_and_says_the_way_out(kept: Flask, tmp_path: Path, text: str) -> None:
    (tmp_path / FILE_NAME).write_text(text)
    device = kept.test_client()
    assert device.post("/api/games", json=GAME).status_code == 423
    for path in ("/api/pin/enter", "/api/pin/remove"):
        refused = device.post(path, json={"pin": PIN})
        assert refused.status_code == 409
        assert "tiletally pin --remove" in refused.get_json()["error"]
    assert run_pin(tmp_path).returncode == 1
    assert run_pin(tmp_path, "--remove").returncode == 0
    assert device.post("/api/games", json=GAME).status_code == 201


# --- waits


class Clock:
    now_s = 1000.0

    def __call__(self) -> float:
        return self.now_s


def waits(tries: Tries, clock: Clock, whose: tuple[str, ...], count: int) -> list[int]:
    found = []
    for _ in range(count):
        tries.charge(whose)
        found.append(round(tries.wait_s(whose)))
        clock.now_s += found[-1]
    return found


def test_waits_grow_and_end() -> None:
    clock = Clock()
    tries = Tries(None, clock)
    assert waits(tries, clock, ("a",), 9) == [0, 0, 10, 20, 40, 80, 160, 300, 300]
    tries.charge(("a",))
    with pytest.raises(TooSoonError) as refused:
        tries.charge(("a",))
    assert refused.value.wait_s <= 300
    clock.now_s += 24 * 3600
    assert waits(tries, clock, ("a",), 1) == [0], "all is forgotten after a day"


def test_a_right_try_forgives_ones_own_and_not_what_strangers_did() -> None:
    clock = Clock()
    tries = Tries(None, clock)
    for number in range(9):
        tries.charge((f"address {number}", EVERYBODY))
    tries.charge(("address 9", EVERYBODY))
    assert tries.wait_s((EVERYBODY,)) > 0
    tries.forgive(("address 9", EVERYBODY))
    assert tries.wait_s((EVERYBODY,)) == 0
    tries.charge(("address 10", EVERYBODY))
    assert tries.wait_s((EVERYBODY,)) > 0


def test_a_clock_that_was_set_back_makes_no_wait_longer(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    tries = Tries(tmp_path)
    for _ in range(3):
        tries.charge(("a",))
    monkeypatch.setattr("time.time", lambda: 0.0)
    assert 0 < Tries(tmp_path).wait_s(("a",)) <= 10


def test_what_is_remembered_fades() -> None:
    assert Count(3, 0, 0).after(600) == 2


# --- names


@pytest.mark.parametrize(
    "host",
    ["localhost", "LOCALHOST:8000", "127.0.0.1", "192.168.1.20:8000", "10.0.0.7", "169.254.1.1",
     "[::1]:80", "[fe80::1]", "[fd00::1]", "[::ffff:192.168.1.2]", "tiletally.local", "tiletally",
     "tiletally-2.local", "tiletally.local.:80", "kitchen.local", "kitchen.lan", "kitchen",
     "games.example.org"],
)  # fmt: skip
def test_names_and_numbers_at_home_are_known(host: str) -> None:
    assert Hosts(["kitchen", "games.example.org"]).knows(host)


@pytest.mark.parametrize(
    "host",
    ["", "evil.example", "tiletally.local.evil.example", "kitchen.evil.example", "93.184.216.34",
     "0.0.0.0", "[::]", "[2606:4700::1111]", "tiletally.local, evil.example", "user@localhost",
     "localhost/..", "tiletally.local:80:80", "-2.local", "127.0.0.1.evil.example", "224.0.0.1",
     "local", "x.localhost.evil", "[::1", "tiletally.local\x00"],
)  # fmt: skip
def test_other_names_are_not(host: str) -> None:
    assert not Hosts(["kitchen"]).knows(host)
