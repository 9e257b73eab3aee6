"""Labelled games: folders of photos with a `game.json` that tells what lies on the table."""

from __future__ import annotations

import json
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

from scorer.tiles import Cell, Tile


@dataclass(frozen=True, slots=True)
class LabelledPhoto:
    """One photo and the layout that it shows; corners (4, 2) in pixels where they are known."""

    path: Path
    layout: dict[Cell, Tile]
    corners_px: dict[Cell, npt.NDArray[np.float64]]
    is_busy: bool = False


@dataclass(frozen=True, slots=True)
class LabelledGame:
    """A game: `rules` is what the product is told, classic for the Connect photos."""

    name: str
    rules: str
    colours: tuple[str, ...]
    photos: tuple[LabelledPhoto, ...]


def find_games(folder: Path) -> list[LabelledGame]:
    """All labelled games in a folder or below it."""
    return [load_game(path.parent) for path in sorted(folder.rglob("game.json"))]


def load_game(folder: Path) -> LabelledGame:
    """One labelled game."""
    record = json.loads((folder / "game.json").read_text())
    rules = record["ruleset"] if record["ruleset"] in ("classic", "flex", "flex72") else "classic"
    photos = _whole_boards(folder, record) if "board" in record else _turn_photos(folder, record)
    return LabelledGame(record["game"], rules, tuple(record["colours"]), tuple(photos))


def _tiles(entries: list[dict[str, Any]]) -> dict[Cell, Tile]:
    return {(e["x"], e["y"]): Tile(e["shape"], e["colour"], e["background"]) for e in entries}


def _corners(record: dict[str, Any], photo: str) -> dict[Cell, npt.NDArray[np.float64]]:
    entries = record.get("corners", {}).get(photo, [])
    return {(e["x"], e["y"]): np.array(e["corners"], float) for e in entries}


def _whole_boards(folder: Path, record: dict[str, Any]) -> list[LabelledPhoto]:
    board = _tiles(record["board"])
    names = [entry["photo"] for entry in record["photos"]]
    return [LabelledPhoto(folder / name, board, _corners(record, name)) for name in names]


def _turn_photos(folder: Path, record: dict[str, Any]) -> list[LabelledPhoto]:
    photos, layout = [], dict[Cell, Tile]()
    if "photo_00" in record:
        photos.append(LabelledPhoto(folder / record["photo_00"], {}, {}))
    for number, turn in enumerate(record["turns"], start=1):
        layout = layout | _tiles(turn["placed"])
        photos.append(_photo(folder, record, turn["photo"], layout))
        for busy in record.get("busy", []):
            if busy["after_turn"] == number:
                shown = layout | _tiles(busy["placed_so_far"])
                photos.append(_photo(folder, record, busy["photo"], shown, is_busy=True))
    return photos


def _photo(
    folder: Path, record: dict[str, Any], name: str, layout: dict[Cell, Tile], is_busy: bool = False
) -> LabelledPhoto:
    return LabelledPhoto(folder / name, layout, _corners(record, name), is_busy)
