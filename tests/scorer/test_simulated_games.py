"""What the scorekeeper infers, against simulated games that know the hands.

The scorekeeper is given what it would see or be told: placed tiles, exchanges, passes, action
and special tiles. Hand sizes, bag, end of the game and unseen tiles must come out right.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from dataclasses import replace

import pytest

from scorer.event_json import event_from_json
from scorer.events import Event, GameStarted
from scorer.game import Game
from scorer.options import DEFAULTS, Options
from scorer.report import csv_rows
from scorer.simulate import SimulatedGame
from scorer.tiles import Tile
from scorer.tilesets import TileSet, tileset

GAMES = 2_000
EXPANDED = (
    Options(expansions=("mini",)),
    Options(expansions=("expansion2",)),
    Options(expansions=("mini", "expansion2")),
    Options(expansions=("expansion2",), actions_from_start=True),
    Options(expansions=("expansion2",), left_out_actions=("take", "ask")),
    Options(expansions=("mini",), returned_under_stacks=True),
)
SMALL = replace(tileset("classic"), copies=(("black", 1),))
"""A box of 36 tiles: the bag is empty early, so that players have to pass."""


def told(game: Game | None, events: tuple[Event, ...]) -> Game:
    for event in events:
        if isinstance(event, GameStarted):
            game = Game.start(event)
        else:
            assert game is not None
            game = game.apply(event)
    assert game is not None
    return game


def hidden(table: SimulatedGame) -> Counter[Tile]:
    in_bag = Counter(drawn for drawn in table.bag if isinstance(drawn, Tile))
    return sum((Counter(hand) for hand in table.hands), in_bag)


def followed(table: SimulatedGame) -> Iterator[Game]:
    """The scorekeeper's view after every turn, compared with how things really are."""
    game: Game | None = None
    for events in table.play():
        game = told(game, events)
        assert game.hands == tuple(len(hand) for hand in table.hands)
        assert game.bag == len(table.bag)
        assert game.is_over == table.is_over
        assert game.is_over or game.next_player == table.player
        yield game


def play_to_the_end(table: SimulatedGame) -> Game:
    for game in followed(table):
        if len(game.turns) % 8 == 0:
            assert game.unseen == hidden(table)
    assert game.is_over
    assert game.unseen == hidden(table)
    assert dict(game.board) == table.board
    assert game.warnings == ()
    assert game.actions == tuple(tuple(own) for own in table.actions)
    assert not any(turn.violations for turn in game.turns)
    check_ending(game, table)
    return game


def check_ending(game: Game, table: SimulatedGame) -> None:
    ending = game.state.ending
    assert ending is not None
    assert ending.player == table.finisher
    assert ending.bonus == (0 if table.finisher is None else 6)
    assert ending.how == ("deadlock" if table.finisher is None else "out")
    made = [sum(t.points for t in game.turns if t.player == p) for p in range(len(game.players))]
    if table.finisher is not None:
        made[table.finisher] += 6
    assert game.totals == tuple(made)
    best = max(made)
    assert game.winners == tuple(p for p, total in enumerate(made) if total == best)


def simulated(rules: str, seed: int, options: Options, box: TileSet | None = None) -> SimulatedGame:
    return SimulatedGame(rules, players=2 + seed % 3, seed=seed, options=options, box=box)


@pytest.mark.parametrize("part", range(4))
@pytest.mark.parametrize("rules", ["classic", "flex", "flex72"])
def test_inference_over_full_games(rules: str, part: int) -> None:
    for seed in range(part, GAMES, 4):
        play_to_the_end(simulated(rules, seed, DEFAULTS))


@pytest.mark.parametrize("part", range(4))
def test_inference_over_full_games_with_action_tiles(part: int) -> None:
    used: Counter[str] = Counter()
    for seed in range(part, GAMES, 4):
        game = play_to_the_end(simulated("classic", seed, EXPANDED[seed % len(EXPANDED)]))
        used.update(turn.action for turn in game.turns)
    assert set(used) == {"", "ask", "draw_three", "swap", "take", "separate", "double_turn"}


def test_inference_where_players_get_stuck() -> None:
    kinds: Counter[str] = Counter()
    for seed in range(400):
        options = (DEFAULTS, *EXPANDED)[seed % (len(EXPANDED) + 1)]
        game = play_to_the_end(simulated("classic", seed, options, SMALL))
        assert game.state.ending is not None
        kinds.update({game.state.ending.how, *(turn.kind for turn in game.turns)})
    assert kinds.keys() >= {"out", "place", "exchange", "pass"}


def test_flex_with_action_tiles_as_a_house_rule() -> None:
    options = Options(expansions=("expansion2",), flex_with_expansions=True)
    for seed in range(60):
        play_to_the_end(simulated("flex", seed, options))


def test_six_players_as_a_house_rule() -> None:
    options = Options(six_players=True)
    for seed in range(20):
        play_to_the_end(SimulatedGame("classic", players=6, seed=seed, options=options))


def test_a_seed_always_plays_the_same_game() -> None:
    for rules in ("classic", "flex"):
        once = [event for turn in SimulatedGame(rules, 3, 5).play() for event in turn]
        assert once == [event for turn in SimulatedGame(rules, 3, 5).play() for event in turn]
        assert once != [event for turn in SimulatedGame(rules, 3, 6).play() for event in turn]


def test_skill_pays() -> None:
    points = [
        sum(play_to_the_end(SimulatedGame("flex", 2, seed, skill=skill)).totals)
        for skill in (1, 12)
        for seed in (1, 2, 3)
    ]
    assert sum(points[3:]) > sum(points[:3])


@pytest.mark.parametrize("rules", ["classic", "flex", "flex72", "expanded"])
def test_folding_the_exported_events_gives_the_same_state(rules: str) -> None:
    for seed in range(40):
        options = EXPANDED[seed % len(EXPANDED)] if rules == "expanded" else DEFAULTS
        table = simulated("classic" if rules == "expanded" else rules, seed, options)
        game = play_to_the_end(table)
        again = Game.fold(event_from_json(event.to_json()) for event in game.events)
        assert again == game


def test_the_rows_of_a_table_add_up_to_the_totals() -> None:
    for seed in range(20):
        game = play_to_the_end(simulated("classic", seed, EXPANDED[seed % len(EXPANDED)]))
        rows = csv_rows(game)
        for name, total in zip(game.players, game.totals, strict=True):
            own = [row for row in rows if row["player"] == name]
            assert sum(int(str(r["points"] or 0)) + int(str(r["bonus"] or 0)) for r in own) == total
            assert own[-1]["total"] == total
