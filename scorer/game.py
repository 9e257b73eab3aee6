"""A game: an append-only list of events, and the state that follows from it.

    game = Game.start(GameStarted("flex", ("Anna", "Ben")))
    game = game.apply(TurnPlayed(parse_move("Ro@0,0 Rs@1,0")))
    game.totals            # (2, 0)
    game = game.apply(Undone())

`apply` returns a new game and never changes the old one; what cannot happen raises `GameError`
with one clear sentence (`IllegalTurnError` carries all violations). `judge` says what a move
would bring before it is played. Undo and redo are events like all others and have no limit.

What can be asked of a game: `events`, `state` (see `scorer.state.State`), and as shortcuts
`players`, `totals`, `turns`, `board`, `next_player`, `hands`, `bag`, `unseen`, `actions`,
`pending`, `is_over`, `winners`, `warnings`, `can_undo`, `can_redo`.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field

from scorer.errors import GameError
from scorer.events import (
    CORRECTIONS,
    Correction,
    Event,
    GameStarted,
    Redone,
    Undone,
)
from scorer.fold import advance, judge_move
from scorer.rules import Judgement, Violation
from scorer.state import Pending, State, Turn, start
from scorer.tiles import Placed, Table, Tile
from scorer.timeline import Entry, Known, correct


@dataclass(frozen=True, slots=True)
class _Stack:
    """States to go back or forward to, the nearest on top."""

    state: State
    below: _Stack | None


@dataclass(frozen=True, slots=True)
class Game:
    """A game with its whole history."""

    events: tuple[Event, ...]
    state: State
    _past: _Stack | None = field(default=None, compare=False, repr=False)
    _future: _Stack | None = field(default=None, compare=False, repr=False)

    @classmethod
    def start(cls, event: GameStarted) -> Game:
        """A new game.

        Raises:
            GameError: These players cannot play these rules.
        """
        return cls((event,), start(event))

    @classmethod
    def fold(cls, events: Iterable[Event]) -> Game:
        """The game that a recorded list of events tells.

        What was recorded has happened: a turn that breaks the rules is kept and noted, so that
        a game can always be opened again.

        Raises:
            GameError: The list does not begin with a start, or tells the impossible.
        """
        told = list(events)
        if not told or not isinstance(told[0], GameStarted):
            raise GameError("a game begins with its start")
        game = cls.start(told[0])
        for event in told[1:]:
            game = game._after(event, strict=False)
        return game

    def apply(self, event: Event) -> Game:
        """The game after one more event.

        Raises:
            GameError: It cannot happen; the game is unchanged.
        """
        return self._after(event, strict=True)

    def _after(self, event: Event, strict: bool) -> Game:
        if isinstance(event, GameStarted):
            raise GameError("the game has already started")
        if isinstance(event, Undone):
            return self._back(event)
        if isinstance(event, Redone):
            return self._forward(event)
        if isinstance(event, CORRECTIONS):
            state = self._corrected(event)
        else:
            state = advance(self.state, Entry(event), strict=strict)
        return Game((*self.events, event), state, _Stack(self.state, self._past))

    def judge(
        self,
        placed: Sequence[Placed],
        taken: Sequence[Placed] = (),
        player: int | None = None,
        action: str = "",
    ) -> Judgement:
        """What the rules say about a move now, and what it would count."""
        return judge_move(self.state, placed, taken, player, action)

    def _back(self, event: Undone) -> Game:
        if self._past is None:
            raise GameError("there is nothing to undo")
        future = _Stack(self.state, self._future)
        return Game((*self.events, event), self._past.state, self._past.below, future)

    def _forward(self, event: Redone) -> Game:
        if self._future is None:
            raise GameError("there is nothing to redo")
        past = _Stack(self.state, self._past)
        return Game((*self.events, event), self._future.state, past, self._future.below)

    def _corrected(self, correction: Correction) -> State:
        """The state after the corrected timeline was played through from its beginning."""
        first = self.events[0]
        assert isinstance(first, GameStarted)
        turns = self.state.turns
        known = Known([turn.player for turn in turns], [turn.points for turn in turns])
        state = start(first)
        for entry in correct(self.state.timeline, correction, known):
            state = advance(state, entry)
        return state

    @property
    def can_undo(self) -> bool:
        """Whether there is something to undo."""
        return self._past is not None

    @property
    def can_redo(self) -> bool:
        """Whether there is something to redo."""
        return self._future is not None

    @property
    def players(self) -> tuple[str, ...]:
        """The names in seat order."""
        return self.state.players

    @property
    def totals(self) -> tuple[int, ...]:
        """The points of every player."""
        return self.state.totals

    @property
    def turns(self) -> tuple[Turn, ...]:
        """All turns as they count."""
        return self.state.turns

    @property
    def board(self) -> Table:
        """What lies on the table."""
        return self.state.board

    @property
    def next_player(self) -> int:
        """Whose turn it is."""
        return self.state.next_player

    @property
    def hands(self) -> tuple[int, ...]:
        """How many tiles every player must hold."""
        return self.state.hands

    @property
    def bag(self) -> int:
        """How many tiles must be in the bag."""
        return self.state.bag

    @property
    def unseen(self) -> Counter[Tile]:
        """The tiles in bag and hands."""
        return self.state.unseen

    @property
    def actions(self) -> tuple[tuple[str, ...], ...]:
        """The unused action tiles of every player."""
        return self.state.actions

    @property
    def pending(self) -> Pending:
        """What belongs to the turn that is not finished."""
        return self.state.pending

    @property
    def is_over(self) -> bool:
        """Whether the game has ended."""
        return self.state.is_over

    @property
    def winners(self) -> tuple[int, ...]:
        """Who won; nobody before the end."""
        return self.state.winners

    @property
    def warnings(self) -> tuple[Violation, ...]:
        """What cannot be right."""
        return self.state.warnings
