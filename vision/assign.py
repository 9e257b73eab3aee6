"""The likeliest labels that make a set of new tiles a legal move."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from scorer.options import DEFAULTS, Options
from scorer.rules import judge
from scorer.tiles import Cell, Placed, Table, Tile
from scorer.tilesets import TileSet
from vision.evidence import Box, Evidence, box_of, ranked

MOST_LABELS = 24
"""Labels tried for one cell."""
WITHIN = 11.0
"""How much less likely (natural log) than the best a label may be: with a floor of 0.001 for
each part, two of the three parts may be misread with certainty."""
BEAM = 200
MOST_JUDGED = 60
"""Assignments that are judged in full; those dropped are by far less likely."""
LAYOUT_CODES = frozenset({"not_one_line", "gap", "no_contact", "cell_occupied", "cell_repeated"})

Labels = list[tuple[Tile, float]]
Assignment = tuple[tuple[Placed, ...], float]
"""A move and the log-probability of its labels."""


@dataclass(frozen=True, slots=True)
class Game:
    """What the decoder must know of the game: rules, options and the tiles that exist."""

    rules: str
    tileset: TileSet
    options: Options = DEFAULTS

    @property
    def box(self) -> Box:
        """The tiles that exist."""
        return box_of(self.tileset)


def best_labels(new: Mapping[Cell, Evidence], game: Game) -> Assignment:
    """Each tile's best guess, whatever the rules say."""
    best = {cell: ranked(evidence, game.box, 1, 0.0)[0] for cell, evidence in new.items()}
    move = tuple(Placed(cell, tile) for cell, (tile, _) in sorted(best.items()))
    return move, sum(log for _, log in best.values())


def fits_layout(board: Table, cells: Sequence[Cell], game: Game) -> bool:
    """Whether cells are in one line, without gap and in contact, whatever tiles lie there."""
    anything = game.box.tiles[0]
    judged = judge(board, [Placed(cell, anything) for cell in cells], game.rules, game.options)
    return LAYOUT_CODES.isdisjoint(judged.codes)


def within_box(tiles: Counter[Tile], box: Box) -> bool:
    """Whether no tile is there more often than it exists."""
    return all(count <= box.copies.get(tile, 0) for tile, count in tiles.items())


def legal_assignments(board: Table, new: Mapping[Cell, Evidence], game: Game) -> list[Assignment]:
    """Legal moves with all the new tiles, the likeliest first; none if their places are wrong."""
    if not new or not fits_layout(board, list(new), game):
        return []
    lying = Counter(board.values())
    beam: list[tuple[dict[Cell, Tile], float]] = [({}, 0.0)]
    for cell in sorted(new):
        labels = _fitting(board, cell, new[cell], lying, game)
        beam = _extended(beam, cell, labels)
    beam = beam[:MOST_JUDGED]
    found = [(tuple(Placed(c, t) for c, t in sorted(move.items())), log) for move, log in beam]
    return [each for each in found if is_possible(board, each[0], lying, game)]


def is_possible(board: Table, move: Sequence[Placed], lying: Counter[Tile], game: Game) -> bool:
    """Whether a move is legal and the box holds its tiles."""
    legal = judge(board, move, game.rules, game.options).legal
    used = Counter(tile for _, tile in move)
    total = Counter({tile: lying[tile] + count for tile, count in used.items()})
    return legal and within_box(total, game.box)


def _fitting(
    board: Table, cell: Cell, evidence: Evidence, lying: Counter[Tile], game: Game
) -> Labels:
    """The labels that fit the tiles around the cell, taken alone."""
    return [
        (tile, log)
        for tile, log in ranked(evidence, game.box, MOST_LABELS, WITHIN)
        if lying[tile] < game.box.copies[tile] and _fits_alone(board, Placed(cell, tile), game)
    ]


def _fits_alone(board: Table, placed: Placed, game: Game) -> bool:
    return LAYOUT_CODES.issuperset(judge(board, [placed], game.rules, game.options).codes)


def _extended(
    beam: list[tuple[dict[Cell, Tile], float]], cell: Cell, labels: Labels
) -> list[tuple[dict[Cell, Tile], float]]:
    longer = [
        ({**move, cell: tile}, total + log)
        for move, total in beam
        for tile, log in labels
        if all(_go_together(tile, other) for other in move.values())
    ]
    return sorted(longer, key=lambda each: -each[1])[:BEAM]


def _go_together(one: Tile, other: Tile) -> bool:
    """Whether two new tiles, which always lie in one line, may be in it together."""
    return (one.shape == other.shape) != (one.colour == other.colour)
