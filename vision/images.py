"""Image files: read safely, refuse with one clear sentence what is no usable picture."""

from __future__ import annotations

from pathlib import Path

import cv2
import numpy as np
import numpy.typing as npt

from vision import jpeg, png

MOST_BYTES = 60_000_000
MOST_PIXELS = 60_000_000
"""Five times the largest frame that a supported camera delivers."""
MOST_RATIO = 20
"""Of the sides; a panorama has 10. Where a look is reduced to 320 px, the short side keeps 16."""
_IS_ANIMATED = 0x02
"""In the header of a WebP: a film takes 630 MB at 60 megapixels, a picture 400."""

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
    if max(size) > MOST_RATIO * min(size):
        raise ImageError(
            f"{name} has {size[0]} by {size[1]} pixels: use a picture whose long side is at most "
            f"{MOST_RATIO} times the short one"
        )
    safe = _safe(data, name)
    try:
        frame = cv2.imdecode(np.frombuffer(safe, np.uint8), cv2.IMREAD_COLOR)
    except cv2.error:
        frame = None
    if frame is None:
        raise ImageError(f"{name} {jpeg.CUT_SHORT}")
    return np.asarray(frame, np.uint8)


def pixel_size(data: bytes) -> tuple[int, int] | None:
    """Width and height that a JPEG, PNG or WebP header states, or None for anything else.

    Read from the header, so that a small file that unpacks to gigabytes is never unpacked.
    """
    if data.startswith(png.SIGNATURE) and len(data) >= 24:
        return _number(data[16:20]), _number(data[20:24])
    if data.startswith(jpeg.SIGNATURE):
        return jpeg.jpeg_size(data)
    if data[:4] == b"RIFF" and data[8:12] == b"WEBP":
        return _webp_size(data)
    return None


def _number(raw: bytes, order: str = "big") -> int:
    return int.from_bytes(raw, "little" if order == "little" else "big")


def _webp_size(data: bytes) -> tuple[int, int] | None:
    kind = data[12:16]
    if kind == b"VP8X" and len(data) >= 30:
        if data[20] & _IS_ANIMATED:
            return None
        return _number(data[24:27], "little") + 1, _number(data[27:30], "little") + 1
    if kind == b"VP8 " and len(data) >= 30:
        return _number(data[26:28], "little") & 0x3FFF, _number(data[28:30], "little") & 0x3FFF
    if kind == b"VP8L" and len(data) >= 25:
        bits = _number(data[21:25], "little")
        return (bits & 0x3FFF) + 1, (bits >> 14 & 0x3FFF) + 1
    return None


def _safe(data: bytes, name: str) -> bytes:
    """What of a file the decoder may get.

    Raises:
        ImageError: It is cut short, or would cost more than its size says.
    """
    if data.startswith(jpeg.SIGNATURE) and (complaint := jpeg.complaint(data)):
        raise ImageError(f"{name} {complaint}")
    reduced = png.reduced_png(data) if data.startswith(png.SIGNATURE) else data
    if reduced is None:
        raise ImageError(f"{name} {jpeg.CUT_SHORT}")
    return reduced
