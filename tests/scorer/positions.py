"""Random tables and moves, sound and unsound, from a seed."""

from __future__ import annotations

import random

from scorer.board import neighbours
from scorer.tiles import BACKGROUNDS, COLOURS, SHAPES, Cell, Tile

Move = list[tuple[Cell, Tile]]
RULES = ("classic", "flex", "flex72")


def any_tile(rng: random.Random, variety: int = 6) -> Tile:
    """A tile out of few or many faces; few make matches and repetitions frequent."""
    shape = rng.choice(SHAPES[:variety])
    return Tile(shape, rng.choice(COLOURS[:variety]), rng.choice(BACKGROUNDS))


def wild_table(rng: random.Random, size: int) -> dict[Cell, Tile]:
    """A connected table without any regard to lines."""
    variety = rng.randint(1, 6)
    table = {(0, 0): any_tile(rng, variety)}
    while len(table) < size:
        table[rng.choice(neighbours(rng.choice(list(table))))] = any_tile(rng, variety)
    return table


def long_table(rng: random.Random) -> dict[Cell, Tile]:
    """Sound stretches in one row with holes, where seven in a line are near."""
    shapes = rng.sample(SHAPES, 6)
    colour, background = rng.choice(COLOURS), rng.choice(BACKGROUNDS)
    step = rng.choice(((1, 0), (0, 1), (1, 1), (1, -1)))
    return {
        (step[0] * n, step[1] * n): Tile(shapes[n % 6], colour, background)
        for n in range(rng.randint(3, 9))
        if rng.random() < 0.8
    }


def any_move(rng: random.Random, table: dict[Cell, Tile]) -> Move:
    """Up to six tiles near the table, mostly in one row or column."""
    x, y = rng.choice(neighbours(rng.choice(list(table)))) if table else (0, 0)
    step = rng.choice(((1, 0), (-1, 0), (0, 1), (0, -1), (1, 1)))
    move: dict[Cell, Tile] = {}
    variety = rng.randint(1, 6)
    for _ in range(rng.choice((1, 1, 1, 2, 2, 3, 4, 6))):
        while (x, y) in table or (x, y) in move:
            x, y = x + step[0], y + step[1]
        move[x, y] = any_tile(rng, variety)
        if rng.random() < 0.1:
            x, y = x + rng.randint(-1, 1), y + rng.randint(-2, 2)
    listed = list(move.items())
    rng.shuffle(listed)
    return listed


def any_position(rng: random.Random) -> tuple[dict[Cell, Tile], Move]:
    """A table with a move, of all the kinds above."""
    kind = rng.randint(0, 9)
    if kind == 0:
        table: dict[Cell, Tile] = {}
    elif kind < 6:
        table = wild_table(rng, rng.randint(1, 20))
    else:
        table = long_table(rng)
    return table, any_move(rng, table)
