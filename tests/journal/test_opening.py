"""Opening a journal: damaged, newer, older, locked, or on a disk that cannot be written."""

from __future__ import annotations

import random
import shutil
import sqlite3
import subprocess
import sys
from collections.abc import Callable
from contextlib import closing
from pathlib import Path

import pytest

from scorer.journal import Journal, JournalError, JournalReader, Player
from scorer.journal_files import database_path
from scorer.journal_schema import load_migrations

TURN = {"type": "turn", "points": 12}
MANY_TURNS = [{"type": "turn", "text": "x" * 300}] * 200


def fill(data_dir: Path) -> int:
    with Journal.open(data_dir) as journal:
        return journal.create_game(MANY_TURNS).id


def leave_with_log(data_dir: Path) -> Path:
    """Leave the folder as a process that was killed does: the turns are still in the log."""
    with Journal.open(data_dir) as journal:
        journal.create_game(MANY_TURNS)
        path = database_path(data_dir)
        shutil.copytree(path.parent, data_dir / "copy")
    shutil.rmtree(path.parent)
    (data_dir / "copy").rename(path.parent)
    return path


def contents(folder: Path) -> dict[str, bytes]:
    return {path.name: path.read_bytes() for path in folder.iterdir() if path.is_file()}


def change(path: Path, alter: Callable[[bytearray], bytes]) -> None:
    path.write_bytes(alter(bytearray(path.read_bytes())))


def noise(data: bytearray, start: int, stop: int) -> bytes:
    data[start:stop] = random.Random(1).randbytes(stop - start)
    return bytes(data)


def run_sql(path: Path, script: str) -> None:
    with closing(sqlite3.connect(path)) as connection:
        connection.executescript(script)


DAMAGES: dict[str, Callable[[Path], object]] = {
    "empty": lambda path: path.write_bytes(b""),
    "random bytes": lambda path: change(path, lambda data: noise(data, 0, len(data))),
    "bad header": lambda path: change(path, lambda data: noise(data, 0, 16)),
    "broken schema page": lambda path: change(path, lambda data: noise(data, 100, 3000)),
    "broken data pages": lambda path: change(path, lambda data: noise(data, 40960, 61440)),
    "truncated to half": lambda path: change(path, lambda data: bytes(data[: len(data) // 2])),
    "truncated in a page": lambda path: change(path, lambda data: bytes(data[:-1000])),
    "truncated to one page": lambda path: change(path, lambda data: bytes(data[:4096])),
    "text": lambda path: path.write_text("Ada 12, Bo 7\n"),
    "missing": lambda path: path.unlink(),
    "another program's file": lambda path: run_sql(path, "PRAGMA application_id = 1"),
    "no tables": lambda path: run_sql(
        path, "PRAGMA writable_schema = 1; DELETE FROM sqlite_schema;"
    ),
    "a lost event": lambda path: run_sql(
        path, "DROP TRIGGER event_stays; DELETE FROM event WHERE seq = 5"
    ),
}


@pytest.mark.parametrize("damage", DAMAGES.values(), ids=DAMAGES.keys())
def test_a_damaged_journal_is_set_aside_unchanged(
    tmp_path: Path, damage: Callable[[Path], object]
) -> None:
    fill(tmp_path)
    damage(database_path(tmp_path))
    before = contents(database_path(tmp_path).parent)
    with Journal.open(tmp_path) as journal:
        first_notice, second_notice = journal.notices
        journal.create_game([TURN])
    (aside,) = tmp_path.glob("journal-damaged-*")
    assert contents(aside).items() >= before.items()
    assert "damaged" in first_notice
    assert str(aside) in first_notice
    assert "damaged journal" in second_notice


@pytest.mark.parametrize("damage", DAMAGES.values(), ids=DAMAGES.keys())
def test_the_log_of_a_damaged_journal_is_kept_too(
    tmp_path: Path, damage: Callable[[Path], object]
) -> None:
    path = leave_with_log(tmp_path)
    log = path.with_name(f"{path.name}-wal")
    before = log.read_bytes()
    damage(path)
    was_folded_in = not log.exists()  # some damages are done by SQLite itself
    Journal.open(tmp_path).close()
    for aside in tmp_path.glob("journal-damaged-*"):
        assert was_folded_in or (aside / log.name).read_bytes() == before


def test_two_damaged_journals_are_both_kept(tmp_path: Path) -> None:
    for _ in range(2):
        fill(tmp_path)
        database_path(tmp_path).write_bytes(b"broken")
    Journal.open(tmp_path).close()
    assert len(list(tmp_path.glob("journal-damaged-*"))) == 2


@pytest.mark.parametrize("seed", range(40))
def test_any_truncation_or_noise_loses_nothing_silently(tmp_path: Path, seed: int) -> None:
    """Either the events are all there, or the file was set aside and the family is told."""
    rng = random.Random(seed)
    game_id = fill(tmp_path)
    path = database_path(tmp_path)
    data = bytearray(path.read_bytes())
    if seed % 2:
        data = data[: rng.randrange(len(data))]
    else:
        start = rng.randrange(len(data))
        data[start : start + 64] = rng.randbytes(64)
    path.write_bytes(data)
    with Journal.open(tmp_path) as journal:
        games = journal.games()
        events = [entry.event for entry in journal.events(game_id)] if games else []
        assert events == MANY_TURNS[: len(events)]
        was_set_aside = len(list(tmp_path.glob("journal-damaged-*"))) == 1
        assert was_set_aside == bool(journal.notices)
        assert was_set_aside or len(events) == len(MANY_TURNS)


def test_what_is_sound_in_a_damaged_journal_is_rescued(tmp_path: Path) -> None:
    turns = [{"type": "turn", "number": number} for number in range(9)]
    with Journal.open(tmp_path) as journal:
        games = [journal.create_game(turns), journal.create_game(turns)]
        journal.remember_player(Player("Ada", "red"))
        journal.remember_player(Player("Bo"))
    bend = "DROP TRIGGER event_stays_as_is; UPDATE event SET at = 'never'"
    run_sql(database_path(tmp_path), f"{bend} WHERE game_id = 1 AND seq = 5;")
    with Journal.open(tmp_path) as journal:
        assert "2 games with 13 events" in journal.notices[1]
        assert [(game.uid, game.last_seq) for game in journal.games()] == [
            (games[0].uid, 4),
            (games[1].uid, 9),
        ]
        assert journal.players() == [Player("Bo"), Player("Ada", "red")]
    with Journal.open(tmp_path) as journal:
        assert journal.notices == ()


def test_a_newer_journal_is_set_aside_unchanged(tmp_path: Path) -> None:
    fill(tmp_path)
    run_sql(database_path(tmp_path), "PRAGMA user_version = 99")
    before = contents(database_path(tmp_path).parent)
    with Journal.open(tmp_path) as journal:
        assert journal.games() == []
        assert "newer tiletally" in journal.notices[0]
    (aside,) = tmp_path.glob("journal-newer-*")
    assert contents(aside).items() >= before.items()


def test_an_older_journal_is_copied_and_brought_up_to_date(tmp_path: Path) -> None:
    game_id = fill(tmp_path)
    steps = [*load_migrations(), "ALTER TABLE player ADD COLUMN motto TEXT;"]
    with Journal.open(tmp_path, migrations=steps) as journal:
        assert "brought up to date" in journal.notices[0]
        assert len(journal.events(game_id)) == len(MANY_TURNS)
        journal._connection.execute("SELECT motto FROM player")
    (copy,) = tmp_path.glob("journal-version-1-*.sqlite3")
    with closing(sqlite3.connect(copy)) as connection:
        assert connection.execute("PRAGMA user_version").fetchone() == (1,)
        assert connection.execute("SELECT count(*) FROM event").fetchone() == (200,)
    with Journal.open(tmp_path, migrations=steps) as journal:
        assert journal.notices == ()


def test_a_migration_that_fails_changes_nothing(tmp_path: Path) -> None:
    game_id = fill(tmp_path)
    steps = [*load_migrations(), "CREATE TABLE half (x TEXT); CREATE TABLE half (x TEXT);"]
    with pytest.raises(JournalError):
        Journal.open(tmp_path, migrations=steps)
    with Journal.open(tmp_path) as journal:
        assert journal.notices == ()
        assert len(journal.events(game_id)) == len(MANY_TURNS)


def test_a_second_process_is_refused_in_one_sentence(tmp_path: Path) -> None:
    code = (
        "import sys; from pathlib import Path; from scorer.journal import Journal, JournalError\n"
        "try: Journal.open(Path(sys.argv[1]))\n"
        "except JournalError as error: print(error.code, error)"
    )
    command = [sys.executable, "-c", code, str(tmp_path)]
    with Journal.open(tmp_path):
        done = subprocess.run(command, capture_output=True, text=True, check=True)
    assert done.stdout == f"busy The games in {tmp_path} are already open in another tiletally.\n"
    assert subprocess.run(command, capture_output=True, text=True, check=True).stdout == ""


def test_a_refused_opening_lets_go_of_the_lock(tmp_path: Path) -> None:
    fill(tmp_path)
    with pytest.raises(JournalError):
        Journal.open(tmp_path, migrations=[*load_migrations(), "nonsense;"])
    Journal.open(tmp_path).close()


def test_a_place_that_cannot_be_used_is_said(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    with pytest.raises(JournalError, match=r"Cannot keep games in .*: Not a directory"):
        Journal.open(tmp_path / "file" / "games")


def test_a_disk_that_refuses_to_grow_loses_nothing(tmp_path: Path) -> None:
    """The file size limit of a process fails writes for real, whoever runs the test."""
    code = (
        "import resource, sys; from pathlib import Path\n"
        "from scorer.journal import Journal, JournalError\n"
        "journal = Journal.open(Path(sys.argv[1])); game = journal.create_game()\n"
        "resource.setrlimit(resource.RLIMIT_FSIZE, (200_000, 200_000))\n"
        "acknowledged = 0\n"
        "try:\n"
        "    while True:\n"
        "        acknowledged = journal.append(game.id, [{'type': 'turn', 'x': 99}]).last_seq\n"
        "except JournalError as error: print(acknowledged, error.code)\n"
        "assert len(journal.events(game.id)) == acknowledged\n"
    )
    command = [sys.executable, "-c", code, str(tmp_path)]
    done = subprocess.run(command, capture_output=True, text=True, check=True)
    acknowledged, problem = done.stdout.split()
    assert problem in {"disk_full", "disk_error"}
    assert int(acknowledged) > 5
    with Journal.open(tmp_path) as journal:
        assert journal.notices == ()
        assert len(journal.events(1)) == int(acknowledged)


def test_a_reader_of_nothing_says_so(tmp_path: Path) -> None:
    with pytest.raises(JournalError, match="no games in"):
        JournalReader.open(tmp_path)


def test_a_reader_leaves_a_damaged_journal_where_it_is(tmp_path: Path) -> None:
    fill(tmp_path)
    database_path(tmp_path).write_bytes(b"broken" * 1000)
    with pytest.raises(JournalError, match="damaged"):
        JournalReader.open(tmp_path)
    assert database_path(tmp_path).read_bytes() == b"broken" * 1000


def test_a_half_made_new_journal_is_made_again(tmp_path: Path) -> None:
    (tmp_path / "journal.new").mkdir()
    (tmp_path / "journal.new" / "journal.sqlite3").write_bytes(b"half")
    with Journal.open(tmp_path) as journal:
        assert journal.notices == ()
    assert not (tmp_path / "journal.new").exists()
