"""The PIN as a family meets it: two devices, one that knows it and one that does not."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from flask import Flask
from playwright.sync_api import Page, expect

from tests.webui.conftest import PHONE, TABLET, OpenPage, lay
from tests.webui.family import Person
from tests.webui.test_camera import Eye
from tests.webui.test_views import MEASURE, violations
from tiletally.session import Session
from webui import pin_tries
from webui.lock import Lock, Visitor
from webui.pin_file import remove_pin

PIN = "258046"
GAME = {"rules": "classic", "players": ["Anna", "Ben"]}


@pytest.fixture
def lock(app: Flask, tmp_path: Path) -> Lock:
    """The lock of the page, kept on the disk."""
    lock = Lock(tmp_path)
    app.extensions["tiletally_lock"] = lock
    return lock


@pytest.fixture
def locked(lock: Lock) -> Lock:
    lock.change("", PIN, Visitor("10.0.0.2"))
    return lock


def pad(page: Page) -> Person:
    expect(page.locator("#pin[open]")).to_be_visible()
    return Person(page)


def type_in(page: Page, digits: str) -> None:
    person = pad(page)
    for digit in digits:
        person.tap(digit)
    person.tap("OK")


def test_a_parent_sets_changes_and_removes_it(open_page: OpenPage, lock: Lock) -> None:
    page = open_page("settings", TABLET)
    person = Person(page)
    person.tap("Set a PIN")
    expect(person.button("OK")).to_be_disabled()
    type_in(page, PIN)
    expect(page.get_by_role("heading", name="The new PIN once more")).to_be_visible()
    type_in(page, "111111")
    expect(page.get_by_text("That was another one.")).to_be_visible()
    type_in(page, PIN)
    expect(page.get_by_text("A PIN is set, and this device may tap.")).to_be_visible()
    assert lock.is_set

    person.tap("Change the PIN")
    for digits in (PIN, "1379", "1379"):
        type_in(page, digits)
    expect(page.locator("#pin")).to_have_count(0)
    assert lock.enter("1379", Visitor("10.0.0.3"))

    person.tap("Lock this device")
    expect(page.get_by_role("button", name="Locked: enter the PIN")).to_be_visible()
    person.tap("Remove the PIN")
    type_in(page, "1379")
    expect(person.button("Set a PIN")).to_be_visible()
    expect(page.get_by_role("button", name="Locked: enter the PIN")).to_have_count(0)
    assert not lock.is_set


@pytest.fixture
def playing(session: Session) -> Session:
    """A game in which Anna has had her turn."""
    session.new_game(GAME)
    lay(session, "Ro@0,0 Rs@1,0")
    return session


def test_another_device_is_asked_once_and_then_does_what_was_tapped(
    open_page: OpenPage, playing: Session, locked: Lock
) -> None:
    page = open_page("score", PHONE)
    expect(page.get_by_role("button", name="Locked: enter the PIN")).to_be_visible()
    person = Person(page)
    person.tap("Undo")
    type_in(page, "1111")
    expect(page.get_by_text("That is not the PIN.")).to_be_visible()
    assert len(playing.state()["turns"]) == 1
    page.keyboard.type(PIN)
    page.keyboard.press("Enter")
    expect(page.locator("#pin")).to_have_count(0)
    expect(page.get_by_text("Tap a place on the table")).to_be_visible()
    assert playing.state()["turns"] == []
    person.go("Table")
    person.tap("Redo")
    expect(page.locator(".turn-row")).to_have_count(1)


def test_who_closes_the_sheet_changes_nothing_and_is_left_in_peace(
    open_page: OpenPage, playing: Session, locked: Lock
) -> None:
    page = open_page("score", TABLET)
    person = Person(page)
    person.tap("Undo")
    pad(page)
    page.keyboard.press("Escape")
    expect(page.locator("#toast")).to_contain_text("Locked: nothing was changed.")
    person.go("Table")
    expect(page.locator("#pin")).to_have_count(0)
    assert len(playing.state()["turns"]) == 1


def test_a_switch_that_was_not_set_does_not_look_set(open_page: OpenPage, locked: Lock) -> None:
    page = open_page("settings", TABLET)
    switch = page.get_by_label("Show the unseen tiles")
    switch.tap()
    pad(page)
    page.keyboard.press("Escape")
    expect(switch).to_be_checked()
    switch.tap()
    type_in(page, PIN)
    expect(switch).not_to_be_checked()


def test_what_lies_under_the_sheet_is_not_lost(
    open_page: OpenPage, playing: Session, locked: Lock
) -> None:
    page = open_page("board", TABLET)
    person = Person(page)
    person.cell((2, 0)).tap()
    page.locator(".tile-grid").get_by_role("button", name="red diamond", exact=True).tap()
    type_in(page, PIN)
    expect(person.cell((2, 0))).to_have_attribute("aria-label", "red diamond")


def test_who_guesses_has_to_wait_and_sees_how_long(
    open_page: OpenPage, locked: Lock, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(pin_tries, "FIRST_WAIT_S", 2.0)
    page = open_page("settings", PHONE)
    Person(page).tap("Enter the PIN")
    for digits in ("1111", "2222", "3333"):
        type_in(page, digits)
        expect(page.locator(".dot.full")).to_have_count(0)
    expect(page.locator(".pin-wait")).to_have_text(re.compile(r"Please wait \d+ seconds?\."))
    expect(Person(page).button("1")).to_be_disabled()
    page.locator(".pin-wait").wait_for(state="detached")
    type_in(page, PIN)
    expect(page.locator("#pin")).to_have_count(0)


def test_a_forgotten_pin_is_told_the_way_out_and_the_page_notices(
    open_page: OpenPage, playing: Session, locked: Lock, tmp_path: Path
) -> None:
    page = open_page("score", TABLET)
    person = Person(page)
    person.tap("Undo")
    pad(page)
    page.get_by_text("PIN forgotten?").tap()
    expect(page.get_by_text("tiletally pin --remove")).to_be_visible()
    remove_pin(tmp_path)
    person.tap("Close")
    person.tap("Undo")
    expect(page.get_by_text("Tap a place on the table")).to_be_visible()


def test_the_photos_are_for_those_who_know_it(
    open_page: OpenPage, playing: Session, locked: Lock
) -> None:
    playing.attach(Eye())
    page = open_page("camera", TABLET)
    expect(page.get_by_text("Only those who know the PIN see the picture.")).to_be_visible()
    expect(page.locator("#camera-image")).to_have_count(0)
    page.locator("main").get_by_role("button", name="Enter the PIN").tap()
    type_in(page, PIN)
    expect(page.locator("#camera-image")).to_be_visible()


@pytest.mark.parametrize(
    ("size", "language", "theme"),
    [
        (TABLET, "en", "light"),
        (PHONE, "de", "dark"),
        (PHONE, "fr", "light"),
        (TABLET, "it", "dark"),
    ],
    ids=["en", "de", "fr", "it"],
)
def test_everybody_can_see_and_reach_it(
    open_page: OpenPage, locked: Lock, size: tuple[int, int], language: str, theme: str
) -> None:
    page = open_page("settings", size, language, theme)
    page.wait_for_selector("#status .locked")
    found = violations(page) + page.evaluate(MEASURE)
    page.locator("#status .locked").tap()
    page.wait_for_selector("#pin[open]")
    for digits in ("1111", "2222", "3333"):
        page.keyboard.type(digits)
        page.keyboard.press("Enter")
        expect(page.locator(".pin-says span").first).not_to_be_empty()
        expect(page.locator(".dot.full")).to_have_count(0)
    page.wait_for_selector(".pin-wait")
    page.locator("#pin summary").tap()
    found += violations(page) + page.evaluate(MEASURE)
    assert found == []
