"""The state of a game: everything that follows from what happened so far.

A `State` is an immutable value. `start(event)` makes the first one; `scorer.fold` makes every
other one out of the one before. Two states are equal if the same game stands the same way.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass

from scorer.errors import GameError
from scorer.events import GameStarted
from scorer.options import Options, OptionsError
from scorer.rules import Line, Violation
from scorer.tiles import Placed, Table, Tile
from scorer.tilesets import HAND_SIZE, TileSet, surplus, tileset
from scorer.timeline import Entry
from scorer.turns import winners


@dataclass(frozen=True, slots=True)
class Turn:
    """One turn as it counts.

    `points` are the counted ones: what the lines are worth, or what a person set. `bonus` are
    the points for going out. `total` is the player's total after the turn.
    """

    number: int
    player: int
    kind: str
    """place, exchange, pass, or points where only the points are known."""
    placed: tuple[Placed, ...] = ()
    taken: tuple[Placed, ...] = ()
    action: str = ""
    count: int = 0
    """How many tiles were placed or exchanged."""
    lines: tuple[Line, ...] = ()
    line_points: int = 0
    points: int = 0
    bonus: int = 0
    total: int = 0
    violations: tuple[Violation, ...] = ()
    is_accepted: bool = False
    """A person wants it counted although it breaks rules."""
    is_points_set: bool = False
    reason: str = ""
    warnings: tuple[Violation, ...] = ()

    @property
    def needs_a_look(self) -> bool:
        """Whether it breaks rules and nobody said that it counts anyway."""
        return bool(self.violations) and not self.is_accepted


@dataclass(frozen=True, slots=True)
class Pending:
    """What belongs to the turn that has not been finished yet."""

    action: str = ""
    taken: tuple[Placed, ...] = ()
    is_second_half: bool = False
    """It is the second turn of a double turn."""
    violations: tuple[Violation, ...] = ()


@dataclass(frozen=True, slots=True)
class Ending:
    """How the game ended: out, deadlock, or ended by a person."""

    how: str
    player: int | None = None
    bonus: int = 0
    reason: str = ""


@dataclass(frozen=True, slots=True)
class State:
    """How a game stands. Hands and bag are inferred counts; nobody sees the tiles."""

    rules: str
    players: tuple[str, ...]
    options: Options
    box: TileSet
    starter: int
    timeline: tuple[Entry, ...]
    board: Table
    turns: tuple[Turn, ...]
    totals: tuple[int, ...]
    hands: tuple[int, ...]
    bag: int
    """Tiles in the bag, the special ones among them."""
    next_player: int
    actions: tuple[tuple[str, ...], ...]
    """The unused action tiles in front of every player."""
    specials: tuple[str, ...]
    """The special tiles that are still in the bag."""
    pending: Pending = Pending()
    passes: int = 0
    ending: Ending | None = None
    last_drawer: int = 0
    left_when_drawn: int = 0
    """Tiles in the bag right after the last drawing, before exchanged ones came back."""

    @property
    def is_over(self) -> bool:
        """Whether the game has ended."""
        return self.ending is not None

    @property
    def winners(self) -> tuple[int, ...]:
        """Who won, when the game is over; several share the win."""
        return winners(self.totals) if self.ending else ()

    @property
    def leaders(self) -> tuple[int, ...]:
        """Who has the highest total now."""
        return winners(self.totals)

    @property
    def knows_tiles(self) -> bool:
        """Whether all placed tiles are known, so that bag, hands and unseen tiles are right."""
        return all(turn.kind != "points" for turn in self.turns)

    @property
    def unseen(self) -> Counter[Tile]:
        """The tiles of the box that are not on the table: in the bag or in hands."""
        return self.box.tiles() - Counter(self.board.values())

    @property
    def unseen_kinds(self) -> list[Tile]:
        """The different tiles among the unseen ones."""
        seen = Counter(self.board.values()).get
        return [tile for tile, count in self.box.tiles().items() if seen(tile, 0) < count]

    @property
    def warnings(self) -> tuple[Violation, ...]:
        """What cannot be right: more copies than the box holds, hands that cannot be."""
        extra = surplus(self.board.values(), self.box)
        found = [
            Violation("impossible_inventory", _cells_of(self.board, tile), {**tile._asdict()})
            for tile in extra
        ]
        return (*found, *(warning for turn in self.turns for warning in turn.warnings))


def _cells_of(board: Table, wanted: Tile) -> tuple[tuple[int, int], ...]:
    return tuple(cell for cell, tile in board.items() if tile == wanted)


def start(event: GameStarted) -> State:
    """The state before the first turn.

    Raises:
        GameError: These players cannot play these rules.
    """
    count, options = len(event.players), event.options
    _check_start(event)
    box = event.box or tileset(event.rules)
    specials = options.special_tiles
    bag = box.size + len(specials) - HAND_SIZE * count
    return State(
        rules=event.rules,
        players=event.players,
        options=options,
        box=box,
        starter=event.starter,
        timeline=(),
        board={},
        turns=(),
        totals=(0,) * count,
        hands=(HAND_SIZE,) * count,
        bag=bag,
        next_player=event.starter,
        actions=(options.actions if options.actions_from_start else (),) * count,
        specials=specials,
        last_drawer=event.starter,
        left_when_drawn=bag,
    )


def _check_start(event: GameStarted) -> None:
    try:
        event.options.check(event.rules, len(event.players))
    except OptionsError as error:
        raise GameError(str(error)) from None
    if not all(name.strip() for name in event.players):
        raise GameError("every player needs a name")
    if len(set(event.players)) != len(event.players):
        raise GameError("two players have the same name")
    if not 0 <= event.starter < len(event.players):
        raise GameError("the starting player is not at the table")
    if event.box and event.box.rules != event.rules:
        raise GameError(f"the box is for {event.box.rules}, not for {event.rules}")
