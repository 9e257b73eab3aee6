"""Who starts, and what the opening must be."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Sequence

from scorer.options import DEFAULTS, Options
from scorer.rules import Judgement, Violation, judge
from scorer.tiles import Placed, Tile


def set_size(hand: Collection[Tile]) -> int:
    """The largest number of tiles of a hand that form one sound line; backgrounds are ignored."""
    faces = {tile.face for tile in hand}
    by_trait = Counter(trait for face in faces for trait in enumerate(face))
    return max(by_trait.values(), default=0)


def largest_sets(hand: Collection[Tile]) -> list[list[Tile]]:
    """Every choice of faces with which the hand may open, with one tile for each face."""
    by_face = {tile.face: tile for tile in hand}
    size = set_size(hand)
    sets = []
    for trait in dict.fromkeys(trait for face in by_face for trait in enumerate(face)):
        tiles = [tile for face, tile in by_face.items() if trait in enumerate(face)]
        if len(tiles) == size and tiles not in sets:
            sets.append(tiles)
    return sets


def starting_player(sizes: Sequence[int], ages: Sequence[int | None], tie: str) -> int:
    """The index of the player who starts.

    Args:
        sizes: The set size of every player, in seat order.
        ages: Their ages; None where nobody told, which never wins a tie against a known age.
        tie: "youngest" or "oldest" of the players with the largest set; then seat order.
    """
    largest = max(sizes)
    tied = [player for player, size in enumerate(sizes) if size == largest]

    def rank(player: int) -> tuple[bool, int]:
        age = ages[player]
        return (age is None, 0 if age is None else age if tie == "youngest" else -age)

    return min(tied, key=rank)


def judge_opening(
    placed: Sequence[Placed],
    hand: Collection[Tile],
    rules: str = "classic",
    options: Options = DEFAULTS,
) -> Judgement:
    """Judge an opening by a player whose hand is known: it must be a largest set, complete."""
    judgement = judge({}, placed, rules, options)
    found = [*judgement.violations, *missing_from(hand, [tile for _, tile in placed])]
    if len(placed) != set_size(hand):
        cells = tuple(cell for cell, _ in placed)
        params = {"count": len(placed), "limit": set_size(hand)}
        found.append(Violation("opening_not_largest_set", cells, params))
    return Judgement(tuple(found), judgement.lines, judgement.points)


def missing_from(hand: Collection[Tile], wanted: Collection[Tile]) -> list[Violation]:
    """The tiles that somebody uses without holding them."""
    missing = Counter(wanted) - Counter(hand)
    return [
        Violation("not_in_hand", (), {**tile._asdict(), "count": count})
        for tile, count in missing.items()
    ]
