"""Action tiles and special tiles in a game."""

from __future__ import annotations

import pytest

from scorer.board import is_connected
from scorer.errors import GameError, IllegalTurnError
from scorer.events import (
    ActionUsed,
    Event,
    GameStarted,
    LateStart,
    SpecialDrawn,
    TilesExchanged,
    TurnPlayed,
)
from scorer.expansions import judge_separate_any_order, judge_take
from scorer.game import Game
from scorer.notation import parse_move, parse_table
from scorer.options import ACTIONS, DEFAULTS, Options, OptionsError
from scorer.tiles import Cell

TWO = Options(expansions=("expansion2",))
READY = Options(expansions=("expansion2",), actions_from_start=True)


def turn(text: str, taken: str = "-", action: str = "", accepted: bool = False) -> TurnPlayed:
    return TurnPlayed(parse_move(text), parse_move(taken), None, action, accepted)


def begun(options: Options, *events: Event) -> Game:
    game = Game.start(GameStarted("classic", ("Anna", "Ben"), options=options))
    for event in (turn("Ro@0,0 Rs@1,0"), turn("Bs@1,1"), *events):
        game = game.apply(event)
    return game


def test_special_tiles_are_mixed_in() -> None:
    assert begun(TWO).bag == 108 + 6 - 12 - 3
    assert begun(READY).bag == 108 - 12 - 3
    both = Options(expansions=("mini", "expansion2"), left_out_actions=("take",))
    assert begun(both).state.specials.count("draw_three") == 2
    assert "take" not in begun(both).state.specials


def test_a_special_tile_gives_everybody_an_action_tile() -> None:
    game = begun(TWO)
    after = game.apply(SpecialDrawn("ask"))
    assert after.actions == (("ask",), ("ask",))
    assert after.bag == game.bag - 1
    assert after.hands == game.hands
    assert "ask" not in after.state.specials
    with pytest.raises(IllegalTurnError, match="no special tile"):
        after.apply(SpecialDrawn("ask"))
    with pytest.raises(GameError, match="no player"):
        game.apply(SpecialDrawn("ask", player=9))


def test_everybody_starts_with_all_actions_in_the_second_variant() -> None:
    assert begun(READY).actions == (ACTIONS, ACTIONS)


def test_three_extra_tiles() -> None:
    game = begun(READY, ActionUsed("draw_three"))
    assert game.hands == (9, 6)
    assert game.pending.action == "draw_three"
    assert game.next_player == 0
    game = game.apply(turn("Rd@2,0"))
    assert game.hands == (8, 6)
    assert game.turns[2].action == "draw_three"
    assert "draw_three" not in game.actions[0]
    assert "draw_three" in game.actions[1]


def test_asking_for_a_tile() -> None:
    game = begun(READY)
    given = game.apply(ActionUsed("ask", giver=1))
    assert (given.hands, given.bag) == ((7, 6), game.bag - 1)
    drew = game.apply(ActionUsed("ask"))
    assert (drew.hands, drew.bag) == ((7, 6), game.bag - 1)
    nothing = game.apply(ActionUsed("ask", drew=False))
    assert (nothing.hands, nothing.bag) == ((6, 6), game.bag)
    for giver in (0, 2):
        with pytest.raises(GameError, match="another player"):
            game.apply(ActionUsed("ask", giver=giver))


def test_swapping_is_no_turn() -> None:
    game = begun(READY, ActionUsed("swap", count=4))
    assert game.next_player == 0
    assert game.hands == (6, 6)
    game = game.apply(TilesExchanged(2))
    assert game.next_player == 1
    with pytest.raises(IllegalTurnError, match="at most six"):
        begun(READY, ActionUsed("swap", count=7))


def test_taking_a_tile_from_the_table() -> None:
    game = begun(READY, ActionUsed("take", cell=(0, 0)))
    assert (0, 0) not in game.board
    assert game.hands == (7, 6)
    with pytest.raises(IllegalTurnError, match="cannot go back"):
        game.apply(turn("Ro@0,0"))
    other = game.apply(turn("Ys@1,2"))
    assert other.turns[2].points == 3
    assert [placed.cell for placed in other.turns[2].taken] == [(0, 0)]
    assert other.hands == (6, 6)


def test_another_face_may_go_where_a_tile_was_taken() -> None:
    game = begun(READY, ActionUsed("take", cell=(0, 0)), turn("Rd@0,0"))
    assert game.turns[2].points == 2


def test_a_camera_sees_a_tile_taken_within_the_turn() -> None:
    game = begun(READY, turn("Ys@1,2", taken="Ro@0,0"))
    assert game.turns[2].action == "take"
    assert "take" not in game.actions[0]
    assert (0, 0) not in game.board
    with pytest.raises(IllegalTurnError, match="not there to be used"):
        begun(TWO, turn("Ys@1,2", taken="Ro@0,0"))
    with pytest.raises(IllegalTurnError, match="only one tile"):
        begun(READY, turn("Ys@1,2", taken="Ro@0,0 Bs@1,1"))


def test_taking_announced_first_and_seen_later() -> None:
    game = begun(READY, ActionUsed("take"), turn("Ys@1,2", taken="Ro@0,0"))
    assert game.hands == (6, 6)
    assert game.turns[2].action == "take"


def test_what_cannot_be_taken() -> None:
    with pytest.raises(IllegalTurnError, match="fall apart"):
        begun(READY, ActionUsed("take", cell=(1, 0)))
    with pytest.raises(IllegalTurnError, match="no tile on that spot"):
        begun(READY, ActionUsed("take", cell=(9, 9)))
    forced = begun(READY, ActionUsed("take", cell=(1, 0), accepted=True))
    assert not is_connected(forced.board)


def test_a_diagonal_of_six_protects_its_tiles_in_flex_only() -> None:
    steps = {(n, n): "Ro" for n in range(6)} | {(n + 1, n): "Bs" for n in range(5)}
    rows = [" ".join(steps.get((x, y), ".") for x in range(7)) for y in range(6)]
    table = parse_table("@0,0\n" + "\n".join(rows))
    cell: Cell = (5, 5)
    assert [v.code for v in judge_take(table, cell, "flex")] == ["part_of_qwirkle"]
    assert judge_take(table, cell, "classic") == ()


def test_star_discs_let_the_layout_fall_apart() -> None:
    table = parse_table("@0,0\nRo Rs Rd")
    assert judge_take(table, (1, 0), "classic", Options(expansions=("expansion1",))) == ()


def test_three_tiles_apart() -> None:
    game = begun(READY, ActionUsed("separate"))
    game = game.apply(turn("Rd@2,0 Ys@1,2 Bo@0,1"))
    assert game.turns[2].action == "separate"
    assert game.turns[2].points == 3 + 3 + 2 + 2
    assert game.hands == (6, 6)
    assert game.next_player == 1


def test_tiles_apart_may_be_told_in_any_order() -> None:
    game = begun(READY)
    judgement = game.judge(parse_move("Rc@3,0 Rd@2,0"), action="separate")
    assert judgement.legal
    assert judgement.points == 4
    four = parse_move("Rd@2,0 Rc@3,0 R4@4,0 R8@5,0")
    assert (
        "not_one_to_three" in judge_separate_any_order(game.board, four, "classic", DEFAULTS).codes
    )


def test_a_double_turn() -> None:
    game = begun(READY, ActionUsed("double_turn"), turn("Rd@2,0"))
    assert game.next_player == 0
    assert game.pending.is_second_half
    with pytest.raises(IllegalTurnError, match="second half"):
        game.apply(ActionUsed("ask"))
    game = game.apply(turn("Rc@3,0"))
    assert game.next_player == 1
    assert [t.player for t in game.turns] == [0, 1, 0, 0]


def test_an_action_named_with_the_turn_itself() -> None:
    game = begun(READY, turn("Rd@2,0", action="double_turn"))
    assert game.next_player == 0
    assert game.apply(turn("Rc@3,0")).next_player == 1


@pytest.mark.parametrize(
    ("events", "words"),
    [
        ([ActionUsed("ask", player=1)], "own turn"),
        ([ActionUsed("ask"), ActionUsed("swap", count=1)], "only one action tile"),
        ([ActionUsed("ask"), turn("Rd@2,0"), turn("Rc@3,0"), ActionUsed("ask")], "not there"),
    ],
)
def test_when_an_action_tile_cannot_be_used(events: list[Event], words: str) -> None:
    with pytest.raises(IllegalTurnError, match=words):
        begun(READY, *events)


def test_there_are_only_six_actions() -> None:
    with pytest.raises(GameError, match="no action"):
        begun(READY, ActionUsed("steal"))
    with pytest.raises(OptionsError, match="no action"):
        Options(left_out_actions=("steal",))
    with pytest.raises(OptionsError, match="twice"):
        Options(expansions=("mini", "mini"))


def test_a_person_can_force_an_action() -> None:
    game = begun(TWO, ActionUsed("draw_three", accepted=True), turn("Rd@2,0"))
    assert game.turns[2].action == "draw_three"
    assert not game.turns[2].violations


def ending(options: Options, bag: int, hands: tuple[int, int]) -> Game:
    game = Game.start(GameStarted("classic", ("Anna", "Ben"), options=options))
    return game.apply(LateStart(parse_move("Ro@0,0 Rs@1,0"), (0, 0), bag=bag, hands=hands))


def test_a_special_tile_as_the_last_of_the_bag_ends_the_game() -> None:
    game = ending(TWO, bag=1, hands=(1, 4)).apply(turn("Rd@2,0"))
    assert not game.is_over
    assert game.hands == (1, 4)
    game = game.apply(SpecialDrawn("swap"))
    assert game.is_over
    assert game.hands == (0, 4)
    assert game.totals == (9, 0)


def test_a_special_tile_that_nothing_replaces_leaves_a_smaller_hand() -> None:
    game = ending(TWO, bag=2, hands=(6, 6)).apply(TilesExchanged(2)).apply(SpecialDrawn("ask"))
    assert game.hands == (5, 6)
    assert game.bag == 2


def test_finishing_in_the_first_half_of_a_double_turn() -> None:
    game = ending(READY, bag=0, hands=(1, 4))
    game = game.apply(ActionUsed("double_turn")).apply(turn("Rd@2,0"))
    assert game.is_over
    assert game.winners == (0,)
