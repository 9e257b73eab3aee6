"""The simulated table followed on the page, through the real pipeline, and mended by taps."""

from __future__ import annotations

import csv
import io
import re
import threading
from collections.abc import Iterator

import pytest
from playwright.sync_api import Page, expect

from tests.webui.conftest import OpenPage
from tests.webui.family import Person
from tiletally.live import CameraTable
from tiletally.session import Session
from vision.cameras.base import Glance
from vision.cameras.demo import DemoTable

TURNS = 10
PATIENCE_MS = 90_000


class PausingTable(DemoTable):
    """A simulated table that plays as fast as it can, and stands still when told to."""

    def __init__(self, seed: int) -> None:
        super().__init__(seed, speed=None)
        self.plays = threading.Event()
        self.plays.set()
        self.stands = threading.Event()

    def glance(self) -> Glance:
        if not self.plays.is_set():
            self.stands.set()
            self.plays.wait()
            self.stands.clear()
        return super().glance()

    def stop(self) -> None:
        """Return when the step that is being made has been made."""
        self.plays.clear()
        assert self.stands.wait(60)

    def close(self) -> None:
        super().close()
        self.plays.set()


@pytest.fixture
def table() -> PausingTable:
    return PausingTable(seed=3)


@pytest.fixture
def live(session: Session, table: PausingTable) -> Iterator[CameraTable]:
    """What follows the table; left alone it would start a game of the simulated players."""
    live = CameraTable(session, table, source="demo")
    session.attach(live)
    yield live
    live.close()


def test_ten_turns_corrections_and_the_end(
    open_page: OpenPage, table: PausingTable, live: CameraTable
) -> None:
    page = open_page("start")
    person = Person(page)
    person.start(["Anna", "Ben"], "Qwirkle Flex Black")
    live.start()
    person.go("Table")
    followed = f"() => document.querySelectorAll('.turn-row').length >= {TURNS}"
    page.wait_for_function(followed, timeout=PATIENCE_MS)
    table.stop()
    person.go("Score")
    before = person.scores()
    assert min(before.values()) > 0
    _correct_undo_redo(person)
    person.go("Score")
    assert person.scores() != before
    person.tap("Undo")
    expect(page.locator(".number").first).to_have_text(str(before["Anna"]))
    _exchange(person)
    _end(person)
    totals = person.scores()
    assert sum(totals.values()) == sum(before.values()) + 6
    _result_says(person, totals)


def _correct_undo_redo(person: Person) -> None:
    """Take the first tile of the first turn away, take that back, and do it after all."""
    page = person.page
    person.go("Table")
    first_turn = page.locator(".turn-row").last
    first_turn.tap()
    expect(first_turn).to_have_attribute("aria-pressed", "true")
    tile = page.locator("[data-cell].new").first
    cell = tile.get_attribute("data-cell")
    label = tile.get_attribute("aria-label")
    tile.tap()
    page.get_by_role("button", name="No tile here").tap()
    gone = page.locator(f'[data-cell="{cell}"][aria-label="{label}"]')
    expect(gone).to_have_count(0)
    person.tap("Undo")
    expect(gone).to_have_count(1)
    person.tap("Redo")
    expect(gone).to_have_count(0)


def _exchange(person: Person) -> None:
    person.tap("Exchange")
    person.page.locator(".counts button").nth(1).tap()
    expect(person.page.locator(".panel.last")).to_contain_text("exchanged 2 tiles")


def _end(person: Person) -> None:
    person.tap("Other")
    person.page.get_by_role("button", name=re.compile("^Ben has no tiles left")).tap()
    expect(person.page.locator(".panel.over")).to_be_visible()


def _result_says(person: Person, totals: dict[str, int]) -> None:
    page = person.page
    person.go("Result")
    page.wait_for_selector(".podium")
    shown = {
        place.locator(".name").inner_text(): int(place.locator(".total").inner_text())
        for place in page.locator(".podium li").all()
    }
    assert shown == totals
    assert _chart_ends(page) == list(totals.values())
    with page.expect_download() as download:
        page.get_by_role("link", name="Save as CSV").tap()
    rows = csv.DictReader(io.StringIO(download.value.path().read_text(encoding="utf-8")))
    assert {row["player"]: int(row["total"]) for row in rows} == totals


def _chart_ends(page: Page) -> list[int]:
    ends: list[int] = page.locator(".course").evaluate_all(
        "all => all.map((course) => Number(course.dataset.total))"
    )
    return ends
