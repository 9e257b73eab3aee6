"""What happened in a game, in order, after all corrections.

A correction does not change the list of events; it changes this timeline, which is then played
through again from its beginning. What a person set is written on the entry and stays there.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import Any, TypeAlias

from scorer.errors import GameError
from scorer.events import (
    TURN_EVENTS,
    ActionUsed,
    Correction,
    Happening,
    LateStart,
    TilesExchanged,
    TurnAccepted,
    TurnCorrected,
    TurnEvent,
    TurnInserted,
    TurnPassed,
    TurnPlayed,
    TurnRemoved,
    TurnsMerged,
    TurnSplit,
)


@dataclass(frozen=True, slots=True)
class Entry:
    """One happening, with the points that a person set for it."""

    event: Happening
    points: int | None = None
    reason: str = ""

    @property
    def is_turn(self) -> bool:
        """Whether it is somebody's turn rather than something in between."""
        return isinstance(self.event, TURN_EVENTS)


Timeline: TypeAlias = tuple[Entry, ...]


@dataclass(frozen=True, slots=True)
class Known:
    """What is known of the turns so far: whose they are and what they count."""

    players: Sequence[int]
    points: Sequence[int]


def correct(timeline: Timeline, correction: Correction, known: Known) -> Timeline:
    """The timeline after a correction.

    Raises:
        GameError: There is no such turn, or it is not of a kind that can be corrected so.
    """
    return _CORRECTIONS[type(correction)](timeline, correction, known)


def _find(timeline: Timeline, number: int) -> int:
    """The position of a turn; number 0 is the table of a late start."""
    if number == 0:
        places = [n for n, entry in enumerate(timeline) if isinstance(entry.event, LateStart)]
    else:
        places = [n for n, entry in enumerate(timeline) if entry.is_turn][number - 1 : number]
    if not places or number < 0:
        raise GameError(f"there is no turn {number}")
    return places[0]


def _with(timeline: Timeline, place: int, *entries: Entry, drop: int = 1) -> Timeline:
    return (*timeline[:place], *entries, *timeline[place + drop :])


def _corrected(timeline: Timeline, event: TurnCorrected, known: Known) -> Timeline:
    place = _find(timeline, event.turn)
    entry = timeline[place]
    if event.player is not None and not event.shift_following:
        timeline = _pinned(timeline, event.turn + 1, known)
    entry = replace(entry, event=_changed(entry.event, event))
    if event.points is not None or event.clear_points:
        entry = replace(entry, points=event.points, reason=event.reason)
    return _with(timeline, place, entry)


def _pinned(timeline: Timeline, number: int, known: Known) -> Timeline:
    """Keep a turn with its player although the one before goes to another."""
    if number > len(known.players):
        return timeline
    place = _find(timeline, number)
    happening: Any = timeline[place].event
    if happening.player is not None:
        return timeline
    pinned = replace(happening, player=known.players[number - 1])
    return _with(timeline, place, replace(timeline[place], event=pinned))


def _changed(happening: Happening, event: TurnCorrected) -> Happening:
    if isinstance(happening, LateStart):
        return _late_start_changed(happening, event)
    changes: dict[str, Any] = {} if event.player is None else {"player": event.player}
    if event.placed is not None or event.taken is not None:
        return _with_tiles(happening, event, changes)
    if event.count is not None:
        if not isinstance(happening, TilesExchanged):
            raise GameError("only an exchange has a number of exchanged tiles")
        changes["count"] = event.count
    return replace(happening, **changes)


def _late_start_changed(happening: LateStart, event: TurnCorrected) -> LateStart:
    if event.placed is None:
        raise GameError("of a late start only the tiles on the table can be corrected")
    return replace(happening, board=event.placed)


def _with_tiles(
    happening: Happening, event: TurnCorrected, changes: dict[str, Any]
) -> TurnPlayed | LateStart:
    """A turn with other tiles; an exchange, a pass or bare points become a placement."""
    if not isinstance(happening, TurnPlayed):
        happening = TurnPlayed((), player=getattr(happening, "player", None))
    if event.placed is not None:
        changes["placed"] = event.placed
    if event.taken is not None:
        changes["taken"] = event.taken
    return replace(happening, **changes)


def _accepted(timeline: Timeline, event: TurnAccepted, known: Known) -> Timeline:
    place = _find(timeline, event.turn)
    happening = timeline[place].event
    if not isinstance(happening, TurnPlayed | TilesExchanged | TurnPassed):
        raise GameError(f"turn {event.turn} breaks no rule")
    accepted = replace(happening, accepted=True)
    return _with(timeline, place, replace(timeline[place], event=accepted))


def _merged(timeline: Timeline, event: TurnsMerged, known: Known) -> Timeline:
    here, there = _placement(timeline, event.turn), _placement(timeline, event.turn + 1)
    first, second = timeline[here], timeline[there]
    one, other = _played(first), _played(second)
    merged = replace(
        one,
        placed=one.placed + other.placed,
        taken=one.taken + other.taken,
        action=one.action or other.action,
        accepted=one.accepted or other.accepted,
    )
    points = None
    if first.points is not None or second.points is not None:
        points = sum(known.points[event.turn - 1 : event.turn + 1])
    reason = "; ".join(part for part in (first.reason, second.reason) if part)
    between = timeline[here + 1 : there]
    before = [entry for entry in between if isinstance(entry.event, ActionUsed)]
    after = [entry for entry in between if not isinstance(entry.event, ActionUsed)]
    entries = (*before, Entry(merged, points, reason), *after)
    return _with(timeline, here, *entries, drop=there - here + 1)


def _split(timeline: Timeline, event: TurnSplit, known: Known) -> Timeline:
    place = _placement(timeline, event.turn)
    entry = timeline[place]
    turn = _played(entry)
    first = tuple(placed for placed in turn.placed if placed.cell in event.cells)
    rest = tuple(placed for placed in turn.placed if placed.cell not in event.cells)
    if not first or not rest:
        raise GameError("both parts of a split turn need at least one tile")
    later = Entry(TurnPlayed(rest, player=event.player, accepted=turn.accepted))
    if entry.points is not None:
        # The points that a person set were for the whole: they stay with the first part.
        later = replace(later, points=0, reason=entry.reason)
    return _with(timeline, place, replace(entry, event=replace(turn, placed=first)), later)


def _removed(timeline: Timeline, event: TurnRemoved, known: Known) -> Timeline:
    return _with(timeline, _find(timeline, event.turn))


def _inserted(timeline: Timeline, event: TurnInserted, known: Known) -> Timeline:
    at_end = event.turn == len(known.players) + 1
    place = len(timeline) if at_end else _find(timeline, event.turn)
    if event.turn < 1:
        raise GameError("a turn can be inserted only before another turn")
    while place and isinstance(timeline[place - 1].event, ActionUsed):
        place -= 1
    missed: TurnEvent
    if event.placed:
        missed = TurnPlayed(event.placed, player=event.player)
    elif event.count:
        missed = TilesExchanged(event.count, event.player)
    else:
        missed = TurnPassed(event.player)
    return _with(timeline, place, Entry(missed), drop=0)


def _placement(timeline: Timeline, number: int) -> int:
    place = _find(timeline, number)
    if not isinstance(timeline[place].event, TurnPlayed):
        raise GameError(f"turn {number} placed no tiles")
    return place


def _played(entry: Entry) -> TurnPlayed:
    assert isinstance(entry.event, TurnPlayed)
    return entry.event


_CORRECTIONS: dict[type, Callable[[Timeline, Any, Known], Timeline]] = {
    TurnCorrected: _corrected,
    TurnAccepted: _accepted,
    TurnsMerged: _merged,
    TurnSplit: _split,
    TurnRemoved: _removed,
    TurnInserted: _inserted,
}
