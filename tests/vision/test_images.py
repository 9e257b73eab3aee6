"""Whatever file a person hands over, they get a picture or one clear sentence."""

from __future__ import annotations

import zlib
from contextlib import nullcontext
from pathlib import Path

import cv2
import numpy as np
import pytest

from tests.fuzz.pictures import animated, chunk, hidden_size, many_scans, png, rows, segment
from vision.cameras.base import CameraError
from vision.cameras.phone import PhoneCamera
from vision.images import MOST_RATIO, ImageError, decode_image, pixel_size, read_image
from vision.jpeg import MOST_SCANS
from vision.obstruct import LONG_SIDE_PX, small_look
from vision.png import SIGNATURE, reduced_png

TURNED = b"II*\x00\x08\x00\x00\x00\x01\x00\x12\x01\x03\x00\x01\x00\x00\x00\x06" + bytes(7)
DISGUISES = (b"\xff\xd8", SIGNATURE, b"RIFF")


def encoded(kind: str, width: int = 40, height: int = 30) -> bytes:
    picture = np.full((height, width, 3), 90, np.uint8)
    return bytes(cv2.imencode(kind, picture)[1])


@pytest.mark.parametrize("kind", [".jpg", ".png", ".webp"])
def test_reads_the_usual_kinds(kind: str, tmp_path: Path) -> None:
    path = tmp_path / f"table{kind}"
    path.write_bytes(encoded(kind))
    assert read_image(path).shape == (30, 40, 3)
    assert pixel_size(encoded(kind)) == (40, 30)


def png_bomb() -> bytes:
    """A PNG header that promises 100 megapixels."""
    data = bytearray(encoded(".png"))
    data[16:24] = (10_000).to_bytes(4, "big") * 2
    return bytes(data)


@pytest.mark.parametrize(
    ("data", "sentence"),
    [
        (b"", "is empty"),
        (b"hello, I am a text file", "is not a picture"),
        (b"\x00\x00\x00\x18ftypmp42" + b"\x00" * 200, "is not a picture"),  # a video
        (b"GIF89a" + b"\x00" * 50, "is not a picture"),
        (b"\xff\xd8\xff", "is not a picture"),
        (encoded(".jpg", 200, 200)[:-300], "cut short"),
        (encoded(".png", 200, 200)[:-20], "cut short"),
        (animated(2, 30), "is not a picture"),
        (png_bomb(), "at most 60 megapixels"),
    ],
)
def test_says_in_one_sentence_what_is_wrong(data: bytes, sentence: str) -> None:
    with pytest.raises(ImageError, match=sentence) as caught:
        decode_image(data, "table.jpg")
    assert "\n" not in str(caught.value)
    assert "table.jpg" in str(caught.value)


def test_a_missing_file_and_a_folder_are_named(tmp_path: Path) -> None:
    with pytest.raises(ImageError, match=r"gone\.jpg cannot be opened: no such file"):
        read_image(tmp_path / "gone.jpg")
    with pytest.raises(ImageError, match="is a directory"):
        read_image(tmp_path)


def test_mutated_pictures_never_crash_the_reader_of_files() -> None:
    rng = np.random.default_rng(5)
    originals = [encoded(kind, 64, 48) for kind in (".jpg", ".png", ".webp")]
    outcomes = set()
    for number in range(300):
        data = bytearray(originals[number % 3])
        for _ in range(int(rng.integers(1, 12))):
            data[int(rng.integers(len(data)))] = int(rng.integers(256))
        try:
            decode_image(bytes(data), "mutated")
            outcomes.add("picture")
        except ImageError:
            outcomes.add("sentence")
    assert outcomes == {"picture", "sentence"}


def test_the_size_that_the_decoder_would_find_is_the_one_that_counts() -> None:
    # The decoder looks for the next marker byte by byte; the size before it must not hide.
    with pytest.raises(ImageError, match="is not a picture"):
        decode_image(hidden_size(20_000, 20_000), "table.jpg")


def test_a_jpeg_of_endless_passes_is_not_unpacked() -> None:
    with pytest.raises(ImageError, match="saved in 2001 passes"):
        decode_image(many_scans(7000, 8000, 2000), "table.jpg")
    assert decode_image(many_scans(320, 240, 20), "table.jpg").shape == (240, 320, 3)


def test_photos_that_wait_have_a_bound_together() -> None:
    camera = PhoneCamera()
    large = png(7000, 8000, 8, 2, rows(7000, 8000, 24))
    camera.send(large)
    with pytest.raises(CameraError, match="faster than they can be read"):
        camera.send(large)
    camera.glance()
    camera.send(large)


def test_a_png_part_longer_than_the_file_is_not_waited_for() -> None:
    sound = encoded(".png")
    hollow = sound[:33] + chunk(b"tEXt", b"a", length=1_000_000_000) + sound[33:]
    assert reduced_png(hollow) is None
    assert reduced_png(sound) == sound
    with pytest.raises(ImageError, match="cut short"):
        decode_image(hollow, "table.png")


@pytest.mark.parametrize(
    "data",
    [
        png(300, 300, 8, 2, zlib.compress(bytes(50_000_000), 9)),
        png(300, 300, 8, 2, b"no zlib"),
        png(300, 300, 8, 2, zlib.compress(b"")),
        SIGNATURE + chunk(b"tEXt", b"") * 30_000 + png(3, 3, 8, 2, rows(3, 3, 24))[8:],
        SIGNATURE + chunk(b"IHDR", bytes(13)) + chunk(b"tEXt", b"") * 30_000 + chunk(b"IEND", b""),
    ],
)
def test_a_png_that_is_more_than_it_says_is_not_unpacked(data: bytes) -> None:
    assert reduced_png(data) is None
    with pytest.raises(ImageError):
        decode_image(data, "table.png")


@pytest.mark.parametrize(("depth", "colour"), [(1, 0), (8, 2), (16, 6), (8, 3)])
def test_a_png_of_every_kind_is_sound(depth: int, colour: int) -> None:
    bits = depth * {0: 1, 2: 3, 3: 1, 6: 4}[colour]
    palette = chunk(b"PLTE", bytes(768)) if colour == 3 else b""
    sound = png(320, 240, depth, colour, rows(320, 240, bits), palette)
    assert reduced_png(sound) == sound


def test_only_what_the_picture_needs_of_a_png_is_unpacked() -> None:
    text = chunk(b"zTXt", b"a\x00\x00" + zlib.compress(b"x" * 7_900_000))
    upright = chunk(b"eXIf", TURNED)
    plain = png(30, 20, 8, 2, rows(30, 20, 24), upright)
    heavy = png(30, 20, 8, 2, rows(30, 20, 24), text * 120 + upright)
    assert reduced_png(heavy) == plain
    assert decode_image(heavy, "table.png").shape == (30, 20, 3), "its side that is up still counts"


@pytest.mark.parametrize("kind", [0xE1, 0xE2, 0xFE])
@pytest.mark.parametrize("mark", [b"\xff\xdb", b"\xff\xda"])
def test_a_jpeg_of_endless_segments_is_not_unpacked(kind: int, mark: bytes) -> None:
    sound = encoded(".jpg")
    at = sound.index(mark)
    for count, is_taken in ((1000, True), (12_000, False)):
        data = sound[:at] + segment(kind, b"") * count + sound[at:]
        with nullcontext() if is_taken else pytest.raises(ImageError):
            assert decode_image(data, "table.jpg").shape == (30, 40, 3)


def test_the_film_behind_a_photo_is_no_part_of_it() -> None:
    film = np.random.default_rng(1).bytes(8_000_000)
    assert film.count(b"\xff\xda") > MOST_SCANS
    assert decode_image(encoded(".jpg") + film, "table.jpg").shape == (30, 40, 3)


def test_a_scan_cannot_hide_behind_an_end_that_is_none() -> None:
    hidden = many_scans(320, 240, 60)
    at = hidden.index(b"\xff\xda")
    hidden = hidden[:at] + segment(0xFE, b"\xff\xd9") + hidden[at:]
    with pytest.raises(ImageError, match="saved in 61 passes"):
        decode_image(hidden, "table.jpg")


@pytest.mark.parametrize(("width", "height"), [(240, 250_000), (250_000, 240), (1, 21)])
def test_a_picture_like_a_ribbon_is_refused(width: int, height: int) -> None:
    with pytest.raises(ImageError, match="long side is at most 20 times the short one"):
        decode_image(png(width, height, 8, 2, rows(width, height, 24)), "table.png")


@pytest.mark.parametrize("kind", [".jpg", ".png", ".webp"])
@pytest.mark.parametrize(("width", "height"), [(1, 1), (1, MOST_RATIO), (MOST_RATIO * 300, 300)])
def test_every_look_at_an_admitted_picture_is_possible(kind: str, width: int, height: int) -> None:
    frame = decode_image(encoded(kind, width, height), "table")
    assert max(small_look(frame).bgr.shape) == LONG_SIDE_PX


@pytest.mark.parametrize(
    "kind", [".gif", ".bmp", ".tiff", ".avif", ".jp2", ".ppm", ".pfm", ".hdr", ".ras"]
)
def test_what_the_decoder_could_read_but_nobody_measures_is_refused(kind: str) -> None:
    if not cv2.haveImageWriter(f"picture{kind}"):
        pytest.skip("this OpenCV does not write it")
    shade = np.full((64, 80, 3), 90, np.float32 if kind in (".pfm", ".hdr") else np.uint8)
    data = bytes(cv2.imencode(kind, shade)[1])
    assert cv2.imdecode(np.frombuffer(data, np.uint8), cv2.IMREAD_COLOR) is not None
    for disguise in (b"", *DISGUISES):
        with pytest.raises(ImageError):
            decode_image(disguise + data[len(disguise) :], "table.jpg")
