"""Values, texts, headers and addresses that no page would send."""

# ruff: noqa: E501 - lists of words, as dense as they can be read

from __future__ import annotations

from typing import Any

VALUES: tuple[Any, ...] = (
    None, True, False, 0, -1, 1, 2, 5, 6, 7, 12, 108, 999, 1001, 9999, 10_000, 2**31, 2**53, 2**63,
    2**64, -(2**63) - 1, 10**30, 10**400, 1.0, 0.5, -0.0, 1e308, 1e-320, "", " ", "0", "1", "true",
    "null", "Anna", "Ben", "red", "pink", "circle", "star8", "split", "flex", "classic", "flex72",
    "expansion1", "swap", "\x00", "\ud800", "\udfff\ud800", "é" * 30, "🀄" * 300, "A" * 5000,
    "../../etc/passwd", "'; DROP TABLE event;--", "<script>alert(1)</script>", "{{7*7}}", "%s%n",
    "\u202e", "a\r\nSet-Cookie: x=1", [], {}, [[]], [{}], [None], [0, 0], [[0, 0]], [1, 2, 3],
    ["a", "b"], [0] * 300, {"x": 0}, {"x": 0, "y": 0, "shape": "circle", "colour": "red"},
    [{"x": 0, "y": 0, "shape": "circle", "colour": "red", "background": "black"}],
    [{"x": 10**9, "y": 0, "shape": "square", "colour": "red", "background": "white"}],
    [{"x": 0, "y": 0, "shape": [], "colour": {}, "background": None}], {"a": {"b": {"c": [1]}}},
)  # fmt: skip
KEYS = (
    "placed", "taken", "player", "points", "count", "reason", "turn", "game", "seq", "command",
    "cells", "cell", "giver", "drew", "action", "accepted", "on", "question", "choice", "rules",
    "players", "colours", "expansions", "starter", "options", "late", "name", "board", "scores",
    "__proto__", "__class__", "type", "", "\ud800", "tiles", "close_turn_after_s", "bag", "hands",
)  # fmt: skip
TEXTS = (
    b"", b" ", b"\x00", b"{", b"}", b"[]", b"null", b"1", b'"x"', b"{]", b"{,}", b'{"a"}', b"NaN",
    b'{"points":NaN}', b'{"points":Infinity}', b'{"count":-Infinity}', b'{"points":1e999}',
    b'{"points":01}', b'{"points":' + b"9" * 5000 + b"}", b'{"points":1e99999999}',
    b'{"command":"a","command":"b","points":1,"points":2}', b'{"player":0,"player":[]}',
    b'{"reason":"\\ud800"}', b'{"name":"\\ud800"}', b'{"name":"\xed\xa0\x80"}', b'{"name":"\xff"}',
    b"\xef\xbb\xbf{}", '{"points":1}'.encode("utf-16"), '{"points":1}'.encode("utf-32"),
    b'{"placed":' + b"[" * 400 + b"]" * 400 + b"}", b'{"placed":' + b"[" * 960 + b"]" * 960 + b"}",
    b"[" * 30_000, b'{"a":' * 10_000, b'{"name":"' + b"x" * 60_000 + b'"}', b"x" * 70_000,
    b'{"placed":[' + b",".join([b"{}"] * 5000) + b"]}", b'"' + b'\\"' * 30_000, b"\x1f\x8b\x08\x00\x00\x00\x00\x00",
)  # fmt: skip
KINDS = (
    "", "text/plain", "application/xml", "multipart/form-data; boundary=x", "application/json;",
    "application/x-www-form-urlencoded", "APPLICATION/JSON; charset=utf-16", "image/jpeg",
    "application/json; charset=nonsense", "image/png", "application/merge-patch+json", "/", "a" * 900,
    "application/json, text/html", "image/svg+xml", "multipart/form-data",
)  # fmt: skip
HEADERS = (
    ("Accept-Language", "de-CH;q=x,*;q=9,,;;fr"), ("Accept-Language", "x" * 3000),
    ("Accept-Language", "*"), ("Cookie", "language=../../x; language=\"\\"), ("Cookie", ";" * 2000),
    ("Host", "evil.example"), ("Host", "["), ("Host", "a" * 3000), ("Host", ""), ("Host", "é:x"),
    ("Host", "127.0.0.1:99999999"), ("Host", "localhost"), ("Origin", "http://["), ("Origin", "null"),
    ("Origin", "http://evil.example"), ("Origin", ""), ("Origin", "http://[::1"), ("Range", "bytes=0-5"),
    ("Range", "bytes=-"), ("Range", "bytes=9999999999999999999-"), ("Range", "bytes=" + "0-1," * 500),
    ("Range", "bytes=5-2"), ("If-None-Match", "*"), ("If-None-Match", '"' * 99), ("If-Range", "x"),
    ("If-Modified-Since", "Thu, 99 Foo 99999 99:99:99 GMT"), ("If-Modified-Since", "0"),
    ("If-Unmodified-Since", "Mon, 01 Jan 0001 00:00:00 +9999"), ("Last-Event-ID", "\x7f" * 50),
    ("Last-Event-ID", "x" * 5000), ("X-Forwarded-For", "1.2.3.4"), ("X-Forwarded-Host", "evil"),
    ("X-HTTP-Method-Override", "DELETE"), ("Authorization", "Basic !!!"), ("Upgrade", "websocket"),
    ("Content-Encoding", "gzip"), ("Accept", "text/html;q=nan"), ("Accept-Encoding", "gzip;q=0"),
    ("Expect", "100-continue"), ("X-Long", "x" * 20_000), ("Referer", "http://evil.example/"),
    ("Sec-Fetch-Site", "cross-site"), ("Forwarded", "for=\"[::1]\";;"), ("Via", "x"),
)  # fmt: skip
BROKEN_HEADERS = (
    ("Transfer-Encoding", "gzip"), ("Transfer-Encoding", "chunked, gzip"), ("X-Long", "x" * 300_000),
    ("Content-Length", "-1"), ("Content-Length", "1e3"), ("Content-Length", "9" * 40), ("a b", "c"),
    ("", "nameless"), ("X:\x00", "y"), ("Content-Length ", "5"), ("X-Break", "a\nb: c"), ("ü", "ü"),
    ("Content-Length", "99999999"), ("Transfer-Encoding", "chunked\x0b"), ("X", "\x00"),
)  # fmt: skip
METHODS = (
    "GET", "POST", "HEAD", "OPTIONS", "PUT", "DELETE", "PATCH", "TRACE", "get", "FOO", "PROPFIND",
)  # fmt: skip
TARGETS = (
    "/", "//", "///api///state", "/api", "/api/", "/api/state/", "/api/state/../games", "/./api/state",
    "/static/../../etc/passwd", "/static/..%2f..%2fetc%2fpasswd", "/static/%2e%2e/%2e%2e/etc/passwd",
    "/static/....//....//etc/passwd", "/static/..%5c..%5cx", "/static/js/", "/static/js", "/static/",
    "/static/%00", "/static/icon-192.png%00.txt", "/locales/..%2f..%2fx.json", "/locales/.json",
    "/api/turns/-1", "/api/turns/٣", "/api/turns/%D9%A3/photo.jpg", "/api/turns/1e5",
    "/api/turns/" + "9" * 30, "/api/turns/" + "9" * 5000, "/api/games/" + "9" * 19,
    "/api/games/9223372036854775808", "/games/99999999999999999999.csv", "/games/1.CSV", "/games/.csv",
    "/api/games/0", "/api/games/00001", "/api/turn/", "/api/turn/%00", "/api/turn/done%0d%0aX:y",
    "/api/turn/" + "a" * 8000, "/" + "a" * 60_000, "/" + "%41" * 9000, "/%", "/%zz", "/%ff%fe",
    "/%ed%a0%80", "/api/state?" + "&".join(f"a{n}=1" for n in range(3000)), "/api/state?%ff=%00",
    "/api/likely?x=1&y=999999", "/api/likely?x=-&y=1", "/api/likely?x=1&x=2&y=1&turn=99999",
    "/api/likely?x=%D9%A3&y=1", "/api/likely?x=1000000&y=1", "/api/likely?x=&y=", "/api/events?since=%00",
    "/api/camera.jpg?marked=" + "x" * 5000, "/api/turns/1/photo.jpg", "/robots.txt", "/.git/config",
    "http://evil.example/api/state", "/api/state#frag", "/api/state;x=1", "/qr.svg?x", "/healthz?x",
)  # fmt: skip
CHUNK_ENDS = (b"zz\r\nx\r\n", b"-1\r\n\r\n", b"ffffffffffff\r\n", b"5\r\nabc\r\n0\r\n\r\n", b"0x0\r\n\r\n")  # fmt: skip
