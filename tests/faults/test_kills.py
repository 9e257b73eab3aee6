"""A live game that is killed a few times; `make kills` does so a thousand times."""

from __future__ import annotations

import sqlite3
from collections.abc import Callable
from contextlib import closing
from pathlib import Path

import pytest

from scorer import rules
from scorer.journal import Journal
from scorer.journal_files import database_path
from tests.faults.kills import kills
from tests.faults.people import Person
from tests.faults.promises import Ledger
from tests.faults.running import Device, Scorekeeper
from tests.webui.conftest import tiles

KILLS = 5
GAME = {"rules": "flex", "players": ["Anna", "Ben"]}
POINTS = {"type": "points_entered", "points": 99, "player": None, "tiles": 1}


def test_nothing_that_was_acknowledged_is_lost_when_a_live_game_is_killed(tmp_path: Path) -> None:
    figures = kills(tmp_path / "data", KILLS, seed=3)
    assert figures.kills == KILLS
    assert figures.states_shown > 0
    assert figures.acknowledged > 0
    assert figures.is_kept, figures


@pytest.fixture
def ledger(tmp_path: Path) -> Ledger:
    """What a person was told: a move and some points count, a bad tap does not."""
    ledger = Ledger(tmp_path / "data")
    with Scorekeeper(tmp_path / "data") as scorekeeper:
        scorekeeper.wait_for_page()
        device, person = Device(scorekeeper.url), Person(scorekeeper.url, "p", ledger)
        device.post("/api/games", GAME)
        device.post("/api/turn/place", {"placed": tiles("Ro@0,0 Rs@1,0")})
        device.post("/api/turn/done")
        person.tap(device.state(), "/api/turn/points", {"points": 7})
        person.tap(device.state(), "/api/turn/exchange", {"count": -1})
        ledger.see(device.state())
    return ledger


def test_a_kept_promise_is_found_kept(ledger: Ledger) -> None:
    ledger.check()
    assert ledger.broken == []
    assert (ledger.acknowledged, ledger.refused) == (1, 1)


def lose_last(data: Path) -> None:
    """As if the disk had forgotten it; the journal itself does not let anybody do this."""
    guards = "SELECT name, sql FROM sqlite_master WHERE type = 'trigger'"
    with closing(sqlite3.connect(database_path(data))) as connection, connection:
        triggers = connection.execute(guards).fetchall()
        for name, _ in triggers:
            connection.execute(f"DROP TRIGGER {name}")
        connection.execute("DELETE FROM event WHERE seq = (SELECT max(seq) FROM event)")
        for _, sql in triggers:
            connection.execute(sql)


def put_another_in_its_place(data: Path) -> None:
    lose_last(data)
    with Journal.open(data) as journal:
        journal.append(1, [POINTS], command_id="p-1")


def keep_what_was_refused(data: Path) -> None:
    with Journal.open(data) as journal:
        journal.append(1, [POINTS], command_id="p-2")


@pytest.mark.parametrize(
    ("tamper", "words"),
    [
        (lose_last, ["shown, but not in the journal", "lost: /api/turn/points"]),
        (put_another_in_its_place, ["shown, but not what the journal tells"]),
        (keep_what_was_refused, ["refused, but kept"]),
    ],
)
def test_a_broken_promise_is_found(
    tamper: Callable[[Path], None], words: list[str], ledger: Ledger, tmp_path: Path
) -> None:
    tamper(tmp_path / "data")
    ledger.check()
    assert len(ledger.broken) == len(words)
    assert all(said.startswith(word) for said, word in zip(ledger.broken, words, strict=True))


def test_an_older_state_after_a_restart_is_found(ledger: Ledger, tmp_path: Path) -> None:
    ledger.check()
    lose_last(tmp_path / "data")
    with Scorekeeper(tmp_path / "data") as scorekeeper:
        scorekeeper.wait_for_page()
        ledger.expect_newest(Device(scorekeeper.url).state())
    ledger.check()
    assert ledger.broken[0].startswith("shown after a restart")
    assert "game 1 has lost events" in ledger.broken


def test_totals_that_are_added_up_wrongly_are_found(
    ledger: Ledger, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(rules, "points_of_length", lambda length: length + 1)
    ledger.check()
    assert any(said.startswith("wrong totals") for said in ledger.broken)
