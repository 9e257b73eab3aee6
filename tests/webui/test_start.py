"""A new game: remembered people, their order, late starts, expansions."""

from __future__ import annotations

from playwright.sync_api import expect

from tests.webui.conftest import PHONE, OpenPage, lay
from tests.webui.family import Person
from tiletally.session import Session, Ticket


def test_a_family_that_played_yesterday_starts_with_one_tap(
    open_page: OpenPage, session: Session
) -> None:
    session.new_game({"rules": "flex", "players": ["Anna", "Ben"]})
    lay(session, "Ro@0,0 Rs+@1,0")
    session.command("end", {}, Ticket())
    page = open_page("start", PHONE)
    expect(page.locator(".seat-name")).to_have_text(["Anna", "Ben"])
    Person(page).tap("Start the game")
    page.wait_for_selector(".board-view")
    state = session.state()
    assert (state["game"]["id"], state["game"]["rules"], state["next_player"]) == (2, "flex", 1)


def test_order_colour_and_beginner_are_chosen_by_taps(
    open_page: OpenPage, session: Session
) -> None:
    page = open_page("start")
    person = Person(page)
    for name in ("Anna", "Ben", "Carla"):
        page.get_by_label("Another name").fill(name)
        page.keyboard.press("Enter")
    person.tap("Carla sits earlier")
    expect(page.locator(".seat-name")).to_have_text(["Anna", "Carla", "Ben"])
    person.tap("Ben does not play")
    person.tap("Change the colour of Anna")
    page.locator(".starter").get_by_role("button", name="Carla").tap()
    person.tap("Start the game")
    page.wait_for_selector(".board-view")
    state = session.state()
    assert [player["name"] for player in state["players"]] == ["Anna", "Carla"]
    assert (state["players"][0]["colour"], state["next_player"]) == ("amber", 1)


def test_a_player_is_dragged_to_another_seat(open_page: OpenPage, session: Session) -> None:
    page = open_page("start")
    for name in ("Anna", "Ben", "Carla"):
        page.get_by_label("Another name").fill(name)
        page.keyboard.press("Enter")
    page.locator(".handle").last.scroll_into_view_if_needed()
    start = page.locator(".handle").last.bounding_box()
    goal = page.locator(".seat").first.bounding_box()
    assert start
    assert goal
    page.mouse.move(start["x"] + 20, start["y"] + 20)
    page.mouse.down()
    page.mouse.move(start["x"] + 20, goal["y"] + 20, steps=6)
    page.mouse.up()
    expect(page.locator(".seat-name")).to_have_text(["Carla", "Anna", "Ben"])


def test_a_late_start_with_expansions(open_page: OpenPage, session: Session) -> None:
    page = open_page("start")
    person = Person(page)
    page.get_by_text("Expansions, editions, late start").tap()
    page.get_by_label("Expansion 2").check()
    page.get_by_label("The game is already going on").check()
    for name in ("Anna", "Ben"):
        page.get_by_label("Another name").fill(name)
        page.keyboard.press("Enter")
    page.get_by_label("Points of Ben so far").fill("31")
    person.tap("Start the game")
    page.wait_for_selector(".board-view")
    person.go("Score")
    assert person.scores() == {"Anna": 0, "Ben": 31}
    person.tap("Other")
    page.locator("dialog").get_by_role("button", name="Double turn").tap()
    expect(page.locator(".own-actions").first).to_contain_text("1 action tile")
    person.tap("Other")
    page.locator("dialog").get_by_role("button", name="Double turn").first.tap()
    expect(page.locator(".notices")).to_contain_text("Double turn")


def test_the_same_name_twice_is_refused(open_page: OpenPage) -> None:
    page = open_page("start")
    for _ in range(2):
        page.get_by_label("Another name").fill("Anna")
        page.keyboard.press("Enter")
    expect(page.locator("#toast")).to_contain_text("already there")
    expect(page.locator(".seat")).to_have_count(1)


def test_settings_hold_for_everybody_and_stay(open_page: OpenPage, session: Session) -> None:
    page, other = open_page("settings"), open_page("unseen")
    session.new_game({"rules": "classic", "players": ["Anna", "Ben"]})
    page.get_by_label("Show the unseen tiles").uncheck()
    expect(other.locator(".unseen-view")).to_contain_text("Hidden by your house rule")
    page.get_by_role("button", name="10 seconds").tap()
    page.wait_for_timeout(300)
    assert session.state()["settings"]["close_turn_after_s"] == 10


def test_the_language_can_be_changed(open_page: OpenPage) -> None:
    page = open_page("settings")
    page.get_by_role("button", name="Italiano").tap()
    expect(page.locator("h1")).to_have_text("Opzioni")
