"""Tiles and the words for them."""

from __future__ import annotations

from collections.abc import Mapping
from typing import NamedTuple, TypeAlias

SHAPES = ("circle", "square", "diamond", "clover", "star4", "star8")
COLOURS = ("red", "orange", "yellow", "green", "blue", "purple", "white")
BACKGROUNDS = ("black", "white", "split")

Cell: TypeAlias = tuple[int, int]
"""A place on the table as (x, y): x to the right, y downward, any integers."""


class Tile(NamedTuple):
    """What one wooden tile shows; equal tiles cannot be told apart."""

    shape: str
    colour: str
    background: str = "black"

    @property
    def face(self) -> tuple[str, str]:
        """Shape and colour: what decides whether tiles fit in a line."""
        return (self.shape, self.colour)


class Placed(NamedTuple):
    """A tile together with the cell on which it is laid."""

    cell: Cell
    tile: Tile


Table: TypeAlias = Mapping[Cell, Tile]
"""What lies on the table: at most one tile on a cell."""
