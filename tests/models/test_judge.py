"""The judge counts what is right, missing, extra and wrong, however the grid lies."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pytest

from models.degrade import WORSE, worse
from models.games import LabelledPhoto, load_game
from models.judge import Verdict, judge_photo
from models.report import classes_table, confusion_table, overconfident, reliability_table
from scorer.tiles import Cell, Tile
from vision.reading import Reading, SeenTile

LAYOUT: dict[Cell, Tile] = {
    (0, 0): Tile("circle", "red", "white"),
    (1, 0): Tile("square", "red", "black"),
    (1, 1): Tile("square", "blue", "split"),
}
PHOTO = LabelledPhoto(Path("game/photo.jpg"), LAYOUT, {})


def seen(cell: Cell, tile: Tile, confidence: float = 0.999) -> SeenTile:
    third = np.full(3, 1 / 3, np.float32)
    corners = np.zeros((4, 2), np.float32)
    return SeenTile(cell, tile, confidence, third, third, third, corners)


def judge(*tiles: SeenTile) -> Verdict:
    return judge_photo(PHOTO, Reading(tiles, (100, 100)), 1.0, whole=False)


def test_nothing_seen_is_all_missed() -> None:
    verdict = judge()
    assert (verdict.tiles, verdict.found, verdict.right, verdict.perfect) == (3, 0, 0, 0)


@pytest.mark.parametrize("quarter", range(4))
def test_origin_and_quarter_turns_do_not_matter(quarter: int) -> None:
    def turned(cell: Cell) -> Cell:
        x, y = cell
        for _ in range(quarter):
            x, y = -y, x
        return x + 7, y - 3

    verdict = judge(*(seen(turned(cell), tile) for cell, tile in LAYOUT.items()))
    assert verdict.perfect == 1


def test_a_wrong_label_and_an_extra_tile_are_told() -> None:
    tiles = [seen(cell, tile) for cell, tile in LAYOUT.items()]
    tiles[0] = seen((0, 0), Tile("circle", "orange", "white"), 0.97)
    tiles.append(seen((2, 0), Tile("star4", "green", "black"), 0.6))
    verdict = judge(*tiles)
    assert (verdict.found, verdict.right, verdict.extra, verdict.clean) == (3, 2, 1, 0)
    assert verdict.wrong["colour red read as orange"] == 1
    assert overconfident(verdict) == 1
    assert "| colour red | 1 | 2 |" in classes_table(verdict)
    assert "| extra star4 green black | 1 |" in confusion_table(verdict)
    assert "| 0.95 to 0.99 | 1 | 0 | 0.0000 |" in reliability_table(verdict)


def test_a_labelled_game_is_the_sum_of_its_turns(tmp_path: Path) -> None:
    def entry(x: int, shape: str) -> dict[str, object]:
        return {"x": x, "y": 0, "shape": shape, "colour": "red", "background": "black"}

    record = {
        "game": "small",
        "ruleset": "flex",
        "colours": ["red"],
        "photo_00": "empty.jpg",
        "turns": [
            {"photo": "one.jpg", "placed": [entry(0, "circle")], "score": 0},
            {"photo": "two.jpg", "placed": [entry(1, "square")], "score": 2},
        ],
        "busy": [{"photo": "hand.jpg", "after_turn": 1, "placed_so_far": [entry(1, "square")]}],
    }
    (tmp_path / "game.json").write_text(json.dumps(record))
    game = load_game(tmp_path)
    assert [(p.path.name, len(p.layout), p.is_busy) for p in game.photos] == [
        ("empty.jpg", 0, False),
        ("one.jpg", 1, False),
        ("hand.jpg", 2, True),
        ("two.jpg", 2, False),
    ]


@pytest.mark.parametrize("name", list(WORSE))
def test_every_way_of_making_worse_keeps_a_frame_a_frame(name: str) -> None:
    frame = np.random.default_rng(2).integers(0, 255, (300, 400, 3), dtype=np.uint8)
    changed, _ = worse(name)(frame)
    assert changed.shape == frame.shape
    assert changed.dtype == np.uint8
    assert (name == "none") == np.array_equal(changed, frame)
