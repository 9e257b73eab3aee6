"""A small crowd in front of a real scorekeeper; `make crowd` is the large one."""

from __future__ import annotations

from pathlib import Path

from tests.faults.crowd import crowd

SECONDS = 6


def test_what_a_crowd_taps_counts_once_and_is_on_all_screens(tmp_path: Path) -> None:
    figures = crowd(tmp_path / "data", SECONDS, clients=12, tappers=4)
    assert figures.acknowledged > figures.tappers
    assert figures.copies > figures.taps
    assert figures.streams >= figures.clients
    assert figures.is_kept, figures
