"""The state as a stream: one `state` event for each change.

A stream occupies one thread of the server, so there is a limit to how many are open at a time,
all in all and of one device. Each ends by itself within a minute (the browser opens the next one
and says what it knows), and whoever finds no place asks for the state every few seconds instead.
"""

from __future__ import annotations

import threading
import time
from collections import Counter
from collections.abc import Callable, Iterator

from flask import Flask, Response, abort, current_app, request
from werkzeug.exceptions import MethodNotAllowed

from webui.access import table, visitor
from webui.table import Table

MOST_STREAMS = 56
"""Of the 64 threads of the server, so that ordinary requests always find a free one."""
MOST_EACH = 8
"""Of one address: a tablet has one, and for a moment a second one after it was reloaded. So no
single device takes the places of all others."""
LONGEST_S = 55.0
HEARTBEAT_S = 10.0
RETRY_MS = 1000


class Seats:
    """Counts the open streams, all of them and those of each device."""

    def __init__(self, most: int = MOST_STREAMS, most_each: int = MOST_EACH) -> None:
        """Begin with none."""
        self._most, self._most_each = most, most_each
        self._taken: Counter[str] = Counter()
        self._mutex = threading.Lock()

    def take(self, address: str) -> bool:
        """Take a place if there is one."""
        with self._mutex:
            if self._taken.total() >= self._most or self._taken[address] >= self._most_each:
                return False
            self._taken[address] += 1
            return True

    def leave(self, address: str) -> None:
        """Give a place back."""
        with self._mutex:
            self._taken[address] -= 1
            self._taken += Counter()  # drops those that have none


def init_app(app: Flask) -> None:
    """Add the stream to an application."""
    app.extensions["tiletally_seats"] = Seats()
    app.add_url_rule("/api/events", view_func=follow)


def follow() -> Response:
    """The stream for one page."""
    if request.method != "GET":
        # A head without its stream would occupy a thread all the same.
        raise MethodNotAllowed(["GET"])
    seats: Seats = current_app.extensions["tiletally_seats"]
    address = visitor().address
    if not seats.take(address):
        abort(429, "too many devices follow at once; ask for the state instead")
    known = request.headers.get("Last-Event-ID", "") or request.args.get("since", "")
    answer = Response(
        _Stream(table(), known, lambda: seats.leave(address)), mimetype="text/event-stream"
    )
    answer.headers["Cache-Control"] = "no-store"
    answer.headers["X-Accel-Buffering"] = "no"
    return answer


class _Stream:
    """The pieces of one stream; its place is given back exactly once, however it ends."""

    def __init__(self, session: Table, known: str, leave: Callable[[], None]) -> None:
        self._pieces = _pieces(session, known)
        self._leave: Callable[[], None] | None = leave

    def __iter__(self) -> Iterator[str]:
        return self

    def __next__(self) -> str:
        return next(self._pieces)

    def close(self) -> None:
        """Called by the server at the end, also when the device is gone."""
        leave, self._leave = self._leave, None
        if leave is not None:
            leave()


def _pieces(session: Table, known: str) -> Iterator[str]:
    end = time.monotonic() + LONGEST_S
    yield f"retry: {RETRY_MS}\n\n"
    while not session.is_closing and (left := end - time.monotonic()) > 0:
        snapshot = session.snapshot()
        if snapshot.version != known:
            known = snapshot.version
            yield f"id: {known}\nevent: state\ndata: {snapshot.text}\n\n"
        if not session.wait(known, min(HEARTBEAT_S, left)):
            yield ": still here\n\n"
