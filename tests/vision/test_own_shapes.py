"""Own shapes: what the general judgement means in a set that is drawn unlike ours."""

from __future__ import annotations

import numpy as np
import pytest

from scorer.tiles import SHAPES
from vision.own_shapes import ORDINARY, judged, learn_shapes

SURE = 0.9
STAR4, SQUARE = SHAPES.index("star4"), SHAPES.index("square")


def sure_of(*shapes: str) -> np.ndarray:
    """Probabilities (N, 6) of a judgement that is sure of these shapes."""
    rest = (1 - SURE) / (len(SHAPES) - 1)
    return np.array([[SURE if shape == name else rest for name in SHAPES] for shape in shapes])


def half_square(share: float) -> np.ndarray:
    """A star that looks like a square to this degree."""
    chances = np.full(len(SHAPES), 0.01)
    chances[[STAR4, SQUARE]] = 0.96 - share, share
    return chances


def test_nothing_shown_changes_nothing() -> None:
    meaning = learn_shapes(np.zeros((0, len(SHAPES))), [])
    assert (meaning == ORDINARY).all()
    assert judged(np.zeros((0, len(SHAPES))), meaning).shape == (0, len(SHAPES))


def test_the_ordinary_map_leaves_the_judgement_as_it_is() -> None:
    chances = np.random.default_rng(1).dirichlet(np.ones(len(SHAPES)), 20)
    assert judged(chances, ORDINARY) == pytest.approx(chances, abs=1e-6)


def test_tiles_that_are_judged_right_hardly_change_the_judgement() -> None:
    chances = np.repeat(np.eye(len(SHAPES)) * 0.994 + 0.001, 2, axis=0)
    meaning = learn_shapes(chances, [shape for shape in SHAPES for _ in range(2)])
    assert meaning == pytest.approx(ORDINARY, abs=0.02)


def test_a_star_that_looks_like_a_square_is_known_again() -> None:
    others = [shape for shape in SHAPES if shape != "star4"]
    shown = np.concatenate([sure_of(*others), [half_square(0.7)]])
    meaning = learn_shapes(shown, [*others, "star4"])
    looks = judged(np.stack([half_square(0.6), half_square(0.8)]), meaning)
    assert looks.argmax(1).tolist() == [STAR4, STAR4]
    assert judged(sure_of(*others), meaning).argmax(1).tolist() == [
        SHAPES.index(shape) for shape in others
    ]


def test_chances_stay_chances() -> None:
    meaning = learn_shapes(np.eye(len(SHAPES))[[SQUARE, SQUARE]], ["star4", "square"])
    told = judged(np.eye(len(SHAPES)), meaning)
    assert np.isfinite(meaning).all()
    assert told.sum(1) == pytest.approx(1)
