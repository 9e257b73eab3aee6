"""Faults that are really made, and what the doctor says to each."""

from __future__ import annotations

import json
import os
import shutil
import socket
import sqlite3
import subprocess
import sys
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import cv2
import numpy as np
import numpy.typing as npt
import pytest

from scorer.events import GameStarted
from scorer.journal import Journal
from scorer.journal_files import database_path
from tiletally import cli
from tiletally.doctor_findings import Surroundings
from tiletally.doctor_machine import check_clock, check_heat, check_memory, check_power
from tiletally.doctor_network import check_network
from tiletally.doctor_picture import check_camera, judge_picture
from tiletally.doctor_software import judge_python

ROOT = Path(__file__).parents[2]
START = GameStarted("classic", ("Ada", "Bo")).to_json()


def free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])


@pytest.fixture
def data(tmp_path: Path) -> Path:
    """A data directory with one game."""
    with Journal.open(tmp_path / "data") as journal:
        journal.create_game([START])
    return tmp_path / "data"


@pytest.fixture
def tools(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder of programs that come before those of the system."""
    folder = tmp_path / "tools"
    folder.mkdir()
    monkeypatch.setenv("PATH", f"{folder}:{os.environ['PATH']}")
    return folder


def program(folder: Path, name: str, answer: str) -> None:
    (folder / name).write_text(f"#!/bin/sh\necho '{answer}'\n")
    (folder / name).chmod(0o755)


def table() -> npt.NDArray[np.uint8]:
    """A sharp and well lit picture of a wooden table with tiles on it."""
    rng = np.random.default_rng(5)
    frame = np.full((960, 1280, 3), (90, 130, 170), np.uint8)
    for x in range(200, 1000, 80):
        for y in range(300, 620, 80):
            colour = rng.integers(40, 255, 3).tolist()
            cv2.rectangle(frame, (x, y), (x + 70, y + 70), (30, 30, 30), -1)
            cv2.circle(frame, (x + 35, y + 35), 22, colour, -1)
    noise = rng.normal(0, 2, frame.shape)
    return np.clip(frame + noise, 0, 255).astype(np.uint8)


def photos(folder: Path, picture: npt.NDArray[np.uint8]) -> str:
    folder.mkdir(exist_ok=True)
    cv2.imwrite(str(folder / "table.png"), picture)
    return f"folder:{folder}"


def examined(capsys: pytest.CaptureFixture[str], *words: object) -> dict[str, dict[str, str]]:
    """The findings that are not ok, by their codes."""
    status = cli.main(["doctor", "--json", *(str(word) for word in words)])
    found = [json.loads(line) for line in capsys.readouterr().out.splitlines()]
    faults = {each["code"]: each for each in found if each["state"] == "fault"}
    assert status == (1 if faults else 0)
    assert all(each["cure"] for each in faults.values()), "a fault without a cure"
    return {each["code"]: each for each in found if each["state"] != "ok"}


def test_a_sound_place_has_no_fault(
    data: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    camera = photos(tmp_path / "photos", table())
    words = ["doctor", "--data", str(data), "--camera", camera, "--port", str(free_port())]
    cli.main(words)
    told = capsys.readouterr().out.splitlines()
    mine = [line for line in told if not line.split()[1:2] or line.split()[1] not in _MACHINE]
    assert not [line for line in mine if line.startswith("FAULT")]
    for check in ("python", "packages", "model", "camera", "light", "focus", "place", "journal"):
        assert any(line.startswith("ok") and line.split()[1] == check for line in told), check


_MACHINE = ("disk", "memory", "heat", "network", "name", "page", "clock", "power")
"""What depends on the machine that runs the tests."""


# --- software


@pytest.mark.parametrize("version", [(3, 9), (3, 10)])
def test_an_old_python(version: tuple[int, int]) -> None:
    assert judge_python(version).code == "python_old"


def run_apart(
    tmp_path: Path, shadows: dict[str, str] | None = None, lib: Path = ROOT, *words: str
) -> dict[str, dict[str, str]]:
    """The doctor in a process of its own, with modules that come before the real ones."""
    folder = tmp_path / "shadows"
    folder.mkdir(exist_ok=True)
    for name, text in (shadows or {}).items():
        (folder / f"{name}.py").write_text(text)
    command = [sys.executable, "-P", "-m", "tiletally", "doctor", "--json"]
    place = ["--data", str(tmp_path / "none"), "--port", str(free_port())]
    ran = subprocess.run(
        [*command, *place, *words],
        capture_output=True,
        text=True,
        env=os.environ | {"PYTHONPATH": f"{folder}:{lib}"},
        timeout=60,
    )
    assert ran.stderr == ""
    found = [json.loads(line) for line in ran.stdout.splitlines()]
    return {each["code"]: each for each in found if each["state"] == "fault"}


def test_a_missing_package(tmp_path: Path) -> None:
    gone = "raise ModuleNotFoundError('No module named flask', name='flask')"
    found = run_apart(tmp_path, {"flask": gone}, ROOT, "--camera", "folder:/nowhere")
    assert "python3-flask" in found["package_missing"]["cure"]


def test_a_numpy_that_does_not_fit(tmp_path: Path) -> None:
    clash = "raise ImportError('numpy.core.multiarray failed to import')"
    found = run_apart(tmp_path, {"cv2": clash})
    assert "numpy_clash" in found
    assert "model_missing" not in found


@pytest.fixture(scope="module")
def installed(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The program as it is laid out on a Raspberry Pi."""
    place = tmp_path_factory.mktemp("installed")
    subprocess.run([ROOT / "deploy" / "lay-out", place], check=True, capture_output=True)
    return place / "lib"


def test_a_missing_and_a_damaged_model_file(tmp_path: Path, installed: Path) -> None:
    model = installed / "models" / "tiles.npz"
    whole = model.read_bytes()
    model.write_bytes(whole[: len(whole) // 2])
    camera = ("--camera", "folder:/nowhere")
    assert "model_damaged" in run_apart(tmp_path, {}, installed, *camera)
    model.unlink()
    assert "model_missing" in run_apart(tmp_path, {}, installed, *camera)
    model.write_bytes(whole)


# --- camera, light, focus

LIBCAMERA = "class controls:\n    class AfModeEnum:\n        Manual = 0\n"
PICAMERA2 = """
class Picamera2:
    camera_controls, camera_properties = {}, {}
    @staticmethod
    def global_camera_info(): return CAMERAS
    def __init__(self, number, allocator): OPEN
    def create_video_configuration(self, **_): return {}
    def configure(self, _): pass
    def start(self): pass
    def set_controls(self, _): pass
    def capture_request(self, wait=None, flush=None): raise TimeoutError
    def cancel_all_and_flush(self): pass
    def close(self): pass
import sys, types
sys.modules["picamera2.allocators"] = types.SimpleNamespace(DmaAllocator=object)
"""


def camera_library(cameras: str = "[]", opening: str = "pass") -> dict[str, str]:
    text = PICAMERA2.replace("CAMERAS", cameras).replace("OPEN", opening)
    return {"libcamera": LIBCAMERA, "picamera2": text}


ONE = "[{'Model': 'imx708'}]"
BUSY = "raise RuntimeError('Failed to acquire camera: Device or resource busy')"
CLASH = "raise ValueError('numpy.dtype size changed, may indicate binary incompatibility')"


@pytest.mark.parametrize(
    ("shadows", "code"),
    [
        ({}, "camera_library"),
        ({"libcamera": LIBCAMERA, "picamera2": CLASH}, "camera_numpy"),
        (camera_library(), "camera_missing"),
        (camera_library(ONE, BUSY), "camera_busy"),
        (camera_library(ONE), "camera_ribbon"),
    ],
    ids=["no library", "wrong numpy", "no camera", "in use", "loose ribbon"],
)
def test_faults_of_the_camera_module(shadows: dict[str, str], code: str, tmp_path: Path) -> None:
    if not shadows:
        shadows = {"libcamera": "raise ModuleNotFoundError('No module', name='libcamera')"}
    found = run_apart(tmp_path, shadows, ROOT, "--camera", "picamera")
    assert [each for each in found if each.startswith("camera")] == [code]


def test_a_usb_camera_that_is_not_there(
    data: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("vision.cameras.capture.RETRY_S", 0.0)
    assert "camera_silent" in examined(capsys, "--data", data, "--camera", "usb:63")


def test_a_camera_that_does_not_exist(data: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert "camera_unknown" in examined(capsys, "--data", data, "--camera", "periscope")


def test_a_camera_switched_off_in_the_settings_of_the_pi(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("vision.cameras.sources.MOST_USB", 0)
    for path, text in (
        ("proc/device-tree/model", "Raspberry Pi 4 Model B Rev 1.5\0"),
        ("boot/firmware/config.txt", "camera_auto_detect=0\n"),
    ):
        (tmp_path / path).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / path).write_text(text)
    where = Surroundings(tmp_path, port=free_port(), root=tmp_path)
    assert [each.code for each in check_camera(where)] == ["camera_switched_off"]
    (tmp_path / "boot/firmware/config.txt").write_text("camera_auto_detect=1\n")
    assert [each.code for each in check_camera(where)] == ["camera_library"]


@pytest.mark.skipif(os.geteuid() == 0, reason="root may use every device")
def test_a_camera_that_this_user_may_not_use(tmp_path: Path) -> None:
    (tmp_path / "dev").mkdir()
    (tmp_path / "dev/video0").touch(0)
    where = Surroundings(tmp_path, port=free_port(), root=tmp_path)
    assert [each.code for each in check_camera(where)] == ["camera_forbidden"]


@pytest.mark.parametrize(
    ("spoil", "code"),
    [
        (lambda frame: frame // 8, "too_dark"),
        (lambda frame: cv2.add(frame, np.full_like(frame, 170)), "too_bright"),
        (lambda frame: np.full_like(frame, 3), "lens_covered"),
        (lambda frame: np.full_like(frame, 120), "lens_covered"),
        (lambda frame: cv2.GaussianBlur(frame, (0, 0), 4), "blurred"),
    ],
    ids=["dark", "glare", "cap on", "film on", "blurred"],
)
def test_faults_of_the_picture(
    spoil: Any,  # noqa: ANN401 - a function of OpenCV's pictures
    code: str,
    data: Path,
    tmp_path: Path,
    capsys: pytest.CaptureFixture[str],
) -> None:
    camera = photos(tmp_path / "photos", spoil(table()))
    assert code in examined(capsys, "--data", data, "--camera", camera, "--port", free_port())


@pytest.mark.parametrize("blur_px", [0.0, 0.5, 1.0])
def test_a_picture_in_focus_is_not_called_blurred(blur_px: float) -> None:
    frame = table() if not blur_px else cv2.GaussianBlur(table(), (0, 0), blur_px)
    assert [each.state for each in judge_picture(frame)] == ["ok", "ok"]


# --- the place of the games


@contextmanager
def small_disk(place: Path, size: str, *options: str) -> Iterator[Path]:
    """A file system of its own."""
    place.mkdir()
    mount = shutil.which("mount")
    if os.geteuid() != 0 or mount is None:
        pytest.skip("only root can mount a small disk")
    ran = subprocess.run([mount, "-t", "tmpfs", "-o", f"size={size}", "tmpfs", str(place)])
    if ran.returncode:
        pytest.skip("this machine does not allow mounting")
    try:
        yield place
    finally:
        subprocess.run(["umount", "-l", str(place)], check=True)


def fill(disk: Path) -> None:
    with (disk / "ballast").open("wb", buffering=0) as file:
        while True:
            file.write(bytes(4096))


def test_a_full_disk(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    with small_disk(tmp_path / "disk", "2m") as disk:
        with Journal.open(disk) as journal:
            journal.create_game([START])
        with pytest.raises(OSError, match="No space"):
            fill(disk)
        found = examined(capsys, "--data", disk, "--camera", "folder:/nowhere")
    assert {"disk_full", "place_full"} <= set(found)


def test_a_read_only_disk(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    with small_disk(tmp_path / "disk", "200m") as disk:
        with Journal.open(disk) as journal:
            journal.create_game([START])
        subprocess.run(["mount", "-o", "remount,ro", str(disk)], check=True)
        found = examined(capsys, "--data", disk, "--camera", "folder:/nowhere")
    assert "place_read_only" in found
    assert "journal_damaged" not in found


def test_a_place_of_somebody_else(data: Path, capsys: pytest.CaptureFixture[str]) -> None:
    if os.geteuid() == 0:
        os.chown(data, 12345, 12345)
        wanted = "place_mixed"
    else:
        data.chmod(0o500)
        wanted = "place_forbidden"
    found = examined(capsys, "--data", data, "--camera", "folder:/nowhere")
    data.chmod(0o700)
    assert wanted in found


def test_a_damaged_journal(data: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = database_path(data)
    path.write_bytes(path.read_bytes()[:100] + bytes(5000))
    assert "journal_damaged" in examined(capsys, "--data", data, "--camera", "folder:/nowhere")
    assert path.exists(), "the doctor only looks"


def test_one_changed_letter_in_the_journal(data: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = database_path(data)
    path.write_bytes(path.read_bytes().replace(b'"Ada"', b'"Eve"'))
    assert "journal_damaged" in examined(capsys, "--data", data, "--camera", "folder:/nowhere")


def test_a_journal_of_a_newer_version(data: Path, capsys: pytest.CaptureFixture[str]) -> None:
    connection = sqlite3.connect(database_path(data))
    connection.execute("PRAGMA user_version = 99")
    connection.close()
    assert "journal_newer" in examined(capsys, "--data", data, "--camera", "folder:/nowhere")


def test_a_journal_that_was_set_aside(data: Path, capsys: pytest.CaptureFixture[str]) -> None:
    database_path(data).write_bytes(b"")
    Journal.open(data).close()
    found = examined(capsys, "--data", data, "--camera", "folder:/nowhere")
    assert "journal_set_aside" in found
    assert "journal_damaged" not in found


def test_damaged_settings(data: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (data / "settings.json").write_text('{"values": {')
    assert "settings_damaged" in examined(capsys, "--data", data, "--camera", "folder:/nowhere")


# --- clock


def test_a_clock_that_was_never_set(tmp_path: Path) -> None:
    started_without_network = Surroundings(tmp_path, clock=lambda: 1_000_000_000.0)
    assert [each.code for each in check_clock(started_without_network)] == ["clock_wrong"]


def test_a_clock_that_lags_behind_the_last_game(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    tomorrow = datetime.now(UTC) + timedelta(days=1)
    with Journal.open(tmp_path, clock=lambda: tomorrow) as journal:
        journal.create_game([START])
    assert "clock_behind" in examined(capsys, "--data", tmp_path, "--camera", "folder:/nowhere")


def test_a_clock_that_no_network_sets(tools: Path, tmp_path: Path) -> None:
    program(tools, "timedatectl", "no")
    assert [each.code for each in check_clock(Surroundings(tmp_path))] == ["clock_not_set"]


# --- power, heat, memory


@pytest.mark.parametrize(
    ("bits", "code"),
    [
        ("0x0", ""),
        ("0x50005", "undervoltage"),
        ("0x50000", "undervoltage_before"),
        ("0x80008", "throttled"),
    ],
)
def test_power_by_the_firmware(bits: str, code: str, tools: Path, tmp_path: Path) -> None:
    program(tools, "vcgencmd", f"throttled={bits}")
    assert [each.code for each in check_power(Surroundings(tmp_path))] == [code]


@pytest.mark.parametrize(("alarm", "code"), [("1", "undervoltage"), ("0", "")])
def test_power_by_the_kernel(alarm: str, code: str, tools: Path, tmp_path: Path) -> None:
    program(tools, "vcgencmd", "error")
    sensor = tmp_path / "sys/class/hwmon/hwmon1"
    sensor.mkdir(parents=True)
    (sensor / "name").write_text("rpi_volt\n")
    (sensor / "in0_lcrit_alarm").write_text(f"{alarm}\n")
    found = check_power(Surroundings(tmp_path, root=tmp_path))
    assert [each.code for each in found] == [code]


@pytest.mark.parametrize(("text", "codes"), [("84500", ["too_hot"]), ("51000", [""]), ("", [])])
def test_heat(text: str, codes: list[str], tmp_path: Path) -> None:
    zone = tmp_path / "sys/class/thermal/thermal_zone0"
    zone.mkdir(parents=True)
    (zone / "temp").write_text(text)
    assert [each.code for each in check_heat(Surroundings(tmp_path, root=tmp_path))] == codes


@pytest.mark.parametrize(("kilobytes", "codes"), [(50_000, ["memory_low"]), (900_000, [""])])
def test_memory(kilobytes: int, codes: list[str], tmp_path: Path) -> None:
    (tmp_path / "proc").mkdir()
    (tmp_path / "proc/meminfo").write_text(f"MemTotal: 1 kB\nMemAvailable: {kilobytes} kB\n")
    assert [each.code for each in check_memory(Surroundings(tmp_path, root=tmp_path))] == codes


# --- network and service


def test_no_network(tmp_path: Path) -> None:
    unshare = shutil.which("unshare")
    code = "import sys; from tiletally.cli import main; sys.exit(main(sys.argv[1:]))"
    doctor = [sys.executable, "-c", code, "doctor", "--json", "--camera", "folder:/nowhere"]
    if unshare is None or subprocess.run([unshare, "-rn", "true"], capture_output=True).returncode:
        pytest.skip("this machine does not allow a network of its own for a process")
    ran = subprocess.run(
        [unshare, "-rn", *doctor, "--data", str(tmp_path)], capture_output=True, text=True
    )
    assert '"no_network"' in ran.stdout


def test_no_name_in_the_network(tmp_path: Path) -> None:
    found = check_network(Surroundings(tmp_path, root=tmp_path))
    if found[0].code == "no_network":
        pytest.skip("there is no network here")
    assert found[1].code == "no_name"


def test_a_name_in_the_network(tmp_path: Path) -> None:
    (tmp_path / "run/avahi-daemon").mkdir(parents=True)
    (tmp_path / "run/avahi-daemon/socket").touch()
    (tmp_path / "etc/avahi").mkdir(parents=True)
    (tmp_path / "etc/avahi/avahi-daemon.conf").write_text("[server]\nhost-name=tiletally\n")
    found = check_network(Surroundings(tmp_path, root=tmp_path))
    if found[0].code == "no_network":
        pytest.skip("there is no network here")
    assert found[1].sentence == "http://tiletally.local"


def test_a_port_in_use(data: Path, capsys: pytest.CaptureFixture[str]) -> None:
    with socket.socket() as other:
        other.bind(("0.0.0.0", 0))
        other.listen()
        port = other.getsockname()[1]
        threading.Thread(target=_hang_up, args=(other,), daemon=True).start()
        found = examined(capsys, "--data", data, "--camera", "folder:/nowhere", "--port", port)
    assert str(port) in found["port_in_use"]["cure"]


def test_port_80_in_use_for_one_who_may_not_have_it() -> None:
    code = (
        "import encodings.idna, os, socket; from pathlib import Path;"
        "from tiletally.doctor_findings import Surroundings;"
        "from tiletally.doctor_network import check_port;"
        # Whoever may not have the port may not read all of Python here either: load it first.
        'web = socket.create_server(("0.0.0.0", 80)); web.settimeout(0.01);'
        "os.setuid(65534);"
        "print([each.code for each in check_port(Surroundings(Path()))])"
    )
    assert run_in_own_network(code) == "['port_in_use']"


@pytest.mark.parametrize("device", ["", "access"])
def test_the_address_in_a_network_without_a_router(device: str) -> None:
    code = "from tiletally.home_address import home_address; print(home_address())"
    setup = f"ip link add {device} type veth; ip addr add 10.42.0.1/24 dev {device};"
    found = run_in_own_network(code, f"{setup} ip link set {device} up" if device else "")
    assert found == ("10.42.0.1" if device else "None")


def run_in_own_network(code: str, setup: str = "") -> str:
    """What Python prints in a network of its own, where nothing is but what is set up."""
    if os.geteuid() != 0 or shutil.which("unshare") is None or shutil.which("ip") is None:
        pytest.skip("only root can make a network of its own, with iproute2")
    shell = f'ip link set lo up; {setup}\nexec {sys.executable} -c "$CODE"'
    environment = os.environ | {"CODE": code}
    ran = subprocess.run(
        ["unshare", "-n", "sh", "-c", shell],
        capture_output=True,
        text=True,
        cwd=ROOT,
        env=environment,
    )
    assert ran.returncode == 0, ran.stderr
    return ran.stdout.strip()


def _hang_up(listener: socket.socket) -> None:
    listener.accept()[0].close()


@pytest.mark.parametrize(
    ("state", "code"),
    [
        ("LoadState=loaded\nActiveState=inactive", "service_stopped"),
        ("LoadState=loaded\nActiveState=failed", "service_stopped"),
        ("LoadState=loaded\nActiveState=active", "service_hangs"),
        ("LoadState=not-found\nActiveState=inactive", "no_service"),
    ],
)
def test_the_service(
    state: str, code: str, data: Path, tools: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    program(tools, "systemctl", state)
    words = ("--data", data, "--camera", "folder:/nowhere", "--port", free_port())
    assert code in examined(capsys, *words)
