"""What bad files once brought down, each by its name."""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Callable
from contextlib import closing
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from calibration.profile import Profile
from calibration.profile_file import ProfileError, profile_bytes, read_profile
from scorer.errors import EventError
from scorer.journal import Journal
from scorer.journal_records import checksum
from scorer.journal_rescue import rescue_games
from scorer.notation import NotationError, parse_move, parse_table
from tests.faults.running import Device, Scorekeeper
from tests.fuzz.files import Ground, run, sound_profile
from tests.fuzz.hostile_files import arrays, named_arrays, named_backups, unzipped, zipped
from tiletally.session import Session
from tiletally.session_settings import Settings
from vision.array_file import load_arrays
from vision.model import SHIPPED, ModelError, load


@pytest.fixture
def ground(tmp_path: Path) -> Ground:
    return Ground.made(tmp_path)


@pytest.mark.parametrize(
    "text",
    [
        "[" * 100_000,
        '{"values":[1,2],"resumed":{"game":1,"of":1}}',
        '{"values":"x","resumed":{"game":1,"of":1}}',
        '{"values":{},"resumed":{"game":1e999,"of":1}}',
    ],
)
def test_settings_that_are_none_do_not_stop_the_start(tmp_path: Path, text: str) -> None:
    (tmp_path / "settings.json").write_text(text)
    assert Settings.load(tmp_path).plain() == Settings().plain()
    assert "settings" in "".join(run("doctor", "--data", str(tmp_path))[1:])


@pytest.mark.parametrize(
    "name",
    ["locked", "packed in an unknown way", "LZMA damaged inside", "BZ2 damaged inside"],
)
def test_a_backup_that_cannot_be_unpacked_is_refused(ground: Ground, name: str) -> None:
    file = ground.place / "case.zip"
    cases = named_backups(ground.backup)
    file.write_bytes(next(content for case, content in cases if case == name))
    status, _, said = run("restore", str(file), "--data", str(ground.fresh()))
    assert status == 1
    assert len(said.splitlines()) == 1


def test_a_flipped_bit_in_a_packed_game_leaves_the_other_games(ground: Ground) -> None:
    damaged = bytearray(ground.backup)
    at = damaged.index(b"games/000001.json") + len("games/000001.json")
    damaged[at + 2] ^= 0xFF
    (ground.place / "case.zip").write_bytes(damaged)
    place = ground.place / "elsewhere"
    status, out, said = run("restore", str(ground.place / "case.zip"), "--data", str(place))
    assert (status, out) == (1, "games: 1 added, 0 continued, 0 known, 1 unreadable\n")
    assert "games/000001.json is missing or damaged" in said


def test_odd_players_of_a_backup_are_left_out_and_the_rest_is_restored(ground: Ground) -> None:
    odd = [{"name": "\ud800"}, {"name": ""}, {"name": "Zoe", "birth_year": 10**30}, {"name": []}]
    parts = {**unzipped(ground.backup), "players.json": json.dumps(odd).encode()}
    (ground.place / "case.zip").write_bytes(zipped(parts))
    place = ground.place / "elsewhere"
    assert run("restore", str(ground.place / "case.zip"), "--data", str(place))[0] == 0
    with Journal.open(place) as journal:
        assert [(each.name, each.birth_year) for each in journal.players()] == [("Zoe", None)]
        assert len(journal.games()) == 2


def _imported(ground: Ground, change: Callable[[dict[str, Any]], None]) -> tuple[int, str]:
    document = json.loads(ground.game)
    change(document)
    (ground.place / "case.json").write_text(json.dumps(document))
    status, _, said = run("import", str(ground.place / "case.json"), "--data", str(ground.fresh()))
    return status, said


def test_a_game_on_a_table_of_miles_is_not_imported(ground: Ground) -> None:
    tile = {"x": 10**9, "y": 0, "shape": "circle", "colour": "red", "background": "black"}

    def far(document: dict[str, Any]) -> None:
        event = {"type": "turn_played", "placed": [tile], "accepted": True}
        document["events"][1]["event"] = event

    status, said = _imported(ground, far)
    assert status == 1
    assert "no table is that large" in said


def test_a_name_like_a_book_is_not_imported(ground: Ground) -> None:
    def long(document: dict[str, Any]) -> None:
        document["events"][0]["event"]["players"][0] = "A" * 5000

    status, said = _imported(ground, long)
    assert status == 1
    assert "a name has at most 24 letters" in said


def test_a_complaint_does_not_repeat_a_whole_book(ground: Ground) -> None:
    def long(document: dict[str, Any]) -> None:
        document["events"][1]["event"]["type"] = "A" * 5000

    status, said = _imported(ground, long)
    assert status == 1
    assert len(said) < 600


DIGITS = 4300
"""Most that Python writes; one more is an error."""
START = {"type": "game_started", "rules": "classic", "players": ["Anna", "Ben"]}
POINTS = {"type": "points_entered", "points": 3, "tiles": 2}
MOST = 10**DIGITS - 1
OVERDONE: dict[str, list[dict[str, Any]]] = {
    "endless points": [START, *[{**POINTS, "points": MOST}] * 4],
    "endless counts": [START, {"type": "tiles_exchanged", "count": MOST}],
    "endless turns": [START, {"type": "turn_accepted", "turn": MOST}],
    "endless options": [
        {**START, "options": {"single_tile_opening_points": MOST}},
        *[
            {
                "type": "turn_played",
                "placed": [{"x": 0, "y": 0, "shape": "circle", "colour": "red"}],
            }
        ],
        *[{**POINTS, "points": 9}] * 2,
    ],
    "endless boxes": [
        {
            **START,
            "box": {
                "title": "x",
                "rules": "classic",
                "shapes": ["circle", "square", "diamond", "clover", "star4", "star8"],
                "colours": ["red", "orange", "yellow", "green", "blue", "purple"],
                "copies": {"black": MOST},
            },
        }
    ],
    "names like books": [{**START, "players": ["A" * 500_000, "B"]}],
    "a reason like a book": [
        START,
        {"type": "points_adjusted", "player": 0, "points": 1, "reason": "A" * 500_000},
    ],
    "half a letter": [
        START,
        {"type": "points_adjusted", "player": 0, "points": 1, "reason": "\ud800"},
    ],
    "6001 events": [START, *[POINTS] * 6000],
    "no events": [],
    "unknown events": [START, {"type": "thunder"}],
}


def _with_first(ground: Ground, events: list[dict[str, Any]]) -> bytes:
    """The sound backup with other events in its first game."""
    parts = unzipped(ground.backup)
    document = json.loads(parts["games/000001.json"])
    at = document["created_at"]
    document["events"] = [
        {"seq": seq, "at": at, "event": event} for seq, event in enumerate(events, 1)
    ]
    return zipped({**parts, "games/000001.json": json.dumps(document).encode()})


@pytest.mark.parametrize("events", OVERDONE.values(), ids=OVERDONE)
def test_a_game_of_a_backup_that_no_page_could_show_leaves_the_other_games(
    ground: Ground, events: list[dict[str, Any]]
) -> None:
    (ground.place / "case.zip").write_bytes(_with_first(ground, events))
    place = ground.place / "elsewhere"
    status, out, said = run("restore", str(ground.place / "case.zip"), "--data", str(place))
    assert (status, out) == (1, "games: 1 added, 0 continued, 0 known, 1 unreadable\n")
    assert len(said.splitlines()) == 1
    assert "is left out: " in said
    assert len(said) < 500


UNREADABLE = ('{"points":' + "9" * (DIGITS + 1) + "}", "[1]", "7", "[" * 900 + "]" * 900)
"""JSON that SQLite takes."""


def _write(data: Path, payload: str) -> None:
    """Put a game into the journal as somebody would who knows its checksums."""
    with Journal.open(data) as journal:
        game = journal.create_game([START]).id
    row = (game, 2, "points_entered", payload, "2026-01-01T00:00:00.000Z", None)
    with closing(sqlite3.connect(data / "journal" / "journal.sqlite3")) as database:
        columns = "game_id, seq, type, payload, at, command_id, crc"
        sql = f"INSERT INTO event ({columns}) VALUES (?, ?, ?, ?, ?, ?, ?)"
        database.execute(sql, (*row, checksum(row)))
        database.commit()


def test_an_edited_journal_cannot_bring_the_page_down(tmp_path: Path) -> None:
    with Journal.open(tmp_path) as journal:
        for events in (events for name, events in OVERDONE.items() if name != "half a letter"):
            journal.create_game(events)
    for payload in UNREADABLE:
        _write(tmp_path, payload)
    with Scorekeeper(tmp_path) as scorekeeper:
        scorekeeper.wait_for_page()
        device = Device(scorekeeper.url)
        count = len(OVERDONE) - 1 + len(UNREADABLE)
        told = [f"/api/games/{n}" for n in range(1, count + 1)]
        told += [f"/games/{n}.csv" for n in range(1, count + 1)]
        for path in ("/", "/healthz", "/api/state", "/api/games", "/api/players", *told):
            assert device.get(path).status < 500, path
        for number in range(1, count + 1):
            assert device.post(f"/api/games/{number}/resume", {}).status < 500
            assert device.get("/api/state").status == 200
        assert device.post("/api/games", {"rules": "flex", "players": ["A", "B"]}).status == 201
    assert run("backup", str(tmp_path / "b.zip"), "--data", str(tmp_path))[0] == 0


def test_house_rules_without_measure_are_refused(tmp_path: Path) -> None:
    with closing(Session.open(tmp_path)) as session, pytest.raises(EventError, match="larger"):
        session.new_game(
            {
                "rules": "classic",
                "players": ["A", "B"],
                "options": {"single_tile_opening_points": MOST},
            }
        )


def test_a_damaged_tree_that_leads_in_a_circle_is_rescued_once(ground: Ground) -> None:
    database = ground.fresh() / "journal" / "journal.sqlite3"
    with closing(sqlite3.connect(database)) as connection:
        connection.execute("PRAGMA wal_checkpoint(TRUNCATE)")
        sql = "SELECT rootpage FROM sqlite_master WHERE name = 'game'"
        page = connection.execute(sql).fetchone()[0]
        size = connection.execute("PRAGMA page_size").fetchone()[0]
    data = bytearray(database.read_bytes())
    first = (page - 1) * size + 8
    data[first + 2 : first + 4] = data[first : first + 2]
    database.write_bytes(data)
    assert len(rescue_games(database)) == 1


def test_a_journal_whose_tables_have_no_readable_names_is_set_aside(ground: Ground) -> None:
    data = ground.fresh()
    database = data / "journal" / "journal.sqlite3"
    broken = database.read_bytes().replace(b"BEFORE INSERT ON event", b"\xd2EFORE INSERT ON event")
    database.write_bytes(broken)
    assert run("export", "last", "--data", str(data))[0] == 1
    with Journal.open(data) as journal:
        assert "It was kept as" in journal.notices[0]


def test_a_journal_whose_tables_are_no_text_is_set_aside(ground: Ground) -> None:
    data = ground.fresh()
    with closing(sqlite3.connect(data / "journal" / "journal.sqlite3")) as database:
        database.execute("PRAGMA writable_schema = ON")
        database.execute("UPDATE sqlite_master SET sql = CAST(sql AS BLOB) WHERE name = 'event'")
        database.commit()
    with Journal.open(data) as journal:
        assert "It was kept as" in journal.notices[0]


@pytest.mark.parametrize(
    "name",
    ["locked", "the shape (1099511627776,)", "the shape ((1,", "one array, no archive"],
)
def test_a_file_of_arrays_that_is_none_is_damaged(tmp_path: Path, name: str) -> None:
    file = tmp_path / "case.npz"
    cases = named_arrays(profile_bytes(sound_profile()))
    file.write_bytes(next(content for case, content in cases if case == name))
    with pytest.raises(ProfileError, match="is damaged"):
        read_profile(file)
    with pytest.raises(ModelError, match="is damaged"):
        load(file)


def test_a_file_of_arrays_that_unpacks_to_too_much_is_not_unpacked(tmp_path: Path) -> None:
    file = tmp_path / "case.npz"
    file.write_bytes(zipped({"a.npy": bytes(3_000_000)}))
    with pytest.raises(ValueError, match="more than 2 MB"):
        load_arrays(file, 2_000_000)
    assert set(load_arrays(SHIPPED, 50_000_000)) >= {"header", "finder_onnx"}


def _profile_with(path: Path, header: dict[str, Any], **parts: Any) -> Profile:  # noqa: ANN401
    path.write_bytes(profile_bytes(sound_profile()))
    known = load_arrays(path, 10_000_000)
    told = {**json.loads(known["header"].tobytes()), **header}
    known["header"] = np.frombuffer(json.dumps(told).encode(), np.uint8)
    path.write_bytes(arrays(**{**known, **parts}))
    return read_profile(path)


@pytest.mark.parametrize(
    ("header", "parts"),
    [
        ({"lens": {"size": [0, 48], "rms": 1, "photos": 1}}, {}),
        ({"lens": {"size": [float("inf"), 48], "rms": 1, "photos": 1}}, {}),
        ({"plane": {"size": [10**9, 1], "error_px": 1, "error_tiles": 1, "source": "x"}}, {}),
        ({}, {"reference": np.zeros((6, 8, 3), np.float32)}),
        ({}, {"own_means": np.zeros((7, 16), np.complex64)}),
        ({}, {"own_shapes": np.full((6, 6), np.nan)}),
    ],
)
def test_a_profile_of_a_camera_that_cannot_be_is_damaged(
    tmp_path: Path, header: dict[str, Any], parts: dict[str, Any]
) -> None:
    assert _profile_with(tmp_path / "case.npz", {}).camera == "usb 0"
    with pytest.raises(ProfileError, match="is damaged"):
        _profile_with(tmp_path / "case.npz", header, **parts)


@pytest.mark.parametrize("header", [b"[]", b"null", b"[" * 100_000])
def test_a_model_whose_header_is_none_is_damaged(tmp_path: Path, header: bytes) -> None:
    known = load_arrays(SHIPPED, 50_000_000)
    file = tmp_path / "case.npz"
    file.write_bytes(arrays(**{**known, "header": np.frombuffer(header, np.uint8)}))
    with pytest.raises(ModelError, match="is damaged"):
        load(file)


def test_a_cell_of_endless_digits_is_no_cell() -> None:
    with pytest.raises(NotationError, match="is not a cell"):
        parse_move(f"Ro@{'9' * 5000},0")
    with pytest.raises(NotationError, match="is not a cell"):
        parse_table(f"@{'9' * 5000},0\nRo")
