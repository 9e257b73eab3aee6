"""The boxes: which tiles there are, as data files.

`tileset("classic")` reads one of the sets that come along (`SETS`), `load_tileset(path)` a
family's own file. A file is a JSON object such as

    {"title": "Our Qwirkle", "rules": "classic",
     "shapes": ["circle", "square", "diamond", "clover", "star4", "star8"],
     "colours": ["red", "orange", "yellow", "green", "blue", "pink"],
     "copies": {"black": 3}}

where `copies` says how often every face exists on each background.
"""

from __future__ import annotations

import json
import re
from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from functools import cache, lru_cache
from importlib import resources
from pathlib import Path

from scorer.options import RULES
from scorer.tiles import BACKGROUNDS, SHAPES, Tile

SETS = ("classic", "classic-white", "flex", "flex72")
HAND_SIZE = 6
_SORTS = 6
_WORD = re.compile(r"[\w-]+").fullmatch
FIELDS = ("title", "rules", "shapes", "colours", "copies")


class TileSetError(ValueError):
    """A tile set that does not exist or a file that does not describe one."""


@dataclass(frozen=True, slots=True)
class TileSet:
    """The contents of one box."""

    title: str
    rules: str
    shapes: tuple[str, ...]
    colours: tuple[str, ...]
    copies: tuple[tuple[str, int], ...]

    @property
    def faces(self) -> tuple[tuple[str, str], ...]:
        """Every combination of shape and colour."""
        return tuple((shape, colour) for shape in self.shapes for colour in self.colours)

    @property
    def copies_of_each_face(self) -> int:
        """How often a face exists, whatever the background."""
        return sum(count for _, count in self.copies)

    @property
    def size(self) -> int:
        """How many tiles the box holds."""
        return len(self.shapes) * len(self.colours) * self.copies_of_each_face

    def tiles(self) -> Counter[Tile]:
        """How often each tile exists."""
        return Counter(_tiles(self))

    def to_json(self) -> dict[str, object]:
        """The set as the data file describes it."""
        return {
            "title": self.title,
            "rules": self.rules,
            "shapes": list(self.shapes),
            "colours": list(self.colours),
            "copies": dict(self.copies),
        }


@lru_cache(maxsize=16)
def _tiles(box: TileSet) -> Mapping[Tile, int]:
    return {Tile(*face, back): n for face in box.faces for back, n in box.copies}


@cache
def tileset(name: str) -> TileSet:
    """One of the sets that come along.

    Raises:
        TileSetError: There is no set of that name.
    """
    if name not in SETS:
        raise TileSetError(f"there is no tile set {name!r}; there are {', '.join(SETS)}")
    text = resources.files("scorer").joinpath("sets", f"{name}.json").read_text(encoding="utf-8")
    return tileset_from_json(json.loads(text))


def load_tileset(path: Path) -> TileSet:
    """A family's own set from a data file.

    Raises:
        TileSetError: The file is not JSON or does not describe a set.
    """
    try:
        data = json.loads(path.read_text(encoding="utf-8"))
    except ValueError as error:
        raise TileSetError(f"{path.name} is not a JSON file: {error}") from error
    return tileset_from_json(data)


def tileset_from_json(data: object) -> TileSet:
    """The set that the contents of a data file describe.

    Raises:
        TileSetError: Something is missing or not as it should be.
    """
    if not isinstance(data, Mapping):
        raise TileSetError("a tile set is a JSON object")
    missing = [name for name in FIELDS if name not in data]
    if missing:
        raise TileSetError(f"a tile set needs {missing[0]!r}")
    if not isinstance(data["title"], str) or data["rules"] not in RULES:
        raise TileSetError(f"a tile set has a title, and rules out of {', '.join(RULES)}")
    shapes = _words("shapes", data["shapes"])
    if not set(shapes) <= set(SHAPES):
        raise TileSetError(f"the shapes of a tile set are out of {', '.join(SHAPES)}")
    colours = _words("colours", data["colours"])
    return TileSet(data["title"], data["rules"], shapes, colours, _copies(data["copies"]))


def with_colours(box: TileSet, colours: Iterable[str]) -> TileSet:
    """The same box with other colours.

    Raises:
        TileSetError: They are not six different words.
    """
    return replace(box, colours=_words("colours", list(colours)))


def surplus(tiles: Iterable[Tile], box: TileSet) -> Counter[Tile]:
    """How many tiles of each sort there are beyond what the box holds."""
    return Counter(tiles) - box.tiles()


def _words(name: str, value: object) -> tuple[str, ...]:
    if not isinstance(value, list) or not all(isinstance(w, str) and _WORD(w) for w in value):
        raise TileSetError(f"the {name} of a tile set are a list of words")
    if len(set(value)) != _SORTS or len(value) != _SORTS:
        raise TileSetError(f"a tile set has six different {name}")
    return tuple(value)


def _copies(value: object) -> tuple[tuple[str, int], ...]:
    if not isinstance(value, Mapping) or not value or not set(value) <= set(BACKGROUNDS):
        raise TileSetError(f"the copies of a tile set are given for {', '.join(BACKGROUNDS)}")
    if not all(type(count) is int and count > 0 for count in value.values()):
        raise TileSetError("the copies of a tile set are whole numbers above 0")
    return tuple(
        (background, value[background]) for background in BACKGROUNDS if background in value
    )
