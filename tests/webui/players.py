"""Simulated players with real hands, for whole games on the page."""

from __future__ import annotations

import random
from collections.abc import Sequence
from dataclasses import dataclass, field

from scorer.fitting import fitting_cells
from scorer.game import Game
from scorer.opening import largest_sets
from scorer.rules import judge
from scorer.tiles import Placed, Tile
from scorer.tilesets import HAND_SIZE


@dataclass(slots=True)
class Hands:
    """The bag and everybody's tiles."""

    bag: list[Tile]
    hands: list[list[Tile]] = field(default_factory=list)

    @classmethod
    def deal(cls, game: Game, seed: int) -> Hands:
        """Mix the box and let everybody draw."""
        bag = sorted(game.state.box.tiles().elements())
        random.Random(seed).shuffle(bag)
        dealt = cls(bag, [[] for _ in game.players])
        for player in range(len(game.players)):
            dealt.refill(player)
        return dealt

    def refill(self, player: int) -> None:
        """Draw up to six."""
        while self.bag and len(self.hands[player]) < HAND_SIZE:
            self.hands[player].append(self.bag.pop())

    def play(self, player: int, placed: Sequence[Placed]) -> None:
        """Take the placed tiles out of the hand, and draw."""
        for _, tile in placed:
            self.hands[player].remove(tile)
        self.refill(player)

    def exchange(self, player: int) -> int:
        """Exchange as many as possible and return how many."""
        count = min(len(self.hands[player]), len(self.bag))
        given, kept = self.hands[player][:count], self.hands[player][count:]
        self.hands[player] = kept
        self.refill(player)
        self.bag = given + self.bag
        return count


def choose(game: Game, hand: Sequence[Tile]) -> list[Placed]:
    """A good move, or none where nothing fits."""
    if not game.board:
        return [Placed((x, 0), tile) for x, tile in enumerate(largest_sets(hand)[0])]
    best: list[Placed] = []
    for tile in dict.fromkeys(hand):
        for cell in sorted(fitting_cells(game.board, tile, game.state.rules)):
            move = _extended(game, [Placed(cell, tile)], hand)
            if not best or _points(game, move) > _points(game, best):
                best = move
    return best


def _extended(game: Game, move: list[Placed], hand: Sequence[Tile]) -> list[Placed]:
    """The move with more tiles beside the first one, along the row."""
    left = list(hand)
    left.remove(move[0].tile)
    (x, y) = move[0].cell
    for tile in left:
        x += 1
        longer = [*move, Placed((x, y), tile)]
        if (x, y) not in game.board and judge(game.board, longer, game.state.rules).legal:
            move = longer
        else:
            x -= 1
    return move


def _points(game: Game, move: Sequence[Placed]) -> int:
    return judge(game.board, move, game.state.rules).points
