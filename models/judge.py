"""Judging a reader on labelled photos: how many tiles are right, and what is confused with what."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from typing import Any

import numpy as np
import numpy.typing as npt

from models.games import LabelledGame, LabelledPhoto
from scorer.tiles import Cell, Tile
from vision.images import read_image
from vision.reader import Reader
from vision.reading import Reading, SeenTile

Frame = npt.NDArray[Any]
Change = Callable[[Frame], tuple[Frame, float]]
"""Alters a frame; also tells the scale by which its pixels moved, NaN where that is no scale."""

QUARTERS = ((1, 0, 0, 1), (0, -1, 1, 0), (-1, 0, 0, -1), (0, 1, -1, 0))
CONFIDENCE_STEPS = (0.0, 0.5, 0.8, 0.9, 0.95, 0.99, 0.999, 1.01)


@dataclass(slots=True)
class Verdict:
    """Counts over some photos; `wrong` keeps what was read instead of what."""

    photos: int = 0
    perfect: int = 0
    clean: int = 0
    tiles: int = 0
    found: int = 0
    right: int = 0
    extra: int = 0
    wrong: Counter[str] = field(default_factory=Counter)
    class_tiles: Counter[str] = field(default_factory=Counter)
    class_right: Counter[str] = field(default_factory=Counter)
    by_confidence: list[list[int]] = field(
        default_factory=lambda: [[0, 0] for _ in CONFIDENCE_STEPS[:-1]]
    )
    failures: list[str] = field(default_factory=list)

    def add(self, other: Verdict) -> None:
        """Add another's counts."""
        for name in ("photos", "perfect", "clean", "tiles", "found", "right", "extra"):
            setattr(self, name, getattr(self, name) + getattr(other, name))
        self.wrong += other.wrong
        self.class_tiles += other.class_tiles
        self.class_right += other.class_right
        self.failures += other.failures
        for mine, theirs in zip(self.by_confidence, other.by_confidence, strict=True):
            mine[0] += theirs[0]
            mine[1] += theirs[1]

    def note_confidence(self, confidence: float, is_right: bool) -> None:
        """Count one label in its step of confidence."""
        step = int(np.searchsorted(CONFIDENCE_STEPS, confidence, side="right")) - 1
        self.by_confidence[step][0] += 1
        self.by_confidence[step][1] += is_right

    def __str__(self) -> str:
        return (
            f"{self.right} of {self.tiles} tiles right, {self.found} found, {self.extra} extra, "
            f"{self.perfect} of {self.photos} photos perfect"
        )


BOARD_PITCH = 1.06
"""Fields of the Connect board are a little larger than its tiles."""

Placing = Callable[[Cell], Cell]


def place_like(seen: Iterable[SeenTile], truth: dict[Cell, Tile], turns: int = 4) -> Placing:
    """The quarter turn and shift of cells under which most labels agree with the truth."""
    votes: Counter[tuple[int, int, int]] = Counter()
    for tile in seen:
        for quarter in range(turns):
            a, b, c, d = QUARTERS[quarter]
            x, y = tile.cell
            turned = (a * x + b * y, c * x + d * y)
            for cell, label in truth.items():
                if label.face == tile.tile.face:
                    votes[quarter, cell[0] - turned[0], cell[1] - turned[1]] += 1
    quarter, dx, dy = votes.most_common(1)[0][0] if votes else (0, 0, 0)
    a, b, c, d = QUARTERS[quarter]
    return lambda cell: (a * cell[0] + b * cell[1] + dx, c * cell[0] + d * cell[1] + dy)


def judge_photo(photo: LabelledPhoto, reading: Reading, scale: float, whole: bool) -> Verdict:
    """Compare one reading with its photo's truth.

    With `whole` every group counts as part of the layout, each with its own origin (the Connect
    board has several); otherwise only the layout in play does.
    """
    placed = _on_the_board(photo, reading) if whole else _in_the_layout(photo, reading)
    verdict = Verdict(photos=1, tiles=len(photo.layout))
    for cell, tile in placed.items():
        if cell not in photo.layout or not _lies_there(photo, cell, tile, scale):
            verdict.extra += 1
            verdict.wrong[f"extra {' '.join(tile.tile)}"] += 1
    _count_labels(verdict, photo, placed, scale)
    verdict.perfect = int(verdict.right == verdict.tiles and not verdict.extra)
    verdict.clean = int(not verdict.extra)
    return verdict


def _in_the_layout(photo: LabelledPhoto, reading: Reading) -> dict[Cell, SeenTile]:
    place = place_like(reading.layout, photo.layout)
    return {place(tile.cell): tile for tile in reading.layout}


def _on_the_board(photo: LabelledPhoto, reading: Reading) -> dict[Cell, SeenTile]:
    """All groups in the cells of one board, by where they lie in the photo."""
    if not reading.tiles:
        return {}
    corners = np.stack([tile.corners_px for tile in reading.tiles]).astype(float)
    pixels = np.column_stack([corners.mean(1), np.ones(len(corners))])
    edges = np.stack([corners[:, 1] - corners[:, 0], corners[:, 3] - corners[:, 0]], 2)
    rough = corners.mean(1) @ np.linalg.inv(np.median(edges, 0) * BOARD_PITCH).T
    shifts: list[npt.NDArray[np.float64]] = []
    for tile, place in zip(reading.tiles, rough, strict=True):
        same = [cell for cell, label in photo.layout.items() if label.face == tile.tile.face]
        shifts += [np.array(cell) - place for cell in same]
    if not shifts:
        return {}
    every = np.array(shifts)
    near = (np.abs(every[:, None] - every[None]).max(2) < 1.0).sum(1)
    cells = rough + every[int(np.argmax(near))]
    for reach in (0.8, 0.6, 0.5, 0.4):
        pairs = _agreeing(photo, reading, cells, reach)
        if len(pairs) < 3:
            break
        index, truth = zip(*pairs, strict=True)
        cells = pixels @ np.linalg.lstsq(pixels[list(index)], np.array(truth, float), rcond=None)[0]
    whole = np.rint(cells).astype(int)
    return {(int(x), int(y)): tile for (x, y), tile in zip(whole, reading.tiles, strict=True)}


def _agreeing(
    photo: LabelledPhoto, reading: Reading, cells: npt.NDArray[np.float64], reach: float
) -> list[tuple[int, Cell]]:
    """Tiles (by index) that lie within reach of a cell with their face, and that cell."""
    pairs = []
    for index, tile in enumerate(reading.tiles):
        x, y = cells[index]
        for cell, label in photo.layout.items():
            is_near = abs(cell[0] - x) < reach and abs(cell[1] - y) < reach
            if is_near and label.face == tile.tile.face:
                pairs.append((index, cell))
    return pairs


def _lies_there(photo: LabelledPhoto, cell: Cell, tile: SeenTile, scale: float) -> bool:
    if cell not in photo.corners_px or np.isnan(scale):
        return True
    truth = photo.corners_px[cell] * scale
    edge = float(np.linalg.norm(truth[0] - truth[1]))
    return float(np.linalg.norm(tile.corners_px.mean(0) - truth.mean(0))) < 0.4 * edge


def _count_labels(
    verdict: Verdict, photo: LabelledPhoto, placed: dict[Cell, SeenTile], scale: float
) -> None:
    for cell, label in photo.layout.items():
        verdict.class_tiles.update(f"{n} {v}" for n, v in zip(Tile._fields, label, strict=True))
        tile = placed.get(cell)
        if tile is None or not _lies_there(photo, cell, tile, scale):
            verdict.wrong[f"missed {' '.join(label)}"] += 1
            continue
        verdict.found += 1
        is_right = tile.tile == label
        verdict.right += is_right
        verdict.note_confidence(tile.confidence, is_right)
        for name, was, truth in zip(Tile._fields, tile.tile, label, strict=True):
            verdict.class_right[f"{name} {truth}"] += was == truth
            if was != truth:
                verdict.wrong[f"{name} {truth} read as {was}"] += 1
        if not is_right:
            verdict.failures.append(
                f"{photo.path.parent.name}/{photo.path.name} {cell}: {' '.join(label)} read as "
                f"{' '.join(tile.tile)} ({tile.confidence:.3f})"
            )


def judge_game(game: LabelledGame, reader: Reader, change: Change | None = None) -> Verdict:
    """Read and judge all free photos of a game."""
    total = Verdict()
    for photo in game.photos:
        if photo.is_busy:
            continue
        frame, scale = read_image(photo.path), 1.0
        if change is not None:
            frame, scale = change(frame)
        whole = game.name.startswith("connect")
        verdict = judge_photo(photo, reader.read(frame), scale, whole)
        if not verdict.perfect:
            verdict.failures.insert(0, f"{game.name}/{photo.path.name}: {verdict}")
        total.add(verdict)
    return total
