"""My tiles: one photo of a few known tiles teaches that set's colours and shapes in that light."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
import numpy.typing as npt

from calibration.arrangement import Match, match
from calibration.findings import CalibrationError, Finding
from calibration.gain import LEAST_SHARE, Figures, gain_in_words
from calibration.light import STARTS, Cast, Shown, estimate, patches_of
from scorer.tiles import Cell, Tile
from vision.balance import NEUTRAL, Gains, corrected
from vision.classify import Allowed, Namer
from vision.model import Model
from vision.own_set import OwnSet, OwnSetError, learn_features
from vision.own_shapes import learn_shapes
from vision.reader import Reader
from vision.reading import SeenTile

Array = npt.NDArray[Any]
Frame = npt.NDArray[Any]
Pair = tuple[SeenTile, Tile]

LEAST_SHAPES = 0.4
"""Of the tiles laid out, this share must show its shape: odd artwork may hide half of the shapes,
but right colours alone do not tell that it is those tiles."""

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
class Lesson:
    """What one photo taught: the light, the set's own colours and shapes, and the gain from that.

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
    """Learn light, colours and shapes from one photo of tiles that were laid out as expected.

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
    own = _own_set(shown, gains, edition, model)
    before = Figures.of(match(reader.read(frame_bgr).layout, expected), len(expected))
    after = _after(frame_bgr, expected, edition, model, gains, own)
    findings = (*_missing(better), *_wrong(odd), gain_in_words(gains, before, after))
    return Lesson(gains, own, shown, before, after, findings)


def relearned(shown: Shown, gains: Gains, edition: Edition, model: Model) -> tuple[Gains, OwnSet]:
    """Light, colours and shapes learned again from kept patches, for a model that is new."""
    cast = Cast(shown, edition.allowed, model)
    gains = estimate(cast, gains)
    return gains, _own_set(shown, gains, edition, model)


def _first_look(frame: Frame, expected: Mapping[Cell, Tile], reader: Reader) -> tuple[Match, Gains]:
    """The best match of a few guesses at the light, and that guess."""
    best, chosen = Match((), tuple(expected.values()), 0.0), NEUTRAL
    for gains in STARTS:
        found = match(reader.read(corrected(frame, gains)).layout, expected)
        if found.score > best.score:
            best, chosen = found, gains
        if found.shapes_right == found.colours_right == len(expected):
            break
    least = LEAST_SHARE * len(expected), LEAST_SHAPES * len(expected)
    if best.as_shown < least[0] or best.shapes_right < least[1]:
        _refuse(best, len(expected))
    return best, chosen


def _refuse(found: Match, count: int) -> None:
    seen = min(found.as_shown, found.shapes_right)
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


def _own_set(shown: Shown, gains: Gains, edition: Edition, model: Model) -> OwnSet:
    features = Cast(shown, edition.allowed, model).features(gains)
    try:
        own = learn_features(features, [tile.colour for tile in shown.tiles], model)
    except OwnSetError as error:
        raise CalibrationError("too_few_colours", f"Too few colours: {error}.") from error
    return replace(own, shapes=_own_shapes(shown, gains, edition, model))


def _own_shapes(shown: Shown, gains: Gains, edition: Edition, model: Model) -> Array:
    """What the shapes look like, every way round: in a game they lie in any quarter turn."""
    patches = corrected(shown.patches_bgr, gains)
    turned = np.concatenate([np.rot90(patches, quarter, (1, 2)) for quarter in range(4)])
    named = Namer(model).name(turned, edition.allowed, np.zeros((0, 0), np.float32))
    return learn_shapes(named.shape_p, [tile.shape for tile in shown.tiles] * 4)


def _after(
    frame: Frame,
    expected: Mapping[Cell, Tile],
    edition: Edition,
    model: Model,
    gains: Gains,
    own: OwnSet,
) -> Figures:
    reader = Reader(edition.rules, edition.colours, model, own)
    return Figures.of(match(reader.read(corrected(frame, gains)).layout, expected), len(expected))


def _laid_wrong(found: Match) -> list[Pair]:
    """Tiles that surely show something other than what was expected."""
    return [
        pair
        for pair in found.pairs
        if pair[0].tile != pair[1]
        and pair[0].confidence >= SURE_P
        and not _is_drawn_so(found, pair[0].tile, pair[1])
    ]


def _is_drawn_so(found: Match, read: Tile, tile: Tile) -> bool:
    """Whether a shape is only drawn unlike ours: it alone is off, and on every tile alike."""
    alike = [seen.tile.shape for seen, other in found.pairs if other.shape == tile.shape]
    return read._replace(shape=tile.shape) == tile and len(alike) > 1 and set(alike) == {read.shape}


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
