"""How much own shapes gain on sets drawn unlike any that the model learned from.

`python -m tests.calibration.odd_sets` prints the table: other editions, painted and hand-made sets.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Iterable, Mapping
from dataclasses import replace
from typing import Any

import numpy as np

from calibration.arrangement import match, suggested
from calibration.my_tiles import Edition
from models.generate import random_look
from scorer.tiles import Cell, Tile
from tests.calibration.evidence import Count, Frame, Gain, Judged, compare, line, taught
from tests.vision.drawn import blocks_of, drawn_table, layout_of
from vision.model import Model, load
from vision.reading import Reading
from vision.scene.artwork import SPLITS, Look

TABLES = ("light wood", "laminate", "dark wood", "felt", "checked cloth")

Range = tuple[float, float]

ODD: dict[str, dict[str, Range]] = {
    "small": {"scale": (0.55, 0.72)},
    "large": {"scale": (1.1, 1.25)},
    "fat": {"leaf": (0.19, 0.24), "star4_waist": (0.22, 0.28), "star8_waist": (0.29, 0.34)},
    "thin": {"leaf": (0.08, 0.115), "star4_waist": (0.05, 0.09), "star8_waist": (0.10, 0.15)},
    "rounded": {"soft": (0.04, 0.075), "swell": (0.0, 0.02)},
    "swollen": {"soft": (0.01, 0.03), "swell": (0.04, 0.07)},
    "starved": {"soft": (0.01, 0.03), "swell": (-0.07, -0.04)},
    "fat and rounded": {
        "leaf": (0.18, 0.22),
        "star4_waist": (0.20, 0.26),
        "star8_waist": (0.28, 0.32),
        "soft": (0.03, 0.06),
    },
    "small and rounded": {"scale": (0.62, 0.75), "soft": (0.03, 0.05)},
}
"""What is drawn beyond the range that `models/generate.py` draws from, in tile edges."""


def odd_look(kind: str, seed: int) -> Look:
    """A set of this kind; `ordinary` is any that the model could have learned from."""
    rng = np.random.default_rng([seed, len(kind)])
    if kind == "ordinary":
        return random_look(rng)
    odd: dict[str, Any] = {name: float(rng.uniform(*reach)) for name, reach in ODD[kind].items()}
    split = str(rng.choice(SPLITS))
    return replace(Look(split=split, seed=int(rng.integers(2**31))), **odd)


def shape_gain(
    kind: str, seeds: Iterable[int], model: Model, rules: str = "flex", games: int = 2
) -> tuple[Gain, int]:
    """Shape errors on tables with sets of one kind, and how many photos of tiles were refused."""
    total, refused, edition = Gain.nothing(), 0, Edition(rules)
    for seed in seeds:
        lesson = taught(_photo(suggested(rules), kind, seed), suggested(rules), edition, model)
        refused += lesson is None
        layouts = [layout_of(100 * seed + k, 18, rules) for k in range(games)]
        looks = [_photo(laid, kind, seed, k + 1) for k, laid in enumerate(layouts)]
        frames = zip(looks, map(_against, layouts), strict=True)
        total.add(compare(frames, lesson, edition, model))
    return total, refused


def _photo(layout: dict[Cell, Tile], kind: str, seed: int, look: int = 0) -> Frame:
    rng = np.random.default_rng([seed, 1])
    return drawn_table(
        blocks_of(layout, 10 * seed + look),
        seed,
        table=TABLES[seed % len(TABLES)],
        tilt=rng.uniform(0, 0.4),
        edge_px=rng.uniform(30, 55),
        look=odd_look(kind, seed),
    ).frame_bgr


def _against(layout: Mapping[Cell, Tile]) -> Judged:
    def judged(reading: Reading) -> Count:
        found = match(reading.layout, layout)
        wrong = sum(seen.tile.shape != tile.shape for seen, tile in found.pairs)
        return Count(len(layout), len(found.missing), wrong)

    return judged


def main() -> None:
    """Print the table."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--sets", type=int, default=8, help="drawn sets of each kind")
    parser.add_argument("--first", type=int, default=100, help="the first set's seed")
    args = parser.parse_args()
    model = load()
    sys.stdout.write("| symbols | tiles | before | light undone | light and own | refused |\n")
    sys.stdout.write("|---|---|---|---|---|---|\n")
    for kind in ("ordinary", *ODD):
        gain, refused = shape_gain(kind, range(args.first, args.first + args.sets), model)
        sys.stdout.write(line(kind, gain).replace("\n", f" {refused} of {args.sets} |\n"))
        sys.stdout.flush()


if __name__ == "__main__":
    main()
