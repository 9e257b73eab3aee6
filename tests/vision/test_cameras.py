"""Cameras: what they show, and what they say when they cannot."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import cv2
import numpy as np
import pytest

from scorer.tiles import Tile
from vision.cameras.base import CameraEndedError, CameraError, Frame, Glance, glance_grey
from vision.cameras.capture import UsbCamera, VideoCamera
from vision.cameras.demo import DemoTable
from vision.cameras.demo_play import Position
from vision.cameras.demo_script import make_script
from vision.cameras.folder import FolderCamera
from vision.cameras.phone import MOST_WAITING, PhoneCamera
from vision.cameras.sources import Source, SourceError, open_camera, parse_source


def photo(value: int) -> Frame:
    frame = np.full((480, 640, 3), value, np.uint8)
    frame[100:200, 100:300] = 255 - value
    return frame


def jpeg(value: int) -> bytes:
    return bytes(cv2.imencode(".jpg", photo(value))[1].tobytes())


def until_the_end(camera: DemoTable | VideoCamera) -> Iterator[Glance]:
    while True:
        try:
            yield camera.glance()
        except CameraEndedError:
            return


def no_sleep(_: float) -> None:
    """Stand in for waiting."""


def test_an_empty_folder_shows_nothing_and_waits(tmp_path: Path) -> None:
    camera = FolderCamera(tmp_path, sleep=no_sleep)
    assert camera.glance() is None
    with pytest.raises(CameraError, match="no photo"):
        camera.picture()


def test_photos_come_in_the_order_of_their_names_and_later_ones_too(tmp_path: Path) -> None:
    for name, value in (("b.jpg", 100), ("a.jpg", 50)):
        (tmp_path / name).write_bytes(jpeg(value))
    camera = FolderCamera(tmp_path, sleep=no_sleep)
    shown = []
    for _ in range(2):
        assert camera.glance() is not None
        shown.append((camera.photo, round(int(camera.picture()[5, 5, 0]), -1)))
    (tmp_path / "c.jpg").write_bytes(jpeg(150))
    assert camera.glance() is not None
    assert shown == [("a.jpg", 50), ("b.jpg", 100)]
    assert camera.photo == "c.jpg"


def test_an_unreadable_photo_is_named_once_and_passed_over(tmp_path: Path) -> None:
    (tmp_path / "a.jpg").write_bytes(b"no picture at all")
    (tmp_path / "b.jpg").write_bytes(jpeg(60))
    camera = FolderCamera(tmp_path, sleep=no_sleep)
    with pytest.raises(CameraError, match=r"a\.jpg"):
        camera.glance()
    assert camera.glance() is not None
    assert camera.glance() is None


def test_a_folder_that_vanishes_is_said_and_taken_up_again(tmp_path: Path) -> None:
    folder = tmp_path / "photos"
    camera = FolderCamera(folder, sleep=no_sleep)
    with pytest.raises(CameraError, match="photos"):
        camera.glance()
    folder.mkdir()
    (folder / "a.jpg").write_bytes(jpeg(60))
    assert camera.glance() is not None


def test_a_folder_that_is_not_followed_ends(tmp_path: Path) -> None:
    with pytest.raises(CameraEndedError):
        FolderCamera(tmp_path, follow=False).glance()


def test_photos_of_a_phone_are_looks_of_their_own() -> None:
    camera = PhoneCamera(wait_s=0)
    assert camera.glance() is None
    camera.send(jpeg(80))
    glance = camera.glance()
    assert glance is not None
    assert glance.is_whole_look
    assert camera.picture().shape == (480, 640, 3)


@pytest.mark.parametrize("data", [b"", b"GIF89a", jpeg(3)[:80]])
def test_what_is_no_photo_is_refused(data: bytes) -> None:
    with pytest.raises(CameraError):
        PhoneCamera(wait_s=0).send(data)


def test_too_many_photos_are_refused() -> None:
    camera = PhoneCamera(wait_s=0)
    for _ in range(MOST_WAITING):
        camera.send(jpeg(9))
    with pytest.raises(CameraError, match="faster"):
        camera.send(jpeg(9))


class FakeCapture:
    """A webcam whose cable is in or out."""

    def __init__(self, frames: Iterator[Any]) -> None:
        self.frames = frames
        self.is_released = False

    def isOpened(self) -> bool:  # noqa: N802 - OpenCV's name
        return True

    def read(self) -> tuple[bool, Any]:
        frame = next(self.frames, None)
        return frame is not None, frame

    def set(self, *_: float) -> bool:
        return True

    def release(self) -> None:
        self.is_released = True


def test_a_pulled_webcam_is_said_and_taken_up_again() -> None:
    frames = iter([photo(10), None, photo(20)])
    opened: list[FakeCapture] = []

    def opener(_: int | str) -> FakeCapture:
        opened.append(FakeCapture(frames))
        return opened[-1]

    camera = UsbCamera(0, opener, sleep=no_sleep)
    camera.glance()
    with pytest.raises(CameraError, match="cable"):
        camera.glance()
    assert opened[0].is_released
    camera.glance()
    assert int(camera.picture()[5, 5, 0]) == 20
    assert len(opened) == 2


@pytest.mark.parametrize("garbage", [np.zeros((480, 640), np.uint8), np.zeros((9, 9, 3), np.uint8)])
def test_garbage_of_a_webcam_is_no_picture(garbage: Frame) -> None:
    camera = UsbCamera(0, lambda _: FakeCapture(iter([garbage])), sleep=no_sleep)
    with pytest.raises(CameraError):
        camera.glance()


def test_a_missing_video_is_said(tmp_path: Path) -> None:
    with pytest.raises(CameraError, match="no video"):
        VideoCamera(tmp_path / "none.avi").glance()


def test_a_video_is_shown_to_its_end(tmp_path: Path) -> None:
    path = tmp_path / "film.avi"
    writer = cv2.VideoWriter(str(path), cv2.VideoWriter.fourcc(*"MJPG"), 30.0, (640, 480))
    for value in range(30):
        writer.write(photo(value * 4))
    writer.release()
    camera = VideoCamera(path)
    times = [glance.time_s for glance in until_the_end(camera)]
    camera.close()
    assert len(times) == 10
    assert times == sorted(times)


def test_a_video_that_is_none_is_said(tmp_path: Path) -> None:
    path = tmp_path / "film.avi"
    path.write_bytes(b"this is not a film")
    with pytest.raises(CameraError, match=r"film\.avi"):
        VideoCamera(path).glance()


@pytest.mark.parametrize(
    ("text", "kind", "detail"),
    [
        ("demo", "demo", ""),
        ("demo:7", "demo", "7"),
        ("usb:1", "usb", "1"),
        ("folder:a:b", "folder", "a:b"),
    ],
)
def test_sources_are_understood(text: str, kind: str, detail: str) -> None:
    assert parse_source(text) == Source(kind, detail)


@pytest.mark.parametrize(
    ("text", "word"),
    [
        ("usb", "usb:0"),
        ("usb:0", "usb:0"),
        ("usb:01", "usb:1"),
        ("usb:10", "usb:10"),
        ("picamera", "picamera"),
        ("picamera:0", "picamera"),
        ("picamera:1", "picamera:1"),
        ("demo:0", "demo:0"),
        ("folder:0", "folder:0"),
    ],
)
def test_one_device_has_one_word(text: str, word: str) -> None:
    assert str(parse_source(text)) == word


@pytest.mark.parametrize("text", ["", "webcam", "usb:x", "demo:-1", "folder", "video:"])
def test_a_source_that_makes_no_sense_is_refused(text: str) -> None:
    with pytest.raises(SourceError):
        parse_source(text)


def test_every_kind_can_be_opened(tmp_path: Path) -> None:
    for text in ("demo:3", "picamera", "usb", f"folder:{tmp_path}", "video:x.avi", "phone"):
        open_camera(parse_source(text)).close()
    with pytest.raises(SourceError):
        open_camera(Source("periscope"))


def test_the_simulated_table_is_the_same_for_the_same_seed() -> None:
    script = make_script(4, most_turns=2)
    shown = []
    for _ in range(2):
        table = DemoTable(4, None, make_script(4, most_turns=2))
        greys = [table.glance().grey for _ in range(60)]
        shown.append(np.array(greys))
    assert (shown[0] == shown[1]).all()
    assert script == make_script(4, most_turns=2)


def test_the_simulated_table_shows_every_tile_of_its_game_and_ends() -> None:
    script = make_script(2, most_turns=4)
    table = DemoTable(2, None, script)
    taps: list[tuple[str, int]] = []
    for _ in until_the_end(table):
        taps += table.take_taps()
    assert table.stage.tiles == {c: t for play in script.plays for c, t in play.placed}
    assert table.picture().shape == (960, 1280, 3)
    assert {word for word, _ in taps} <= {"done", "exchange", "pass"}


def test_the_simulated_table_goes_on_from_where_a_game_stands() -> None:
    board = {(0, 0): Tile("circle", "red"), (1, 0): Tile("square", "red", "white")}
    table = DemoTable(2, None)
    table.glance()
    table.begin(Position("flex", (6, 4), board, next_player=1))
    assert table.stage.tiles == board
    assert table.script.plays[0].player == 1
    before = table.now_s
    assert table.glance().time_s > before


def test_the_simulated_table_keeps_pace() -> None:
    slept: list[float] = []
    table = DemoTable(2, 2.0, make_script(2, most_turns=1), clock=lambda: 0.0, sleep=slept.append)
    for _ in range(8):
        table.glance()
    assert slept[-1] == pytest.approx(0.5)


def test_the_light_stream_is_small_and_grey() -> None:
    for size in ((480, 640), (1232, 1640), (2040, 1536), (3040, 4056)):
        assert glance_grey(np.zeros((*size, 3), np.uint8)).shape == (240, 320)
