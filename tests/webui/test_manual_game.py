"""A complete classic game in manual mode, by taps, from the first name to the podium."""

from __future__ import annotations

import csv
import io
import re
from itertools import pairwise

from playwright.sync_api import Page, expect

from scorer.events import GameStarted, TilesExchanged, TurnPassed, TurnPlayed
from scorer.game import Game
from tests.webui.conftest import OpenPage
from tests.webui.family import Person
from tests.webui.players import Hands, choose


def test_a_whole_game_by_taps(open_page: OpenPage) -> None:
    page = open_page("start")
    person = Person(page)
    person.start(["Anna", "Ben"])
    game = _play_to_the_end(person)
    assert len(game.turns) > 15
    totals = dict(zip(game.players, game.totals, strict=True))
    person.go("Score")
    assert person.scores() == totals
    person.go("Result")
    _podium_says(page, totals)
    _chart_says(page, totals)
    _csv_says(page, totals)


def _play_to_the_end(person: Person) -> Game:
    game = Game.start(GameStarted("classic", ("Anna", "Ben")))
    hands = Hands.deal(game, seed=5)
    while not game.is_over:
        player = game.next_player
        move = choose(game, hands.hands[player])
        if move:
            person.play(move)
            hands.play(player, move)
            game = game.apply(TurnPlayed(tuple(move)))
        elif game.bag:
            count = hands.exchange(player)
            _exchange(person, count)
            game = game.apply(TilesExchanged(count))
        else:
            _pass(person)
            game = game.apply(TurnPassed())
    return game


def _exchange(person: Person, count: int) -> None:
    person.go("Score")
    person.tap("Exchange")
    person.page.locator(".counts button").nth(count - 1).tap()
    person.go("Table")


def _pass(person: Person) -> None:
    person.go("Score")
    person.tap("Other")
    person.tap("Pass")
    person.go("Table")


def _podium_says(page: Page, totals: dict[str, int]) -> None:
    page.wait_for_selector(".podium")
    places = page.locator(".podium li").all()
    shown = {
        place.locator(".name").inner_text(): int(place.locator(".total").inner_text())
        for place in places
    }
    assert shown == totals
    scores = list(shown.values())
    assert all(one >= other for one, other in pairwise(scores))


def _chart_says(page: Page, totals: dict[str, int]) -> None:
    ends = page.locator(".course").evaluate_all("all => all.map((c) => Number(c.dataset.total))")
    assert ends == list(totals.values())


def _csv_says(page: Page, totals: dict[str, int]) -> None:
    with page.expect_download() as download:
        page.get_by_role("link", name="Save as CSV").tap()
    rows = list(csv.DictReader(io.StringIO(download.value.path().read_text(encoding="utf-8"))))
    last = {row["player"]: int(row["total"]) for row in rows}
    assert last == totals
    with page.expect_download() as picture:
        page.get_by_role("button", name="Save as image").tap()
    assert picture.value.path().read_bytes().startswith(b"\x89PNG")


def test_points_only_as_on_paper(open_page: OpenPage) -> None:
    page = open_page("start")
    person = Person(page)
    person.start(["Anna", "Ben"])
    person.go("Score")
    for points in ("12", "7"):
        person.tap("Other")
        person.tap("Points by hand")
        for digit in points:
            person.tap(digit)
        person.page.locator(".keypad").get_by_role("button", name="Done").tap()
        expect(page.locator("dialog")).not_to_be_visible()
    expect(page.locator(".panel.last .points")).to_have_text("+7")
    assert person.scores() == {"Anna": 12, "Ben": 7}


def test_a_correction_takes_two_taps_and_can_be_undone(open_page: OpenPage) -> None:
    page = open_page("start")
    person = Person(page)
    person.start(["Anna", "Ben"])
    hands = [("red circle", 0), ("red square", 1), ("red diamond", 2)]
    for name, x in hands:
        person.cell((x, 0)).tap()
        page.locator(".tile-grid").get_by_role("button", name=name, exact=True).tap()
        expect(person.cell((x, 0))).to_have_attribute("aria-label", name)
    person.tap("Done")
    expect(person.button("Done")).to_have_count(0)
    person.cell((2, 0)).tap()
    page.locator(".likely").get_by_role("button", name=re.compile("clover")).tap()
    expect(person.cell((2, 0))).to_have_attribute("aria-label", "red clover")
    person.tap("Undo")
    expect(person.cell((2, 0))).to_have_attribute("aria-label", "red diamond")
    person.tap("Redo")
    expect(person.cell((2, 0))).to_have_attribute("aria-label", "red clover")
    page.get_by_role("button", name="Change this turn").tap()
    page.get_by_role("button", name="Ben", exact=True).tap()
    person.go("Score")
    assert person.scores() == {"Anna": 0, "Ben": 3}


def test_an_illegal_move_is_explained_and_can_be_accepted(open_page: OpenPage) -> None:
    page = open_page("start")
    person = Person(page)
    person.start(["Anna", "Ben"])
    for name, x in [("red circle", 0), ("blue square", 1)]:
        person.cell((x, 0)).tap()
        page.locator(".tile-grid").get_by_role("button", name=name, exact=True).tap()
        expect(person.cell((x, 0))).to_have_attribute("aria-label", name)
    person.go("Score")
    expect(page.locator(".panel.wrong")).to_contain_text("do not go together")
    person.tap("Count it anyway: +2")
    expect(page.locator(".panel.last")).to_be_visible()
    assert person.scores() == {"Anna": 2, "Ben": 0}
