"""What may be done to a request so that it is broken in one more way; chance has a seed."""

from __future__ import annotations

import json
import random
from collections.abc import Callable
from typing import Any

from tests.fuzz.nasty_words import (
    BROKEN_HEADERS,
    CHUNK_ENDS,
    HEADERS,
    KEYS,
    KINDS,
    METHODS,
    TARGETS,
    TEXTS,
    VALUES,
)
from tests.fuzz.wire import Request

Change = Callable[[Request, random.Random], Request]


def changed(request: Request, rng: random.Random) -> Request:
    """The request with one to three things done to it."""
    for change in rng.choices(CHANGES, WEIGHTS, k=rng.choice((1, 1, 1, 2, 3))):
        request = change(request, rng)
    return request


def _value(request: Request, rng: random.Random) -> Request:
    """One value of the body is another."""
    body = _object(request)
    holder = rng.choice(list(_holders(body)))
    places = list(holder) if isinstance(holder, dict) else list(range(len(holder)))
    if isinstance(holder, dict) and (not places or rng.random() < 0.3):
        holder[rng.choice(KEYS)] = rng.choice(VALUES)
    elif places and rng.random() < 0.15:
        del holder[rng.choice(places)]
    elif places:
        holder[rng.choice(places)] = rng.choice(VALUES)
    return _with_json(request, "value", body)


def _object(request: Request) -> dict[str, Any]:
    try:
        body = json.loads(request.body)
    except (ValueError, RecursionError):
        return {}
    return body if isinstance(body, dict) else {}


def _holders(value: Any) -> Any:  # noqa: ANN401 - any JSON
    if isinstance(value, dict | list):
        yield value
        for each in value.values() if isinstance(value, dict) else value:
            yield from _holders(each)


def _with_json(request: Request, made: str, body: object) -> Request:
    text = json.dumps(body).encode()
    return request.but(made, body=text).with_header("json", "Content-Type", "application/json")


def _text(request: Request, rng: random.Random) -> Request:
    return request.but("text", body=rng.choice(TEXTS))


def _flip(request: Request, rng: random.Random) -> Request:
    """Some bytes of the body are others, fewer or more."""
    data = bytearray(request.body or b'{"points":1}')
    for _ in range(rng.randint(1, 4)):
        at = rng.randrange(len(data))
        data[at] ^= 1 << rng.randrange(8)
    end = rng.randint(0, len(data)) if rng.random() < 0.3 else len(data)
    return request.but("flip", body=bytes(data[:end]) + rng.randbytes(rng.choice((0, 0, 5))))


def _kind(request: Request, rng: random.Random) -> Request:
    return request.with_header("kind", "Content-Type", rng.choice(KINDS))


def _header(request: Request, rng: random.Random) -> Request:
    return request.with_header("header", *rng.choice(HEADERS))


def _broken_header(request: Request, rng: random.Random) -> Request:
    name, value = rng.choice(BROKEN_HEADERS)
    changed = request.with_header("broken header", name, value, is_http=False)
    return changed.but(name.strip()[:20], is_framed=changed.is_framed or "Length" in name)


def _method(request: Request, rng: random.Random) -> Request:
    return request.but("method", method=rng.choice(METHODS))


def _target(request: Request, rng: random.Random) -> Request:
    return request.but("target", target=rng.choice(TARGETS))


def _long_query(request: Request, rng: random.Random) -> Request:
    more = f"{rng.choice('xyab')}={'%F0%9F%80%84' * rng.randint(1, 400)}"
    return request.but("query", target=f"{request.target.partition('?')[0]}?{more}")


def _chunked(request: Request, rng: random.Random) -> Request:
    """The body in chunks; sometimes chunks that are none."""
    if request.is_framed:
        return request
    body = b"".join(
        b"%x%s\r\n%s\r\n" % (len(part), rng.choice((b"", b";a=b")), part)
        for part in _parts(request.body, rng)
    )
    bad = rng.random() < 0.3
    end = rng.choice(CHUNK_ENDS) if bad else b"0\r\n\r\n"
    framed = request.with_header("chunked", "Transfer-Encoding", "chunked", is_http=not bad)
    return framed.but("bad chunks" if bad else "chunks", body=body + end, is_framed=True)


def _parts(body: bytes, rng: random.Random) -> list[bytes]:
    size = rng.choice((1, 7, 1000)) if len(body) < 5000 else 1000
    return [body[at : at + size] for at in range(0, len(body), size)]


CHANGES: tuple[Change, ...] = (
    _value, _text, _flip, _kind, _header, _broken_header, _method, _target, _long_query, _chunked,
)  # fmt: skip
WEIGHTS = (30, 12, 10, 5, 10, 3, 6, 10, 2, 6)
