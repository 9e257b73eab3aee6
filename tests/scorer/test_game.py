"""A game as a family plays it: turns, exchanges, the end, undo and redo."""

from __future__ import annotations

import random
from dataclasses import replace

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from scorer.errors import GameError, IllegalTurnError
from scorer.events import (
    Event,
    GameEnded,
    GameStarted,
    LateStart,
    PointsAdjusted,
    PointsEntered,
    Redone,
    TilesExchanged,
    TurnPassed,
    TurnPlayed,
    Undone,
)
from scorer.game import Game
from scorer.notation import parse_move
from scorer.options import Options
from scorer.simulate import SimulatedGame
from scorer.tiles import Placed, Tile
from scorer.tilesets import tileset, with_colours


def turn(text: str, player: int | None = None, accepted: bool = False) -> TurnPlayed:
    return TurnPlayed(parse_move(text), player=player, accepted=accepted)


def new_game(*names: str, rules: str = "classic") -> Game:
    return Game.start(GameStarted(rules, names or ("Anna", "Ben")))


def played(game: Game, *events: Event) -> Game:
    for event in events:
        game = game.apply(event)
    return game


def nearly_over(bag: int, hands: tuple[int, int]) -> Game:
    """A game that was joined late, with few tiles left."""
    late = LateStart(parse_move("Ro@0,0 Rs@1,0"), (50, 40), bag=bag, hands=hands)
    return new_game().apply(late)


def test_a_new_game() -> None:
    game = new_game("Anna", "Ben", "Clara")
    assert game.totals == (0, 0, 0)
    assert game.hands == (6, 6, 6)
    assert game.bag == 90
    assert game.next_player == 0
    assert sum(game.unseen.values()) == 108
    assert not game.is_over
    assert game.winners == ()
    assert not game.can_undo
    assert not game.can_redo


def test_turns_go_round_and_points_add_up() -> None:
    game = played(new_game(), turn("Ro@0,0 Rs@1,0"), turn("Rd@2,0"), turn("Bs@1,1"))
    assert game.totals == (4, 3)
    assert [t.player for t in game.turns] == [0, 1, 0]
    assert [t.total for t in game.turns] == [2, 3, 4]
    assert game.next_player == 1
    assert game.bag == 96 - 4
    assert game.unseen[Tile("circle", "red")] == 2


def test_the_starter_starts() -> None:
    game = Game.start(GameStarted("classic", ("Anna", "Ben", "Clara"), starter=2))
    game = played(game, turn("Ro@0,0"), turn("Rs@1,0"))
    assert [t.player for t in game.turns] == [2, 0]


@pytest.mark.parametrize(
    "start",
    [
        GameStarted("chess", ("Anna", "Ben")),
        GameStarted("classic", ("Anna",)),
        GameStarted("classic", tuple("ABCDE")),
        GameStarted("classic", ("Anna", "Anna")),
        GameStarted("classic", ("Anna", " ")),
        GameStarted("classic", ("Anna", "Ben"), starter=2),
        GameStarted("flex", ("Anna", "Ben"), box=tileset("classic")),
        GameStarted("flex", ("Anna", "Ben"), options=Options(expansions=("mini",))),
    ],
)
def test_a_game_that_cannot_be_played_does_not_start(start: GameStarted) -> None:
    with pytest.raises(GameError):
        Game.start(start)


def test_house_rules_allow_more() -> None:
    six = Game.start(GameStarted("classic", tuple("ABCDEF"), options=Options(six_players=True)))
    assert six.bag == 108 - 36
    both = Options(expansions=("mini",), flex_with_expansions=True)
    assert Game.start(GameStarted("flex", ("Anna", "Ben"), options=both)).bag == 98


def test_a_family_plays_with_its_own_colours() -> None:
    box = with_colours(tileset("classic"), ["red", "orange", "yellow", "green", "blue", "pink"])
    game = Game.start(GameStarted("classic", ("Anna", "Ben"), box=box))
    game = game.apply(turn("(pink)o@0,0 (pink)s@1,0"))
    assert game.totals == (2, 0)
    assert game.unseen[Tile("circle", "pink")] == 2
    assert game.warnings == ()


def test_an_illegal_turn_is_refused_with_all_reasons_and_changes_nothing() -> None:
    game = new_game().apply(turn("Yd@0,0"))
    with pytest.raises(IllegalTurnError, match="two yellow diamonds in one row") as refused:
        game.apply(turn("Yd@1,0 Rs@3,0"))
    codes = [violation.code for violation in refused.value.violations]
    assert codes == ["gap", "no_contact", "line_duplicate"]
    assert len(game.turns) == 1


def test_a_person_can_have_an_illegal_turn_counted_anyway() -> None:
    game = played(new_game(), turn("Yd@0,0"), turn("Yd@1,0", accepted=True))
    assert game.totals == (0, 2)
    assert game.turns[1].is_accepted
    assert game.turns[1].violations
    assert not game.turns[1].needs_a_look


def test_a_move_can_be_judged_before_it_is_played() -> None:
    game = new_game().apply(turn("Ro@0,0 Rs@1,0"))
    assert game.judge(parse_move("Rd@2,0")).score == 3
    assert game.judge(parse_move("Ro@2,0")).codes == ("line_duplicate",)
    assert len(game.turns) == 1


def test_an_exchange_costs_the_turn_and_nothing_else() -> None:
    game = played(new_game(), turn("Ro@0,0"), TilesExchanged(3))
    assert game.totals == (0, 0)
    assert game.bag == 95
    assert game.hands == (6, 6)
    assert game.next_player == 0
    assert game.turns[1].kind == "exchange"


@pytest.mark.parametrize(
    ("event", "words"),
    [
        (TilesExchanged(0), "at least one"),
        (TilesExchanged(7), "at most six"),
        (TurnPassed(), "exchange instead"),
        (TurnPlayed(()), "no tile"),
        (turn("Rs@1,0", player=2), "no player 2"),
        (turn("Rs@1,0", player=-1), "no player -1"),
        (GameStarted("classic", ("Anna", "Ben")), "already started"),
        (Redone(), "nothing to redo"),
        (LateStart((), (1, 2)), "before the first turn"),
        (PointsAdjusted(5, 1), "no player 5"),
        (GameEnded(7), "no player 7"),
    ],
)
def test_what_cannot_happen_is_refused_in_one_sentence(event: Event, words: str) -> None:
    game = new_game().apply(turn("Ro@0,0"))
    with pytest.raises(GameError, match=words):
        game.apply(event)


def test_the_first_turn_must_place() -> None:
    for event in (TilesExchanged(1), TurnPassed()):
        with pytest.raises(IllegalTurnError, match="first turn"):
            new_game().apply(event)
    assert new_game().apply(TilesExchanged(1, accepted=True)).next_player == 1


def test_exchange_is_limited_by_the_bag() -> None:
    game = nearly_over(bag=2, hands=(6, 6))
    with pytest.raises(IllegalTurnError, match="only two tiles left in the bag"):
        game.apply(TilesExchanged(3))
    assert game.apply(TilesExchanged(2)).bag == 2


def test_going_out_ends_the_game_with_six_points() -> None:
    game = nearly_over(bag=0, hands=(1, 3)).apply(turn("Rd@2,0"))
    assert game.is_over
    assert game.totals == (50 + 3 + 6, 40)
    assert game.turns[0].bonus == 6
    assert game.winners == (0,)
    with pytest.raises(GameError, match="over"):
        game.apply(turn("Rc@3,0"))


def test_an_empty_hand_is_refilled_while_the_bag_lasts() -> None:
    game = nearly_over(bag=5, hands=(1, 6)).apply(turn("Rd@2,0"))
    assert not game.is_over
    assert game.hands == (5, 6)
    assert game.bag == 0


def test_a_game_that_goes_on_was_not_over() -> None:
    game = nearly_over(bag=0, hands=(1, 3)).apply(turn("Rd@2,0"))
    game = game.apply(turn("Rc@3,0", accepted=True))
    assert not game.is_over
    assert game.totals == (53, 44)
    assert game.turns[0].bonus == 0
    assert game.turns[0].total == 53


def test_everybody_passes() -> None:
    game = played(nearly_over(bag=0, hands=(2, 3)), TurnPassed(), TurnPassed())
    assert game.is_over
    assert game.totals == (50, 40)
    assert game.state.ending is not None
    assert game.state.ending.how == "deadlock"


def test_passes_must_follow_each_other() -> None:
    game = played(nearly_over(bag=0, hands=(2, 3)), TurnPassed(), turn("Rd@2,0"), TurnPassed())
    assert not game.is_over


def test_no_tile_fits_any_more() -> None:
    """A scrambled square of 35 tiles: every line has six or does not match."""
    box = replace(tileset("classic"), copies=(("black", 1),))
    faces = list(box.faces)
    random.Random(3).shuffle(faces)
    cells = [(x, y) for x in range(6) for y in range(6)][:35]
    board = tuple(Placed(c, Tile(*face)) for c, face in zip(cells, faces, strict=False))
    game = Game.start(GameStarted("classic", ("Anna", "Ben", "Clara"), box=box))
    game = played(game, LateStart(board, (7, 7, 5)), TurnPassed())
    assert game.hands == (1, 0, 0)
    assert game.is_over
    assert game.winners == (0, 1)
    assert game.totals == (7, 7, 5)


def test_a_person_ends_the_game() -> None:
    game = played(new_game(), turn("Ro@0,0 Rs@1,0"), GameEnded(reason="bedtime"))
    assert game.is_over
    assert game.winners == (0,)
    with pytest.raises(GameError, match="over"):
        game.apply(GameEnded())
    out = played(new_game(), turn("Ro@0,0 Rs@1,0"), GameEnded(player=1))
    assert out.totals == (2, 6)


def test_points_without_tiles_as_on_paper() -> None:
    game = played(new_game(), PointsEntered(7), PointsEntered(12, tiles=2), PointsEntered(3))
    assert game.totals == (10, 12)
    assert game.next_player == 1
    assert game.bag == 94
    assert [t.kind for t in game.turns] == ["points"] * 3
    assert not game.state.knows_tiles
    assert new_game().state.knows_tiles


def test_points_given_and_taken() -> None:
    game = played(new_game(), turn("Ro@0,0 Rs@1,0"), PointsAdjusted(1, -4, "broke a cup"))
    assert game.totals == (2, -4)
    assert game.next_player == 1


def test_a_late_start_infers_bag_and_hands() -> None:
    board = parse_move("Ro@0,0 Rs@1,0 Rd@2,0")
    game = new_game().apply(LateStart(board, (10, 20), next_player=1))
    assert game.bag == 108 - 3 - 12
    assert game.totals == (10, 20)
    assert game.next_player == 1
    assert game.apply(turn("Rc@3,0")).totals == (10, 24)


def test_a_late_start_without_enough_tiles_for_full_hands() -> None:
    board = tuple(
        Placed((x, y), tile)
        for (x, y), tile in zip(
            [(x, y) for x in range(10) for y in range(10)],
            tileset("flex").tiles(),
            strict=False,
        )
    )
    game = new_game(rules="flex").apply(LateStart(board, (90, 80), next_player=1))
    assert game.bag == 0
    assert game.hands == (4, 4)


@pytest.mark.parametrize(
    "late",
    [
        LateStart((), (1,)),
        LateStart((), (1, 2), hands=(6,)),
        LateStart((), (1, 2), hands=(6, -1)),
        LateStart((), (1, 2), bag=-1),
        LateStart((), (1, 2), next_player=2),
        LateStart(parse_move("Ro@0,0 Rs@0,0"), (1, 2)),
    ],
)
def test_a_late_start_that_makes_no_sense_is_refused(late: LateStart) -> None:
    with pytest.raises(GameError):
        new_game().apply(late)


def test_more_copies_than_exist_are_warned_of() -> None:
    game = played(new_game(rules="flex"), turn("Ro@0,0 Rs@1,0"), turn("Ro@1,1"))
    (warning,) = game.warnings
    assert warning.code == "impossible_inventory"
    assert warning.cells == ((0, 0), (1, 1))


def test_more_tiles_than_the_hand_holds_are_warned_of() -> None:
    game = nearly_over(bag=0, hands=(1, 3)).apply(turn("Rd@2,0 Rc@3,0"))
    assert [warning.code for warning in game.warnings] == ["placed_more_than_hand"]


def test_any_integers_are_cells() -> None:
    far = -(10**20)
    game = played(new_game(), turn(f"Ro@{far},5"), turn(f"Rs@{far + 1},5"))
    assert game.totals == (0, 2)


def test_a_list_of_events_must_begin_with_a_start() -> None:
    for events in ([], [Undone()], [turn("Ro@0,0")]):
        with pytest.raises(GameError, match="start"):
            Game.fold(events)


def test_a_recorded_game_can_always_be_opened_again() -> None:
    start = GameStarted("classic", ("Anna", "Ben"))
    game = Game.fold([start, turn("Yd@0,0"), turn("Yd@1,0"), GameEnded(), turn("Yo@2,0")])
    assert [t.needs_a_look for t in game.turns] == [False, True, True]
    assert game.totals == (3, 2)
    assert not game.is_over
    with pytest.raises(GameError, match="no player 5"):
        Game.fold([start, turn("Yd@0,0", player=5)])


def test_nothing_to_undo_at_the_start() -> None:
    with pytest.raises(GameError, match="nothing to undo"):
        new_game().apply(Undone())


def test_something_new_ends_the_chance_to_redo() -> None:
    game = played(new_game(), turn("Ro@0,0"), Undone(), turn("Bs@0,0"))
    assert not game.can_redo
    assert game.board[0, 0] == Tile("square", "blue")


def partly_played(seed: int) -> Game:
    rng = random.Random(seed)
    options = Options(expansions=("expansion2",)) if seed % 2 else Options()
    turns = SimulatedGame("classic", 2 + seed % 3, seed, options).play()
    events = [event for _ in range(rng.randint(1, 25)) for event in next(turns, ())]
    return Game.fold(events)


@settings(max_examples=60)
@given(st.integers(0, 10**6))
def test_undo_takes_back_exactly_what_was_played(seed: int) -> None:
    game = partly_played(seed)
    before = Game.fold(game.events[:-1])
    undone = game.apply(Undone())
    assert undone.state == before.state
    assert undone.can_undo == before.can_undo
    assert undone.apply(Redone()).state == game.state


@settings(max_examples=30)
@given(st.integers(0, 10**6))
def test_undo_and_redo_have_no_limit(seed: int) -> None:
    game = partly_played(seed)
    states = [game.state]
    while game.can_undo:
        game = game.apply(Undone())
        states.append(game.state)
    assert not game.turns
    for state in reversed(states[:-1]):
        game = game.apply(Redone())
        assert game.state == state
    assert not game.can_redo
    assert Game.fold(game.events) == game
