"""Action tiles of the mini expansions and Expansion 2."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import permutations

from scorer.board import (
    DIAGONAL_STEPS,
    LINE_STEPS,
    diagonal_through,
    is_connected,
    line_through,
)
from scorer.options import DEFAULTS, Options, has_diagonals
from scorer.rules import LONGEST, Judgement, Violation, judge, lines_with
from scorer.tiles import Cell, Placed, Table

MOST_APART = 3


@dataclass(frozen=True, slots=True)
class Situation:
    """When somebody wants to use an action tile."""

    own_turn: bool = True
    tiles_placed_this_turn: int = 0
    actions_used_this_turn: int = 0
    owned_and_unused: bool = True
    second_turn_of_double: bool = False


def judge_action(situation: Situation) -> tuple[Violation, ...]:
    """What is wrong with using an action tile now."""
    broken = {
        "not_own_turn": not situation.own_turn,
        "turn_begun": situation.tiles_placed_this_turn > 0,
        "one_action_a_turn": situation.actions_used_this_turn > 0,
        "action_not_owned": not situation.owned_and_unused,
        "second_turn_of_double": situation.second_turn_of_double,
    }
    return tuple(Violation(code) for code, is_broken in broken.items() if is_broken)


def judge_take(
    table: Table, cell: Cell, rules: str = "classic", options: Options = DEFAULTS
) -> tuple[Violation, ...]:
    """What is wrong with taking the tile on a cell into the hand."""
    if cell not in table:
        return (Violation("no_tile_there", (cell,)),)
    if len(table) == 1:
        return (Violation("table_would_be_empty", (cell,)),)
    found = []
    if longest := _finished_line(table, cell, rules):
        found.append(Violation("part_of_qwirkle", tuple(longest)))
    if options.needs_contact and not is_connected(table.keys() - {cell}):
        found.append(Violation("layout_would_split", (cell,)))
    return tuple(found)


def _finished_line(table: Table, cell: Cell, rules: str) -> list[Cell]:
    runs = [line_through(table, cell, kind) for kind in LINE_STEPS]
    if has_diagonals(rules):
        runs += [diagonal_through(table, cell, kind) for kind in DIAGONAL_STEPS]
    return next((run for run in runs if len(run) >= LONGEST), [])


def judge_separate(
    table: Table,
    placed: Sequence[Placed],
    rules: str = "classic",
    options: Options = DEFAULTS,
) -> Judgement:
    """Judge up to three tiles placed apart, one after the other in the given order."""
    found: list[Violation] = []
    if not 1 <= len(placed) <= MOST_APART:
        found.append(Violation("not_one_to_three", (), {"count": len(placed)}))
    grown = dict(table)
    for one in placed:
        found += judge(grown, [one], rules, options).violations
        grown[one.cell] = one.tile
    lines = lines_with(grown, [cell for cell, _ in placed], rules)
    return Judgement(tuple(found), lines, sum(line.points for line in lines))


def judge_separate_any_order(
    table: Table, placed: Sequence[Placed], rules: str, options: Options
) -> Judgement:
    """Judge tiles placed apart when nobody saw in which order; one legal order is enough."""
    first = judge_separate(table, placed, rules, options)
    if first.legal or len(placed) > MOST_APART:
        return first
    tried = (judge_separate(table, order, rules, options) for order in permutations(placed))
    return next((judgement for judgement in tried if judgement.legal), first)
