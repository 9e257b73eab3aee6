"""Pictures that are none, that are broken, or that are far more than they seem."""

# ruff: noqa: E501 - dense tables of cases

from __future__ import annotations

import random
import struct
import zlib
from collections.abc import Callable, Iterator
from functools import cache

import cv2
import numpy as np

PNG = b"\x89PNG\r\n\x1a\n"
LARGEST_TEXT = 7_900_000
"""Bytes; the decoder refuses a single text above 8 MB, and did not count them together."""
Maker = Callable[[random.Random], bytes]


@cache
def sound(kind: str, width: int = 320, height: int = 240, channels: int = 3) -> bytes:
    """A sound picture with some colour on it."""
    rng = np.random.default_rng(width + height)
    small = rng.integers(0, 255, (12, 16, 3), np.uint8)
    frame = cv2.resize(small, (width, height), interpolation=cv2.INTER_CUBIC)
    if channels != 3:
        frame = cv2.cvtColor(frame, {1: cv2.COLOR_BGR2GRAY, 4: cv2.COLOR_BGR2BGRA}[channels])
    suffix, *more = kind.split()
    options = [cv2.IMWRITE_JPEG_PROGRESSIVE, 1] if "progressive" in more else []
    if "deep" in more:
        frame = frame.astype(np.uint16) * 257
    return bytes(cv2.imencode(suffix, frame, options)[1].tobytes())


def segment(marker: int, body: bytes, length: int | None = None) -> bytes:
    """A segment of a JPEG, with a true or another length."""
    size = len(body) + 2 if length is None else length
    return bytes((0xFF, marker)) + struct.pack(">H", size) + body


def chunk(kind: bytes, body: bytes, length: int | None = None) -> bytes:
    """A chunk of a PNG with its checksum, with a true or another length."""
    size = len(body) if length is None else length
    return struct.pack(">I", size) + kind + body + struct.pack(">I", zlib.crc32(kind + body))


def png(width: int, height: int, depth: int, colour: int, data: bytes, more: bytes = b"") -> bytes:
    """A PNG of given chunks."""
    head = struct.pack(">IIBBBBB", width, height, depth, colour, 0, 0, 0)
    return PNG + chunk(b"IHDR", head) + more + chunk(b"IDAT", data) + chunk(b"IEND", b"")


def many_scans(width: int, height: int, scans: int) -> bytes:
    """A progressive JPEG whose tiny scans each cost a pass over the whole picture."""
    blocks = -(-width // 8) * -(-height // 8)
    one_code = bytes([1] + [0] * 15)
    head = segment(0xDB, b"\x00" + b"\x01" * 64)
    head += segment(0xC2, b"\x08" + struct.pack(">HH", height, width) + b"\x01\x01\x11\x00")
    head += segment(0xC4, b"\x00" + one_code + b"\x00")
    head += segment(0xC4, b"\x10" + one_code + b"\xe0")
    head += segment(0xDA, b"\x01\x01\x00\x00\x00\x00") + bytes(blocks // 8 + 1)
    again = segment(0xDA, b"\x01\x01\x00\x01\x3f\x00") + bytes(2 * (blocks // 32767 + 2))
    return b"\xff\xd8" + head + again * scans + b"\xff\xd9"


def hidden_size(width: int, height: int) -> bytes:
    """A JPEG whose true frame lies in what a careless reader skips, before a small one."""
    small = sound(".jpg", 40, 30)
    at = small.index(b"\xff\xc0")
    frame = bytearray(small[at : at + 19])
    frame[5:9] = struct.pack(">HH", height, width)
    return b"\xff\xd8\xff\x00" + struct.pack(">H", len(frame) + 2) + bytes(frame) + small[2:]


def exif(body: bytes, kind: str = ".jpg") -> bytes:
    """A sound JPEG with this in its EXIF segment."""
    return b"\xff\xd8" + segment(0xE1, b"Exif\x00\x00" + body) + sound(kind)[2:]


def rows(width: int, height: int, bits: int) -> bytes:
    """The packed rows of a black PNG, which take next to nothing."""
    row = 1 + (width * bits + 7) // 8
    packer = zlib.compressobj(9)
    return b"".join(packer.compress(bytes(row)) for _ in range(height)) + packer.flush()


def animated(frames: int, side: int) -> bytes:
    """A WebP of many frames, of which the first counts."""
    size = (side - 1).to_bytes(3, "little") * 2
    head = _riff(b"VP8X", b"\x02\x00\x00\x00" + size) + _riff(b"ANIM", bytes(6))
    still = sound(".webp", side, side)[12:]
    film = _riff(b"ANMF", bytes(6) + size + b"\x28\x00\x00\x00" + still) * frames
    return _riff(b"RIFF", b"WEBP" + head + film)


def _riff(kind: bytes, body: bytes) -> bytes:
    return kind + struct.pack("<I", len(body)) + body + bytes(len(body) % 2)


def _before(mark: bytes, data: bytes, more: bytes) -> bytes:
    at = data.index(mark)
    return data[:at] + more + data[at:]


def named() -> Iterator[tuple[str, bytes]]:
    """The cases that everybody should know."""
    yield "empty", b""
    yield "one byte", b"\xff"
    yield "only the mark of a JPEG", b"\xff\xd8"
    yield "only the mark of a PNG", PNG
    yield "huge JPEG size", many_scans(65_500, 65_500, 0)[:4000] + b"\xff\xd9"
    yield "hidden JPEG size", hidden_size(30_000, 30_000)
    yield "many scans", many_scans(2000, 2000, 4000)
    yield "huge PNG size", png(100_000, 100_000, 8, 2, zlib.compress(b"\x00" * 1000))
    yield "negative PNG size", png(2**32 - 1, 2**31, 8, 2, zlib.compress(b"\x00"))
    yield "no PNG size", png(0, 0, 8, 2, zlib.compress(b""))
    yield "PNG that inflates", png(300, 300, 8, 2, zlib.compress(bytes(60_000_000), 1))
    yield "PNG text that inflates", png(
        300, 300, 8, 2, rows(300, 300, 24), chunk(b"zTXt", b"a\x00\x00" + zlib.compress(bytes(30_000_000), 1))
    )  # fmt: skip
    yield "PNG profile that inflates", png(
        300, 300, 8, 2, rows(300, 300, 24), chunk(b"iCCP", b"a\x00\x00" + zlib.compress(bytes(30_000_000), 1))
    )  # fmt: skip
    for text_kind, begin in ((b"zTXt", b"a\x00\x00"), (b"iTXt", b"a\x00\x01\x00\x00\x00")):
        text = chunk(text_kind, begin + zlib.compress(b"x" * LARGEST_TEXT, 9))
        yield (
            f"PNG of many texts {text_kind!r}",
            png(300, 300, 8, 2, rows(300, 300, 24), text * 120),
        )
    for kind in (0xE1, 0xE2, 0xFE, 0xC4):
        many = segment(kind, b"") * 4_000_000
        yield f"JPEG of many segments {kind:x}", b"\xff\xd8" + many + sound(".jpg")[2:]
        yield f"JPEG of many late segments {kind:x}", _before(b"\xff\xda", sound(".jpg"), many)
    yield "JPEG of a huge profile", _before(b"\xff\xda", sound(".jpg"), segment(0xE2, b"ICC_PROFILE\x00\x01\x01" + bytes(65_000)) * 250)  # fmt: skip
    yield "JPEG of fill bytes", b"\xff\xd8" + b"\xff" * 16_000_000 + sound(".jpg")[2:]
    yield "JPEG with a film behind it", sound(".jpg") + random.Random(1).randbytes(8_000_000)
    yield "large WebP", sound(".webp", 4000, 3000)
    yield "animated WebP", animated(10, 1500)
    yield "large PNG", png(7000, 8000, 8, 2, rows(7000, 8000, 24))
    yield "PNG animation", png(
        300, 300, 8, 2, rows(300, 300, 24), chunk(b"acTL", struct.pack(">II", 2**31 - 1, 0))
        + chunk(b"fcTL", struct.pack(">IIIIIHHBB", 0, 60_000, 60_000, 9, 9, 1, 1, 0, 0))
    )  # fmt: skip
    for width, height in (
        (1, 1),
        (1, 60_000),
        (60_000, 1),
        (1, 1_100_000),
        (240, 250_000),
        (16, 320),
        (239, 241),
        (3, 3),
    ):
        yield f"{width} by {height}", png(width, height, 8, 2, rows(width, height, 24))
    for depth, colour in ((16, 2), (16, 6), (1, 0), (2, 0), (8, 6), (8, 4), (16, 4)):
        bits = depth * {0: 1, 2: 3, 4: 2, 6: 4}[colour]
        yield (
            f"PNG of kind {colour} with {depth}",
            png(320, 240, depth, colour, rows(320, 240, bits)),
        )
    yield "PNG without its palette", png(320, 240, 8, 3, rows(320, 240, 8))
    yield "PNG with a palette", png(320, 240, 8, 3, rows(320, 240, 8), chunk(b"PLTE", bytes(768)))
    yield "four channels", sound(".png", channels=4)
    yield "grey", sound(".jpg", channels=1)
    yield "CMYK", sound(".jpg").replace(b"\x00\x03\x01\x22", b"\x00\x04\x01\x22")
    yield "WebP", sound(".webp")
    yield "WebP of no size", b"RIFF\x1a\x00\x00\x00WEBPVP8X" + b"\xff" * 40
    for word in (b"GIF89a", b"II*\x00", b"MM\x00*", b"BM", b"<svg/>", b"%PDF-1.7", b"PK\x03\x04",
                 b"\x7fELF", b"#!/bin/sh\n", b"<html>", b"\x00\x00\x00\x1cftypheic", b"P6 9 9 255 ",
                 b"#?RADIANCE\n", b"v/1\x01", b"\x00\x00\x00\x0cjP  "):  # fmt: skip
        yield f"begins with {word!r}", word + bytes(range(256)) * 8
    yield "EXIF in a circle", exif(b"II*\x00\x08\x00\x00\x00\x01\x00\x12\x01\x03\x00\x01\x00\x00\x00\x06\x00\x00\x00\x08\x00\x00\x00")  # fmt: skip
    yield "EXIF far away", exif(b"MM\x00*\xff\xff\xff\xff")
    yield (
        "EXIF of endless entries",
        exif(b"II*\x00\x08\x00\x00\x00\xff\xff" + bytes(range(12)) * 4000),
    )


def mutated(rng: random.Random) -> bytes:
    """A sound picture with something done to it."""
    kinds = (".jpg", ".jpg", ".jpg progressive", ".png", ".png deep", ".webp")
    data = sound(rng.choice(kinds), rng.choice((1, 40, 260, 320)), rng.choice((1, 30, 240, 250)))
    for change in rng.choices(CHANGES, k=rng.choice((1, 1, 2, 3))):
        data = change(data, rng)
    return data


def _flip(data: bytes, rng: random.Random) -> bytes:
    changed = bytearray(data)
    for _ in range(rng.choice((1, 2, 8, 60))):
        if changed:
            # Most that matters stands at the beginning.
            most = len(changed) if rng.random() < 0.5 else min(len(changed), 700)
            changed[rng.randrange(most)] ^= 1 << rng.randrange(8)
    return bytes(changed)


def _cut(data: bytes, rng: random.Random) -> bytes:
    end = rng.randint(0, len(data))
    return data[:end] + rng.choice((b"", b"\xff\xd9", chunk(b"IEND", b"")))


def _splice(data: bytes, rng: random.Random) -> bytes:
    other = sound(rng.choice((".jpg", ".png", ".webp", ".jpg progressive")))
    at, begin = rng.randint(0, len(data)), rng.randint(0, len(other))
    return data[:at] + other[begin : begin + rng.choice((4, 40, 4000))] + data[at:]


def _noise(data: bytes, rng: random.Random) -> bytes:
    at = rng.randint(0, len(data))
    return data[:at] + rng.randbytes(rng.choice((1, 16, 900))) + data[at + rng.choice((0, 16)) :]


def _part(data: bytes, rng: random.Random) -> bytes:
    """A segment or chunk more, with a length that may be wrong."""
    length = rng.choice((None, None, 0, 1, 2, 0xFFFF))
    body = rng.randbytes(rng.choice((0, 3, 20, 3000)))
    if data.startswith(b"\xff\xd8"):
        return data[:2] + segment(rng.randrange(256), body, length) + data[2:]
    kinds = (
        b"tEXt",
        b"iTXt",
        b"zTXt",
        b"PLTE",
        b"tRNS",
        b"IDAT",
        b"eXIf",
        b"fcTL",
        b"acTL",
        b"fdAT",
    )
    return data[:33] + chunk(rng.choice(kinds), body, length) + data[33:]


def _size(data: bytes, rng: random.Random) -> bytes:
    """Another size in the header, with a checksum that fits."""
    width, height = (rng.choice((0, 1, 7, 319, 5000, 65_535)) for _ in range(2))
    if data.startswith(PNG) and len(data) > 33:
        head = struct.pack(">II", width, height) + data[24:29]
        return PNG + chunk(b"IHDR", head) + data[33:]
    at = max(data.find(b"\xff\xc0"), data.find(b"\xff\xc2"))
    return data[: at + 5] + struct.pack(">HH", height, width) + data[at + 9 :] if at > 0 else data


def _exif(data: bytes, rng: random.Random) -> bytes:
    head = rng.choice((b"II*\x00", b"MM\x00*", b"")) + struct.pack(
        "<I", rng.choice((0, 8, 2**32 - 1))
    )
    body = (
        head
        + struct.pack("<H", rng.choice((0, 1, 65_535)))
        + rng.randbytes(rng.choice((0, 12, 600)))
    )
    if data.startswith(b"\xff\xd8"):
        return b"\xff\xd8" + segment(0xE1, b"Exif\x00\x00" + body) + data[2:]
    return data[:33] + chunk(b"eXIf", body) + data[33:]


CHANGES = (_flip, _flip, _flip, _cut, _splice, _noise, _part, _size, _exif)
