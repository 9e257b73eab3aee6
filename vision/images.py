"""Image files: read safely, refuse with one clear sentence what is no usable picture."""

from __future__ import annotations

from pathlib import Path

import cv2
import numpy as np
import numpy.typing as npt

from vision.png import SIGNATURE, is_sound_png

MOST_BYTES = 60_000_000
MOST_PIXELS = 60_000_000
"""Five times the largest frame that a supported camera delivers."""
MOST_SCANS = 50
"""Passes over a progressive JPEG: usual are ten, and a few more in a thumbnail. Each costs the
time of the whole picture, however few bytes it has."""

Frame = npt.NDArray[np.uint8]


class ImageError(Exception):
    """A file is no usable picture; the message names it and says why."""


def read_image(path: Path) -> Frame:
    """The picture in a file as BGR (H, W, 3).

    Raises:
        ImageError: There is no such file, or it is no picture that can be used.
    """
    try:
        if path.stat().st_size > MOST_BYTES:
            raise ImageError(f"{path.name} is larger than {MOST_BYTES // 1_000_000} MB")
        data = path.read_bytes()
    except OSError as error:
        reason = error.strerror or "it cannot be read"
        raise ImageError(f"{path.name} cannot be opened: {reason.lower()}") from error
    return decode_image(data, path.name)


def decode_image(data: bytes, name: str) -> Frame:
    """The picture in these bytes as BGR (H, W, 3).

    Raises:
        ImageError: The bytes are no picture, or one that is too large.
    """
    if not data:
        raise ImageError(f"{name} is empty")
    size = pixel_size(data)
    if size is None:
        raise ImageError(f"{name} is not a picture: use a JPEG, PNG or WebP file")
    if size[0] * size[1] > MOST_PIXELS:
        raise ImageError(
            f"{name} has {size[0]} by {size[1]} pixels: use a picture of at most "
            f"{MOST_PIXELS // 1_000_000} megapixels"
        )
    scans = data.count(b"\xff\xda") if data[:2] == b"\xff\xd8" else 0
    if scans > MOST_SCANS:
        raise ImageError(f"{name} is saved in {scans} passes: save it as an ordinary JPEG")
    if _is_cut_short(data):
        raise ImageError(f"{name} is damaged or cut short: take the picture again")
    try:
        frame = cv2.imdecode(np.frombuffer(data, np.uint8), cv2.IMREAD_COLOR)
    except cv2.error:
        frame = None
    if frame is None:
        raise ImageError(f"{name} is damaged or cut short: take the picture again")
    return np.asarray(frame, np.uint8)


def pixel_size(data: bytes) -> tuple[int, int] | None:
    """Width and height that a JPEG, PNG or WebP header states, or None for anything else.

    Read from the header, so that a small file that unpacks to gigabytes is never unpacked.
    """
    if data[:8] == SIGNATURE and len(data) >= 24:
        return _number(data[16:20]), _number(data[20:24])
    if data[:2] == b"\xff\xd8":
        return _jpeg_size(data)
    if data[:4] == b"RIFF" and data[8:12] == b"WEBP":
        return _webp_size(data)
    return None


def _number(raw: bytes, order: str = "big") -> int:
    return int.from_bytes(raw, "little" if order == "little" else "big")


def _jpeg_size(data: bytes) -> tuple[int, int] | None:
    at = 2
    while at + 9 < len(data):
        if data[at] != 0xFF:
            return None
        marker = data[at + 1]
        if marker == 0xFF:
            at += 1
        elif 0xC0 <= marker <= 0xCF and marker not in (0xC4, 0xC8, 0xCC):
            return _number(data[at + 7 : at + 9]), _number(data[at + 5 : at + 7])
        elif marker == 0x01 or 0xD0 <= marker <= 0xD8:
            at += 2
        elif marker < 0xC0:
            return None  # no marker: the decoder would look for the next one inside
        else:
            at += 2 + _number(data[at + 2 : at + 4])
    return None


def _webp_size(data: bytes) -> tuple[int, int] | None:
    kind = data[12:16]
    if kind == b"VP8X" and len(data) >= 30:
        return _number(data[24:27], "little") + 1, _number(data[27:30], "little") + 1
    if kind == b"VP8 " and len(data) >= 30:
        return _number(data[26:28], "little") & 0x3FFF, _number(data[28:30], "little") & 0x3FFF
    if kind == b"VP8L" and len(data) >= 25:
        bits = _number(data[21:25], "little")
        return (bits & 0x3FFF) + 1, (bits >> 14 & 0x3FFF) + 1
    return None


def _is_cut_short(data: bytes) -> bool:
    """Whether a JPEG or PNG lacks its end; the decoder would fill the rest with grey."""
    if data[:2] == b"\xff\xd8":
        return b"\xff\xd9" not in data[-4096:]
    return data[:8] == SIGNATURE and not is_sound_png(data)
