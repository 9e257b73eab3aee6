"""Where single tiles fit: the same answer as judging them one by one."""

from __future__ import annotations

import random

import pytest

from scorer.board import frontier
from scorer.fitting import anything_fits, fits, fitting_cells
from scorer.notation import parse_table, parse_tile
from scorer.options import Options
from scorer.rules import judge
from scorer.tiles import Cell, Tile
from tests.scorer.positions import RULES, any_tile, long_table, wild_table


def random_table(rng: random.Random) -> dict[Cell, Tile]:
    return long_table(rng) if rng.random() < 0.5 else wild_table(rng, rng.randint(1, 15))


@pytest.mark.parametrize("rules", RULES)
def test_fitting_agrees_with_judging(rules: str) -> None:
    rng = random.Random(f"fitting {rules}")
    outcomes = set()
    for _ in range(300):
        table = random_table(rng)
        tile = any_tile(rng, 3)
        for cell in frontier(table):
            legal = judge(table, [(cell, tile)], rules).legal
            assert fits(table, cell, tile, rules) == legal, (table, cell, tile)
            outcomes.add(legal)
    assert outcomes == {True, False}


def test_fitting_cells_and_anything() -> None:
    table = parse_table("@0,0\nRo Rs")
    assert set(fitting_cells(table, parse_tile("Rd"), "classic")) == {(-1, 0), (2, 0)} | {
        (x, y) for x in (0, 1) for y in (-1, 1)
    }
    assert fitting_cells(table, parse_tile("Bd"), "classic") == []
    assert not anything_fits(table, [parse_tile("Bd")], "classic")
    assert anything_fits(table, [parse_tile("Bd"), parse_tile("Bo")], "classic")
    assert anything_fits({}, [parse_tile("Bd")], "classic")
    assert not anything_fits({}, [], "classic")
    assert anything_fits(table, [parse_tile("Bd")], "classic", Options(expansions=("expansion1",)))
