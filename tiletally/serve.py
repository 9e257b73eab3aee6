"""The command `tiletally serve`: the scorekeeper itself."""

from __future__ import annotations

import argparse
import logging
import signal
import sys
import threading
import time
from collections.abc import Callable
from types import FrameType

import segno

from scorer.journal import JournalError
from tiletally.errors import UserError
from tiletally.games import add_data_argument
from tiletally.session import Session
from tiletally.systemd import notify_ready, notify_stopping, watch_over
from tiletally.web_server import WebServer, home_address
from webui import create_app

EVERYWHERE = ("0.0.0.0", "::", "")
BY_HAND = "none"
HTTP = 80
HUNG_S = 20.0
"""The slowest step of a camera, focusing anew, takes 8 s."""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add the camera, the address and the place of the games."""
    parser.add_argument(
        "--camera",
        metavar="SOURCE",
        help="demo[:SEED], picamera, usb[:N], folder:DIR, video:FILE, phone, or none to enter"
        " tiles by hand (default: the best one found, else demo)",
    )
    parser.add_argument(
        "--speed", type=float, default=1.0, metavar="N", help="how fast the demo plays"
    )
    parser.add_argument(
        "--host", default="0.0.0.0", metavar="H", help="address to listen on (default: all)"
    )
    parser.add_argument("--port", type=_port, default=8000, metavar="P", help="default: 8000")
    add_data_argument(parser)


def run(args: argparse.Namespace) -> int:
    """Serve until SIGTERM or Ctrl-C."""
    logging.basicConfig(level=logging.INFO, format="%(asctime)s %(name)s: %(message)s")
    ended = _until_told()
    try:
        session = Session.open(args.data)
    except JournalError as error:
        raise UserError(str(error)) from error
    try:
        server = WebServer(create_app(session, [_address(args)]), args.host, args.port)
        for notice in session.notices:
            _say(notice)
        is_alive = _watch(session, args)
        server.start()
        _invite(_address(args), args.data)
        notify_ready(_address(args))
        watch_over(ended, is_alive)
        notify_stopping()
        session.let_go()
        server.stop()
    finally:
        session.close()
    return 0


def _watch(session: Session, args: argparse.Namespace) -> Callable[[], bool]:
    """Let a camera follow the game, unless tiles are entered by hand; tell whether it hangs."""
    if args.camera == BY_HAND:
        return lambda: True
    from tiletally.live import CameraTable
    from tiletally.profiled import faults_of_picture, reader_maker
    from vision.cameras.sources import SourceError, find_source, open_camera, parse_source

    try:
        source = parse_source(args.camera) if args.camera else find_source()
        camera = open_camera(source, args.speed)
    except SourceError as error:
        raise UserError(f"{error}.") from error
    if args.camera is None:
        _say(f"Camera: {source}" + (", because none was found" if source.kind == "demo" else ""))
    table = CameraTable(
        session,
        camera,
        source=str(source),
        photos=args.data / "photos",
        make_reader=None if source.kind == "demo" else reader_maker(args.data, str(source), _say),
        check_aim=faults_of_picture,
    )
    session.attach(table)
    table.start()

    def is_alive() -> bool:
        is_stuck = getattr(camera, "is_stuck", False)  # a ribbon pulled out of a Raspberry Pi
        return not is_stuck and time.monotonic() - table.beat_s < HUNG_S

    return is_alive


def _until_told() -> threading.Event:
    """An event that is set by SIGTERM and Ctrl-C."""
    ended = threading.Event()

    def end(number: int, frame: FrameType | None) -> None:
        ended.set()

    signal.signal(signal.SIGTERM, end)
    signal.signal(signal.SIGINT, end)
    return ended


def _address(args: argparse.Namespace) -> str:
    host = home_address() if args.host in EVERYWHERE else args.host
    return f"http://{host}" + ("" if args.port == HTTP else f":{args.port}")


def _invite(address: str, data: object) -> None:
    """Say where the page is, for people and for phones."""
    _say(f"tiletally is ready: {address}")
    _say(f"The games are kept in {data}. Ctrl-C ends it.")
    segno.make(address, micro=False).terminal(out=sys.stderr, compact=True, border=2)


def _port(text: str) -> int:
    if not text.isdecimal() or not 0 < int(text) < 65536:
        raise argparse.ArgumentTypeError(f"{text!r} is not a port")
    return int(text)


def _say(sentence: str) -> None:
    sys.stderr.write(f"{sentence}\n")
    sys.stderr.flush()
