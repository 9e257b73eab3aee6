"""A tablet sleeps, loses its network, or the scorekeeper stands still or is started again."""

from __future__ import annotations

import signal
from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Page, expect

from tests.faults.conftest import BLANK, OpenTablet
from tests.faults.running import Device, Scorekeeper
from tests.webui.family import Person

GAME = {"rules": "classic", "players": ["Anna", "Ben"]}
A_WHILE_MS = 20_000


@pytest.fixture
def scorekeeper(tmp_path: Path) -> Iterator[Scorekeeper]:
    """A game of one turn."""
    with Scorekeeper(tmp_path / "data") as scorekeeper:
        scorekeeper.wait_for_page()
        assert Device(scorekeeper.url).post("/api/games", GAME).is_done
        play(scorekeeper.url, 5)
        yield scorekeeper


def play(url: str, points: int) -> None:
    assert Device(url).post("/api/turn/points", {"points": points, "tiles": 2}).is_done


def is_lost(page: Page) -> None:
    expect(page.locator("#status .alert")).to_contain_text("Connection lost", timeout=30_000)


def is_live(page: Page, *scores: int) -> None:
    for seat, score in enumerate(scores):
        expect(page.locator(".number").nth(seat)).to_have_text(str(score), timeout=30_000)
    expect(page.locator("#status .alert")).to_have_count(0, timeout=30_000)


def test_without_its_network_a_tablet_says_so_and_then_catches_up(
    scorekeeper: Scorekeeper, open_tablet: OpenTablet
) -> None:
    page = open_tablet(scorekeeper.url)
    is_live(page, 5, 0)
    page.context.set_offline(True)
    is_lost(page)
    play(scorekeeper.url, 7)
    page.context.set_offline(False)
    is_live(page, 5, 7)


def test_a_scorekeeper_that_stands_still_is_noticed_although_the_line_is_open(
    scorekeeper: Scorekeeper, open_tablet: OpenTablet
) -> None:
    page = open_tablet(BLANK)
    page.clock.install()
    page.goto(scorekeeper.url)
    is_live(page, 5, 0)
    scorekeeper.process.send_signal(signal.SIGSTOP)
    page.clock.run_for(A_WHILE_MS)
    is_lost(page)
    scorekeeper.process.send_signal(signal.SIGCONT)
    play(scorekeeper.url, 7)
    page.clock.run_for(A_WHILE_MS)
    is_live(page, 5, 7)


def test_a_tap_on_an_old_state_shows_the_newer_one_and_says_so(
    scorekeeper: Scorekeeper, open_tablet: OpenTablet
) -> None:
    page = open_tablet(scorekeeper.url)
    is_live(page, 5, 0)
    for path in ("**/api/events*", "**/api/state"):
        page.route(path, lambda route: route.abort())
    page.evaluate("dispatchEvent(new Event('online'))")
    is_lost(page)
    play(scorekeeper.url, 7)
    Person(page).tap("Undo")
    expect(page.locator("#toast")).to_contain_text("Somebody was faster")
    expect(page.locator(".number").nth(1)).to_have_text("7")
    assert len(Device(scorekeeper.url).state()["turns"]) == 2


def opened_correction(page: Page) -> Person:
    person = Person(page)
    person.tap("Change this turn")
    person.tap("One point more")
    expect(page.locator("#sheet .entry")).to_have_text("6")
    return person


@pytest.mark.parametrize("is_newer", [False, True], ids=["as it was", "gone on meanwhile"])
def test_started_again_in_the_middle_of_a_correction(
    scorekeeper: Scorekeeper, open_tablet: OpenTablet, is_newer: bool
) -> None:
    page = open_tablet(f"{scorekeeper.url}/#/board")
    person = opened_correction(page)
    scorekeeper.kill()
    is_lost(page)
    with Scorekeeper(scorekeeper.data, port=scorekeeper.port) as again:
        again.wait_for_page()
        if is_newer:
            assert Device(again.url).post("/api/turn/undo").is_done
            expect(page.locator("#sheet")).to_be_hidden()
            expect(page.locator("#toast")).to_contain_text("Somebody was faster")
        else:
            person.tap("Set")
            expect(page.locator("#main")).to_contain_text("+6")
        page.goto(f"{again.url}/#/score")
        is_live(page, 0 if is_newer else 6, 0)
        assert len(Device(again.url).state()["turns"]) == (0 if is_newer else 1)


def test_a_correction_confirmed_while_the_scorekeeper_is_away_is_made_when_it_is_back(
    scorekeeper: Scorekeeper, open_tablet: OpenTablet
) -> None:
    page = open_tablet(f"{scorekeeper.url}/#/board")
    person = opened_correction(page)
    scorekeeper.kill()
    person.tap("Set")
    with Scorekeeper(scorekeeper.data, port=scorekeeper.port) as again:
        again.wait_for_page()
        expect(page.locator("#main")).to_contain_text("+6", timeout=30_000)
        assert Device(again.url).state()["players"][0]["score"] == 6


def test_a_correction_that_never_gets_through_is_not_lost_silently(
    scorekeeper: Scorekeeper, open_tablet: OpenTablet
) -> None:
    page = open_tablet(f"{scorekeeper.url}/#/board")
    person = opened_correction(page)
    scorekeeper.kill()
    person.tap("Set")
    expect(page.locator("#toast")).to_contain_text("It was not counted", timeout=30_000)
