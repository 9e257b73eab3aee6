"""Files that are broken, foreign or made to harm: games, backups, journals, profiles."""

# ruff: noqa: E501 - dense tables of cases

from __future__ import annotations

import io
import json
import random
import sqlite3
import stat
import struct
import warnings
import zipfile
from collections.abc import Callable, Iterator, Mapping
from contextlib import closing
from pathlib import Path
from typing import Any

import numpy as np

from tests.fuzz.nasty_words import KEYS, VALUES

Files = dict[str, bytes]
DEEP = b"[" * 100_000
HUGE = 2**40


def changed_json(data: bytes, rng: random.Random) -> bytes:
    """JSON with some values, keys or bytes replaced."""
    if rng.random() < 0.25:
        return changed_bytes(data, rng)
    document = json.loads(data)
    holders = list(_holders(document)) or [{}]  # once, so that no value is put into itself
    for _ in range(rng.choice((1, 1, 2, 4))):
        _replace(rng.choice(holders), rng)
    return json.dumps(document).encode()


def _holders(value: Any) -> Iterator[Any]:  # noqa: ANN401 - any JSON
    if isinstance(value, dict | list):
        yield value
        for each in value.values() if isinstance(value, dict) else value:
            yield from _holders(each)


def _replace(holder: Any, rng: random.Random) -> None:  # noqa: ANN401 - any JSON
    places = list(holder) if isinstance(holder, dict) else list(range(len(holder)))
    if isinstance(holder, dict) and (not places or rng.random() < 0.2):
        holder[rng.choice(KEYS)] = rng.choice(VALUES)
    elif places and rng.random() < 0.2:
        del holder[rng.choice(places)]
    elif places:
        holder[rng.choice(places)] = rng.choice(VALUES)


def changed_bytes(data: bytes, rng: random.Random) -> bytes:
    """Some bytes flipped, cut off, overwritten or put in."""
    changed = bytearray(data)
    for _ in range(rng.choice((1, 1, 3, 20))):
        at = rng.randrange(len(changed)) if changed else 0
        what = rng.random()
        if what < 0.6 and changed:
            changed[at] ^= 1 << rng.randrange(8)
        elif what < 0.7:
            del changed[at:]
        elif what < 0.85:
            changed[at : at + 64] = rng.randbytes(rng.choice((0, 8, 64)))
        else:
            changed[at:at] = rng.randbytes(rng.choice((1, 16, 512)))
    return bytes(changed)


def named_texts() -> Iterator[tuple[str, bytes]]:
    """What no JSON file should be."""
    yield "empty", b""
    yield "nothing but zeros", bytes(5000)
    yield "deep", DEEP
    yield "deep and closed", b"[" * 950 + b"]" * 950
    yield "half a letter", b'"\\ud800"'
    yield "not UTF-8", b'{"a":"\xff"}'
    yield "UTF-16", '{"a":1}'.encode("utf-16")
    yield "a long number", b'{"version":' + b"9" * 5000 + b"}"
    yield "no number", b'{"version":NaN,"values":Infinity}'
    yield "a list", b"[]"
    yield "a word", b'"tiletally"'
    yield "values that are a list", b'{"values":[1,2],"resumed":{"game":1,"of":1}}'
    yield "endless numbers", b'{"values":{},"resumed":{"game":1e999,"of":1e999}}'
    yield "deep inside", b'{"values":' + b"[" * 980 + b"]" * 980 + b"}"


def zipped(parts: Mapping[str, bytes], kind: int = zipfile.ZIP_DEFLATED) -> bytes:
    """A zip of these parts."""
    target = io.BytesIO()
    with zipfile.ZipFile(target, "w", kind) as archive:
        for name, data in parts.items():
            archive.writestr(name, data)
    return target.getvalue()


def unzipped(data: bytes) -> Files:
    """The parts of a zip."""
    with zipfile.ZipFile(io.BytesIO(data)) as archive:
        return {name: archive.read(name) for name in archive.namelist()}


def named_backups(sound: bytes) -> Iterator[tuple[str, bytes]]:
    """Backups that want to harm."""
    parts = unzipped(sound)
    about = json.loads(parts["backup.json"])
    first = next(name for name in parts if name.startswith("games/"))
    yield "empty", b""
    yield "not a zip", b"PK\x03\x04" + bytes(100)
    yield "no parts", zipped({})
    yield "a bomb for players", zipped({**parts, "players.json": b" " * 40_000_000})
    yield "a bomb for a game", zipped({**parts, first: b"[" * 40_000_000})
    yield "deep settings", zipped({**parts, "settings.json": b"[" * 950 + b"]" * 950})
    yield "deep players", zipped({**parts, "players.json": DEEP})
    names = [{"name": "\ud800"}, {"name": ""}, {"name": "x" * 99_999}, {"name": "a\nb"}, {}]
    odd = [{"name": "Zoe", "colour": "\udfff", "birth_year": 10**30}]
    yield "odd players", zipped({**parts, "players.json": json.dumps([*names, *odd]).encode()})
    yield "more games than it says", zipped({**parts, "games/x.json": parts[first]})
    for number, name in enumerate(("games/../../outside.json", "games//etc/x.json", "games/\x01")):
        more = {"backup.json": json.dumps({**about, "games": about["games"] + 1}).encode()}
        yield f"a name that leads out {number}", zipped({**parts, **more, name: parts[first]})
    yield "a link", _with_link(parts, first)
    yield "locked", _locked(sound)
    yield "packed in an unknown way", _patched(sound, 8, struct.pack("<H", 99))
    yield "packed otherwise", zipped(parts, zipfile.ZIP_LZMA)
    yield "damaged inside", _damaged_inside(sound)
    yield "LZMA damaged inside", _damaged_inside(zipped(parts, zipfile.ZIP_LZMA))
    yield "BZ2 damaged inside", _damaged_inside(zipped(parts, zipfile.ZIP_BZIP2))
    yield "version of tomorrow", zipped({**parts, "backup.json": json.dumps({**about, "version": 2}).encode()})  # fmt: skip
    yield "a manifest that is a list", zipped({**parts, "backup.json": b"[]"})


def _with_link(parts: Files, name: str) -> bytes:
    target = io.BytesIO()
    with zipfile.ZipFile(target, "w") as archive:
        for each, data in parts.items():
            info = zipfile.ZipInfo(each)
            if each == name:
                info.external_attr = (stat.S_IFLNK | 0o777) << 16
                data = b"/etc/passwd"
            archive.writestr(info, data)
    return target.getvalue()


def _locked(data: bytes) -> bytes:
    """Every part says that it needs a password."""
    changed = bytearray(data)
    for mark, offset in ((b"PK\x03\x04", 6), (b"PK\x01\x02", 8)):
        at = changed.find(mark)
        while at >= 0:
            changed[at + offset] |= 1
            at = changed.find(mark, at + 4)
    return bytes(changed)


def _patched(data: bytes, offset: int, value: bytes) -> bytes:
    changed = bytearray(data)
    for mark, more in ((b"PK\x03\x04", 0), (b"PK\x01\x02", 2)):
        at = changed.find(mark)
        while at >= 0:
            changed[at + offset + more : at + offset + more + len(value)] = value
            at = changed.find(mark, at + 4)
    return bytes(changed)


def _damaged_inside(data: bytes) -> bytes:
    """The list of contents is sound, the contents are not."""
    changed = bytearray(data)
    end = data.index(b"PK\x01\x02")
    for at in range(60, end - 40, 37):
        if b"PK" not in changed[at - 4 : at + 40] and b"/" not in changed[at - 30 : at + 40]:
            changed[at] ^= 0x55
    return bytes(changed)


def arrays(**parts: Any) -> bytes:  # noqa: ANN401 - any arrays
    """An .npz file of these arrays."""
    target = io.BytesIO()
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        np.savez(target, **parts)
    return target.getvalue()


def named_arrays(sound: bytes) -> Iterator[tuple[str, bytes]]:
    """Files of arrays that want to harm, made from a sound one."""
    parts = unzipped(sound)
    with np.load(io.BytesIO(sound)) as file:
        known = {name: file[name] for name in file.files}
    header = json.loads(known["header"].tobytes())
    largest = max((name for name in known if name != "header"), key=lambda name: known[name].size)
    yield "empty", b""
    yield "one array, no archive", _npy(np.zeros(3))
    yield "a pickle", arrays(**{**known, largest: np.array([{"a": print}], object)})
    yield "a bare pickle", b"\x80\x04K\x01."
    yield "locked", _locked(sound)
    yield "packed in an unknown way", _patched(sound, 8, struct.pack("<H", 99))
    yield "damaged inside", _damaged_inside(sound)
    for shape in (
        "(1099511627776,)",
        "(-1,)",
        "(2, 99999999999)",
        "(0,)",
        "(4294967296, 4294967296)",
        "((1,",
    ):
        yield f"the shape {shape}", zipped({**parts, f"{largest}.npy": _header_only(shape)})
    bomb = _header_only("(400000000,)") + bytes(70_000_000)
    yield "a bomb", zipped({**parts, f"{largest}.npy": bomb})
    for kind in (np.float64, np.complex128, "U3", np.bool_, "datetime64[s]", np.float16):
        zeros = np.zeros(known[largest].shape, kind)
        yield f"numbers of kind {kind}", arrays(**{**known, largest: zeros})
    for name, value in (("NaN", np.nan), ("endless", np.inf)):
        spoiled = {
            n: np.full(a.shape, value) if a.dtype.kind == "f" else a for n, a in known.items()
        }
        yield f"all {name}", arrays(**spoiled)
    for name in known:
        yield f"without {name}", arrays(**{n: a for n, a in known.items() if n != name})
    for text in (b"", b"[]", b"{}", b"null", DEEP, b"\xff", b'{"format":"2"}', b'{"format":1e999}'):
        yield (
            f"the header {text[:12]!r}",
            arrays(**{**known, "header": np.frombuffer(text, np.uint8)}),
        )
    for key in header:
        for odd in (None, [], {}, "x", -1, 1e308, float("inf"), [1e400, 1], {"size": [0, 0]}):
            text = json.dumps({**header, key: odd}).encode()
            fresh = np.frombuffer(text, np.uint8)
            yield f"{key} is {odd!r}", arrays(**{**known, "header": fresh})


def _npy(array: Any) -> bytes:  # noqa: ANN401 - any array
    target = io.BytesIO()
    np.save(target, array)
    return target.getvalue()


def _header_only(shape: str) -> bytes:
    text = f"{{'descr': '|u1', 'fortran_order': False, 'shape': {shape}, }}".ljust(117) + "\n"
    return b"\x93NUMPY\x01\x00" + struct.pack("<H", len(text)) + text.encode()


Spoil = Callable[[Path], None]


def _sql(*statements: str) -> Spoil:
    def spoil(database: Path) -> None:
        with closing(sqlite3.connect(database, isolation_level=None)) as connection:
            connection.execute("PRAGMA writable_schema = ON")
            for statement in statements:
                connection.execute(statement)

    return spoil


ENDLESS = "WITH RECURSIVE n(x) AS (SELECT 1 UNION ALL SELECT x + 1 FROM n)"
VIEW = f"{ENDLESS} SELECT 1 AS game_id, x AS seq, 'a' AS type, '{{}}' AS payload, 'b' AS at, NULL AS command_id, 0 AS crc FROM n"  # fmt: skip
HOSTILE_JOURNALS: dict[str, Spoil] = {
    "a trigger that forgets": _sql(
        "CREATE TRIGGER zz AFTER INSERT ON event BEGIN SELECT 1; END",
    ),
    "a trigger that computes for ever": _sql(
        f"CREATE TRIGGER zz BEFORE INSERT ON event BEGIN {ENDLESS.replace('WITH RECURSIVE', 'INSERT INTO player SELECT 1,1,1,1 FROM (WITH RECURSIVE')} SELECT x FROM n); END",
    ),
    "a view instead of events": _sql("DROP TABLE event", f"CREATE VIEW event AS {VIEW}"),
    "a view instead of games": _sql(
        "PRAGMA foreign_keys = OFF",
        "DROP TABLE game",
        f"CREATE VIEW game AS {ENDLESS} SELECT x AS id, 'u' || x AS uid, 'now' AS created_at FROM n",
    ),
    "a view instead of players": _sql(
        "DROP TABLE player",
        f"CREATE VIEW player AS {ENDLESS} SELECT 'p' || x AS name, NULL AS colour, 1 AS birth_year, 'now' AS last_played_at FROM n",
    ),
    "a column that computes": _sql(
        "DROP TABLE player",
        "CREATE TABLE player (name TEXT, colour TEXT AS (hex(zeroblob(40000000))), birth_year INTEGER, last_played_at TEXT)",
        "INSERT INTO player (name) VALUES ('a'), ('b'), ('c')",
    ),
    "other tables": _sql("DROP TABLE event", "CREATE TABLE event (a, b)"),
    "no tables": _sql("DROP TABLE event", "DROP TABLE game", "DROP TABLE player"),
    "a version of tomorrow": _sql("PRAGMA user_version = 99"),
    "a version below all": _sql("PRAGMA user_version = -5"),
    "somebody else's file": _sql("PRAGMA application_id = 7"),
}
