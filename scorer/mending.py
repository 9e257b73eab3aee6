"""From a tap on a tile to the correction that it means."""

from __future__ import annotations

from scorer.errors import GameError
from scorer.events import Correction, LateStart, TurnCorrected, TurnRemoved
from scorer.game import Game
from scorer.tiles import Cell, Placed, Tile


def turn_at(game: Game, cell: Cell) -> int:
    """The number of the turn that laid the tile on a cell; 0 is the table of a late start.

    Raises:
        GameError: There is no tile.
    """
    if cell not in game.board:
        raise GameError("there is no tile on that spot")
    for turn in reversed(game.turns):
        if any(placed.cell == cell for placed in turn.placed):
            return turn.number
    return 0


def change_tile(game: Game, cell: Cell, tile: Tile) -> Correction:
    """The correction that makes a tile on the table another one."""
    number = turn_at(game, cell)
    placed = [Placed(c, tile if c == cell else t) for c, t in _tiles_of(game, number)]
    return TurnCorrected(number, placed=tuple(placed))


def move_tile(game: Game, cell: Cell, to: Cell) -> Correction:
    """The correction that puts a tile of the table on another cell."""
    number = turn_at(game, cell)
    placed = [Placed(to if c == cell else c, t) for c, t in _tiles_of(game, number)]
    return TurnCorrected(number, placed=tuple(placed))


def remove_tile(game: Game, cell: Cell) -> Correction:
    """The correction that takes a tile away that never lay there; the last one takes its turn."""
    number = turn_at(game, cell)
    placed = tuple(placed for placed in _tiles_of(game, number) if placed.cell != cell)
    return TurnCorrected(number, placed=placed) if placed or not number else TurnRemoved(number)


def add_tile(game: Game, number: int, placed: Placed) -> Correction:
    """The correction that adds a tile which was overlooked to a turn."""
    return TurnCorrected(number, placed=(*_tiles_of(game, number), placed))


def _tiles_of(game: Game, number: int) -> tuple[Placed, ...]:
    if number:
        if number > len(game.turns):
            raise GameError(f"there is no turn {number}")
        return game.turns[number - 1].placed
    for entry in game.state.timeline:
        if isinstance(entry.event, LateStart):
            return entry.event.board
    raise GameError("there is no turn 0")
