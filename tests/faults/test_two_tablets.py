"""Two tablets tap at once, or a tablet sends again what was done already: it counts once."""

from __future__ import annotations

import http.client
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import pytest
from playwright.sync_api import expect

from scorer.journal import JournalReader
from tests.faults.conftest import OpenTablet
from tests.faults.cutting import CuttingNetwork
from tests.faults.running import Device, Scorekeeper, wait_until
from tests.webui.conftest import tiles
from tests.webui.family import Person

GAME = {"rules": "classic", "players": ["Anna", "Ben"]}
Tap = tuple[str, dict[str, Any]]
TAPS: dict[str, Tap] = {
    "correction": ("/api/turns/1", {"points": 9}),
    "undo": ("/api/turn/undo", {}),
    "done": ("/api/turn/done", {}),
    "exchange": ("/api/turn/exchange", {"count": 1}),
    "removal": ("/api/turns/1/remove", {}),
}


@pytest.fixture(scope="module")
def process(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Scorekeeper]:
    with Scorekeeper(tmp_path_factory.mktemp("two") / "data") as scorekeeper:
        scorekeeper.wait_for_page()
        yield scorekeeper


@pytest.fixture
def scorekeeper(process: Scorekeeper) -> Scorekeeper:
    """A new game of one turn, and a second one on the table."""
    device = Device(process.url)
    assert device.post("/api/games", GAME).is_done
    assert device.post("/api/turn/points", {"points": 5, "tiles": 2}).is_done
    assert device.post("/api/turn/place", {"placed": tiles("Ro@0,0 Rs@1,0")}).is_done
    return process


def events(scorekeeper: Scorekeeper) -> int:
    """How many events are in the journal, over all games."""
    with JournalReader.open(scorekeeper.data) as journal:
        return sum(len(journal.events(game.id)) for game in journal.games())


@pytest.mark.parametrize("tap", TAPS)
def test_two_tablets_tap_the_same_at_once(scorekeeper: Scorekeeper, tap: str) -> None:
    path, params = TAPS[tap]
    game = Device(scorekeeper.url).state()["game"]
    before = events(scorekeeper)
    body = {**params, "game": game["id"], "seq": game["seq"]}

    def send(name: str) -> tuple[int, dict[str, Any]]:
        answer = Device(scorekeeper.url).post(path, {**body, "command": f"{name}-{tap}"})
        return answer.status, answer.json

    with ThreadPoolExecutor(2) as tablets:
        answers = sorted(tablets.map(send, ("left", "right")), key=lambda answer: answer[0])
    assert [status for status, _ in answers] == [200, 409]
    refusal = answers[1][1]
    assert refusal["code"] == "stale"
    assert refusal["state"]["game"]["seq"] == answers[0][1]["game"]["seq"]
    assert events(scorekeeper) == before + 1


AGAIN: dict[str, Tap] = {
    **TAPS,
    "place": ("/api/turn/place", {"placed": tiles("Go@0,0")}),
    "new game": ("/api/games", GAME),
    "rematch": ("/api/rematch", {}),
    "settings": ("/api/settings", {"show_unseen": False}),
    "resume": ("/api/games/1/resume", {}),
    "forget": ("/api/players/forget", {"name": "Ben"}),
}
WITHOUT_ID = ("settings", "resume", "forget")
"""Wishes that come to the same however often they are sent."""


@pytest.mark.parametrize("tap", AGAIN)
def test_an_answer_that_was_lost_is_fetched_by_sending_again(
    scorekeeper: Scorekeeper, tap: str
) -> None:
    path, params = AGAIN[tap]
    game = Device(scorekeeper.url).state()["game"]
    ticket = {"game": game["id"], "seq": game["seq"]} if tap in TAPS else {}
    identity = {} if tap in WITHOUT_ID else {"command": f"once-{game['id']}"}
    with CuttingNetwork(scorekeeper.port) as network:
        network.cuts = 1
        device = Device(network.url)
        with pytest.raises((OSError, http.client.HTTPException)):
            device.post(path, {**params, **ticket, **identity})
        assert network.lost == 1
        after = events(scorekeeper), {**Device(scorekeeper.url).state(), "version": ""}
        assert device.post(path, {**params, **ticket, **identity}).is_done
        assert after == (events(scorekeeper), {**device.state(), "version": ""})


@pytest.mark.parametrize("passed", [0, 800], ids=["no answer", "half an answer"])
def test_a_tablet_sends_again_by_itself_until_it_knows(
    scorekeeper: Scorekeeper, open_tablet: OpenTablet, passed: int
) -> None:
    before = events(scorekeeper)
    with CuttingNetwork(scorekeeper.port) as network:
        page = open_tablet(network.url)
        network.cuts, network.passed = 2, passed
        page.get_by_role("button", name="Done").dblclick()
        expect(page.locator(".panel.last .points")).to_have_text("+2")
        expect(page.locator(".number").nth(1)).to_have_text("2")
        # The stream may bring the new state before the answer is even on its way.
        wait_until(lambda: network.lost == 2, "both answers are lost")
    assert events(scorekeeper) == before + 1


def test_a_turn_that_others_changed_while_it_was_being_mended_is_not_mended_by_mistake(
    scorekeeper: Scorekeeper, open_tablet: OpenTablet
) -> None:
    device = Device(scorekeeper.url)
    assert device.post("/api/turn/done").is_done
    page = open_tablet(f"{scorekeeper.url}/#/board")
    Person(page).tap("Change this turn")
    expect(page.locator("#sheet-title")).to_have_text("Turn 2")
    Person(page).tap("One point more")
    assert device.post("/api/turns/1/insert", {"count": 1, "player": 1}).is_done
    expect(page.locator("#sheet")).to_be_hidden()
    expect(page.locator("#toast")).to_contain_text("Somebody was faster")
