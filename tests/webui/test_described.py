"""The page, its description for programs and its description in words tell the same calls."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
import schemathesis
from flask import Flask
from flask.testing import FlaskClient

from tests.webui.described import Answer, Description, Operation
from tiletally.session_settings import SETTINGS
from webui.views.turns import _CORRECTIONS, _WISHES

TEXT = (Path(__file__).parents[2] / "docs" / "http.md").read_text(encoding="utf-8")
DESCRIPTION = Description.load()
CALLS = {f"{method} {path}": call for method, path, call in DESCRIPTION.operations()}
TICKET = {"command", "game", "seq"}


def _served(app: Flask) -> Iterator[str]:
    for rule in app.url_map.iter_rules():
        path = re.sub(r"<(?:\w+:)?(\w+)>", r"{\1}", rule.rule)
        words = _WISHES if "{wish}" in path else _CORRECTIONS if "{what}" in path else ("",)
        for word in words:
            named = path.replace("{wish}", word).replace("{what}", word)
            for method in (rule.methods or set()) - {"HEAD", "OPTIONS"}:
                yield f"{method} {named}"


def _told() -> dict[str, str]:
    """Every call in the tables of the document, with the rest of its row."""
    found = {}
    for row in re.findall(r"^\| (`(?:GET|POST) .*)", TEXT, flags=re.MULTILINE):
        first, _, rest = row.partition(" |")
        method, last = "", ""
        for word in re.findall(r"`([^`]+)`", first):
            method, path = word.split() if " " in word else (method, word)
            path = path.partition("?")[0].replace("/static/…", "/static/<filename>")
            last = path.replace("…", last.rpartition("/")[0])
            named = last.replace("<n>", "<number>").replace("<id>", "<game_id>")
            found[f"{method} {re.sub('<([a-z_]+)>', '{' + chr(92) + '1}', named)}"] = rest
    return found


def _resolved(schema: dict[str, Any]) -> dict[str, Any]:
    name = schema.get("$ref", "").rsplit("/", 1)[-1]
    found: dict[str, Any] = DESCRIPTION.document["components"]["schemas"][name] if name else schema
    return found


def _fields(call: Operation) -> set[str]:
    """What the body of a call consists of, without the ticket that every command has."""
    content = call.get("requestBody", {}).get("content", {})
    schema = content.get("application/json", {}).get("schema", {})
    return set(_resolved(schema).get("properties", {})) - TICKET


def _names(schema: object) -> set[str]:
    """All names inside a schema."""
    if isinstance(schema, list):
        return {name for each in schema for name in _names(each)}
    if not isinstance(schema, dict):
        return set()
    inner = [each for each in _resolved(schema).values() if isinstance(each, dict | list)]
    return {*_resolved(schema).get("properties", {}), *_names(inner)}


def test_every_call_is_described_and_every_description_is_served(app: Flask) -> None:
    assert set(_served(app)) == set(CALLS)


def test_the_document_tells_the_same_calls() -> None:
    assert set(_told()) == set(CALLS)


@pytest.mark.parametrize("call", [name for name, call in CALLS.items() if _fields(call)])
def test_the_document_tells_the_same_fields(call: str) -> None:
    told = set(re.findall(r'"(\w+)"', _told()[call]))
    body = CALLS[call]["requestBody"]["content"]["application/json"]["schema"]
    assert _fields(CALLS[call]) <= told <= _names(body)


def test_every_setting_is_described() -> None:
    assert _fields(CALLS["POST /api/settings"]) == {setting.name for setting in SETTINGS}


def test_it_is_valid_openapi() -> None:
    schema = schemathesis.openapi.from_dict(DESCRIPTION.document)
    schema.validate()
    assert len(list(schema.get_all_operations())) == len(CALLS)


def test_it_is_served(client: FlaskClient) -> None:
    assert client.get("/api/openapi.json").get_json() == DESCRIPTION.document


@pytest.mark.parametrize(
    ("path", "status", "kind", "data"),
    [
        ("/api/state", 500, "application/json", b'{"error":"x","code":"internal"}'),
        ("/api/state", 200, "text/html", b"<p>"),
        ("/api/state", 200, "application/json", b"{}"),
        ("/api/state", 200, "application/json", b"{"),
        ("/api/state", 304, "", b"body"),
        ("/nowhere", 200, "application/json", b"{}"),
        ("/api/games/7", 404, "application/json", b'{"error":""}'),
    ],
)
def test_what_is_not_described_is_noticed(path: str, status: int, kind: str, data: bytes) -> None:
    assert DESCRIPTION.problem(Answer("GET", path, status, kind, data)) is not None
