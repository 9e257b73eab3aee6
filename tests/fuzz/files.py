"""Hostile files through everything that reads one.

The promises: one clear sentence and exit status 1, or an error line; no traceback; nothing that
was there is lost; bounded time and memory. Runs in a process of its own with a bound on memory.
"""

from __future__ import annotations

import contextlib
import io
import json
import random
import resource
import shutil
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from dataclasses import asdict, dataclass, field
from pathlib import Path

import numpy as np

from calibration.lens import Lens
from calibration.light import Shown
from calibration.my_tiles import Edition
from calibration.plane import Plane
from calibration.profile import MyTiles, Profile
from scorer.journal import Journal, JournalError, JournalReader
from scorer.notation import NotationError, parse_move, parse_table, parse_tile
from scorer.tiles import Tile
from tests.faults.running import ROOT
from tests.fuzz.hostile_files import (
    HOSTILE_JOURNALS,
    changed_bytes,
    changed_json,
    named_arrays,
    named_backups,
    named_texts,
)
from tests.fuzz.peak import peak_mb
from tiletally.cli import main as tiletally
from vision.own_set import OwnSet
from vision.patches import PATCH_PX

MOST_S = 10.0
MOST_MB = 1500.0
MOST_TOLD = 20
Case = tuple[str, bytes]


@dataclass(slots=True)
class Figures:
    """What became of the files of one kind."""

    part: str
    files: int = 0
    taken: int = 0
    refused: int = 0
    seconds: float = 0.0
    slowest_cpu_s: float = 0.0
    broken: list[str] = field(default_factory=list)

    @property
    def is_kept(self) -> bool:
        """Whether every promise was kept."""
        return not self.broken

    @contextlib.contextmanager
    def watching(self, name: str) -> Iterator[None]:
        """Whatever comes out of the block, or takes too long, is a broken promise."""
        self.files += 1
        begun = time.process_time()
        try:
            yield
        except Exception as error:  # noqa: BLE001 - this is what is looked for
            self.complain(f"{name}: {type(error).__name__}: {str(error)[:160]}")
        took = time.process_time() - begun
        self.slowest_cpu_s = round(max(self.slowest_cpu_s, took), 2)
        if took > MOST_S:
            self.complain(f"{name}: {took:.1f} s")

    def complain(self, about: str) -> None:
        """Keep the first few broken promises."""
        if len(self.broken) < MOST_TOLD:
            self.broken.append(about)

    def said(self, name: str, sentence: str, status: int = 1) -> None:
        """Judge what was said."""
        if status == 0:
            self.taken += 1
            return
        self.refused += 1
        if status != 1 or not 8 < len(sentence) < 600 or "Traceback" in sentence:
            self.complain(f"{name}: exit {status}: {sentence[:200]!r}")


def run(*words: str) -> tuple[int, str, str]:
    """Run a command as the command line does."""
    out, err = io.TextIOWrapper(io.BytesIO(), encoding="utf-8"), io.StringIO()
    with contextlib.redirect_stdout(out), contextlib.redirect_stderr(err):
        status = tiletally(list(words))
    out.seek(0)
    return status, out.read(), err.getvalue()


@dataclass(frozen=True, slots=True)
class Ground:
    """A data directory with a game, and a place to put files."""

    place: Path
    game: bytes
    backup: bytes

    @classmethod
    def made(cls, place: Path) -> Ground:
        """Play a little, and save it in every way."""
        data = place / "sound"
        from tiletally.session import Session, Ticket

        session = Session.open(data)
        for names in (["Anna", "Ben"], ["Cleo", "Dan", "Eva"]):
            session.new_game({"rules": "flex", "players": names})
            for points in (3, 7, 12):
                session.command("points", {"points": points, "tiles": 2}, Ticket())
        session.close()
        assert run("backup", str(place / "sound.zip"), "--data", str(data))[0] == 0
        game = run("export", "1", "--format", "json", "--data", str(data))[1].encode()
        return cls(place, game, (place / "sound.zip").read_bytes())

    def fresh(self) -> Path:
        """A copy of the data that may be spoiled."""
        copy = self.place / "copy"
        shutil.rmtree(copy, ignore_errors=True)
        shutil.copytree(self.place / "sound", copy)
        return copy

    def games(self, data: Path) -> int:
        """How many sound games there are."""
        with JournalReader.open(data) as journal:
            return len(journal.games())


def _games(ground: Ground, count: int, rng: random.Random) -> Figures:
    figures, data = Figures("files: import"), ground.fresh()
    changed = ((f"changed {n}", changed_json(ground.game, rng)) for n in range(count))
    _through(figures, ground, data, "import", (*named_texts(), *changed))
    return figures


def _backups(ground: Ground, count: int, rng: random.Random) -> Figures:
    figures, data = Figures("files: restore"), ground.fresh()
    changed = ((f"changed {n}", changed_bytes(ground.backup, rng)) for n in range(count))
    _through(figures, ground, data, "restore", (*named_backups(ground.backup), *changed))
    outside = [each.name for each in ground.place.parent.glob("**/outside.json")]
    if outside:
        figures.complain(f"it wrote {outside}")
    return figures


def _through(
    figures: Figures, ground: Ground, data: Path, command: str, cases: tuple[Case, ...]
) -> None:
    file = ground.place / "case"
    for name, content in cases:
        file.write_bytes(content)
        with figures.watching(name):
            status, _, err = run(command, str(file), "--data", str(data))
            figures.said(name, err, status)
    if ground.games(data) < 2:
        figures.complain("games were lost")


def _journals(ground: Ground, count: int, rng: random.Random) -> Figures:
    figures = Figures("files: journal")
    sound = (ground.place / "sound" / "journal" / "journal.sqlite3").read_bytes()
    for name, spoil in HOSTILE_JOURNALS.items():
        data = ground.fresh()
        spoil(data / "journal" / "journal.sqlite3")
        _open(figures, name, data)
    for number in range(count):
        data = ground.fresh()
        spoiled = changed_bytes(sound, rng)
        (data / "journal" / "journal.sqlite3").write_bytes(spoiled)
        _open(figures, f"changed {number}", data)
    return figures


def _open(figures: Figures, name: str, data: Path) -> None:
    """Look at it, then open it for writing; what was there stays, there or set aside."""
    file = data / "journal" / "journal.sqlite3"
    before = file.read_bytes() if file.exists() else b""
    with figures.watching(name):
        status, _, err = run("export", "last", "--format", "json", "--data", str(data))
        figures.said(name, err, status)
        try:
            with Journal.open(data) as journal:
                journal.create_game([{"type": "x"}])
                is_aside = bool(journal.notices)
        except JournalError as error:
            figures.said(name, str(error))
            is_aside = False
            if file.read_bytes() != before:
                figures.complain(f"{name}: it was refused and changed")
        kept = [each for each in data.glob("journal*/*.sqlite3") if each.read_bytes() == before]
        if is_aside and not kept:
            figures.complain(f"{name}: what was there is gone")


def _profiles(ground: Ground, count: int, rng: random.Random) -> Figures:
    from calibration.profile_file import ProfileError, profile_bytes, read_profile
    from vision.balance import corrected

    figures, sound = Figures("files: profile"), profile_bytes(sound_profile())
    frame = np.full((48, 64, 3), 90, np.uint8)

    def use(path: Path) -> None:
        profile = read_profile(path)
        corrected(frame, profile.gains)
        if profile.lens is not None:
            profile.lens.straightened(frame)
        profile.drift(frame)
        assert profile.my_tiles is None or profile.my_tiles.own_set.shapes.dtype.kind == "f"

    changed = ((f"changed {n}", changed_bytes(sound, rng)) for n in range(count))
    _read_all(figures, ground, (*named_arrays(sound), *changed), use, ProfileError)
    return figures


def sound_profile() -> Profile:
    """A profile in which everything was calibrated."""
    tiles = (Tile("circle", "red"), Tile("star8", "blue", "white"))
    patches = np.arange(2 * PATCH_PX * PATCH_PX * 3).reshape(2, PATCH_PX, PATCH_PX, 3) % 251
    shown = Shown(patches.astype(np.uint8), tiles)
    own = OwnSet(np.linspace(0, 1, 7 * 16, dtype=np.float32).reshape(7, 16))
    mine = MyTiles(Edition("flex", None), (1.1, 1.0, 0.9), own, "0123456789abcdef", shown)
    matrix = np.array([[60.0, 0, 32], [0, 60, 24], [0, 0, 1]])
    lens = Lens((64, 48), matrix, np.array([0.1, 0, 0, 0, 0.0]), 0.3, 8)
    plane = Plane(np.eye(3), (64, 48), 0.5, 0.01, "tiles")
    reference = np.full((12, 16, 3), 90.0, np.float32)
    return Profile("usb 0", "kitchen", "2026-01-01", mine, reference, lens, plane)


def _models(ground: Ground, count: int, rng: random.Random) -> Figures:
    from vision.model import SHIPPED, ModelError, load

    figures, sound = Figures("files: model"), SHIPPED.read_bytes()
    changed = ((f"changed {n}", changed_bytes(sound, rng)) for n in range(count // 10))
    _read_all(figures, ground, (*named_arrays(sound), *changed), lambda p: load(p), ModelError)
    return figures


def _read_all(
    figures: Figures,
    ground: Ground,
    cases: tuple[Case, ...],
    read: Callable[[Path], object],
    error_kind: type[Exception],
) -> None:
    file = ground.place / "case.npz"
    for name, content in cases:
        file.write_bytes(content)
        with figures.watching(name):
            try:
                read(file)
                figures.said(name, "", 0)
            except error_kind as error:
                figures.said(name, str(error))


def _settings(ground: Ground, count: int, rng: random.Random) -> Figures:
    from tiletally.session_settings import Settings

    figures, folder = Figures("files: settings"), ground.place / "settings"
    folder.mkdir(exist_ok=True)
    sound = b'{"values":{"close_turn_after_s":5,"show_unseen":false},"resumed":{"game":1,"of":2}}'
    changed = ((f"changed {n}", changed_json(sound, rng)) for n in range(count))
    for name, content in (*named_texts(), *changed):
        (folder / "settings.json").write_bytes(content)
        with figures.watching(name):
            assert set(Settings.load(folder).plain()) >= {"close_turn_after_s", "show_unseen"}
            figures.said(name, "", 0)
            assert run("doctor", "--data", str(folder))[0] in (0, 1) if figures.files < 12 else True
    return figures


def _lines(ground: Ground, count: int, rng: random.Random) -> Figures:
    from tiletally.score import score_line

    figures = Figures("files: score")
    tile = {"x": 0, "y": 0, "shape": "circle", "colour": "red", "background": "black"}
    sound = json.dumps({"ruleset": "flex", "board": [tile], "placed": [{**tile, "x": 1}]}).encode()
    far = b'{"x":%s,"y":0,"shape":"circle","colour":"red","background":"black"}'
    nines = far % (b"9" * 4300)
    for name, line in (
        *named_texts(),
        ("far away", b'{"ruleset":"flex","board":[%s],"placed":[%s]}' % (nines, far % b"0")),
        ("far away too", b'{"ruleset":"flex","board":[],"placed":[%s,%s]}' % (nines, far % b"-5")),
        ("a long row", _row(20_000)),
        *((f"changed {n}", changed_json(sound, rng)) for n in range(count)),
    ):
        with figures.watching(name):
            answer = score_line(line)
            json.dumps(answer)
            figures.said(name, str(answer.get("error", "")), 1 if "error" in answer else 0)
    return figures


def _row(length: int) -> bytes:
    tile = {"y": 0, "shape": "circle", "colour": "red", "background": "black"}
    board = [{**tile, "x": x} for x in range(length)]
    placed = [{**tile, "x": length + x} for x in range(length)]
    return json.dumps({"ruleset": "flex", "board": board, "placed": placed}).encode()


def _notation(ground: Ground, count: int, rng: random.Random) -> Figures:
    figures = Figures("files: notation")
    sound = ("Ro@0,0 (pink)s+@-1,2", "@-1,0\nRo Rs .\n. Ys+ Yd", "G8/", "-")
    long = (
        "Ro@" + "9" * 5000 + ",0",
        "@" + "9" * 5000 + ",0\nRo",
        "Ro@٣,0",
        "(" * 9999,
        "@0,0\n\x00",
    )
    texts = [*long, *(_spoiled(rng.choice(sound), rng) for _ in range(count))]
    for text in texts:
        for parse in (parse_move, parse_table, parse_tile):
            with figures.watching(f"{parse.__name__}({text[:40]!r})"):
                try:
                    parse(text)
                    figures.said(text, "", 0)
                except NotationError as error:
                    figures.said(text, str(error)[:500])
    return figures


def _spoiled(text: str, rng: random.Random) -> str:
    return changed_bytes(text.encode(), rng).decode("utf-8", "replace")


KINDS = (_games, _backups, _journals, _profiles, _models, _settings, _lines, _notation)


def all_here(count: int, seed: int) -> list[Figures]:
    """Every kind of file, in this process."""
    resource.setrlimit(resource.RLIMIT_AS, (int(MOST_MB * 4) << 20, resource.RLIM_INFINITY))
    found = []
    with tempfile.TemporaryDirectory() as folder:
        ground = Ground.made(Path(folder))
        for kind in KINDS:
            begun = time.monotonic()
            figures = kind(ground, count, random.Random(seed))
            figures.seconds = round(time.monotonic() - begun, 1)
            found.append(figures)
    most_mb = peak_mb()
    if most_mb > MOST_MB:
        found[-1].complain(f"{most_mb:.0f} MB of memory")
    return found


def read_all(count: int, seed: int) -> list[Figures]:
    """Every kind of file, in a process of its own."""
    words = [sys.executable, "-m", "tests.fuzz.files", str(count), str(seed)]
    done = subprocess.run(words, cwd=ROOT, capture_output=True, check=False)
    if done.returncode != 0:
        failed = Figures("files")
        failed.complain(f"the process ended with {done.returncode}: {done.stderr[-900:]!r}")
        return [failed]
    return [Figures(**each) for each in json.loads(done.stdout)]


if __name__ == "__main__":
    sys.stdout.write(
        json.dumps([asdict(each) for each in all_here(int(sys.argv[1]), int(sys.argv[2]))])
    )
