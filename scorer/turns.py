"""What a turn may be besides a placement, and when the game is over."""

from __future__ import annotations

from collections.abc import Collection, Sequence

from scorer.fitting import anything_fits
from scorer.opening import missing_from
from scorer.rules import Violation
from scorer.tiles import Table, Tile
from scorer.tilesets import HAND_SIZE

FINISHING_BONUS = 6


def turn_options(table: Table, hand: Collection[Tile], bag: int, rules: str) -> tuple[str, ...]:
    """What a player with a known hand may do: place, exchange, or pass if neither is possible."""
    options = ["place"] if anything_fits(table, hand, rules) else []
    if bag > 0 and table:
        options.append("exchange")
    return tuple(options) or ("pass",)


def judge_exchange(count: int, hand: int, bag: int) -> tuple[Violation, ...]:
    """What is wrong with exchanging so many tiles."""
    found = []
    if count < 1:
        found.append(Violation("nothing_exchanged"))
    if count > HAND_SIZE:
        found.append(Violation("more_than_six", (), {"count": count}))
    if count > hand:
        found.append(Violation("more_than_in_hand", (), {"count": count, "limit": hand}))
    if count > bag:
        found.append(Violation("more_than_in_bag", (), {"count": count, "limit": bag}))
    return tuple(found)


def judge_exchange_of(
    given: Collection[Tile], hand: Collection[Tile], bag: int
) -> tuple[Violation, ...]:
    """What is wrong with exchanging these tiles out of a known hand."""
    return (
        *missing_from(hand, given),
        *judge_exchange(len(given), max(len(hand), len(given)), bag),
    )


def refill(hand: int, bag: int) -> int:
    """How many tiles are drawn at the end of a turn."""
    return max(0, min(HAND_SIZE - hand, bag))


def finishing_bonus(hand: int, bag: int) -> int:
    """The points for placing the last tile of the hand with an empty bag, which ends the game."""
    return FINISHING_BONUS if hand == 0 and bag == 0 else 0


def is_deadlock(passes_in_a_row: int, players: int) -> bool:
    """Whether everybody passed one after the other."""
    return passes_in_a_row >= players


def winners(totals: Sequence[int]) -> tuple[int, ...]:
    """The players with the highest total, who share the win."""
    return tuple(player for player, total in enumerate(totals) if total == max(totals))
