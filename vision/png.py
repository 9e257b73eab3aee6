"""Whether a PNG is what its header says, found out without unpacking it whole.

The decoder believes the length of every part and unpacks whatever there is, so that a few bytes
can cost gigabytes or minutes. This looks first.
"""

from __future__ import annotations

import zlib
from collections.abc import Iterator

SIGNATURE = b"\x89PNG\r\n\x1a\n"
MOST_PARTS = 20_000
"""A picture of 60 megapixels saved in the usual parts of 8 kB has fewer."""
_CHANNELS = {0: 1, 2: 3, 3: 1, 4: 2, 6: 4}
_SPARE_BYTES = 1 << 16
_PIECE_BYTES = 1 << 20


def is_sound_png(data: bytes) -> bool:
    """Whether all parts are there, and the pixels unpack to about the size of the header."""
    packed: list[bytes] = []
    for count, (kind, body) in enumerate(_parts(data)):
        if count > MOST_PARTS or (count == 0 and (kind != b"IHDR" or len(body) != 13)):
            return False
        if kind == b"IDAT":
            packed.append(body)
        if kind == b"IEND":
            return _unpacks_within(packed, _most_bytes(data))
    return False


def _parts(data: bytes) -> Iterator[tuple[bytes, bytes]]:
    """Kind and body of each part, as far as they lie inside the file."""
    at = len(SIGNATURE)
    while at + 12 <= len(data):
        end = at + 8 + int.from_bytes(data[at : at + 4], "big")
        if end + 4 > len(data):
            return
        yield data[at + 4 : at + 8], data[at + 8 : end]
        at = end + 4


def _most_bytes(data: bytes) -> int:
    """More than the pixels of this header can take, interlaced or not."""
    width, height = (int.from_bytes(data[at : at + 4], "big") for at in (16, 20))
    bits = data[24] * _CHANNELS.get(data[25], 4)
    return 2 * height * (1 + (width * bits + 7) // 8) + _SPARE_BYTES


def _unpacks_within(packed: list[bytes], most: int) -> bool:
    unpacker, total = zlib.decompressobj(), 0
    try:
        for part in packed:
            while part:
                total += len(unpacker.decompress(part, _PIECE_BYTES))
                part = unpacker.unconsumed_tail
                if total > most:
                    return False
    except zlib.error:
        return False
    return total > 0
