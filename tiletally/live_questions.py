"""What the camera is not sure of, as questions with choices."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from scorer.plain import tile_json
from scorer.tiles import Cell, Placed, Tile
from vision.evidence import Box, Evidence, label_logs
from vision.understand import Understanding

MOST_QUESTIONS = 6
RESOLVED_LOG = -0.03
"""Log-probability of a label above which later looks have answered the question."""


@dataclass(frozen=True, slots=True)
class TileQuestion:
    """Which tile lies on a cell? None among the choices means that none does."""

    cell: Cell
    choices: tuple[Tile | None, ...]

    @property
    def id(self) -> str:
        """How an answer names it."""
        return f"{self.cell[0]},{self.cell[1]}"

    def to_json(self) -> dict[str, Any]:
        """The question as the page gets it."""
        return {
            "id": self.id,
            "code": "which_tile" if len(self.choices) > 1 else "unread_tile",
            "cell": list(self.cell),
            "params": {},
            "choices": [
                {"code": "no_tile", "params": {}}
                if tile is None
                else tile_json(Placed(self.cell, tile))
                for tile in self.choices
            ],
        }


@dataclass(frozen=True, slots=True)
class OrderQuestion:
    """Several moves were laid at once: which came first?"""

    ways: tuple[tuple[tuple[Placed, ...], ...], ...]

    @property
    def id(self) -> str:
        """How an answer names it."""
        return "order"

    def to_json(self) -> dict[str, Any]:
        """The question as the page gets it; each choice names the cells of the first move."""
        return {
            "id": self.id,
            "code": "which_first",
            "text": "Two moves were laid: which one came first?",
            "cell": list(self.ways[0][0][0].cell),
            "params": {},
            "choices": [_first(way[0]) for way in self.ways],
        }


def _first(move: tuple[Placed, ...]) -> dict[str, Any]:
    names = ", ".join(f"{tile.colour} {tile.shape}" for _, tile in move)
    cells = [list(cell) for cell, _ in move]
    tiles = [tile_json(placed) for placed in move]
    return {"code": "these_first", "text": names, "params": {"cells": cells, "tiles": tiles}}


def order_question(understood: Understanding) -> OrderQuestion | None:
    """The question about the order of several moves, where the rules allow several."""
    if understood.decoded is None or not understood.decoded.orders:
        return None
    return OrderQuestion((understood.moves, *understood.decoded.orders)[:MOST_QUESTIONS])


def questions_of(understood: Understanding) -> tuple[TileQuestion, ...]:
    """What a look leaves open about the tiles that were laid."""
    if understood.decoded is None or understood.doubt == 0:
        return ()
    open_cells = [
        TileQuestion(cell, tuple(tile for tile, _ in ways))
        for cell, ways in understood.decoded.alternatives.items()
    ]
    unread = [TileQuestion(cell, (None,)) for cell in sorted(understood.unread)]
    return tuple([*open_cells, *unread][:MOST_QUESTIONS])


def still_open(
    questions: Mapping[Cell, TileQuestion],
    board: Mapping[Cell, Tile],
    evidence: Mapping[Cell, Evidence],
    box: Box,
) -> dict[Cell, TileQuestion]:
    """The questions about final turns that later looks have not answered."""
    found = {}
    for cell, question in questions.items():
        if cell not in board or len(question.choices) < 2:
            continue
        if cell in evidence and board[cell] in box.copies:
            log = label_logs(evidence[cell], box)[box.tiles.index(board[cell])]
            if log > RESOLVED_LOG:
                continue
        found[cell] = question
    return found
