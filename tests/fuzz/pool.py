"""Requests that the description itself suggests: fitting ones and ones that do not fit.

They are drawn once from schemathesis, as many as wanted for each call, so that the time of a long
run goes into requests.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from typing import Any
from urllib.parse import quote, urlencode

import schemathesis
from hypothesis import HealthCheck, Phase, given, seed, settings
from hypothesis.errors import Unsatisfiable
from schemathesis import Case, GenerationMode
from schemathesis.core import NOT_SET
from schemathesis.core.result import Ok

from tests.fuzz.wire import Headers, Request
from tests.webui.described import Description

AnyCase = Case[Any]
MODES = (GenerationMode.POSITIVE, GenerationMode.NEGATIVE)


def described_requests(each: int, chance: int = 1) -> dict[str, list[Request]]:
    """For every call of the description, `each` fitting requests and as many others."""
    schema = schemathesis.openapi.from_dict(Description.load().document)
    pool: dict[str, list[Request]] = {}
    for found in schema.get_all_operations():
        assert isinstance(found, Ok)
        operation = found.ok()
        name = f"{operation.method.upper()} {operation.path}"
        pool[name] = [_plain(operation.method.upper(), operation.path)]
        for mode in MODES:
            cases = _drawn(operation.as_strategy(generation_mode=mode), each, chance)
            pool[name] += [request for case in cases for request in _requests(case, mode)]
    return pool


def _plain(method: str, path: str) -> Request:
    for gap, value in (("number", "1"), ("game_id", "1"), ("language", "de")):
        path = path.replace(f"{{{gap}}}", value)
    path = path.replace("{filename}", "icon-192.png")
    headers = (("Content-Type", "application/json"),) if method == "POST" else ()
    return Request(method, path, headers, b"{}" if method == "POST" else b"", made=("plain",))


def _drawn(strategy: Any, count: int, chance: int) -> list[AnyCase]:  # noqa: ANN401 - not exported
    drawn: list[AnyCase] = []

    @seed(chance)
    @settings(
        max_examples=count,
        database=None,
        deadline=None,
        phases=[Phase.generate],
        suppress_health_check=list(HealthCheck),
    )
    @given(strategy)
    def draw(case: AnyCase) -> None:
        drawn.append(case)

    try:
        draw()
    except Unsatisfiable:
        return []  # a call that takes nothing cannot be asked wrongly this way
    return drawn


def _requests(case: AnyCase, mode: GenerationMode) -> Iterator[Request]:
    path = case.path
    for name, value in (case.path_parameters or {}).items():
        path = path.replace(f"{{{name}}}", _segment(value))
    query = urlencode(_flat(case.query or {}), doseq=True, errors="surrogatepass")
    target = f"{path}?{query}" if query else path
    headers = (*_headers(case.headers or {}), *_kind(case))
    yield Request(case.method.upper(), target, headers, _body(case.body), made=(mode.name.lower(),))


def _segment(value: object) -> str:
    text = str(value)
    return text if "%" in text else quote(text, safe="", errors="surrogatepass")


def _flat(query: Mapping[str, Any]) -> dict[str, str]:
    return {str(name): _word(value) for name, value in query.items()}


def _word(value: object) -> str:
    return value if isinstance(value, str) else json.dumps(value, default=str)


def _headers(headers: Mapping[str, Any]) -> Headers:
    """Those that can be sent as they are; broken ones are made elsewhere, by intent."""
    words = [(name, str(value)) for name, value in headers.items()]
    return tuple((n, v) for n, v in words if v.isascii() and v.isprintable() and n.isascii())


def _kind(case: AnyCase) -> Headers:
    return (("Content-Type", case.media_type),) if case.media_type else ()


def _body(body: object) -> bytes:
    if body is NOT_SET:
        return b""
    if isinstance(body, bytes):
        return body
    return json.dumps(body, default=repr).encode("utf-8", "surrogatepass")
