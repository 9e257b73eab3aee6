"""How action tiles and special tiles change the state of a game."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

from scorer.errors import GameError
from scorer.events import ActionUsed, SpecialDrawn
from scorer.expansions import Situation, judge_action, judge_take
from scorer.rules import Violation
from scorer.state import State
from scorer.tiles import Cell, Placed
from scorer.turns import judge_exchange

_THREE = 3


def added(values: tuple[int, ...], place: int, by: int) -> tuple[int, ...]:
    """The same numbers, one of them larger or smaller."""
    return (*values[:place], values[place] + by, *values[place + 1 :])


def changed(hands: tuple[int, ...], player: int, by: int) -> tuple[int, ...]:
    """The same hands, one of them larger or smaller, but never below zero."""
    return added(hands, player, max(by, -hands[player]))


def use_action(state: State, event: ActionUsed, player: int) -> tuple[State, list[Violation]]:
    """The state after an action tile was used, and what is wrong with using it."""
    if event.action not in _EFFECTS:
        raise GameError(f"there is no action {event.action!r}")
    situation = Situation(
        own_turn=player == state.next_player,
        actions_used_this_turn=1 if state.pending.action else 0,
        owned_and_unused=event.action in state.actions[player],
        second_turn_of_double=state.pending.is_second_half,
    )
    found = [replace(v, params={"action": event.action}) for v in judge_action(situation)]
    state = replace(
        state,
        actions=_without(state.actions, player, event.action),
        pending=replace(state.pending, action=event.action),
        next_player=player,
    )
    state, more = _EFFECTS[event.action](state, event, player)
    return state, [*found, *more]


def take_from_table(state: State, cell: Cell, player: int) -> tuple[State, list[Violation]]:
    """The state after a player took a tile from the table into the hand."""
    found = list(judge_take(state.board, cell, state.rules, state.options))
    if state.pending.taken:
        found.append(Violation("not_one_taken", (cell,)))
    if cell not in state.board:
        return state, found
    board = dict(state.board)
    taken = Placed(cell, board.pop(cell))
    pending = replace(state.pending, taken=(*state.pending.taken, taken))
    hands = changed(state.hands, player, 1)
    return replace(state, board=board, hands=hands, pending=pending), found


def draw_special(state: State, event: SpecialDrawn) -> tuple[State, list[Violation]]:
    """The state after a special tile came to light; the one who drew it draws once more."""
    if event.action not in _EFFECTS:
        raise GameError(f"there is no action {event.action!r}")
    found = []
    if event.action not in state.specials:
        found.append(Violation("special_not_in_bag", (), {"action": event.action}))
    drawer = state.last_drawer if event.player is None else event.player
    if state.left_when_drawn > 0:
        state = replace(state, bag=state.bag - 1, left_when_drawn=state.left_when_drawn - 1)
    else:
        state = replace(state, hands=changed(state.hands, drawer, -1))
    left = list(state.specials)
    if event.action in left:
        left.remove(event.action)
    actions = tuple((*own, event.action) for own in state.actions)
    return replace(state, specials=tuple(left), actions=actions, last_drawer=drawer), found


def drawn(state: State, player: int, count: int) -> State:
    """The state after a player drew so many tiles, or as many as there are."""
    count = max(0, min(count, state.bag))
    return replace(
        state,
        bag=state.bag - count,
        hands=changed(state.hands, player, count),
        last_drawer=player,
        left_when_drawn=state.bag - count,
    )


def _without(
    actions: tuple[tuple[str, ...], ...], player: int, action: str
) -> tuple[tuple[str, ...], ...]:
    own = list(actions[player])
    if action in own:
        own.remove(action)
    return (*actions[:player], tuple(own), *actions[player + 1 :])


_Outcome = tuple[State, list[Violation]]


def _ask(state: State, event: ActionUsed, player: int) -> _Outcome:
    if event.giver is None:
        return (drawn(state, player, 1) if event.drew else state), []
    if not 0 <= event.giver < len(state.players) or event.giver == player:
        raise GameError("the tile must come from another player at the table")
    hands = changed(changed(state.hands, player, 1), event.giver, -1)
    return drawn(replace(state, hands=hands), event.giver, 1), []


def _draw_three(state: State, event: ActionUsed, player: int) -> _Outcome:
    return drawn(state, player, _THREE), []


def _swap(state: State, event: ActionUsed, player: int) -> _Outcome:
    found = judge_exchange(event.count, state.hands[player], state.bag)
    left = max(0, state.bag - event.count)
    return replace(state, last_drawer=player, left_when_drawn=left), list(found)


def _take(state: State, event: ActionUsed, player: int) -> _Outcome:
    if event.cell is None:
        return state, []
    return take_from_table(state, event.cell, player)


def _nothing_yet(state: State, event: ActionUsed, player: int) -> _Outcome:
    return state, []


_EFFECTS: dict[str, Callable[[State, ActionUsed, int], _Outcome]] = {
    "ask": _ask,
    "draw_three": _draw_three,
    "swap": _swap,
    "take": _take,
    "separate": _nothing_yet,
    "double_turn": _nothing_yet,
}
