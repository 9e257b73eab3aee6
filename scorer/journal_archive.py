"""A game as one JSON document: everything the journal knows of it, to keep or to take elsewhere."""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any, TypeGuard

from scorer.journal_errors import JournalError
from scorer.journal_records import Entry, GameRecord

FORMAT = "tiletally game"
VERSION = 1

_TIME = re.compile(r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z")


@dataclass(frozen=True, slots=True)
class ArchivedGame:
    """What a document holds: the arguments of `Journal.restore`."""

    uid: str
    created_at: str
    entries: tuple[Entry, ...]


def to_document(game: GameRecord, entries: Iterable[Entry]) -> dict[str, Any]:
    """Return the game as plain JSON, from which `from_document` makes the same again."""
    return {
        "format": FORMAT,
        "version": VERSION,
        "uid": game.uid,
        "created_at": game.created_at,
        "events": [_entry_to_json(entry) for entry in entries],
    }


def from_document(document: object) -> ArchivedGame:
    """Return the game that a document holds.

    Raises:
        JournalError: When it does not hold one, or one of a later version.
    """
    if not isinstance(document, dict) or document.get("format") != FORMAT:
        raise _unfit("it is not a game saved by tiletally")
    if document.get("version") != VERSION:
        raise _unfit(f"this tiletally reads version {VERSION}, not {document.get('version')!r}")
    uid, created_at, events = (document.get(key) for key in ("uid", "created_at", "events"))
    if not _is_text(uid) or not _is_time(created_at):
        raise _unfit("the game has no identity or no time")
    if not isinstance(events, list):
        raise _unfit("the game has no list of events")
    entries = tuple(_entry_from_json(data, seq) for seq, data in enumerate(events, start=1))
    return ArchivedGame(uid, created_at, entries)


def _entry_to_json(entry: Entry) -> dict[str, Any]:
    command = {"command": entry.command_id} if entry.command_id is not None else {}
    return {"seq": entry.seq, "at": entry.at, **command, "event": entry.event}


def _entry_from_json(data: object, seq: int) -> Entry:
    if not isinstance(data, dict) or type(data.get("seq")) is not int or data["seq"] != seq:
        raise _unfit(f"event {seq} is missing or out of order")
    event, at, command = data.get("event"), data.get("at"), data.get("command")
    if not isinstance(event, dict) or not _is_text(event.get("type")):
        raise _unfit(f"event {seq} is not an event")
    if not _is_time(at) or not (command is None or _is_text(command)):
        raise _unfit(f"event {seq} has a wrong time or command")
    return Entry(seq, at, event, command)


def _is_text(value: object) -> TypeGuard[str]:
    return isinstance(value, str) and value != "" and value.isprintable()


def _is_time(value: object) -> TypeGuard[str]:
    return isinstance(value, str) and _TIME.fullmatch(value) is not None


def _unfit(why: str) -> JournalError:
    return JournalError(f"The saved game cannot be read: {why}.", "bad_document")
