"""Games, events and players: what goes in comes out, once, in order, and stays."""

from __future__ import annotations

import sqlite3
import threading
from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import pytest

from scorer.journal import (
    Journal,
    JournalError,
    JournalReader,
    Player,
    Receipt,
    StaleEdit,
    UnknownGameError,
)
from scorer.journal_files import database_path

TURN = {"type": "turn", "player": "Jörg", "tiles": [[0, 0, "red"], [1, 0, None]], "points": 12}
PASS = {"type": "pass"}


@pytest.fixture
def journal(tmp_path: Path) -> Iterator[Journal]:
    with Journal.open(tmp_path) as journal:
        yield journal


def test_a_new_journal_is_empty(journal: Journal) -> None:
    assert journal.games() == []
    assert journal.players() == []
    assert journal.notices == ()


def test_events_come_back_as_they_went_in(journal: Journal) -> None:
    game = journal.create_game([TURN])
    assert journal.append(game.id, [PASS, TURN]) == Receipt(2, 3)
    entries = journal.events(game.id)
    assert [entry.seq for entry in entries] == [1, 2, 3]
    assert [entry.event for entry in entries] == [TURN, PASS, TURN]


def test_events_survive_closing(tmp_path: Path) -> None:
    with Journal.open(tmp_path) as journal:
        game = journal.create_game([TURN])
        before = journal.events(game.id)
    with Journal.open(tmp_path) as journal:
        assert journal.events(game.id) == before
        assert journal.game(game.id).uid == game.uid


def test_only_the_events_after_a_known_one(journal: Journal) -> None:
    game = journal.create_game([TURN, PASS, TURN])
    assert [entry.seq for entry in journal.events(game.id, after_seq=2)] == [3]
    assert journal.events(game.id, after_seq=3) == []


def test_games_do_not_mix(journal: Journal) -> None:
    first, second = journal.create_game([TURN]), journal.create_game()
    journal.append(second.id, [PASS, PASS])
    assert [(game.id, game.last_seq) for game in journal.games()] == [
        (first.id, 1),
        (second.id, 2),
    ]


def test_an_unknown_game_is_said(journal: Journal) -> None:
    with pytest.raises(UnknownGameError, match="no game 7"):
        journal.append(7, [TURN])
    with pytest.raises(UnknownGameError, match="no game 7"):
        journal.events(7)


def test_a_clock_that_jumps_back_does_not_change_the_order(tmp_path: Path) -> None:
    moments = iter(datetime(2026, 11, 18, tzinfo=UTC) - timedelta(days=n) for n in range(9))
    with Journal.open(tmp_path, clock=lambda: next(moments)) as journal:
        game = journal.create_game()
        journal.append(game.id, [TURN])
        journal.append(game.id, [PASS])
        assert [entry.event["type"] for entry in journal.events(game.id)] == ["turn", "pass"]
        assert journal.game(game.id).changed_at.startswith("2026-11-1")


@pytest.mark.parametrize(
    "event",
    [
        {},
        {"type": ""},
        {"type": 3},
        {"type": "turn", "points": float("nan")},
        {"type": "turn", "points": {1, 2}},
        {"type": "turn", "player": "\ud800"},
    ],
)
def test_what_is_no_event_is_refused_and_nothing_added(
    journal: Journal, event: dict[str, Any]
) -> None:
    game = journal.create_game()
    with pytest.raises(JournalError):
        journal.append(game.id, [TURN, event])
    assert journal.events(game.id) == []


def test_an_append_of_nothing_is_refused(journal: Journal) -> None:
    game = journal.create_game()
    with pytest.raises(JournalError, match="nothing to add"):
        journal.append(game.id, [])


def test_a_batch_that_fails_in_the_middle_leaves_nothing(journal: Journal) -> None:
    game = journal.create_game([TURN])
    journal._connection.execute("PRAGMA max_page_count = 1")  # no page more: the disk is full
    with pytest.raises(JournalError, match="disk is full") as caught:
        journal.append(game.id, [{"type": "note", "text": "x" * 9000}] * 3)
    assert caught.value.code == "disk_full"
    journal._connection.execute("PRAGMA max_page_count = 1000000")
    assert journal.append(game.id, [PASS]) == Receipt(2, 2)
    assert [entry.event for entry in journal.events(game.id)] == [TURN, PASS]


def test_a_resent_command_counts_once(journal: Journal) -> None:
    game = journal.create_game()
    first = journal.append(game.id, [TURN, PASS], expected_seq=0, command_id="tap-1")
    again = journal.append(game.id, [TURN, PASS], expected_seq=0, command_id="tap-1")
    assert (first.first_seq, first.last_seq, first.is_repeat) == (1, 2, False)
    assert (again.first_seq, again.last_seq, again.is_repeat) == (1, 2, True)
    assert journal.find_command(game.id, "tap-1") == again
    assert journal.find_command(game.id, "tap-2") is None
    assert journal.game(game.id).last_seq == 2


def test_the_same_command_in_another_game_is_another(journal: Journal) -> None:
    games = [journal.create_game(), journal.create_game()]
    receipts = [journal.append(game.id, [PASS], command_id="tap") for game in games]
    assert not any(receipt.is_repeat for receipt in receipts)


def test_a_game_asked_for_twice_is_started_once(journal: Journal) -> None:
    first = journal.create_game([TURN], uid="from-the-page")
    assert journal.create_game([TURN], uid="from-the-page") == first
    assert len(journal.games()) == 1


def test_a_stale_edit_is_refused(journal: Journal) -> None:
    game = journal.create_game([TURN, TURN])
    with pytest.raises(StaleEdit) as caught:
        journal.append(game.id, [PASS], expected_seq=1)
    assert (caught.value.expected_seq, caught.value.last_seq) == (1, 2)
    assert journal.append(game.id, [PASS], expected_seq=2).last_seq == 3


@pytest.mark.parametrize(
    "sql",
    [
        "UPDATE event SET payload = '{}'",
        "DELETE FROM event",
        "UPDATE game SET uid = 'other'",
        "DELETE FROM game",
        "INSERT INTO event VALUES (1, 7, 'turn', '{}', '', NULL, 0)",
        "INSERT OR REPLACE INTO event VALUES (1, 1, 'turn', '{}', '', NULL, 0)",
        "INSERT INTO event VALUES (9, 1, 'turn', '{}', '', NULL, 0)",
        "INSERT INTO event VALUES (1, 2, 'turn', 'no json', '', NULL, 0)",
    ],
)
def test_the_file_itself_refuses_to_forget(journal: Journal, sql: str) -> None:
    game = journal.create_game([TURN])
    with pytest.raises(sqlite3.IntegrityError):
        journal._connection.execute(sql)
    assert [entry.event for entry in journal.events(game.id)] == [TURN]


def test_players_are_remembered_latest_first(tmp_path: Path) -> None:
    moments = iter(datetime(2026, 11, day, tzinfo=UTC) for day in range(1, 9))
    with Journal.open(tmp_path, clock=lambda: next(moments)) as journal:
        journal.remember_player(Player("Ada", "red", 2015))
        journal.remember_player(Player("Bo"))
        journal.remember_player(Player("Ada", "blue", 2015))
    with JournalReader.open(tmp_path) as reader:
        assert reader.players() == [Player("Ada", "blue", 2015), Player("Bo")]


def test_a_forgotten_player_is_gone(journal: Journal) -> None:
    journal.remember_player(Player("Ada"))
    journal.forget_player("Ada")
    assert journal.players() == []


def test_a_reader_sees_what_was_acknowledged_and_cannot_write(
    journal: Journal, tmp_path: Path
) -> None:
    game = journal.create_game()
    with JournalReader.open(tmp_path) as reader:
        for number in range(1, 4):
            journal.append(game.id, [TURN])
            assert reader.game(game.id).last_seq == number
        with pytest.raises(sqlite3.OperationalError, match="readonly"):
            reader._connection.execute("DELETE FROM player")


def test_many_threads_append_without_loss_or_gap(journal: Journal) -> None:
    game = journal.create_game()

    def play(name: str) -> None:
        for number in range(20):
            journal.append(game.id, [{"type": "turn", "player": name, "number": number}] * 2)

    threads = [threading.Thread(target=play, args=(name,)) for name in "abcd"]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    entries = journal.events(game.id)
    assert [entry.seq for entry in entries] == list(range(1, 161))
    pairs = zip(entries[::2], entries[1::2], strict=True)
    assert all(first.event == second.event for first, second in pairs)


def test_a_closed_journal_says_so(tmp_path: Path) -> None:
    journal = Journal.open(tmp_path)
    journal.close()
    with pytest.raises(JournalError, match="closed"):
        journal.games()


def test_commits_wait_for_the_disk(journal: Journal, tmp_path: Path) -> None:
    def pragma(name: str) -> object:
        return journal._connection.execute(f"PRAGMA {name}").fetchone()[0]

    assert (pragma("journal_mode"), pragma("synchronous")) == ("wal", 2)
    assert (pragma("foreign_keys"), pragma("busy_timeout")) == (1, 5000)
    assert database_path(tmp_path).is_file()
