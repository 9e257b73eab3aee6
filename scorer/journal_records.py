"""What the journal hands out: games, their entries, players, and receipts for appends."""

from __future__ import annotations

import json
import zlib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Any

from scorer.journal_errors import JournalError


@dataclass(frozen=True, slots=True)
class GameRecord:
    """One game of the journal."""

    id: int
    uid: str
    """The same in every journal that the game is imported into."""
    created_at: str
    changed_at: str
    last_seq: int


@dataclass(frozen=True, slots=True)
class Entry:
    """One event as it was recorded."""

    seq: int
    at: str
    event: dict[str, Any]
    command_id: str | None = None


@dataclass(frozen=True, slots=True)
class Receipt:
    """The events of one append, which are safe on the disk."""

    first_seq: int
    last_seq: int
    is_repeat: bool = False
    """Whether the command had been carried out before, so that nothing was added now."""


@dataclass(frozen=True, slots=True)
class Player:
    """A person remembered from game to game."""

    name: str
    colour: str | None = None
    birth_year: int | None = None


def utc_text(moment: datetime, precision: str = "milliseconds") -> str:
    """Write a moment as the journal does: UTC, to the millisecond unless told otherwise."""
    return moment.astimezone(UTC).isoformat(timespec=precision).replace("+00:00", "Z")


def encode(event: Mapping[str, Any]) -> tuple[str, str]:
    """Return type and payload of an event as text.

    Raises:
        JournalError: When it is not a JSON object with a type.
    """
    kind = event.get("type")
    if not isinstance(kind, str) or not kind:
        raise JournalError("An event needs a type.", "bad_event")
    rest = {key: value for key, value in event.items() if key != "type"}
    try:
        text = json.dumps(rest, ensure_ascii=False, allow_nan=False, separators=(",", ":"))
        (kind + text).encode("utf-8")
    except (TypeError, ValueError, RecursionError) as error:
        raise JournalError(f"The event cannot be written as JSON: {error}.", "bad_event") from error
    return kind, text


def decode(kind: str, payload: str) -> dict[str, Any]:
    """Return the event that `encode` took apart; what it did not write is kept as its text."""
    try:
        return {"type": kind, **json.loads(payload)}
    except (TypeError, ValueError, RecursionError):
        return {"type": kind, "unreadable": payload}


def checksum(row: Sequence[object]) -> int:
    """Return the CRC-32 over game, number, type, payload, time and command of an event."""
    # Damage can turn any value into any other, even into one that JSON does not know.
    return zlib.crc32(json.dumps(row, default=repr).encode("ascii"))
