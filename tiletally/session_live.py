"""The seam between the game session and whatever watches the table, a `LiveTable`. That

- reads `session.current()`, an immutable `Current` with game, number and event number, as often as
  it likes: undo, corrections and new games made on the page show up there;
- plays turns with `session.play([TurnPlayed(…)], game_id=…, expected_seq=current.seq, part={…})`,
  which raises `StaleEdit` if a person was faster, and then looks again;
- tells its part of the state with `session.show({…})`, a whole new part each time, keys out of
  `pending`, `illegal`, `questions`, `camera`, `border`:

      {"pending": {**pending_json(game, placed), "doubt": 0.2, "held": False,
                   "countdown": {"left_s": 4.2, "of_s": 6.0} or None},
       "illegal": {**pending_json(game, placed)} or None,
       "questions": [{"id": "7", "code": "which_tile", "cell": [3, -1], "params": {…},
                      "choices": [tile or {"code": …, "params": {…}}, …]}],
       "camera": {"state": "ok" | "starting" | "busy" | "lost" | "frozen" | "ended",
                  "source": "demo", "hints": [{"code": "too_dark", "params": {…}}],
                  "can_upload": False},
       "border": {"sides": ["left", "top"], "tiles": 1} or None}

  Countdowns are told once when they start; the page runs them by itself. Codes are worded in
  `webui/locales` under `camera.hint.CODE` and `question.CODE`;
- gets what people want through `LiveTable.wish`, with the ticket: what the person saw may be over
  by the time a look has ended.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Protocol

from scorer.game import Game
from scorer.tiles import Cell

LIVE_KEYS = ("pending", "illegal", "questions", "camera", "border")
"""What a live table may contribute to the state; anything else is refused."""


@dataclass(frozen=True, slots=True)
class Current:
    """The game that is being played, at one moment. Nothing in it ever changes."""

    game_id: int
    uid: str
    started_at: str
    seq: int
    """Number of the last event in the journal: what `expected_seq` is compared with."""
    game: Game


class AnyTicket(Protocol):
    """Which command it is, and which state the person saw; all of it may be unknown."""

    @property
    def command_id(self) -> str | None:
        """The same for a repeated command."""

    @property
    def game_id(self) -> int | None:
        """The game that the person saw."""

    @property
    def seq(self) -> int | None:
        """The last event that the person saw."""


@dataclass(frozen=True, slots=True)
class Ticket:
    """A ticket made by hand."""

    command_id: str | None = None
    game_id: int | None = None
    seq: int | None = None


class LiveTable(Protocol):
    """Something that sees the table, such as the camera loop. It may be used from any thread.

    The session never calls it while holding its own lock, so it may call back.
    """

    def wish(self, name: str, params: Mapping[str, Any], ticket: AnyTicket) -> bool:
        """Do what a person asked for, once; False means that there was nothing to do.

        `done`      close the pending turn now
        `hold`      stop the countdown, or start it again: `{"on": true}`
        `accept`    count the illegal move that is waiting
        `answer`    `{"question": id, "choice": index}`: take a person's word
        `place`     `{"placed": [tile…]}`: a person says which tiles the pending move consists of
        `settings`  the settings have changed, see `Session.settings`
        """

    def preview(self, is_marked: bool) -> bytes | None:
        """The present picture as a small JPEG, with what was understood drawn in if wanted."""

    def photo(self, game_id: int, cells: frozenset[Cell]) -> bytes | None:
        """The JPEG that proves the turn that placed these cells, its tiles outlined."""

    def send_photo(self, data: bytes) -> None:
        """Take a photo from a phone's browser.

        Raises:
            ValueError: It is no picture, too large, or there are too many; said in one sentence.
        """

    def close(self) -> None:
        """Stop watching; returns within a second."""
