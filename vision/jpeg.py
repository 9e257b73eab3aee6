"""What a JPEG consists of, found out without unpacking it: its size, passes and segments.

Segments are told as the decoder finds them, from the first to the end of the picture. What a phone
puts behind that, such as a short film, is no part of it.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

SIGNATURE = b"\xff\xd8"
MOST_SCANS = 50
"""Passes over a progressive JPEG: usual are ten. Each costs the time of the whole picture, however
few bytes it has."""
MOST_SEGMENTS = 10_000
"""A photo with a colour profile and a depth map has fewer than 1000. Each takes 90 bytes of memory
besides its own, so that 20 MB of empty ones took 450 MB."""
CUT_SHORT = "is damaged or cut short: take the picture again"
_SCAN, _END = 0xDA, 0xD9
_FILLED = re.compile(rb"\xff+")
_MARK = re.compile(rb"\xff[^\x00\x01\xd0-\xd8\xff]")
"""The beginning of a segment, or the end; all others stand alone or are pixels."""


def jpeg_size(data: bytes) -> tuple[int, int] | None:
    """Width and height in the header, or None where the decoder might find another one."""
    at = len(SIGNATURE)
    for _ in range(MOST_SEGMENTS):
        filled = _FILLED.match(data, at)
        if filled is None or filled.end() + 8 > len(data):
            return None
        at = filled.end()  # behind the mark that it ends with
        marker = data[at]
        if 0xC0 <= marker <= 0xCF and marker not in (0xC4, 0xC8, 0xCC):
            return _number(data, at + 6), _number(data, at + 4)
        if marker < 0xC0 and marker != 0x01:
            return None  # no marker: the decoder would look for the next one inside
        stands_alone = marker == 0x01 or 0xD0 <= marker <= 0xD8
        at += 1 if stands_alone else 1 + _number(data, at + 1)
    return None


def complaint(data: bytes) -> str | None:
    """Why the decoder should not get a JPEG, in words that follow its name, or None."""
    kinds = []
    for kind in _segments(data):
        kinds.append(kind)
        if len(kinds) > MOST_SEGMENTS:
            return f"has more than {MOST_SEGMENTS} parts: save it as an ordinary JPEG"
    if (scans := kinds.count(_SCAN)) > MOST_SCANS:
        return f"is saved in {scans} passes: save it as an ordinary JPEG"
    if kinds[-1:] != [_END]:  # the decoder would fill the rest with grey
        return CUT_SHORT
    return None


def _segments(data: bytes) -> Iterator[int]:
    """The kind of each segment, up to the end of the picture."""
    at = len(SIGNATURE)
    while mark := _MARK.search(data, at):
        kind = data[mark.end() - 1]
        yield kind
        if kind == _END:
            return
        at = mark.end() + _number(data, mark.end())


def _number(data: bytes, at: int) -> int:
    return int.from_bytes(data[at : at + 2], "big")
