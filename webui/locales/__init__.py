"""The words of the page: one JSON file for each language, shared by server and page."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass
from importlib import resources
from typing import Self

from werkzeug.datastructures import LanguageAccept

LANGUAGES = ("en", "de", "fr", "it")
Words = Mapping[str, str | Mapping[str, str]]


@dataclass(frozen=True, slots=True)
class Locales:
    """All languages, read once."""

    words: Mapping[str, Words]

    @classmethod
    def load(cls) -> Self:
        """Read the files that come along."""
        folder = resources.files(__name__)
        return cls(
            {
                language: json.loads((folder / f"{language}.json").read_text(encoding="utf-8"))
                for language in LANGUAGES
            }
        )

    def say(self, language: str, key: str) -> str:
        """A text without placeholders."""
        text = self.words[language][key]
        return text if isinstance(text, str) else text["other"]


def choose(asked: str | None, accepted: LanguageAccept) -> str:
    """The language of the page: what was chosen, else what the browser prefers."""
    if asked in LANGUAGES:
        return str(asked)
    return accepted.best_match(LANGUAGES, "en") or "en"
