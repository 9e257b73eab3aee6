"""`tiletally calibrate` as a person meets it."""

from __future__ import annotations

import json
from pathlib import Path
from unittest import mock

import cv2
import numpy as np
import pytest

from calibration.arrangement import suggested
from tests.calibration.evidence import CASTS
from tests.calibration.test_lens import VIEWS, sheet_photo
from tests.vision.drawn import Frame, blocks_of, drawn_table
from tiletally import cli
from vision.cameras.base import Glance

Captured = pytest.CaptureFixture[str]


def saved(folder: Path, name: str, frame: Frame) -> str:
    path = folder / name
    cv2.imwrite(str(path), frame)
    return str(path)


@pytest.fixture(scope="module")
def photo(tmp_path_factory: pytest.TempPathFactory) -> str:
    """A warm photo of the tiles that are to be laid out."""
    frame = CASTS["very warm"](drawn_table(blocks_of(suggested("flex"))).frame_bgr)
    return saved(tmp_path_factory.mktemp("photos"), "tiles.png", frame)


def test_tiles_are_learned_and_shown(photo: str, tmp_path: Path, capsys: Captured) -> None:
    place = ["--data", str(tmp_path), "--name", "usb:0", "--place", "kitchen"]
    assert cli.main(["calibrate", "tiles", photo, "--rules", "flex", *place]) == 0
    assert "The light is" in capsys.readouterr().out
    assert cli.main(["calibrate", "plane", photo, "--rules", "flex", *place]) == 0
    assert "The table's plane is known" in capsys.readouterr().out
    assert cli.main(["calibrate", "show", "--data", str(tmp_path)]) == 0
    shown = capsys.readouterr().out
    assert "usb:0 at kitchen" in shown
    assert "12 tiles" in shown
    assert cli.main(["calibrate", "show", "--json", "--data", str(tmp_path)]) == 0
    record = json.loads(capsys.readouterr().out)
    assert record["gains_bgr"][0] > record["gains_bgr"][2]
    assert len(record["tiles"]) == 12


@pytest.mark.parametrize(("word", "file"), [("usb", "usb-0"), ("picamera:0", "picamera")])
def test_one_device_has_one_profile(word: str, file: str, photo: str, tmp_path: Path) -> None:
    words = ["calibrate", "tiles", photo, "--rules", "flex", "--data", str(tmp_path)]
    assert cli.main([*words, "--name", word]) == 0
    assert [each.name for each in (tmp_path / "calibration").iterdir()] == [f"{file}@table.npz"]


def test_a_photo_without_a_name_says_where_it_counts(
    photo: str, tmp_path: Path, capsys: Captured
) -> None:
    words = ["calibrate", "tiles", photo, "--rules", "flex", "--data", str(tmp_path)]
    assert cli.main(words) == 0
    said = capsys.readouterr().err
    assert "camera@table.npz" in said
    assert "--name usb:0" in said
    assert said.count("\n") == 1
    assert cli.main([*words, "--name", "usb:0"]) == 0
    assert capsys.readouterr().err == ""


def test_the_aim_is_told_line_by_line(photo: str, tmp_path: Path, capsys: Captured) -> None:
    status = cli.main(["calibrate", "aim", photo, "--rules", "flex", "--data", str(tmp_path)])
    lines = capsys.readouterr().out.splitlines()
    assert status == 0
    assert any(line.startswith("ok    A tile is") for line in lines)
    cli.main(["calibrate", "aim", photo, "--json", "--data", str(tmp_path)])
    codes = [json.loads(line)["code"] for line in capsys.readouterr().out.splitlines()]
    assert {"size_good", "sharp"} <= set(codes)


def test_an_empty_table_is_a_problem(tmp_path: Path, capsys: Captured) -> None:
    empty = saved(tmp_path, "empty.png", np.full((480, 640, 3), 130, np.uint8))
    assert cli.main(["calibrate", "aim", empty, "--data", str(tmp_path)]) == 1
    assert capsys.readouterr().out.startswith("NO    No tiles are seen.")
    words = ["calibrate", "tiles", empty, "--rules", "classic", "--data", str(tmp_path)]
    assert cli.main(words) == 1
    assert capsys.readouterr().err.startswith("tiletally: No tiles can be seen.")


def test_sheet_and_lens(tmp_path: Path, capsys: Captured) -> None:
    sheet = tmp_path / "sheet.pdf"
    assert cli.main(["calibrate", "sheet", str(sheet), "--paper", "letter"]) == 0
    assert sheet.read_bytes().startswith(b"%PDF")
    photos = [saved(tmp_path, f"{k}.png", sheet_photo(k)) for k in range(len(VIEWS))]
    assert cli.main(["calibrate", "lens", *photos, "--data", str(tmp_path)]) == 0
    assert "The lens is known from 6 photos" in capsys.readouterr().out
    assert cli.main(["calibrate", "lens", photos[0], "--data", str(tmp_path)]) == 1
    assert "4 or more are needed" in capsys.readouterr().err


def test_the_tiles_to_lay_out_are_told(tmp_path: Path, capsys: Captured) -> None:
    assert cli.main(["calibrate", "layout", "--rules", "classic", "--data", str(tmp_path)]) == 0
    assert capsys.readouterr().out.startswith("red circle on black")
    words = ["calibrate", "layout", "--rules", "flex", "--json", "--data", str(tmp_path)]
    assert cli.main(words) == 0
    assert len(json.loads(capsys.readouterr().out)["tiles"]) == 12


def test_a_camera_can_take_the_photo(tmp_path: Path, capsys: Captured) -> None:
    words = ["calibrate", "aim", "--camera", "demo:1", "--data", str(tmp_path)]
    assert cli.main(words) in (0, 1)
    assert capsys.readouterr().out


class SlowCamera:
    """Gets used to the light for a while, as a camera module does."""

    name = "slow"

    def __init__(self, settles: int) -> None:
        self.settles = settles
        self.is_closed = False

    def glance(self) -> Glance | None:
        self.settles -= 1
        return None if self.settles >= 0 else Glance(0.0, np.zeros((240, 320), np.uint8))

    def picture(self) -> Frame:
        assert self.settles < 0, "neither light nor focus are found"
        return np.full((480, 640, 3), 130, np.uint8)

    def close(self) -> None:
        self.is_closed = True


def test_a_camera_has_time_to_find_light_and_focus(tmp_path: Path, capsys: Captured) -> None:
    words = ["calibrate", "aim", "--camera", "picamera", "--data", str(tmp_path)]
    slow, dead = SlowCamera(150), SlowCamera(10**9)
    with mock.patch("vision.cameras.sources.open_camera", side_effect=[slow, dead]):
        assert cli.main(words) == 1
        assert "No tiles are seen" in capsys.readouterr().out
        with mock.patch("vision.cameras.settled.PATIENCE_S", 0.1):
            assert cli.main(words) == 1
        assert "the camera shows no picture" in capsys.readouterr().err
    assert slow.is_closed
    assert dead.is_closed


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (["aim"], "give one photo, or a camera"),
        (["tiles", "a.jpg"], "say which tiles these are"),
        (["aim", "nothing.jpg"], "nothing.jpg cannot be opened"),
        (["aim", "--camera", "tin"], "there is no camera 'tin'"),
    ],
)
def test_what_is_missing_is_said_in_one_line(
    words: list[str], said: str, tmp_path: Path, capsys: Captured
) -> None:
    assert cli.main(["calibrate", *words, "--data", str(tmp_path)]) == 1
    error = capsys.readouterr().err
    assert said in error
    assert error.count("\n") == 1


def test_a_step_that_does_not_exist_is_wrong_usage() -> None:
    with pytest.raises(SystemExit) as caught:
        cli.main(["calibrate", "everything"])
    assert caught.value.code == 2
