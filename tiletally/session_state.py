"""A game as plain JSON for the page and for everybody else who asks.

Sentences are not told here: what is wrong comes as a code with cells and parameters, so that
the page can word it in any language.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from scorer.game import Game
from scorer.options import has_diagonals
from scorer.plain import tile_json
from scorer.report import judgement_json, turn_json, violation_json
from scorer.state import State
from scorer.tiles import Placed
from tiletally.session_stats import player_stats

Plain = dict[str, Any]


def game_part(game: Game, colours: Mapping[str, str]) -> Plain:
    """Everything that follows from the events of a game.

    Args:
        game: The game.
        colours: The avatar colour of every player who has one.
    """
    state = game.state
    turns = [turn_json(turn) for turn in game.turns]
    return {
        "players": _players(state, colours),
        "next_player": None if game.is_over else game.next_player,
        "board": _board(state),
        "turns": turns,
        "last_turn": turns[-1] if turns else None,
        "tiles_left": game.bag,
        "unseen": _unseen(state),
        "warnings": [violation_json(each) for each in game.warnings],
        "begun": _begun(state),
    }


def game_json(game: Game) -> Plain:
    """What kind of game it is, and how it ended."""
    state = game.state
    box = state.box
    return {
        "rules": state.rules,
        "title": box.title,
        "has_diagonals": has_diagonals(state.rules),
        "shapes": list(box.shapes),
        "colours": list(box.colours),
        "backgrounds": [background for background, _ in box.copies],
        "size": box.size,
        "expansions": list(state.options.expansions),
        "actions": list(state.options.actions),
        "specials": sorted(set(state.specials)),
        "starter": state.starter,
        "is_over": game.is_over,
        "ending": _ending(state),
        "winners": list(game.winners),
        "can_undo": game.can_undo,
        "can_redo": game.can_redo,
    }


def pending_json(
    game: Game, placed: Sequence[Placed], taken: Sequence[Placed] = (), action: str = ""
) -> Plain:
    """A move that is not final yet: its tiles, what it would count, and what is wrong with it."""
    judgement = game.judge(placed, taken, action=action)
    return {
        "placed": [tile_json(each) for each in placed],
        "taken": [tile_json(each) for each in taken],
        **judgement_json(judgement),
    }


def _players(state: State, colours: Mapping[str, str]) -> list[Plain]:
    leaders = state.leaders if any(state.totals) else ()
    return [
        {
            "name": name,
            "score": state.totals[number],
            "colour": colours.get(name, ""),
            "is_leader": number in leaders,
            "hand": state.hands[number],
            "actions": list(state.actions[number]),
            **stats,
        }
        for number, (name, stats) in enumerate(zip(state.players, player_stats(state), strict=True))
    ]


def _board(state: State) -> list[Plain]:
    turn_of = {cell: turn.number for turn in state.turns for cell, _ in turn.placed}
    return [
        {**tile_json(Placed(cell, tile)), "turn": turn_of.get(cell, 0)}
        for cell, tile in state.board.items()
    ]


def _unseen(state: State) -> list[Plain]:
    return [{**tile._asdict(), "count": count} for tile, count in state.unseen.items()]


def _begun(state: State) -> Plain:
    """What belongs to the turn that has begun: an action tile that was used, a tile taken."""
    return {
        "action": state.pending.action,
        "taken": tiles_json(state.pending.taken),
        "is_second_half": state.pending.is_second_half,
    }


def _ending(state: State) -> Plain | None:
    ending = state.ending
    if ending is None:
        return None
    return {"how": ending.how, "player": ending.player, "bonus": ending.bonus}


def tiles_json(placed: Iterable[Placed]) -> list[Plain]:
    """Tiles on their cells."""
    return [tile_json(each) for each in placed]
