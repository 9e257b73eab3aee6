"""Human authority: whatever a person corrects counts, and what a person set stays set."""

from __future__ import annotations

import random
from collections.abc import Iterator

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from scorer.errors import GameError
from scorer.event_json import event_from_json
from scorer.events import (
    ActionUsed,
    Event,
    GameStarted,
    LateStart,
    PointsEntered,
    SpecialDrawn,
    TilesExchanged,
    TurnAccepted,
    TurnCorrected,
    TurnInserted,
    TurnPlayed,
    TurnRemoved,
    TurnsMerged,
    TurnSplit,
    Undone,
)
from scorer.game import Game
from scorer.mending import add_tile, change_tile, move_tile, remove_tile, turn_at
from scorer.notation import parse_move
from scorer.options import Options
from scorer.simulate import SimulatedGame
from scorer.tiles import Placed, Tile


def turn(text: str, player: int | None = None) -> TurnPlayed:
    return TurnPlayed(parse_move(text), player=player)


def three_turns(*names: str) -> Game:
    """Anna 2, Ben 3, Anna 4 points in the red row."""
    game = Game.start(GameStarted("classic", names or ("Anna", "Ben")))
    for text in ("Ro@0,0 Rs@1,0", "Rd@2,0", "Rc@3,0"):
        game = game.apply(turn(text))
    return game


def points(game: Game) -> list[tuple[int, int]]:
    return [(t.player, t.points) for t in game.turns]


def test_a_tile_of_an_older_turn() -> None:
    game = three_turns().apply(TurnCorrected(2, placed=parse_move("Rd@-1,0")))
    assert points(game) == [(0, 2), (1, 3), (0, 0)]
    assert game.board[-1, 0] == Tile("diamond", "red")
    assert (2, 0) not in game.board
    assert game.turns[2].needs_a_look
    assert [v.code for v in game.turns[2].violations] == ["no_contact"]


def test_later_turns_are_scored_again() -> None:
    game = three_turns().apply(turn("Bd@2,1"))
    game = game.apply(TurnCorrected(1, placed=parse_move("R4@-1,0 Ro@0,0 Rs@1,0")))
    assert points(game) == [(0, 3), (1, 4), (0, 5), (1, 2)]
    assert game.totals == (8, 6)
    assert game.hands == (6, 6)
    assert game.bag == 96 - 6


def test_a_corrected_turn_may_break_rules_until_the_next_correction() -> None:
    game = three_turns().apply(TurnCorrected(2, placed=parse_move("B8@2,0")))
    assert game.turns[1].needs_a_look
    assert game.turns[1].points == 3
    game = game.apply(TurnAccepted(2))
    assert not game.turns[1].needs_a_look
    game = game.apply(TurnCorrected(2, placed=parse_move("R8@2,0")))
    assert not game.turns[1].violations


def test_points_set_by_a_person_stay_set() -> None:
    game = three_turns().apply(TurnCorrected(2, points=20, reason="house rule"))
    assert game.totals == (6, 20)
    game = game.apply(TurnCorrected(1, placed=parse_move("Ro@0,0 Rs@1,0 R4@-1,0")))
    game = game.apply(TurnCorrected(2, placed=parse_move("R8@2,0")))
    assert game.turns[1].points == 20
    assert game.turns[1].line_points == 4
    assert game.turns[1].is_points_set
    assert game.turns[1].reason == "house rule"
    assert game.totals == (3 + 5, 20)
    game = game.apply(TurnCorrected(2, clear_points=True))
    assert game.turns[1].points == 4
    assert not game.turns[1].is_points_set


def test_a_turn_given_to_another_player_leaves_the_others() -> None:
    game = three_turns("Anna", "Ben", "Clara").apply(TurnCorrected(2, player=0))
    assert points(game) == [(0, 2), (0, 3), (2, 4)]
    assert game.next_player == 0


def test_a_turn_given_to_another_player_may_shift_the_rotation() -> None:
    game = three_turns("Anna", "Ben", "Clara")
    game = game.apply(TurnCorrected(2, player=2, shift_following=True))
    assert points(game) == [(0, 2), (2, 3), (0, 4)]
    assert game.next_player == 1


def test_the_last_turn_given_to_another_player_moves_the_rotation() -> None:
    game = three_turns().apply(TurnCorrected(3, player=1))
    assert points(game) == [(0, 2), (1, 3), (1, 4)]
    assert game.next_player == 0


def test_two_turns_merged_into_one() -> None:
    game = three_turns().apply(TurnsMerged(1))
    assert points(game) == [(0, 3), (1, 4)]
    assert game.next_player == 0
    assert game.hands == (6, 6)


def test_a_named_player_stays_when_turns_are_merged() -> None:
    game = three_turns().apply(turn("R8@4,0", player=0)).apply(TurnsMerged(1))
    assert [t.player for t in game.turns] == [0, 1, 0]


def test_merged_turns_keep_the_points_that_were_set() -> None:
    game = three_turns().apply(TurnCorrected(2, points=10, reason="cheers")).apply(TurnsMerged(1))
    assert points(game) == [(0, 12), (1, 4)]
    assert game.turns[0].reason == "cheers"


def test_a_turn_split_into_two() -> None:
    game = three_turns().apply(TurnsMerged(1)).apply(TurnSplit(1, ((0, 0), (1, 0))))
    assert game.state == three_turns().state
    game = game.apply(TurnSplit(1, ((0, 0),), player=0))
    assert points(game) == [(0, 0), (0, 2), (1, 3), (0, 4)]


def test_a_split_turn_keeps_the_points_that_were_set_for_the_whole() -> None:
    game = three_turns().apply(TurnCorrected(1, points=9)).apply(TurnSplit(1, ((0, 0),)))
    assert points(game)[:2] == [(0, 9), (1, 0)]


def test_a_turn_that_never_happened_and_one_that_was_missed() -> None:
    game = three_turns().apply(TurnRemoved(3))
    assert points(game) == [(0, 2), (1, 3)]
    game = game.apply(TurnInserted(2, count=2))
    assert [(t.kind, t.player) for t in game.turns] == [("place", 0), ("exchange", 1), ("place", 0)]
    game = game.apply(TurnInserted(4, parse_move("Rc@3,0")))
    assert game.turns[3].points == 4
    game = game.apply(TurnInserted(1))
    assert game.turns[0].kind == "pass"
    assert game.turns[0].needs_a_look


def test_the_table_of_a_late_start_is_turn_nought() -> None:
    game = Game.start(GameStarted("classic", ("Anna", "Ben")))
    game = game.apply(LateStart(parse_move("Ro@0,0 Bs@1,0"), (5, 6))).apply(turn("Yo@0,1"))
    game = game.apply(TurnCorrected(0, placed=parse_move("Ro@0,0 Rs@1,0 Rd@2,0")))
    assert game.bag == 108 - 12 - 3 - 1
    assert game.totals == (7, 6)


def test_an_exchange_corrected_to_a_placement_and_to_another_number() -> None:
    game = three_turns().apply(TilesExchanged(2))
    assert game.apply(TurnCorrected(4, count=3)).turns[3].count == 3
    placed = game.apply(TurnCorrected(4, placed=parse_move("R4@4,0")))
    assert points(placed)[3] == (1, 5)


def test_bare_points_can_be_changed() -> None:
    game = three_turns().apply(PointsEntered(5)).apply(TurnCorrected(4, points=6))
    assert game.totals == (6, 9)


@pytest.mark.parametrize(
    "event",
    [
        TurnCorrected(0, placed=()),
        TurnCorrected(4, points=1),
        TurnCorrected(-1, points=1),
        TurnCorrected(1, player=2),
        TurnCorrected(1, count=1),
        TurnsMerged(3),
        TurnsMerged(0),
        TurnSplit(1, ()),
        TurnSplit(1, ((0, 0), (1, 0))),
        TurnSplit(9, ((0, 0),)),
        TurnRemoved(4),
        TurnInserted(0),
        TurnInserted(6),
        TurnAccepted(9),
    ],
)
def test_a_correction_that_makes_no_sense_changes_nothing(event: Event) -> None:
    with pytest.raises(GameError):
        three_turns().apply(event)


def test_only_what_breaks_rules_can_be_accepted() -> None:
    game = three_turns().apply(PointsEntered(5))
    with pytest.raises(GameError, match="breaks no rule"):
        game.apply(TurnAccepted(4))
    with pytest.raises(GameError, match="placed no tiles"):
        game.apply(TurnsMerged(3))


def test_an_action_before_the_second_of_two_merged_turns_counts_for_both() -> None:
    options = Options(expansions=("mini",))
    game = Game.start(GameStarted("classic", ("Anna", "Ben"), options=options))
    for event in (
        turn("Ro@0,0 Rs@1,0"),
        SpecialDrawn("draw_three"),
        turn("Rd@2,0"),
        ActionUsed("draw_three"),
        turn("Rc@3,0"),
        turn("R4@4,0"),
    ):
        game = game.apply(event)
    merged = game.apply(TurnsMerged(2))
    assert merged.turns[1].action == "draw_three"
    assert [t.player for t in merged.turns] == [0, 1, 0]


def test_a_tap_on_a_tile_finds_its_turn() -> None:
    game = three_turns()
    assert [turn_at(game, (x, 0)) for x in range(4)] == [1, 1, 2, 3]
    with pytest.raises(GameError, match="no tile"):
        turn_at(game, (9, 9))


def test_a_tile_changed_moved_removed_and_added() -> None:
    game = three_turns()
    game = game.apply(change_tile(game, (2, 0), Tile("star8", "red")))
    assert game.board[2, 0] == Tile("star8", "red")
    game = game.apply(move_tile(game, (3, 0), (-1, 0)))
    assert set(game.board) == {(-1, 0), (0, 0), (1, 0), (2, 0)}
    game = game.apply(add_tile(game, 2, Placed((3, 0), Tile("star4", "red"))))
    assert [t.points for t in game.turns] == [2, 4, 5]
    game = game.apply(remove_tile(game, (0, 0)))
    assert [t.count for t in game.turns] == [1, 2, 1]
    game = game.apply(remove_tile(game, (-1, 0)))
    assert len(game.turns) == 2
    with pytest.raises(GameError, match="no turn 7"):
        add_tile(game, 7, Placed((3, 0), Tile("star4", "red")))
    with pytest.raises(GameError, match="no turn 0"):
        add_tile(game, 0, Placed((3, 0), Tile("star4", "red")))


def test_a_tile_that_lay_there_before_the_late_start() -> None:
    game = Game.start(GameStarted("classic", ("Anna", "Ben")))
    game = game.apply(LateStart(parse_move("Ro@0,0 Rs@1,0"), (5, 6)))
    assert turn_at(game, (1, 0)) == 0
    game = game.apply(change_tile(game, (1, 0), Tile("diamond", "red")))
    assert game.board[1, 0] == Tile("diamond", "red")
    assert list(game.apply(remove_tile(game, (1, 0))).board) == [(0, 0)]


def corrections(rng: random.Random, game: Game) -> Iterator[Event]:
    """Corrections of any kind, sensible or not."""
    number = rng.randint(0, len(game.turns) + 1)
    placed = game.turns[rng.randrange(len(game.turns))].placed
    cells = tuple(cell for cell, _ in placed[: rng.randint(0, len(placed))])
    player = rng.choice([None, *range(len(game.players))])
    yield TurnCorrected(number, player=player, points=rng.choice([None, 7]))
    yield TurnCorrected(number, placed=placed, shift_following=rng.random() < 0.5)
    yield TurnAccepted(number)
    yield TurnsMerged(number)
    yield TurnSplit(number, cells, player)
    yield TurnRemoved(number)
    yield TurnInserted(number, placed if rng.random() < 0.3 else (), rng.randint(0, 3), player)
    yield Undone()


@settings(max_examples=60)
@given(st.integers(0, 10**6))
def test_any_corrections_of_any_game_hold_together(seed: int) -> None:
    rng = random.Random(seed)
    options = Options(expansions=("expansion2",)) if seed % 2 else Options()
    turns = SimulatedGame("classic", 2 + seed % 3, seed, options).play()
    game = Game.fold([event for _ in range(rng.randint(2, 20)) for event in next(turns, ())])
    for _ in range(8):
        if not game.turns:
            break
        event = rng.choice(list(corrections(rng, game)))
        try:
            changed = game.apply(event)
        except GameError:
            continue
        if changed.can_undo and not isinstance(event, Undone):
            assert changed.apply(Undone()).state == game.state
        game = changed
        made = [
            sum(t.points + t.bonus for t in game.turns if t.player == p)
            for p, _ in enumerate(game.players)
        ]
        ending = game.state.ending
        if ending is None or ending.player is None or any(t.bonus for t in game.turns):
            assert list(game.totals) == made
        assert [t.number for t in game.turns] == list(range(1, len(game.turns) + 1))
    assert Game.fold(event_from_json(e.to_json()) for e in game.events) == game
