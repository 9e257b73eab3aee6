"""Every view on every device: nothing cut off, nothing too small to tap, nothing inaccessible."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Page

from tests.webui.conftest import PHONE, TABLET, TV, UPRIGHT, OpenPage, lay, tiles
from tests.webui.family import Person
from tiletally.session import Session, Ticket

AXE = Path(__file__).parent / "vendor" / "axe.min.js"
VIEWS = ("score", "board", "unseen", "camera", "result", "archive", "start", "settings")
INSIDE = ("setup",)
"""Reached from other views; `test_setup_page` looks at it with a camera."""
SIZES = {"phone": PHONE, "tablet": TABLET, "upright": UPRIGHT, "tv": TV}
NAMES = ["Maximiliane-Theodora", "Ben", "Carla"]

MEASURE = (Path(__file__).parent / "measure.js").read_text(encoding="utf-8")


@pytest.fixture
def game(session: Session) -> Session:
    """A finished game in the archive and one that is going on, with long names and large scores."""
    session.new_game({"rules": "classic", "players": NAMES[:2]})
    lay(session, "Ro@0,0 Rs@1,0 Rd@2,0", "Rc@3,0 R4@4,0 R8@5,0")
    session.command("end", {"player": 1}, Ticket())
    late = {"scores": [188, 97, 204]}
    session.new_game({"rules": "flex", "players": NAMES, "late": late})
    lay(session, "Ro@0,0 Rs+@1,0 Rd/@2,0", "Rc@3,0 R4+@4,0 R8/@5,0", "Bs+@1,1 Gs@1,2", "Yd@2,-1")
    session.command("place", {"placed": tiles("Go+@0,2 Gd@2,2")}, Ticket())
    return session


def settled(page: Page) -> None:
    """Wait until what is fetched later is there too."""
    page.wait_for_function("() => !document.querySelector('.view')?.textContent.includes('…')")


@pytest.mark.parametrize("size", SIZES)
@pytest.mark.parametrize("language", ["de", "fr"])
def test_nothing_is_cut_off_or_too_small(
    open_page: OpenPage, game: Session, size: str, language: str
) -> None:
    page = open_page("score", SIZES[size], language)
    found = {}
    for view in (*VIEWS, *INSIDE):
        page.evaluate(f"location.hash = '#/{view}'")
        page.wait_for_selector(f"main.view-{view}")
        page.wait_for_timeout(120)
        found[view] = page.evaluate(MEASURE)
    assert {view: problems for view, problems in found.items() if problems} == {}


def violations(page: Page) -> list[str]:
    page.evaluate(AXE.read_text(encoding="utf-8"))
    report: dict[str, Any] = page.evaluate(
        "() => axe.run(document, { resultTypes: ['violations'] })"
    )
    return [
        f"{each['id']}: {node['html'][:120]} {node.get('failureSummary', '')[:200]}"
        for each in report["violations"]
        for node in each["nodes"]
    ]


@pytest.mark.parametrize("theme", ["light", "dark"])
def test_axe_finds_nothing(open_page: OpenPage, game: Session, theme: str) -> None:
    page = open_page("score", TABLET, "en", theme)
    found = {}
    for view in (*VIEWS, *INSIDE):
        page.evaluate(f"location.hash = '#/{view}'")
        page.wait_for_selector(f"main.view-{view}")
        page.wait_for_timeout(150)
        found[view] = violations(page)
    assert {view: problems for view, problems in found.items() if problems} == {}


def test_axe_finds_nothing_in_the_sheets(open_page: OpenPage, game: Session) -> None:
    page = open_page("board", PHONE)
    person = Person(page)
    person.cell((0, 0)).tap()
    page.wait_for_selector(".likely .tile-button")
    found = violations(page) + page.evaluate(MEASURE)
    person.tap("Close")
    page.get_by_role("button", name="Ben").first.tap()
    person.tap("Change this turn")
    found += violations(page) + page.evaluate(MEASURE)
    person.tap("Close")
    person.go("Score")
    for name in ("Exchange", "Other"):
        person.tap(name)
        found += violations(page) + page.evaluate(MEASURE)
        person.tap("Close")
    assert found == []


def test_every_view_is_two_taps_from_the_score(open_page: OpenPage, game: Session) -> None:
    page = open_page("score", PHONE)
    for view in VIEWS[1:]:
        page.get_by_role("navigation").get_by_role("link", name="Score").tap()
        link = page.locator(f'#nav a[href="#/{view}"]')
        if not link.is_visible():
            page.get_by_role("button", name="More").tap()
            link = page.locator(f'dialog a[href="#/{view}"]')
        link.tap()
        page.wait_for_selector(f"main.view-{view}")


def test_the_keyboard_goes_from_tile_to_tile(open_page: OpenPage, game: Session) -> None:
    page = open_page("board")
    page.locator('[data-cell="0,0"]').focus()
    page.keyboard.press("ArrowRight")
    assert page.evaluate("document.activeElement.dataset.cell") == "1,0"
    page.keyboard.press("ArrowDown")
    assert page.evaluate("document.activeElement.dataset.cell") == "1,1"
    page.keyboard.press("Enter")
    page.wait_for_selector("dialog[open]")
    page.keyboard.press("Escape")
    assert not page.locator("dialog").is_visible()


def test_empty_places_let_the_table_shine_through(open_page: OpenPage, game: Session) -> None:
    page = open_page("board")
    fills = page.locator(".hit").evaluate_all("all => all.map((e) => getComputedStyle(e).fill)")
    assert set(fills) == {"rgba(0, 0, 0, 0)"}


def test_a_new_turn_is_read_out(open_page: OpenPage, game: Session) -> None:
    page = open_page("score")
    page.wait_for_selector(".panel.pending")
    game.command("done", {}, Ticket())
    page.wait_for_function("() => announcer.textContent.includes('points')")


def test_a_script_in_a_name_is_only_a_name(open_page: OpenPage, session: Session) -> None:
    name = "<b onclick=x>Eve</b>"
    session.new_game({"rules": "classic", "players": [name, "Ben"]})
    page = open_page("score")
    assert page.locator(".card .name").first.inner_text() == name
    assert page.locator(".card b").count() == 0
