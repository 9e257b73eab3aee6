"""The move that lies on the table and is not final yet: when does it become so?

Pure bookkeeping on the camera's clock. A move is final when a person says done, when hands have
been away for a while, or when the next player's tiles lie beside it.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from scorer.tiles import Cell, Placed
from vision.align import Quad
from vision.evidence import Evidence
from vision.understand import Understanding

NEXT_PLAYER_AFTER_S = 1.0
"""How long a move must have lain untouched before other tiles can be the next player's."""
SETTLED_S = 0.5
"""A countdown is told once hands have been away for so long, or it would flicker."""


@dataclass(frozen=True, slots=True)
class Countdown:
    """How long until the move is final, and of how long, in seconds of the camera's clock."""

    left_s: float
    of_s: float


@dataclass(slots=True)
class Pending:
    """One move that is being laid."""

    move: tuple[Placed, ...]
    taken: tuple[Placed, ...]
    doubt: float
    evidence: Mapping[Cell, Evidence]
    quads: Mapping[Cell, Quad]
    is_held: bool = False
    is_by_hand: bool = False
    lay_quiet_s: float = 0.0
    """The longest time that it has lain there untouched."""

    @property
    def cells(self) -> frozenset[Cell]:
        """Where its tiles lie."""
        return frozenset(cell for cell, _ in self.move)


@dataclass(slots=True)
class PendingTurn:
    """Watches over the pending move."""

    close_after_s: float = 6.0
    """Seconds without hands after which a move is final; 0 means only when somebody says so."""
    pending: Pending | None = None
    is_illegal: bool = False
    held_cells: frozenset[Cell] = frozenset()
    """Cells of turns that people took back: the tiles still lie there, and must not count
    again by themselves."""
    _quiet_since_s: float = 0.0
    _told: Countdown | None = field(default=None, repr=False)

    def drop(self) -> None:
        """Nothing is pending any more."""
        self.pending = None
        self._told = None

    def touch(self, time_s: float) -> None:
        """Something moves, or a hand is there: the waiting begins anew."""
        self._quiet_since_s = time_s
        self._told = None

    def rest(self, time_s: float) -> None:
        """Nothing moves and no hand is there."""
        if self.pending is not None:
            quiet = time_s - self._quiet_since_s
            self.pending.lay_quiet_s = max(self.pending.lay_quiet_s, quiet)

    def put(self, move: tuple[Placed, ...], understood: Understanding, time_s: float) -> Pending:
        """Take a legal move as pending; the same tiles go on waiting, others begin anew."""
        old = self.pending
        fresh = _pending_of(move, understood)
        if old is not None and old.cells == fresh.cells:
            fresh.is_held, fresh.lay_quiet_s = old.is_held, old.lay_quiet_s
            if old.is_by_hand:
                fresh.move, fresh.doubt, fresh.is_by_hand = old.move, 0.0, True
        else:
            self.touch(time_s)
            fresh.is_held = self.is_taken_back(move)
        self.pending = fresh
        return fresh

    def is_taken_back(self, move: tuple[Placed, ...]) -> bool:
        """Whether a move is nothing but tiles of turns that people took back."""
        return self.held_cells.issuperset(cell for cell, _ in move)

    def is_next_players(self, understood: Understanding) -> bool:
        """Whether a look with two moves shows the pending one, untouched, and another."""
        moves = understood.moves
        if len(moves) < 2:
            return False
        if self.pending is None:
            return True
        is_same = frozenset(cell for cell, _ in moves[0]) == self.pending.cells
        return is_same and self.pending.lay_quiet_s >= NEXT_PLAYER_AFTER_S

    def has_rested(self, time_s: float) -> bool:
        """Whether hands have been away long enough for a turn to close by itself."""
        return self.close_after_s > 0 and time_s - self._quiet_since_s >= self.close_after_s

    def is_due(self, time_s: float) -> bool:
        """Whether the pending move is final by itself now."""
        return self._is_running() and self.has_rested(time_s)

    def countdown(self, time_s: float) -> Countdown | None:
        """The countdown, the same value for as long as it runs undisturbed."""
        quiet = time_s - self._quiet_since_s
        if not self._is_running() or quiet < SETTLED_S:
            self._told = None
        elif self._told is None:
            self._told = Countdown(
                round(max(0.0, self.close_after_s - quiet), 1), self.close_after_s
            )
        return self._told

    def hold(self, is_on: bool, time_s: float) -> bool:
        """Stop the countdown or let it run again; False if nothing is pending."""
        if self.pending is None:
            return False
        self.pending.is_held = is_on
        self.touch(time_s)
        return True

    def _is_running(self) -> bool:
        return (
            self.pending is not None
            and not self.pending.is_held
            and not self.is_illegal
            and self.close_after_s > 0
        )


def _pending_of(move: tuple[Placed, ...], understood: Understanding) -> Pending:
    cells = {cell for cell, _ in move}
    return Pending(
        move,
        (),
        understood.doubt,
        {cell: e for cell, e in understood.new.items() if cell in cells},
        {c: t.corners_px for c, t in understood.sighting.new.items() if c in cells},
    )
