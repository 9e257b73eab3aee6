"""Events from plain JSON, read strictly.

`event_from_json` takes back what `event.to_json()` gave. Fields with a default may be missing;
anything unknown or of the wrong kind is refused with one clear sentence.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import MISSING, Field, fields
from typing import Any

from scorer.errors import EventError
from scorer.events import EVENTS, Event
from scorer.options import Options, OptionsError
from scorer.plain import type_name
from scorer.tiles import BACKGROUNDS, SHAPES, Cell, Placed, Tile
from scorer.tilesets import TileSetError, tileset_from_json


def event_from_json(data: object) -> Event:
    """The event that plain JSON describes.

    Raises:
        EventError: It does not describe one.
    """
    if not isinstance(data, Mapping):
        raise EventError("an event is a JSON object")
    kind = _CLASSES.get(data["type"]) if isinstance(data.get("type"), str) else None
    if kind is None:
        raise EventError(f"there is no event of type {data.get('type')!r}")
    known = {field.name: field for field in fields(kind)}
    for name in data:
        if name != "type" and name not in known:
            raise EventError(f"{data['type']} has no {name!r}")
    given = {name: _read(field, data) for name, field in known.items() if _is_given(field, data)}
    event: Event = kind(**given)
    return event


def placed_from_json(value: object) -> Placed:
    """A tile on its cell from plain JSON; colours may be a family's own.

    Raises:
        EventError: It does not describe one.
    """
    if not isinstance(value, Mapping) or not {"x", "y", "shape", "colour"} <= set(value):
        raise EventError("a tile on the table has x, y, shape, colour and background")
    shape, colour = value["shape"], value["colour"]
    background = value.get("background", "black")
    if shape not in SHAPES or background not in BACKGROUNDS or not isinstance(colour, str):
        raise EventError(f"there is no tile {colour!r} {shape!r} {background!r}")
    return Placed((_whole(value["x"]), _whole(value["y"])), Tile(shape, colour, background))


def _is_given(field: Field[Any], data: Mapping[str, object]) -> bool:
    if field.name in data:
        return True
    if field.default is MISSING and field.default_factory is MISSING:
        raise EventError(f"{data['type']} needs {field.name!r}")
    return False


def _read(field: Field[Any], data: Mapping[str, object]) -> object:
    try:
        return _reader(str(field.type))(data[field.name])
    except (EventError, OptionsError, TileSetError) as error:
        raise EventError(f"{field.name} of {data['type']}: {error}") from None


def _reader(annotation: str) -> Callable[[object], object]:
    if annotation.endswith(" | None"):
        inner = _READERS[annotation.removesuffix(" | None")]
        return lambda value: None if value is None else inner(value)
    return _READERS[annotation]


def _whole(value: object) -> int:
    if type(value) is not int:
        raise EventError(f"{value!r} is not a whole number")
    return value


def _yes_or_no(value: object) -> bool:
    if not isinstance(value, bool):
        raise EventError(f"{value!r} is neither true nor false")
    return value


def _text(value: object) -> str:
    if not isinstance(value, str):
        raise EventError(f"{value!r} is not text")
    return value


def _list(value: object) -> list[object]:
    if not isinstance(value, list | tuple):
        raise EventError(f"{value!r} is not a list")
    return list(value)


def _cell(value: object) -> Cell:
    numbers = [_whole(item) for item in _list(value)]
    if len(numbers) != 2:
        raise EventError(f"{value!r} is not a cell of x and y")
    return (numbers[0], numbers[1])


def _options(value: object) -> Options:
    if not isinstance(value, Mapping):
        raise EventError("options are a JSON object")
    known = {field.name: field.type for field in fields(Options)}
    for name in value:
        if name not in known:
            raise EventError(f"there is no option {name!r}")
    given: dict[str, Any] = {name: _reader(str(known[name]))(value[name]) for name in value}
    return Options(**given)


_CLASSES: dict[object, Any] = {type_name(kind): kind for kind in EVENTS}
_READERS: dict[str, Callable[[object], object]] = {
    "int": _whole,
    "bool": _yes_or_no,
    "str": _text,
    "Cell": _cell,
    "Options": _options,
    "TileSet": tileset_from_json,
    "tuple[int, ...]": lambda value: tuple(_whole(item) for item in _list(value)),
    "tuple[str, ...]": lambda value: tuple(_text(item) for item in _list(value)),
    "tuple[Cell, ...]": lambda value: tuple(_cell(item) for item in _list(value)),
    "tuple[Placed, ...]": lambda value: tuple(placed_from_json(item) for item in _list(value)),
}
