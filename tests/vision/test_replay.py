"""Photos played as successive looks at one table."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import cv2
import numpy as np
import pytest

from scorer.tiles import Cell, Tile
from tests.vision.fake_readings import Blur
from tests.vision.stage_readings import StageReader, lay
from tiletally.cli import main
from tiletally.replay import replay_json
from tiletally.replaying import Replayer, game_of, replay_folder
from vision.cameras.base import CameraError
from vision.cameras.demo_play import play_game
from vision.cameras.demo_stage import Hand, Pose, Stage
from vision.reader import Reader

SHARED = Path(__file__).parents[3] / "shared"


class Session:
    """A simulated table whose pictures are replayed one by one."""

    def __init__(self, rules: str = "flex", seed: int = 3) -> None:
        self.stage = Stage(seed)
        self.reader = StageReader(self.stage)
        self.replayer = Replayer(self.reader, game_of(rules, None))
        self._count = 0

    def look(self, hands: tuple[Hand, ...] = (), gain: float = 1.0) -> str:
        """Show the table as it is now and return the verdict."""
        self.replayer.show(f"look_{self._count:02}.jpg", self.stage.picture(hands, gain))
        self._count += 1
        return self.replayer.result().looks[-1].verdict

    def scores(self) -> list[int]:
        return [turn.score for turn in self.replayer.result().turns]

    def doubts(self) -> list[float]:
        return [turn.doubt for turn in self.replayer.result().turns]


OPENING = {(0, 0): Tile("circle", "red"), (1, 0): Tile("square", "red", "white")}
SECOND = {(1, 1): Tile("square", "blue", "split"), (1, 2): Tile("square", "green")}
THIRD = {(-1, 0): Tile("clover", "red", "white")}


@pytest.fixture
def session() -> Session:
    return Session()


def test_an_empty_table_is_empty(session: Session) -> None:
    assert session.look() == "empty"
    assert session.scores() == []


def test_every_free_look_with_a_legal_move_closes_a_turn(session: Session) -> None:
    verdicts = [session.look()]
    for move in (OPENING, SECOND, THIRD):
        lay(session.stage, move)
        verdicts += [session.look(), session.look(gain=0.9)]
    assert verdicts == ["empty", *["turn", "unchanged"] * 3]
    assert session.scores() == [2, 3, 3 + 0]
    assert session.doubts() == [0, 0, 0]


def test_a_game_may_begin_with_tiles_on_the_first_photo(session: Session) -> None:
    lay(session.stage, OPENING)
    assert session.look() == "turn"


def test_a_hand_makes_no_turn_even_if_tiles_lie_there(session: Session) -> None:
    lay(session.stage, OPENING)
    session.look()
    lay(session.stage, SECOND)
    assert session.look((Hand(1.0, 2.0, 1.2),)) == "busy"
    assert session.look((Hand(2.0, 1.0, 2.9, 2),)) == "busy"
    assert session.look() == "turn"
    assert session.scores() == [2, 3]


def test_a_nudged_layout_is_the_same_layout(session: Session) -> None:
    for move in (OPENING, SECOND, THIRD):
        lay(session.stage, move)
        session.look()
    session.stage.nudge(Pose(0.7, -0.6, 0.08))
    assert session.look() == "unchanged"


def test_a_nudge_together_with_a_move_is_absorbed(session: Session) -> None:
    session.look()
    lay(session.stage, OPENING)
    session.look()
    lay(session.stage, SECOND)
    session.stage.nudge(Pose(0.8, 0.4, -0.08))
    assert session.look() == "turn"
    lay(session.stage, THIRD)
    assert session.look() == "turn"
    assert session.scores() == [2, 3, 3]


def test_an_illegal_move_waits_until_it_is_mended(session: Session) -> None:
    lay(session.stage, OPENING)
    session.look()
    session.stage.lay((2, 0), Tile("star8", "green"))
    assert session.look() == "illegal"
    session.stage.take((2, 0))
    session.stage.lay((2, 0), Tile("star8", "red"))
    assert session.look() == "turn"
    assert session.scores() == [2, 3]


def test_two_moves_between_two_looks_are_two_turns(session: Session) -> None:
    lay(session.stage, OPENING)
    session.look()
    lay(session.stage, SECOND)
    lay(session.stage, {(2, 2): Tile("star4", "green", "white"), (3, 2): Tile("star8", "green")})
    session.look()
    report = replay_json(session.replayer.result(), "flex", ("Ada", "Ben"))
    assert [turn["player"] for turn in report["turns"]] == ["Ada", "Ben", "Ada"]
    assert report["turns"][1]["photo"] == report["turns"][2]["photo"]


def test_strays_on_the_first_photo_are_no_turn(session: Session) -> None:
    lay(session.stage, {(7, 5): Tile("star8", "green"), (8, 5): Tile("circle", "red")})
    assert session.look() == "empty"
    lay(session.stage, {(0, 0): Tile("clover", "red"), (1, 0): Tile("square", "red", "white")})
    assert session.look() == "turn"
    assert session.scores() == [2]


def test_strays_that_look_like_an_opening_are_found_out(session: Session) -> None:
    lay(session.stage, {(7, 5): Tile("star8", "green"), (8, 5): Tile("star8", "red")})
    assert session.look() == "turn"
    lay(session.stage, OPENING)
    assert session.look() == "turn"
    result = session.replayer.result()
    assert [look.verdict for look in result.looks] == ["empty", "turn"]
    assert [dict(turn.placed) for turn in result.turns] == [OPENING]


def test_a_tile_that_was_not_read_is_a_doubt_and_found_later(session: Session) -> None:
    session.look()
    lay(session.stage, OPENING)
    session.look()
    lay(session.stage, SECOND)
    session.reader.hidden = ((1, 2),)
    session.look()
    assert session.doubts()[-1] >= 0.25
    session.reader.hidden = ()
    lay(session.stage, THIRD)
    assert session.look() == "turn"
    result = session.replayer.result()
    assert [dict(turn.placed) for turn in result.turns] == [OPENING, SECOND, THIRD]
    assert [turn.score for turn in result.turns] == [2, 3, 3]


def test_a_hidden_tile_is_still_there(session: Session) -> None:
    lay(session.stage, {**OPENING, (2, 0): Tile("diamond", "red")})
    session.look()
    session.reader.hidden = ((1, 0),)
    lay(session.stage, {(2, 1): Tile("diamond", "green", "white")})
    assert session.look() == "turn"
    column, diagonal_with_the_hidden_tile = 2, 2
    assert session.scores()[-1] == column + diagonal_with_the_hidden_tile


def test_a_tile_that_left_the_table_is_told_with_the_turn(session: Session) -> None:
    lay(session.stage, {**OPENING, (2, 0): Tile("diamond", "red")})
    session.look()
    session.stage.take((2, 0))
    lay(session.stage, {(1, 1): Tile("square", "green", "white")})
    session.look()
    turn = session.replayer.result().turns[-1]
    assert [each.cell for each in turn.taken] == [(2, 0)]
    assert turn.score == 2


def test_several_looks_mend_a_tile_that_was_misread_at_first(session: Session) -> None:
    orange = Tile("square", "orange", "white")
    lay(session.stage, {(0, 0): Tile("square", "blue"), **{(1, 0): Tile("square", "red", "white")}})
    session.reader.blur = Blur(taken_for={(1, 0): (orange, 0.7)})
    session.look()
    session.reader.blur = Blur()
    for _ in range(3):
        session.look()
    turn = session.replayer.result().turns[0]
    assert dict(turn.placed)[1, 0] == Tile("square", "red", "white")


@pytest.mark.parametrize("seed", [1, 2])
def test_a_long_simulated_game_is_scored_turn_by_turn(seed: int) -> None:
    plays = play_game(seed, 3, "flex", lambda c: abs(c[0]) <= 9 and abs(c[1]) <= 6, 20)
    session = Session(seed=seed)
    session.look()
    for play in plays:
        lay(session.stage, dict(play.placed))
        session.look()
    assert session.scores() == [play.score for play in plays if play.placed]
    assert not any(session.doubts())


def test_a_folder_without_photos_is_said(tmp_path: Path) -> None:
    with pytest.raises(CameraError, match="no photos"):
        replay_folder(tmp_path, StageReader(Stage(1)), "flex")


def test_an_unreadable_photo_is_unclear_and_the_rest_is_played(tmp_path: Path) -> None:
    stage = Stage(2)
    (tmp_path / "a.jpg").write_bytes(b"nothing")
    lay(stage, OPENING)
    cv2.imwrite(str(tmp_path / "b.jpg"), stage.picture())
    said: list[str] = []
    replay = replay_folder(tmp_path, StageReader(stage), "flex", say=said.append)
    assert [look.verdict for look in replay.looks] == ["unclear", "turn"]
    assert "a.jpg" in said[0]


def test_the_command_says_what_is_wrong(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["replay", str(tmp_path / "none"), "--rules", "flex", "--players", "A,B"]) == 1
    assert "none" in capsys.readouterr().err


def replayed(name: str) -> tuple[dict[str, Any], dict[str, Any]]:
    """The truth and the report of one of the shared games, or skip."""
    folder = SHARED / name
    if not folder.is_dir():
        pytest.skip(f"there is no folder {name} beside the project")
    truth = json.loads((folder / "game.json").read_text(encoding="utf-8"))
    rules, colours = truth["ruleset"], truth["colours"]
    replay = replay_folder(folder, Reader(rules, colours), rules, colours)
    return truth, replay_json(replay, rules, ("Ada", "Ben"))


@pytest.mark.parametrize("name", ["photos/classic-a", "renders/busy-a", "renders/flex-c"])
def test_a_shared_game_is_scored_rightly(name: str) -> None:
    cv2.setNumThreads(1)
    truth, report = replayed(name)
    assert [turn["score"] for turn in report["turns"]] == [t["score"] for t in truth["turns"]]
    assert [turn["photo"] for turn in report["turns"]] == [t["photo"] for t in truth["turns"]]
    for told, real in zip(report["turns"], truth["turns"], strict=True):
        assert sorted(_face(t) for t in told["placed"]) == sorted(_face(t) for t in real["placed"])
    busy = [look["photo"] for look in report["looks"] if look["verdict"] == "busy"]
    assert busy == [each["photo"] for each in truth.get("busy", [])]


def _face(tile: dict[str, str]) -> tuple[str, str, str]:
    return tile["shape"], tile["colour"], tile["background"]


def test_cells_keep_their_origin_over_the_game() -> None:
    session = Session()
    lay(session.stage, OPENING)
    session.look()
    cells: set[Cell] = {cell for cell, _ in session.replayer.result().turns[0].placed}
    lay(session.stage, SECOND)
    session.look()
    later = {cell for cell, _ in session.replayer.result().turns[1].placed}
    assert np.abs(np.array(sorted(later))[:, None] - np.array(sorted(cells))).sum(2).min() == 1
