"""Which tiles may lie on a cell: what the rules and the box leave over, the likeliest first."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from typing import Any

from scorer.game import Game
from scorer.rules import judge
from scorer.tiles import Cell, Placed, Table, Tile

MOST = 108


def likely_tiles(
    game: Game, cell: Cell, turn: int | None, draft: Sequence[Placed]
) -> list[dict[str, Any]]:
    """The tiles that could lie on a cell without breaking a rule.

    A tile that already lies there is compared with: what shares its shape or its colour is more
    easily confused with it and comes first.

    Args:
        game: The game.
        cell: The cell; it may hold a tile of the board or of the draft.
        turn: The turn to which a new tile would belong; None for the move being made now.
        draft: The tiles of the move being made now.
    """
    placed = {**dict(_turn_tiles(game, turn)), **(dict(draft) if turn is None else {})}
    there = placed.get(cell) or game.board.get(cell)
    others = [Placed(at, tile) for at, tile in placed.items() if at != cell]
    board = _before(game, turn, cell)
    left = _left(game, placed, cell)
    fitting = [
        tile
        for tile in game.state.box.tiles()
        if left[tile] > 0
        and tile != there
        and judge(board, [*others, Placed(cell, tile)], game.state.rules).legal
    ]
    fitting.sort(key=lambda tile: _distance(tile, there))
    return [dict(tile._asdict()) for tile in fitting[:MOST]]


def _turn_tiles(game: Game, turn: int | None) -> Iterable[Placed]:
    if turn is None or not 0 < turn <= len(game.turns):
        return ()
    return game.turns[turn - 1].placed


def _before(game: Game, turn: int | None, cell: Cell) -> Table:
    """The table without the tiles of this turn and the later ones, and without the cell."""
    later = game.turns if turn is None else game.turns[turn - 1 :]
    gone = {at for each in later for at, _ in each.placed} if turn is not None else set()
    return {at: tile for at, tile in game.board.items() if at not in gone and at != cell}


def _left(game: Game, placed: dict[Cell, Tile], cell: Cell) -> Counter[Tile]:
    table = {**game.board, **placed}
    table.pop(cell, None)
    return game.state.box.tiles() - Counter(table.values())


def _distance(tile: Tile, there: Tile | None) -> int:
    """How many of colour, shape and background are different."""
    if there is None:
        return 0
    return sum(one != other for one, other in zip(tile, there, strict=True))
