"""A few of the family's own tiles sharpen the colours in their own light."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from scorer.tiles import COLOURS, Tile
from tests.vision.drawn import blocks_of, drawn_table, layout_of
from vision.model import load
from vision.own_set import OwnSetError, learn
from vision.reader import Reader
from vision.reading import SeenTile


def seen_in_strange_light(seed: int) -> list[SeenTile]:
    """Rightly read tiles whose colour features a light that nobody has drawn has shifted."""
    layout = layout_of(seed, count=24)
    tiles = Reader("flex").read(drawn_table(blocks_of(layout)).frame_bgr).tiles
    shift = np.random.default_rng(1).normal(0, 15.0, tiles[0].features.shape).astype(np.float32)
    return [replace(tile, features=tile.features + shift) for tile in tiles]


def test_six_tiles_of_the_own_set_name_the_others() -> None:
    model = load()
    tiles = seen_in_strange_light(seed=17)
    shown = {tile.tile.colour: tile for tile in tiles}
    assert len(shown) == 6
    own_set = learn([(tile, tile.tile) for tile in shown.values()], model)
    others = [tile for tile in tiles if tile not in shown.values()]
    features = np.array([tile.features for tile in others])
    nothing = np.zeros((len(others), len(COLOURS)), np.float32)
    named = own_set.logits(features, nothing, model.colour_spread).argmax(1)
    general = -((features[:, None] - model.colour_means[None]) ** 2).sum(2)
    truth = [COLOURS.index(tile.tile.colour) for tile in others]
    assert (named == truth).all()
    assert (general.argmax(1) == truth).mean() < 0.7


def test_two_colours_are_too_few_to_learn_from() -> None:
    tile = seen_in_strange_light(seed=1)[0]
    shown = [(tile, Tile("circle", "red")), (tile, Tile("circle", "blue"))]
    with pytest.raises(OwnSetError, match="at least 3 different colours"):
        learn(shown, load())
