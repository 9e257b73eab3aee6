"""The support bundle helps, and keeps photos and names to itself."""

from __future__ import annotations

import json
import os
import zipfile
from pathlib import Path

import pytest

from scorer.events import GameStarted, TurnPlayed
from scorer.journal import Journal, Player
from scorer.notation import parse_move
from tiletally import cli
from tiletally.doctor_bundle import Names

PLAYERS = ("Rosalinde", "Ö. Łukasz", "Bo")


@pytest.fixture
def data(tmp_path: Path) -> Path:
    """A family's data directory, with games, photos and settings."""
    place = tmp_path / "data"
    with Journal.open(place) as journal:
        for _ in range(5):
            started = GameStarted("classic", PLAYERS).to_json()
            journal.create_game([started, TurnPlayed(parse_move("Ro@0,0 Rs@1,0")).to_json()])
        journal.remember_player(Player("Kunigunde", "#c03", 2015))
    (place / "photos").mkdir()
    (place / "photos" / "game000001-aa.jpg").write_bytes(b"\xff\xd8 a photo of the table")
    (place / "settings.json").write_text('{"values": {"keep_photos": true}, "resumed": {}}')
    return place


def contents(bundle: Path) -> dict[str, bytes]:
    with zipfile.ZipFile(bundle) as archive:
        return {name: archive.read(name) for name in archive.namelist()}


def make(data: Path, bundle: Path) -> int:
    words = ["doctor", "--data", str(data), "--camera", "folder:/nowhere", "--port", "1"]
    return cli.main([*words, "--bundle", str(bundle)])


def test_names_and_photos_stay_at_home(
    data: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    log = tmp_path / "journalctl"
    log.write_text("#!/bin/sh\necho 'Rosalinde played, then Bo; Kunigunde looked on; Book'\n")
    log.chmod(0o755)
    monkeypatch.setenv("PATH", f"{tmp_path}:{os.environ['PATH']}")
    make(data, tmp_path / "bundle.zip")
    parts = contents(tmp_path / "bundle.zip")
    everything = b"\n".join([*parts.values(), *(name.encode() for name in parts)])
    for name in (*PLAYERS[:2], "Kunigunde"):
        assert name.encode() not in everything
    assert b'"Bo"' not in everything
    assert b"photo of the table" not in everything
    assert not [name for name in parts if name.endswith((".jpg", ".png", ".sqlite3"))]
    assert b"player-" in parts["log.txt"]
    assert b"Book" in parts["log.txt"], "only whole names are replaced"


def test_it_tells_what_helps(data: Path, tmp_path: Path) -> None:
    make(data, tmp_path / "bundle.zip")
    parts = contents(tmp_path / "bundle.zip")
    assert parts["version.txt"].startswith(b"tiletally ")
    findings = [json.loads(line) for line in parts["doctor.jsonl"].splitlines()]
    assert {"camera", "journal", "disk"} <= {each["check"] for each in findings}
    assert json.loads(parts["settings.json"])["values"] == {"keep_photos": True}
    assert b"1 files photos/" in parts["system.txt"]
    games = [json.loads(text) for name, text in parts.items() if name.startswith("games/")]
    assert len(games) == 3
    assert games[0]["events"][1]["event"]["type"] == "turn_played"
    assert all(name.startswith("player-") for name in games[0]["events"][0]["event"]["players"])


def test_it_is_made_of_a_damaged_place_too(tmp_path: Path) -> None:
    (tmp_path / "data" / "journal").mkdir(parents=True)
    (tmp_path / "data" / "journal" / "journal.sqlite3").write_bytes(b"nonsense")
    assert make(tmp_path / "data", tmp_path / "bundle.zip") == 1
    assert b"journal_damaged" in contents(tmp_path / "bundle.zip")["doctor.jsonl"]


def test_it_replaces_no_file(
    data: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "bundle.zip").write_text("precious")
    assert make(data, tmp_path / "bundle.zip") == 1
    assert "is there already" in capsys.readouterr().err
    assert (tmp_path / "bundle.zip").read_text() == "precious"


@pytest.mark.parametrize(
    ("names", "text", "hidden"),
    [
        ([], "nobody", "nobody"),
        (["", " "], "a b", "a b"),
        (["Ann", "Anna"], "Anna beat Ann.", "player-1 beat player-2."),
        (["A.*"], "A.* and Abc", "player-1 and Abc"),
        (["Mia"], "Miami", "Miami"),
    ],
)
def test_names_are_replaced_as_whole_words(names: list[str], text: str, hidden: str) -> None:
    assert Names(names).hide(text) == hidden
