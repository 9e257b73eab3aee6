"""Requests as bytes on a real connection, and what came back."""

from __future__ import annotations

import http.client
import socket
import time
from dataclasses import dataclass, field, replace

PATIENCE_S = 20.0
STREAM = "text/event-stream"
Headers = tuple[tuple[str, str], ...]


@dataclass(frozen=True, slots=True)
class Request:
    """One request, also one that keeps to no standard."""

    method: str
    target: str
    headers: Headers = ()
    body: bytes = b""
    is_http: bool = True
    """Whether its frame is sound; the web server itself may refuse one that is not."""
    is_framed: bool = False
    """Whether headers and body already say where the body ends."""
    made: tuple[str, ...] = field(default=())
    """What was done to it, for the report."""

    def but(self, made: str, **changes: object) -> Request:
        """The same with something changed; another body no longer fits a frame made before."""
        if self.is_framed and "body" in changes:
            changes.setdefault("is_http", False)
        return replace(self, made=(*self.made, made), **changes)  # type: ignore[arg-type]

    def with_header(self, made: str, name: str, value: str, *, is_http: bool = True) -> Request:
        """The same with this header instead of its own."""
        others = tuple(pair for pair in self.headers if pair[0].lower() != name.lower())
        headers = (*others, (name, value))
        return self.but(made, headers=headers, is_http=self.is_http and is_http)

    def wire(self, host: str) -> bytes:
        """The bytes that are sent."""
        lines = [f"{self.method} {self.target} HTTP/1.1"]
        names = {name.lower() for name, _ in self.headers}
        if "host" not in names:
            lines.append(f"Host: {host}")
        if not self.is_framed and (self.body or self.method in ("POST", "PUT", "PATCH")):
            lines.append(f"Content-Length: {len(self.body)}")
        lines += [f"{name}: {value}" for name, value in self.headers]
        head = "\r\n".join(lines) + "\r\n\r\n"
        return head.encode("utf-8", "surrogateescape") + self.body


@dataclass(frozen=True, slots=True)
class Heard:
    """An answer, and how long it took."""

    status: int
    kind: str
    data: bytes
    head: str
    seconds: float


class Line:
    """A connection that is kept for as long as both sides want it."""

    def __init__(self, port: int) -> None:
        """Remember where to connect; nothing is sent yet."""
        self._port = port
        self._socket: socket.socket | None = None

    def ask(self, request: Request) -> Heard | None:
        """Send it and wait for the answer; None where the other side hung up instead."""
        was_open = self._socket is not None
        heard = self._ask(request)
        if heard is None and was_open:
            heard = self._ask(request)  # an idle connection may have been closed meanwhile
        if heard is None or not request.is_http or heard.kind == STREAM:
            self.close()
        return heard

    def _ask(self, request: Request) -> Heard | None:
        begun = time.monotonic()
        try:
            if self._socket is None:
                self._socket = socket.create_connection(("127.0.0.1", self._port), PATIENCE_S)
            self._socket.sendall(request.wire(f"127.0.0.1:{self._port}"))
            if not request.is_http:
                self._socket.shutdown(socket.SHUT_WR)  # it may have promised more than it has
            return self._hear(self._socket, request.method, begun)
        except TimeoutError:
            self.close()
            return Heard(0, "", b"", "", time.monotonic() - begun)
        except (OSError, http.client.HTTPException):
            self.close()
            return None

    def _hear(self, connection: socket.socket, method: str, begun: float) -> Heard:
        answer = http.client.HTTPResponse(connection, method=method)
        answer.begin()
        kind = answer.headers.get_content_type() if answer.headers.get("Content-Type") else ""
        data = answer.read1(4096) if kind == STREAM and method == "GET" else answer.read()
        head = str(answer.headers)
        if answer.will_close:
            self.close()
        return Heard(answer.status, kind, data, head, time.monotonic() - begun)

    def send_half(self, request: Request, part: float) -> None:
        """Send the beginning of a request, and hang up."""
        self.close()
        data = request.wire(f"127.0.0.1:{self._port}")
        with socket.create_connection(("127.0.0.1", self._port), PATIENCE_S) as connection:
            connection.sendall(data[: int(len(data) * part)])

    def close(self) -> None:
        """Hang up."""
        if self._socket is not None:
            self._socket.close()
            self._socket = None
