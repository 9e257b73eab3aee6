"""Whatever file a person hands over, they get a picture or one clear sentence."""

from __future__ import annotations

from pathlib import Path

import cv2
import numpy as np
import pytest

from vision.images import ImageError, decode_image, pixel_size, read_image


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
