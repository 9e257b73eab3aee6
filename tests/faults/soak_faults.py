"""Everything that is done to a scorekeeper which has to live through it."""

from __future__ import annotations

import contextlib
import random
import signal
import socket
import struct
import threading
import time
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from urllib.parse import urlsplit

from tests.faults.promises import Tap
from tests.faults.running import Device, State, wait_until
from tests.faults.steady import Steady

STREAM = b"GET /api/events HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n"
HALVES = (
    b"POST /api/turn/undo HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Type: application/json\r\n"
    b'Content-Length: 300\r\n\r\n{"command": "half',
    b"GET /api/st",
    b"\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03",
    b"POST /api/turn/done HTTP/1.1\r\nTransfer-Encoding: chunked\r\n\r\n5\r\n{",
)
CONNECTIONS, ROUNDS = 8, 3
Fault = Callable[[Steady, random.Random], None]


def pause(steady: Steady, rng: random.Random) -> None:
    """The whole process stands still for a moment."""
    steady.scorekeeper.process.send_signal(signal.SIGSTOP)
    try:
        time.sleep(rng.uniform(0.2, 2.0))
    finally:
        steady.scorekeeper.process.send_signal(signal.SIGCONT)


def stalled_streams(steady: Steady, rng: random.Random) -> None:
    """Devices open a stream and never read it."""
    with _connections(steady, rng) as sockets:
        for each in sockets:
            each.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 2048)
            each.sendall(STREAM)
        time.sleep(rng.uniform(1.0, 4.0))


def half_requests(steady: Steady, rng: random.Random) -> None:
    """Devices begin to ask for something and fall silent."""
    with _connections(steady, rng) as sockets:
        for each in sockets:
            each.sendall(rng.choice(HALVES))
        time.sleep(rng.uniform(0.5, 3.0))


def crowd(steady: Steady, rng: random.Random) -> None:
    """Devices come, follow for an instant, and go again."""
    for _ in range(ROUNDS):
        with _connections(steady, rng) as sockets:
            for each in sockets:
                each.sendall(STREAM)
                each.recv(rng.randint(1, 2000))


def doubled_tap(steady: Steady, rng: random.Random) -> None:
    """The same tap comes three times at once."""
    with _people_wait(steady):
        game = steady.device.state()["game"]
        points = 0 if steady.is_clean else rng.randint(-5, 5)
        body = {"player": 0, "points": points, "game": game["id"], "seq": game["seq"]}
        tap = Tap("/api/turn/adjust", {**body, "command": f"doubled-{rng.getrandbits(48):x}"})
        fingers = [threading.Thread(target=tap.send, args=(steady.device,)) for _ in range(2)]
        for finger in fingers:
            finger.start()
        steady.ledger.send(steady.device, tap)
        for finger in fingers:
            finger.join()


def stale_edit(steady: Steady, rng: random.Random) -> None:
    """Somebody taps on a page that is older than the game."""
    state = steady.device.state()
    game = state["game"]
    body = {"game": game["id"], "seq": game["seq"] - 1, "command": f"old-{rng.getrandbits(48):x}"}
    tap = Tap("/api/turn/undo", body)
    steady.ledger.send(steady.device, tap)
    if tap.is_acknowledged:
        steady.ledger.broken.append(f"an edit of an old state was taken: {tap}")


def correction(steady: Steady, rng: random.Random) -> None:
    """Somebody sets the points of a turn in the middle of play, and thinks better of it."""
    wait_until(lambda: steady.device.state()["turns"], "a turn that can be corrected")
    number = rng.randint(1, max(1, len(steady.device.state()["turns"])))

    def that_turn(state: State) -> str:
        """The same one for as long as it is there: people may take turns back."""
        return f"/api/turns/{min(number, max(1, len(state['turns'])))}"

    with _people_wait(steady):
        for change in ({"points": rng.randint(0, 30)}, {"clear_points": True}):
            _insist(steady, that_turn, change)
            time.sleep(rng.uniform(0.0, 1.0))


def _insist(steady: Steady, path: Callable[[State], str], params: Mapping[str, object]) -> None:
    """Tap until it counts; the camera may be faster once or twice."""
    for _ in range(20):
        state = steady.device.state()
        tap = steady.person.tap(state, path(state), dict(params))
        if tap.is_acknowledged:
            return
        time.sleep(0.1)
    steady.ledger.broken.append(f"never taken: {tap}")


def settings(steady: Steady, rng: random.Random) -> None:
    """Somebody changes settings; they hold at once."""
    wanted = {
        "close_turn_after_s": rng.randint(5, 6),  # people lay a move in two visits within 4 s
        "keep_photos": rng.random() < 0.5,
        "show_unseen": rng.random() < 0.5,
    }
    answer = steady.device.post("/api/settings", wanted)
    if not answer.is_done or answer.json["settings"].items() < wanted.items():
        steady.ledger.broken.append(f"settings not taken: {wanted}")


def _camera(trouble: str) -> Fault:
    def fault(steady: Steady, rng: random.Random) -> None:
        with steady.table.is_(trouble):
            time.sleep(rng.uniform(1.0, 5.0))
        _expect_camera(steady)

    fault.__doc__ = f"The camera is or delivers: {trouble}."
    return fault


def _expect_camera(steady: Steady) -> None:
    def is_back() -> bool:
        return steady.device.state()["camera"]["state"] in ("ok", "busy", "ended")

    try:
        wait_until(is_back, "the camera is back", 30)
    except AssertionError as error:
        steady.ledger.broken.append(str(error))


def _disk(trouble: str) -> Fault:
    def fault(steady: Steady, rng: random.Random) -> None:
        with _people_wait(steady):
            with steady.disk.is_(trouble):
                end = time.monotonic() + rng.uniform(1.0, 4.0)
                while time.monotonic() < end:
                    state = steady.device.state()
                    steady.person.tap(state, "/api/turn/adjust", {"player": 0, "points": 0})
                    time.sleep(0.2)
            _insist(steady, lambda _: "/api/turn/adjust", {"player": 0, "points": 0})

    fault.__doc__ = f"The disk is {trouble} for a while; afterwards all is well at once."
    return fault


@contextmanager
def _people_wait(steady: Steady) -> Iterator[None]:
    """Where nobody interferes for good, a change of the game begins and ends between two turns."""
    with steady.table.is_("waiting") if steady.is_clean else contextlib.nullcontext():
        yield


@contextmanager
def _connections(steady: Steady, rng: random.Random) -> Iterator[list[socket.socket]]:
    """Several connections that are closed in the end, some of them rudely."""
    place = urlsplit(steady.scorekeeper.url)
    address = (str(place.hostname), int(place.port or 80))
    sockets = [socket.create_connection(address, 30) for _ in range(CONNECTIONS)]
    try:
        yield sockets
    finally:
        for each in sockets:
            if rng.random() < 0.5:
                reset = struct.pack("ii", 1, 0)
                each.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, reset)
            each.close()


def look_around(steady: Steady, rng: random.Random) -> None:
    """Somebody looks at everything that there is to look at."""
    paths = ["/", "/api/games", "/api/players", "/api/camera.jpg", "/api/camera.jpg?marked"]
    device = Device(steady.scorekeeper.url)
    for path in (*paths, "/api/turns/1/photo.jpg", "/healthz", "/qr.svg"):
        status = device.get(path).status
        if status >= 500:
            steady.ledger.broken.append(f"{path} answered {status}")


def faults_for(steady: Steady) -> dict[str, Fault]:
    """All faults by name; those of the disk only where there is a C compiler."""
    faults: dict[str, Fault] = {
        "pause": pause,
        "stalled streams": stalled_streams,
        "half requests": half_requests,
        "crowd": crowd,
        "doubled tap": doubled_tap,
        "stale edit": stale_edit,
        "correction": correction,
        "settings": settings,
        "look around": look_around,
        "camera lost": _camera("lost"),
        "camera garbage": _camera("garbage"),
        "camera stripes": _camera("stripes"),
        "camera frozen": _camera("frozen"),
    }
    if steady.disk.is_possible:
        faults |= {"disk full": _disk("full"), "disk read-only": _disk("read-only")}
    return faults
