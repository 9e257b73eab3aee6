"""From a seed to a model file that reads, in small."""

from __future__ import annotations

from pathlib import Path

import pytest

from vision.model import load
from vision.reader import Reader

pytest.importorskip("torch", reason="the training libraries are not installed")
pytest.importorskip("sklearn", reason="the training libraries are not installed")


def test_a_tiny_recipe_makes_a_model_that_loads_and_runs(tmp_path: Path) -> None:
    from models.build import Recipe, build
    from models.generate import sample

    recipe = Recipe(tables=30, held_out=6, finder_rounds=1, namer_rounds=1, seed=50)
    build(recipe, tmp_path / "tables", tmp_path / "tiny.npz")
    model = load(tmp_path / "tiny.npz")
    assert model.header["recipe"]["tables"] == 30
    reading = Reader("flex", model=model).read(sample(50).drawn.frame_bgr)
    assert reading.size_wh == (960, 720)
