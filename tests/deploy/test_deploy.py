"""What is put on a Raspberry Pi: units, scripts, package. Installing: `make test-install`."""

from __future__ import annotations

import importlib.util
import json
import math
import os
import re
import shutil
import subprocess
import sys
import tarfile
import threading
import xml.etree.ElementTree as ET
from collections.abc import Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from io import BytesIO
from pathlib import Path
from types import ModuleType
from unittest import mock

import pytest

from tiletally.welcome import addresses
from vision.cameras.picamera_modes import mode_for

ROOT = Path(__file__).parents[2]
DEPLOY = ROOT / "deploy"
UNITS = sorted(DEPLOY.glob("*.service"))
SCRIPTS = sorted(
    path
    for folder in (DEPLOY, DEPLOY / "debian", ROOT / "tools", ROOT / ".ci", ROOT / "tests/deploy")
    for path in folder.iterdir()
    if path.is_file() and path.read_bytes()[:2] == b"#!" and path.suffix != ".py"
)
MOST_EXPOSURE = 3.0
"""A browser on the attached screen cannot be locked in as tightly, and is optional."""
LOCKED_IN = [path for path in UNITS if path.stem != "tiletally-kiosk"]


def tool(name: str, package: str) -> str:
    found = shutil.which(name)
    if found is None:
        pytest.skip(f"{name} is not here: sudo apt install {package}")
    return found


def filled_in(unit: Path, folder: Path) -> Path:
    """The unit as it is installed, with a program that is there."""
    text = re.sub(r"@\w+@", "/bin/true", unit.read_text(encoding="utf-8"))
    text = re.sub(r"^ExecStart=/usr/bin/cage", "ExecStart=/bin/true", text, flags=re.MULTILINE)
    (folder / unit.name).write_text(text, encoding="utf-8")
    return folder / unit.name


@pytest.mark.parametrize("unit", UNITS, ids=lambda path: path.stem)
def test_the_unit_has_no_fault(unit: Path, tmp_path: Path) -> None:
    analyze = tool("systemd-analyze", "systemd")
    for other in UNITS:
        filled_in(other, tmp_path)
    ran = subprocess.run(
        [analyze, "verify", "--man=no", str(tmp_path / unit.name)],
        capture_output=True,
        text=True,
        env=os.environ | {"SYSTEMD_UNIT_PATH": f"{tmp_path}:"},
    )
    # It ends with 0 even for a key that it does not know, and only says so.
    assert (ran.returncode, ran.stderr) == (0, "")


def test_a_fault_in_a_unit_would_be_found(tmp_path: Path) -> None:
    analyze = tool("systemd-analyze", "systemd")
    unit = filled_in(DEPLOY / "tiletally.service", tmp_path)
    unit.write_text(unit.read_text().replace("ProtectHome=", "ProtectHouse="))
    ran = subprocess.run([analyze, "verify", str(unit)], capture_output=True, text=True)
    assert "ProtectHouse" in ran.stderr


@pytest.mark.parametrize("unit", LOCKED_IN, ids=lambda path: path.stem)
def test_the_service_is_locked_in(unit: Path, tmp_path: Path) -> None:
    analyze = tool("systemd-analyze", "systemd")
    ran = subprocess.run(
        [analyze, "security", "--offline=true", "--no-pager", str(filled_in(unit, tmp_path))],
        capture_output=True,
        text=True,
    )
    found = re.search(r"exposure level for \S+: ([0-9.]+)", ran.stdout)
    assert found, ran.stderr
    assert float(found[1]) < MOST_EXPOSURE


@pytest.mark.parametrize(("group", "module"), [("video4linux", "videodev"), ("media", "mc")])
def test_devices_are_known_before_they_are_allowed(group: str, module: str) -> None:
    unit = (DEPLOY / "tiletally.service").read_text(encoding="utf-8")
    assert f"DeviceAllow=char-{group} rw" in unit
    for key in ("Wants", "After"):
        assert re.search(rf"^{key}=.*modprobe@{module}\.service", unit, re.MULTILINE)


@pytest.mark.parametrize("script", SCRIPTS, ids=lambda path: str(path.relative_to(ROOT)))
def test_shellcheck_has_nothing_to_say(script: Path) -> None:
    ran = subprocess.run(
        [tool("shellcheck", "shellcheck"), str(script)], capture_output=True, text=True
    )
    assert (ran.returncode, ran.stdout) == (0, "")


def test_the_announcement_in_the_home_network_is_well_formed() -> None:
    group = ET.parse(DEPLOY / "avahi.xml").getroot()
    assert group.findtext("service/type") == "_http._tcp"
    assert group.findtext("service/port") == "80"


def test_the_installer_explains_itself_and_refuses_nonsense() -> None:
    told = subprocess.run([DEPLOY / "install", "--help"], capture_output=True, text=True)
    assert told.returncode == 0
    assert "sudo tiletally-setup remove" in told.stdout
    for words in (["--colour", "red"], ["--button", "left"]):
        refused = subprocess.run([DEPLOY / "install", *words], capture_output=True, text=True)
        assert refused.returncode == 1
        assert len(refused.stderr.splitlines()) == 1


def with_fakes(folder: Path, fakes: dict[str, str]) -> dict[str, str]:
    """Surroundings in which programs of the system are stood in for by lines of shell."""
    for name, text in fakes.items():
        (folder / name).write_text(f"#!/bin/bash\n{text}\n")
        (folder / name).chmod(0o755)
    return os.environ | {"PATH": f"{folder}:{os.environ['PATH']}"}


def in_installer(
    folder: Path, words: str, fakes: dict[str, str] | None = None
) -> subprocess.CompletedProcess[str]:
    """Run words with the installer's own functions, in a folder instead of the system."""
    places = f"root={folder} options={folder}/options games={folder} launcher={folder}/launcher"
    return subprocess.run(
        ["bash", "-c", f"source {DEPLOY}/install; {places}; {words}"],
        capture_output=True,
        text=True,
        env=with_fakes(folder, fakes or {}),
    )


@pytest.mark.parametrize(
    ("before", "after"),
    [
        ("", "--camera usb:1"),
        ('#TILETALLY_OPTIONS="--camera picamera"', "--camera usb:1"),
        ("TILETALLY_OPTIONS=", "--camera usb:1"),
        ('TILETALLY_OPTIONS="--camera picamera"', "--camera usb:1"),
        ("TILETALLY_OPTIONS=--camera=picamera", "--camera usb:1"),
        (
            'TILETALLY_OPTIONS="--name tiletally.fritz.box"',
            "--name tiletally.fritz.box --camera usb:1",
        ),
        (
            "TILETALLY_OPTIONS='--name a.box --camera usb:0 --port 81'",
            "--name a.box --port 81 --camera usb:1",
        ),
        (
            "TILETALLY_OPTIONS=\"--camera 'folder:/my photos' --name a.box\"",
            "--name a.box --camera usb:1",
        ),
    ],
)
def test_another_camera_leaves_the_other_options(before: str, after: str, tmp_path: Path) -> None:
    options = tmp_path / "options"
    options.write_text(f"# A note.\n{before}\nOTHER=1")
    for _ in range(2):
        assert in_installer(tmp_path, "camera=usb:1 set_camera").stderr == ""
        lines = options.read_text().splitlines()
        said = [line for line in lines if line.startswith("TILETALLY_OPTIONS=")]
        assert said == [f'TILETALLY_OPTIONS="{after}"']
        assert {"# A note.", "OTHER=1"} < set(lines)


SHOWN = 'recall_choices; echo "$name,$button,$kiosk"'


def test_an_update_knows_what_was_chosen(tmp_path: Path) -> None:
    assert in_installer(tmp_path, SHOWN).stdout == "tiletally,,\n"
    for name, button, kiosk in (("kitchen", "17", "1"), ("", "", "")):
        in_installer(tmp_path, f"name={name} button={button} kiosk={kiosk}; remember_choices")
        assert in_installer(tmp_path, SHOWN).stdout == f"{name},{button},{kiosk}\n"


def test_choices_that_a_power_cut_spoilt_do_no_harm(tmp_path: Path) -> None:
    (tmp_path / "choices").write_text("root=/\n\nkiosk\nname=a=b\n$(touch here)=1\n")
    assert in_installer(tmp_path, f'{SHOWN}; echo "$root"').stdout == f"a=b,,\n{tmp_path}\n"


LOCKED = (
    'echo "E: Could not get lock /var/lib/apt/lists/lock. It is held by process 7 (apt)" >&2; '
    "exit 100"
)
FRONTEND_LOCKED = (
    'echo "E: Unable to acquire the dpkg frontend lock (/var/lib/dpkg/lock-frontend), '
    'is another process using it?" >&2; exit 100'
)
READ_ONLY = 'echo "E: Unable to acquire the dpkg frontend lock (/x), are you root?" >&2; exit 100'
TWICE = f'echo >>"$0.runs"; (($(wc -l <"$0.runs") > 2)) || {{ {LOCKED}; }}'


@pytest.mark.parametrize(
    ("apt", "is_done", "told", "waits"),
    [
        ("exit 0", True, "", 0),
        (TWICE, True, "waiting for it", 2),
        (LOCKED, False, "run this again when it is done", 25),
        (FRONTEND_LOCKED, False, "run this again when it is done", 25),
        (READ_ONLY, False, "is the network there?", 0),
        ("echo 'E: Failed to fetch' >&2; exit 100", False, "is the network there?", 0),
    ],
)
def test_only_a_missing_network_is_called_one(
    apt: str, is_done: bool, told: str, waits: int, tmp_path: Path
) -> None:
    ran = in_installer(
        tmp_path,
        'apt_get update || die_for_packages "is the network there?"',
        {"apt-get": apt, "sleep": 'echo >>"$0.runs"'},
    )
    slept = tmp_path / "sleep.runs"
    assert (ran.returncode == 0) is is_done
    assert told in ran.stdout + ran.stderr
    assert (slept.read_text().count("\n") if slept.exists() else 0) == waits
    assert ran.stdout.count("waiting") == (waits > 0)
    assert ("network" in ran.stderr) is (told == "is the network there?")


@pytest.mark.parametrize("goes", ["", "1"])
def test_only_packages_that_came_with_it_go(goes: str, tmp_path: Path) -> None:
    (tmp_path / "packages").write_text("flask\nnumpy\nflask\n")
    fakes = {
        "dpkg-query": "echo 'ii '",
        "apt-mark": 'echo "$*" >"$0.said"',
        "apt-get": f"""
            if [[ "$*" == *"-s autoremove"* ]]; then
                echo "Remv old-kernel [1]"
                [[ ! -e {tmp_path}/apt-mark.said ]] || echo "Remv flask [1]
Remv jinja [1]"
            else
                echo "$*" >"$0.said"
            fi""",
    }
    ran = in_installer(tmp_path, f"packages_too={goes}; forget_packages", fakes)
    assert (ran.returncode, ran.stderr) == (0, "")
    assert (tmp_path / "apt-mark.said").read_text() == "auto flask numpy\n"
    purged = tmp_path / "apt-get.said"
    assert purged.exists() is bool(goes)
    if goes:
        assert purged.read_text().endswith(" purge -y flask jinja\n")
    else:
        assert "sudo apt autoremove --purge" in ran.stdout


@pytest.mark.parametrize("status", [0, 1])
def test_games_that_cannot_be_brought_back_stop_nothing(status: int, tmp_path: Path) -> None:
    fakes = {"launcher": f'echo "$*" >>"$0.said"; exit {status}'}
    words = "".join(f"bring_back_games {name}; " for name in ("''", "a.zip", str(tmp_path)))
    ran = in_installer(tmp_path, f"{words} echo done", fakes)
    assert ran.stdout.endswith("done\n")
    assert ran.stdout.count("Not all games could be brought back") == 2 * status
    assert set((tmp_path / "launcher.said").read_text().splitlines()) == {
        "restore a.zip",
        f"backup - --data {tmp_path}",
        "restore -",
    }


@pytest.mark.parametrize(
    ("backup", "copy", "found"),
    [
        ('touch "$2"', "exit 1", "before-*.zip"),
        ("exit 1", 'exec /bin/cp "$@"', "before-*/journal/a-game"),
        ("exit 1", "echo worn >&2; exit 1", ""),
    ],
)
def test_games_that_no_program_can_save_are_copied(
    backup: str, copy: str, found: str, tmp_path: Path
) -> None:
    (tmp_path / "journal").mkdir()
    (tmp_path / "journal" / "a-game").touch()
    (tmp_path / "current").symlink_to("damaged")
    fakes = {
        "launcher": backup,
        "cp": copy,
        "install": 'mkdir -p "${@: -1}"',
        "systemctl": "[[ $1 == stop ]]",
    }
    ran = in_installer(tmp_path, 'save_games_first; echo "<$saved>"', fakes)
    there = [str(path) for path in (tmp_path / "backups").glob(found or "*")]
    assert (ran.returncode == 0) is bool(found)
    if found:
        assert len(there) == 1
        assert there[0].removesuffix("/journal/a-game") == ran.stdout.splitlines()[-1].strip("<>")
    else:
        assert there == []
        assert "so nothing was changed" in ran.stderr


def test_where_nothing_was_saved_there_is_nothing_to_bring_back(tmp_path: Path) -> None:
    ran = in_installer(tmp_path, 'echo "<$(saved_games | head -n 1)>"')
    assert ran.stdout == "<>\n"
    (tmp_path / "backups").mkdir()
    for name in ("before-20260101T000000-9.zip", "before-20260201T000000-8", "mine.zip"):
        (tmp_path / "backups" / name).touch()
    ran = in_installer(tmp_path, "saved_games")
    assert [Path(line).name for line in ran.stdout.splitlines()] == [
        "before-20260201T000000-8",
        "before-20260101T000000-9.zip",
    ]


@pytest.mark.parametrize("known", ["tiletally video", "tiletally video systemd-journal"])
def test_as_root_it_becomes_the_services_user_who_may_read_its_log(
    known: str, tmp_path: Path
) -> None:
    fakes = {
        "id": '[[ "$1" != -u ]] && echo "tiletally video" || echo 0',
        "getent": f'[[ " {known} " == *" $2 "* ]]',
        "runuser": 'echo "$*"',
    }
    ran = subprocess.run(
        ["sh", DEPLOY / "launcher", "doctor", "a b"],
        capture_output=True,
        text=True,
        env=with_fakes(tmp_path, fakes),
    )
    user, words = ran.stdout.rstrip("\n").split(" -- ")
    assert user.startswith("-u tiletally -g tiletally -G ")
    assert set(user.split(" -G ")[1:]) == set(known.split())
    assert words == f"{DEPLOY}/launcher doctor a b"


def test_bookworm_gets_what_the_program_needs_and_a_simplejpeg_that_fits_numpy_2() -> None:
    lock = (DEPLOY / "bookworm-requirements.lock").read_text(encoding="utf-8")
    versions = dict(re.findall(r"^([a-z0-9-]+)==(\S+)", lock, flags=re.MULTILINE))
    assert {"flask", "numpy", "opencv-python-headless", "segno", "waitress"} <= set(versions)
    assert versions["numpy"].startswith("2.")
    assert tuple(map(int, versions["simplejpeg"].split("."))) >= (1, 8, 2)
    assert "://" not in lock
    entries = re.split(r"^(?=\S+==)", lock, flags=re.MULTILINE)[1:]
    assert all("--hash=sha256:" in entry for entry in entries)


# --- the package


@pytest.fixture(scope="module")
def package(tmp_path_factory: pytest.TempPathFactory) -> Path:
    tool("dpkg-deb", "dpkg")
    folder = tmp_path_factory.mktemp("dist")
    ran = subprocess.run([DEPLOY / "build-deb", folder], capture_output=True, text=True, check=True)
    return Path(ran.stdout.strip())


def test_the_package_holds_the_program_and_no_leftovers(package: Path) -> None:
    data = subprocess.run(["dpkg-deb", "--fsys-tarfile", package], capture_output=True, check=True)
    with tarfile.open(fileobj=BytesIO(data.stdout)) as tree:
        members = {each.name.removeprefix("./"): each for each in tree.getmembers()}
    for wanted in (
        "usr/bin/tiletally",
        "usr/lib/systemd/system/tiletally.service",
        "usr/lib/tiletally/lib/models/tiles.npz",
        "usr/lib/tiletally/lib/scorer/schema",
        "usr/lib/tiletally/lib/webui/locales",
        "usr/share/doc/tiletally/copyright",
    ):
        assert wanted in members
    assert not [name for name in members if "__pycache__" in name or "@" in name]
    assert {each.uid for each in members.values()} == {0}
    assert not [each.name for each in members.values() if each.mode & 0o022]


def test_the_package_depends_on_the_system_alone(package: Path) -> None:
    fields = subprocess.run(
        ["dpkg-deb", "--field", package], capture_output=True, text=True, check=True
    ).stdout
    assert "Architecture: all" in fields
    for name in ("python3-opencv", "python3-numpy", "python3-flask", "python3-waitress"):
        assert name in fields
    assert "@" not in fields.replace("maintainers@", "")


def test_the_program_runs_from_the_package(package: Path, tmp_path: Path) -> None:
    subprocess.run(["dpkg-deb", "--extract", package, tmp_path], check=True)
    ran = subprocess.run(
        [sys.executable, "-m", "tiletally", "--version"],
        capture_output=True,
        text=True,
        cwd=tmp_path,
        env={"PYTHONPATH": str(tmp_path / "usr/lib/tiletally/lib"), "PYTHONSAFEPATH": "1"},
    )
    assert ran.stdout.startswith("tiletally "), ran.stderr


# --- the name


@pytest.fixture
def avahi(tmp_path: Path) -> Path:
    config = tmp_path / "avahi-daemon.conf"
    config.write_text("# See man page\n[server]\n#host-name=foo\nuse-ipv4=yes\n")
    return config


def set_name(avahi: Path, *words: str) -> subprocess.CompletedProcess[str]:
    # No service manager is to be told: PATH has no systemctl that would do anything.
    (avahi.parent / "systemctl").write_text("#!/bin/sh\n")
    (avahi.parent / "systemctl").chmod(0o755)
    path = f"{avahi.parent}:{os.environ['PATH']}"
    told = {"TILETALLY_AVAHI_CONFIG": str(avahi), "PATH": path}
    return subprocess.run(
        [DEPLOY / "set-name", *words], capture_output=True, text=True, env=os.environ | told
    )


def test_the_name_is_set_once_changed_and_taken_back(avahi: Path) -> None:
    before = avahi.read_text()
    for name in ("tiletally", "tiletally", "kitchen"):
        assert set_name(avahi, name).returncode == 0
        lines = avahi.read_text().splitlines()
        assert [line for line in lines if line.startswith("host-name=")] == [f"host-name={name}"]
        assert lines.index(f"host-name={name}") == lines.index("[server]") + 2
    assert set_name(avahi, "--undo").returncode == 0
    assert avahi.read_text() == before


def test_a_name_that_somebody_chose_stays(avahi: Path) -> None:
    avahi.write_text("[server]\nhost-name=mine\n")
    assert "stays as it is" in set_name(avahi, "tiletally").stderr
    assert set_name(avahi, "--undo").returncode == 0
    assert avahi.read_text() == "[server]\nhost-name=mine\n"


@pytest.mark.parametrize("name", ["", "-x", "a b", "Ärger", "x;reboot", "a" * 64])
def test_what_is_no_name_is_refused(avahi: Path, name: str) -> None:
    before = avahi.read_text()
    assert set_name(avahi, name).returncode == 2
    assert avahi.read_text() == before


@pytest.mark.parametrize(
    ("port", "name", "found"),
    [
        (80, "tiletally", ["http://tiletally.local", "http://10.0.0.7"]),
        (80, "", ["http://10.0.0.7"]),
        (8000, "table", ["http://table.local:8000", "http://10.0.0.7:8000"]),
    ],
)
def test_the_page_is_found_by_name_and_by_number(port: int, name: str, found: list[str]) -> None:
    assert addresses(port, name, "10.0.0.7") == found


# --- the page about hardware


LENSES = {
    "Module 3": (66.0, 41.0, "imx708"),
    "Module 2": (62.2, 48.8, "imx219"),
    # A sensor of 6.287 x 4.712 mm behind a lens of 6 mm.
    "HQ, 6 mm": (
        math.degrees(2 * math.atan(6.287 / 12)),
        math.degrees(2 * math.atan(4.712 / 12)),
        "imx477",
    ),
    "Module 3 Wide": (102.0, 67.0, "imx708_wide"),
}
TILE_CM, WANTED_PX = 2.5, 40


def seen_from(height_cm: float, lens: str) -> str:
    """Field and pixels a tile, as the table of the page has them."""
    across, down, model = LENSES[lens]
    wide, high = (2 * height_cm * math.tan(math.radians(angle / 2)) for angle in (across, down))
    px = mode_for(model, (1, 1)).picture_wh[0] * TILE_CM / wide
    return f"{wide:.0f} x {high:.0f}, {px:.0f} px"


def test_the_table_of_heights_is_what_the_lenses_see() -> None:
    text = (ROOT / "docs" / "hardware.md").read_text(encoding="utf-8")
    rows = re.findall(r"^\| (\d+) cm \| (.*) \|$", text, flags=re.MULTILINE)
    assert [int(height) for height, _ in rows] == list(range(40, 121, 10))
    for height, cells in rows:
        assert cells.split(" | ") == [seen_from(int(height), lens) for lens in LENSES]


def test_the_highest_places_are_what_the_lenses_allow() -> None:
    text = (ROOT / "docs" / "hardware.md").read_text(encoding="utf-8")
    told = re.search(
        r"^Highest place with 40 pixels a tile: (.*?)\.$", text, re.MULTILINE | re.DOTALL
    )
    assert told
    heights = re.findall(r"(\d+) cm", told[1])
    for (across, _, model), height in zip(LENSES.values(), heights, strict=True):
        wide = mode_for(model, (1, 1)).picture_wh[0] * TILE_CM / WANTED_PX
        assert int(height) == round(wide / (2 * math.tan(math.radians(across / 2))))


# --- the button


def load_button() -> ModuleType:
    spec = importlib.util.spec_from_file_location("tiletally_button", DEPLOY / "button.py")
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


@contextmanager
def scorekeeper(status: int) -> Iterator[tuple[str, list[tuple[str, dict[str, str]]]]]:
    """A stand-in for the scorekeeper, and what it was told."""
    heard: list[tuple[str, dict[str, str]]] = []

    class Handler(BaseHTTPRequestHandler):
        def do_POST(self) -> None:
            body = self.rfile.read(int(self.headers["Content-Length"]))
            heard.append((self.path, json.loads(body)))
            self.send_response(status)
            self.end_headers()
            self.wfile.write(b'{"error":"nothing to close"}')

        def log_message(self, *_: object) -> None:
            """Say nothing."""

    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    try:
        yield f"http://127.0.0.1:{server.server_port}", heard
    finally:
        server.shutdown()
        server.server_close()


@pytest.mark.parametrize(("status", "is_understood"), [(200, True), (409, False), (503, False)])
def test_the_button_says_done(status: int, is_understood: bool) -> None:
    button = load_button()
    with scorekeeper(status) as (address, heard):
        assert button.say_done(address) is is_understood
        assert button.say_done(address) is is_understood
    assert [path for path, _ in heard] == ["/api/turn/done"] * 2
    assert heard[0][1]["command"] != heard[1][1]["command"], "two presses are two wishes"


def test_a_button_without_a_scorekeeper_goes_on() -> None:
    assert load_button().say_done("http://127.0.0.1:9") is False


def test_a_press_of_the_real_button_class_reaches_the_scorekeeper() -> None:
    folder = Path(sys.prefix) / "raspberry"
    if not (folder / "gpiozero").is_dir():
        pytest.skip("gpiozero was not fetched into the environment: run `make test`")
    program = """
import sys, threading
from pathlib import Path
sys.path.insert(0, sys.argv[1])
from gpiozero import Device
from gpiozero.pins.mock import MockFactory
Device.pin_factory = MockFactory()
import importlib.util
spec = importlib.util.spec_from_file_location("button", sys.argv[2])
button = importlib.util.module_from_spec(spec)
spec.loader.exec_module(button)
pressed = threading.Event()
told = button.say_done
button.say_done = lambda address: (told(address), pressed.set())
def press():
    pin = Device.pin_factory.pin(17)
    pin.drive_low()
    assert pressed.wait(30)
button.signal.pause = press
button.main(["--pin", "17", "--address", sys.argv[3]])
"""
    with scorekeeper(200) as (address, heard):
        subprocess.run(
            [sys.executable, "-W", "ignore", "-c", program, folder, DEPLOY / "button.py", address],
            check=True,
            timeout=60,
        )
    assert [path for path, _ in heard] == ["/api/turn/done"]


def test_the_environment_is_not_touched_by_loading_the_button() -> None:
    with mock.patch.dict(sys.modules, {"gpiozero": None}):
        assert load_button().BOUNCE_S > 0
