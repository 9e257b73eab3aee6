"""Whether a PNG is what its header says, found out without unpacking it whole.

The decoder believes the length of every part and unpacks whatever there is, so that a few bytes
can cost gigabytes or minutes. This looks first, and lets only those parts through that the picture
needs: texts and profiles are packed as well, and would be unpacked each.
"""

from __future__ import annotations

import zlib
from collections.abc import Iterator
from dataclasses import dataclass

SIGNATURE = b"\x89PNG\r\n\x1a\n"
MOST_PARTS = 20_000
"""A picture of 60 megapixels saved in the usual parts of 8 kB has fewer."""
_NEEDED = {b"IHDR", b"PLTE", b"tRNS", b"eXIf", b"IDAT", b"IEND"}
"""`eXIf` says which side is up."""
_CHANNELS = {0: 1, 2: 3, 3: 1, 4: 2, 6: 4}
_SPARE_BYTES = 1 << 16
_PIECE_BYTES = 1 << 20


@dataclass(frozen=True, slots=True)
class Part:
    """A part with its length, kind and checksum, as it lies in the file."""

    whole: memoryview

    @property
    def kind(self) -> bytes:
        """Four letters."""
        return bytes(self.whole[4:8])

    @property
    def body(self) -> memoryview:
        """What is in it."""
        return self.whole[8:-4]

    @property
    def is_header(self) -> bool:
        """Whether it is what every PNG begins with."""
        return self.kind == b"IHDR" and len(self.body) == 13


def reduced_png(data: bytes) -> bytes | None:
    """The parts that the picture needs, or None if it is not whole or more than its header says."""
    kept: list[Part] = []
    for count, part in enumerate(_parts(data)):
        if count > MOST_PARTS or (count == 0 and not part.is_header):
            return None
        if part.kind in _NEEDED:
            kept.append(part)
        if part.kind == b"IEND":
            packed = [each.body for each in kept if each.kind == b"IDAT"]
            is_sound = _unpacks_within(packed, _most_bytes(data))
            return SIGNATURE + b"".join(each.whole for each in kept) if is_sound else None
    return None


def _parts(data: bytes) -> Iterator[Part]:
    """Each part, as far as they lie inside the file."""
    at = len(SIGNATURE)
    while at + 12 <= len(data):
        end = at + 12 + int.from_bytes(data[at : at + 4], "big")
        if end > len(data):
            return
        yield Part(memoryview(data)[at:end])
        at = end


def _most_bytes(data: bytes) -> int:
    """More than the pixels of this header can take, interlaced or not."""
    width, height = (int.from_bytes(data[at : at + 4], "big") for at in (16, 20))
    bits = data[24] * _CHANNELS.get(data[25], 4)
    return 2 * height * (1 + (width * bits + 7) // 8) + _SPARE_BYTES


def _unpacks_within(packed: list[memoryview], most: int) -> bool:
    unpacker, total = zlib.decompressobj(), 0
    try:
        for part in packed:
            rest: memoryview | bytes = part
            while rest:
                total += len(unpacker.decompress(rest, _PIECE_BYTES))
                rest = unpacker.unconsumed_tail
                if total > most:
                    return False
    except zlib.error:
        return False
    return total > 0
