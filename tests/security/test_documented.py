"""The documents keep up with the code: every attack is tried, and every limit is the true one."""

from __future__ import annotations

import ast
import re
from pathlib import Path

import pytest

from tiletally.games import MOST_EVENTS
from tiletally.session_wishes import FARTHEST, LONGEST_NAME, LONGEST_TEXT, MOST_POINTS, MOST_TILES
from tiletally.web_patience import MOST_CONNECTIONS, MOST_LARGE
from tiletally.web_server import MOST_BODY_BYTES, MOST_HEAD_BYTES, THREADS
from vision.cameras.phone import MOST_PIXELS_WAITING, MOST_WAITING
from vision.images import MOST_PIXELS, MOST_RATIO
from vision.jpeg import MOST_SCANS
from webui import MOST_BYTES, Number
from webui.access import MOST_DEPTH, MOST_PHOTO_BYTES, MOST_PICTURES
from webui.errors import LONGEST_SENTENCE
from webui.events import MOST_EACH, MOST_STREAMS
from webui.lock import MOST_DEVICES
from webui.pin_tries import FIRST_WAIT_S, LONGEST_WAIT_S

ROOT = Path(__file__).parents[2]
BODY, HEAD, PHOTO = MOST_BYTES // 1024, MOST_HEAD_BYTES // 1024, MOST_PHOTO_BYTES // 1024**2
BODY_MB = MOST_BODY_BYTES // 1024**2
DIGITS = Number.regex.removeprefix("[0-9]{1,").removesuffix("}")
LIMITS = (
    (
        "http.md",
        f"| body | {BODY} kB, a photo {PHOTO} MB (413); nested at most {MOST_DEPTH} levels",
    ),
    ("http.md", f"| head of a request | {HEAD} kB (431)"),
    ("http.md", f"| names and colours | {LONGEST_NAME} letters; a reason {LONGEST_TEXT} |"),
    ("http.md", f"| {MOST_TILES}, at most {FARTHEST} cells from the origin |"),
    ("http.md", f"| points and counts | -{MOST_POINTS} to {MOST_POINTS} |"),
    ("http.md", f"| events of one game | {MOST_EVENTS} (409) |"),
    ("http.md", f"| numbers of games and turns in an address | {DIGITS} digits (404) |"),
    ("http.md", f"| streams at a time | {MOST_STREAMS} (429) |"),
    (
        "http.md",
        f"| a photo | {MOST_PIXELS // 10**6} megapixels, one side at most {MOST_RATIO} times",
    ),
    ("http.md", f"{MOST_SCANS} passes (422); {MOST_PICTURES} are taken at a time (503), "),
    ("http.md", f"(503), {MOST_WAITING} may wait to be read |"),
    ("http.md", f"| what an error says | {LONGEST_SENTENCE} letters |"),
    ("security.md", f"body ({BODY} kB, photos {PHOTO} MB), head ({HEAD} kB) and depth"),
    ("security.md", f"| {MOST_STREAMS} in all, {MOST_EACH} of one address;"),
    ("security.md", f"| {MOST_PICTURES} are held at a time, others are told to come again; "),
    ("security.md", f"come again; beyond {MOST_LARGE} on their way they are hung up on |"),
    ("security.md", f"for a year, {MOST_DEVICES} devices at most"),
    ("security.md", f"from {FIRST_WAIT_S:.0f} s to {LONGEST_WAIT_S / 60:.0f} minutes"),
    ("architecture.md", f"| photos that are sent | {MOST_LARGE} are taken in and "),
    ("architecture.md", f"taken in and {MOST_PICTURES} held at a time, each up to {BODY_MB} MB"),
    ("architecture.md", f"| connections | {MOST_CONNECTIONS} |"),
    ("architecture.md", f"| {MOST_WAITING}, and {MOST_PIXELS_WAITING // 10**6} million pixels"),
    ("architecture.md", f"| threads | {THREADS} for the page"),
)


@pytest.mark.parametrize(("document", "words"), LIMITS)
def test_every_limit_is_told_as_it_is(document: str, words: str) -> None:
    assert words in (ROOT / "docs" / document).read_text(encoding="utf-8")


def test_every_row_of_limits_is_held_against_the_code() -> None:
    text = (ROOT / "docs" / "http.md").read_text(encoding="utf-8")
    rows = re.findall(r"^\| .*", text.partition("| limit |")[2].partition("\n\n")[0], re.MULTILINE)
    unchecked = [row for row in rows if not any(words in row for _, words in LIMITS)]
    assert unchecked == ["| players | 2 to 6 |"], "the rule book says that, and its tests"


def test_every_attack_is_listed_and_every_listed_one_is_tried() -> None:
    tree = ast.parse((Path(__file__).parent / "test_attacks.py").read_text(encoding="utf-8"))
    functions = [each.name for each in tree.body if isinstance(each, ast.FunctionDef)]
    tried = {name for name in functions if name.startswith("test_")}
    text = (ROOT / "docs" / "security.md").read_text(encoding="utf-8")
    assert set(re.findall(r"`(test_\w+)`", text)) == tried
