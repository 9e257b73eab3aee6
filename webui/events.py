"""The state as a stream: one `state` event for each change.

A stream occupies one thread of the server, so there is a limit to how many are open at a time,
each ends by itself within a minute (the browser opens the next one and says what it knows), and
whoever finds no place asks for the state every few seconds instead.
"""

from __future__ import annotations

import threading
import time
from collections.abc import Iterator

from flask import Flask, Response, abort, current_app, request

from webui.access import table
from webui.table import Table

MOST_STREAMS = 56
"""Of the 64 threads of the server, so that ordinary requests always find a free one."""
LONGEST_S = 55.0
HEARTBEAT_S = 10.0
RETRY_MS = 1000


class Seats:
    """Counts the open streams."""

    def __init__(self, most: int = MOST_STREAMS) -> None:
        """Begin with none."""
        self._free = threading.BoundedSemaphore(most)

    def take(self) -> bool:
        """Take a place if there is one."""
        return self._free.acquire(blocking=False)

    def leave(self) -> None:
        """Give a place back."""
        self._free.release()


def init_app(app: Flask) -> None:
    """Add the stream to an application."""
    app.extensions["tiletally_seats"] = Seats()
    app.add_url_rule("/api/events", view_func=follow)


def follow() -> Response:
    """The stream for one page."""
    seats: Seats = current_app.extensions["tiletally_seats"]
    if not seats.take():
        abort(429, "too many devices follow at once; ask for the state instead")
    known = request.headers.get("Last-Event-ID", "") or request.args.get("since", "")
    answer = Response(_Stream(table(), known, seats), mimetype="text/event-stream")
    answer.headers["Cache-Control"] = "no-store"
    answer.headers["X-Accel-Buffering"] = "no"
    return answer


class _Stream:
    """The pieces of one stream; its place is given back exactly once, however it ends."""

    def __init__(self, session: Table, known: str, seats: Seats) -> None:
        self._pieces = _pieces(session, known)
        self._seats: Seats | None = seats

    def __iter__(self) -> Iterator[str]:
        return self

    def __next__(self) -> str:
        return next(self._pieces)

    def close(self) -> None:
        """Called by the server at the end, also when the device is gone."""
        seats, self._seats = self._seats, None
        if seats is not None:
            seats.leave()


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
