"""What a person's answer makes of a move."""

from __future__ import annotations

from scorer.tiles import Cell, Placed, Tile


def answered(move: tuple[Placed, ...], cell: Cell, tile: Tile | None) -> tuple[Placed, ...]:
    """The move with this tile on the cell, or with none."""
    kept = [placed for placed in move if placed.cell != cell]
    return tuple(sorted(kept if tile is None else [*kept, Placed(cell, tile)]))
