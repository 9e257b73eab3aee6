"""All words in all languages: nothing missing, nothing left over, the same placeholders."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

import pytest

from scorer.options import ACTIONS, EXPANSIONS, RULES
from scorer.sentences import _PLAIN
from scorer.tiles import BACKGROUNDS, COLOURS, SHAPES
from tests.calibration.test_codes import codes
from tiletally.calibrating_steps import EDITIONS, OWN
from tiletally.live_health import AIM_HINTS, DRIFT_HINTS
from webui.locales import LANGUAGES

WEBUI = Path(__file__).parents[2] / "webui"
SOURCES = [*WEBUI.glob("static/js/**/*.js"), *WEBUI.glob("templates/*.html")]
SOURCE = "\n".join(path.read_text(encoding="utf-8") for path in SOURCES)
# Keys put together in code: every text that begins like this may be asked for.
MADE = ("rule", "camera.hint", "camera.state", "question", "choice", "error", "letter", "colour",
        "shape", "background", "line", "action", "rules", "nav", "stats", "stats.by", "expansion",
        "settings.theme", "button", "turn", "notice", "setup.finding", "setup.absent",
        "setup.edition", "setup.lens", "setup.level", "setup.side")  # fmt: skip


def words(language: str) -> dict[str, Any]:
    text = (WEBUI / "locales" / f"{language}.json").read_text(encoding="utf-8")
    found: dict[str, Any] = json.loads(text)
    return found


def placeholders(text: str | dict[str, str]) -> set[str]:
    forms = [text] if isinstance(text, str) else list(text.values())
    return {name for form in forms for name in re.findall(r"\{(\w+)\}", form)}


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_language_has_the_same_keys_and_placeholders(language: str) -> None:
    english, other = words("en"), words(language)
    assert set(other) == set(english)
    for key, text in english.items():
        assert placeholders(other[key]) == placeholders(text), key
        assert isinstance(other[key], type(text)), key


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_text_says_something(language: str) -> None:
    for key, text in words(language).items():
        forms = [text] if isinstance(text, str) else [text["one"], text["other"]]
        assert all(form.strip() for form in forms), key


def test_every_text_asked_for_exists() -> None:
    asked = set(re.findall(r"""\bt\(\s*["']([\w.]+)["']""", SOURCE))
    asked |= set(re.findall(r"say\('([\w.]+)'\)", SOURCE))
    assert asked - set(words("en")) == set()


def test_no_text_is_left_over() -> None:
    unused = [
        key
        for key in words("en")
        if f'"{key}"' not in SOURCE
        and f"'{key}'" not in SOURCE
        and key.rsplit(".", 1)[0] not in MADE
        and not key.endswith(".about")
    ]
    assert unused == []


@pytest.mark.parametrize(
    ("prefix", "names"),
    [
        ("rule", [*_PLAIN, "no_contact"]),
        ("colour", COLOURS),
        ("letter", COLOURS),
        ("shape", SHAPES),
        ("background", BACKGROUNDS),
        ("action", ACTIONS),
        ("rules", RULES),
        ("expansion", EXPANSIONS),
        ("setup.finding", sorted(set(codes()) - set(DRIFT_HINTS) - {"tiles_learned"})),
        ("camera.hint", [*DRIFT_HINTS, *AIM_HINTS.values(), "being_set_up"]),
        ("setup.absent", ["none", "demo"]),
        ("setup.edition", [*EDITIONS, OWN]),
    ],
)
def test_everything_the_game_can_say_has_words(prefix: str, names: list[str]) -> None:
    assert [name for name in names if f"{prefix}.{name}" not in words("en")] == []


@pytest.mark.parametrize("language", LANGUAGES)
def test_letters_tell_the_colours_apart(language: str) -> None:
    letters = [text for key, text in words(language).items() if key.startswith("letter.")]
    assert len(set(letters)) == len(letters)


def test_no_text_stands_in_code() -> None:
    """Letters between quotes as the content of an element would be a text without a key."""
    found = re.findall(r'h\("[a-z0-9]+", \{[^}]*\}, "([^"]*[A-Za-z]{3}[^"]*)"', SOURCE)
    assert found == []
