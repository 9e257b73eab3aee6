"""The living table: pending and final, hands and wishes, faults and restarts."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import cv2
import pytest

from scorer.errors import EventError, GameError
from scorer.journal import JournalError
from scorer.state import Turn
from scorer.tiles import Tile
from tests.vision.fake_readings import Blur
from tests.vision.live_table import OPENING, SECOND, THIRD, Living
from tests.vision.stage_readings import StageReader
from tiletally.live import CameraTable
from tiletally.session import Current, Session
from vision.cameras.base import Glance
from vision.cameras.demo import DemoTable
from vision.cameras.demo_stage import Hand, Pose
from vision.cameras.phone import PhoneCamera

Opener = Callable[..., Living]


@pytest.fixture
def opened(tmp_path: Path) -> Iterator[Opener]:
    """Makes living tables and closes them."""
    tables: list[Living] = []

    def opener(seed: int = 3) -> Living:
        tables.append(Living(tmp_path / "data", seed, photos=tmp_path / "photos"))
        tables[-1].wait(1.5)
        return tables[-1]

    yield opener
    for each in tables:
        each.session.close()


@pytest.fixture
def living(opened: Opener) -> Living:
    return opened()


@pytest.fixture
def session(tmp_path: Path) -> Iterator[Session]:
    session = Session.open(tmp_path)
    yield session
    session.close()


def test_a_legal_move_is_pending_at_once_with_points_and_countdown(living: Living) -> None:
    living.lay(OPENING)
    pending = living.state["pending"]
    assert pending["points"] == 2
    assert [line["kind"] for line in pending["lines"]] == ["row"]
    assert pending["doubt"] == 0
    assert 0 < pending["countdown"]["left_s"] <= 6
    assert living.turns == []


def test_it_is_final_when_hands_have_been_away_long_enough(living: Living) -> None:
    living.lay(OPENING)
    living.wait(3)
    assert living.turns == []
    living.wait(3)
    assert living.turns == [2]
    assert living.state["pending"] is None
    assert living.scores == [2, 0]


def test_a_hand_starts_the_countdown_anew(living: Living) -> None:
    living.lay(OPENING)
    living.wait(3)
    living.lay({})
    living.wait(3)
    assert living.turns == []
    living.wait(3)
    assert living.turns == [2]


def test_done_closes_the_turn_at_once(living: Living) -> None:
    living.lay(OPENING)
    living.tap("done")
    assert living.turns == [2]


def test_done_before_the_table_has_settled_closes_it_as_soon_as_it_has(living: Living) -> None:
    living.lay(OPENING, settle_s=0.125)
    living.tap("done")
    assert living.turns == []
    living.wait(1.5)
    assert living.turns == [2]


def test_done_holds_for_as_long_as_the_hand_stays(living: Living) -> None:
    living.session.change_settings({"close_turn_after_s": 0})
    living.lay(OPENING)
    living.camera.hands = (Hand(0.0, 0.0, 0.0),)
    living.wait(0.5)
    living.tap("done")
    living.wait(8)
    assert living.turns == []
    living.camera.hands = ()
    living.wait(1.5)
    assert living.turns == [2]


def test_a_done_that_comes_late_does_not_cut_the_next_move_short(living: Living) -> None:
    living.lay(OPENING)
    while not living.turns:
        living.wait(0.125)
    living.lay(SECOND, settle_s=0.125)
    living.tap("done")
    living.wait(1.5)
    assert living.turns == [2]
    living.wait(6)
    assert len(living.turns) == 2


def test_done_without_a_move_is_refused(living: Living) -> None:
    with pytest.raises(GameError):
        living.tap("done")


def test_hold_stops_the_countdown_and_lets_it_run_again(living: Living) -> None:
    living.lay(OPENING)
    living.tap("hold", on=True)
    living.wait(12)
    assert living.turns == []
    assert living.state["pending"]["held"]
    assert living.state["pending"]["countdown"] is None
    living.tap("hold", on=False)
    living.wait(7)
    assert living.turns == [2]


def test_with_tap_only_nothing_closes_by_itself(living: Living) -> None:
    living.session.change_settings({"close_turn_after_s": 0})
    living.lay(OPENING)
    living.wait(20)
    assert living.turns == []
    assert living.state["pending"]["countdown"] is None
    living.tap("done")
    assert living.turns == [2]


def test_tiles_may_be_added_moved_and_taken_back_while_pending(living: Living) -> None:
    living.lay({(0, 0): OPENING[0, 0]})
    living.lay({(1, 0): OPENING[1, 0]})
    assert living.pending_points() == 2
    living.take((1, 0))
    assert len(living.state["pending"]["placed"]) == 1
    living.lay({(0, 1): OPENING[1, 0]})
    assert [line["kind"] for line in living.state["pending"]["lines"]] == ["column"]
    living.take((0, 1))
    living.take((0, 0))
    assert living.state["pending"] is None
    living.wait(8)
    assert living.turns == []


def test_the_next_players_tiles_close_the_turn(living: Living) -> None:
    living.lay(OPENING)
    living.wait(1)
    living.lay({(1, 1): Tile("square", "blue", "split"), (2, 1): Tile("circle", "blue")})
    assert living.turns == [2]
    assert living.pending_points() == 4
    assert living.state["next_player"] == 1


def test_two_moves_laid_in_one_go_are_two_turns_after_a_while(living: Living) -> None:
    living.lay(OPENING)
    living.tap("done")
    first = {(1, 1): Tile("square", "blue", "split")}
    second = {(2, 1): Tile("circle", "blue"), (2, 2): Tile("circle", "green", "white")}
    living.lay({**first, **second})
    living.wait(14)
    assert living.turns == [2, 2, 4]


def test_two_moves_in_either_order_are_asked_about(living: Living) -> None:
    living.lay(OPENING)
    living.tap("done")
    living.lay({(-1, 0): Tile("star4", "red"), (1, 1): Tile("square", "blue", "white")})
    assert living.turns == [2]
    question = living.state["questions"][0]
    assert question["code"] == "which_first"
    firsts = [choice["params"]["cells"] for choice in question["choices"]]
    assert sorted(len(cells) for cells in firsts) == [1, 1]
    living.tap("answer", question=question["id"], choice=1)
    assert [list(cell) for cell, _ in turns_of(living.session)[1].placed] == firsts[1]
    assert living.pending_points() is not None
    living.tap("done")
    assert len(living.turns) == 3


def test_an_illegal_move_is_explained_and_waits(living: Living) -> None:
    living.lay(OPENING)
    living.tap("done")
    living.lay({(2, 0): Tile("star8", "green")})
    living.wait(10)
    illegal = living.state["illegal"]
    assert [violation["code"] for violation in illegal["violations"]] == ["line_mismatch"]
    assert illegal["violations"][0]["cells"]
    assert living.state["pending"] is None
    assert living.turns == [2]
    living.take((2, 0))
    assert living.state["illegal"] is None


def test_an_illegal_move_counts_if_a_person_says_so(living: Living) -> None:
    living.lay(OPENING)
    living.tap("done")
    living.lay({(2, 0): Tile("star8", "green")})
    living.tap("accept")
    assert living.turns == [2, 3]
    living.wait(8)
    assert living.state["illegal"] is None
    assert living.turns == [2, 3]


def test_a_turn_that_a_person_undid_does_not_count_again_by_itself(living: Living) -> None:
    living.lay(OPENING)
    living.tap("done")
    living.tap("undo")
    living.wait(12)
    assert living.turns == []
    assert living.state["pending"]["held"]
    living.tap("done")
    assert living.turns == [2]


def test_a_corrected_tile_is_not_argued_about(living: Living) -> None:
    living.lay(OPENING)
    living.tap("done")
    orange = {"x": 1, "y": 0, "shape": "square", "colour": "orange", "background": "white"}
    cells = {tuple(map(int, (tile["x"], tile["y"]))): tile for tile in living.state["board"]}
    red = next(tile for tile in cells.values() if tile["shape"] == "circle")
    living.tap("correct", turn=1, placed=[{**orange, "shape": "circle"}, _plain(red)])
    for _ in range(6):
        living.lay({})
    assert {tile["colour"] for tile in living.state["board"]} == {"red", "orange"}


def _plain(tile: dict[str, Any]) -> dict[str, Any]:
    return {key: tile[key] for key in ("x", "y", "shape", "colour", "background")}


def test_a_doubtful_tile_is_asked_and_the_answer_counts(living: Living) -> None:
    orange = Tile("circle", "orange")
    living.reader.blur = Blur(taken_for={(0, 0): (orange, 0.55)})
    living.lay({(0, 0): Tile("circle", "red"), (1, 0): Tile("circle", "blue", "white")})
    question = living.state["questions"][0]
    assert question["code"] == "which_tile"
    assert {choice["colour"] for choice in question["choices"][:2]} == {"red", "orange"}
    assert living.state["pending"]["doubt"] > 0.1
    index = [choice["colour"] for choice in question["choices"]].index("red")
    living.tap("answer", question=question["id"], choice=index)
    assert living.state["questions"] == []
    assert living.state["pending"]["doubt"] == 0
    living.tap("done")
    living.wait(2)
    assert {tile["colour"] for tile in living.state["board"]} == {"red", "blue"}
    assert living.state["questions"] == []


def test_a_question_outlives_the_turn_and_is_answered_by_later_looks(living: Living) -> None:
    living.reader.blur = Blur(taken_for={(0, 0): (Tile("circle", "orange"), 0.3)})
    living.lay({(0, 0): Tile("circle", "red"), (1, 0): Tile("circle", "blue", "white")})
    living.tap("done")
    assert living.state["questions"]
    living.reader.blur = Blur()
    living.lay({(2, 0): Tile("circle", "green")})
    living.lay({(3, 0): Tile("circle", "yellow")})
    assert living.state["questions"] == []


def test_an_answer_to_a_question_that_is_gone_is_refused(living: Living) -> None:
    with pytest.raises(EventError):
        living.tap("answer", question="7,7", choice=0)


def test_a_nudge_and_a_new_light_make_no_turn(living: Living) -> None:
    living.lay(OPENING)
    living.tap("done")
    living.camera.gain = 0.8
    living.wait(3)
    living.camera.stage.nudge(Pose(0.6, 0.5, 0.07))
    living.wait(10)
    assert living.turns == [2]
    assert living.state["pending"] is None
    living.lay(SECOND)
    assert living.pending_points() == 3


def test_a_hand_that_rests_over_the_table_closes_nothing(living: Living) -> None:
    living.lay(OPENING)
    living.camera.hands = (Hand(0.0, 1.0, 0.5),)
    living.wait(7.5)
    assert living.turns == []
    assert living.state["camera"]["state"] == "busy"


def test_while_the_camera_gets_used_to_the_light_nothing_closes(living: Living) -> None:
    living.lay(OPENING)
    living.camera.is_settling = True
    living.wait(20)
    assert living.turns == [], "a hand may be there that nobody sees"
    assert living.state["camera"]["state"] == "ok", "nothing is wrong with it"
    living.camera.is_settling = False
    living.wait(7.5)
    assert living.turns == [2]


def test_an_idle_table_costs_no_reading(living: Living) -> None:
    living.lay(OPENING)
    living.tap("done")
    living.wait(2)
    reads = living.reader.reads
    living.wait(60)
    assert living.reader.reads == reads


def test_a_pulled_camera_is_said_and_the_game_goes_on(living: Living) -> None:
    living.lay(OPENING)
    living.camera.problem = "the cable is out"
    living.wait(1)
    camera = living.state["camera"]
    assert camera["state"] == "lost"
    assert camera["hints"][0]["params"]["sentence"] == "the cable is out"
    living.tap("done")
    living.camera.problem = ""
    living.wait(1)
    assert living.state["camera"]["state"] == "ok"
    living.lay(SECOND)
    living.tap("done")
    assert living.turns == [2, 3]


def test_a_move_does_not_count_by_itself_while_the_stream_stands_still(living: Living) -> None:
    living.lay({(0, 0): OPENING[(0, 0)]})
    living.wait(1)
    living.camera.frozen = living.camera.glance()
    living.wait(2)
    living.camera.stage.lay((1, 0), OPENING[(1, 0)])
    living.wait(10)
    living.camera.frozen = None
    living.wait(8)
    assert [len(turn["placed"]) for turn in living.state["turns"]] == [2]


def test_after_a_hand_the_table_is_looked_at_however_little_has_changed(opened: Opener) -> None:
    living = opened(seed=3)
    living.camera.gain = 0.4
    living.wait(3)
    living.lay({(0, 0): OPENING[(0, 0)]})
    living.lay({(1, 0): OPENING[(1, 0)]})
    living.wait(7)
    assert [len(turn["placed"]) for turn in living.state["turns"]] == [2]


def test_a_frozen_stream_is_said(living: Living) -> None:
    living.camera.frozen = living.camera.glance()
    living.wait(7)
    assert living.state["camera"]["state"] == "frozen"
    living.camera.frozen = None
    living.wait(1)
    assert living.state["camera"]["state"] == "ok"


def test_a_covered_lens_is_said(living: Living) -> None:
    living.camera.gain = 0.0
    living.wait(1)
    assert "lens_covered" in [hint["code"] for hint in living.state["camera"]["hints"]]


def test_a_restart_goes_on_where_the_game_stood(living: Living) -> None:
    living.lay(OPENING)
    living.tap("done")
    living.lay(SECOND)
    living.tap("done")
    living.restart()
    living.wait(2)
    assert living.state["pending"] is None
    assert living.turns == [2, 3]
    living.lay(THIRD)
    living.tap("done")
    assert living.turns == [2, 3, 3]


def test_a_move_that_was_pending_at_a_restart_is_pending_again(living: Living) -> None:
    living.lay(OPENING)
    living.tap("done")
    living.lay(SECOND)
    living.restart()
    living.wait(2)
    assert living.pending_points() == 3


def test_a_new_game_on_a_table_that_is_not_cleared_waits_for_clearing(living: Living) -> None:
    living.lay(OPENING)
    living.tap("done")
    living.lay(SECOND)
    living.tap("done")
    living.session.new_game({"rules": "flex", "players": ["Ada", "Ben"]})
    living.wait(10)
    assert living.turns == []
    assert living.state["pending"] is None


def test_the_border_is_said_before_it_is_too_late(living: Living) -> None:
    living.lay(OPENING)
    assert living.state["border"] is None, "there is room all around"
    living.tap("done")
    living.camera.stage.push((-11.0, 0.0), 0.0)
    living.wait(3)
    border = living.session.state()["border"]
    assert border["sides"]


def test_the_photo_of_a_turn_is_kept(living: Living) -> None:
    living.lay(OPENING)
    living.tap("done")
    game_id, cells = living.session.turn_cells(1)
    photo = living.table.photo(game_id, cells)
    assert photo is not None
    assert photo[:2] == b"\xff\xd8"
    assert living.table.photo(game_id + 1, cells) is None


def test_a_full_disk_costs_the_photo_and_nothing_else(tmp_path: Path, opened: Opener) -> None:
    (tmp_path / "photos").write_text("a file where the folder should be")
    living = opened()
    living.lay(OPENING)
    living.tap("done")
    living.wait(1)
    assert living.turns == [2]
    assert "photos_not_saved" in [hint["code"] for hint in living.state["camera"]["hints"]]


def test_a_turn_that_cannot_be_saved_is_said_and_tried_again(
    living: Living, monkeypatch: pytest.MonkeyPatch
) -> None:
    living.lay(OPENING)
    play = living.session.play

    def refuse(*_: object, **__: object) -> Current:
        raise JournalError("The disk is full.", "full")

    monkeypatch.setattr(living.session, "play", refuse)
    living.wait(8)
    assert "turn_not_saved" in [hint["code"] for hint in living.state["camera"]["hints"]]
    assert living.pending_points() == 2
    monkeypatch.setattr(living.session, "play", play)
    living.wait(3)
    assert living.turns == [2]
    assert living.state["camera"]["hints"] == []


def test_the_loop_runs_in_a_thread_and_ends_when_told(living: Living) -> None:
    before = living.table.beat.doing.since_s
    living.table.start()
    deadline = time.monotonic() + 10
    while living.table.beat.doing.since_s == before and time.monotonic() < deadline:
        time.sleep(0.01)
    thread = living.table.beat.thread
    assert thread is not None
    living.table.close()
    assert living.table.beat.doing.since_s > before
    thread.join(10)
    assert not thread.is_alive()


def test_a_stumble_of_the_loop_is_shown_and_survived(
    living: Living, monkeypatch: pytest.MonkeyPatch
) -> None:
    stumbled = threading.Event()

    def stumble() -> Glance:
        stumbled.set()
        raise RuntimeError("a bug")

    monkeypatch.setattr(living.camera, "glance", stumble)
    living.table.start()
    assert stumbled.wait(10)
    monkeypatch.undo()
    before = living.table.beat.doing.since_s
    deadline = time.monotonic() + 10
    while living.table.beat.doing.since_s <= before and time.monotonic() < deadline:
        time.sleep(0.01)
    living.table.close()
    assert living.table.beat.doing.since_s > before


def test_a_tile_that_is_gone_is_reported(living: Living) -> None:
    living.lay(OPENING)
    living.tap("done")
    living.lay(SECOND)
    living.tap("done")
    living.take((1, 2))
    assert "tile_gone" in [hint["code"] for hint in living.state["camera"]["hints"]]
    assert living.turns == [2, 3]


def test_a_tile_taken_by_an_action_is_part_of_the_turn(living: Living) -> None:
    options = {"expansions": ["mini"], "actions_from_start": True}
    living.session.new_game({"rules": "classic", "players": ["Ada", "Ben"], "options": options})
    living.wait(1.5)
    black = {cell: Tile(tile.shape, tile.colour) for cell, tile in OPENING.items()}
    living.lay({**black, (2, 0): Tile("diamond", "red")})
    living.tap("done")
    living.camera.stage.take((2, 0))
    living.lay({(1, 1): Tile("square", "blue")})
    pending = living.state["pending"]
    assert [tile["shape"] for tile in pending["taken"]] == ["diamond"]
    living.tap("done")
    assert living.turns == [3, 2]
    assert len(living.state["board"]) == 3


def test_previews_are_jpegs_with_and_without_marks(living: Living) -> None:
    living.lay(OPENING)
    for is_marked in (False, True):
        preview = living.table.preview(is_marked)
        assert preview is not None
        assert preview[:2] == b"\xff\xd8"


def test_only_a_phone_takes_photos(living: Living) -> None:
    with pytest.raises(ValueError, match="own pictures"):
        living.table.send_photo(b"")


def test_photos_of_a_phone_play_a_game(living: Living) -> None:
    phone = PhoneCamera(clock=lambda: 0.0, wait_s=0)
    table = CameraTable(living.session, phone, make_reader=lambda _rules, _colours: living.reader)
    living.session.attach(table)
    for tiles in ({}, OPENING, SECOND):
        for cell, tile in tiles.items():
            living.camera.stage.lay(cell, tile)
        table.send_photo(_jpeg(living))
        table.step()
        if tiles:
            living.tap("done")
    assert living.turns == [2, 3]


def _jpeg(living: Living) -> bytes:
    return bytes(cv2.imencode(".jpg", living.camera.picture())[1].tobytes())


def turns_of(session: Session) -> tuple[Turn, ...]:
    current = session.current()
    return current.game.turns if current else ()


@pytest.mark.parametrize("seed", [11, 12, 13])
def test_a_short_simulated_game_is_scored_by_the_real_pipeline(seed: int, session: Session) -> None:
    cv2.setNumThreads(1)
    camera = DemoTable(seed, None)
    table = CameraTable(session, camera, source="demo")
    session.attach(table)
    table.step()
    while len(turns_of(session)) < 7 and camera.script_s < camera.script.end_s - 1:
        table.step()
    told = [(turn.player, turn.points, len(turn.placed)) for turn in turns_of(session)]
    plays = camera.script.plays[: len(told)]
    assert told == [(play.player, play.score, len(play.placed)) for play in plays]
    assert len(told) == 7


def test_the_simulated_table_starts_over_with_a_new_game(session: Session) -> None:
    camera = DemoTable(4, None)
    table = CameraTable(
        session, camera, make_reader=lambda _rules, _colours: StageReader(camera.stage)
    )
    session.attach(table)
    table.step()
    session.new_game({"rules": "classic", "players": ["Ada", "Ben", "Cleo"]})
    table.step()
    assert camera.script.rules == "classic"
    assert len(camera.script.players) == 3
    assert not camera.stage.tiles
