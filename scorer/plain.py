"""Values of a game as plain JSON."""

from __future__ import annotations

import re
from dataclasses import fields

from scorer.options import Options
from scorer.tiles import Placed
from scorer.tilesets import TileSet


def to_plain(value: object) -> object:
    """A field of an event as plain JSON."""
    if isinstance(value, Placed):
        return tile_json(value)
    if isinstance(value, tuple):
        return [to_plain(item) for item in value]
    if isinstance(value, Options):
        return {field.name: to_plain(getattr(value, field.name)) for field in fields(value)}
    return value.to_json() if isinstance(value, TileSet) else value


def tile_json(placed: Placed) -> dict[str, object]:
    """A tile on its cell as plain JSON."""
    (x, y), tile = placed
    return {"x": x, "y": y, **tile._asdict()}


def type_name(kind: type) -> str:
    """The name of a class in JSON, such as turn_played for TurnPlayed."""
    return re.sub(r"(?<!^)([A-Z])", r"_\1", kind.__name__).lower()
