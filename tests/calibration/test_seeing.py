"""A profile is used in whatever light there is, and through whatever lens."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from calibration.arrangement import match, suggested
from calibration.my_tiles import Edition
from calibration.profile import Profile
from calibration.seeing import LEAST_TILES, Seeing
from calibration.session import Calibration
from scorer.tiles import Cell, Tile
from tests.calibration.evidence import tinted
from tests.calibration.wide_lens import lens_of, photo_of
from tests.vision.drawn import Frame, blocks_of, drawn_table, layout_of
from vision.balance import NEUTRAL, Gains
from vision.model import Model, load
from vision.reader import Reader
from vision.reading import Reading

FLEX = Edition("flex")
LAMP, WINDOW = tinted(0.4, 0.8, 1.25), tinted(1.25, 1.0, 0.7)
GAME = layout_of(5, 18)
FEW = dict(list(suggested("flex").items())[: LEAST_TILES - 1])


class Counting(Reader):
    """A reader that counts how often it reads."""

    count = 0

    def read(self, frame_bgr: Frame, known: Reading | None = None) -> Reading:
        self.count += 1
        return super().read(frame_bgr, known)


@pytest.fixture(scope="module")
def model() -> Model:
    return load()


@pytest.fixture(scope="module")
def lamp_profile(tmp_path_factory: pytest.TempPathFactory, model: Model) -> Profile:
    """What was learned by a warm lamp."""
    steps = Calibration(tmp_path_factory.mktemp("data"), model=model)
    steps.tiles(LAMP(picture_of(suggested("flex"))), FLEX)
    return steps.profile


def picture_of(layout: dict[Cell, Tile], table: str = "light wood") -> Frame:
    return drawn_table(blocks_of(layout), table=table).frame_bgr


def seeing_with(profile: Profile, model: Model) -> tuple[Seeing, Counting]:
    reader = Counting("flex", None, model, profile.own_set(FLEX))
    return Seeing(profile, reader), reader


def right(reading: Reading, layout: dict[Cell, Tile]) -> int:
    return sum(seen.tile == tile for seen, tile in match(reading.layout, layout).pairs)


def test_nothing_learned_reads_the_frame_as_it_is(model: Model) -> None:
    seeing, reader = seeing_with(Profile(), model)
    assert right(seeing.read(picture_of(GAME)), GAME) == len(GAME)
    assert (seeing.gains, reader.count) == (NEUTRAL, 1)
    assert seeing.read(np.zeros((0, 0, 3), np.uint8)).tiles == ()


def test_tiles_are_read_right_in_another_light_than_that_of_the_lesson(
    lamp_profile: Profile, model: Model
) -> None:
    seeing, _ = seeing_with(lamp_profile, model)
    assert right(seeing.read(WINDOW(picture_of(GAME))), GAME) == len(GAME)


def test_another_table_cloth_is_not_taken_for_another_light(
    lamp_profile: Profile, model: Model
) -> None:
    daylight = picture_of(GAME, "felt")
    for frame in (daylight, LAMP(daylight)):
        seeing, _ = seeing_with(lamp_profile, model)
        assert right(seeing.read(frame), GAME) == len(GAME)


def test_a_light_is_judged_once_and_the_known_one_not_at_all(
    lamp_profile: Profile, model: Model
) -> None:
    seeing, reader = seeing_with(lamp_profile, model)
    looks: list[tuple[int, Gains]] = []
    for light in (LAMP, WINDOW, WINDOW, tinted(1.2, 1.0, 0.72), LAMP, LAMP):
        reader.count = 0
        seeing.read(light(picture_of(GAME)))
        looks.append((reader.count, seeing.gains))
    assert [count for count, _ in looks] == [1, 3, 1, 1, 1, 1]
    assert looks[1][1] == looks[2][1] == looks[3][1] != lamp_profile.gains
    assert looks[0][1] == looks[4][1] == looks[5][1] == lamp_profile.gains


def test_too_few_tiles_do_not_settle_it(lamp_profile: Profile, model: Model) -> None:
    seeing, reader = seeing_with(lamp_profile, model)
    for layout, count in ((FEW, 3), (FEW, 3), (GAME, 3), (FEW, 1)):
        reader.count = 0
        assert right(seeing.read(WINDOW(picture_of(layout))), layout) == len(layout)
        assert reader.count == count


def test_where_the_light_cannot_be_told_what_was_learned_holds(
    lamp_profile: Profile, model: Model
) -> None:
    seeing, reader = seeing_with(lamp_profile, model)
    seeing.read(np.full((768, 1024, 3), (14, 10, 170), np.uint8))
    assert (seeing.gains, reader.count) == (lamp_profile.gains, 1)


def test_the_aim_is_looked_at_in_the_light_that_there_is(tmp_path: Path, model: Model) -> None:
    steps = Calibration(tmp_path, model=model)
    steps.tiles(LAMP(picture_of(suggested("flex"))), FLEX)
    look = steps.look(WINDOW(picture_of(GAME)), FLEX)
    assert right(look.reading, GAME) == len(GAME)
    assert "light_cooler" in [finding.code for finding in look.findings]


def test_a_wide_lens_hides_no_tiles_and_their_corners_stay_where_the_photo_shows_them(
    model: Model,
) -> None:
    name, layout = "very wide (-0.30)", layout_of(2, 30)
    photo, lens = photo_of(layout, name, 2, 1.0), lens_of(name)
    reader = Reader("flex", model=model)
    plain, seen = reader.read(photo), Seeing(Profile(lens=lens), reader).read(photo)
    assert right(plain, layout) < right(seen, layout) == len(layout)
    assert seen.size_wh == plain.size_wh
    middles = np.array([tile.corners_px.mean(0) for tile in seen.layout])
    for tile in plain.layout:
        assert np.linalg.norm(middles - tile.corners_px.mean(0), axis=1).min() < 5
