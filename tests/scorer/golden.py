"""The golden cases of the rule sheet, as tables for tests."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from scorer.tiles import Cell, Placed, Tile

Case = dict[str, Any]

CASES: list[Case] = json.loads(
    Path(__file__).with_name("cases.json").read_text(encoding="utf-8"),
)


def cases(*kinds: str) -> list[Case]:
    """The cases of some kinds."""
    return [case for case in CASES if case["kind"] in kinds]


def name_of(case: Case) -> str:
    """What a test run calls a case."""
    return str(case["id"])


def tile(item: Case) -> Tile:
    """The tile of a case."""
    return Tile(item["shape"], item["colour"], item["background"])


def tiles(items: list[Case]) -> list[Tile]:
    """The tiles of a hand."""
    return [tile(item) for item in items]


def placed(items: list[Case]) -> list[Placed]:
    """Tiles on their cells."""
    return [Placed((item["x"], item["y"]), tile(item)) for item in items]


def board(items: list[Case]) -> dict[Cell, Tile]:
    """The table of a case."""
    return dict(placed(items))


def summary(lines: list[Case]) -> list[tuple[str, int, int]]:
    """Lines without regard to their order."""
    return sorted((line["kind"], line["length"], line["points"]) for line in lines)
