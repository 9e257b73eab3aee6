"""What can happen in a game. A game is the append-only list of these events.

Every event is a frozen value with a lossless plain form: `event.to_json()`, which
`scorer.event_json.event_from_json(data)` takes back.

Players are given by their index in seat order. Where `player` may be None, the turn belongs to
whoever's turn it is by rotation, and follows the rotation when older turns are corrected; a
player who is named stays. Turns are numbered from 1; number 0 is the table of a late start.
`accepted` says that a person wants it counted although it breaks rules.
"""

from __future__ import annotations

from dataclasses import dataclass, field, fields
from typing import TypeAlias

from scorer.options import Options
from scorer.plain import to_plain, type_name
from scorer.tiles import Cell, Placed
from scorer.tilesets import TileSet


@dataclass(frozen=True, slots=True)
class _Event:
    """What all events share."""

    def to_json(self) -> dict[str, object]:
        """The event as plain JSON."""
        plain = {field.name: to_plain(getattr(self, field.name)) for field in fields(self)}
        return {"type": type_name(type(self)), **plain}


@dataclass(frozen=True, slots=True)
class GameStarted(_Event):
    """The first event of every game. Without a box the rules' usual one is used."""

    rules: str
    players: tuple[str, ...]
    starter: int = 0
    options: Options = field(default_factory=Options)
    box: TileSet | None = None


@dataclass(frozen=True, slots=True)
class LateStart(_Event):
    """Tiles already lie there and points were made before the scorekeeper was asked.

    Without `bag` and `hands` they are inferred: everybody holds six as long as there are enough.
    """

    board: tuple[Placed, ...]
    scores: tuple[int, ...]
    next_player: int = 0
    bag: int | None = None
    hands: tuple[int, ...] | None = None


@dataclass(frozen=True, slots=True)
class TurnPlayed(_Event):
    """Tiles were placed; `taken` are tiles that left the table by the action "take".

    An action tile used with this turn may be named here instead of by an `ActionUsed` before.
    """

    placed: tuple[Placed, ...]
    taken: tuple[Placed, ...] = ()
    player: int | None = None
    action: str = ""
    accepted: bool = False


@dataclass(frozen=True, slots=True)
class TilesExchanged(_Event):
    """Somebody exchanged tiles, which no camera can see."""

    count: int
    player: int | None = None
    accepted: bool = False


@dataclass(frozen=True, slots=True)
class TurnPassed(_Event):
    """Somebody could neither place nor exchange."""

    player: int | None = None
    accepted: bool = False


@dataclass(frozen=True, slots=True)
class PointsEntered(_Event):
    """A turn of which only the points are known, as on paper; `tiles` if they were counted."""

    points: int
    player: int | None = None
    tiles: int | None = None


@dataclass(frozen=True, slots=True)
class ActionUsed(_Event):
    """An action tile was used at the beginning of a turn.

    `giver` handed over the tile that was asked for; without one, `drew` says whether the asking
    player drew. `count` is how many were swapped, `cell` where a tile was taken.
    """

    action: str
    player: int | None = None
    giver: int | None = None
    drew: bool = True
    count: int = 0
    cell: Cell | None = None
    accepted: bool = False


@dataclass(frozen=True, slots=True)
class SpecialDrawn(_Event):
    """Somebody drew a special tile: everybody gets an action tile of its kind.

    Without a player it is the one who drew last.
    """

    action: str
    player: int | None = None
    accepted: bool = False


@dataclass(frozen=True, slots=True)
class PointsAdjusted(_Event):
    """A person gave or took points outside any turn."""

    player: int
    points: int
    reason: str = ""


@dataclass(frozen=True, slots=True)
class GameEnded(_Event):
    """A person says that the game is over; `player` went out and gets the bonus."""

    player: int | None = None
    reason: str = ""


@dataclass(frozen=True, slots=True)
class TurnCorrected(_Event):
    """A person corrected a turn: its tiles, its player, its points, how many were exchanged.

    What is None stays as it is. Points stay set whatever is corrected later, until
    `clear_points`. Giving the turn to another player leaves the later turns where they are unless
    `shift_following` lets the rotation go on from there.
    """

    turn: int
    placed: tuple[Placed, ...] | None = None
    taken: tuple[Placed, ...] | None = None
    player: int | None = None
    points: int | None = None
    count: int | None = None
    reason: str = ""
    clear_points: bool = False
    shift_following: bool = False


@dataclass(frozen=True, slots=True)
class TurnAccepted(_Event):
    """A person says that a turn counts although it breaks rules."""

    turn: int


@dataclass(frozen=True, slots=True)
class TurnsMerged(_Event):
    """A turn and the next one were one turn, of the first one's player."""

    turn: int


@dataclass(frozen=True, slots=True)
class TurnSplit(_Event):
    """A turn was two: first these cells, then the rest, by the next player or the one named."""

    turn: int
    cells: tuple[Cell, ...]
    player: int | None = None


@dataclass(frozen=True, slots=True)
class TurnRemoved(_Event):
    """A turn never happened."""

    turn: int


@dataclass(frozen=True, slots=True)
class TurnInserted(_Event):
    """A turn was missed; it goes before the given one.

    With tiles it is a placement, with a count an exchange, with neither a pass.
    """

    turn: int
    placed: tuple[Placed, ...] = ()
    count: int = 0
    player: int | None = None


@dataclass(frozen=True, slots=True)
class Undone(_Event):
    """The last event that still holds was taken back."""


@dataclass(frozen=True, slots=True)
class Redone(_Event):
    """What was taken back last holds again."""


TurnEvent: TypeAlias = TurnPlayed | TilesExchanged | TurnPassed | PointsEntered
Happening: TypeAlias = (
    TurnEvent | LateStart | ActionUsed | SpecialDrawn | PointsAdjusted | GameEnded
)
Correction: TypeAlias = (
    TurnCorrected | TurnAccepted | TurnsMerged | TurnSplit | TurnRemoved | TurnInserted
)
Event: TypeAlias = GameStarted | Happening | Correction | Undone | Redone

TURN_EVENTS = (TurnPlayed, TilesExchanged, TurnPassed, PointsEntered)
HAPPENINGS = (*TURN_EVENTS, LateStart, ActionUsed, SpecialDrawn, PointsAdjusted, GameEnded)
CORRECTIONS = (TurnCorrected, TurnAccepted, TurnsMerged, TurnSplit, TurnRemoved, TurnInserted)
EVENTS = (GameStarted, *HAPPENINGS, *CORRECTIONS, Undone, Redone)
