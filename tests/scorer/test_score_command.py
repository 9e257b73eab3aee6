"""`tiletally score`: positions through a pipe, and whatever else may come through it."""

from __future__ import annotations

import json
import os
import random
import subprocess
import sys
from io import BytesIO
from typing import Any

import pytest

from scorer.tiles import Cell, Tile
from tests.scorer.golden import cases, summary
from tests.scorer.oracle import second_opinion
from tests.scorer.positions import any_position
from tiletally.bench_score import bench_score
from tiletally.score import run

CIRCLE = {"x": 0, "y": 0, "shape": "circle", "colour": "red", "background": "black"}
SQUARE = {"x": 1, "y": 0, "shape": "square", "colour": "red", "background": "black"}


def answers(text: bytes) -> list[dict[str, Any]]:
    out = BytesIO()
    assert run(BytesIO(text), out) == 0
    return [json.loads(line) for line in out.getvalue().splitlines()]


def answer(position: object) -> dict[str, Any]:
    (only,) = answers(json.dumps(position).encode())
    return only


def position(**changes: object) -> dict[str, object]:
    return {"ruleset": "flex", "board": [CIRCLE], "placed": [SQUARE], **changes}


def test_no_input_gives_no_output() -> None:
    assert answers(b"") == []


def test_golden_turns_through_the_command() -> None:
    turns = cases("turn")
    given = answers(b"\n".join(json.dumps(case).encode() for case in turns))
    for case, reply in zip(turns, given, strict=True):
        assert reply["legal"] == case["legal"]
        assert reply["score"] == case["score"]
        assert summary(reply["lines"]) == summary(case["lines"])
        assert sorted(reply["codes"]) == sorted(case["codes"])
        assert (reply["reason"] is None) == case["legal"]
        if not case["legal"]:
            code, words = reply["reason"].split(": ")
            assert code in case["codes"]
            assert words
        assert "warnings" not in reply


def as_json(placed: list[tuple[Cell, Tile]]) -> list[dict[str, object]]:
    return [{"x": x, "y": y, **tile._asdict()} for (x, y), tile in placed]


def test_random_positions_through_the_command() -> None:
    rng = random.Random("through the command")
    asked = [(rules, *any_position(rng)) for rules in ("classic", "flex", "flex72") * 1000]
    lines = [
        json.dumps({"ruleset": r, "board": as_json(list(b.items())), "placed": as_json(m)})
        for r, b, m in asked
    ]
    given = answers("\n".join(lines).encode())
    for (rules, table, move), reply in zip(asked, given, strict=True):
        expected = second_opinion(table, move, rules)
        assert set(reply["codes"]) == expected.codes
        assert reply["score"] == expected.score
        assert summary(reply["lines"]) == expected.lines


def test_answer_to_a_legal_move() -> None:
    assert answer(position()) == {
        "legal": True,
        "reason": None,
        "score": 2,
        "lines": [{"kind": "row", "length": 2, "points": 2}],
        "codes": [],
    }


def test_answer_to_an_illegal_move() -> None:
    assert answer(position(placed=[{**CIRCLE, "x": 1, "background": "white"}])) == {
        "legal": False,
        "reason": "line_duplicate: two red circles in one row",
        "score": 0,
        "lines": [],
        "codes": ["line_duplicate"],
    }


def test_a_classic_tile_needs_no_background_and_never_heeds_it() -> None:
    bare = {key: value for key, value in SQUARE.items() if key != "background"}
    assert answer(position(ruleset="classic", placed=[bare]))["score"] == 2
    assert answer(position(ruleset="classic", placed=[{**SQUARE, "background": "split"}]))["legal"]
    assert "background" in answer(position(placed=[bare]))["error"]


def test_an_impossible_inventory_is_a_warning_only() -> None:
    again = {**CIRCLE, "x": 1, "y": 1}
    reply = answer(position(board=[CIRCLE, SQUARE], placed=[again]))
    assert reply["warnings"] == ["2 tiles red circle black, the box holds 1"]
    assert reply["legal"]


@pytest.mark.parametrize(
    "line",
    [
        b"{",
        b"[]",
        b"null",
        b"7",
        b'"text"',
        b"NaN",
        b"{}",
        b"\xff\xfe\x00",
        b'{"ruleset":"flex","board":[],"placed":[],"extra":NaN}',
        b"[" * 100_000,
        b'{"ruleset":"flex","board":[],"placed":[{"x":' + b"9" * 5000 + b"}]}",
        json.dumps(position(ruleset="chess")).encode(),
        json.dumps(position(ruleset=["flex"])).encode(),
        json.dumps(position(ruleset=None)).encode(),
        json.dumps(position(board=None)).encode(),
        json.dumps(position(board={})).encode(),
        json.dumps(position(placed="none")).encode(),
        json.dumps(position(placed=[7])).encode(),
        json.dumps(position(placed=["xy"])).encode(),
        json.dumps(position(placed=[["x", "y"]])).encode(),
        json.dumps(position(placed=[None])).encode(),
        json.dumps(position(placed=[{}])).encode(),
        json.dumps(position(placed=[{**SQUARE, "x": True}])).encode(),
        json.dumps(position(placed=[{**SQUARE, "x": 1.0}])).encode(),
        json.dumps(position(placed=[{**SQUARE, "x": "1"}])).encode(),
        json.dumps(position(placed=[{**SQUARE, "y": None}])).encode(),
        json.dumps(position(placed=[{**SQUARE, "x": float("nan")}])).encode(),
        json.dumps(position(placed=[{**SQUARE, "x": [1]}])).encode(),
        json.dumps(position(placed=[{**SQUARE, "colour": "pink"}])).encode(),
        json.dumps(position(placed=[{**SQUARE, "shape": ["square"]}])).encode(),
        json.dumps(position(placed=[{**SQUARE, "shape": "Square"}])).encode(),
        json.dumps(position(placed=[{**SQUARE, "background": "grey"}])).encode(),
        json.dumps(position(placed=[{**SQUARE, "background": None}])).encode(),
        json.dumps(position(ruleset="classic", placed=[{**SQUARE, "background": 1}])).encode(),
        json.dumps(position(board=[CIRCLE, CIRCLE])).encode(),
    ],
)
def test_a_malformed_line_gets_an_error_and_the_run_goes_on(line: bytes) -> None:
    good = json.dumps(position()).encode()
    bad, fine = answers(line + b"\n" + good + b"\n")
    assert list(bad) == ["error"]
    assert len(bad["error"]) < 300
    assert fine["score"] == 2


def test_empty_lines_byte_order_mark_and_windows_line_ends() -> None:
    good = json.dumps(position()).encode()
    text = b"\xef\xbb\xbf" + good + b"\r\n\r\n  \n\n" + good
    assert [reply["score"] for reply in answers(text)] == [2, 2]


def test_any_whole_number_is_a_coordinate() -> None:
    far = 10**40
    shifted = [{**tile, "x": int(str(tile["x"])) - far} for tile in (CIRCLE, SQUARE)]
    assert answer(position(board=shifted[:1], placed=shifted[1:]))["score"] == 2


def test_a_line_longer_than_a_block_is_one_line() -> None:
    padded = json.dumps(position(comment="x" * 300_000)).encode()
    assert [reply["score"] for reply in answers(padded + b"\n" + padded)] == [2, 2]


def command() -> list[str]:
    code = "import sys; from tiletally.score import run; run(sys.stdin.buffer, sys.stdout.buffer)"
    return [sys.executable, "-c", code]


def test_an_answer_comes_before_the_next_question() -> None:
    question = json.dumps(position()).encode() + b"\n"
    with subprocess.Popen(command(), stdin=subprocess.PIPE, stdout=subprocess.PIPE) as process:
        assert process.stdin is not None
        assert process.stdout is not None
        for _ in range(3):
            process.stdin.write(question)
            process.stdin.flush()
            assert json.loads(process.stdout.readline())["score"] == 2
        process.stdin.close()
        assert process.wait() == 0


def test_a_reader_that_leaves_is_no_reason_to_complain() -> None:
    question = json.dumps(position()).encode() + b"\n"
    reading, writing = os.pipe()
    os.close(reading)
    done = subprocess.run(
        command(), input=question * 100, stdout=writing, stderr=subprocess.PIPE, check=True
    )
    os.close(writing)
    assert done.stderr == b""


def test_the_benchmark_reports_its_figures() -> None:
    figures = bench_score(positions=20)
    assert figures["positions"] == 20
    assert figures["positions_per_second"] > 0
    assert figures["ratio_to_json"] > 0
