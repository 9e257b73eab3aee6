"""The attacks that were tried, each against the real program over real sockets.

Each test is one attack and says what must come of it; `docs/security.md` lists them.
"""

from __future__ import annotations

import json
import re
import socket
import subprocess
import sys
import zipfile
from collections import Counter
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack
from pathlib import Path

import cv2
import numpy as np
import pytest
from playwright.sync_api import Browser, Page

from tests.deploy.test_deploy import load_button
from tests.faults.running import Device, Scorekeeper, wait_until
from tests.fuzz.peak import peak_mb
from tests.fuzz.pictures import png, rows
from tests.security.wire import LOCAL, Reply, post, request, send
from tests.webui.test_views import VIEWS
from webui.access import MOST_PICTURES
from webui.events import MOST_EACH, MOST_STREAMS
from webui.pin_file import FILE_NAME, TRIES_NAME, remove_pin
from webui.pin_tries import FREE, FREE_FOR_ALL

GAME = {"rules": "classic", "players": ["Anna", "Ben"]}
TEXT = json.dumps(GAME).encode()
PIN = "70617283"
EVIL = "evil.example"


@pytest.fixture(scope="module")
def shared(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Scorekeeper]:
    """One scorekeeper for attacks that must leave no trace."""
    with Scorekeeper(tmp_path_factory.mktemp("attacked") / "data") as scorekeeper:
        scorekeeper.wait_for_page()
        yield scorekeeper


@pytest.fixture
def port(shared: Scorekeeper) -> Iterator[int]:
    """Its port; afterwards it must be well, and no game begun."""
    yield shared.port
    assert request(shared.port, "GET /healthz").status == 200
    assert request(shared.port, "GET /api/state").json["game"] is None
    assert "Traceback" not in shared.said


@pytest.fixture(scope="module")
def own(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Scorekeeper]:
    """Another one, for attacks that leave traces."""
    with Scorekeeper(tmp_path_factory.mktemp("own") / "data") as scorekeeper:
        scorekeeper.wait_for_page()
        yield scorekeeper


@pytest.fixture
def locked(own: Scorekeeper) -> Iterator[Scorekeeper]:
    """With a PIN that the attacker does not know."""
    assert post(own.port, "/api/pin", {"new": PIN}, source="127.0.0.250").status == 200
    yield own
    remove_pin(own.data)


def guess(port: int, pin: str, source: str = LOCAL, key: str = "") -> Reply:
    return post(port, "/api/pin/enter", {"pin": pin}, {"Cookie": key}, source)


def key_of(reply: Reply) -> str:
    return reply.headers["set-cookie"].partition(";")[0]


# --- from other sites


@pytest.mark.parametrize(
    "headers",
    [
        {"Content-Type": "application/x-www-form-urlencoded"},
        {"Content-Type": "multipart/form-data; boundary=x"},
        {"Content-Type": "text/plain"},
        {"Content-Type": "text/plain; charset=application/json"},
        {"Content-Type": ""},
        {"Origin": f"http://{EVIL}"},
        {"Origin": "null"},
        {"Origin": "http://["},
        {"Origin": "http://127.0.0.1:1"},
        {"Sec-Fetch-Site": "cross-site"},
        {"Sec-Fetch-Site": "same-site"},
    ],
    ids=lambda headers: " ".join(map(":".join, headers.items())),
)
def test_cross_site_post(port: int, headers: dict[str, str]) -> None:
    assert request(port, "POST /api/games", headers, TEXT).status in (403, 415)


@pytest.mark.parametrize("kind", ["application/x-www-form-urlencoded", "text/plain"])
def test_cross_site_post_without_a_body(port: int, kind: str) -> None:
    assert request(port, "POST /api/turn/undo", {"Content-Type": kind}).status == 415


@pytest.mark.parametrize("path", ["/api/state", "/api/events", "/api/camera.jpg"])
def test_cross_site_reading(port: int, path: str) -> None:
    for headers in ({"Origin": f"http://{EVIL}"}, {"Sec-Fetch-Site": "cross-site"}):
        assert request(port, f"GET {path}", headers).status == 403


def test_cross_origin_permission(port: int) -> None:
    asked = {
        "Origin": f"http://{EVIL}",
        "Access-Control-Request-Method": "POST",
        "Access-Control-Request-Private-Network": "true",
    }
    for line in ("OPTIONS /api/games", "GET /api/state", "GET /"):
        answer = request(port, line, asked)
        assert not [name for name in answer.headers if name.startswith("access-control")]


@pytest.mark.parametrize("line", ["GET /", "GET /api/state", "GET /qr.svg", "POST /api/games"])
@pytest.mark.parametrize(
    "name", [EVIL, f"{EVIL}:80", f"tiletally.local.{EVIL}", "93.184.216.34", ""]
)
def test_dns_rebinding(port: int, line: str, name: str) -> None:
    headers = {"Host": name, "Origin": f"http://{name}" if name else ""}
    answer = request(port, line, headers, TEXT if "POST" in line else b"")
    assert answer.status in (400, 421)
    assert "players" not in answer.text


def test_rebinding_by_two_names_or_a_whole_address(port: int) -> None:
    both = (
        f"GET /api/state HTTP/1.1\r\nHost: localhost\r\nHost: {EVIL}\r\nConnection: close\r\n\r\n"
    )
    assert send(port, both.encode()).status in (400, 421)
    whole = f"GET http://{EVIL}/api/state HTTP/1.1\r\nHost: {EVIL}\r\nConnection: close\r\n\r\n"
    assert send(port, whole.encode()).status in (400, 421)


@pytest.mark.parametrize("name", ["X-Forwarded-Host", "X-Host", "Forwarded", "X-Original-URL"])
def test_host_poisoning_of_the_code_to_scan(port: int, name: str) -> None:
    value = f"host={EVIL}" if name == "Forwarded" else EVIL
    for path in ("/", "/qr.svg", "/manifest.webmanifest"):
        plain, poisoned = (request(port, f"GET {path}", each) for each in ({}, {name: value}))
        assert poisoned.text == plain.text


@pytest.mark.parametrize("path", ["/", "/api/state", "/nowhere", "/static/icon.svg", "/api/likely"])
def test_framing(port: int, path: str) -> None:
    headers = request(port, f"GET {path}").headers
    assert headers["x-frame-options"] == "DENY"
    assert "frame-ancestors 'none'" in headers["content-security-policy"]
    assert headers["x-content-type-options"] == "nosniff"
    assert headers["cross-origin-resource-policy"] == "same-origin"


def test_clickjacking_in_a_browser(shared: Scorekeeper, browser: Browser) -> None:
    page = browser.new_page()
    page.set_content(f'<iframe src="{shared.url}/" style="opacity:0"></iframe>')
    page.wait_for_timeout(1000)
    assert [frame.locator("#main").count() for frame in page.frames] == [0, 0]
    page.close()


@pytest.mark.parametrize(
    "path", [f"//{EVIL}", f"//{EVIL}/..", f"/\\{EVIL}", f"/%2f{EVIL}", f"/?next=//{EVIL}",
             f"/static//{EVIL}", f"/api/state/?url=http://{EVIL}", "/api/games/",
             f"/%0d%0aLocation:{EVIL}"],
)  # fmt: skip
def test_open_redirect(port: int, path: str) -> None:
    answer = request(port, f"GET {path}")
    assert "location" not in answer.headers
    assert answer.status in (200, 400, 404)


# --- out of the folders


@pytest.mark.parametrize(
    "path",
    ["/static/../__init__.py", "/static/..%2f__init__.py", "/static/%2e%2e/%2e%2e/pyproject.toml",
     "/static/....//....//etc/passwd", "/static//etc/passwd", "/static/%2fetc/passwd",
     "/static/js/../../openapi.json", "/static/..\\__init__.py", "/static/icon.svg%00.png",
     "/games/../pin.json", "/games/..%2fpin.csv", "/games/%2e%2e.csv", "/games/1/../../x.csv",
     "/locales/..%2f..%2fopenapi.json", "/locales/en/../../x.json", "/api/turns/../photo.jpg",
     "/api/turns/..%2f..%2fpin/photo.jpg", "/api/turns/-1/photo.jpg", "/../../etc/passwd"],
)  # fmt: skip
def test_traversal(port: int, path: str) -> None:
    answer = request(port, f"GET {path}")
    assert answer.status in (400, 404, 405)
    assert not re.search(r"root:|from __future__|\[project\]|openapi", answer.text)


def test_traversal_by_the_name_of_an_upload(tmp_path: Path) -> None:
    picture = np.full((480, 640, 3), 90, np.uint8)
    jpeg = cv2.imencode(".jpg", picture)[1].tobytes()
    headers = {
        "Content-Type": "image/jpeg",
        "Content-Disposition": 'attachment; filename="../../../evil.jpg"',
    }
    with Scorekeeper(tmp_path / "data", "phone") as scorekeeper:
        scorekeeper.wait_for_page()
        device = Device(scorekeeper.url)
        wait_until(lambda: (device.state()["camera"] or {}).get("can_upload"), "a camera")
        for path in ("/api/photo?name=../../evil.jpg", "/api/photo"):
            assert request(scorekeeper.port, f"POST {path}", headers, jpeg).status == 202
        assert request(scorekeeper.port, "POST /api/photo/../../x", headers, jpeg).status >= 400
    assert {path.name for path in tmp_path.iterdir()} == {"data", "data.log"}
    assert not list(tmp_path.rglob("*evil*"))


def test_traversal_by_the_names_in_a_backup(tmp_path: Path) -> None:
    target = tmp_path / "deep" / "data"
    with zipfile.ZipFile(tmp_path / "evil.zip", "w") as archive:
        about = {"format": "tiletally backup", "version": 1, "made_at": "x", "games": 2}
        archive.writestr("backup.json", json.dumps(about))
        archive.writestr("games/../../../evil.json", "{}")
        archive.writestr("games//etc/evil.json", "{}")
        archive.writestr("../pin.json", "{}")
    words = ["restore", str(tmp_path / "evil.zip"), "--data", str(target)]
    ended = subprocess.run(
        [sys.executable, "-m", "tiletally", *words], capture_output=True, text=True, timeout=60
    )
    assert "Traceback" not in ended.stderr
    assert not list(tmp_path.rglob("evil.json"))
    assert not list(tmp_path.rglob(FILE_NAME))


# --- too much


@pytest.mark.parametrize(
    ("line", "headers", "body", "status"),
    [
        ("POST /api/games", {}, b" " * 70_000, 413),
        ("POST /api/games", {"Content-Length": "40000000"}, b"{", 413),
        ("POST /api/photo", {"Content-Length": "99999999999"}, b"", 413),
        ("POST /api/games", {"Content-Length": "-1"}, b"{}", 400),
        ("POST /api/games", {"Content-Length": "1e3"}, b"{}", 400),
        ("POST /api/games", {}, b"[" * 60_000, 400),
        ("POST /api/games", {}, b'{"a":' * 10_000, 400),
        ("POST /api/turn/points", {}, b'{"points":' + b"9" * 50_000 + b"}", 400),
        ("GET /api/state", {"X-Long": "x" * 20_000}, b"", 431),
        ("GET /api/state", {"Cookie": "tiletally_key=" + "x" * 20_000}, b"", 431),
        ("GET /" + "x" * 20_000, {}, b"", 431),
        ("GET /api/games/" + "9" * 5_000, {}, b"", 404),
        ("GET /api/likely?x=" + "9" * 5_000 + "&y=0", {}, b"", 400),
    ],
    ids=lambda value: str(value)[:24],
)  # fmt: skip
def test_oversized(port: int, line: str, headers: dict[str, str], body: bytes, status: int) -> None:
    assert request(port, line, headers, body).status == status


def test_oversized_in_chunks(port: int) -> None:
    head = f"POST /api/games HTTP/1.1\r\nHost: {LOCAL}\r\nContent-Type: application/json\r\n"
    chunks = b"10000\r\n" + b" " * 0x10000 + b"\r\n"
    data = f"{head}Transfer-Encoding: chunked\r\nConnection: close\r\n\r\n".encode() + chunks * 2
    assert send(port, data + b"0\r\n\r\n").status == 413


@pytest.mark.parametrize(
    "line", ["TRACE /", "PUT /api/games", "DELETE /api/games/1", "PATCH /", "FOO /"]
)
def test_other_methods(port: int, line: str) -> None:
    assert request(port, line).status in (400, 405)
    override = {"X-HTTP-Method-Override": "POST"}
    assert request(port, "GET /api/rematch", override).status in (404, 405)


HIDDEN = (
    f"POST /api/games HTTP/1.1\r\nHost: {LOCAL}\r\nContent-Type: application/json\r\n"
    f"Content-Length: {len(TEXT)}\r\n\r\n"
).encode() + TEXT
WHOLE = len(b"0\r\n\r\n" + HIDDEN)


@pytest.mark.parametrize(
    "headers",
    [
        f"Content-Length: {WHOLE}\r\nTransfer-Encoding: chunked",
        f"Transfer-Encoding: chunked\r\nContent-Length: {WHOLE}",
        f"Transfer-Encoding: Chunked\r\nContent-Length: {WHOLE}",
        f"Content-Length: {WHOLE}\r\nContent-Length: 5",
        f"Content-Length: {WHOLE}, 5",
        f"Content-Length: +{WHOLE}",
        f"Content-Length: {WHOLE}\r\nTransfer-Encoding: xchunked",
        f"Content-Length: {WHOLE}\r\nTransfer-Encoding : chunked",
        f"Content-Length: {WHOLE}\r\nTransfer-Encoding: chunked, identity",
        f"Content-Length: {WHOLE}\r\nX: 1\n Transfer-Encoding: chunked",
    ],
)
def test_request_smuggling(port: int, headers: str) -> None:
    """Whatever the length is taken for, the request hidden in the body is never carried out."""
    first = f"POST /api/judge HTTP/1.1\r\nHost: {LOCAL}\r\nContent-Type: application/json\r\n"
    last = f"GET /healthz HTTP/1.1\r\nHost: {LOCAL}\r\nConnection: close\r\n\r\n"
    whole = f"{first}{headers}\r\n\r\n0\r\n\r\n".encode() + HIDDEN + last.encode()
    answer = send(port, whole)
    assert answer.answers <= 2, "a third one would be that of the hidden request"
    assert answer.status in (400, 409, 501)


# --- the PIN


def test_guessing_the_pin(locked: Scorekeeper) -> None:
    replies = [guess(locked.port, f"{number:04d}") for number in range(12)]
    assert [reply.status for reply in replies] == [403] * FREE + [429] * (12 - FREE)
    assert replies[-1].json["wait_s"] == int(replies[-1].headers["retry-after"]) > 0
    assert guess(locked.port, PIN).status == 429, "nor is the right one taken before its time"


def test_guessing_after_a_restart(locked: Scorekeeper, tmp_path: Path) -> None:
    """Another process goes on with the waits that the first one left on the disk."""
    for number in range(FREE):
        guess(locked.port, f"{number:04d}")
    again = tmp_path / "data"
    again.mkdir()
    for name in (FILE_NAME, TRIES_NAME):
        (again / name).write_bytes((locked.data / name).read_bytes())
    with Scorekeeper(again) as scorekeeper:
        scorekeeper.wait_for_page()
        assert guess(scorekeeper.port, "0009").status == 429


def test_guessing_in_parallel(locked: Scorekeeper) -> None:
    with ThreadPoolExecutor(40) as pool:
        numbers = [f"{number:04d}" for number in range(80)]
        found = Counter(pool.map(lambda pin: guess(locked.port, pin).status, numbers))
    assert found == {403: FREE, 429: 80 - FREE}


def test_guessing_from_many_addresses(locked: Scorekeeper) -> None:
    sources = [f"127.0.1.{number}" for number in range(1, 61)]
    found = Counter(guess(locked.port, "0000", source).status for source in sources)
    assert found == {403: FREE_FOR_ALL, 429: 60 - FREE_FOR_ALL}


def test_guessing_that_would_lock_the_family_out(locked: Scorekeeper) -> None:
    tablet, stranger = "127.0.0.7", "127.0.0.9"
    key = key_of(guess(locked.port, PIN, tablet))
    post(locked.port, "/api/pin/leave", {}, {"Cookie": key}, tablet)
    for number in range(1, 40):
        guess(locked.port, "0000", f"127.0.2.{number}")
    assert guess(locked.port, PIN, stranger).status == 429
    assert guess(locked.port, PIN, tablet, key).status == 200, "it was let in before"
    words = [sys.executable, "-m", "tiletally", "pin", "--remove", "--data", str(locked.data)]
    subprocess.run(words, check=True, timeout=60, capture_output=True)
    assert post(locked.port, "/api/games", GAME, source=stranger).status == 201


def test_the_slow_hash_as_a_way_to_keep_it_busy(locked: Scorekeeper) -> None:
    long = "1" * 60_000
    with ThreadPoolExecutor(50) as pool:
        flood = [pool.submit(guess, locked.port, long, f"127.0.3.{n}") for n in range(1, 101)]
        assert request(locked.port, "GET /api/state", source="127.0.0.8").status == 200
        assert {each.result().status for each in flood} <= {403, 429}
    assert Counter(each.result().status for each in flood)[403] <= FREE_FOR_ALL


@pytest.mark.parametrize("path", ["/api/pin", "/api/pin/remove"])
def test_ways_around_the_old_pin(locked: Scorekeeper, path: str) -> None:
    for body in ({}, {"pin": ""}, {"pin": "0000"}):
        assert post(locked.port, path, {**body, "new": "1111"}).status == 403
    assert request(locked.port, "GET /api/pin").json["is_set"]


def test_stolen_and_forged_keys(locked: Scorekeeper) -> None:
    answer = guess(locked.port, PIN)
    about = answer.headers["set-cookie"].lower()
    assert {"httponly", "samesite=strict", "path=/"} <= {part.strip() for part in about.split(";")}
    kept = json.loads((locked.data / FILE_NAME).read_text())
    hashes = [device["key"] for device in kept["devices"]]
    for forged in ("", "x", *hashes, kept["hash"], "None", "é"):
        cookie = {"Cookie": f"tiletally_key={forged}"}
        assert post(locked.port, "/api/games", GAME, cookie).status == 423
    post(locked.port, "/api/pin", {"pin": PIN, "new": "1111"}, source="127.0.0.6")
    old = {"Cookie": key_of(answer)}
    assert post(locked.port, "/api/games", GAME, old).status == 423, "a new PIN takes keys back"


def test_a_script_that_reads_the_key(locked: Scorekeeper, browser: Browser) -> None:
    page = browser.new_page()
    page.goto(locked.url)
    status = page.evaluate(
        "pin => fetch('/api/pin/enter', { method: 'POST', body: JSON.stringify({ pin }),"
        " headers: { 'Content-Type': 'application/json' } }).then((answer) => answer.status)",
        PIN,
    )
    assert status == 200
    assert "tiletally_key" not in page.evaluate("document.cookie")
    assert [cookie["name"] for cookie in page.context.cookies()] == ["tiletally_key"]
    page.close()


def test_playing_the_button(locked: Scorekeeper) -> None:
    """The push button needs no PIN; a browser on the machine does, and so does every other call."""
    own = {"Origin": locked.url}
    assert post(locked.port, "/api/turn/done", {}, own).status == 423
    assert post(locked.port, "/api/turn/undo", {}).status == 423
    assert post(locked.port, "/api/turn/done", {}, source="127.0.0.44").status == 423
    assert post(locked.port, "/api/turn/done", {}).status == 409, "there is nothing to close"
    assert load_button().say_done(locked.url) is False


def test_secrets_in_the_log_and_in_the_bundle(locked: Scorekeeper, tmp_path: Path) -> None:
    key = key_of(guess(locked.port, PIN)).partition("=")[2]
    guess(locked.port, "24681357")
    bundle = tmp_path / "bundle.zip"
    words = ["doctor", "--bundle", str(bundle), "--data", str(locked.data), "--camera", "demo"]
    told = subprocess.run(
        [sys.executable, "-m", "tiletally", *words], capture_output=True, text=True, timeout=120
    )
    with zipfile.ZipFile(bundle) as archive:
        texts = [archive.read(name).decode() for name in archive.namelist()]
    kept = json.loads((locked.data / FILE_NAME).read_text())
    for secret in (PIN, "24681357", key, kept["hash"], kept["salt"], kept["devices"][0]["key"]):
        assert not [text for text in (locked.said, told.stdout, *texts) if secret in text]


FORWARDING = ["X-Forwarded-For", "Forwarded", "Via", "X-Real-IP"]


@pytest.mark.parametrize("name", FORWARDING)
def test_playing_the_button_through_a_proxy(locked: Scorekeeper, name: str) -> None:
    """A proxy with a certificate runs on the machine itself, and so seems to be the button."""
    value = "for=10.0.0.9" if name == "Forwarded" else "10.0.0.9"
    assert post(locked.port, "/api/turn/done", {}, {name: value}).status == 423
    assert post(locked.port, "/api/turn/done", {}, {name.lower(): value}).status == 423


# --- names


SCRIPTS = ["<img src=x onerror=h()>", "</script><svg id=own>", "\"'><b id=own>{{7*7}}"]


def test_a_script_in_a_name_on_every_view(own: Scorekeeper, browser: Browser) -> None:
    post(own.port, "/api/games", {"rules": "classic", "players": SCRIPTS})
    post(own.port, "/api/turn/end", {"player": 0})
    post(own.port, "/api/games", {"rules": "flex", "players": SCRIPTS})
    page = browser.new_page()
    page.add_init_script("window.hits = 0; window.h = () => { window.hits += 1; };")
    page.goto(f"{own.url}/#/score")
    shown = [_names_on(page, view) for view in VIEWS]
    assert [hits for hits, _ in shown] == [0] * len(VIEWS)
    assert {VIEWS[place] for place, (_, text) in enumerate(shown) if SCRIPTS[0] in text} >= {
        "score", "result", "archive", "start",
    }  # fmt: skip
    page.close()


def _names_on(page: Page, view: str) -> tuple[int, str]:
    page.evaluate(f"location.hash = '#/{view}'")
    page.wait_for_selector(f"main.view-{view} .view")
    page.wait_for_timeout(200)
    bad = page.locator("img[src=x], #own, [onerror]").count()
    return bad + int(page.evaluate("window.hits")), str(page.evaluate("document.body.innerText"))


def test_a_formula_in_a_name(own: Scorekeeper) -> None:
    names = ['=HYPERLINK("http://x")', "@SUM(1+1)", "+1+1", "-2+3"]
    game = post(own.port, "/api/games", {"rules": "classic", "players": names}).json["game"]["id"]
    for player in range(4):
        body = {"player": player, "points": 1, "reason": '=cmd|"/c calc"!A0'}
        assert post(own.port, "/api/turn/adjust", body).status == 200
    text = request(own.port, f"GET /games/{game}.csv").text
    cells = re.findall(r'(?:^|,)"?([^",\n]+)', text, flags=re.MULTILINE)
    assert [cell for cell in cells if cell[0] in "=@+" or re.match(r"-\D", cell)] == []
    assert "HYPERLINK" in text


def test_unseen_letters_in_a_name(own: Scorekeeper) -> None:
    names = ["Anna\u202eneB", "Ben\u200b", "C\u0000\r\nX-Evil: 1", "D\u2066\ufeffe"]
    told = post(own.port, "/api/games", {"rules": "classic", "players": names}).json
    assert [player["name"] for player in told["players"]] == [
        "Anna neB",
        "Ben",
        "C X-Evil: 1",
        "D e",
    ]


def test_a_line_slipped_into_the_log(own: Scorekeeper) -> None:
    line = "\n2026-01-01 00:00:00,000 tiletally: all PINs removed"
    post(own.port, "/api/games", {"rules": "classic", "players": [line, "Ben"]})
    post(own.port, "/api/games", {"rules": line, "players": [line, line]})
    post(own.port, "/api/settings", {line: 1})
    post(own.port, "/api/turn/done", {"command": line})
    request(own.port, "GET /" + line.strip().replace(" ", "%20").replace("2026", "%0a2026", 1))
    request(own.port, "GET /api/state", {"User-Agent": "x\r\n2026-01-01 all PINs removed"})
    assert not re.search(r"^2026.*all PINs removed", own.said, flags=re.MULTILINE)


# --- what is told about the machine


@pytest.mark.parametrize(
    "data", [b"\0", b"GET\r\n\r\n", b"\x16\x03\x01\x02\x00\x01", b"GET / HTTP/9.9\r\n\r\n",
             b"GET /nowhere HTTP/1.0\r\nHost: localhost\r\n\r\n", b"A" * 20_000 + b"\r\n\r\n"],
    ids=["empty", "half", "tls", "version", "nowhere", "noise"],
)  # fmt: skip
def test_what_errors_tell(port: int, data: bytes) -> None:
    answer = send(port, data + b"\r\n\r\n")
    assert not re.search(rb"(?i)waitress|werkzeug|python|traceback|\.py", answer.raw)
    assert "server" not in answer.headers


# --- streams


def test_all_streams_taken(tmp_path: Path) -> None:
    # One that no browser has followed: a page that was closed keeps its place for some seconds.
    with Scorekeeper(tmp_path / "data") as fresh, ExitStack() as opened:
        fresh.wait_for_page()
        one = [_stream(fresh.port, LOCAL, opened) for _ in range(30)]
        assert one.count(200) == MOST_EACH, one
        assert one.count(429) == 30 - MOST_EACH
        assert _stream(fresh.port, "127.0.0.7", opened) == 200, "another device finds a place"
        many = [_stream(fresh.port, f"127.0.4.{n}", opened) for n in range(1, MOST_STREAMS)]
        assert many.count(200) == MOST_STREAMS - MOST_EACH - 1
        tablet = request(fresh.port, "GET /api/state", source="127.0.0.8")
        assert tablet.status == 200, "and who finds none asks for the state"
        assert post(fresh.port, "/api/games", GAME, source="127.0.0.8").status == 201


def _stream(port: int, source: str, opened: ExitStack) -> int:
    wire = opened.enter_context(socket.create_connection((LOCAL, port), 30, (source, 0)))
    wire.sendall(f"GET /api/events HTTP/1.1\r\nHost: {LOCAL}\r\n\r\n".encode())
    return int(wire.recv(64).split(b" ")[1])


def test_many_large_photos_at_once(tmp_path: Path) -> None:
    slow = png(3000, 2000, 16, 6, rows(3000, 2000, 64))
    photo = slow + bytes(19_000_000)
    with Scorekeeper(tmp_path / "data", "phone") as scorekeeper:
        scorekeeper.wait_for_page()
        device = Device(scorekeeper.url)
        wait_until(lambda: (device.state()["camera"] or {}).get("can_upload"), "the camera")
        before, kind = peak_mb(scorekeeper.process.pid), {"Content-Type": "image/jpeg"}
        with ThreadPoolExecutor(24) as pool:
            sent = [
                pool.submit(request, scorekeeper.port, "POST /api/photo", kind, photo)
                for _ in range(24)
            ]
            statuses = {each.result().status for each in sent}
        # 0: hung up on, because too many others were on their way.
        assert statuses <= {0, 202, 422, 503}
        assert peak_mb(scorekeeper.process.pid) - before < MOST_PICTURES * 80
        assert request(scorekeeper.port, "GET /healthz").status == 200
