"""Placements: golden cases, a second opinion, and what must never matter."""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Iterator
from itertools import chain

import pytest
from hypothesis import given
from hypothesis import strategies as st

from scorer.events import TurnPlayed
from scorer.options import Options
from scorer.rules import CODES, Judgement, judge
from scorer.sentences import sentence
from scorer.simulate import SimulatedGame
from scorer.tiles import Cell, Tile
from tests.scorer.golden import Case, board, cases, name_of, placed, summary
from tests.scorer.oracle import second_opinion
from tests.scorer.positions import RULES, Move, any_move, any_position, wild_table

RED = [Tile(shape, "red") for shape in ("circle", "square", "diamond", "clover", "star4", "star8")]
seeds = st.integers(0, 2**32)


def lines_of(judgement: Judgement) -> list[tuple[str, int, int]]:
    return sorted((line.kind, line.length, line.points) for line in judgement.lines)


@pytest.mark.parametrize("case", cases("turn"), ids=name_of)
def test_golden_turn(case: Case) -> None:
    judgement = judge(board(case["board"]), placed(case["placed"]), case["ruleset"])
    assert judgement.legal == case["legal"]
    assert sorted(judgement.codes) == sorted(case["codes"])
    assert judgement.score == case["score"]
    if case["legal"]:
        assert lines_of(judgement) == summary(case["lines"])
    assert case.get("stated_score", judgement.score) == judgement.score


@pytest.mark.parametrize("rules", RULES)
def test_agrees_with_a_second_opinion(rules: str) -> None:
    rng = random.Random(f"second opinion {rules}")
    legal = 0
    for _ in range(12_000):
        table, move = any_position(rng)
        expected = second_opinion(table, move, rules)
        judgement = judge(table, move, rules)
        assert set(judgement.codes) == expected.codes, (table, move)
        assert judgement.score == expected.score, (table, move)
        if judgement.legal:
            assert lines_of(judgement) == expected.lines
            legal += 1
    assert 600 < legal < 11_400


def moves_of_games(rules: str) -> Iterator[tuple[dict[Cell, Tile], Move]]:
    """Every table of some games, with the move that was made and with worse ones."""
    rng = random.Random(f"whole games {rules}")
    for seed in range(12):
        table: dict[Cell, Tile] = {}
        for event in chain.from_iterable(SimulatedGame(rules, 2, seed, skill=4).play()):
            if isinstance(event, TurnPlayed):
                yield table, list(event.placed)
                yield from ((table, spoilt(rng, table)) for _ in range(3))
                table |= dict(event.placed)


@pytest.mark.parametrize("rules", RULES)
def test_agrees_with_a_second_opinion_in_whole_games(rules: str) -> None:
    outcomes: Counter[bool] = Counter()
    for table, move in moves_of_games(rules):
        judgement = judge(table, move, rules)
        expected = second_opinion(table, move, rules)
        assert set(judgement.codes) == expected.codes, (table, move)
        assert judgement.score == expected.score
        outcomes[judgement.legal] += 1
    assert min(outcomes.values()) > 300


def spoilt(rng: random.Random, table: dict[Cell, Tile]) -> Move:
    """A move near the table out of tiles that mostly match what they touch."""
    move = any_move(rng, table)
    if table and rng.random() < 0.7:
        like = rng.choice(list(table.values()))
        move = [(c, Tile(t.shape, like.colour, t.background)) for c, t in move]
    return move


def test_every_code_has_a_sentence_and_is_reported_in_order() -> None:
    rng = random.Random("sentences")
    seen = set()
    for _ in range(4_000):
        table, move = any_position(rng)
        if rng.random() < 0.1 and move:
            move.append(rng.choice([*move, *table.items()]))
        judgement = judge(table, move, "flex")
        codes = [violation.code for violation in judgement.violations]
        assert codes == sorted(codes, key=CODES.index)
        for violation in judgement.violations:
            words = sentence(violation)
            assert words
            assert "{" not in words
        seen.update(codes)
    assert seen | {"nothing_placed"} == set(CODES)


def test_nothing_placed() -> None:
    assert judge({}, []).codes == ("nothing_placed",)
    assert judge({(0, 0): RED[0]}, []).codes == ("nothing_placed",)


def test_all_broken_rules_are_reported_with_their_cells() -> None:
    table = {(0, 0): Tile("diamond", "yellow"), (0, 5): Tile("circle", "red")}
    judgement = judge(table, [((1, 0), Tile("diamond", "yellow")), ((3, 0), Tile("circle", "red"))])
    assert judgement.codes == ("gap", "no_contact", "line_duplicate")
    cells = {violation.code: violation.cells for violation in judgement.violations}
    assert cells == {"gap": ((2, 0),), "no_contact": ((3, 0),), "line_duplicate": ((0, 0), (1, 0))}
    assert sentence(judgement.violations[2]) == "two yellow diamonds in one row"


def test_lines_through_a_contested_cell_are_not_examined() -> None:
    table = {(0, 0): RED[0], (1, 0): RED[1]}
    move = [((1, 0), Tile("star4", "blue")), ((2, 0), RED[2])]
    assert judge(table, move).codes == ("cell_occupied",)
    assert judge({}, [((0, 0), RED[0]), ((0, 0), RED[0])]).codes == ("cell_repeated",)


def test_a_single_tile_opening_counts_as_the_house_decides() -> None:
    assert judge({}, [((0, 0), RED[0])]).score == 0
    one = Options(single_tile_opening_points=1)
    assert judge({}, [((0, 0), RED[0])], "classic", one).score == 1
    assert judge({(0, 0): RED[0]}, [((1, 0), RED[1])], "classic", one).score == 2


def test_star_discs_lift_the_rule_of_contact() -> None:
    table, move = {(0, 0): RED[0]}, [((5, 5), RED[1])]
    assert judge(table, move).codes == ("no_contact",)
    assert judge(table, move, "classic", Options(expansions=("expansion1",))).legal


def test_far_away_cells_are_no_trouble() -> None:
    far = 10**30
    table = {(far, -far): RED[0]}
    assert judge(table, [((far + 1, -far), RED[1])]).score == 2
    assert judge(table, [((far + 1, -far), RED[1]), ((0, -far), RED[2])]).codes == (
        "gap",
        "no_contact",
    )


def turned(cell: Cell) -> Cell:
    return (-cell[1], cell[0])


def mirrored(cell: Cell) -> Cell:
    return (-cell[0], cell[1])


SWAPPED = {
    "row": "column",
    "column": "row",
    "diagonal_down": "diagonal_up",
    "diagonal_up": "diagonal_down",
}


@given(seeds, st.sampled_from(RULES))
def test_order_of_the_placed_tiles_does_not_matter(seed: int, rules: str) -> None:
    table, move = any_position(random.Random(seed))
    once, again = judge(table, move, rules), judge(table, move[::-1], rules)
    assert (once.codes, once.score, once.lines) == (again.codes, again.score, again.lines)


@given(seeds, st.sampled_from(RULES), st.integers(), st.integers())
def test_translation_does_not_matter(seed: int, rules: str, dx: int, dy: int) -> None:
    table, move = any_position(random.Random(seed))
    moved = [((x + dx, y + dy), tile) for (x, y), tile in move]
    there = judge({(x + dx, y + dy): t for (x, y), t in table.items()}, moved, rules)
    here = judge(table, move, rules)
    assert (here.codes, here.score, lines_of(here)) == (there.codes, there.score, lines_of(there))


@given(seeds, st.sampled_from(RULES))
def test_quarter_turns_only_rename_the_kinds(seed: int, rules: str) -> None:
    table, move = any_position(random.Random(seed))
    here = judge(table, move, rules)
    there = judge(
        {turned(c): t for c, t in table.items()}, [(turned(c), t) for c, t in move], rules
    )
    assert (here.codes, here.score) == (there.codes, there.score)
    renamed = sorted((SWAPPED[kind], length, points) for kind, length, points in lines_of(there))
    assert lines_of(here) == renamed


@given(seeds, st.sampled_from(RULES))
def test_reflection_only_swaps_the_diagonals(seed: int, rules: str) -> None:
    table, move = any_position(random.Random(seed))
    here = judge(table, move, rules)
    flipped: Move = [(mirrored(c), t) for c, t in move]
    there = judge({mirrored(c): t for c, t in table.items()}, flipped, rules)
    assert (here.codes, here.score) == (there.codes, there.score)
    renamed = sorted(
        (SWAPPED[kind] if kind.startswith("diagonal") else kind, length, points)
        for kind, length, points in lines_of(there)
    )
    assert lines_of(here) == renamed


@given(seeds)
def test_classic_never_looks_at_backgrounds(seed: int) -> None:
    rng = random.Random(seed)
    table = wild_table(rng, 12)
    move = any_move(rng, table)
    plain = {cell: Tile(*tile.face) for cell, tile in table.items()}
    here, there = judge(table, move), judge(plain, [(c, Tile(*t.face)) for c, t in move])
    assert (here.codes, here.score, here.lines) == (there.codes, there.score, there.lines)
