"""`tiletally score`: JSON lines with positions in, JSON lines with points out.

Answers are written as soon as the input that has arrived is used up, so that a program on the
other end of a pipe is never kept waiting, while a long file goes through in large blocks.
"""

from __future__ import annotations

import json
import os
from collections import Counter
from collections.abc import Iterator
from contextlib import suppress
from io import UnsupportedOperation
from typing import Any, BinaryIO

from scorer.options import RULES
from scorer.rules import judge
from scorer.sentences import sentence
from scorer.tiles import BACKGROUNDS, COLOURS, SHAPES, Cell, Tile

_BLOCK = 1 << 16
_WORDS = {"shape": SHAPES, "colour": COLOURS, "background": BACKGROUNDS}
_FLEX_TILES = {(s, c, b): Tile(s, c, b) for s in SHAPES for c in COLOURS for b in BACKGROUNDS}
_CLASSIC_TILES = {words: Tile(words[0], words[1]) for words in _FLEX_TILES}
_COPIES = {"classic": 3, "flex": 1, "flex72": 1}


class PositionError(ValueError):
    """A line that does not describe a position."""


def _refuse(constant: str) -> float:
    raise PositionError(f"the line is not JSON: {constant} is no number")


_DECODER = json.JSONDecoder(parse_constant=_refuse)


def run(stdin: BinaryIO, stdout: BinaryIO) -> int:
    """Answer every line of the input; a malformed line gets an error and the run goes on."""
    try:
        for lines in _blocks(stdin):
            stdout.write(b"".join(answer for line in lines if (answer := _answer(line))))
            stdout.flush()
    except BrokenPipeError:
        _silence(stdout)
    return 0


def score_line(line: bytes) -> dict[str, object]:
    """The answer to one line: what the rules say, or what is wrong with the line."""
    try:
        return _score(_parse(line))
    except PositionError as error:
        return {"error": str(error)}


def _blocks(stdin: BinaryIO) -> Iterator[list[bytes]]:
    """Complete lines as they arrive; the last one may lack its line end."""
    read = getattr(stdin, "read1", stdin.read)
    rest: list[bytes] = []
    while block := read(_BLOCK):
        *lines, tail = block.split(b"\n")
        if lines:
            lines[0] = b"".join([*rest, lines[0]])
            rest = []
            yield lines
        rest.append(tail)
    yield [b"".join(rest)]


def _answer(line: bytes) -> bytes:
    if not line.strip(b" \t\r\n\xef\xbb\xbf"):
        return b""
    return json.dumps(score_line(line), separators=(",", ":")).encode() + b"\n"


def _silence(stdout: BinaryIO) -> None:
    """Nobody reads on: keep the interpreter from complaining when it closes the output."""
    with suppress(OSError, UnsupportedOperation, AttributeError):
        nowhere = os.open(os.devnull, os.O_WRONLY)
        os.dup2(nowhere, stdout.fileno())
        os.close(nowhere)


def _parse(line: bytes) -> dict[str, object]:
    try:
        position = _DECODER.decode(line.decode("utf-8-sig"))
    except UnicodeDecodeError:
        raise PositionError("the line is not UTF-8 text") from None
    except PositionError:
        raise
    except json.JSONDecodeError as error:
        raise PositionError(f"the line is not JSON: {error.msg} at column {error.colno}") from None
    except ValueError:
        raise PositionError("the line holds a number that is too long") from None
    except RecursionError:
        raise PositionError("the line is nested too deeply") from None
    if not isinstance(position, dict):
        raise PositionError("a position is a JSON object with ruleset, board and placed")
    return position


def _score(position: dict[str, object]) -> dict[str, object]:
    rules = position.get("ruleset")
    if not isinstance(rules, str) or rules not in RULES:
        raise PositionError(f"the ruleset is one of {', '.join(RULES)}, not {_shown(rules)}")
    on_table = _read_tiles(position, "board", rules)
    board = dict(on_table)
    if len(board) < len(on_table):
        raise PositionError("two tiles of the board are on the same cell")
    placed = _read_tiles(position, "placed", rules)
    answer = _judged(board, placed, rules)
    if warnings := _warnings([*on_table, *placed], rules):
        answer["warnings"] = warnings
    return answer


def _judged(
    board: dict[Cell, Tile], placed: list[tuple[Cell, Tile]], rules: str
) -> dict[str, object]:
    judgement = judge(board, placed, rules)
    if judgement.violations:
        first = judgement.violations[0]
        reason = f"{first.code}: {sentence(first)}"
        codes = list(judgement.codes)
        return {"legal": False, "reason": reason, "score": 0, "lines": [], "codes": codes}
    lines = [
        {"kind": line.kind, "length": len(line.cells), "points": line.points}
        for line in judgement.lines
    ]
    return {"legal": True, "reason": None, "score": judgement.score, "lines": lines, "codes": []}


def _read_tiles(position: dict[str, object], name: str, rules: str) -> list[tuple[Cell, Tile]]:
    items = position.get(name)
    if not isinstance(items, list):
        raise PositionError(f"{name} must be a list of tiles")
    try:
        placed = _cells_and_tiles(items, rules)
    except (KeyError, TypeError):
        raise _complaint(items, name, rules) from None
    for (x, y), _ in placed:
        if type(x) is not int or type(y) is not int:
            raise _complaint(items, name, rules)
    return placed


def _cells_and_tiles(items: list[Any], rules: str) -> list[tuple[Cell, Tile]]:
    """Straight look-ups, because this runs for every tile of every line."""
    if rules == "classic":
        return [
            (
                (item["x"], item["y"]),
                _CLASSIC_TILES[item["shape"], item["colour"], item.get("background", "black")],
            )
            for item in items
        ]
    return [
        (
            (item["x"], item["y"]),
            _FLEX_TILES[item["shape"], item["colour"], item["background"]],
        )
        for item in items
    ]


def _complaint(items: list[object], name: str, rules: str) -> PositionError:
    """What is wrong with the first tile that is not as it should be."""
    for number, item in enumerate(items, start=1):
        if problem := _problem(item, rules):
            return PositionError(f"tile {number} of {name}: {problem}")
    return PositionError(f"{name} must be a list of tiles")


def _problem(item: object, rules: str) -> str:
    if not isinstance(item, dict):
        return "it is not a JSON object"
    for key in ("x", "y"):
        if type(item.get(key)) is not int:
            return f"{key} must be a whole number, not {_shown(item.get(key))}"
    for key, words in _WORDS.items():
        value = item.get(key, "black" if key == "background" and rules == "classic" else None)
        if value not in words:
            return f"{key} must be one of {', '.join(words)}, not {_shown(value)}"
    return ""


def _shown(value: object) -> str:
    """A value as JSON, cut where it is long."""
    try:
        text = json.dumps(value)
    except (ValueError, RecursionError):
        return "that"
    return text if len(text) <= 40 else text[:40] + "…"


def _warnings(placed: list[tuple[Cell, Tile]], rules: str) -> list[str]:
    """Tiles that lie there more often than the box holds them: legal, but surely misread."""
    most = _COPIES[rules]
    tiles = [tile for _, tile in placed]
    if most == 1 and len(set(tiles)) == len(tiles):
        return []
    return [
        f"{count} tiles {tile.colour} {tile.shape} {tile.background}, the box holds {most}"
        for tile, count in Counter(tiles).items()
        if count > most
    ]
