"""Games out of the journal and back into another one, without losing anything."""

from __future__ import annotations

import csv
import io
import json
from pathlib import Path
from typing import Any

import pytest

from scorer.events import GameStarted, TurnPlayed, Undone
from scorer.journal import Journal, JournalReader
from scorer.notation import parse_move
from tiletally import cli
from tiletally.games import default_data_dir

EVENTS = [
    GameStarted("classic", ("Jörg", "=Bo")).to_json(),
    TurnPlayed(parse_move("Ro@0,0 Rs@1,0")).to_json(),
    TurnPlayed(parse_move("Bs@1,1")).to_json(),
    TurnPlayed(parse_move("Rd@2,0")).to_json(),
    Undone().to_json(),
]


@pytest.fixture
def home(tmp_path: Path) -> Path:
    """A data directory with two games, the second of them with turns."""
    data_dir = tmp_path / "home"
    with Journal.open(data_dir) as journal:
        journal.create_game(EVENTS[:1])
        game = journal.create_game(EVENTS[:2])
        journal.append(game.id, EVENTS[2:], command_id="tap-7")
    return data_dir


def export(capsysbinary: pytest.CaptureFixture[bytes], *words: str) -> str:
    assert cli.main(["export", *words]) == 0
    return capsysbinary.readouterr().out.decode("utf-8")


def test_json_is_lossless(
    home: Path, tmp_path: Path, capsysbinary: pytest.CaptureFixture[bytes]
) -> None:
    text = export(capsysbinary, "2", "--data", str(home))
    (tmp_path / "game.json").write_text(text, encoding="utf-8")
    other = tmp_path / "other"
    assert cli.main(["import", str(tmp_path / "game.json"), "--data", str(other)]) == 0
    assert capsysbinary.readouterr().out == b"1\n"
    with JournalReader.open(home) as ours, JournalReader.open(other) as theirs:
        assert theirs.events(1) == ours.events(2)
        assert theirs.game(1).uid == ours.game(2).uid
        assert theirs.game(1).created_at == ours.game(2).created_at
    assert export(capsysbinary, "last", "--data", str(other)) == text


def test_csv_has_one_row_a_turn(home: Path, capsysbinary: pytest.CaptureFixture[bytes]) -> None:
    text = export(capsysbinary, "last", "--format", "csv", "--data", str(home))
    rows = list(csv.DictReader(io.StringIO(text)))
    assert [(row["player"], row["points"], row["total"]) for row in rows] == [
        ("Jörg", "2", "2"),
        ("'=Bo", "2", "2"),
    ]


def test_importing_twice_adds_nothing(
    home: Path, tmp_path: Path, capsysbinary: pytest.CaptureFixture[bytes]
) -> None:
    saved = tmp_path / "game.json"
    saved.write_text(export(capsysbinary, "2", "--data", str(home)), encoding="utf-8")
    assert cli.main(["import", str(saved), "--data", str(home)]) == 0
    assert capsysbinary.readouterr().out == b"2\n"
    with JournalReader.open(home) as reader:
        assert len(reader.games()) == 2


def test_a_longer_record_of_the_same_game_continues_it(
    home: Path, tmp_path: Path, capsysbinary: pytest.CaptureFixture[bytes]
) -> None:
    document = json.loads(export(capsysbinary, "2", "--data", str(home)))
    other = tmp_path / "other"
    for length in (3, 5, 2):
        saved = tmp_path / f"{length}.json"
        saved.write_text(json.dumps(document | {"events": document["events"][:length]}))
        assert cli.main(["import", str(saved), "--data", str(other)]) == 0
    with JournalReader.open(other) as reader:
        assert [entry.event for entry in reader.events(1)] == EVENTS


def test_another_record_of_the_same_game_is_refused(
    home: Path, tmp_path: Path, capsysbinary: pytest.CaptureFixture[bytes]
) -> None:
    document = json.loads(export(capsysbinary, "2", "--data", str(home)))
    document["events"][1]["at"] = "2020-01-01T00:00:00.000Z"
    (tmp_path / "game.json").write_text(json.dumps(document))
    assert cli.main(["import", str(tmp_path / "game.json"), "--data", str(home)]) == 1
    assert b"the same game, but with other turns" in capsysbinary.readouterr().err


@pytest.mark.parametrize(
    ("changes", "complaint"),
    [
        ({"format": "other"}, "not a game saved by tiletally"),
        ({"version": 2}, "reads version 1, not 2"),
        ({"uid": 7}, "no identity"),
        ({"created_at": "yesterday"}, "no identity or no time"),
        ({"events": {}}, "no list of events"),
        ({"events": []}, "does not hold a game"),
        ({"events": [{"seq": 2}]}, "event 1 is missing"),
        ({"events": [{"seq": True}]}, "event 1 is missing"),
        ({"events": [{"seq": 1, "at": "", "event": {"type": "x"}}]}, "wrong time"),
        ({"events": [{"seq": 1, "event": []}]}, "event 1 is not an event"),
    ],
)
def test_a_file_that_is_no_game_is_refused(
    home: Path,
    tmp_path: Path,
    capsysbinary: pytest.CaptureFixture[bytes],
    changes: dict[str, Any],
    complaint: str,
) -> None:
    document = json.loads(export(capsysbinary, "1", "--data", str(home)))
    (tmp_path / "game.json").write_text(json.dumps(document | changes))
    assert_refused(tmp_path / "game.json", complaint, capsysbinary)


@pytest.mark.parametrize("content", [b"", b"\xff\xfe", b"[" * 100_000, b"null", b'{"a": NaN}'])
def test_bytes_that_are_no_game_are_refused(
    tmp_path: Path, capsysbinary: pytest.CaptureFixture[bytes], content: bytes
) -> None:
    (tmp_path / "game.json").write_bytes(content)
    assert_refused(tmp_path / "game.json", "game.json", capsysbinary)


def test_a_game_that_cannot_be_is_refused(
    home: Path, tmp_path: Path, capsysbinary: pytest.CaptureFixture[bytes]
) -> None:
    document = json.loads(export(capsysbinary, "1", "--data", str(home)))
    document["events"].append({**document["events"][0], "seq": 2})
    (tmp_path / "game.json").write_text(json.dumps(document))
    assert_refused(tmp_path / "game.json", "already started", capsysbinary)


def assert_refused(path: Path, complaint: str, capture: pytest.CaptureFixture[bytes]) -> None:
    data_dir = path.parent / "untouched"
    assert cli.main(["import", str(path), "--data", str(data_dir)]) == 1
    captured = capture.readouterr()
    assert captured.out == b""
    assert complaint in captured.err.decode()
    assert captured.err.count(b"\n") == 1
    assert not data_dir.exists()


@pytest.mark.parametrize("name", ["7", "first", "-1", "2.0"])
def test_an_unknown_game_lists_what_there_is(
    home: Path, capsysbinary: pytest.CaptureFixture[bytes], name: str
) -> None:
    assert cli.main(["export", "--data", str(home), "--", name]) == 1
    message = capsysbinary.readouterr().err.decode()
    assert f"no game '{name}'; there are 1 (" in message
    assert message.count("\n") == 1


def test_no_games_at_all_is_said(
    tmp_path: Path, capsysbinary: pytest.CaptureFixture[bytes]
) -> None:
    assert cli.main(["export", "last", "--data", str(tmp_path)]) == 1
    assert (
        capsysbinary.readouterr().err
        == f"tiletally: There are no games in {tmp_path} yet.\n".encode()
    )


def test_while_another_process_writes_export_reads_and_import_waits(
    home: Path, tmp_path: Path, capsysbinary: pytest.CaptureFixture[bytes]
) -> None:
    saved = tmp_path / "game.json"
    with Journal.open(home):
        saved.write_text(export(capsysbinary, "2", "--data", str(home)), encoding="utf-8")
        assert cli.main(["import", str(saved), "--data", str(home)]) == 1
    assert b"already open in another tiletally" in capsysbinary.readouterr().err


@pytest.mark.parametrize(
    ("environment", "expected"),
    [
        ({"TILETALLY_DATA": "/games", "XDG_DATA_HOME": "/xdg"}, "/games"),
        ({"XDG_DATA_HOME": "/xdg"}, "/xdg/tiletally"),
        ({"XDG_DATA_HOME": "relative"}, "/home/ada/.local/share/tiletally"),
        ({}, "/home/ada/.local/share/tiletally"),
    ],
)
def test_the_default_place(
    monkeypatch: pytest.MonkeyPatch, environment: dict[str, str], expected: str
) -> None:
    for name in ("TILETALLY_DATA", "XDG_DATA_HOME"):
        monkeypatch.delenv(name, raising=False)
    for name, value in ({"HOME": "/home/ada"} | environment).items():
        monkeypatch.setenv(name, value)
    assert str(default_data_dir()) == expected
