"""The living table: camera, watcher, reader and follower wired to the game session.

    table = CameraTable(session, open_camera(parse_source("demo")), source="demo")
    session.attach(table)
    table.start()

A `CameraTable` is the `LiveTable` of `tiletally.session`: it plays turns into the session and
tells its part of the state (`pending`, `illegal`, `questions`, `camera`, `border`; see there).
`step()` handles one frame; `start` does so in a thread of its own until `close`. Everything that
people want comes through `wish` and may come from any thread.

When a move is final: at once when somebody says done; by itself when hands have been away for the
setting `close_turn_after_s` (0: never); or when other tiles, legal as the next player's move, lie
beside a move that had been lying untouched. An illegal move waits until it is mended or accepted.
A turn that a person took back is shown as pending but held, so that it does not count again.

Question codes: `which_tile` (choices are tiles, or `no_tile`), `unread_tile`. Hint codes:
`problem` (with a `sentence`), `lens_covered`, `too_dark`, `never_still`, `layout_lost`,
`tile_gone` (`x`, `y`), `photos_not_saved`, `turn_not_saved`, `internal`.
"""

from __future__ import annotations

import contextlib
import logging
import threading
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import numpy as np

from scorer.errors import EventError, GameError
from scorer.events import Event, TurnCorrected, TurnPlayed
from scorer.journal import JournalError, StaleEdit
from scorer.tiles import COLOURS, Cell, Placed, Tile
from tiletally.live_answers import answered
from tiletally.live_health import CameraHealth
from tiletally.live_part import live_part
from tiletally.live_pending import Pending, PendingTurn
from tiletally.live_photos import PhotoStore, encode_jpeg, outlined, reduced
from tiletally.live_questions import TileQuestion, questions_of, still_open
from tiletally.replaying import Reads
from tiletally.session import Current, Session, Ticket
from tiletally.session_wishes import placed_of
from vision.assign import Game as Rules
from vision.cameras.base import Camera, CameraEndedError, CameraError, Frame, Glance
from vision.cameras.demo import DemoTable
from vision.cameras.demo_play import Position
from vision.cameras.phone import PhoneCamera
from vision.evidence import certain
from vision.overlay import draw_overlay
from vision.reading import Reading
from vision.understand import Onlooker, Understanding
from vision.watch import Watched, Watcher

logger = logging.getLogger(__name__)

MOST_LOOKS = 3
"""Looks at a table that does not change; more than three add nothing (`vision.evidence`)."""
LOOK_AGAIN_S = 0.6
"""Pause between looks at an unchanged table that leaves something open."""
DONE_WITHIN_S = 4.0
"""How long "done" waits for the table to settle when it was said before the move was read."""
RETRY_S = 2.0
"""Pause before a turn that could not be saved is tried again."""

MakeReader = Callable[[str, Sequence[str] | None], Reads]


@dataclass(slots=True)
class _Table:
    """One game as the camera follows it."""

    game_id: int
    seq: int
    reader: Reads
    onlooker: Onlooker
    board: dict[Cell, Tile]
    turn: PendingTurn = field(default_factory=PendingTurn)
    illegal: tuple[Placed, ...] = ()
    crowded: Understanding | None = None
    """Two moves at once where one was not yet known to be over."""
    questions: dict[Cell, TileQuestion] = field(default_factory=dict)
    asked: tuple[TileQuestion, ...] = ()
    looks: int = 0
    looked_s: float = -1e9
    is_open: bool = True
    done_until_s: float = -1e9
    retry_s: float = -1e9


class CameraTable:
    """Follows the game that the session plays through a camera."""

    def __init__(
        self,
        session: Session,
        camera: Camera,
        *,
        source: str = "",
        make_reader: MakeReader | None = None,
        photos: Path | None = None,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        """Take over a camera; nothing happens before `start` or `step`."""
        self._session = session
        self._camera = camera
        self._make_reader = make_reader or _reader
        self._photos = PhotoStore(photos)
        self._clock = clock
        self._health = CameraHealth(source or camera.name, isinstance(camera, PhoneCamera))
        self._watcher = Watcher()
        self._watched: Watched | None = None
        self._table: _Table | None = None
        self._frame: Frame | None = None
        self._reading: Reading | None = None
        self._now_s = 0.0
        self._clock_s = clock()
        self._lock = threading.RLock()
        self._ended = threading.Event()
        self._thread: threading.Thread | None = None
        self.beat_s = clock()
        """When the last step was finished, for a watchdog."""

    # --- the loop

    def start(self) -> None:
        """Follow the table in a thread of its own."""
        self._thread = threading.Thread(target=self._run, name="camera", daemon=True)
        self._thread.start()

    def _run(self) -> None:
        while not self._ended.is_set():
            try:
                self.step()
            except Exception:
                logger.exception("the camera loop stumbled")
                self._health.hint("internal", True)
                self._ended.wait(1.0)
            self.beat_s = self._clock()

    def step(self) -> None:
        """Handle the next frame of the camera."""
        glance = self._glance()
        with self._lock:
            self._advance(glance)
            self._sync()
            if glance is not None:
                self._watch(glance)
            self._take_taps()
            self._finish_due()
            self._tell()

    def close(self) -> None:
        """Stop following the table."""
        self._ended.set()
        self._camera.close()
        if self._thread is not None and self._thread is not threading.current_thread():
            self._thread.join(timeout=1.0)

    def _glance(self) -> Glance | None:
        try:
            return self._camera.glance()
        except CameraEndedError as error:
            self._health.ended(str(error))
        except CameraError as error:
            self._health.lost(str(error))
        self._ended.wait(0.05 if isinstance(self._camera, DemoTable) else 0.3)
        return None

    def _advance(self, glance: Glance | None) -> None:
        """The camera's clock goes on even when the camera does not."""
        clock_s = self._clock()
        self._now_s = glance.time_s if glance else self._now_s + clock_s - self._clock_s
        self._clock_s = clock_s

    # --- the game may change under our feet

    def _sync(self) -> None:
        current = self._session.current()
        if current is None:
            self._table = None
            if isinstance(self._camera, DemoTable):
                self._begin_demo()
            return
        table = self._table
        if table is None or table.game_id != current.game_id:
            self._open_game(current)
        elif table.seq != current.seq:
            self._follow_people(table, current)
        settings = self._session.settings.plain()
        assert self._table is not None
        self._table.turn.close_after_s = float(settings["close_turn_after_s"])

    def _begin_demo(self) -> None:
        assert isinstance(self._camera, DemoTable)
        script = self._camera.script
        self._session.new_game({"rules": script.rules, "players": list(script.players)})
        self._sync()

    def _open_game(self, current: Current) -> None:
        state = current.game.state
        colours = [name for name in state.box.colours if name in COLOURS]
        reader = self._make_reader(state.rules, colours or None)
        onlooker = Onlooker(Rules(state.rules, state.box, state.options))
        self._table = _Table(
            current.game_id, current.seq, reader, onlooker, dict(current.game.board)
        )
        self._watcher.forget()
        if isinstance(self._camera, DemoTable) and not current.game.is_over:
            seats = Position(
                state.rules, state.hands, dict(state.board), state.next_player, state.box
            )
            self._camera.begin(seats)

    def _follow_people(self, table: _Table, current: Current) -> None:
        """A person changed the game: what they said of a tile is certain, what they undid waits."""
        board = dict(current.game.board)
        undone = frozenset(cell for cell in table.board if cell not in board)
        for cell, tile in board.items():
            if table.board.get(cell) != tile:
                table.onlooker.follower.trust(cell, tile)
                table.questions.pop(cell, None)
        table.turn.drop()
        table.turn.held_cells = undone
        table.board, table.seq = board, current.seq
        self._look_anew()

    def _look_anew(self) -> None:
        self._watcher.forget()
        if self._table is not None:
            self._table.looks = 0

    # --- looking

    def _watch(self, glance: Glance) -> None:
        watched = self._watcher.see(glance.grey, glance.time_s)
        self._watched = watched
        self._health.saw(watched, float(glance.grey.mean()), not glance.is_whole_look)
        table = self._table
        if table is None:
            return
        is_touched = watched.is_moving or watched.has_hand
        if is_touched and not glance.is_whole_look:
            table.turn.touch(glance.time_s)
            table.looks = 0
        else:
            table.turn.rest(glance.time_s)
        if self._wants_look(table, glance, watched):
            self._look(table, glance)

    def _wants_look(self, table: _Table, glance: Glance, watched: Watched) -> bool:
        current = self._session.current()
        if current is None or current.game.is_over:
            return False
        if glance.is_whole_look:
            return True
        is_due = glance.time_s - table.looked_s >= LOOK_AGAIN_S
        is_more = table.is_open and table.looks < MOST_LOOKS and is_due
        return watched.is_free and ((watched.is_changed and is_due) or is_more)

    def _look(self, table: _Table, glance: Glance) -> None:
        try:
            frame = self._camera.picture()
        except CameraError as error:
            self._health.lost(str(error))
            return
        reading = table.reader.read(frame)
        pending = table.turn.pending
        earlier = pending.evidence if pending else {}
        can_take = "take" in self._game.game.state.options.actions
        understood = table.onlooker.look(frame, reading, table.board, earlier, can_take)
        self._frame, self._reading = frame, reading
        table.looked_s = glance.time_s
        table.looks += 1
        if understood.verdict == "busy":
            table.turn.touch(glance.time_s)
            table.looks = 0
            return
        self._watcher.accept(glance.grey)
        self._take_in(table, understood)

    @property
    def _game(self) -> Current:
        current = self._session.current()
        assert current is not None
        return current

    def _take_in(self, table: _Table, understood: Understanding) -> None:
        verdict = understood.verdict
        self._health.hint("layout_lost", verdict == "unclear")
        gone = min(understood.gone, default=None)
        self._health.hint("tile_gone", gone is not None, **({} if gone is None else _xy(gone)))
        table.is_open = verdict in ("unclear", "illegal") or understood.doubt > 0
        if verdict == "unclear":
            return
        table.illegal, table.crowded, table.asked = (), None, ()
        table.turn.is_illegal = False
        if verdict == "move":
            self._moves(table, understood)
        elif verdict == "illegal":
            self._wait_for_mending(table, understood)
        else:
            table.turn.drop()
            table.turn.held_cells = frozenset()
        table.onlooker.remember(understood, table.board)
        self._mend(table)

    def _wait_for_mending(self, table: _Table, understood: Understanding) -> None:
        table.illegal = tuple(placed for move in understood.moves for placed in move)
        table.turn.is_illegal = True
        table.asked = questions_of(understood)

    def _moves(self, table: _Table, understood: Understanding) -> None:
        assert understood.decoded is not None
        self._relabel(table, understood.decoded.chosen.relabelled)
        moves = understood.moves
        if len(moves) > 1 and not table.turn.is_next_players(understood):
            table.crowded = understood
            self._wait_for_mending(table, understood)
            return
        for move in moves[:-1]:
            table.turn.put(move, understood, self._now_s)
            if not self._finish(table):
                return
        pending = table.turn.put(moves[-1], understood, self._now_s)
        if understood.gone and "take" in self._game.game.state.options.actions:
            pending.taken = tuple(Placed(c, table.board[c]) for c in sorted(understood.gone))
        table.asked = () if pending.is_by_hand else questions_of(understood)
        if self._now_s <= table.done_until_s:
            self._finish(table)

    # --- making moves final

    def _finish_due(self) -> None:
        table = self._table
        if table is None or self._now_s < table.retry_s:
            return
        watched = self._watched
        is_settled = watched is None or not (watched.is_free and watched.is_changed)
        if is_settled and table.turn.is_due(self._now_s):
            self._finish(table)

    def _finish(self, table: _Table, is_accepted: bool = False) -> bool:
        """Play the pending move; False if it could not be, and then it is still pending."""
        pending = table.turn.pending
        assert pending is not None
        action = "take" if pending.taken else ""
        event = TurnPlayed(pending.move, pending.taken, action=action, accepted=is_accepted)
        table.turn.drop()
        if not self._play(table, [event]):
            table.turn.pending = pending
            return False
        self._adopt(table, pending)
        for question in table.asked:
            table.questions[question.cell] = question
        table.asked, table.illegal, table.crowded = (), (), None
        table.turn.is_illegal = False
        table.turn.held_cells = frozenset()
        table.done_until_s = -1e9
        return True

    def _adopt(self, table: _Table, pending: Pending) -> None:
        for cell, tile in pending.move:
            evidence = pending.evidence.get(cell)
            if evidence is None or pending.is_by_hand:
                evidence = certain(tile)
            table.onlooker.follower.adopt(cell, pending.quads.get(cell), evidence)
        table.onlooker.follower.forget(cell for cell, _ in pending.taken)
        if self._frame is not None and self._session.settings.plain()["keep_photos"]:
            photo = outlined(self._frame, list(pending.quads.values()))
            self._photos.save(table.game_id, pending.cells, photo)
            self._health.hint("photos_not_saved", self._photos.is_full)

    def _play(self, table: _Table, events: list[Event]) -> bool:
        try:
            current = self._session.play(events, expected_seq=table.seq)
        except StaleEdit:
            self._sync()
            return False
        except (GameError, EventError) as error:
            logger.info("the game does not take the turn: %s", error)
            table.retry_s = self._now_s + RETRY_S
            return False
        except JournalError as error:
            logger.warning("a turn could not be saved: %s", error)
            self._health.hint("turn_not_saved", True, sentence=str(error))
            table.retry_s = self._now_s + RETRY_S
            return False
        self._health.hint("turn_not_saved", False)
        table.seq, table.board = current.seq, dict(current.game.board)
        return True

    def _mend(self, table: _Table) -> None:
        """Correct old tiles that several looks have shown to be others."""
        self._relabel(table, table.onlooker.mends(table.board))
        game = table.onlooker.game
        evidence = table.onlooker.follower.evidence
        table.questions = still_open(table.questions, table.board, evidence, game.box)

    def _relabel(self, table: _Table, tiles: Sequence[Placed]) -> None:
        for cell, tile in tiles:
            for turn in self._game.game.turns:
                if cell in dict(turn.placed):
                    placed = tuple(Placed(c, tile if c == cell else t) for c, t in turn.placed)
                    self._play(table, [TurnCorrected(turn.number, placed=placed)])

    # --- what people want

    def wish(self, name: str, params: Mapping[str, Any]) -> bool:
        """Do what a person asked for; False means that there was nothing to do."""
        with self._lock:
            self._sync()
            table = self._table
            if name == "settings":
                return True
            if table is None:
                return False
            done = self._wish(table, name, params)
            self._tell()
            return done

    def _wish(self, table: _Table, name: str, params: Mapping[str, Any]) -> bool:
        if name == "done":
            return self._done(table)
        if name == "hold":
            return table.turn.hold(bool(params.get("on", True)), self._now_s)
        if name == "accept":
            return self._accept(table)
        if name == "answer":
            return self._answer(table, params)
        if name == "place":
            return self._place(table, placed_of(params.get("placed")))
        return False

    def _done(self, table: _Table) -> bool:
        """Close the turn; where the table is not settled, as soon as it is."""
        watched = self._watched
        is_unsettled = watched is not None and (
            watched.is_changed or watched.is_moving or watched.has_hand
        )
        if table.turn.pending is not None and not is_unsettled and not table.turn.is_illegal:
            return self._finish(table)
        if is_unsettled:
            table.done_until_s = self._now_s + DONE_WITHIN_S
        return is_unsettled

    def _accept(self, table: _Table) -> bool:
        if not table.illegal:
            return False
        quads = (
            {} if self._reading is None else table.turn.pending.quads if table.turn.pending else {}
        )
        table.turn.pending = Pending(table.illegal, (), 0.0, {}, quads)
        if self._finish(table, is_accepted=True):
            self._look_anew()
            return True
        table.turn.drop()
        return False

    def _answer(self, table: _Table, params: Mapping[str, Any]) -> bool:
        asked = {question.id: question for question in (*table.questions.values(), *table.asked)}
        question = asked.get(str(params.get("question")))
        choice = params.get("choice")
        if question is None or type(choice) is not int or not 0 <= choice < len(question.choices):
            raise EventError("that question is not open any more")
        tile = question.choices[choice]
        table.asked = tuple(each for each in table.asked if each is not question)
        if question.cell in table.board:
            table.questions.pop(question.cell, None)
            if tile is not None:
                table.onlooker.follower.trust(question.cell, tile)
                self._relabel(table, [Placed(question.cell, tile)])
            return True
        if table.turn.pending is None:
            return False
        return self._place(table, answered(table.turn.pending.move, question.cell, tile))

    def _place(self, table: _Table, placed: tuple[Placed, ...]) -> bool:
        """Take a person's word for the tiles of the pending move."""
        pending = table.turn.pending
        if pending is None or not placed:
            return False
        judged = self._game.game.judge(placed)
        if not judged.legal:
            raise GameError("these tiles are not a legal move")
        pending.move, pending.is_by_hand, pending.doubt = placed, True, 0.0
        pending.evidence = {cell: certain(tile) for cell, tile in placed}
        table.asked = ()
        return True

    def _take_taps(self) -> None:
        """Do what the simulated players tap."""
        if not isinstance(self._camera, DemoTable) or self._table is None:
            return
        for word, count in self._camera.take_taps():
            table = self._table
            if word == "done":
                self._done(table)
                continue
            if table.turn.pending is not None:
                self._finish(table)
            params = {"count": count} if word == "exchange" else {}
            try:
                self._session.command(word, params, Ticket())
            except (GameError, EventError) as error:
                logger.info("the simulated players cannot %s: %s", word, error)
            self._sync()

    # --- what people see

    def preview(self, is_marked: bool) -> bytes | None:
        """The present picture as a small JPEG."""
        with self._lock:
            frame, reading = self._frame, self._reading
            if not is_marked or frame is None:
                with contextlib.suppress(CameraError):
                    frame = self._camera.picture()
            if frame is None:
                return None
            shown = draw_overlay(frame, reading) if is_marked and reading else frame
        return encode_jpeg(reduced(np.asarray(shown, np.uint8)))

    def photo(self, game_id: int, cells: frozenset[Cell]) -> bytes | None:
        """The photo that proves a turn."""
        return self._photos.load(game_id, cells)

    def send_photo(self, data: bytes) -> None:
        """Take a photo from a phone's browser.

        Raises:
            ValueError: It is no picture, too large, or there are too many.
        """
        if not isinstance(self._camera, PhoneCamera):
            raise ValueError("this camera takes its own pictures")
        try:
            self._camera.send(data)
        except CameraError as error:
            raise ValueError(str(error)) from error

    def _tell(self) -> None:
        current = self._session.current()
        table = self._table
        if table is None or current is None:
            self._session.show({"camera": self._health.to_json()})
            return
        pace = self._camera.speed or 1.0 if isinstance(self._camera, DemoTable) else 1.0
        countdown = table.turn.countdown(self._now_s)
        self._session.show(
            live_part(
                current.game,
                None if table.turn.is_illegal else table.turn.pending,
                countdown,
                table.illegal,
                [*table.questions.values(), *table.asked],
                table.onlooker.follower.quads,
                self._reading.size_wh if self._reading else (0, 0),
                pace,
            )
            | {"camera": self._health.to_json()}
        )


def _reader(rules: str, colours: Sequence[str] | None) -> Reads:
    from vision.reader import Reader

    return Reader(rules, colours)


def _xy(cell: Cell) -> dict[str, int]:
    return {"x": cell[0], "y": cell[1]}
