"""Requests as an attacker writes them: byte by byte, from any address, and nothing tidied up."""

from __future__ import annotations

import json
import socket
from collections.abc import Mapping
from contextlib import suppress
from dataclasses import dataclass
from typing import Any

PATIENCE_S = 30.0
LOCAL = "127.0.0.1"


@dataclass(frozen=True, slots=True)
class Reply:
    """What came back, to the end of the connection."""

    raw: bytes

    @property
    def status(self) -> int:
        """The status of the first answer, or 0 where there was none."""
        words = self.raw.split(b" ", 2)
        return int(words[1]) if len(words) > 1 else 0

    @property
    def answers(self) -> int:
        """How many answers there were."""
        return self.raw.count(b"HTTP/1.1 ") + self.raw.count(b"HTTP/1.0 ")

    @property
    def headers(self) -> dict[str, str]:
        """The headers of the first answer, in small letters."""
        head = self.raw.partition(b"\r\n\r\n")[0].decode("latin-1").split("\r\n")[1:]
        return {
            name.lower(): value.strip() for name, _, value in (line.partition(":") for line in head)
        }

    @property
    def text(self) -> str:
        """The body."""
        return self.raw.partition(b"\r\n\r\n")[2].decode(errors="replace")

    @property
    def json(self) -> dict[str, Any]:
        """The object in it."""
        found: dict[str, Any] = json.loads(self.text)
        return found


def send(port: int, data: bytes, source: str = LOCAL) -> Reply:
    """Send bytes, and read until the other side hangs up."""
    with socket.create_connection((LOCAL, port), PATIENCE_S, (source, 0)) as wire:
        with suppress(OSError):  # it may hang up before it has heard everything
            wire.sendall(data)
        return Reply(_all(wire))


def _all(wire: socket.socket) -> bytes:
    pieces = []
    with suppress(OSError):
        while piece := wire.recv(65536):
            pieces.append(piece)
    return b"".join(pieces)


def request(
    port: int,
    line: str,
    headers: Mapping[str, str] | None = None,
    body: bytes = b"",
    source: str = LOCAL,
) -> Reply:
    """One request: `line` is the method and the path, and headers replace the usual ones."""
    usual = {"Host": f"{LOCAL}:{port}", "Connection": "close"}
    if body or line.startswith("POST"):
        usual |= {"Content-Type": "application/json", "Content-Length": str(len(body))}
    merged = {**usual, **(headers or {})}
    head = "".join(f"{name}: {value}\r\n" for name, value in merged.items() if value)
    return send(port, f"{line} HTTP/1.1\r\n{head}\r\n".encode("latin-1") + body, source)


def post(
    port: int,
    path: str,
    data: Mapping[str, Any],
    headers: Mapping[str, str] | None = None,
    source: str = LOCAL,
) -> Reply:
    """JSON to a call."""
    return request(port, f"POST {path}", headers, json.dumps(data).encode(), source)
