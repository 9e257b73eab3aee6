"""The game session: one writer, nothing twice, nothing stale, nothing lost."""

from __future__ import annotations

import threading
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

import pytest

from scorer.errors import EventError, GameError, IllegalTurnError
from scorer.events import TurnPlayed
from scorer.journal import StaleEdit
from scorer.notation import parse_move
from scorer.plain import tile_json
from tiletally.session import Session, Ticket, pending_json
from tiletally.session_live import AnyTicket

GAME = {"rules": "classic", "players": ["Anna", "Ben"]}


def tiles(text: str) -> list[dict[str, object]]:
    return [tile_json(placed) for placed in parse_move(text)]


@pytest.fixture
def session(tmp_path: Path) -> Iterator[Session]:
    session = Session.open(tmp_path)
    yield session
    session.close()


@pytest.fixture
def playing(session: Session) -> Session:
    session.new_game(GAME, "start")
    return session


def place(session: Session, text: str, wish: str = "done") -> dict[str, Any]:
    session.command("place", {"placed": tiles(text)}, Ticket())
    return session.command(wish, {}, Ticket())


def scores(session: Session) -> list[int]:
    return [player["score"] for player in session.state()["players"]]


def test_without_a_game_the_state_is_empty(session: Session) -> None:
    state = session.state()
    assert state["game"] is None
    assert state["players"] == []
    with pytest.raises(GameError, match="no game"):
        session.command("undo", {}, Ticket())


def test_a_move_by_hand_is_pending_until_done(playing: Session) -> None:
    playing.command("place", {"placed": tiles("Ro@0,0 Rs@1,0")}, Ticket())
    pending = playing.state()["pending"]
    assert (pending["points"], pending["legal"], scores(playing)) == (2, True, [0, 0])
    state = playing.command("done", {}, Ticket())
    assert state["pending"] is None
    assert state["last_turn"]["lines"][0]["kind"] == "row"
    assert (scores(playing), state["next_player"], state["tiles_left"]) == ([2, 0], 1, 94)


def test_the_same_command_counts_once(playing: Session) -> None:
    place(playing, "Ro@0,0 Rs@1,0")
    ticket = Ticket("x1", 1, 2)
    first = playing.command("exchange", {"count": 2}, ticket)
    again = playing.command("exchange", {"count": 2}, ticket)
    assert first["game"]["seq"] == again["game"]["seq"] == 3


def test_the_same_start_makes_one_game(playing: Session) -> None:
    assert playing.new_game(GAME, "start")["game"]["id"] == 1
    assert len(playing.archive.games()) == 1


def test_an_edit_of_an_older_state_is_refused(playing: Session) -> None:
    place(playing, "Ro@0,0 Rs@1,0")
    with pytest.raises(StaleEdit):
        playing.command("undo", {}, Ticket("x2", 1, 1))
    with pytest.raises(StaleEdit):
        playing.command("undo", {}, Ticket("x3", 7))
    assert scores(playing) == [2, 0]


def test_an_illegal_move_waits_until_it_is_accepted(playing: Session) -> None:
    with pytest.raises(IllegalTurnError):
        place(playing, "Ro@0,0 Bs@1,0")
    assert not playing.state()["pending"]["legal"]
    playing.command("accept", {}, Ticket())
    assert scores(playing) == [2, 0]


def test_corrections_reach_back_and_can_be_undone(playing: Session) -> None:
    place(playing, "Ro@0,0 Rs@1,0")
    place(playing, "Rd@2,0")
    playing.command("correct", {"turn": 1, "placed": tiles("Ro@0,0 Rs@1,0 Rc@-1,0")}, Ticket())
    assert scores(playing) == [3, 4]
    playing.command("correct", {"turn": 1, "player": "Ben"}, Ticket())
    assert scores(playing) == [0, 7]
    playing.command("undo", {}, Ticket())
    playing.command("undo", {}, Ticket())
    assert scores(playing) == [2, 3]
    playing.command("redo", {}, Ticket())
    assert scores(playing) == [3, 4]


@pytest.mark.parametrize(
    ("wish", "params"),
    [
        ("fly", {}),
        ("exchange", {"count": "two"}),
        (
            "correct",
            {"turn": 1, "placed": [{"x": 10**9, "y": 0, "shape": "circle", "colour": "red"}]},
        ),
        ("place", {"placed": [{"x": 0, "y": 0, "shape": "circle", "colour": "mauve"}]}),
        ("points", {"points": 10**6}),
    ],
)
def test_what_cannot_be_is_refused(playing: Session, wish: str, params: dict[str, Any]) -> None:
    with pytest.raises(EventError):
        playing.command(wish, params, Ticket())
    assert playing.state()["game"]["seq"] == 1


def test_a_restart_goes_on_with_the_game(tmp_path: Path) -> None:
    session = Session.open(tmp_path)
    session.new_game(GAME)
    place(session, "Ro@0,0 Rs@1,0")
    session.new_game({"rules": "flex", "players": ["Carla", "Ben"]})
    session.close()
    session = Session.open(tmp_path)
    assert session.state()["game"]["rules"] == "flex"
    session.resume(1)
    session.close()
    session = Session.open(tmp_path)
    assert scores(session) == [2, 0]
    assert {player["name"] for player in session.players()} == {"Anna", "Ben", "Carla"}
    session.close()


def test_a_late_start_and_points_only(session: Session) -> None:
    late = {"board": tiles("Ro@0,0"), "scores": [30, 25], "next_player": "Ben"}
    session.new_game({**GAME, "late": late})
    session.command("points", {"points": 9, "tiles": 3}, Ticket())
    assert scores(session) == [30, 34]


def test_a_rematch_keeps_the_people_and_moves_the_start(playing: Session) -> None:
    place(playing, "Ro@0,0 Rs@1,0")
    playing.command("end", {}, Ticket())
    state = playing.rematch(Ticket("again"))
    assert (state["game"]["id"], state["next_player"], scores(playing)) == (2, 1, [0, 0])


def test_two_tablets_that_start_again_start_one_game(playing: Session) -> None:
    first, second = Ticket("first", 1, 1), Ticket("second", 1, 1)
    playing.rematch(first)
    with pytest.raises(StaleEdit):
        playing.rematch(second)
    assert playing.rematch(first)["game"]["id"] == 2


def test_a_new_game_sent_again_does_not_leave_the_game_that_is_played_now(
    playing: Session,
) -> None:
    wish = {"rules": "classic", "players": ["Cleo", "Dan"]}
    playing.new_game(wish, "again")
    playing.resume(1)
    assert playing.new_game(wish, "again")["game"]["id"] == 1


def test_a_change_wakes_those_who_wait(playing: Session) -> None:
    version = playing.version
    assert not playing.wait(version, 0.01)
    later = threading.Timer(0.05, lambda: place(playing, "Ro@0,0 Rs@1,0"))
    later.start()
    assert playing.wait(version, 5)
    later.join()
    assert playing.snapshot().version != version


class FakeTable:
    """A live table that takes every wish."""

    def __init__(self) -> None:
        self.wishes: list[str] = []
        self.closed = False

    def wish(self, name: str, params: Mapping[str, Any], ticket: AnyTicket) -> bool:
        self.wishes.append(name)
        return name != "place"

    def preview(self, is_marked: bool) -> bytes | None:
        return None

    def photo(self, game_id: int, cells: frozenset[tuple[int, int]]) -> bytes | None:
        return None

    def send_photo(self, data: bytes) -> None:
        raise ValueError("no photos here")

    def close(self) -> None:
        self.closed = True


def test_a_live_table_plays_through_the_same_session(playing: Session) -> None:
    table = FakeTable()
    playing.attach(table)
    current = playing.current()
    assert current is not None
    move = parse_move("Ro@0,0 Rs@1,0")
    playing.show({"pending": pending_json(current.game, move), "camera": {"state": "ok"}})
    assert playing.state()["pending"]["points"] == 2
    playing.command("done", {}, Ticket(seq=1))
    after = playing.play([TurnPlayed(move)], expected_seq=1, part={"camera": {"state": "ok"}})
    assert (after.seq, playing.state()["pending"]) == (2, None)
    with pytest.raises(StaleEdit):
        playing.play([TurnPlayed(parse_move("Rd@2,0"))], expected_seq=1)
    playing.command("place", {"placed": tiles("Rd@2,0")}, Ticket())
    assert playing.state()["pending"]["by_hand"]
    assert table.wishes == ["done", "place"]
    with pytest.raises(ValueError, match="does not tell"):
        playing.show({"weather": "fine"})


def test_a_resend_of_what_the_journal_does_not_tell_counts_once(playing: Session) -> None:
    move = {"placed": tiles("Ro@0,0 Rs@1,0")}
    playing.command("place", move, Ticket("a1", 1, 1))
    playing.command("done", {}, Ticket("a2", 1, 1))
    state = playing.command("place", move, Ticket("a1", 1, 1))
    assert (state["pending"], scores(playing)) == (None, [2, 0])
    table = FakeTable()
    playing.attach(table)
    for _ in range(2):
        playing.command("done", {}, Ticket("a3"))
    assert table.wishes == ["done"]


def test_a_resend_after_a_new_game_does_not_count_there(playing: Session) -> None:
    playing.command("points", {"points": 2}, Ticket("a1"))
    playing.new_game(GAME, "next")
    assert playing.command("points", {"points": 2}, Ticket("a1"))["turns"] == []


def test_closing_lets_everybody_go(tmp_path: Path) -> None:
    session = Session.open(tmp_path)
    table = FakeTable()
    session.attach(table)
    later = threading.Timer(0.05, session.close)
    later.start()
    assert session.wait(session.version, 5)
    later.join()
    assert session.is_closing
    assert table.closed


def test_csv_and_statistics_tell_the_totals(playing: Session) -> None:
    place(playing, "Ro@0,0 Rs@1,0")
    place(playing, "Rd@2,0 Rc@3,0 R4@4,0 R8@5,0")
    playing.command("end", {"player": 0}, Ticket())
    rows = playing.archive.csv(1).splitlines()
    assert rows[0].startswith("turn,player,kind")
    assert ",Anna,end," in rows[-1]
    stats = {each["name"]: each for each in playing.archive.statistics()}
    assert (stats["Ben"]["wins"], stats["Ben"]["qwirkles"], stats["Anna"]["points"]) == (1, 1, 8)


def test_likely_tiles_fit_and_share_something_with_what_lies_there(playing: Session) -> None:
    place(playing, "Ro@0,0 Rs@1,0")
    likely = playing.likely((1, 0), 1)
    assert {"shape": "diamond", "colour": "red", "background": "black"} in likely
    assert all(tile["colour"] == "red" or tile["shape"] == "circle" for tile in likely)
    assert playing.likely((2, 0), None)[0]["colour"] == "red"
