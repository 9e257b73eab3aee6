"""Profiles survive: versions, damage, power cuts and new models."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from calibration.findings import CalibrationError
from calibration.my_tiles import Edition
from calibration.profile import Profile, Step, model_id
from calibration.profile_file import (
    all_profiles,
    load_profile,
    profile_path,
    save_profile,
)
from calibration.session import Calibration
from scorer.tiles import Cell, Tile
from tests.calibration.evidence import CASTS, tinted
from tests.calibration.test_lens import VIEWS, sheet_photo
from tests.vision.drawn import Frame, blocks_of, drawn_table, layout_of
from vision.balance import NEUTRAL
from vision.model import Model, load
from vision.own_shapes import ORDINARY

FLEX = Edition("flex")


@pytest.fixture(scope="module")
def model() -> Model:
    return load()


@pytest.fixture(scope="module")
def photo(model: Model) -> Frame:
    return CASTS["very warm"](
        picture_of(Calibration(Path("nowhere"), model=model).arrangement(FLEX))
    )


def picture_of(layout: dict[Cell, Tile]) -> Frame:
    return drawn_table(blocks_of(layout)).frame_bgr


@pytest.fixture(scope="module")
def full(tmp_path_factory: pytest.TempPathFactory, photo: Frame, model: Model) -> Path:
    """A data directory with a profile that holds everything."""
    folder = tmp_path_factory.mktemp("data")
    steps = Calibration(folder, "usb 0", "kitchen", model)
    steps.lens([sheet_photo(k) for k in range(len(VIEWS))])
    steps.tiles(photo, FLEX)
    steps.plane(photo, FLEX)
    return folder


def test_nothing_calibrated_reads_with_defaults_and_says_so(tmp_path: Path) -> None:
    profile, notice = load_profile(tmp_path, "usb 0", "kitchen")
    assert (profile.gains, profile.lens, profile.plane) == (NEUTRAL, None, None)
    assert notice is not None
    assert notice.text == "usb 0 at kitchen is not calibrated; reading works without."
    frame = np.zeros((9, 9, 3), np.uint8)
    assert profile.drift(frame) == []


def test_everything_learned_is_found_again(full: Path, model: Model) -> None:
    profile, message = load_profile(full, "usb 0", "kitchen")
    assert message is None
    assert (profile.camera, profile.place) == ("usb 0", "kitchen")
    assert profile.made.endswith("+00:00")
    assert profile.lens is not None
    assert profile.plane is not None
    assert profile.my_tiles is not None
    assert len(profile.my_tiles.shown.tiles) == 12
    assert profile.gains[0] > profile.gains[1] > profile.gains[2]
    assert profile.own_set(FLEX) is not None
    assert profile.for_model(model) is profile


def test_saving_what_was_loaded_changes_nothing(full: Path, tmp_path: Path) -> None:
    profile, _ = load_profile(full, "usb 0", "kitchen")
    path, message = save_profile(tmp_path, profile)
    assert message is None
    assert path.read_bytes() == profile_path(full, "usb 0", "kitchen").read_bytes()
    assert [each.name for each in path.parent.iterdir()] == [path.name]


def test_a_profile_from_before_own_shapes_learns_them_from_its_patches(
    full: Path, tmp_path: Path, model: Model
) -> None:
    with np.load(profile_path(full, "usb 0", "kitchen")) as arrays:
        parts = {name: arrays[name] for name in arrays.files if name != "own_shapes"}
    header = json.loads(parts["header"].tobytes()) | {"format": 1}
    parts["header"] = np.frombuffer(json.dumps(header).encode(), np.uint8)
    path = profile_path(tmp_path, "usb 0", "kitchen")
    path.parent.mkdir()
    np.savez_compressed(path, **parts)
    steps = Calibration(tmp_path, "usb 0", "kitchen", model)
    assert steps.message is None
    old, _ = load_profile(full, "usb 0", "kitchen")
    mine, new = old.my_tiles, steps.profile.my_tiles
    assert mine is not None
    assert new is not None
    assert new.model_id == model_id(model)
    assert new.own_set.shapes == pytest.approx(mine.own_set.shapes, abs=0.02)
    assert not (new.own_set.shapes == ORDINARY).all()
    assert new.gains == pytest.approx(mine.gains, rel=0.15)


def test_own_colours_of_another_box_are_not_used(full: Path) -> None:
    profile, _ = load_profile(full, "usb 0", "kitchen")
    other = Edition("classic", ("red", "orange", "yellow", "green", "blue", "white"))
    assert profile.own_set(other) is None
    assert profile.own_set(Edition("flex72")) is not None


def test_a_new_model_learns_from_the_kept_patches(full: Path, model: Model) -> None:
    profile, _ = load_profile(full, "usb 0", "kitchen")
    assert profile.my_tiles is not None
    old = replace(profile, my_tiles=replace(profile.my_tiles, model_id="another"))
    fresh = old.for_model(model)
    assert fresh.my_tiles is not None
    assert fresh.my_tiles.model_id == model_id(model)
    assert fresh.gains[0] > fresh.gains[2]


def test_a_calibrated_camera_reads_a_game_in_that_light(full: Path, model: Model) -> None:
    steps = Calibration(full, "usb 0", "kitchen", model)
    layout = layout_of(4, 14)
    frame = CASTS["very warm"](picture_of(layout))
    seen = steps.reader(FLEX).read(frame).layout
    assert sorted(tile.tile for tile in seen) == sorted(layout.values())
    assert steps.profile.drift(frame) == []
    cooler = tinted(1.4, 1.0, 0.8)(frame)
    assert [finding.code for finding in steps.profile.drift(cooler)] == ["light_cooler"]


@pytest.mark.parametrize("damage", ["empty", "cut", "garbage", "wrong arrays", "newer"])
def test_damage_falls_back_to_defaults_and_is_never_overwritten(
    damage: str, full: Path, tmp_path: Path
) -> None:
    good = profile_path(full, "usb 0", "kitchen").read_bytes()
    path = profile_path(tmp_path, "usb 0", "kitchen")
    path.parent.mkdir()
    path.write_bytes(damaged(good, damage, tmp_path))
    bad = path.read_bytes()
    profile, notice = load_profile(tmp_path, "usb 0", "kitchen")
    assert profile == Profile("usb 0", "kitchen")
    assert notice is not None
    assert "the defaults are used" in notice.text
    assert len(all_profiles(tmp_path)) == 1
    _, said = save_profile(tmp_path, profile)
    assert said is not None
    aside = [each for each in path.parent.iterdir() if each != path]
    assert [each.read_bytes() for each in aside] == [bad]
    assert aside[0].name in said.text
    assert load_profile(tmp_path, "usb 0", "kitchen")[1] is None
    assert len(all_profiles(tmp_path)) == 1


def damaged(good: bytes, how: str, folder: Path) -> bytes:
    if how in ("wrong arrays", "newer"):
        file = folder / "odd.npz"
        header = b'{"format": 99}' if how == "newer" else b'{"format": 1, "camera": "a"}'
        np.savez(file, header=np.frombuffer(header, np.uint8))
        return file.read_bytes()
    return {"empty": b"", "cut": good[: len(good) // 2], "garbage": b"\x80\x04pickle" * 9}[how]


@pytest.mark.parametrize("seed", range(12))
def test_no_flipped_byte_crashes_the_loading(seed: int, full: Path, tmp_path: Path) -> None:
    data = bytearray(profile_path(full, "usb 0", "kitchen").read_bytes())
    rng = np.random.default_rng(seed)
    for at in rng.integers(0, len(data), 3):
        data[at] ^= int(rng.integers(1, 256))
    path = profile_path(tmp_path, "a", "b")
    path.parent.mkdir()
    path.write_bytes(bytes(data))
    profile, message = load_profile(tmp_path, "a", "b")
    assert message is None or profile == Profile("a", "b")


def test_names_make_safe_file_names(tmp_path: Path) -> None:
    path = profile_path(tmp_path, "../../etc/usb:0", "Küche / oben")
    assert path.parent == tmp_path / "calibration"
    assert path.name == "etc-usb-0@küche-oben.npz"


def test_a_lens_forgets_the_plane_of_the_bent_picture(full: Path, tmp_path: Path) -> None:
    profile, _ = load_profile(full, "usb 0", "kitchen")
    save_profile(tmp_path, profile)
    steps = Calibration(tmp_path, "usb 0", "kitchen")
    steps.lens([sheet_photo(k) for k in range(len(VIEWS))])
    assert steps.profile.plane is None
    assert steps.profile.my_tiles is not None


@pytest.mark.parametrize(("step", "rest"), [("tiles", ("plane", "lens")), ("lens", ("tiles",))])
def test_one_step_is_forgotten_and_what_was_known_set_aside(
    step: Step, rest: tuple[Step, ...], full: Path, tmp_path: Path
) -> None:
    profile, _ = load_profile(full, "usb 0", "kitchen")
    path, _ = save_profile(tmp_path, profile)
    known = path.read_bytes()
    steps = Calibration(tmp_path, "usb 0", "kitchen")
    steps.forget(step)
    assert steps.profile.steps == rest
    assert Calibration(tmp_path, "usb 0", "kitchen").profile.steps == rest
    (aside,) = [each for each in path.parent.iterdir() if each != path]
    assert aside.read_bytes() == known
    assert [each for each, _ in all_profiles(tmp_path)] == [path]
    with pytest.raises(CalibrationError, match="nothing to forget"):
        steps.forget(step)


def test_nothing_left_to_know_leaves_no_profile(tmp_path: Path, photo: Frame) -> None:
    steps = Calibration(tmp_path)
    steps.tiles(photo, FLEX)
    steps.forget("tiles")
    notice = Calibration(tmp_path).notice
    assert notice is not None
    assert notice.code == "profile_missing"


def test_what_cannot_be_kept_is_not_used_either(tmp_path: Path, photo: Frame) -> None:
    (tmp_path / "calibration").write_text("a file where the folder should be")
    steps = Calibration(tmp_path)
    with pytest.raises(OSError, match="calibration"):
        steps.tiles(photo, FLEX)
    assert steps.profile.steps == ()


def test_a_photo_without_the_tiles_changes_nothing(tmp_path: Path, model: Model) -> None:
    steps = Calibration(tmp_path, model=model)
    with pytest.raises(CalibrationError):
        steps.tiles(np.full((480, 640, 3), 90, np.uint8), FLEX)
    assert not (tmp_path / "calibration").exists()
