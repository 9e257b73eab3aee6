"""Training tables come from a seed: the same seed gives the same picture and the same truth."""

from __future__ import annotations

from pathlib import Path

import numpy as np

from models.dataset import NO_TILE, decoys, finder_crop, frame_patches, load
from models.dataset import draw_to as draw_tables
from models.generate import FRAME_WH, sample
from vision.find import Finder
from vision.model import load as load_model


def test_a_seed_draws_the_same_table_every_time() -> None:
    first, second = sample(5), sample(5)
    assert np.array_equal(first.drawn.frame_bgr, second.drawn.frame_bgr)
    assert first.table.blocks == second.table.blocks
    assert not np.array_equal(first.drawn.frame_bgr, sample(6).drawn.frame_bgr)


def test_tables_differ_in_what_matters() -> None:
    tables = [sample(seed).table for seed in range(40)]
    backgrounds = {b.tile.background for t in tables for b in t.blocks if b.tile}
    colours = {b.tile.colour for t in tables for b in t.blocks if b.tile}
    assert backgrounds == {"black", "white", "split"}
    assert len(colours) == 7
    assert len({t.look.split for t in tables}) == 4
    assert min(t.camera.tilt for t in tables) < 0.1
    assert max(t.camera.tilt for t in tables) > 0.5
    assert any(b.tile is None for t in tables for b in t.blocks)


def test_truth_tells_how_much_of_each_tile_is_in_the_picture() -> None:
    made = sample(11)
    inside = np.array(FRAME_WH)
    for corners, visible in zip(made.drawn.corners_px, made.drawn.visible, strict=True):
        is_inside = ((corners >= 0) & (corners < inside)).all()
        assert 0 <= visible <= 1
        if not made.table.over:
            assert (visible == 1) == bool(is_inside) or visible > 0.85


def test_crops_mark_tiles_and_patches_carry_labels(tmp_path: Path) -> None:
    draw_tables(tmp_path, range(70, 72))
    frame, truth = load(tmp_path / "000071.jpg")
    rng = np.random.default_rng(0)
    crop, target = finder_crop(frame, truth, rng, 320)
    assert crop.shape == (320, 320, 3)
    assert target.shape == (40, 40, 6)
    assert set(np.unique(target[..., 0])) <= {-1, 0, 1}
    scout = Finder(load_model().finder_onnx)
    patches, labels, corners = frame_patches(frame, truth, rng, decoys(scout, frame, truth))
    assert len(patches) == len(labels) == len(corners)
    is_tile = labels[:, 0] != NO_TILE
    assert is_tile.any()
    assert (~is_tile).any()
    square = np.array([[-0.5, -0.5], [0.5, -0.5], [0.5, 0.5], [-0.5, 0.5]])
    assert np.abs(corners[is_tile] - square).max() < 0.4
