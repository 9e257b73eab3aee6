"""Pictures of every view, on every device, light and dark, in every language.

`make screenshots` writes them to the folder `screenshots`. The game shown is one of the simulated
table, read by the real pipeline.
"""

from __future__ import annotations

import argparse
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from playwright.sync_api import Browser, Page, sync_playwright

from calibration.arrangement import suggested
from tests.conftest import CHROMIUM, FLAGS
from tests.webui.conftest import PHONE, TABLET, TV, UPRIGHT, lay
from tests.webui.family_camera import CANDLE, FamilyCamera, picture_of
from tests.webui.test_demo_game import PausingTable
from tiletally.live import CameraTable
from tiletally.session import Session, Ticket, pending_json
from tiletally.web_server import WebServer
from webui import create_app
from webui.locales import LANGUAGES

SIZES = (TABLET, UPRIGHT, PHONE, TV)
VIEWS = ("score", "board", "unseen", "camera", "result", "archive", "start", "settings")
TURNS = 14
Look = tuple[str, str, tuple[int, int]]
"""Language, theme and size."""
PLAYERS = (("Anna", "red"), ("Ben", "blue"), ("Carla", "green"))


def main() -> int:
    """Take the pictures."""
    parser = argparse.ArgumentParser(description=main.__doc__)
    parser.add_argument("folder", type=Path, nargs="?", default=Path("screenshots"))
    parser.add_argument("--languages", default=",".join(LANGUAGES))
    args = parser.parse_args()
    if CHROMIUM is None:
        sys.stderr.write("Chromium is missing (Debian: apt install chromium)\n")
        return 1
    args.folder.mkdir(exist_ok=True)
    with (
        shown_game() as (url, session),
        shown_setup() as setup_url,
        sync_playwright() as playwright,
    ):
        browser = playwright.chromium.launch(executable_path=CHROMIUM, args=FLAGS)
        for language in args.languages.split(","):
            for theme in ("light", "dark"):
                for size in SIZES:
                    look = (language, theme, size)
                    take(browser, url, session, args.folder, look)
                    take_setup(browser, setup_url, args.folder, look)
        browser.close()
    return 0


@contextmanager
def shown_game() -> Iterator[tuple[str, Session]]:
    """A family with a finished game and one that is going on."""
    with tempfile.TemporaryDirectory() as folder:
        session = Session.open(Path(folder))
        players = [{"name": name, "colour": colour} for name, colour in PLAYERS]
        session.new_game({"rules": "classic", "players": players[:2]})
        lay(session, "Ro@0,0 Rs@1,0 Rd@2,0", "Rc@3,0 R4@4,0 R8@5,0", "Bs@1,1 Gs@1,2")
        session.command("end", {"player": 0}, Ticket())
        table = PausingTable(seed=7)
        live = CameraTable(session, table, source="demo")
        session.attach(live)
        session.new_game({"rules": "flex", "players": players})
        live.start()
        _until(lambda: len(session.state()["turns"]) >= TURNS, table)
        server = WebServer(create_app(session, lambda: "http://192.168.1.20:8000"), "127.0.0.1", 0)
        server.start()
        yield f"http://127.0.0.1:{server.port}", session
        session.let_go()
        server.stop()
        session.close()


@contextmanager
def shown_setup() -> Iterator[str]:
    """A family that shows its tiles by candlelight."""
    with tempfile.TemporaryDirectory() as folder:
        session = Session.open(Path(folder))
        camera = FamilyCamera.watching(session, Path(folder))
        camera.shows(picture_of(suggested("classic"), CANDLE))
        server = WebServer(create_app(session, camera_setup=camera.setup), "127.0.0.1", 0)
        server.start()
        yield f"http://127.0.0.1:{server.port}"
        session.let_go()
        server.stop()
        session.close()


def _until(is_true: Callable[[], bool], table: PausingTable) -> None:
    table.plays.set()
    while not is_true():
        time.sleep(0.05)
    table.stop()


def take(
    browser: Browser,
    url: str,
    session: Session,
    folder: Path,
    look: Look,
) -> None:
    """All pictures of one device in one look."""
    with _device(browser, f"{url}/#/score", folder, look) as (page, shoot):
        for view in VIEWS:
            page.evaluate(f"location.hash = '#/{view}'")
            page.wait_for_selector(f"main.view-{view}")
            shoot(view)
        _sheets(page, shoot)
        _moments(page, session, shoot)


@contextmanager
def _device(
    browser: Browser, address: str, folder: Path, look: Look
) -> Iterator[tuple[Page, Callable[[str], None]]]:
    """A page on a device, and what takes a picture of it."""
    language, theme, (width, height) = look
    context = browser.new_context(
        viewport={"width": width, "height": height},
        locale=language,
        has_touch=True,
        color_scheme="dark" if theme == "dark" else "light",
    )
    page = context.new_page()
    page.goto(address)
    page.wait_for_selector(".view")

    def shoot(name: str) -> None:
        page.wait_for_timeout(600)
        page.screenshot(path=folder / f"{name}-{width}x{height}-{theme}-{language}.png")

    yield page, shoot
    context.close()


def take_setup(browser: Browser, url: str, folder: Path, look: Look) -> None:
    """The set-up of the camera: before, after the tiles were shown, and its end."""
    with _device(browser, f"{url}/#/setup", folder, look) as (page, shoot):
        page.wait_for_selector(".aim .findings li")
        shoot("setup")
        page.locator(".my-tiles .buttons .primary").tap()
        page.wait_for_selector(".my-tiles .findings li")
        page.locator(".my-tiles .findings").scroll_into_view_if_needed()
        shoot("setup-learned")
        page.locator(".lens summary").tap()
        page.locator(".known").scroll_into_view_if_needed()
        shoot("setup-known")
        page.locator(".my-tiles .buttons button").last.tap()
        page.wait_for_function("() => !document.querySelector('.my-tiles .known-mark')")


def _sheets(page: Page, shoot: Callable[[str], None]) -> None:
    """What slides over the page."""
    page.evaluate("location.hash = '#/board'")
    page.wait_for_selector("[data-cell]")
    page.locator("[data-cell].new").first.tap()
    page.wait_for_selector(".likely .tile-button")
    shoot("sheet-tile")
    page.keyboard.press("Escape")
    page.evaluate("location.hash = '#/score'")
    page.wait_for_selector(".controls")
    page.locator(".controls button").last.tap()
    shoot("sheet-other")
    page.keyboard.press("Escape")


def _moments(page: Page, session: Session, shoot: Callable[[str], None]) -> None:
    """A move that is pending, one that is against the rules, and a question."""
    current = session.current()
    assert current is not None
    before = session.state()
    shown = {key: before[key] for key in ("pending", "illegal", "questions", "camera", "border")}
    last = current.game.turns[-1].placed
    moved = [placed._replace(cell=(placed.cell[0], placed.cell[1] + 1)) for placed in last]
    choices = [{**each, "colour": colour} for each in before["last_turn"]["placed"][:1]
               for colour in ("red", "orange")]  # fmt: skip
    pending = {**pending_json(current.game, last), "legal": True, "violations": [], "held": False}
    countdown = {"left_s": 4.5, "of_s": 6.0}
    question = {"id": "1", "code": "which_tile", "cell": [0, 0], "choices": choices}
    moments: dict[str, dict[str, Any]] = {
        "moment-pending": {"pending": {**pending, "points": 12, "countdown": countdown}},
        "moment-illegal": {"pending": None, "illegal": pending_json(current.game, moved)},
        "moment-question": {"questions": [question]},
    }
    for name, part in moments.items():
        session.show({**shown, **part})
        shoot(name)
    session.show(shown)


if __name__ == "__main__":
    sys.exit(main())
