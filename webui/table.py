"""What the page needs from the program: a game session, described here and made elsewhere."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Protocol

Plain = dict[str, Any]


class Ticket(Protocol):
    """Which command it is, and which state the person saw."""

    @property
    def command_id(self) -> str | None: ...

    @property
    def game_id(self) -> int | None: ...

    @property
    def seq(self) -> int | None: ...


class Snapshot(Protocol):
    """The whole state at one moment as text."""

    @property
    def version(self) -> str: ...

    @property
    def text(self) -> str: ...


class Games(Protocol):
    """All games that were played."""

    def games(self) -> list[Plain]: ...

    def game(self, game_id: int) -> Plain: ...

    def csv(self, game_id: int) -> str: ...

    def statistics(self) -> list[Plain]: ...


class Eye(Protocol):
    """What sees the table."""

    def preview(self, is_marked: bool) -> bytes | None: ...

    def photo(self, game_id: int, cells: frozenset[tuple[int, int]]) -> bytes | None: ...

    def send_photo(self, data: bytes) -> None: ...


class SetupError(Exception):
    """A step of the set-up was not done and nothing was changed; one sentence says how to mend it.

    `status` is that of the answer, `values` what the page fills into its own words for `code`.
    """

    def __init__(
        self, status: int, code: str, sentence: str, values: Mapping[str, Any] | None = None
    ) -> None:
        super().__init__(sentence)
        self.status, self.code, self.values = status, code, dict(values or {})


class Setup(Protocol):
    """What sets up the camera, one step at a time. Every step may raise `SetupError`."""

    def known(self) -> Plain: ...

    def picture(self) -> bytes | None: ...

    def sheet(self, paper: str) -> bytes: ...

    def step(self, name: str, edition: str, photo: bytes | None) -> Plain: ...

    def forget(self, what: str) -> Plain: ...

    def leave(self) -> None: ...


class Table(Protocol):
    """The game session: everything the page shows and everything it can ask for.

    What cannot be done is raised as one of the errors of `scorer`, and nothing was changed.
    """

    @property
    def archive(self) -> Games: ...

    @property
    def live(self) -> Eye | None: ...

    @property
    def notices(self) -> tuple[str, ...]: ...

    @property
    def is_closing(self) -> bool: ...

    def state(self) -> Plain: ...

    def snapshot(self) -> Snapshot: ...

    def wait(self, version: str, timeout_s: float) -> bool: ...

    def command(self, wish: str, params: Mapping[str, Any], ticket: Ticket) -> Plain: ...

    def new_game(self, wish: Mapping[str, Any], command_id: str | None) -> Plain: ...

    def rematch(self, ticket: Ticket) -> Plain: ...

    def resume(self, game_id: int) -> Plain: ...

    def judge(self, params: Mapping[str, Any]) -> Plain: ...

    def likely(self, cell: tuple[int, int], turn: int | None) -> list[Plain]: ...

    def players(self) -> list[Plain]: ...

    def forget_player(self, name: str) -> None: ...

    def change_settings(self, changes: Mapping[str, Any]) -> Plain: ...

    def turn_cells(self, number: int) -> tuple[int, frozenset[tuple[int, int]]]: ...

    def health(self) -> tuple[bool, Plain]: ...
