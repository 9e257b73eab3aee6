"""How much "my tiles" gains: colour errors under casts before and after one photo.

`python -m tests.calibration.evidence [FOLDER]` prints the table for drawn tables and, with a
folder of labelled games, for those too.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

from calibration.arrangement import match, suggested
from calibration.findings import CalibrationError
from calibration.my_tiles import Edition, Lesson, learn_from_photo
from models.degrade import WORSE, shrunk
from models.games import LabelledGame, LabelledPhoto, find_games
from models.judge import judge_photo
from scorer.tiles import Cell, Tile
from tests.vision.drawn import blocks_of, drawn_table, layout_of
from vision.balance import corrected
from vision.images import read_image
from vision.model import Model, load
from vision.reader import Reader
from vision.reading import Reading

Frame = npt.NDArray[Any]
Change = Callable[[Frame], Frame]


def tinted(blue: float, green: float, red: float) -> Change:
    """Levels multiplied and cut off, like a wrong white balance."""
    return lambda frame: np.clip(frame * np.array([blue, green, red]), 0, 255).astype(np.uint8)


CASTS: dict[str, Change] = {
    "warm": WORSE["warm"],
    "very warm": WORSE["very warm"],
    "cool": WORSE["cool"],
    "very cool": tinted(1.3, 0.9, 0.5),
    "candle": tinted(0.2, 0.6, 1.3),
    "dusk": tinted(1.4, 0.8, 0.3),
}


@dataclass(slots=True)
class Count:
    """Tiles on some photos, those not found where they lie, and those found in a wrong colour."""

    tiles: int = 0
    missed: int = 0
    wrong: int = 0

    def add(self, other: Count) -> None:
        """Add another's counts."""
        self.tiles += other.tiles
        self.missed += other.missed
        self.wrong += other.wrong

    @property
    def errors(self) -> int:
        """Tiles without their right colour, for either reason."""
        return self.missed + self.wrong


@dataclass(frozen=True, slots=True)
class Gain:
    """Counts without and with what one photo taught, and with its light alone."""

    before: Count
    after: Count
    light_only: Count

    @classmethod
    def nothing(cls) -> Gain:
        """Three empty counts."""
        return cls(Count(), Count(), Count())

    def add(self, other: Gain) -> None:
        """Add another's counts."""
        self.before.add(other.before)
        self.after.add(other.after)
        self.light_only.add(other.light_only)


Judged = Callable[[Reading], Count]


def compare(
    frames: Iterable[tuple[Frame, Judged]], lesson: Lesson | None, edition: Edition, model: Model
) -> Gain:
    """Read frames as they are and with what was learned."""
    plain = Reader(edition.rules, edition.colours, model)
    own = Reader(edition.rules, edition.colours, model, lesson.own_set) if lesson else plain
    gain = Gain.nothing()
    for frame, judged in frames:
        balanced = corrected(frame, lesson.gains) if lesson else frame
        gain.before.add(judged(plain.read(frame)))
        gain.light_only.add(judged(plain.read(balanced)))
        gain.after.add(judged(own.read(balanced)))
    return gain


def taught(
    frame: Frame, expected: Mapping[Cell, Tile], edition: Edition, model: Model
) -> Lesson | None:
    """The lesson of a photo, or None where it was refused."""
    try:
        return learn_from_photo(frame, expected, edition, model)
    except CalibrationError:
        return None


def drawn_gain(cast: Change, seeds: Iterable[int], model: Model, rules: str = "flex") -> Gain:
    """Drawn tables: the suggested tiles first, then a game on the same table in the same light."""
    total, edition = Gain.nothing(), Edition(rules)
    for seed in seeds:
        table = ("light wood", "laminate", "dark wood", "felt")[seed % 4]
        shown = suggested(rules)
        photo = cast(drawn_table(blocks_of(shown, seed), seed, table=table).frame_bgr)
        games = [layout_of(100 * seed + k, 16, rules) for k in range(2)]
        frames = [
            (cast(drawn_table(blocks_of(game, seed), seed, table=table).frame_bgr), _against(game))
            for game in games
        ]
        total.add(compare(frames, taught(photo, shown, edition, model), edition, model))
    return total


def _against(layout: Mapping[Cell, Tile]) -> Judged:
    def judged(reading: Reading) -> Count:
        found = match(reading.layout, layout)
        wrong = len(found.pairs) - found.colours_right
        return Count(len(layout), len(found.missing), wrong)

    return judged


def game_gain(game: LabelledGame, cast: Change, model: Model, step: int = 1) -> Gain:
    """A labelled game: learned from its first photo with all colours, judged on the others."""
    photos = [photo for photo in game.photos if photo.layout and not photo.is_busy]
    teacher = _first_with_all_colours(photos)
    edition = Edition(game.rules, game.colours)
    frame = cast(shrunk(read_image(teacher.path))[0])
    lesson = taught(frame, teacher.layout, edition, model)
    others = [photo for photo in photos if photo is not teacher][::step]
    return compare((_cast_photo(photo, cast) for photo in others), lesson, edition, model)


def _first_with_all_colours(photos: Sequence[LabelledPhoto]) -> LabelledPhoto:
    counts = [len({tile.colour for tile in photo.layout.values()}) for photo in photos]
    return photos[counts.index(max(counts))]


def _cast_photo(photo: LabelledPhoto, cast: Change) -> tuple[Frame, Judged]:
    frame, scale = shrunk(read_image(photo.path))

    def judged(reading: Reading) -> Count:
        verdict = judge_photo(photo, reading, scale, whole=False)
        wrong = sum(n for what, n in verdict.wrong.items() if what.startswith("colour"))
        return Count(verdict.tiles, verdict.tiles - verdict.found, wrong)

    return cast(frame), judged


def line(name: str, gain: Gain) -> str:
    """One row of the table."""
    counts = [gain.before, gain.light_only, gain.after]
    cells = " | ".join(f"{c.wrong} wrong, {c.missed} missed" for c in counts)
    return f"| {name} | {gain.before.tiles} | {cells} |\n"


def main() -> None:
    """Print the table."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("folder", type=Path, nargs="?", help="labelled games")
    parser.add_argument("--seeds", type=int, default=8, help="drawn tables for each cast")
    args = parser.parse_args()
    model = load()
    sys.stdout.write("| cast | tiles | before | light undone | light and own tiles |\n")
    sys.stdout.write("|---|---|---|---|---|\n")
    for name, cast in CASTS.items():
        for rules in ("flex", "classic"):
            gain = drawn_gain(cast, range(args.seeds), model, rules)
            sys.stdout.write(line(f"{name}, drawn {rules}", gain))
            sys.stdout.flush()
    for name, cast in CASTS.items() if args.folder else ():
        total = Gain.nothing()
        for game in find_games(args.folder):
            total.add(game_gain(game, cast, model))
        sys.stdout.write(line(f"{name}, {args.folder.name}", total))
        sys.stdout.flush()


if __name__ == "__main__":
    main()
