"""A photo of any table becomes the tiles that lie there, and nothing else."""

from __future__ import annotations

from pathlib import Path

import cv2
import numpy as np
import pytest

from models.games import LabelledPhoto, find_games, load_game
from models.judge import Verdict, judge_game, judge_photo
from scorer.tiles import Cell, Tile
from tests.vision.drawn import blocks_of, drawn_table, layout_of
from vision.reader import Reader
from vision.reading import Reading
from vision.scene.artwork import SPLITS, Look
from vision.scene.blocks import Block
from vision.scene.light import Light
from vision.scene.sensor import Sensor
from vision.scene.tables import TABLES

SHARED = Path(__file__).parents[3] / "shared"
needs_photos = pytest.mark.skipif(
    not (SHARED / "photos").is_dir(), reason="the judging photos are not beside the project"
)


@pytest.fixture(scope="module")
def flex() -> Reader:
    return Reader("flex")


def assert_reads(reading: Reading, layout: dict[Cell, Tile]) -> None:
    verdict = judge_photo(LabelledPhoto(Path("drawn"), layout, {}), reading, 1.0, False)
    assert verdict.perfect, f"{verdict}: {dict(verdict.wrong)}"


@pytest.mark.parametrize(
    "shape_hw", [(1, 1), (16, 16), (3, 400), (480, 640)], ids=lambda s: f"{s[1]}x{s[0]}"
)
def test_a_picture_without_tiles_is_an_empty_reading(
    shape_hw: tuple[int, int], flex: Reader
) -> None:
    for level in (0, 255):
        reading = flex.read(np.full((*shape_hw, 3), level, np.uint8))
        assert reading.tiles == ()
        assert reading.size_wh == shape_hw[::-1]


@pytest.mark.parametrize("table", list(TABLES))
def test_reads_flex_tiles_on_any_table(table: str, flex: Reader) -> None:
    layout = layout_of(seed=len(table))
    assert_reads(flex.read(drawn_table(blocks_of(layout), 3, table).frame_bgr), layout)


@pytest.mark.parametrize("table", list(TABLES))
def test_a_bare_table_has_no_layout(table: str, flex: Reader) -> None:
    assert flex.read(drawn_table((), 4, table).frame_bgr).layout == ()


@pytest.mark.parametrize("split", SPLITS)
def test_split_tiles_may_be_split_any_way_and_lie_turned(split: str, flex: Reader) -> None:
    layout = {cell: tile._replace(background="split") for cell, tile in layout_of(seed=8).items()}
    look = Look(split=split)
    assert_reads(flex.read(drawn_table(blocks_of(layout), 5, look=look).frame_bgr), layout)


def test_square_and_diamond_are_told_apart_by_the_tile_not_by_the_picture(flex: Reader) -> None:
    layout = {(0, 0): Tile("square", "red"), (1, 0): Tile("diamond", "red")}
    layout |= {(2, 0): Tile("star4", "red", "white"), (2, 1): Tile("clover", "red", "white")}
    for turn in np.linspace(0, np.pi / 2, 7):
        assert_reads(flex.read(drawn_table(blocks_of(layout, turn=turn)).frame_bgr), layout)


@pytest.mark.parametrize("edge_px", [30, 60, 110])
@pytest.mark.parametrize("tilt", [0.0, 0.6])
def test_reads_near_and_far_from_above_and_aslant(
    edge_px: float, tilt: float, flex: Reader
) -> None:
    layout = layout_of(seed=21, count=6)
    drawn = drawn_table(blocks_of(layout), 6, "dark wood", tilt, edge_px)
    assert_reads(flex.read(drawn.frame_bgr), layout)


@pytest.mark.parametrize(
    ("light", "sensor"),
    [
        (Light(key=(1.3, 1.0, 0.6), ambient=(0.4, 0.3, 0.2)), Sensor(exposure=0.7)),
        (Light(key=(0.8, 1.0, 1.3), ambient=(0.2, 0.3, 0.4)), Sensor(exposure=0.7)),
        (Light(), Sensor(exposure=0.15, noise=0.02)),
        (Light(), Sensor(exposure=1.8)),
        (Light(slope=(1.2, 0.8)), Sensor(exposure=0.6)),
    ],
    ids=["warm lamp", "cool window", "dark", "over-exposed", "uneven"],
)
def test_reads_in_any_light(light: Light, sensor: Sensor, flex: Reader) -> None:
    layout = layout_of(seed=33)
    drawn = drawn_table(blocks_of(layout), 7, light=light, sensor=sensor)
    assert_reads(flex.read(drawn.frame_bgr), layout)


def test_strays_and_face_down_tiles_do_not_join_the_layout(flex: Reader) -> None:
    layout = layout_of(seed=5, count=8)
    stray = Block(-7.5, 3.5, 0.7, Tile("circle", "green"))
    face_down = Block(7.0, 3.0, 0.2, None)
    reading = flex.read(drawn_table((*blocks_of(layout), stray, face_down)).frame_bgr)
    assert_reads(reading, layout)
    assert [seen.tile for seen in reading.tiles if seen.group] == [stray.tile]


def test_corners_are_those_of_the_top_face(flex: Reader) -> None:
    layout = layout_of(seed=6)
    drawn = drawn_table(blocks_of(layout), tilt=0.5)
    for seen in flex.read(drawn.frame_bgr).layout:
        nearest = min(
            drawn.corners_px, key=lambda c: np.linalg.norm(c.mean(0) - seen.corners_px.mean(0))
        )
        worst = max(np.linalg.norm(nearest - corner, axis=1).min() for corner in seen.corners_px)
        assert worst < 0.1 * 48


def test_with_the_look_before_only_the_change_is_read_and_the_result_is_the_same(
    flex: Reader,
) -> None:
    tiles = layout_of(seed=9, count=12).values()
    layout = {(x, 0): tile for x, tile in enumerate(tiles)}
    blocks = blocks_of(layout)
    before = flex.read(drawn_table(blocks[:-2], seed=1).frame_bgr)
    frame = drawn_table(blocks, seed=1).frame_bgr
    again = flex.read(frame, before)
    assert_reads(again, layout)
    untouched = {id(seen.shape_p) for seen in before.tiles} & {id(s.shape_p) for s in again.tiles}
    assert len(untouched) >= 6


def test_a_tile_that_was_taken_away_is_gone_from_the_next_look(flex: Reader) -> None:
    blocks = blocks_of(layout_of(seed=9, count=12))
    before = flex.read(drawn_table(blocks, seed=1).frame_bgr)
    after = flex.read(drawn_table(blocks[:-1], seed=1).frame_bgr, before)
    assert len(before.tiles) == 12
    assert len(after.tiles) == 11


def test_editions_limit_what_can_be_read() -> None:
    layout = layout_of(seed=12, rules="classic")
    frame = drawn_table(blocks_of(layout)).frame_bgr
    assert {seen.tile.background for seen in Reader("classic").read(frame).tiles} == {"black"}
    warm_colours = ("red", "orange", "yellow")
    narrowed = Reader("classic", warm_colours).read(frame)
    assert {seen.tile.colour for seen in narrowed.tiles} <= set(warm_colours)


def test_probabilities_are_probabilities(flex: Reader) -> None:
    for seen in flex.read(drawn_table(blocks_of(layout_of(seed=2))).frame_bgr).tiles:
        for chances in (seen.shape_p, seen.colour_p, seen.background_p):
            assert chances.min() >= 0
            assert np.isclose(chances.sum(), 1, atol=1e-3)
        assert 0 <= seen.confidence <= 1


@needs_photos
@pytest.mark.parametrize("longest_px", [2040, 1280, 800])
def test_every_classic_photo_is_perfect(longest_px: int) -> None:
    game = load_game(SHARED / "photos" / "classic-a")

    def shrink(frame: np.ndarray) -> tuple[np.ndarray, float]:
        scale = longest_px / max(frame.shape[:2])
        return cv2.resize(frame, None, fx=scale, fy=scale, interpolation=cv2.INTER_AREA), scale

    verdict = judge_game(game, Reader(game.rules, game.colours), shrink)
    assert verdict.perfect == verdict.photos == 20, verdict.failures


@needs_photos
def test_a_printed_board_is_not_taken_for_tiles() -> None:
    total = Verdict()
    for game in find_games(SHARED / "photos"):
        if game.name.startswith("connect"):
            total.add(judge_game(game, Reader(game.rules, game.colours)))
    assert total.right >= 0.999 * total.tiles, total.failures
    assert total.extra <= total.photos / 20, total.wrong


@needs_photos
def test_rendered_flex_games_are_read() -> None:
    total = Verdict()
    for game in find_games(SHARED / "renders"):
        verdict = judge_game(game, Reader(game.rules, game.colours))
        assert verdict.right >= 0.985 * verdict.tiles, verdict.failures
        total.add(verdict)
    assert total.right >= 0.995 * total.tiles, total.failures
    assert total.clean >= 0.98 * total.photos, total.wrong
    sure = total.by_confidence[-2:]
    count, right = (sum(step[k] for step in sure) for k in (0, 1))
    assert right >= 0.998 * count
