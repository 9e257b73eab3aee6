"""Simulated players: a whole game, played with hands, a bag and the real rules."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from random import Random

from scorer.board import frontier
from scorer.rules import judge
from scorer.tiles import Cell, Placed, Tile
from scorer.tilesets import HAND_SIZE, TileSet, tileset

MOST_EXCHANGES = 12
"""A game in which nothing fits any more is ended after this many exchanges in a row."""


@dataclass(frozen=True, slots=True)
class Play:
    """One turn: tiles laid in this order, or none for an exchange (of `count`) or a pass."""

    player: int
    placed: tuple[Placed, ...]
    score: int
    action: str = "place"
    count: int = 0


@dataclass(frozen=True, slots=True)
class Position:
    """Where the simulated players take over a game."""

    rules: str = "flex"
    hands: tuple[int, ...] = (HAND_SIZE, HAND_SIZE)
    """How many tiles each player holds."""
    board: Mapping[Cell, Tile] = field(default_factory=dict)
    next_player: int = 0
    box: TileSet | None = None

    @property
    def tiles(self) -> TileSet:
        """The box that is played with."""
        return self.box or tileset(self.rules)


def play_game(
    seed: int, players: int, rules: str, is_allowed: Callable[[Cell], bool], most_turns: int
) -> list[Play]:
    """Play a game from the deal to the end, or until a number of turns is reached."""
    return play_on(seed, Position(rules, (HAND_SIZE,) * players), is_allowed, most_turns)


def play_on(
    seed: int, position: Position, is_allowed: Callable[[Cell], bool], most_turns: int
) -> list[Play]:
    """Play from a position; which tiles the players hold is drawn by lot."""
    rng = Random(seed)
    unseen = position.tiles.tiles() - Counter(position.board.values())
    bag = sorted(unseen.elements())
    rng.shuffle(bag)
    hands = [[bag.pop() for _ in range(min(count, len(bag)))] for count in position.hands]
    return list(_turns(rng, bag, hands, position, is_allowed, most_turns))


def _turns(
    rng: Random,
    bag: list[Tile],
    hands: list[list[Tile]],
    position: Position,
    is_allowed: Callable[[Cell], bool],
    most_turns: int,
) -> Iterator[Play]:
    board, rules = dict(position.board), position.rules
    player, idle = position.next_player, 0
    for _ in range(most_turns):
        hand = hands[player]
        placed = choose_move(rng, board, hand, rules, is_allowed)
        if placed:
            idle = 0
            yield Play(player, placed, judge(board, placed, rules).score)
            board.update(placed)
            for _, tile in placed:
                hand.remove(tile)
            if not hand and not bag:
                return
            hand += [bag.pop() for _ in range(min(HAND_SIZE - len(hand), len(bag)))]
        else:
            idle += 1
            count = min(len(hand), len(bag))
            yield Play(player, (), 0, "exchange" if bag else "pass", count)
            _exchange(rng, bag, hand)
        if idle > (MOST_EXCHANGES if bag else len(hands) - 1):
            return
        player = (player + 1) % len(hands)


def _exchange(rng: Random, bag: list[Tile], hand: list[Tile]) -> None:
    count = min(len(hand), len(bag))
    given, hand[:] = hand[:count], hand[count:] + [bag.pop() for _ in range(count)]
    bag += given
    rng.shuffle(bag)


def choose_move(
    rng: Random,
    board: dict[Cell, Tile],
    hand: list[Tile],
    rules: str,
    is_allowed: Callable[[Cell], bool],
) -> tuple[Placed, ...]:
    """One of the better moves of a hand, or nothing if no tile fits."""
    cells = sorted(frontier(board)) if board else [(0, 0)]
    moves: list[tuple[Placed, ...]] = []
    for cell in cells:
        if is_allowed(cell):
            moves += _moves_from(board, cell, hand, rules, is_allowed)
    if not moves:
        return ()
    rng.shuffle(moves)
    wanted = rng.choice((1, 2, 2, 3, 3, 6))
    moves.sort(key=lambda move: -judge(board, move, rules).score - 2 * min(len(move), wanted))
    return moves[min(len(moves) - 1, int(rng.expovariate(0.7)))]


def _moves_from(
    board: dict[Cell, Tile],
    cell: Cell,
    hand: list[Tile],
    rules: str,
    is_allowed: Callable[[Cell], bool],
) -> Iterator[tuple[Placed, ...]]:
    for tile in sorted(set(hand)):
        single = (Placed(cell, tile),)
        if judge(board, single, rules).legal:
            yield single
            for step in ((1, 0), (0, 1), (-1, 0), (0, -1)):
                yield from _longer(board, single, hand, step, rules, is_allowed)


def _longer(
    board: dict[Cell, Tile],
    move: tuple[Placed, ...],
    hand: list[Tile],
    step: Cell,
    rules: str,
    is_allowed: Callable[[Cell], bool],
) -> Iterator[tuple[Placed, ...]]:
    """The move with more and more tiles of the hand in one direction, the first that fit."""
    (x, y), rest = move[-1].cell, list(hand)
    for _, tile in move:
        rest.remove(tile)
    while (x, y) in board or (x, y) == move[-1].cell:
        x, y = x + step[0], y + step[1]
    if not is_allowed((x, y)):
        return
    for tile in sorted(set(rest)):
        longer = (*move, Placed((x, y), tile))
        if judge(board, longer, rules).legal:
            yield longer
            yield from _longer(board, longer, hand, step, rules, is_allowed)
            return
