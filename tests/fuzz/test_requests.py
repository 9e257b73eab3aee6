"""A few thousand bad requests against real scorekeepers; `make fuzz` sends many more."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.fuzz.pool import described_requests
from tests.fuzz.requests import Figures, Judge, spoil
from tests.fuzz.wire import Heard, Request

REQUESTS = 1500


@pytest.mark.parametrize("camera", ["none", "phone"])
def test_bad_requests_break_nothing(tmp_path: Path, camera: str) -> None:
    figures = spoil(tmp_path / "data", camera, REQUESTS, described_requests(3), seed=3)
    assert figures.requests + figures.cut_off == REQUESTS
    assert {200, 201, 400, 404, 405, 409, 413, 415} <= set(figures.statuses)
    assert figures.turns_in_the_end > 5
    assert figures.broken == []


@pytest.mark.parametrize(
    ("heard", "word"),
    [
        (None, "no answer"),
        (Heard(500, "application/json", b'{"error":"it is bad"}', "", 0.1), "failure"),
        (Heard(200, "application/json", b'{"games":[],"players":[]}', "", 2.1), "2.1 s"),
        (Heard(400, "application/json", b'{"error":"Traceback of","code":"x"}', "", 0), "tells"),
        (Heard(400, "text/plain", b"Bad Request", "", 0.1), "no JSON"),
        (Heard(404, "application/json", b'{"error":"a\\nb","code":"x"}', "", 0), "one line"),
        (Heard(200, "application/json", b"{}", "", 0.1), "GET /api/games -> 200"),
    ],
)
def test_a_broken_promise_is_noticed(tmp_path: Path, heard: Heard | None, word: str) -> None:
    figures = Figures("requests", "none")
    Judge(figures, tmp_path).see(Request("GET", "/api/games"), heard)
    assert not figures.is_kept
    assert any(word in complaint for complaint in figures.broken)
