"""What people want of the live table."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from scorer.errors import EventError, GameError
from scorer.tiles import Cell, Placed, Tile
from tiletally.live_game import DONE_WITHIN_S, FollowedGame
from tiletally.live_questions import OrderQuestion
from tiletally.session_live import AnyTicket
from tiletally.session_wishes import placed_of
from vision.evidence import certain


def fulfil(
    followed: FollowedGame,
    name: str,
    params: Mapping[str, Any],
    ticket: AnyTicket,
    is_settled: bool,
) -> bool:
    """Do what a person asked for; False means that there was nothing to do.

    Raises:
        StaleEdit: The person saw another state; nothing was changed.
        EventError, GameError: It cannot be done; nothing was changed.
        JournalError: It could not be saved; it waits and is tried again.
    """
    followed.unsaved = None
    with followed.tapped(ticket):
        is_done = _try(followed, name, params, is_settled)
    if followed.unsaved is not None:
        raise followed.unsaved
    return is_done


def _try(followed: FollowedGame, name: str, params: Mapping[str, Any], is_settled: bool) -> bool:
    if name == "done":
        return done(followed, is_settled)
    if name == "hold":
        return followed.turn.hold(bool(params.get("on", True)), followed.now_s)
    if name == "accept":
        return followed.accept()
    if name == "answer":
        return _answer(followed, params)
    if name == "place":
        return _place(followed, placed_of(params.get("placed")))
    return False


def done(followed: FollowedGame, is_settled: bool) -> bool:
    """Close the turn; where the table has not settled, as soon as it has.

    Just after a turn has counted by itself it was meant for that one, and a hand that is there is
    the next player's.
    """
    if followed.game.is_over:
        return False
    if not is_settled:
        if followed.turn.pending or followed.now_s - followed.counted_s > DONE_WITHIN_S:
            followed.wait_for_done()
        return True
    if followed.turn.pending is None or followed.turn.is_illegal:
        return False
    return followed.finish()


def _answer(followed: FollowedGame, params: Mapping[str, Any]) -> bool:
    asked = {question.id: question for question in followed.open_questions}
    question = asked.get(str(params.get("question")))
    choice = params.get("choice")
    answers = question.to_json()["choices"] if question else []
    if question is None or type(choice) is not int or not 0 <= choice < len(answers):
        raise EventError("that question is not open any more")
    if isinstance(question, OrderQuestion):
        return followed.lay_out_as(choice)
    tile, cell = question.choices[choice], question.cell
    if tile is None:
        followed.onlooker.dismiss(cell)
    if cell in followed.board:
        return _mend_final(followed, cell, tile)
    pending = followed.turn.pending
    if pending is None:
        return False
    kept = [placed for placed in pending.move if placed.cell != cell]
    return _place(followed, tuple(sorted(kept if tile is None else [*kept, Placed(cell, tile)])))


def _mend_final(followed: FollowedGame, cell: Cell, tile: Tile | None) -> bool:
    followed.questions.pop(cell, None)
    if tile is not None:
        followed.onlooker.follower.trust(cell, tile)
        if followed.board[cell] != tile:
            followed.relabel([Placed(cell, tile)])
    return True


def _place(followed: FollowedGame, placed: tuple[Placed, ...]) -> bool:
    """Take a person's word for the tiles of the pending move."""
    pending = followed.turn.pending
    if pending is None or not placed:
        return False
    if not followed.game.judge(placed).legal:
        raise GameError("these tiles are not a legal move")
    pending.move, pending.is_by_hand, pending.doubt = placed, True, 0.0
    pending.evidence = {cell: certain(tile) for cell, tile in placed}
    followed.asked = ()
    return True
