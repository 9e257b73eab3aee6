"""What a lesson is worth in lights other than its own, and on another table cloth.

`python -m tests.calibration.other_light` prints the table: learned in each light, played in each.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Iterable, Mapping

from calibration.arrangement import match, suggested
from calibration.drift import reference
from calibration.my_tiles import Edition
from calibration.profile import Profile
from calibration.seeing import Seeing
from scorer.tiles import Cell, Tile
from tests.calibration.evidence import CASTS, Change, Frame, taught
from tests.vision.drawn import blocks_of, drawn_table, layout_of
from vision.balance import corrected
from vision.model import Model, load
from vision.reader import Reader
from vision.reading import Reading

FLEX = Edition("flex")
LIGHTS: dict[str, Change] = {
    "daylight": lambda frame: frame,
    **{name: CASTS[name] for name in ("very warm", "cool", "candle", "dusk")},
}
TABLES = ("light wood", "felt", "laminate", "dark wood")
Layout = Mapping[Cell, Tile]


def errors(reading: Reading, layout: Layout) -> int:
    """Tiles that are not read as they are."""
    found = match(reading.layout, layout)
    return len(layout) - sum(seen.tile == tile for seen, tile in found.pairs)


def counted(seeds: Iterable[int], other_cloth: bool, tiles: int, model: Model) -> list[int]:
    """Tiles, and those wrong: without a lesson, with the lesson as learned, and as it is used."""
    total = [0, 0, 0, 0]
    for seed in seeds:
        layout = layout_of(100 * seed + tiles, tiles)
        shown, game = _photo(suggested("flex"), seed, 0), _photo(layout, seed, other_cloth)
        for light in LIGHTS.values():
            lesson = taught(light(shown), suggested("flex"), FLEX, model)
            assert lesson is not None
            profile = Profile().with_tiles(lesson, FLEX, model, reference(light(shown)))
            for other in LIGHTS.values():
                found = _errors_of(other(game), layout, profile, model)
                total = [have + more for have, more in zip(total, found, strict=True)]
    return total


def _errors_of(frame: Frame, layout: Layout, profile: Profile, model: Model) -> list[int]:
    plain = Reader("flex", None, model)
    own = Reader("flex", None, model, profile.own_set(FLEX))
    readings = (
        plain.read(frame),
        own.read(corrected(frame, profile.gains)),
        Seeing(profile, own).read(frame),
    )
    return [len(layout), *(errors(reading, layout) for reading in readings)]


def _photo(layout: Layout, seed: int, other_cloth: int) -> Frame:
    top, grain = TABLES[(seed + other_cloth) % len(TABLES)], seed + 50 * other_cloth
    return drawn_table(blocks_of(dict(layout), 10 * seed + 1), grain, table=top).frame_bgr


def main() -> None:
    """Print the table."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--seeds", type=int, default=4, help="drawn tables for each line")
    args = parser.parse_args()
    model = load()
    sys.stdout.write("| table | on it | tiles | without | as learned | as used |\n")
    sys.stdout.write("|---|---|---|---|---|---|\n")
    for name, other_cloth in (("the same", False), ("another cloth", True)):
        for tiles in (3, 14):
            figures = counted(range(args.seeds), other_cloth, tiles, model)
            cells = " | ".join(str(figure) for figure in figures)
            sys.stdout.write(f"| {name} | {tiles} tiles | {cells} |\n")
            sys.stdout.flush()


if __name__ == "__main__":
    main()
