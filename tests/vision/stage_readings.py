"""The simulated table read without a model: labels from the truth, places from the drawing."""

from __future__ import annotations

from collections.abc import Callable

from scorer.tiles import Cell, Tile
from tests.vision.fake_readings import Blur, connected_groups, seen_tile
from vision.cameras.base import Frame
from vision.cameras.demo_stage import Stage
from vision.reading import Reading, SeenTile


def stage_reading(stage: Stage, blur: Blur | None = None, hidden: tuple[Cell, ...] = ()) -> Reading:
    """What a perfect reader, or one with this blur, would say about the stage."""
    blur = blur or Blur()
    tiles = {cell: tile for cell, tile in stage.tiles.items() if cell not in hidden}
    found: list[SeenTile] = []
    for number, group in enumerate(connected_groups(list(tiles))):
        for cell in sorted(group):
            seen = seen_tile(cell, tiles[cell], stage.corners_px(cell), blur, cell)
            found.append(_numbered(seen, number))
    return Reading(tuple(found), (1280, 960), 1.0)


def _numbered(seen: SeenTile, group: int) -> SeenTile:
    parts = (seen.shape_p, seen.colour_p, seen.background_p, seen.corners_px)
    return SeenTile(seen.cell, seen.tile, seen.confidence, *parts, group)


class StageReader:
    """Stands in for the reader where a test knows the table."""

    def __init__(
        self,
        stage: Stage | Callable[[], Stage],
        blur: Blur | None = None,
        hidden: tuple[Cell, ...] = (),
    ) -> None:
        """Read this stage, with this blur and without the hidden cells."""
        self._stage = stage
        self.blur = blur or Blur()
        self.hidden = hidden
        self.reads = 0
        self.is_lost = False
        """Whether the picture shows nothing that it knows."""

    def read(self, frame_bgr: Frame, known: Reading | None = None) -> Reading:
        """The tiles of the stage, whatever the frame shows."""
        self.reads += 1
        if self.is_lost:
            return Reading((), (1280, 960), 1.0)
        stage = self._stage() if callable(self._stage) else self._stage
        return stage_reading(stage, self.blur, self.hidden)


def lay(stage: Stage, tiles: dict[Cell, Tile]) -> None:
    """Put several tiles down."""
    for cell, tile in tiles.items():
        stage.lay(cell, tile)
