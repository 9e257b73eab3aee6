"""The session as one camera table may use it, until it is shown the door.

A thread that hangs cannot be ended. Should it ever go on, nothing that it does may reach the game
any more, because another one has long taken its place.
"""

from __future__ import annotations

import threading
from collections.abc import Mapping, Sequence
from typing import Any, Protocol

from scorer.events import Event
from tiletally.session import Session
from tiletally.session_live import AnyTicket, Current
from tiletally.session_settings import Settings
from tiletally.session_state import Plain


class DismissedError(Exception):
    """Whoever asks has been replaced; nothing was changed."""


class TableSession(Protocol):
    """What a camera table uses of the session."""

    @property
    def settings(self) -> Settings: ...

    def current(self) -> Current | None: ...

    def new_game(self, wish: Mapping[str, Any], command_id: str | None = None) -> Plain: ...

    def command(self, wish: str, params: Mapping[str, Any], ticket: AnyTicket) -> Plain: ...

    def was_done(self, ticket: AnyTicket) -> bool: ...

    def remember(self, ticket: AnyTicket) -> None: ...

    def play(
        self,
        events: Sequence[Event],
        *,
        game_id: int | None = None,
        expected_seq: int | None = None,
        command_id: str | None = None,
    ) -> Current: ...

    def show(self, part: Mapping[str, Any]) -> None: ...


class Guest:
    """Passes everything on to the session for as long as it is welcome."""

    def __init__(self, session: Session) -> None:
        """Be welcome."""
        self._session = session
        self._is_gone = threading.Event()

    def dismiss(self) -> None:
        """Refuse everything from now on."""
        self._is_gone.set()

    @property
    def settings(self) -> Settings:
        """The settings of everybody."""
        return self._session.settings

    def current(self) -> Current | None:
        """The game that is being played."""
        self._check()
        return self._session.current()

    def new_game(self, wish: Mapping[str, Any], command_id: str | None = None) -> Plain:
        """Start a game, as a simulated table does."""
        self._check()
        return self._session.new_game(wish, command_id)

    def command(self, wish: str, params: Mapping[str, Any], ticket: AnyTicket) -> Plain:
        """Do what a simulated player taps."""
        self._check()
        return self._session.command(wish, params, ticket)

    def was_done(self, ticket: AnyTicket) -> bool:
        """Whether this very command was done before."""
        self._check()
        return self._session.was_done(ticket)

    def remember(self, ticket: AnyTicket) -> None:
        """A command is done."""
        self._check()
        self._session.remember(ticket)

    def play(
        self,
        events: Sequence[Event],
        *,
        game_id: int | None = None,
        expected_seq: int | None = None,
        command_id: str | None = None,
    ) -> Current:
        """Add events to the game; looked at again in the very moment in which it happens."""
        return self._session.play(
            events,
            game_id=game_id,
            expected_seq=expected_seq,
            command_id=command_id,
            check=self._check,
        )

    def show(self, part: Mapping[str, Any]) -> None:
        """Tell the live part of the state."""
        self._session.show(part, check=self._check)

    def _check(self) -> None:
        if self._is_gone.is_set():
            raise DismissedError("another camera table has taken over")
