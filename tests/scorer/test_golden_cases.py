"""The golden cases beyond plain placements, and that no kind of case is left out."""

from __future__ import annotations

import pytest

from scorer.expansions import Situation, judge_action, judge_separate, judge_take
from scorer.opening import judge_opening, set_size, starting_player
from scorer.options import Options
from scorer.rules import Violation
from scorer.sentences import sentence
from scorer.turns import (
    finishing_bonus,
    is_deadlock,
    judge_exchange_of,
    refill,
    turn_options,
    winners,
)
from tests.scorer.golden import CASES, Case, board, cases, name_of, placed, summary, tiles


def codes(violations: tuple[Violation, ...]) -> list[str]:
    assert all(sentence(violation) for violation in violations)
    return sorted({violation.code for violation in violations})


def test_every_kind_of_case_is_checked() -> None:
    here = cases(
        "opening", "start", "options", "exchange", "refill", "end", "winners", "deadlock",
        "take", "separate", "action",
    )  # fmt: skip
    assert len(CASES) == 214
    assert len(here) + len(cases("turn")) + len(cases("setup")) == len(CASES)


@pytest.mark.parametrize("case", cases("opening"), ids=name_of)
def test_golden_opening(case: Case) -> None:
    assert case["board"] == []
    judgement = judge_opening(placed(case["placed"]), tiles(case["hand"]), case["ruleset"])
    assert judgement.legal == case["legal"]
    assert codes(judgement.violations) == sorted(case["codes"])
    assert judgement.score == case["score"]
    if case["legal"]:
        found = sorted((line.kind, line.length, line.points) for line in judgement.lines)
        assert found == summary(case["lines"])


@pytest.mark.parametrize("case", cases("start"), ids=name_of)
def test_golden_start(case: Case) -> None:
    sizes = [set_size(tiles(hand)) for hand in case["hands"]]
    assert sizes == case["set_sizes"]
    assert starting_player(sizes, case["ages"], case["tie"]) == case["starts"]
    assert Options().tie_rule(case["ruleset"]) == case["tie"]


@pytest.mark.parametrize("case", cases("options"), ids=name_of)
def test_golden_options(case: Case) -> None:
    hand = tiles(case["hand"])
    found = turn_options(board(case["board"]), hand, case["bag_count"], case["ruleset"])
    assert sorted(found) == sorted(case["options"])


@pytest.mark.parametrize("case", cases("exchange"), ids=name_of)
def test_golden_exchange(case: Case) -> None:
    found = judge_exchange_of(tiles(case["given"]), tiles(case["hand"]), case["bag_count"])
    assert (not found) == case["legal"]
    assert codes(found) == sorted(case["codes"])


@pytest.mark.parametrize("case", cases("refill"), ids=name_of)
def test_golden_refill(case: Case) -> None:
    assert refill(case["hand_count"], case["bag_count"]) == case["draw"]


@pytest.mark.parametrize("case", cases("end"), ids=name_of)
def test_golden_end(case: Case) -> None:
    bonus = finishing_bonus(case["hand_count"], case["bag_count"])
    assert bonus == case["bonus"]
    assert (bonus > 0) == case["over"]


@pytest.mark.parametrize("case", cases("winners"), ids=name_of)
def test_golden_winners(case: Case) -> None:
    assert list(winners(case["totals"])) == case["winners"]


@pytest.mark.parametrize("case", cases("deadlock"), ids=name_of)
def test_golden_deadlock(case: Case) -> None:
    assert is_deadlock(case["consecutive_passes"], case["players"]) == case["over"]
    assert case["bonus"] == 0


@pytest.mark.parametrize("case", cases("take"), ids=name_of)
def test_golden_take(case: Case) -> None:
    cell = (case["cell"]["x"], case["cell"]["y"])
    found = judge_take(board(case["board"]), cell, case["ruleset"])
    assert (not found) == case["legal"]
    assert codes(found) == sorted(case["codes"])


@pytest.mark.parametrize("case", cases("separate"), ids=name_of)
def test_golden_separate(case: Case) -> None:
    judgement = judge_separate(board(case["board"]), placed(case["placed"]), case["ruleset"])
    assert judgement.legal == case["legal"]
    assert codes(judgement.violations) == sorted(case["codes"])
    assert judgement.score == case["score"]
    if case["legal"]:
        found = sorted((line.kind, line.length, line.points) for line in judgement.lines)
        assert found == summary(case["lines"])


@pytest.mark.parametrize("case", cases("action"), ids=name_of)
def test_golden_action(case: Case) -> None:
    found = judge_action(Situation(**case["situation"]))
    assert (not found) == case["legal"]
    assert all(sentence(violation) for violation in found)
