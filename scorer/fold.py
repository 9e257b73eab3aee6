"""How one thing that happens changes the state of a game.

`advance(state, entry, strict)` is the only way from one state to the next. Strict means that
something new is being played: what breaks the rules is refused unless a person accepted it.
When a corrected timeline is played through again nothing is refused, because what lies on the
table lies there; broken rules are noted on the turn, and it counts what its lines are worth.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import replace
from typing import Any

from scorer.errors import GameError, IllegalTurnError
from scorer.events import (
    TURN_EVENTS,
    ActionUsed,
    GameEnded,
    LateStart,
    PointsAdjusted,
    PointsEntered,
    SpecialDrawn,
    TilesExchanged,
    TurnPassed,
    TurnPlayed,
)
from scorer.expansions import judge_separate_any_order
from scorer.fold_actions import added, draw_special, take_from_table, use_action
from scorer.fold_turn import finish_turn
from scorer.rules import Judgement, Violation, judge
from scorer.state import Ending, Pending, State, Turn
from scorer.tiles import Placed
from scorer.tilesets import HAND_SIZE
from scorer.timeline import Entry
from scorer.turns import FINISHING_BONUS, finishing_bonus, judge_exchange


def advance(state: State, entry: Entry, *, strict: bool = False) -> State:
    """The state after one more entry of the timeline.

    Raises:
        GameError: It cannot happen in this game.
        IllegalTurnError: It is strict, breaks rules, and nobody accepted it.
    """
    event = entry.event
    if state.is_over and not isinstance(event, PointsAdjusted):
        if strict and not getattr(event, "accepted", False):
            raise GameError("the game is over")
        state = _reopened(state) if isinstance(event, TURN_EVENTS) else state
    after = _STEPS[type(event)](state, entry, strict)
    return replace(after, timeline=(*state.timeline, entry))


def judge_move(
    state: State,
    placed: Sequence[Placed],
    taken: Sequence[Placed] = (),
    player: int | None = None,
    action: str = "",
) -> Judgement:
    """What the rules say about a move that has not been played yet."""
    event = TurnPlayed(tuple(placed), tuple(taken), player, action)
    return _judged(state, event, _player_of(state, player))[1]


def _judged(state: State, event: TurnPlayed, player: int) -> tuple[State, Judgement]:
    """The state with the taken tiles off the table, and what the rules say about the placed."""
    if player != state.next_player:
        state = replace(state, pending=Pending(), next_player=player)
    found = list(state.pending.violations)
    action = event.action or ("take" if event.taken else "")
    if action and action != state.pending.action:
        state, more = use_action(state, ActionUsed(action), player)
        found += more
    for cell, _ in event.taken:
        state, more = take_from_table(state, cell, player)
        found += more
    if state.pending.action == "separate":
        judgement = judge_separate_any_order(state.board, event.placed, state.rules, state.options)
    else:
        judgement = judge(state.board, event.placed, state.rules, state.options)
    found += [*judgement.violations, *_returned(state.pending.taken, event.placed)]
    return state, replace(judgement, violations=tuple(found))


def _returned(taken: Iterable[Placed], placed: Iterable[Placed]) -> list[Violation]:
    back = {(cell, tile.face) for cell, tile in taken}
    cells = tuple(cell for cell, tile in placed if (cell, tile.face) in back)
    return [Violation("taken_tile_returned", cells)] if cells else []


def _played(state: State, entry: Entry, strict: bool) -> State:
    event = entry.event
    assert isinstance(event, TurnPlayed)
    player = _player_of(state, event.player)
    state, judgement = _judged(state, event, player)
    _refuse(judgement.violations, strict and not event.accepted)
    turn = Turn(
        number=len(state.turns) + 1,
        player=player,
        kind="place",
        placed=event.placed,
        taken=state.pending.taken,
        action=state.pending.action,
        count=len(event.placed),
        lines=judgement.lines,
        line_points=judgement.points,
        violations=judgement.violations,
        is_accepted=event.accepted,
    )
    board = {**state.board, **dict(event.placed)}
    return finish_turn(replace(state, board=board), turn, entry)


def _exchanged(state: State, entry: Entry, strict: bool) -> State:
    event = entry.event
    assert isinstance(event, TilesExchanged)
    player = _player_of(state, event.player)
    found = judge_exchange(event.count, state.hands[player], state.bag)
    turn = _bare_turn(state, player, "exchange", (*_opening_missed(state), *found))
    _refuse(turn.violations, strict and not event.accepted)
    left = max(0, state.bag - event.count)
    turn = replace(turn, count=event.count, is_accepted=event.accepted)
    return finish_turn(replace(state, last_drawer=player, left_when_drawn=left), turn, entry)


def _passed(state: State, entry: Entry, strict: bool) -> State:
    event = entry.event
    assert isinstance(event, TurnPassed)
    found = list(_opening_missed(state))
    if state.bag > 0:
        found.append(Violation("bag_not_empty", (), {"limit": state.bag}))
    _refuse(found, strict and not event.accepted)
    turn = _bare_turn(state, _player_of(state, event.player), "pass", found)
    return finish_turn(state, replace(turn, is_accepted=event.accepted), entry)


def _entered(state: State, entry: Entry, strict: bool) -> State:
    event = entry.event
    assert isinstance(event, PointsEntered)
    turn = _bare_turn(state, _player_of(state, event.player), "points", ())
    turn = replace(turn, line_points=event.points, count=event.tiles or 0)
    return finish_turn(state, turn, entry)


def _bare_turn(state: State, player: int, kind: str, found: Iterable[Violation]) -> Turn:
    pending = state.pending if player == state.next_player else Pending()
    return Turn(
        number=len(state.turns) + 1,
        player=player,
        kind=kind,
        taken=pending.taken,
        action=pending.action,
        violations=(*pending.violations, *found),
    )


def _opening_missed(state: State) -> Iterable[Violation]:
    if not state.board and not state.turns:
        yield Violation("opening_must_place")


def _action_used(state: State, entry: Entry, strict: bool) -> State:
    event = entry.event
    assert isinstance(event, ActionUsed)
    after, found = use_action(state, event, _player_of(state, event.player))
    _refuse(found, strict and not event.accepted)
    noted = () if event.accepted else tuple(found)
    pending = replace(after.pending, violations=(*after.pending.violations, *noted))
    return replace(after, pending=pending)


def _special_drawn(state: State, entry: Entry, strict: bool) -> State:
    event = entry.event
    assert isinstance(event, SpecialDrawn)
    if event.player is not None:
        _player_of(state, event.player)
    after, found = draw_special(state, event)
    _refuse(found, strict and not event.accepted)
    drawer = after.last_drawer
    bonus = finishing_bonus(after.hands[drawer], after.bag)
    if not bonus or after.is_over or not _was_refilling(after, drawer):
        return after
    totals = added(after.totals, drawer, bonus)
    return replace(after, totals=totals, ending=Ending("out", drawer, bonus))


def _was_refilling(state: State, player: int) -> bool:
    """Whether the last drawing was a player's refill after placing tiles (ruling 34)."""
    last = state.turns[-1] if state.turns else None
    is_last = last is not None and last.player == player and last.kind == "place"
    return is_last and not state.pending.action


def _adjusted(state: State, entry: Entry, strict: bool) -> State:
    event = entry.event
    assert isinstance(event, PointsAdjusted)
    player = _player_of(state, event.player)
    return replace(state, totals=added(state.totals, player, event.points))


def _ended(state: State, entry: Entry, strict: bool) -> State:
    event = entry.event
    assert isinstance(event, GameEnded)
    if state.is_over:
        return state
    bonus, totals = 0, state.totals
    if event.player is not None:
        bonus = FINISHING_BONUS
        totals = added(totals, _player_of(state, event.player), bonus)
    return replace(state, totals=totals, ending=Ending("ended", event.player, bonus, event.reason))


def _late(state: State, entry: Entry, strict: bool) -> State:
    event = entry.event
    assert isinstance(event, LateStart)
    _check_late(state, event)
    board = dict(event.board)
    count = len(state.players)
    rest = state.box.size + len(state.specials) - len(board)
    bag = max(0, rest - HAND_SIZE * count) if event.bag is None else event.bag
    hands = event.hands or _spread(max(0, rest - bag), count, event.next_player)
    return replace(
        state,
        board=board,
        totals=event.scores,
        bag=bag,
        hands=hands,
        next_player=event.next_player,
        last_drawer=(event.next_player - 1) % count,
        left_when_drawn=bag,
    )


def _check_late(state: State, event: LateStart) -> None:
    if state.turns or state.board:
        raise GameError("a late start comes before the first turn")
    if len({cell for cell, _ in event.board}) < len(event.board):
        raise GameError("two tiles of the late start are on the same spot")
    hands = event.hands or event.scores
    if len(event.scores) != len(state.players) or len(hands) != len(state.players):
        raise GameError("a late start needs one number for every player")
    if min(hands if event.hands else (0,)) < 0 or (event.bag or 0) < 0:
        raise GameError("nobody holds less than no tile, and neither does the bag")
    _player_of(state, event.next_player)


def _spread(tiles: int, players: int, first: int) -> tuple[int, ...]:
    """Hands that nobody counted: as even as possible, those who play next hold more."""
    each, more = divmod(tiles, players)
    return tuple(each + ((player - first) % players < more) for player in range(players))


def _reopened(state: State) -> State:
    """The game went on, so nobody had gone out: the bonus was given too early."""
    ending = state.ending
    if ending is None or ending.player is None:
        return replace(state, ending=None)
    turns = tuple(
        replace(turn, bonus=0, total=turn.total - turn.bonus) if turn.bonus else turn
        for turn in state.turns
    )
    totals = added(state.totals, ending.player, -ending.bonus)
    return replace(state, ending=None, totals=totals, turns=turns)


def _player_of(state: State, player: int | None) -> int:
    if player is None:
        return state.next_player
    if not 0 <= player < len(state.players):
        raise GameError(f"there is no player {player}")
    return player


def _refuse(violations: Sequence[Violation], strict: bool) -> None:
    if violations and strict:
        raise IllegalTurnError(violations)


_STEPS: dict[type, Callable[[State, Any, bool], State]] = {
    TurnPlayed: _played,
    TilesExchanged: _exchanged,
    TurnPassed: _passed,
    PointsEntered: _entered,
    ActionUsed: _action_used,
    SpecialDrawn: _special_drawn,
    PointsAdjusted: _adjusted,
    GameEnded: _ended,
    LateStart: _late,
}
