"""A short soak; `make soak` is the long one."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from tests.faults.soak import Figures, soak
from tests.faults.troubled_table import TroubledTable

MINUTES = (0.2, 0.5, 1.5)
"""Longer on a machine so busy that next to nothing happened in the time before."""


def test_a_game_goes_on_rightly_whatever_is_done_to_it(tmp_path: Path) -> None:
    for minutes in MINUTES:
        folder = tmp_path / str(minutes)
        folder.mkdir()
        figures = soak(folder, minutes, seed=5)
        assert figures.is_kept, figures
        taps = figures.acknowledged + figures.killed["acknowledged"]
        if sum(figures.faults.values()) and figures.clean_turns and taps:
            return
    raise AssertionError(f"nothing happened: {figures}")


def test_a_game_counts_as_known_once_it_is_written_down_whole(tmp_path: Path) -> None:
    table = TroubledTable(tmp_path)
    assert table.games() == []
    truth = Path(table.environment["TABLE_TRUTH"])
    truth.write_text('[{"player": 0}]\n[{"player": 1}, {"pla')
    assert table.games() == [[{"player": 0}]]


@pytest.mark.parametrize(
    "broken",
    [
        {"broken": ["lost: a tap"]},
        {"clean_wrong": ["other totals: game 1"]},
        {"killed": {"broken": ["lost: a tap"]}},
        {"memory_growth_percent": 6.0, "is_memory_judged": True},
        {"threads_after": 71},
        {"files_after": 16},
        {"clients_that_differ": 1},
        {"exit_status": 1},
    ],
)
def test_each_broken_promise_counts(broken: dict[str, object]) -> None:
    kept = Figures(1, threads_before=70, threads_after=70, files_before=15, files_after=15)
    kept = replace(kept, killed={"broken": []}, exit_status=0)
    assert kept.is_kept
    assert not replace(kept, **broken).is_kept  # type: ignore[arg-type]
