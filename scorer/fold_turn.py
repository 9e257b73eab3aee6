"""What happens at the end of every turn: points, end of the game, refill, next player."""

from __future__ import annotations

from dataclasses import replace

from scorer.fitting import anything_fits
from scorer.fold_actions import added
from scorer.rules import Violation
from scorer.state import Ending, Pending, State, Turn
from scorer.timeline import Entry
from scorer.turns import finishing_bonus, is_deadlock, refill

_USES_HAND = ("place", "points")


def finish_turn(state: State, turn: Turn, entry: Entry) -> State:
    """The state after a turn whose tiles already lie on the table."""
    player = turn.player
    used = turn.count if turn.kind in _USES_HAND else 0
    hand = max(0, state.hands[player] - used)
    bonus = finishing_bonus(hand, state.bag) if used else 0
    turn = _counted(state, turn, entry, bonus)
    draw = 0 if bonus or not used else refill(hand, state.bag)
    bag = state.bag - draw
    next_player, pending = _whose_turn(state, turn)
    after = replace(
        state,
        turns=(*state.turns, turn),
        totals=added(state.totals, player, turn.points + bonus),
        hands=(*state.hands[:player], hand + draw, *state.hands[player + 1 :]),
        bag=bag,
        passes=state.passes + 1 if turn.kind == "pass" else 0,
        last_drawer=player if used else state.last_drawer,
        left_when_drawn=bag if used else state.left_when_drawn,
        next_player=next_player,
        pending=pending,
    )
    ending = Ending("out", player, bonus) if bonus else _deadlock(after)
    return replace(after, ending=ending) if ending else after


def _counted(state: State, turn: Turn, entry: Entry, bonus: int) -> Turn:
    """The turn with its points: the ones that a person set, or what its lines are worth."""
    points = turn.line_points if entry.points is None else entry.points
    return replace(
        turn,
        points=points,
        bonus=bonus,
        total=state.totals[turn.player] + points + bonus,
        is_points_set=entry.points is not None,
        reason=entry.reason,
        warnings=_hand_warning(state, turn),
    )


def _hand_warning(state: State, turn: Turn) -> tuple[Violation, ...]:
    hand = state.hands[turn.player]
    if turn.kind not in _USES_HAND or turn.count <= hand:
        return ()
    cells = tuple(cell for cell, _ in turn.placed)
    params = {"player": turn.player, "count": turn.count, "limit": hand}
    return (Violation("placed_more_than_hand", cells, params),)


def _whose_turn(state: State, turn: Turn) -> tuple[int, Pending]:
    """The next player, who is the same one after the first half of a double turn."""
    is_first_half = turn.action == "double_turn" and not state.pending.is_second_half
    if is_first_half:
        return turn.player, Pending(is_second_half=True)
    return (turn.player + 1) % len(state.players), Pending()


def _deadlock(state: State) -> Ending | None:
    """The end that nobody wanted: everybody passed, or nothing can ever fit again."""
    if is_deadlock(state.passes, len(state.players)):
        return Ending("deadlock")
    if "take" in state.specials or any("take" in own for own in state.actions):
        return None
    if not state.board or anything_fits(
        state.board, state.unseen_kinds, state.rules, state.options
    ):
        return None
    return Ending("deadlock")
