"""A family's own tiles: colours and shapes learned from a few, in the light they are played in."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np
import numpy.typing as npt

from scorer.tiles import COLOURS, Tile
from vision.model import Model
from vision.own_shapes import ORDINARY, judged
from vision.reading import SeenTile

Array = npt.NDArray[Any]

OWN_SHARE = 0.5
"""How much the family's own tiles count beside the general judgement. On sets whose inks are
unlike others (320 drawn tiles, 42 colours wrong without own colours), 0.5 and 1 leave 32 wrong and
0.25 leaves 34; on ordinary sets 1 with a smaller general share made up to 2 of 953 wrong."""

LEAST_COLOURS = 3


class OwnSetError(Exception):
    """The tiles shown do not tell enough; the message says what to lay out."""


@dataclass(frozen=True, slots=True)
class OwnSet:
    """What each colour looks like in this set and light: `means` (7, F) of the colour features.

    `shapes` (6, 6) is what the general judgement of a shape means in this set.
    """

    means: Array
    shapes: Array = field(default_factory=ORDINARY.copy)

    def shape_p(self, general: Array) -> Array:
        """Shape probabilities (N, 6) in this set, from those of the general judgement."""
        return judged(general, self.shapes)

    def logits(self, features: Array, base: Array, spread: Array) -> Array:
        """Colour logits (N, 7): nearness to the own colours, and the general judgement.

        `spread` (F, F) is the inverse of how the features of one colour vary within one frame.
        """
        gap = features[:, None] - self.means[None]
        near = -0.5 * np.einsum("ncf,fg,ncg->nc", gap, spread, gap)
        return np.asarray(OWN_SHARE * near + base)


def learn(shown: Iterable[tuple[SeenTile, Tile]], model: Model) -> OwnSet:
    """Learn from seen tiles whose true labels are known.

    Raises:
        OwnSetError: Too few different colours were shown.
    """
    pairs = list(shown)
    features = np.array([seen.features for seen, _ in pairs], np.float32)
    return learn_features(features, [tile.colour for _, tile in pairs], model)


def learn_features(features: Array, colours: Sequence[str], model: Model) -> OwnSet:
    """Learn from the colour features (N, F) of tiles whose true colours are known.

    Colours that were not shown are taken to have shifted like the others.

    Raises:
        OwnSetError: Too few different colours were shown.
    """
    kinds = np.array([COLOURS.index(colour) for colour in colours], int)
    present = sorted(set(kinds.tolist()))
    if len(present) < LEAST_COLOURS:
        raise OwnSetError(
            f"lay out tiles of at least {LEAST_COLOURS} different colours, better one of each"
        )
    means = model.colour_means.copy()
    seen_means = np.stack([features[kinds == colour].mean(0) for colour in present])
    means += (seen_means - means[present]).mean(0)
    means[present] = seen_means
    return OwnSet(means)
