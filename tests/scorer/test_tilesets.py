"""The boxes and their data files."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from scorer.tiles import Tile
from scorer.tilesets import (
    HAND_SIZE,
    SETS,
    TileSetError,
    _tiles,
    load_tileset,
    surplus,
    tileset,
    tileset_from_json,
    with_colours,
)
from tests.scorer.golden import Case, cases, name_of


@pytest.mark.parametrize("case", cases("setup"), ids=name_of)
def test_golden_setup(case: Case) -> None:
    box = tileset("flex72" if case["beginner"] else case["ruleset"])
    assert box.size == case["tiles"] == sum(box.tiles().values())
    assert box.copies_of_each_face == case["copies_of_each_face"]
    counts = dict.fromkeys(case["backgrounds"], 0)
    for tile, count in box.tiles().items():
        counts[tile.background] += count
    assert counts == case["backgrounds"]
    assert case["hand"] == HAND_SIZE


def test_the_white_edition_has_white_for_purple() -> None:
    assert set(tileset("classic").colours) - set(tileset("classic-white").colours) == {"purple"}
    assert "white" in tileset("classic-white").colours


def test_a_set_survives_its_data_form() -> None:
    for name in SETS:
        assert tileset_from_json(tileset(name).to_json()) == tileset(name)


def test_a_family_can_add_its_own_colours(tmp_path: Path) -> None:
    own = {**tileset("classic").to_json(), "colours": ["a", "b", "c", "d", "e", "pink"]}
    path = tmp_path / "ours.json"
    path.write_text(json.dumps(own), encoding="utf-8")
    box = load_tileset(path)
    assert box.tiles()[Tile("circle", "pink")] == 3
    assert box.size == 108


@pytest.mark.parametrize(
    "change",
    [
        {"title": 7},
        {"rules": "chess"},
        {"shapes": ["circle"]},
        {"shapes": ["circle", "square", "diamond", "clover", "star4", "heart"]},
        {"colours": ["red"] * 6},
        {"colours": ["red", "green", "blue", "white", "pink", 7]},
        {"colours": "red"},
        {"copies": {}},
        {"copies": {"grey": 3}},
        {"copies": {"black": 0}},
        {"copies": {"black": True}},
        {"copies": 3},
    ],
)
def test_a_file_that_describes_no_set_is_refused(change: dict[str, object]) -> None:
    with pytest.raises(TileSetError):
        tileset_from_json({**tileset("classic").to_json(), **change})


def test_unknown_or_unreadable_sets_are_refused(tmp_path: Path) -> None:
    (tmp_path / "broken.json").write_text("{", encoding="utf-8")
    with pytest.raises(TileSetError, match="broken"):
        load_tileset(tmp_path / "broken.json")
    with pytest.raises(TileSetError, match="no tile set"):
        tileset("travel")
    with pytest.raises(TileSetError, match="object"):
        tileset_from_json([])
    with pytest.raises(TileSetError, match="copies"):
        tileset_from_json({"title": "x", "rules": "flex", "shapes": [], "colours": []})


def test_more_copies_than_the_box_holds() -> None:
    red = Tile("circle", "red")
    assert surplus([red] * 3, tileset("classic")) == {}
    assert surplus([red] * 4, tileset("classic")) == {red: 1}
    assert surplus([red] * 2, tileset("flex")) == {red: 1}


def test_boxes_of_many_colours_are_not_all_remembered() -> None:
    for number in range(100):
        with_colours(tileset("flex"), [f"{word}{number}" for word in "abcdef"]).tiles()
    kept = _tiles.cache_info()
    assert kept.currsize <= 16
