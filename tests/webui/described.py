"""The description of the calls, and whether an answer keeps to it."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import jsonschema_rs

FILE = Path(__file__).parents[2] / "webui" / "openapi.json"

Operation = dict[str, Any]


@dataclass(frozen=True, slots=True)
class Answer:
    """What came back from a call."""

    method: str
    path: str
    status: int
    kind: str
    data: bytes

    @property
    def call(self) -> str:
        """The call in words."""
        return f"{self.method} {self.path[:80]} -> {self.status}"


@dataclass(slots=True)
class Description:
    """`webui/openapi.json`, ready to hold answers against it."""

    document: dict[str, Any]
    _templates: list[tuple[re.Pattern[str], str]] = field(default_factory=list)
    _checkers: dict[str, jsonschema_rs.Validator] = field(default_factory=dict)

    @classmethod
    def load(cls) -> Description:
        """The description that the page serves."""
        document = json.loads(FILE.read_text(encoding="utf-8"))
        # A path without a gap comes before one with a gap that would match it too.
        paths = sorted(document["paths"], key=lambda path: path.count("{"))
        return cls(document, [(_pattern(path), path) for path in paths])

    def operations(self) -> Iterator[tuple[str, str, Operation]]:
        """Every call with its method, in the order of the file."""
        for path, methods in self.document["paths"].items():
            for method, operation in methods.items():
                yield method.upper(), path, operation

    def template_of(self, path: str) -> str | None:
        """The described path that an address without its query belongs to."""
        return next((name for pattern, name in self._templates if pattern.fullmatch(path)), None)

    def problem(self, answer: Answer) -> str | None:
        """What is wrong with an answer, or None."""
        described = self._described(answer)
        if described is None:
            return f"{answer.call}: this status is not described"
        content = self._resolved(described).get("content")
        if answer.method == "HEAD" or content is None:
            return f"{answer.call}: there is a body" if answer.data else None
        media = content.get(answer.kind) or content.get("*/*")
        if media is None:
            return f"{answer.call}: {answer.kind!r} is not described"
        return self._body_problem(answer, media.get("schema", {}))

    def _described(self, answer: Answer) -> Mapping[str, Any] | None:
        template = self.template_of(answer.path)
        methods = self.document["paths"][template] if template else {}
        method = "get" if answer.method == "HEAD" else answer.method.lower()
        if method == "options" and answer.status == 200:
            return {}
        own: dict[str, Any] = methods.get(method, {}).get("responses", {})
        everywhere: dict[str, Any] = self.document["x-any-call"]
        return own.get(str(answer.status)) or everywhere.get(str(answer.status))

    def _body_problem(self, answer: Answer, schema: Mapping[str, Any]) -> str | None:
        if not answer.kind.endswith("json"):
            return None
        try:
            body = json.loads(answer.data)
        except ValueError:
            return f"{answer.call}: the body is not JSON"
        wrong = next(self._checker(schema).iter_errors(body), None)
        if wrong is None:
            return None
        place = "/".join(str(step) for step in wrong.instance_path)
        return f"{answer.call}: {place or 'the body'}: {wrong.message[:200]}"

    def _checker(self, schema: Mapping[str, Any]) -> jsonschema_rs.Validator:
        key = json.dumps(schema)
        if key not in self._checkers:
            whole = {**schema, "components": self.document["components"]}
            self._checkers[key] = jsonschema_rs.Draft202012Validator(whole)
        return self._checkers[key]

    def _resolved(self, response: Mapping[str, Any]) -> Mapping[str, Any]:
        name = response.get("$ref", "").rsplit("/", 1)[-1]
        return self.document["components"]["responses"][name] if name else response


def _pattern(path: str) -> re.Pattern[str]:
    """What matches the addresses of a path; only files lie in folders."""
    pieces = re.split(r"\{(\w+)\}", path)
    gaps = {"number": "[0-9]+", "game_id": "[0-9]+", "filename": ".+"}
    return re.compile(
        "".join(
            gaps.get(piece, "[^/]+") if place % 2 else re.escape(piece)
            for place, piece in enumerate(pieces)
        )
    )
