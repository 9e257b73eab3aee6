"""Devices that lose the connection, find it again, and tap at the same time."""

from __future__ import annotations

import statistics
import time

from flask import Flask
from playwright.sync_api import expect

from tests.webui.conftest import OpenPage, lay, tiles
from tests.webui.family import Person
from tiletally.session import Session, Ticket
from tiletally.web_server import WebServer
from webui import create_app

GAME = {"rules": "classic", "players": ["Anna", "Ben"]}
FIRST_LOAD_BYTES = 300_000


def test_the_state_is_found_again_after_the_network_was_gone(
    open_page: OpenPage, session: Session
) -> None:
    session.new_game(GAME)
    page = open_page("score")
    expect(page.locator(".card")).to_have_count(2)
    page.context.set_offline(True)
    expect(page.locator("#status .alert")).to_be_visible()
    lay(session, "Ro@0,0 Rs@1,0 Rd@2,0")
    page.context.set_offline(False)
    expect(page.locator(".number").first).to_have_text("3")
    expect(page.locator("#status .alert")).to_have_count(0)


def test_the_state_is_found_again_after_the_server_was_gone(
    open_page: OpenPage, session: Session, app: Flask, url: str
) -> None:
    session.new_game(GAME)
    page = open_page("score")
    expect(page.locator(".card")).to_have_count(2)
    old = page.evaluate("fetch('/api/state').then((a) => a.json()).then((s) => s.version)")
    page.route("**/api/events*", lambda route: route.abort())
    page.evaluate("dispatchEvent(new Event('online'))")
    expect(page.locator("#status .alert")).to_be_visible()
    lay(session, "Ro@0,0 Rs@1,0")
    page.unroute("**/api/events*")
    expect(page.locator(".number").first).to_have_text("2")
    assert old != session.version


def test_a_tap_during_a_short_break_counts_once(open_page: OpenPage, session: Session) -> None:
    session.new_game(GAME)
    lay(session, "Ro@0,0 Rs@1,0")
    page = open_page("score")
    person = Person(page)
    person.tap("Exchange")
    page.context.set_offline(True)
    page.locator(".counts button").nth(1).tap()
    page.wait_for_timeout(300)
    page.context.set_offline(False)
    expect(page.locator(".panel.last")).to_contain_text("exchanged 2 tiles")
    assert len(session.state()["turns"]) == 2


def test_two_tablets_tapping_at_once_undo_one_turn(open_page: OpenPage, session: Session) -> None:
    session.new_game(GAME)
    lay(session, "Ro@0,0 Rs@1,0", "Rd@2,0")
    pages = [open_page("score"), open_page("score")]
    body = {"game": 1, "seq": 3}
    answers = [
        page.evaluate(
            """(body) => fetch('/api/turn/undo', {method: 'POST', body: JSON.stringify(body),
            headers: {'Content-Type': 'application/json'}}).then((answer) => answer.status)""",
            body,
        )
        for page in pages
    ]
    assert sorted(answers) == [200, 409]
    for page in pages:
        expect(page.locator(".number").nth(1)).to_have_text("0")


def test_a_double_tap_on_done_counts_once(open_page: OpenPage, session: Session) -> None:
    session.new_game(GAME)
    session.command("place", {"placed": tiles("Ro@0,0 Rs@1,0")}, Ticket())
    page = open_page("score")
    page.get_by_role("button", name="Done").dblclick()
    expect(page.locator(".panel.last .points")).to_have_text("+2")
    assert len(session.state()["turns"]) == 1


def test_a_change_is_on_eight_screens_at_once(open_page: OpenPage, session: Session) -> None:
    session.new_game(GAME)
    pages = [open_page("score") for _ in range(8)]
    shown = """(wanted) => new Promise((resolve) => {
        const look = () => document.querySelector('.number').textContent === wanted
            ? resolve(performance.timeOrigin + performance.now()) : requestAnimationFrame(look);
        look();
    })"""
    delays = []
    for step, page in enumerate(pages, start=1):
        page.evaluate(f"void (window.seen = ({shown})('{step}'))")
        at = time.time() * 1000
        session.command("adjust", {"player": 0, "points": 1}, Ticket())
        delays.append(page.evaluate("window.seen") - at)
    assert statistics.median(delays) < 100, delays


def test_the_first_load_is_small_and_from_here(
    open_page: OpenPage, session: Session, url: str
) -> None:
    session.new_game(GAME)
    page = open_page("score")
    page.wait_for_selector(".card")
    loaded = page.evaluate(
        """() => ['navigation', 'resource'].flatMap((kind) => performance.getEntriesByType(kind))
            .map(({ name, transferSize }) => ({ origin: new URL(name).origin, transferSize }))"""
    )
    assert sum(each["transferSize"] for each in loaded) < FIRST_LOAD_BYTES
    assert {each["origin"] for each in loaded} == {url}


def test_the_server_ends_within_two_seconds_with_open_streams(
    open_page: OpenPage, session: Session
) -> None:
    session.new_game(GAME)
    server = WebServer(create_app(session), "127.0.0.1", 0)
    server.start()
    page = open_page("score")
    page.goto(f"http://127.0.0.1:{server.port}/")
    page.wait_for_selector(".card")
    begun = time.monotonic()
    session.let_go()
    server.stop()
    assert time.monotonic() - begun < 2
