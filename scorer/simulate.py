"""Games played by simulated players who hold real hands, for tests and for the demo table.

    table = SimulatedGame("flex", players=3, seed=7)
    for events in table.play():
        ...

`play` yields the events of one turn after the other, the first time together with the start of
the game. After each, `hands`, `bag`, `board` and `is_over` say how things really are. The same
seed plays the same game. `skill` is how many moves a player thinks of before choosing the best.
"""

from __future__ import annotations

import random
from collections.abc import Iterator
from typing import TypeAlias

from scorer.events import (
    ActionUsed,
    Event,
    GameStarted,
    SpecialDrawn,
    TilesExchanged,
    TurnPassed,
    TurnPlayed,
)
from scorer.expansions import judge_take
from scorer.fitting import anything_fits
from scorer.moves import Moves
from scorer.opening import largest_sets, set_size, starting_player
from scorer.options import DEFAULTS, Options
from scorer.tiles import Cell, Placed, Tile
from scorer.tilesets import HAND_SIZE, TileSet, tileset

NAMES = ("Anna", "Ben", "Clara", "David", "Emma", "Felix")
_EXCHANGES_FREELY = 0.03
_USES_ACTION = 0.4

Drawn: TypeAlias = Tile | str
"""What a bag holds: tiles, and special tiles by their kind of action."""


class SimulatedGame:
    """A table that knows everything."""

    def __init__(
        self,
        rules: str = "classic",
        players: int = 2,
        seed: int = 0,
        options: Options = DEFAULTS,
        box: TileSet | None = None,
        skill: int = 1,
    ) -> None:
        """Mix the tiles and deal."""
        self.rules, self.options, self.skill = rules, options, skill
        self.rng = random.Random(seed)
        self.box = box or tileset(rules)
        self.bag: list[Drawn] = [*self.box.tiles().elements(), *options.special_tiles]
        self.rng.shuffle(self.bag)
        self.hands: list[list[Tile]] = [[] for _ in range(players)]
        own = list(options.actions) if options.actions_from_start else []
        self.actions = [list(own) for _ in range(players)]
        self.board: dict[Cell, Tile] = {}
        self.moves = Moves(self.board, rules, self.rng)
        self.events: list[Event] = []
        self.passes = 0
        self.is_over = False
        self.finisher: int | None = None
        for player in range(players):
            self._draw(player, HAND_SIZE)
        self.player = self._starter()

    def play(self) -> Iterator[tuple[Event, ...]]:
        """The events of one turn after the other, until the game is over."""
        names = NAMES[: len(self.hands)]
        box = None if self.box == tileset(self.rules) else self.box
        dealt = tuple(self.events)
        start = GameStarted(self.rules, names, self.player, self.options, box)
        yield (start, *dealt, *self._turn())
        while not self.is_over:
            yield self._turn()

    def _starter(self) -> int:
        ages: list[int | None] = [self.rng.randint(5, 90) for _ in self.hands]
        sizes = [set_size(hand) for hand in self.hands]
        return starting_player(sizes, ages, self.options.tie_rule(self.rules))

    def _turn(self) -> tuple[Event, ...]:
        self.events = []
        if not self.board:
            self._open()
        elif self._choose_action() == "double_turn":
            self._ordinary_turn()
            if not self.is_over:
                self._ordinary_turn()
        self.player = (self.player + 1) % len(self.hands)
        return tuple(self.events)

    def _open(self) -> None:
        chosen = self.rng.choice(largest_sets(self.hands[self.player]))
        across = self.rng.random() < 0.5
        self._place([Placed((n, 0) if across else (0, n), tile) for n, tile in enumerate(chosen)])

    def _choose_action(self) -> str:
        """Use an action tile or none, and play the turn unless it is a double one."""
        own = self.actions[self.player]
        if not own or self.rng.random() > _USES_ACTION:
            self._ordinary_turn()
            return ""
        action = self.rng.choice(own)
        if action == "separate":
            self._separate()
        elif action == "double_turn":
            self._use(ActionUsed(action))
        else:
            self._prepare(action)
        return action

    def _prepare(self, action: str) -> None:
        """An action that is followed by an ordinary turn."""
        avoid: Placed | None = None
        if action == "ask":
            self._ask()
        elif action == "draw_three":
            self._use(ActionUsed(action))
            self._draw(self.player, 3)
        elif action == "swap":
            self._swap()
        else:
            avoid = self._take()
        self._ordinary_turn(avoid)

    def _ordinary_turn(self, avoid: Placed | None = None) -> None:
        hand = self.hands[self.player]
        freely = self.bag and self.rng.random() < _EXCHANGES_FREELY
        move = [] if freely else self.moves.best(hand, self.skill, avoid)
        if move:
            self._place(move)
        elif self.bag and hand:
            self._exchange()
        else:
            self._pass()

    def _place(self, placed: list[Placed]) -> None:
        for cell, tile in placed:
            self.hands[self.player].remove(tile)
            self.moves.put(cell, tile)
        self.events.append(TurnPlayed(tuple(placed)))
        self.passes = 0
        self._end_of_placement()

    def _end_of_placement(self) -> None:
        hand = self.hands[self.player]
        if hand or self.bag:
            self._draw(self.player, HAND_SIZE - len(hand))
        if not hand:
            self.is_over, self.finisher = True, self.player
        self._check_deadlock()

    def _exchange(self) -> None:
        hand = self.hands[self.player]
        count = self.rng.randint(1, min(HAND_SIZE, len(hand), len(self.bag)))
        self.events.append(TilesExchanged(count))
        self._give_and_draw(count)
        self.passes = 0
        self._check_deadlock()

    def _give_and_draw(self, count: int) -> None:
        hand = self.hands[self.player]
        self.rng.shuffle(hand)
        aside = [hand.pop() for _ in range(count)]
        self._draw(self.player, count)
        if self.options.returned_under_stacks:
            self.bag[:0] = aside
        else:
            self.bag += aside
            self.rng.shuffle(self.bag)

    def _pass(self) -> None:
        self.events.append(TurnPassed())
        self.passes += 1
        self.is_over = self.is_over or self.passes >= len(self.hands)
        self._check_deadlock()

    def _draw(self, player: int, count: int) -> None:
        """Draw so many tiles; a special tile is shown and replaced."""
        for _ in range(count):
            while self.bag:
                drawn = self.bag.pop()
                if isinstance(drawn, Tile):
                    self.hands[player].append(drawn)
                    break
                self.events.append(SpecialDrawn(drawn, player))
                for own in self.actions:
                    own.append(drawn)

    def _check_deadlock(self) -> None:
        if self.is_over or any("take" in own for own in self.actions) or "take" in self.bag:
            return
        hidden = [tile for hand in self.hands for tile in hand]
        hidden += [drawn for drawn in self.bag if isinstance(drawn, Tile)]
        self.is_over = not anything_fits(self.board, hidden, self.rules, self.options)

    def _use(self, event: ActionUsed) -> None:
        self.events.append(event)
        self.actions[self.player].remove(event.action)

    def _ask(self) -> None:
        wanted = self.rng.choice(self.box.faces)
        count = len(self.hands)
        for other in ((self.player + n) % count for n in range(1, count)):
            owned = [tile for tile in self.hands[other] if tile.face == wanted]
            if owned:
                self._use(ActionUsed("ask", giver=other))
                self.hands[other].remove(owned[0])
                self.hands[self.player].append(owned[0])
                self._draw(other, 1)
                return
        drew = self.rng.random() < 0.8
        self._use(ActionUsed("ask", drew=drew))
        self._draw(self.player, int(drew))

    def _swap(self) -> None:
        most = min(HAND_SIZE, len(self.hands[self.player]), len(self.bag))
        if most:
            count = self.rng.randint(1, most)
            self._use(ActionUsed("swap", count=count))
            self._give_and_draw(count)

    def _take(self) -> Placed | None:
        cells = self.rng.sample(sorted(self.board), min(8, len(self.board)))
        for cell in cells:
            if not judge_take(self.board, cell, self.rules, self.options):
                self._use(ActionUsed("take", cell=cell))
                taken = Placed(cell, self.moves.take(cell))
                self.hands[self.player].append(taken.tile)
                return taken
        return None

    def _separate(self) -> None:
        """Up to three tiles at different places, or an ordinary turn if nothing fits."""
        hand = self.hands[self.player]
        placed: list[Placed] = []
        while len(placed) < 3 and (first := self.moves.single(hand)):
            placed.append(first)
            hand.remove(first.tile)
            self.moves.put(*first)
        if not placed:
            self._ordinary_turn()
            return
        self._use(ActionUsed("separate"))
        self.events.append(TurnPlayed(tuple(placed)))
        self.passes = 0
        self._end_of_placement()
