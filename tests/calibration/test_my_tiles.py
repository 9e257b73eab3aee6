"""My tiles: one photo of a few tiles, and colours are right in the family's light."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from calibration.arrangement import QUARTERS, match, suggested
from calibration.findings import CalibrationError
from calibration.gain import Figures, gain_in_words
from calibration.my_tiles import Edition, learn_from_photo, relearned
from models.games import load_game
from scorer.tiles import COLOURS, SHAPES, Cell, Tile
from scorer.tilesets import surplus, tileset
from tests.calibration.evidence import CASTS, Gain, drawn_gain, game_gain, tinted
from tests.calibration.odd_sets import odd_look, shape_gain
from tests.vision.drawn import Frame, blocks_of, drawn_table
from tests.vision.fake_readings import Blur, Eye, seen_tile
from vision.balance import NEUTRAL, corrected
from vision.model import Model, load
from vision.own_set import OwnSetError, learn
from vision.own_shapes import ORDINARY
from vision.reader import Reader

RENDERS = Path(__file__).parents[3] / "shared" / "renders"
FLEX = Edition("flex")
BAR = 5
"""Errors must fall to a fifth."""


@pytest.fixture(scope="module")
def model() -> Model:
    return load()


def photo_of(layout: dict[Cell, Tile], turn: float = 0.0) -> Frame:
    return drawn_table(blocks_of(layout, turn=turn)).frame_bgr


@pytest.mark.parametrize("rules", ["classic", "flex", "flex72"])
def test_the_suggested_tiles_show_every_colour_and_shape_and_are_in_the_box(rules: str) -> None:
    tiles = list(suggested(rules).values())
    assert len(tiles) == 12
    assert not surplus(tiles, tileset(rules))
    assert all(sum(tile.shape == shape for tile in tiles) == 2 for shape in SHAPES)
    assert {tile.colour for tile in tiles} == set(COLOURS[:6])
    grounds = {tile.background for tile in tiles}
    assert grounds == {kind for kind, _ in tileset(rules).copies}


def test_the_suggested_tiles_follow_the_colours_of_the_box() -> None:
    box = ("red", "orange", "yellow", "green", "blue", "white")
    assert {tile.colour for tile in suggested("classic", box).values()} == set(box)


@pytest.mark.parametrize("quarter", QUARTERS)
def test_the_layout_is_recognised_from_any_side(quarter: tuple[int, int, int, int]) -> None:
    a, b, c, d = quarter
    layout = suggested("flex")
    seen = []
    for (x, y), tile in layout.items():
        cell = (a * x + b * y + 7, c * x + d * y - 3)
        seen.append(seen_tile(cell, tile, Eye().corners_px(cell), Blur(), cell))
    found = match(seen, layout)
    assert found.missing == ()
    assert all(each.tile == tile for each, tile in found.pairs)


def test_nothing_seen_matches_nothing() -> None:
    found = match([], suggested("flex"))
    assert (found.pairs, found.score, len(found.missing)) == ((), 0.0, 12)


def test_a_cast_is_undone_to_within_a_fifth(model: Model) -> None:
    layout = suggested("flex")
    photo = photo_of(layout)
    plain = learn_from_photo(photo, layout, Edition("flex"), model)
    warm = learn_from_photo(tinted(0.5, 0.9, 1.1)(photo), layout, Edition("flex"), model)
    ratio = np.array(warm.gains) / np.array(plain.gains)
    assert ratio[0] / ratio[1] == pytest.approx(0.9 / 0.5, rel=0.2)
    assert ratio[2] / ratio[1] == pytest.approx(0.9 / 1.1, rel=0.2)


def test_the_gain_is_told_in_words_and_figures(model: Model) -> None:
    layout = suggested("flex")
    photo = tinted(0.25, 0.65, 1.3)(photo_of(layout, turn=1.6))
    lesson = learn_from_photo(photo, layout, Edition("flex"), model)
    assert lesson.after.colours_right == 12 > lesson.before.colours_right
    last = lesson.findings[-1]
    assert last.code == "tiles_learned"
    assert last.text.startswith("The light is very warm. Of 12 tiles,")
    assert last.values["after"] == 12


def test_other_tiles_than_shown_are_refused(model: Model) -> None:
    wrong = {cell: Tile("circle", "red", "black") for cell in suggested("flex")}
    with pytest.raises(CalibrationError, match="of the 12 tiles lie as shown"):
        learn_from_photo(photo_of(wrong), suggested("flex"), Edition("flex"), model)


def test_an_empty_table_is_refused(model: Model) -> None:
    frame = np.full((480, 640, 3), 120, np.uint8)
    with pytest.raises(CalibrationError, match="No tiles can be seen") as caught:
        learn_from_photo(frame, suggested("flex"), Edition("flex"), model)
    assert caught.value.finding.code == "tiles_not_as_shown"


def test_one_tile_laid_wrong_is_named_and_left_out(model: Model) -> None:
    layout = suggested("flex")
    there = {**layout, (2, 0): Tile("circle", "green", "black")}
    lesson = learn_from_photo(photo_of(there), layout, Edition("flex"), model)
    named = [finding for finding in lesson.findings if finding.code == "tile_laid_wrong"]
    assert [finding.values["seen"] for finding in named] == ["circle green black"]
    assert layout[2, 0] not in lesson.shown.tiles


def odd_photo(layout: dict[Cell, Tile], seed: int = 100) -> Frame:
    """A set whose four-pointed stars pass for squares."""
    return drawn_table(blocks_of(layout, seed), seed, look=odd_look("fat", seed)).frame_bgr


def test_a_set_drawn_unlike_ours_is_learned_and_the_gain_told(model: Model) -> None:
    layout = suggested("flex")
    lesson = learn_from_photo(odd_photo(layout), layout, FLEX, model)
    assert lesson.before.shapes_right < lesson.after.shapes_right == 12
    assert len(lesson.shown.tiles) == 12, "odd artwork was taken for tiles laid wrong"
    last = lesson.findings[-1]
    assert "had the right shape before and 12 have it now" in last.text
    assert last.values["shapes_before"] == lesson.before.shapes_right
    assert last.values["shapes_after"] == lesson.after.as_json()["shapes_right"] == 12


def test_two_tiles_of_one_shape_laid_wrong_do_not_teach_that_shape(model: Model) -> None:
    layout = suggested("flex")
    stars = [cell for cell, tile in layout.items() if tile.shape == "star4"]
    wrong = dict(zip(stars, ("circle", "square"), strict=True))
    there = {cell: t._replace(shape=wrong.get(cell, t.shape)) for cell, t in layout.items()}
    lesson = learn_from_photo(photo_of(there), layout, FLEX, model)
    assert [finding.code for finding in lesson.findings].count("tile_laid_wrong") == 2
    assert "star4" not in {tile.shape for tile in lesson.shown.tiles}
    plain = learn_from_photo(photo_of(layout), layout, FLEX, model)
    assert lesson.own_set.shapes == pytest.approx(plain.own_set.shapes, abs=0.02)


def test_right_colours_on_wrong_shapes_are_refused(model: Model) -> None:
    layout = suggested("flex")
    there = {cell: tile._replace(shape="circle") for cell, tile in layout.items()}
    with pytest.raises(CalibrationError, match="Only 2 of the 12 tiles lie as shown"):
        learn_from_photo(photo_of(there), layout, FLEX, model)


def test_kept_patches_teach_a_new_model_the_same(model: Model) -> None:
    layout = suggested("flex")
    lesson = learn_from_photo(CASTS["cool"](photo_of(layout)), layout, Edition("flex"), model)
    gains, own = relearned(lesson.shown, lesson.gains, Edition("flex"), model)
    assert gains[0] / gains[2] == pytest.approx(lesson.gains[0] / lesson.gains[2], rel=0.15)
    assert own.means.shape == lesson.own_set.means.shape


def test_kept_patches_teach_the_shapes_again(model: Model) -> None:
    layout = suggested("flex")
    lesson = learn_from_photo(odd_photo(layout), layout, FLEX, model)
    _, own = relearned(lesson.shown, lesson.gains, FLEX, model)
    assert own.shapes == pytest.approx(lesson.own_set.shapes, abs=0.02)
    assert np.abs(own.shapes - ORDINARY).max() > 0.06


@pytest.mark.parametrize("worse", ["colours_right", "shapes_right"])
def test_fewer_right_colours_or_shapes_are_no_gain(worse: str) -> None:
    before = Figures(12, 12, 10, 10, 0.9)
    assert not replace(before, colours_right=12, shapes_right=12).is_worse_than(before)
    after = replace(before, colours_right=12, shapes_right=12)
    assert replace(after, **{worse: 9}).is_worse_than(before)


@pytest.mark.parametrize(
    ("before", "after", "level", "said"),
    [
        (Figures(12, 12, 12, 12, 0.9), Figures(12, 12, 12, 12, 0.99), "good", "surer: 90%"),
        (Figures(12, 12, 12, 12, 0.9), Figures(12, 12, 12, 12, 0.9), "good", "read well already"),
        (Figures(12, 12, 8, 12, 0.6), Figures(12, 12, 8, 12, 0.7), "hint", "8 have the right"),
        (Figures(12, 12, 11, 11, 0.9), Figures(12, 12, 11, 11, 0.9), "hint", "shape, as before."),
        (Figures(12, 12, 8, 12, 0.6), Figures(12, 12, 12, 12, 0.7), "good", "8 had the right"),
        (Figures(12, 12, 4, 12, 0.6), Figures(12, 12, 6, 12, 0.7), "problem", "4 had the right"),
    ],
)
def test_only_what_is_true_is_said_of_a_gain(
    before: Figures, after: Figures, level: str, said: str
) -> None:
    finding = gain_in_words(NEUTRAL, before, after)
    assert said in finding.text
    assert finding.level == level


def test_shape_errors_fall_to_a_fifth_on_sets_drawn_unlike_ours(model: Model) -> None:
    gain, refused = shape_gain("fat and rounded", [101], model, games=1)
    assert refused == 0
    _check(gain)


def test_shapes_of_ordinary_sets_are_read_as_before(model: Model) -> None:
    gain, _ = shape_gain("ordinary", [101, 102], model, games=1)
    assert gain.after.errors == gain.before.errors == 0


def test_own_colours_need_three_of_them(model: Model) -> None:
    layout = {cell: t for cell, t in suggested("flex").items() if t.colour in ("red", "blue")}
    reading = Reader("flex").read(photo_of(layout))
    with pytest.raises(OwnSetError, match="at least 3"):
        learn([(each, each.tile) for each in reading.tiles], model)


def test_balance_leaves_neutral_frames_alone_and_never_wraps() -> None:
    frame = np.full((2, 2, 3), 200, np.uint8)
    assert corrected(frame, NEUTRAL) is frame
    assert corrected(frame, (0.5, 1.0, 2.0))[0, 0].tolist() == [100, 200, 255]
    assert corrected(np.zeros((0, 4, 3), np.uint8), (2.0, 1.0, 1.0)).shape == (0, 4, 3)


@pytest.mark.parametrize("cast", ["candle", "dusk"])
def test_errors_fall_to_a_fifth_on_drawn_tables(cast: str, model: Model) -> None:
    _check(drawn_gain(CASTS[cast], [2], model))


@pytest.mark.skipif(not RENDERS.is_dir(), reason="the rendered games are not here")
@pytest.mark.parametrize("cast", ["candle", "dusk"])
def test_errors_fall_to_a_fifth_on_rendered_games(cast: str, model: Model) -> None:
    _check(game_gain(load_game(RENDERS / "flex-d"), CASTS[cast], model, step=4))


def _check(gain: Gain) -> None:
    assert gain.before.errors > 0, "the cast does no harm: choose a stronger one"
    assert gain.after.errors * BAR <= gain.before.errors
    assert gain.after.wrong <= gain.before.wrong
