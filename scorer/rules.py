"""Which placements are legal, and what they score.

`judge(board, placed, rules)` answers both at once: every broken rule with its cells, and every
counted line with its cells and points. Which tiles a player holds is not looked at here.

Codes of broken rules, in the order in which they are reported, are in `CODES`. Where two tiles
would share a cell nobody can say what lies there, so lines through such a cell are not examined.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import TypeAlias

from scorer.board import (
    DIAGONAL_STEPS,
    LINE_STEPS,
    diagonal_through,
    line_through,
    neighbours,
    reachable,
)
from scorer.options import DEFAULTS, Options, has_diagonals
from scorer.tiles import Cell, Table, Tile

CODES = (
    "nothing_placed",
    "cell_repeated",
    "cell_occupied",
    "not_one_line",
    "gap",
    "no_contact",
    "line_mismatch",
    "line_duplicate",
    "line_too_long",
    "diagonal_too_long",
)
LONGEST = 6
QWIRKLE_POINTS = 12
_GAPS_SHOWN = 12

Params: TypeAlias = Mapping[str, str | int]


@dataclass(frozen=True, slots=True)
class Violation:
    """One broken rule.

    `params` holds what a sentence about it needs (kind, shape, colour, count, …), so that it can
    be told in any language; `scorer.sentences.sentence` tells it in English.
    """

    code: str
    cells: tuple[Cell, ...] = ()
    params: Params = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Line:
    """A counted row, column or diagonal."""

    kind: str
    cells: tuple[Cell, ...]
    points: int

    @property
    def length(self) -> int:
        """How many tiles it holds."""
        return len(self.cells)


@dataclass(frozen=True, slots=True)
class Judgement:
    """What the rules say about one move.

    `points` is what the lines are worth even if the move is illegal, for "count it anyway".
    """

    violations: tuple[Violation, ...]
    lines: tuple[Line, ...]
    points: int

    @property
    def legal(self) -> bool:
        """Whether no rule is broken."""
        return not self.violations

    @property
    def score(self) -> int:
        """The points of the move: none if it is illegal."""
        return 0 if self.violations else self.points

    @property
    def codes(self) -> tuple[str, ...]:
        """The codes of all broken rules, each once."""
        return tuple(dict.fromkeys(violation.code for violation in self.violations))


def judge(
    board: Table,
    placed: Sequence[tuple[Cell, Tile]],
    rules: str = "classic",
    options: Options = DEFAULTS,
) -> Judgement:
    """Judge a placement on the table as it was before the turn."""
    if not placed:
        return Judgement((Violation("nothing_placed"),), (), 0)
    cells = [cell for cell, _ in placed]
    table = {**board, **dict(placed)}
    lines = lines_with(table, cells, rules)
    contested = _contested(board, cells)
    found = [
        *contested,
        *_layout_violations(board, table, cells, options),
        *_line_violations(table, lines, {cell for v in contested for cell in v.cells}),
    ]
    found.sort(key=_code_order)
    return Judgement(tuple(found), lines, _points_of(board, placed, lines, options))


def points_of_length(length: int) -> int:
    """What a line of this length is worth; six bring a bonus of six."""
    return QWIRKLE_POINTS if length == LONGEST else length


def lines_with(table: Table, cells: Iterable[Cell], rules: str) -> tuple[Line, ...]:
    """Every line of two or more tiles that holds one of the cells, each once."""
    ordered = sorted(set(cells))
    lines = [line for kind in LINE_STEPS for line in _lines_of_kind(table, ordered, kind)]
    if has_diagonals(rules):
        for kind in DIAGONAL_STEPS:
            lines += _lines_of_kind(table, ordered, kind)
    return tuple(lines)


def _lines_of_kind(table: Table, cells: Sequence[Cell], kind: str) -> list[Line]:
    through = line_through if kind in LINE_STEPS else diagonal_through
    seen: set[Cell] = set()
    lines = []
    for cell in cells:
        if cell not in seen:
            run = through(table, cell, kind)
            if len(run) > 1:
                seen.update(run)
                lines.append(Line(kind, tuple(run), points_of_length(len(run))))
    return lines


def _points_of(
    board: Table, placed: Sequence[tuple[Cell, Tile]], lines: Sequence[Line], options: Options
) -> int:
    if not board and len(placed) == 1:
        return options.single_tile_opening_points
    return sum(line.points for line in lines)


def _code_order(violation: Violation) -> int:
    return CODES.index(violation.code)


def _contested(board: Table, cells: Sequence[Cell]) -> list[Violation]:
    found = []
    repeated = [cell for cell, count in Counter(cells).items() if count > 1]
    if repeated:
        found.append(Violation("cell_repeated", tuple(repeated)))
    occupied = [cell for cell in dict.fromkeys(cells) if cell in board]
    if occupied:
        found.append(Violation("cell_occupied", tuple(occupied)))
    return found


def _layout_violations(
    board: Table, table: Table, cells: Sequence[Cell], options: Options
) -> list[Violation]:
    found = []
    if len({x for x, _ in cells}) > 1 and len({y for _, y in cells}) > 1:
        found.append(Violation("not_one_line", tuple(cells)))
    elif gaps := _gaps(table, cells):
        found.append(Violation("gap", gaps))
    if board and options.needs_contact and (loose := _loose(board, cells)):
        found.append(Violation("no_contact", loose, {"count": len(loose)}))
    return found


def _gaps(table: Table, cells: Sequence[Cell]) -> tuple[Cell, ...]:
    """The first empty cells between the outermost of cells in one row or column."""
    (x, y), last = min(cells), max(cells)
    dx, dy = (1, 0) if last[0] > x else (0, 1)
    gaps: list[Cell] = []
    while (x, y) < last and len(gaps) < _GAPS_SHOWN:
        x, y = x + dx, y + dy
        if (x, y) not in table:
            gaps.append((x, y))
    return tuple(gaps)


def _loose(board: Table, cells: Sequence[Cell]) -> tuple[Cell, ...]:
    """The new cells that hang on to no old tile, not even through each other."""
    anchored = [c for c in cells if c in board or any(near in board for near in neighbours(c))]
    if len(anchored) == len(cells):
        return ()
    held = reachable(anchored, set(cells))
    return tuple(cell for cell in dict.fromkeys(cells) if cell not in held)


def _line_violations(table: Table, lines: Iterable[Line], contested: set[Cell]) -> list[Violation]:
    found: list[Violation] = []
    for line in lines:
        if not contested.isdisjoint(line.cells):
            continue
        if line.kind in LINE_STEPS:
            found += _unsound(table, line)
        elif line.length > LONGEST:
            background = table[line.cells[0]].background
            params: Params = {"kind": line.kind, "length": line.length, "background": background}
            found.append(Violation("diagonal_too_long", line.cells, params))
    return found


def _unsound(table: Table, line: Line) -> list[Violation]:
    tiles = [table[cell] for cell in line.cells]
    faces = [tile.face for tile in tiles]
    found = []
    if len({shape for shape, _ in faces}) > 1 and len({colour for _, colour in faces}) > 1:
        found.append(Violation("line_mismatch", line.cells, _mismatch(line.kind, tiles)))
    if len(set(faces)) < len(faces):
        found += _duplicates(line, faces)
    if line.length > LONGEST:
        params: Params = {"kind": line.kind, "length": line.length}
        found.append(Violation("line_too_long", line.cells, params))
    return found


def _duplicates(line: Line, faces: Sequence[tuple[str, str]]) -> list[Violation]:
    found = []
    for (shape, colour), count in Counter(faces).items():
        if count > 1:
            cells = [c for c, f in zip(line.cells, faces, strict=True) if f == (shape, colour)]
            params: Params = {"kind": line.kind, "shape": shape, "colour": colour, "count": count}
            found.append(Violation("line_duplicate", tuple(cells), params))
    return found


def _mismatch(kind: str, tiles: Sequence[Tile]) -> Params:
    """Two tiles that have nothing in common; every line without a common trait holds a pair."""
    one, other = next(
        (a, b) for a in tiles for b in tiles if a.shape != b.shape and a.colour != b.colour
    )
    return {
        "kind": kind,
        "shape": one.shape,
        "colour": one.colour,
        "other_shape": other.shape,
        "other_colour": other.colour,
    }
