"""One game as the camera follows it: from what a look shows to turns in the session.

Used by `tiletally.live` under its lock; nothing here knows of threads or cameras.
"""

from __future__ import annotations

import logging
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass

from scorer.errors import BusyError, EventError, GameError
from scorer.events import Event, Redone, TurnCorrected, TurnPlayed
from scorer.game import Game
from scorer.journal import JournalError, StaleEdit
from scorer.tiles import Cell, Placed, Table, Tile
from tiletally.live_health import CameraHealth
from tiletally.live_pending import Pending, PendingTurn
from tiletally.live_photos import encode_jpeg, outlined
from tiletally.live_questions import (
    OrderQuestion,
    TileQuestion,
    order_question,
    questions_of,
    still_open,
)
from tiletally.photo_store import PhotoStore
from tiletally.session_guest import TableSession
from tiletally.session_live import AnyTicket, Current
from vision.cameras.base import Frame
from vision.evidence import Evidence, certain
from vision.reading import Reading
from vision.understand import Onlooker, Understanding

logger = logging.getLogger(__name__)

Moves = tuple[tuple[Placed, ...], ...]

RETRY_S = 2.0
"""Pause before a turn that could not be saved is tried again."""
DONE_WITHIN_S = 4.0
"""How long "done" waits for a look when it was said before the move was read."""
NEVER_S = -1e9


@dataclass(slots=True)
class Desk:
    """Where a followed game puts things: the session, the photos, the words about the camera."""

    session: TableSession
    photos: PhotoStore
    health: CameraHealth


class FollowedGame:
    """A game of the session and what the camera knows about its table."""

    def __init__(self, desk: Desk, current: Current, onlooker: Onlooker) -> None:
        """Begin with the game as it stands."""
        self._desk = desk
        self.game_id, self.seq = current.game_id, current.seq
        self.board: dict[Cell, Tile] = dict(current.game.board)
        self.onlooker = onlooker
        self.turn = PendingTurn()
        self.illegal: tuple[Placed, ...] = ()
        self.questions: dict[Cell, TileQuestion] = {}
        """What is still open about final turns."""
        self.asked: tuple[TileQuestion, ...] = ()
        """What is open about the pending move."""
        self.order: OrderQuestion | None = None
        self.now_s = 0.0
        self.is_open = True
        """Whether another look at the same table could tell more."""
        self.is_lost = False
        """Whether the last picture made no sense, so that nobody knows what lies there now."""
        self.is_outdated = False
        """Whether the table must be looked at anew although it has not changed."""
        self.counted_s = NEVER_S
        """When the last turn became final."""
        self.done_until_s = NEVER_S
        """Until when "done" holds for a move that has not been read yet."""
        self._command_id: str | None = None
        """Of the tap that makes the next event."""
        self.unsaved: JournalError | BusyError | None = None
        """Why the last turn could not be saved."""
        self._crowded: Understanding | None = None
        self._laid: Mapping[Cell, Evidence] = {}
        self._retry_s = NEVER_S
        self._frame: Frame | None = None
        self._reading: Reading | None = None
        self._leave_lying(current.game, frozenset().union(*_taken_back(current.game)))

    @property
    def game(self) -> Game:
        """The game as it stands in the session."""
        current = self._desk.session.current()
        assert current is not None
        return current.game

    @property
    def can_take(self) -> bool:
        """Whether tiles can be taken from the table by an action tile."""
        return "take" in self.game.state.options.actions

    @property
    def open_questions(self) -> list[TileQuestion | OrderQuestion]:
        """Everything that people are asked."""
        order = [self.order] if self.order else []
        return [*order, *self.questions.values(), *self.asked]

    def follow_people(self, current: Current) -> None:
        """A person changed the game: what they said of a tile is certain, what they undid waits."""
        board = dict(current.game.board)
        undone = frozenset(cell for cell in self.board if cell not in board)
        for cell, tile in board.items():
            if self.board.get(cell) != tile:
                self.onlooker.follower.trust(cell, tile)
                self.questions.pop(cell, None)
        self._crowded, self.order = None, None
        if current.game.is_over or (self.turn.pending and self.turn.pending.cells & set(board)):
            self._uncrowd()
            self.turn.drop()
        self._leave_lying(current.game, undone)
        self._desk.health.hint("turn_not_saved", False)
        self.board, self.seq = board, current.seq
        self.is_outdated = True

    def _leave_lying(self, game: Game, undone: frozenset[Cell]) -> None:
        """The tiles of turns that people took back are still there, in the order they were laid."""
        self.turn.held_cells = (self.turn.held_cells | undone) - set(game.board)
        if undone:
            self.onlooker.expect(_taken_back(game))

    # --- taps

    @contextmanager
    def tapped(self, ticket: AnyTicket) -> Iterator[None]:
        """What is played inside was wished by a tap, and so is what waits for a look after it.

        Raises:
            StaleEdit: The person who tapped saw another state.
        """
        if ticket.game_id not in (None, self.game_id) or ticket.seq not in (None, self.seq):
            raise StaleEdit(ticket.seq or 0, self.seq)
        self._command_id = ticket.command_id
        try:
            yield
        finally:
            if not self._is_done_awaited:
                self._command_id = None

    @property
    def _is_done_awaited(self) -> bool:
        return self.now_s <= self.done_until_s

    def wait_for_done(self) -> None:
        """Somebody said "done" while the table was not settled: it holds until the next look."""
        self.done_until_s = self.now_s + DONE_WITHIN_S

    def disturb(self, time_s: float) -> None:
        """A hand is there, or something moves: what was said meanwhile waits as well."""
        self.turn.touch(time_s)
        if self._is_done_awaited:
            self.wait_for_done()

    # --- looks

    def look(self, frame_bgr: Frame, reading: Reading) -> str:
        """Take a look in and return its verdict; a busy one leaves no trace."""
        understood = self.onlooker.look(
            frame_bgr, reading, self.board, self._evidence(), self.can_take
        )
        if understood.verdict == "busy":
            return "busy"
        self._frame, self._reading = frame_bgr, reading
        self._give_hints(understood)
        self.is_lost = understood.verdict == "unclear"
        self.is_open = self.is_lost or understood.verdict == "illegal" or understood.doubt > 0
        if not self.is_lost:
            self._take_in(understood)
        return understood.verdict

    def _evidence(self) -> dict[Cell, Evidence]:
        """What the looks before said about tiles that are not part of a final turn."""
        pending = self.turn.pending
        told = {**self._laid, **(pending.evidence if pending else {})}
        return {cell: evidence for cell, evidence in told.items() if cell not in self.board}

    def _give_hints(self, understood: Understanding) -> None:
        health = self._desk.health
        health.hint("layout_lost", understood.verdict == "unclear")
        gone = min(understood.gone, default=None)
        place = {} if gone is None else {"x": gone[0], "y": gone[1]}
        health.hint("tile_gone", gone is not None, **place)

    def _take_in(self, understood: Understanding) -> None:
        self._uncrowd()
        self._laid = understood.new
        if self.turn.held_cells.isdisjoint({*understood.new, *understood.unread}):
            self.turn.held_cells = frozenset()
        if understood.verdict == "move":
            self._take_moves(understood)
        elif understood.verdict == "illegal":
            self._wait_for_mending(understood)
        else:
            self.turn.drop()
            self._desk.health.hint("turn_not_saved", False)
        self.onlooker.remember(understood, self.board)
        self.relabel(self.onlooker.mends(self.board))
        evidence, box = self.onlooker.follower.evidence, self.onlooker.game.box
        self.questions = still_open(self.questions, self.board, evidence, box)

    def _wait_for_mending(self, understood: Understanding) -> None:
        self.illegal = tuple(placed for move in understood.moves for placed in move)
        self.turn.is_illegal = True
        self.asked = questions_of(understood)

    def _take_moves(self, understood: Understanding) -> None:
        assert understood.decoded is not None
        self.relabel(understood.decoded.chosen.relabelled)
        is_old = self.turn.is_taken_back(understood.moves[0])
        self.order = None if is_old else order_question(understood)
        is_apart = is_old or (self.order is None and self.turn.is_next_players(understood))
        if len(understood.moves) > 1 and not is_apart:
            self._crowded = understood
            self._wait_for_mending(understood)
        else:
            self._lay_out(understood, understood.moves)

    def lay_out_as(self, choice: int) -> bool:
        """Take a person's word for the order of several moves."""
        crowded, order = self._crowded, self.order
        if crowded is None or order is None:
            return False
        self._uncrowd()
        self._lay_out(crowded, order.ways[choice])
        return True

    def _uncrowd(self) -> None:
        self._crowded, self.order = None, None
        self.illegal, self.asked, self.turn.is_illegal = (), (), False

    def _lay_out(self, understood: Understanding, moves: Moves) -> None:
        """The last of the moves is pending, those before it are final, unless one is held."""
        for move in moves[:-1]:
            if self.turn.put(move, understood, self.now_s).is_held or not self._count():
                return
        pending = self.turn.put(moves[-1], understood, self.now_s)
        if understood.gone and self.can_take:
            pending.taken = tuple(Placed(c, self.board[c]) for c in sorted(understood.gone))
        self.asked = () if pending.is_by_hand else questions_of(understood)
        if self._is_done_awaited:
            self.finish()

    # --- final turns

    def finish_due(self) -> None:
        """Close the pending turn if its time has come."""
        if self.now_s < self._retry_s:
            return
        if self._crowded is not None and self.turn.has_rested(self.now_s):
            crowded = self._crowded
            self._uncrowd()
            self._lay_out(crowded, crowded.moves)
        elif self.turn.is_due(self.now_s) or self._is_said_done:
            self.finish()

    @property
    def _is_said_done(self) -> bool:
        """Whether somebody said so when a hand was still in the way."""
        is_legal = self.turn.pending is not None and not self.turn.is_illegal
        return is_legal and self._is_done_awaited

    def finish(self, is_accepted: bool = False) -> bool:
        """Play the pending move; False if it could not be, and then it is still pending."""
        if not self._count(is_accepted):
            return False
        # Tiles that lay beside it are the next move.
        self.is_outdated = not self._laid.keys() <= self.board.keys()
        return True

    def _count(self, is_accepted: bool = False) -> bool:
        pending = self.turn.pending
        assert pending is not None
        action = "take" if pending.taken else ""
        event = TurnPlayed(pending.move, pending.taken, action=action, accepted=is_accepted)
        if not self._play([event]):
            return False
        self.turn.drop()
        self._adopt(pending)
        self.questions.update({question.cell: question for question in self.asked})
        self._uncrowd()
        self.turn.held_cells -= set(self.board)
        self.done_until_s, self.counted_s = NEVER_S, self.now_s
        return True

    def accept(self) -> bool:
        """Count the illegal move that is waiting."""
        if not self.illegal:
            return False
        old = self.turn.pending
        self.turn.pending = Pending(self.illegal, (), 0.0, {}, old.quads if old else {})
        self.is_outdated = self._count(is_accepted=True)
        if not self.is_outdated:
            self.turn.pending = old
        return self.is_outdated

    def _adopt(self, pending: Pending) -> None:
        follower = self.onlooker.follower
        for cell, tile in pending.move:
            evidence = pending.evidence.get(cell)
            if evidence is None or pending.is_by_hand:
                evidence = certain(tile)
            follower.adopt(cell, pending.quads.get(cell), evidence)
        follower.forget(cell for cell, _ in pending.taken)
        if self._frame is not None and self._desk.session.settings.plain()["keep_photos"]:
            photo = outlined(self._frame, list(pending.quads.values()))
            self._desk.photos.save(self.game_id, pending.cells, encode_jpeg(photo))
            self._desk.health.hint("photos_not_saved", self._desk.photos.is_full)

    def relabel(self, tiles: Sequence[Placed]) -> None:
        """Correct the turns that laid these tiles."""
        for cell, tile in tiles:
            for turn in self.game.turns:
                if cell in dict(turn.placed):
                    placed = tuple(Placed(c, tile if c == cell else t) for c, t in turn.placed)
                    self._play([TurnCorrected(turn.number, placed=placed)])

    def _play(self, events: list[Event]) -> bool:
        health = self._desk.health
        try:
            current = self._desk.session.play(
                events,
                game_id=self.game_id,
                expected_seq=self.seq,
                command_id=self._command_id,
            )
        except StaleEdit:
            newer = self._desk.session.current()
            if newer is not None and newer.game_id == self.game_id:
                self.follow_people(newer)
            return False
        except (JournalError, BusyError) as error:
            logger.warning("a turn could not be saved: %s", error)
            health.hint("turn_not_saved", True, sentence=str(error), cause=error.code)
            self.unsaved = error
            self._retry_s = self.now_s + RETRY_S
            return False
        except (GameError, EventError) as error:
            logger.info("the game does not take the turn: %s", error)
            self._retry_s = self.now_s + RETRY_S
            return False
        health.hint("turn_not_saved", False)
        self._command_id = None
        self.seq, self.board = current.seq, dict(current.game.board)
        return True


def _taken_back(game: Game) -> list[Table]:
    """The tiles of the turns that can be redone, turn by turn."""
    turns = []
    while game.can_redo:
        before, game = game.board, game.apply(Redone())
        turns.append({cell: tile for cell, tile in game.board.items() if cell not in before})
    return [tiles for tiles in turns if tiles]
