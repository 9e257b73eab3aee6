"""Hostile files of every kind; `make fuzz` reads many more."""

from __future__ import annotations

from pathlib import Path

import pytest

from scorer.journal import Journal
from tests.fuzz.files import KINDS, Figures, Ground, read_all, run
from tests.fuzz.hostile_files import HOSTILE_JOURNALS

FILES = 15


def test_no_file_brings_more_than_one_sentence() -> None:
    found = read_all(FILES, seed=8)
    assert len(found) == len(KINDS)
    for figures in found:
        assert figures.broken == [], figures.part
        assert figures.files >= FILES
        assert figures.taken + figures.refused >= figures.files


@pytest.mark.parametrize("name", ["a trigger that forgets", "a view instead of events"])
def test_a_journal_with_foreign_tables_is_set_aside(tmp_path: Path, name: str) -> None:
    data = Ground.made(tmp_path).fresh()
    HOSTILE_JOURNALS[name](data / "journal" / "journal.sqlite3")
    status, _, said = run("export", "last", "--data", str(data))
    assert status == 1
    assert "its tables are not those of tiletally" in said
    with Journal.open(data) as journal:
        assert "It was kept as" in journal.notices[0]
        assert len(journal.games()) == (2 if "trigger" in name else 0)


def test_a_broken_promise_is_noticed() -> None:
    figures = Figures("files")
    with figures.watching("a"):
        raise ValueError("it fell")
    figures.said("b", "Traceback of something", 1)
    figures.said("c", "it is not a game", 2)
    assert len(figures.broken) == 3
