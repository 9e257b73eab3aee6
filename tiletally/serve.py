"""The command `tiletally serve`: the scorekeeper itself."""

from __future__ import annotations

import argparse
import logging
import os
import signal
import sys
import threading
from functools import partial
from types import FrameType
from typing import TYPE_CHECKING

import segno

from scorer.journal import JournalError
from tiletally.calibrating import CameraSetup
from tiletally.errors import UserError
from tiletally.games import add_data_argument
from tiletally.home_address import home_address
from tiletally.housekeeping import Housekeeping
from tiletally.memory import share_memory
from tiletally.own_names import own_names
from tiletally.photo_store import PhotoStore
from tiletally.session import Session
from tiletally.session_guest import Guest
from tiletally.systemd import notify_ready, notify_stopping, watch_over
from tiletally.table_keeper import TableKeeper
from tiletally.watchdog import Watchdog
from tiletally.web_server import WebServer
from vision.cameras.source_name import Source, SourceError, parse_source
from webui import create_app

if TYPE_CHECKING:
    from tiletally.live import CameraTable

EVERYWHERE = ("0.0.0.0", "::", "")
BY_HAND = "none"
PHOTOS = "photos"
HTTP = 80


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add the camera, the address and the place of the games."""
    parser.add_argument(
        "--camera",
        metavar="SOURCE",
        help="demo[:SEED], picamera, usb[:N], folder:DIR, video:FILE, phone, or none to enter"
        " tiles by hand (default: the best one found)",
    )
    parser.add_argument(
        "--fallback",
        choices=("demo", "phone", BY_HAND),
        default="demo",
        help="what to do without --camera where no camera is found (default: demo)",
    )
    parser.add_argument(
        "--speed", type=float, default=1.0, metavar="N", help="how fast the demo plays"
    )
    parser.add_argument(
        "--host", default="0.0.0.0", metavar="H", help="address to listen on (default: all)"
    )
    parser.add_argument(
        "--name",
        action="append",
        default=[],
        metavar="N",
        help="another name of the page, such as tiletally.fritz.box; may be given more than once",
    )
    parser.add_argument(
        "--place",
        default="table",
        metavar="P",
        help="where the camera stands: what `tiletally calibrate --place` learned there is used",
    )
    parser.add_argument("--port", type=_port, default=8000, metavar="P", help="default: 8000")
    add_data_argument(parser)


def run(args: argparse.Namespace) -> int:
    """Serve until SIGTERM or Ctrl-C."""
    share_memory()
    logging.basicConfig(level=logging.INFO, format="%(asctime)s %(name)s: %(message)s")
    ended = _until_told()
    is_by_hand = args.camera == BY_HAND
    source = None if is_by_hand else _source(args.camera)
    try:
        session = Session.open(args.data)
    except JournalError as error:
        raise UserError(str(error)) from error
    try:
        setup = CameraSetup("none" if is_by_hand else "starting")
        names = [*own_names(), *args.name, args.host]
        app = create_app(session, partial(_address, args), names, args.data, setup)
        server = WebServer(app, args.host, args.port)
        for notice in session.notices:
            _say(notice)
        keeper = None if is_by_hand else _keeper(session, source, args, setup)
        watchdog = Watchdog(session, keeper)
        Housekeeping(session, PhotoStore(args.data / PHOTOS)).start()
        server.start()
        _invite(_address(args), args.data)
        notify_ready(_address(args))
        watch_over(ended, watchdog.look)
        notify_stopping()
        session.let_go()
        server.stop()
    finally:
        session.close()
    _leave_threads_behind()
    return 0


def _leave_threads_behind() -> None:
    """End here and now if a thread is still at work, such as one in the middle of a picture.

    Everything is safe and closed. Python would tear such a thread down inside OpenCV, which aborts.
    """
    if threading.active_count() > 1:
        logging.shutdown()
        os._exit(0)


def _keeper(
    session: Session, source: Source | None, args: argparse.Namespace, setup: CameraSetup
) -> TableKeeper:
    """Let a camera follow the game as soon as it is there; the page does not wait for it."""
    keeper = TableKeeper(
        session,
        str(source or ""),
        lambda guest, is_restart: _camera_table(guest, source, args, setup, is_restart),
        photos=PhotoStore(args.data / PHOTOS),
    )
    keeper.start()
    return keeper


def _camera_table(
    session: Guest,
    source: Source | None,
    args: argparse.Namespace,
    setup: CameraSetup,
    is_restart: bool,
) -> CameraTable | None:
    """What follows the game, or None where it is to be entered by hand."""
    # Imported here, because it takes longer than all that the page needs.
    from calibration.session import Calibration
    from tiletally.calibrating_steps import calibrated_table
    from tiletally.live import CameraTable
    from tiletally.profiled import faults_of_picture
    from vision.cameras.sources import find_source, open_camera

    found = source or find_source()
    problem = _told_finding(found, args.fallback) if source is None else ""
    if found is None and args.fallback == BY_HAND:
        setup.give_up("none")
        return None
    used = found or parse_source(args.fallback)
    make = partial(
        CameraTable,
        session,
        open_camera(used, args.speed),
        source=str(used),
        photos=args.data / PHOTOS,
        check_aim=faults_of_picture,
        is_substitute=found is None and used.kind == "phone",
        problem=problem if found is None and used.kind == "phone" else "",
        was_restarted=is_restart,
    )
    if used.kind == "demo":
        setup.give_up("demo")
        return make()
    calibration = Calibration(args.data, str(used), args.place)
    if calibration.message:
        _say(calibration.message)
    return calibrated_table(session, calibration, make, setup)


def _told_finding(found: Source | None, fallback: str) -> str:
    """Say which camera was found, and return what kept a camera module from being found."""
    from vision.cameras.picamera_library import library_problem

    _say(f"Camera: {found or f'{fallback}, because none was found'}")
    is_module = found is not None and found.kind == "picamera"
    problem = "" if is_module else library_problem()
    if problem:
        _say(f"Camera module: {problem}")
    return problem


def _source(camera: str | None) -> Source | None:
    """The camera that was asked for, or None to look for one."""
    try:
        return parse_source(camera) if camera else None
    except SourceError as error:
        raise UserError(f"{error}.") from error


def _until_told() -> threading.Event:
    """An event that is set by SIGTERM and Ctrl-C."""
    ended = threading.Event()

    def end(number: int, frame: FrameType | None) -> None:
        ended.set()

    signal.signal(signal.SIGTERM, end)
    signal.signal(signal.SIGINT, end)
    return ended


def _address(args: argparse.Namespace) -> str:
    host = args.host
    if host in EVERYWHERE:
        host = home_address() or "localhost"
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
