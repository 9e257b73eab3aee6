"""How long the web server bears with a device that dawdles, stops in mid-sentence or never reads.

Waitress itself drops only connections that are silent, by the clock on the wall: a byte now and
then keeps one for ever, so does an answer that nobody reads, and a clock that is put back stops it
altogether.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import Any

MOST_CONNECTIONS = 200
CROWDED = 160
"""From here on those who keep the server waiting longest have to go, so that others find room."""
LARGE_BYTES = 256 * 1024
MOST_LARGE = 8
"""Photos that are on their way at a time: each may fill 21 MB of the folder for temporary files,
which is often memory. Those that began last have to go, and are sent again."""
PATIENCE_S = {"asking": 15.0, "sending": 60.0, "reading": 20.0, "resting": 90.0}
"""The head of a request; the whole of one, such as a photo over a weak network; an answer of which
nothing is taken; the pause between two requests."""

Channel = Any
"""A connection of waitress, which has no types."""


@dataclass(frozen=True, slots=True)
class _Wait:
    """What a device keeps the server waiting for, and since when."""

    kind: str
    token: object
    """Another one means that it has moved on."""
    since_s: float


class Patience:
    """Looks at all connections now and then; used in the server's own thread only."""

    def __init__(self, clock: Callable[[], float] = time.monotonic) -> None:
        """Begin without any connection."""
        self._clock = clock
        self._waits: dict[Channel, _Wait] = {}

    def look(self, channels: Iterable[Channel]) -> None:
        """Hang up on those who were waited for long enough."""
        now_s, before = self._clock(), self._waits
        self._waits = {}
        for channel in channels:
            kind, token = _waiting_for(channel)
            wait = before.get(channel)
            if wait is None or (wait.kind, wait.token) != (kind, token):
                wait = _Wait(kind, token, now_s)
            self._waits[channel] = wait
        for channel in self._outstayed(now_s):
            del self._waits[channel]
            channel.handle_close()

    def _outstayed(self, now_s: float) -> list[Channel]:
        waits = {channel: wait for channel, wait in self._waits.items() if wait.kind in PATIENCE_S}
        longest_first = sorted(waits, key=lambda channel: waits[channel].since_s)
        surplus = max(0, len(self._waits) - CROWDED)
        over = [c for c in longest_first if now_s - waits[c].since_s > PATIENCE_S[waits[c].kind]]
        large = [channel for channel in longest_first if _is_large(channel)]
        return list(dict.fromkeys([*over, *longest_first[:surplus], *large[MOST_LARGE:]]))


def _is_large(channel: Channel) -> bool:
    request = channel.request
    return request is not None and request.body_bytes_received > LARGE_BYTES


def _waiting_for(channel: Channel) -> tuple[str, object]:
    if channel.total_outbufs_len:
        return "reading", channel.last_activity
    if channel.requests:
        return "nothing", None  # it is the server's turn
    if channel.request is None:
        return "resting", channel.last_activity
    return ("sending" if channel.request.headers_finished else "asking"), channel.request
