"""Some hundred hostile pictures; `make fuzz` sends many more."""

from __future__ import annotations

from pathlib import Path

from tests.fuzz.images import Figures, decode, upload

IMAGES = 600


def test_no_picture_ends_the_decoder() -> None:
    figures = decode(IMAGES, seed=5)
    assert figures.images == figures.decoded + figures.refused == IMAGES
    assert figures.decoded > 50
    assert figures.read > 3
    assert len(figures.sentences) >= 5
    assert figures.broken == []


def test_no_uploaded_picture_harms_the_scorekeeper(tmp_path: Path) -> None:
    figures = upload(tmp_path / "data", IMAGES // 2, seed=6)
    assert figures.images == figures.decoded + figures.refused == IMAGES // 2
    assert figures.decoded > 5
    assert figures.broken == []


def test_a_broken_promise_is_noticed() -> None:
    figures = Figures("images")
    figures.took("slow", 2.5, 2.5)
    figures.took("stuck", 0.0, 20.0)
    figures.said("rude", "ValueError: it\nfailed")
    assert len(figures.broken) == 3
