"""My tiles: one photo of a few known tiles teaches the colours of that set in that light."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from calibration.arrangement import Match, match
from calibration.findings import CalibrationError, Finding, Level
from calibration.light import STARTS, Cast, Shown, estimate, in_words, patches_of
from scorer.tiles import COLOURS, Cell, Tile
from vision.balance import NEUTRAL, Gains, corrected
from vision.classify import Allowed
from vision.model import Model
from vision.own_set import OwnSet, OwnSetError, learn_features
from vision.reader import Reader
from vision.reading import SeenTile

Frame = npt.NDArray[Any]
Pair = tuple[SeenTile, Tile]

LEAST_SHARE = 0.6
"""Of the tiles laid out, this share must be seen where they belong, or nothing is learned."""

SURE_P = 0.95
"""A tile that is read as another with at least this chance was probably laid wrong."""


@dataclass(frozen=True, slots=True)
class Edition:
    """The box that the tiles are from."""

    rules: str
    colours: tuple[str, ...] | None = None

    @property
    def allowed(self) -> Allowed:
        """What can lie on the table."""
        return Allowed.by(self.rules, self.colours)


@dataclass(frozen=True, slots=True)
class Figures:
    """How a photo of known tiles is read: of `tiles`, how many are found, and right in colour.

    `trust` is the mean probability given to the true colour; a tile not found counts as 0.
    """

    tiles: int
    found: int
    colours_right: int
    trust: float

    def as_json(self) -> dict[str, float]:
        """The figures as plain values."""
        return {
            "tiles": self.tiles,
            "found": self.found,
            "colours_right": self.colours_right,
            "trust": round(self.trust, 3),
        }


@dataclass(frozen=True, slots=True)
class Lesson:
    """What one photo taught: the light, the set's own colours, and the gain from knowing them.

    `shown` are the patches that it was learned from; a later model learns from them again.
    """

    gains: Gains
    own_set: OwnSet
    shown: Shown
    before: Figures
    after: Figures
    findings: tuple[Finding, ...]


def learn_from_photo(
    frame_bgr: Frame, expected: Mapping[Cell, Tile], edition: Edition, model: Model
) -> Lesson:
    """Learn light and colours from one photo of tiles that were laid out as expected.

    Raises:
        CalibrationError: The tiles are not found as expected; the message says what to do.
    """
    reader = Reader(edition.rules, edition.colours, model)
    first, start = _first_look(frame_bgr, expected, reader)
    gains = _light_of(frame_bgr, first, start, edition, model)
    better = match(reader.read(corrected(frame_bgr, gains)).layout, expected)
    if len(better.pairs) > len(first.pairs):
        first = better
        gains = _light_of(frame_bgr, first, gains, edition, model)
        better = match(reader.read(corrected(frame_bgr, gains)).layout, expected)
    odd = _laid_wrong(better)
    sound = [pair for pair in better.pairs if not any(pair is other for other in odd)]
    shown = Shown(patches_of(frame_bgr, [s for s, _ in sound]), tuple(t for _, t in sound))
    own = _own_colours(shown, gains, edition, model)
    before = figures(match(reader.read(frame_bgr).layout, expected), len(expected))
    after = _after(frame_bgr, expected, edition, model, gains, own)
    findings = (*_missing(better), *_wrong(odd), _gain_in_words(gains, before, after))
    return Lesson(gains, own, shown, before, after, findings)


def relearned(shown: Shown, gains: Gains, edition: Edition, model: Model) -> tuple[Gains, OwnSet]:
    """Light and colours learned again from kept patches, for a model that is new."""
    cast = Cast(shown, edition.allowed, model)
    gains = estimate(cast, gains)
    return gains, _own_colours(shown, gains, edition, model)


def figures(found: Match, count: int) -> Figures:
    """How well a matched photo was read."""
    trust = [seen.colour_p[COLOURS.index(tile.colour)] for seen, tile in found.pairs]
    mean = float(np.sum(trust)) / max(1, count)
    return Figures(count, len(found.pairs), found.colours_right, mean)


def _first_look(frame: Frame, expected: Mapping[Cell, Tile], reader: Reader) -> tuple[Match, Gains]:
    """The best match of a few guesses at the light, and that guess."""
    best, chosen = Match((), tuple(expected.values()), 0.0), NEUTRAL
    for gains in STARTS:
        found = match(reader.read(corrected(frame, gains)).layout, expected)
        if found.score > best.score:
            best, chosen = found, gains
        if found.shapes_right == found.colours_right == len(expected):
            break
    if best.shapes_right < LEAST_SHARE * len(expected):
        _refuse(best, len(expected))
    return best, chosen


def _refuse(found: Match, count: int) -> None:
    seen = found.shapes_right
    if not found.pairs:
        text = "No tiles can be seen. Lay them out as shown, in the middle of the picture."
    else:
        text = (
            f"Only {seen} of the {count} tiles lie as shown. Lay out exactly the tiles of the "
            "picture, edge to edge, with nothing else beside them, and take the photo again."
        )
    raise CalibrationError("tiles_not_as_shown", text, seen=seen, count=count)


def _light_of(frame: Frame, found: Match, start: Gains, edition: Edition, model: Model) -> Gains:
    seen = [pair[0] for pair in found.pairs]
    shown = Shown(patches_of(frame, seen), tuple(tile for _, tile in found.pairs))
    return estimate(Cast(shown, edition.allowed, model), start)


def _own_colours(shown: Shown, gains: Gains, edition: Edition, model: Model) -> OwnSet:
    features = Cast(shown, edition.allowed, model).features(gains)
    try:
        return learn_features(features, [tile.colour for tile in shown.tiles], model)
    except OwnSetError as error:
        raise CalibrationError("too_few_colours", f"Too few colours: {error}.") from error


def _after(
    frame: Frame,
    expected: Mapping[Cell, Tile],
    edition: Edition,
    model: Model,
    gains: Gains,
    own: OwnSet,
) -> Figures:
    reader = Reader(edition.rules, edition.colours, model, own)
    return figures(match(reader.read(corrected(frame, gains)).layout, expected), len(expected))


def _laid_wrong(found: Match) -> list[Pair]:
    """Tiles that surely show something other than what was expected."""
    return [
        pair for pair in found.pairs if pair[0].tile != pair[1] and pair[0].confidence >= SURE_P
    ]


def _missing(found: Match) -> list[Finding]:
    return [
        Finding(
            "tile_not_seen",
            "hint",
            f"The {tile.colour} {tile.shape} was not seen; the others were enough.",
            {"shape": tile.shape, "colour": tile.colour, "background": tile.background},
        )
        for tile in found.missing
    ]


def _wrong(odd: Sequence[Pair]) -> list[Finding]:
    return [
        Finding(
            "tile_laid_wrong",
            "hint",
            f"Where the {tile.colour} {tile.shape} should lie, there seems to be a "
            f"{seen.tile.colour} {seen.tile.shape}. It was left out; lay it right and take the "
            "photo again.",
            {"shape": tile.shape, "colour": tile.colour, "seen": " ".join(seen.tile)},
        )
        for seen, tile in odd
    ]


def _gain_in_words(gains: Gains, before: Figures, after: Figures) -> Finding:
    count = before.tiles
    was, now = before.colours_right, after.colours_right
    if now > was:
        gain = f"Of {count} tiles, {was} had the right colour before and {now} have it now."
    elif after.trust > before.trust + 0.01:
        gain = f"All colours were right already; now they are surer: {_per_cent(before, after)}."
    else:
        gain = "The tiles were read well already; nothing is lost and the light is known now."
    values: dict[str, float | int | str] = {
        "count": count,
        "before": was,
        "after": now,
        "trust_before": round(before.trust, 3),
        "trust_after": round(after.trust, 3),
        "warmth": round(float(np.log(gains[0] / gains[2])), 2),
    }
    level: Level = "good" if now >= LEAST_SHARE * count else "problem"
    return Finding("tiles_learned", level, f"{in_words(gains)} {gain}", values)


def _per_cent(before: Figures, after: Figures) -> str:
    return f"{before.trust:.0%} before, {after.trust:.0%} now"
