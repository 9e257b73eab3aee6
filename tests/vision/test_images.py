"""Whatever file a person hands over, they get a picture or one clear sentence."""

from __future__ import annotations

import zlib
from pathlib import Path

import cv2
import numpy as np
import pytest

from tests.fuzz.pictures import chunk, hidden_size, many_scans, png, rows
from vision.cameras.base import CameraError
from vision.cameras.phone import PhoneCamera
from vision.images import ImageError, decode_image, pixel_size, read_image
from vision.png import SIGNATURE, is_sound_png


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
    assert not is_sound_png(hollow)
    assert is_sound_png(sound)
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
    assert not is_sound_png(data)
    with pytest.raises(ImageError):
        decode_image(data, "table.png")


@pytest.mark.parametrize(("depth", "colour"), [(1, 0), (8, 2), (16, 6), (8, 3)])
def test_a_png_of_every_kind_is_sound(depth: int, colour: int) -> None:
    bits = depth * {0: 1, 2: 3, 3: 1, 6: 4}[colour]
    palette = chunk(b"PLTE", bytes(768)) if colour == 3 else b""
    assert is_sound_png(png(320, 240, depth, colour, rows(320, 240, bits), palette))
