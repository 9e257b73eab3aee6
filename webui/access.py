"""What a view needs of its request: the session, the body, and the ticket."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from threading import BoundedSemaphore
from typing import Any, cast

from flask import abort, current_app, request

from scorer.errors import BusyError
from webui.locales import Locales
from webui.lock import Lock, Visitor
from webui.table import Setup, Table

COOKIE = "tiletally_key"
MOST_PHOTO_BYTES = 20 * 1024 * 1024
MOST_PICTURES = 3
"""Held at a time, 60 MB; one is unpacked at a time, and a family has one phone over the table."""
MOST_DEPTH = 12
"""A late start, the deepest of all bodies, has five levels."""
_NESTING = re.compile(rb'"(?:[^"\\]|\\.)*+"?|[][{}]', re.DOTALL).finditer
_COMMAND_ID = re.compile(r"[A-Za-z0-9_.-]{1,64}").fullmatch


@dataclass(frozen=True, slots=True)
class PageTicket:
    """Which command it is, and which state the person saw."""

    command_id: str | None = None
    game_id: int | None = None
    seq: int | None = None


def table() -> Table:
    """The session behind this page."""
    return cast(Table, current_app.extensions["tiletally"])


def setup() -> Setup:
    """What sets up the camera."""
    found = current_app.extensions["tiletally_setup"]
    if found is None:
        abort(404, "there is no camera to set up")
    return cast(Setup, found)


@contextmanager
def picture_sent() -> Iterator[bytes]:
    """The picture that was sent, of up to 20 MB, which is held until the block ends.

    Raises:
        BusyError: Others are held already.
    """
    request.max_content_length = MOST_PHOTO_BYTES
    if request.mimetype not in ("image/jpeg", "image/png"):
        abort(415, "send a JPEG or PNG picture")
    places: BoundedSemaphore = current_app.extensions["tiletally_pictures"]
    if not places.acquire(blocking=False):
        raise BusyError(f"{MOST_PICTURES} photos are being read; send this one again in a moment")
    try:
        yield request.get_data(cache=False)
    finally:
        places.release()


def address() -> str | None:
    """Where other devices find the page, where that is known."""
    find = cast("Callable[[], str] | None", current_app.extensions["tiletally_find_address"])
    return find() if find else None


def locales() -> Locales:
    """The words in all languages."""
    return cast(Locales, current_app.extensions["tiletally_locales"])


def lock() -> Lock:
    """The lock on the controls."""
    return cast(Lock, current_app.extensions["tiletally_lock"])


def visitor() -> Visitor:
    """Who asks."""
    return Visitor(request.remote_addr or "", request.cookies.get(COOKIE))


def body() -> dict[str, Any]:
    """The JSON object that was sent; nothing at all counts as an empty one."""
    if not request.get_data(cache=True):
        return {}
    if not request.is_json:
        abort(415, "send JSON, with the content type application/json")
    if _depth(request.get_data(cache=True)) > MOST_DEPTH:
        abort(400, f"the JSON is nested in more than {MOST_DEPTH} levels")
    data = _parsed(request.get_data(cache=True))
    if not isinstance(data, dict):
        abort(400, "send one JSON object")
    return data


def _depth(text: bytes) -> int:
    """How deep JSON is nested, found without descending: that would take room on the stack."""
    depth = deepest = 0
    for token in _NESTING(text):
        depth += {b"[": 1, b"{": 1, b"]": -1, b"}": -1}.get(token.group(), 0)
        deepest = max(deepest, depth)
    return deepest


def _parsed(text: bytes) -> object:
    """What JSON describes, or None; also None for what no JSON should hold."""
    try:
        return json.loads(text, parse_constant=_refuse)
    except (ValueError, RecursionError):
        return None


def _refuse(word: str) -> None:
    raise ValueError(f"{word} is not JSON")


def ticketed() -> tuple[dict[str, Any], PageTicket]:
    """The parameters of a command, and its ticket out of the same object."""
    params = body()
    return params, PageTicket(command_id(params), _number(params, "game"), _number(params, "seq"))


def command_id(params: dict[str, Any]) -> str | None:
    """The id of a command, taken out of its parameters."""
    value = params.pop("command", None)
    if value is not None and (not isinstance(value, str) or not _COMMAND_ID(value)):
        abort(400, "a command id is up to 64 letters, digits, dots, dashes or underscores")
    return value


def _number(params: dict[str, Any], name: str) -> int | None:
    value = params.pop(name, None)
    if value is not None and (type(value) is not int or not 0 <= value < 2**53):
        abort(400, f"{name} must be a whole number")
    return value
