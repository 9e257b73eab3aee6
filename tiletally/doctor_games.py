"""The games: the place where they are kept, the journal, the settings."""

from __future__ import annotations

import json
import os
import tempfile
from datetime import UTC, datetime
from pathlib import Path

from scorer.journal import JournalError, JournalReader
from tiletally.doctor_findings import Finding, Surroundings, fault, fine, note, user_name
from tiletally.session_settings import FILE_NAME as SETTINGS

LATER_S = 300.0
"""An event that lies more than this in the future was written with another clock."""

_CODES = {
    "newer": (
        "journal_newer",
        "install the newer tiletally again; this one would set the games aside and begin anew",
    ),
    "damaged": (
        "journal_damaged",
        "start tiletally: it sets the file aside, rescues what is sound and says what that was",
    ),
    "older": ("journal_older", "start tiletally: it brings the journal up to date"),
}


def check_place(where: Surroundings) -> list[Finding]:
    """Whether games can be written."""
    place = where.data_dir
    if not place.exists():
        return [note("place", "no_place", f"{place} is not there yet; it is made at the start")]
    try:
        with tempfile.TemporaryFile(dir=place) as file:
            file.write(b"tiletally")
            file.flush()
            os.fsync(file.fileno())
    except OSError as error:
        return [_cannot_write(place, error)]
    return _foreign_files(place) or [fine("place", str(place))]


def _cannot_write(place: Path, error: OSError) -> Finding:
    reason = (error.strerror or str(error)).lower()
    if "read-only" in reason:
        cure = "the card may be worn out: back up the games and use a new one; or remount it"
        return fault("place", "place_read_only", f"{place} is read-only", cure)
    if "space" in reason:
        return fault(
            "place", "place_full", f"nothing more fits in {place}", "make room on the disk"
        )
    cure = f"sudo chown -R tiletally: {place}, or run this with sudo"
    sentence = f"{user_name()} cannot write in {place} ({reason})"
    return fault("place", "place_forbidden", sentence, cure)


def _foreign_files(place: Path) -> list[Finding]:
    """Files of somebody else in it, such as after a command that was run with sudo."""
    owner = place.stat().st_uid
    names = [path for path in (place / "journal").glob("*") if path.stat().st_uid != owner]
    if not names:
        return []
    cure = f"sudo chown -R --reference={place} {place}"
    sentence = f"{names[0].name} belongs to another user than {place}"
    return [fault("place", "place_mixed", sentence, cure)]


def check_journal(where: Surroundings) -> list[Finding]:
    """Whether the games can be read, and when the last one was."""
    try:
        with JournalReader.open(where.data_dir) as reader:
            games = reader.games()
            events = sum(game.last_seq for game in games)
            last = max((game.changed_at for game in games), default="")
    except JournalError as error:
        return [_journal_fault(error)]
    except OSError as error:
        sentence = f"the journal cannot be looked at ({error.strerror})"
        return [fault("journal", "journal_forbidden", sentence, "run this with sudo")]
    found = [fine("journal", f"{len(games)} games with {events} events, all sound")]
    return [*found, *_later_than_now(where, last), *_set_aside(where.data_dir)]


def _journal_fault(error: JournalError) -> Finding:
    if error.code == "no_games":
        return fine("journal", "no games yet")
    code, cure = _CODES.get(error.code, ("journal_unreadable", "run this with sudo"))
    return fault("journal", code, str(error).rstrip("."), cure)


def _later_than_now(where: Surroundings, last: str) -> list[Finding]:
    try:
        moment = datetime.strptime(last, "%Y-%m-%dT%H:%M:%S.%fZ").replace(tzinfo=UTC)
    except ValueError:
        return []
    if moment.timestamp() <= where.clock() + LATER_S:
        return []
    sentence = f"the last turn is dated {last[:16]}, which is still to come"
    return [
        fault("clock", "clock_behind", sentence, "set the clock: sudo timedatectl set-ntp true")
    ]


def _set_aside(data_dir: Path) -> list[Finding]:
    kept = sorted(each.name for each in data_dir.glob("journal-*") if each.is_dir())
    if not kept:
        return []
    sentence = f"a journal was set aside earlier: {', '.join(kept)}"
    cure = "keep it until you are sure that no game is missing, then delete it"
    return [note("journal", "journal_set_aside", sentence, cure)]


def check_settings(where: Surroundings) -> list[Finding]:
    """Whether the settings can be read."""
    path = where.data_dir / SETTINGS
    try:
        json.loads(path.read_text(encoding="utf-8"))
    except FileNotFoundError:
        return []
    except (OSError, ValueError, RecursionError):
        cure = f"delete {path} and choose the settings again on the page"
        return [fault("settings", "settings_damaged", "the settings cannot be read", cure)]
    return [fine("settings", "readable")]
