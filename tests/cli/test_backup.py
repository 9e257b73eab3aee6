"""All games in one file and back: nothing lost, nothing overwritten."""

from __future__ import annotations

import io
import json
import sys
import threading
import zipfile
from pathlib import Path
from types import SimpleNamespace

import pytest

from scorer.events import GameStarted, TurnPlayed
from scorer.journal import Journal, JournalReader, Player
from scorer.notation import parse_move
from tiletally import cli
from tiletally.backup_file import MANIFEST, write_backup

START = GameStarted("classic", ("Ada", "Bo")).to_json()
TURNS = [
    TurnPlayed(parse_move(text)).to_json()
    for text in ("Ro@0,0 Rs@1,0", "Bs@1,1", "Rd@2,0", "Gs@1,2")
]


@pytest.fixture
def home(tmp_path: Path) -> Path:
    """A data directory with three games, the second of them with turns."""
    data_dir = tmp_path / "home"
    with Journal.open(data_dir) as journal:
        for events in ([START], [START, *TURNS[:3]], [START, TURNS[0]]):
            journal.create_game(events)
        journal.remember_player(Player("Ada", "#c03", 2015))
        journal.remember_player(Player("Bo"))
    (data_dir / "settings.json").write_text('{"values": {"show_unseen": false}, "resumed": {}}')
    return data_dir


def record(data_dir: Path) -> list[tuple[str, str, list[object]]]:
    with JournalReader.open(data_dir) as reader:
        return [(g.uid, g.created_at, list(reader.events(g.id))) for g in reader.games()]


def command(*words: str | Path) -> int:
    return cli.main([str(word) for word in words])


def saved(home: Path, name: str = "games.zip") -> Path:
    target = home.parent / name
    assert command("backup", target, "--data", home) == 0
    return target


def test_without_games_there_is_nothing_to_save(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert command("backup", tmp_path / "b.zip", "--data", tmp_path / "none") == 1
    assert "no games" in capsys.readouterr().err
    assert not (tmp_path / "b.zip").exists()


def test_everything_comes_back_in_an_empty_place(
    home: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    backup, other = saved(home), tmp_path / "other"
    assert capsys.readouterr().out == f"3 games in {backup}\n"
    assert command("restore", backup, "--data", other) == 0
    assert capsys.readouterr().out == "games: 3 added, 0 continued, 0 known\n"
    assert record(other) == record(home)
    assert (other / "settings.json").read_text() == (home / "settings.json").read_text()
    with JournalReader.open(other) as theirs, JournalReader.open(home) as ours:
        assert theirs.players() == ours.players()


def test_restoring_twice_adds_nothing(home: Path, capsys: pytest.CaptureFixture[str]) -> None:
    backup, before = saved(home), record(home)
    for _ in range(2):
        assert command("restore", backup, "--data", home) == 0
        assert "0 added, 0 continued, 3 known" in capsys.readouterr().out
    assert record(home) == before


def test_a_game_that_went_on_is_kept_and_one_that_fell_back_is_continued(
    home: Path, tmp_path: Path
) -> None:
    older = saved(home, "older.zip")
    with Journal.open(home) as journal:
        journal.append(2, TURNS[3:])
    newer, longest = saved(home, "newer.zip"), record(home)
    assert command("restore", older, "--data", home) == 0
    assert record(home) == longest
    other = tmp_path / "other"
    assert command("restore", older, "--data", other) == 0
    assert command("restore", newer, "--data", other) == 0
    assert record(other) == longest


def test_a_game_that_differs_is_kept_apart_and_only_once(
    home: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    backup, other = saved(home), tmp_path / "other"
    assert command("restore", backup, "--data", other) == 0
    with Journal.open(home) as here, Journal.open(other) as there:
        here.append(3, [TURNS[1]])
        there.append(3, [TURNS[2]])
    ours = record(home)
    backup = saved(other, "other.zip")
    for _ in range(2):
        assert command("restore", backup, "--data", home) == 0
        assert "1 kept apart" in capsys.readouterr().out
    assert record(home)[:3] == ours
    assert len(record(home)) == 4
    assert record(home)[3][2] == record(other)[2][2]


def test_a_player_known_here_stays_as_known_here(home: Path) -> None:
    backup = saved(home)
    with Journal.open(home) as journal:
        journal.remember_player(Player("Ada", "#00f", 2016))
    assert command("restore", backup, "--data", home) == 0
    with JournalReader.open(home) as reader:
        assert Player("Ada", "#00f", 2016) in reader.players()


def test_a_backup_is_whole_while_games_are_played(home: Path, tmp_path: Path) -> None:
    ended, counted = threading.Event(), [0]
    with Journal.open(home) as journal:

        def play() -> None:
            while not ended.is_set():
                journal.append(1, [TURNS[0], TURNS[1]])
                counted[0] += 2

        thread = threading.Thread(target=play)
        thread.start()
        try:
            for number in range(5):
                while counted[0] < 10 * (number + 1):
                    ended.wait(0.001)
                least = counted[0]
                backup = saved(home, f"{number}.zip")
                other = tmp_path / f"other{number}"
                assert command("restore", backup, "--data", other) == 0
                events = record(other)[0][2]
                assert len(events) - 1 >= least, "a counted turn is missing"
                assert (len(events) - 1) % 2 == 0, "half a wish was saved"
        finally:
            ended.set()
            thread.join()


def test_an_existing_file_is_not_replaced(home: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (home.parent / "games.zip").write_text("precious")
    assert command("backup", home.parent / "games.zip", "--data", home) == 1
    assert "is there already" in capsys.readouterr().err
    assert (home.parent / "games.zip").read_text() == "precious"
    assert sorted(path.name for path in home.parent.iterdir()) == ["games.zip", "home"]


def test_a_stick_that_knows_no_links_takes_a_backup_too(
    home: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def link(*_: object) -> None:
        raise PermissionError(1, "Operation not permitted")

    monkeypatch.setattr("os.link", link)
    target = home.parent / "games.zip"
    assert command("backup", target, "--data", home) == 0
    assert sorted(path.name for path in home.parent.iterdir()) == ["games.zip", "home"]
    assert command("restore", target, "--data", home.parent / "other") == 0


def test_through_pipes(
    home: Path,
    tmp_path: Path,
    capsysbinary: pytest.CaptureFixture[bytes],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    assert command("backup", "-", "--data", home) == 0
    data = capsysbinary.readouterr().out
    monkeypatch.setattr(sys, "stdin", SimpleNamespace(buffer=io.BytesIO(data)))
    assert command("restore", "-", "--data", tmp_path / "other") == 0
    assert record(tmp_path / "other") == record(home)


def test_restoring_into_a_running_service_says_to_stop_it(
    home: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    backup = saved(home)
    with Journal.open(home):
        assert command("restore", backup, "--data", home) == 1
    assert "systemctl stop tiletally" in capsys.readouterr().err


# --- files that are not what they should be


def edited(source: Path, changes: dict[str, bytes | None]) -> Path:
    target = source.with_name("edited.zip")
    with zipfile.ZipFile(source) as old, zipfile.ZipFile(target, "w") as new:
        for name in old.namelist():
            data = changes.get(name, old.read(name))
            if data is not None:
                new.writestr(name, data)
    return target


@pytest.mark.parametrize(
    ("changes", "complaint"),
    [
        ({MANIFEST: None}, "missing or damaged"),
        ({MANIFEST: b"{}"}, "not a backup made by tiletally"),
        ({MANIFEST: b"[" * 100_000}, "not JSON"),
        ({MANIFEST: b'{"format": "tiletally backup", "version": 9}'}, "reads version 1, not 9"),
        ({"games/000002.json": None}, "games are missing"),
    ],
)
def test_what_is_no_backup_is_refused_before_anything_is_touched(
    home: Path,
    tmp_path: Path,
    changes: dict[str, bytes | None],
    complaint: str,
    capsys: pytest.CaptureFixture[str],
) -> None:
    assert command("restore", edited(saved(home), changes), "--data", tmp_path / "other") == 1
    assert complaint in capsys.readouterr().err
    assert not (tmp_path / "other").exists()


@pytest.mark.parametrize("data", [b"", b"no zip at all", b"PK\x03\x04" + bytes(100)])
def test_any_other_file_is_refused(
    tmp_path: Path, data: bytes, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "x.zip").write_bytes(data)
    assert command("restore", tmp_path / "x.zip", "--data", tmp_path / "other") == 1
    assert "cannot be restored: it is not a backup" in capsys.readouterr().err


def test_one_damaged_game_does_not_cost_the_others(
    home: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    backup = edited(saved(home), {"games/000001.json": b'{"format": "x"}'})
    assert command("restore", backup, "--data", tmp_path / "other") == 1
    assert "2 added, 0 continued, 0 known, 1 unreadable" in capsys.readouterr().out
    assert record(tmp_path / "other") == record(home)[1:]


def test_a_file_cut_short_is_refused(home: Path, tmp_path: Path) -> None:
    backup = saved(home)
    backup.write_bytes(backup.read_bytes()[:-200])
    assert command("restore", backup, "--data", tmp_path / "other") == 1


def test_the_parts_are_documents_that_import_reads(home: Path, tmp_path: Path) -> None:
    buffer = io.BytesIO()
    with JournalReader.open(home) as reader:
        assert write_backup(buffer, reader, home) == 3
    with zipfile.ZipFile(buffer) as archive:
        document = archive.read("games/000002.json")
    assert json.loads(document)["format"] == "tiletally game"
    (tmp_path / "game.json").write_bytes(document)
    assert command("import", tmp_path / "game.json", "--data", tmp_path / "other") == 0
