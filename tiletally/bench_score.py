"""How fast `tiletally score` is, compared with reading and writing the same JSON."""

from __future__ import annotations

import json
import random
from io import BytesIO
from time import process_time

from scorer.rules import judge
from scorer.tiles import COLOURS, SHAPES, Cell, Placed, Tile
from tiletally.score import run

_POSITIONS = 4000
_TILES = 50
_ROUNDS = 3


def bench_score(positions: int = _POSITIONS) -> dict[str, float]:
    """Positions a second on one core, and the time as a multiple of bare JSON work."""
    lines = _lines(positions)
    scoring = min(_seconds_scoring(lines) for _ in range(_ROUNDS))
    parsing = min(_seconds_parsing(lines) for _ in range(_ROUNDS))
    return {
        "positions": positions,
        "tiles_per_position": _TILES,
        "positions_per_second": round(positions / scoring),
        "json_only_per_second": round(positions / parsing),
        "ratio_to_json": round(scoring / parsing, 2),
    }


def _seconds_scoring(lines: bytes) -> float:
    start = process_time()
    run(BytesIO(lines), BytesIO())
    return process_time() - start


def _seconds_parsing(lines: bytes) -> float:
    start = process_time()
    for line in lines.splitlines():
        json.dumps(json.loads(line)).encode()
    return process_time() - start


def _lines(count: int) -> bytes:
    """Positions of a grown table, each with another move; a good half of them are legal."""
    rng = random.Random(1)
    boards = [grown_table(_TILES, rng) for _ in range(20)]
    return b"".join(_line(boards[n % len(boards)], rng) for n in range(count))


def grown_table(tiles: int, rng: random.Random) -> dict[Cell, Tile]:
    """A sound Flex layout, grown tile by tile."""
    table: dict[Cell, Tile] = {(0, 0): _any_tile(rng)}
    while len(table) < tiles:
        placed = _beside(table, rng)
        if judge(table, [placed], "flex").legal:
            table[placed.cell] = placed.tile
    return table


def _any_tile(rng: random.Random) -> Tile:
    return Tile(
        rng.choice(SHAPES), rng.choice(COLOURS[:6]), rng.choice(("black", "white", "split"))
    )


def _beside(table: dict[Cell, Tile], rng: random.Random) -> Placed:
    x, y = rng.choice(list(table))
    dx, dy = rng.choice(((1, 0), (-1, 0), (0, 1), (0, -1)))
    return Placed((x + dx, y + dy), _any_tile(rng))


def _line(table: dict[Cell, Tile], rng: random.Random) -> bytes:
    move, legal = [_beside(table, rng)], rng.random() < 0.5
    while legal and not judge(table, move, "flex").legal:
        move = [_beside(table, rng)]
    position = {
        "ruleset": "flex",
        "board": [_tile_json(Placed(cell, tile)) for cell, tile in table.items()],
        "placed": [_tile_json(placed) for placed in move],
    }
    return json.dumps(position).encode() + b"\n"


def _tile_json(placed: Placed) -> dict[str, object]:
    x, y = placed.cell
    return {"x": x, "y": y, **placed.tile._asdict()}
