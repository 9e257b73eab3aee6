"""The game session: the one place where a game is changed, for the page and the camera alike.

It opens the journal, holds the game that is being played, and tells everybody who waits what has
changed. An event is safe on the disk before anybody hears of it. All methods may be called from
any thread. All changes are made by one thread (`tiletally.writer`), one after the other; whoever
looks waits for no disk.

    session = Session.open(data_dir)
    session.new_game({"rules": "flex", "players": ["Anna", "Ben"]}, command_id="a1")
    session.command("exchange", {"count": 2}, Ticket(command_id="a2", game_id=1, seq=1))
    session.state()["players"][0]["score"]

**Commands** carry a `Ticket`: an id, so that a double tap or a resend counts once, and the game
and event number that the person saw, so that an edit of an older state is refused (`StaleEdit`).

**Live table.** Whatever sees the table, such as the camera loop, is a `LiveTable`, handed over with
`attach`; `tiletally.session_live` tells what it may do. None means manual mode: tiles are then
entered by tapping, as a draft that everybody sees as the pending move.
"""

from __future__ import annotations

import json
import logging
import threading
import uuid
from collections import deque
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Self

from scorer.errors import EventError, GameError
from scorer.events import Event, TurnPlayed
from scorer.game import Game
from scorer.journal import Journal, StaleEdit
from scorer.report import judgement_json
from scorer.tiles import Cell, Placed
from tiletally.games import MOST_EVENTS, fold_events
from tiletally.session_archive import Archive
from tiletally.session_health import health
from tiletally.session_likely import likely_tiles
from tiletally.session_live import AnyTicket, Current, LiveTable, Ticket
from tiletally.session_settings import Settings
from tiletally.session_state import Plain, pending_json
from tiletally.session_told import checked_part, current_part, live_part
from tiletally.session_wishes import (
    NewGame,
    check_box,
    event_of,
    new_game_of,
    placed_of,
    rematch_of,
)
from tiletally.writer import Writer

__all__ = ["Current", "LiveTable", "Session", "Snapshot", "Ticket", "pending_json"]

logger = logging.getLogger(__name__)

MOST_ANSWERED = 256
"""Commands that are remembered although they left nothing in the journal; a device that got no
answer sends again within seconds."""
MOST_PLAYERS = 200
"""Remembered players that are offered, those who played last first."""
_LIVE_WISHES = ("done", "hold", "accept", "answer", "place")


@dataclass(frozen=True, slots=True)
class Snapshot:
    """The whole state at one moment, written once for all who follow."""

    version: str
    text: str


class Session:
    """The games of one family and the one that is being played."""

    def __init__(self, journal: Journal, settings: Settings, writer: Writer | None = None) -> None:
        """Go on with the game that was played last; use `open` instead."""
        self._journal = journal
        self.writer = writer or Writer()
        self.settings = settings
        self.archive = Archive(journal)
        self._changed = threading.Condition(threading.RLock())
        self._epoch = uuid.uuid4().hex[:8]
        self._count = 0
        self._is_closing = False
        self._live: LiveTable | None = None
        self._part: Plain = {}
        self._draft: tuple[Placed, ...] = ()
        self._answered: deque[str] = deque(maxlen=MOST_ANSWERED)
        self._snapshot: Snapshot | None = None
        self._notices: dict[str, Plain] = {}
        self._players = self._remembered()
        self.workers: dict[str, Callable[[], Plain]] = {"journal": self.writer.told}
        """Who works in the background, and how each tells how it is."""
        self._current = self._load(settings.game_to_go_on_with(journal.games()))

    @classmethod
    def open(cls, data_dir: Path) -> Self:
        """Open the journal in a data directory.

        Raises:
            JournalError: It cannot be used; said in one sentence.
        """
        return cls(Journal.open(data_dir), Settings.load(data_dir))

    # --- what everybody may ask

    @property
    def notices(self) -> tuple[str, ...]:
        """What the family should know about the opening of the journal."""
        return self._journal.notices

    @property
    def live(self) -> LiveTable | None:
        """What sees the table, if anything does."""
        return self._live

    def current(self) -> Current | None:
        """The game that is being played."""
        with self._changed:
            return self._current

    @property
    def version(self) -> str:
        """Changes with every change of the state."""
        with self._changed:
            return f"{self._epoch}-{self._count}"

    def state(self) -> Plain:
        """The whole present state as plain JSON."""
        with self._changed:
            version = self.version
            current, part, draft = self._current, dict(self._part), self._draft
            notices = [self._notices[code] for code in sorted(self._notices)]
        return {
            "version": version,
            "notices": notices,
            "settings": self.settings.plain(),
            "is_manual": self._live is None,
            **current_part(current, self.players()),
            **live_part(current, part, draft),
        }

    def snapshot(self) -> Snapshot:
        """The whole present state as text, made once for each version."""
        with self._changed:
            if self._snapshot is None or self._snapshot.version != self.version:
                state = self.state()
                text = json.dumps(state, ensure_ascii=False, separators=(",", ":"))
                self._snapshot = Snapshot(state["version"], text)
            return self._snapshot

    def wait(self, version: str, timeout_s: float) -> bool:
        """Wait until the version is another one or the session closes; False if it did not."""
        with self._changed:
            return self._changed.wait_for(
                lambda: self._is_closing or self.version != version, timeout_s
            )

    @property
    def is_closing(self) -> bool:
        """Whether the program is about to end."""
        with self._changed:
            return self._is_closing

    def judge(self, params: Mapping[str, Any]) -> Plain:
        """What a move would count and what is wrong with it, without playing it."""
        current = self._playing()
        placed = placed_of(params.get("placed"))
        return judgement_json(current.game.judge(placed))

    def likely(self, cell: tuple[int, int], turn: int | None) -> list[Plain]:
        """The tiles that may lie on a cell, the likeliest first."""
        current = self._playing()
        with self._changed:
            draft = self._draft
        return likely_tiles(current.game, cell, turn, draft)

    def players(self) -> list[Plain]:
        """All remembered players, those who played last first."""
        with self._changed:
            return self._players

    def turn_cells(self, number: int) -> tuple[int, frozenset[Cell]]:
        """The game, and the cells that one of its turns placed."""
        current = self._playing()
        if not 0 < number <= len(current.game.turns):
            raise GameError(f"there is no turn {number}")
        turn = current.game.turns[number - 1]
        return current.game_id, frozenset(cell for cell, _ in turn.placed)

    def health(self) -> tuple[bool, Plain]:
        """Whether games can be kept, and how camera, journal and disk are."""
        with self._changed:
            camera = (self._part.get("camera") or {}).get("state", "none")
        is_well, parts = health(self._journal, self.settings.folder, camera)
        parts["workers"] = {name: tell() for name, tell in self.workers.items()}
        return is_well, parts

    # --- what people want

    def new_game(self, wish: Mapping[str, Any], command_id: str | None = None) -> Plain:
        """Start a game, which is then the one being played.

        Raises:
            EventError, GameError: It cannot be played; nothing was changed.
        """
        asked = new_game_of(wish)
        Game.fold(asked.events)
        self.writer.do(lambda: self._start(asked, command_id))
        return self.state()

    def resume(self, game_id: int) -> Plain:
        """Go on with an older game."""
        self.writer.do(lambda: self._go_on_with(game_id))
        return self.state()

    def rematch(self, ticket: AnyTicket) -> Plain:
        """The same people, game and house rules once more; the next one in the round begins.

        Raises:
            StaleEdit: Another game than the one that the person saw is being played.
        """
        self.writer.do(lambda: self._start_again(ticket))
        return self.state()

    def command(self, wish: str, params: Mapping[str, Any], ticket: AnyTicket) -> Plain:
        """Do what a person asked for, once, and return the state after it.

        Raises:
            StaleEdit: The state that the person saw is older; nothing was changed.
            EventError, GameError: It cannot be done; nothing was changed.
            JournalError: It could not be saved; nothing was changed.
        """
        live = self.writer.do(lambda: self._do_or_pass_on(wish, params, ticket))
        # The live table is asked from here, because it may call back.
        if live is not None and not live.wish(wish, params, ticket):
            self.writer.do(lambda: self._do(wish, params, self._playing(), ticket))
        self.remember(ticket)
        return self.state()

    def was_done(self, ticket: AnyTicket) -> bool:
        """Whether this very command was done before."""
        return bool(ticket.command_id) and self.writer.do(lambda: self._was_done(ticket))

    def remember(self, ticket: AnyTicket) -> None:
        """This command is done."""
        if ticket.command_id:
            with self._changed:
                self._answered.append(ticket.command_id)

    def change_settings(self, changes: Mapping[str, Any]) -> Plain:
        """Change settings that hold for everybody."""
        self.writer.do(lambda: self.settings.change(changes))
        with self._changed:
            self._bump()
            live = self._live
        if live is not None:
            live.wish("settings", changes, Ticket())
        return self.state()

    def forget_player(self, name: str) -> None:
        """Do not offer a player any more; the games played stay."""
        self.writer.do(lambda: self._forget(name))

    # --- what the live table does

    def attach(self, live: LiveTable | None) -> None:
        """Let something watch the table, or nothing."""
        with self._changed:
            self._live = live
            self._part = {}
            self._bump()

    def play(
        self,
        events: Sequence[Event],
        *,
        game_id: int | None = None,
        expected_seq: int | None = None,
        command_id: str | None = None,
        part: Mapping[str, Any] | None = None,
        check: Callable[[], None] | None = None,
    ) -> Current:
        """Add events to the game and, in the same moment, tell a new part of the state.

        `check` may raise something at the last moment before it happens.

        Raises:
            StaleEdit: The game has moved on, or it is another one; look again.
            GameError: It cannot happen; nothing was changed.
            JournalError: It could not be saved; nothing was changed.
        """
        told = None if part is None else checked_part(part)
        ticket = Ticket(command_id, game_id, expected_seq)

        def add() -> Current:
            if check is not None:
                check()
            current = self._playing()
            self._refuse_stale(current, ticket)
            self._append(current, events, ticket, told)
            return self._playing()

        return self.writer.do(add)

    def show(self, part: Mapping[str, Any], check: Callable[[], None] | None = None) -> None:
        """Tell the whole part of the state that the live table contributes."""
        checked = checked_part(part)
        with self._changed:
            if check is not None:
                check()
            if checked != self._part:
                self._part = checked
                self._bump()

    def notice(self, code: str, is_on: bool, **params: Any) -> None:  # noqa: ANN401 - plain JSON
        """Tell everybody something about the program itself, or take it back."""
        told = {"code": code, "params": params} if is_on else None
        with self._changed:
            if self._notices.get(code) == told:
                return
            if told is None:
                del self._notices[code]
            else:
                self._notices[code] = told
            self._bump()

    def let_go(self) -> None:
        """Wake everybody who waits, because the program is about to end."""
        with self._changed:
            self._is_closing = True
            self._changed.notify_all()

    def close(self) -> None:
        """Let everybody who waits go, stop watching, and close the journal."""
        self.let_go()
        with self._changed:
            live, self._live = self._live, None
        if live is not None:
            live.close()
        if self.writer.close():
            self._journal.close()
        else:
            logger.error("the disk hangs: the journal is closed by the end of the program")

    # --- inside; all that changes a game runs in the writer's thread

    def _start(self, asked: NewGame, command_id: str | None) -> None:
        if self._has_begun(command_id):
            return
        events = [event.to_json() for event in asked.events]
        record = self._journal.create_game(events, uid=command_id, players=asked.players)
        self._switch(record.id)

    def _start_again(self, ticket: AnyTicket) -> None:
        if self._has_begun(ticket.command_id):
            return
        current = self._playing()
        self._refuse_stale(current, Ticket(game_id=ticket.game_id))
        asked = new_game_of(rematch_of(current.game, self.players()))
        self._start(asked, ticket.command_id)

    def _has_begun(self, command_id: str | None) -> bool:
        """Whether this very wish has started a game before, which may not be the present one."""
        return command_id is not None and self._journal.find_game(command_id) is not None

    def _go_on_with(self, game_id: int) -> None:
        record = self._journal.game(game_id)
        self.settings.go_on_with(record.id, self._journal.games()[-1].id)
        self._switch(record.id)

    def _forget(self, name: str) -> None:
        self._journal.forget_player(name)
        players = self._remembered()
        with self._changed:
            self._players = players

    def _remembered(self) -> list[Plain]:
        return [
            {"name": player.name, "colour": player.colour or "", "birth_year": player.birth_year}
            for player in self._journal.players()[:MOST_PLAYERS]
        ]

    def _do_or_pass_on(
        self, wish: str, params: Mapping[str, Any], ticket: AnyTicket
    ) -> LiveTable | None:
        """Do it, unless it was done before or is for the live table, which is then returned."""
        if self._was_done(ticket):
            return None
        current = self._playing()
        self._refuse_stale(current, ticket)
        live = self._live
        if wish in _LIVE_WISHES and not self._draft and live is not None:
            return live
        self._do(wish, params, current, ticket)
        return None

    def _do(
        self, wish: str, params: Mapping[str, Any], current: Current, ticket: AnyTicket
    ) -> None:
        if wish in _LIVE_WISHES:
            _BY_HAND[wish](self, params, current, ticket)
        else:
            event = event_of(wish, params, current.game)
            check_box(getattr(event, "placed", None) or (), current.game.state.box)
            self._append(current, [event], ticket)

    def _place(self, params: Mapping[str, Any], current: Current, ticket: AnyTicket) -> None:
        """Tiles entered by tapping are a draft until somebody says done."""
        if current.game.is_over:
            raise GameError("the game is over")
        placed = placed_of(params.get("placed"))
        check_box(placed, current.game.state.box)
        with self._changed:
            self._draft = placed
            self._bump()

    def _finish(self, params: Mapping[str, Any], current: Current, ticket: AnyTicket) -> None:
        if not self._draft:
            raise GameError("there is no move to finish")
        self._append(current, [TurnPlayed(self._draft)], ticket)

    def _accept(self, params: Mapping[str, Any], current: Current, ticket: AnyTicket) -> None:
        if not self._draft:
            raise GameError("there is no move to count")
        self._append(current, [TurnPlayed(self._draft, accepted=True)], ticket)

    def _nothing(self, params: Mapping[str, Any], current: Current, ticket: AnyTicket) -> None:
        raise GameError("nobody is watching the table")

    def _append(
        self,
        current: Current,
        events: Sequence[Event],
        ticket: AnyTicket,
        part: Plain | None = None,
    ) -> None:
        """Safe on the disk first, then known to everybody."""
        game = current.game
        if len(game.events) + len(events) > MOST_EVENTS:
            raise GameError("this game has too many events")
        for event in events:
            game = game.apply(event)
        receipt = self._journal.append(
            current.game_id,
            [event.to_json() for event in events],
            expected_seq=current.seq if ticket.seq is None else ticket.seq,
            command_id=ticket.command_id,
        )
        if receipt.is_repeat:
            return
        with self._changed:
            self._current = Current(
                current.game_id, current.uid, current.started_at, receipt.last_seq, game
            )
            self._draft = ()
            self._part = self._part if part is None else part
            self._bump()

    def _was_done(self, ticket: AnyTicket) -> bool:
        with self._changed:
            if ticket.command_id in self._answered:
                return True
        game_id = ticket.game_id or (self._current.game_id if self._current else None)
        if not ticket.command_id or game_id is None:
            return False
        return self._journal.find_command(game_id, ticket.command_id) is not None

    def _refuse_stale(self, current: Current, ticket: AnyTicket) -> None:
        is_other_game = ticket.game_id is not None and ticket.game_id != current.game_id
        if is_other_game or (ticket.seq is not None and ticket.seq != current.seq):
            raise StaleEdit(ticket.seq or 0, current.seq)

    def _playing(self) -> Current:
        with self._changed:
            if self._current is None:
                raise GameError("no game has been started yet")
            return self._current

    def _switch(self, game_id: int) -> None:
        current, players = self._load(game_id), self._remembered()
        with self._changed:
            self._current, self._players, self._draft = current, players, ()
            self._part = {key: self._part[key] for key in ("camera", "border") if key in self._part}
            self._bump()

    def _load(self, game_id: int | None) -> Current | None:
        if game_id is None:
            return None
        record = self._journal.game(game_id)
        entries = self._journal.events(game_id)
        try:
            game = fold_events(entry.event for entry in entries)
        except (EventError, GameError):
            logger.exception("game %s cannot be told", game_id)
            return None
        return Current(record.id, record.uid, record.created_at, record.last_seq, game)

    def _bump(self) -> None:
        self._count += 1
        self._changed.notify_all()


_BY_HAND: dict[str, Callable[[Session, Mapping[str, Any], Current, AnyTicket], None]] = {
    "place": Session._place,
    "done": Session._finish,
    "accept": Session._accept,
    "hold": Session._nothing,
    "answer": Session._nothing,
}
