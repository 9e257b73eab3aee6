"""A second opinion on placements: the reference procedure, slow and word by word.

It shares nothing with the engine. The table is a list of rows of records, every maximal run is
found by scanning the whole bounding box, and connection is found by growing a set until it
stops growing.
"""

from __future__ import annotations

from collections.abc import Callable
from itertools import groupby
from typing import NamedTuple

from scorer.tiles import Cell, Tile


class Found(NamedTuple):
    """What the second opinion says."""

    codes: set[str]
    lines: list[tuple[str, int, int]]
    score: int


def second_opinion(board: dict[Cell, Tile], new: list[tuple[Cell, Tile]], rules: str) -> Found:
    """Codes, lines and score of a placement without contested cells."""
    if not new:
        return Found({"nothing_placed"}, [], 0)
    cells = [cell for cell, _ in new]
    assert len(set(cells)) == len(cells)
    assert not set(cells) & set(board)
    table = dict(board)
    table.update(new)
    runs = [(kind, run) for kind, run in _all_runs(table, rules) if set(run) & set(cells)]
    codes = _placing_codes(board, cells, table)
    for kind, run in runs:
        codes |= _run_codes(kind, [table[cell] for cell in run])
    if codes:
        return Found(codes, [], 0)
    lines = [(kind, len(run), 12 if len(run) == 6 else len(run)) for kind, run in runs]
    return Found(set(), sorted(lines), sum(points for _, _, points in lines))


def _all_runs(table: dict[Cell, Tile], rules: str) -> list[tuple[str, list[Cell]]]:
    kinds: dict[str, Callable[[int, int], tuple[int, int]]] = {
        "row": lambda x, y: (y, x),
        "column": lambda x, y: (x, y),
        "diagonal_down": lambda x, y: (x - y, x),
        "diagonal_up": lambda x, y: (x + y, x),
    }
    if rules == "classic":
        del kinds["diagonal_down"], kinds["diagonal_up"]
    found = []
    for kind, key in kinds.items():
        ordered = sorted((key(x, y), (x, y)) for x, y in table)
        for _, track in groupby(ordered, lambda entry: entry[0][0]):
            found += [(kind, run) for run in _cut(list(track), kind, table) if len(run) >= 2]
    return found


def _cut(
    track: list[tuple[tuple[int, int], Cell]], kind: str, table: dict[Cell, Tile]
) -> list[list[Cell]]:
    runs: list[list[Cell]] = []
    before: tuple[int, str] | None = None
    for (_, step), cell in track:
        background = table[cell].background if kind.startswith("diagonal") else ""
        if before == (step - 1, background):
            runs[-1].append(cell)
        else:
            runs.append([cell])
        before = (step, background)
    return runs


def _placing_codes(board: dict[Cell, Tile], cells: list[Cell], table: dict[Cell, Tile]) -> set[str]:
    codes = set()
    xs, ys = [x for x, _ in cells], [y for _, y in cells]
    if min(xs) != max(xs) and min(ys) != max(ys):
        codes.add("not_one_line")
    else:
        span = [(x, y) for x in range(min(xs), max(xs) + 1) for y in range(min(ys), max(ys) + 1)]
        if any(cell not in table for cell in span):
            codes.add("gap")
    if board and not set(cells) <= _grown(set(board), set(table)):
        codes.add("no_contact")
    return codes


def _grown(known: set[Cell], allowed: set[Cell]) -> set[Cell]:
    while True:
        more = {c for c in allowed if any(abs(c[0] - x) + abs(c[1] - y) == 1 for x, y in known)}
        if more <= known:
            return known
        known = known | more


def _run_codes(kind: str, tiles: list[Tile]) -> set[str]:
    if kind.startswith("diagonal"):
        return {"diagonal_too_long"} if len(tiles) > 6 else set()
    colours, shapes = {t.colour for t in tiles}, {t.shape for t in tiles}
    codes = set()
    if len(colours) != 1 and len(shapes) != 1:
        codes.add("line_mismatch")
    if any(tiles[i][:2] == tiles[j][:2] for i in range(len(tiles)) for j in range(i)):
        codes.add("line_duplicate")
    if len(tiles) > 6:
        codes.add("line_too_long")
    return codes


def worth_of_lines(table: dict[Cell, Tile], cells: set[Cell], rules: str) -> int:
    """What all lines through some cells of a table are worth, legal or not."""
    runs = [run for _, run in _all_runs(table, rules) if set(run) & cells]
    return sum(12 if len(run) == 6 else len(run) for run in runs)
