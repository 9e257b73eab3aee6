"""The whole way from a seed to a model file: draw, train, calibrate, save."""

from __future__ import annotations

import logging
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path

import cv2
import torch

from models.calibrate import calibrated
from models.dataset import all_patches, draw_to
from models.export import to_model, to_onnx
from models.nets import Finder
from models.train import train_finder, train_namer
from vision import find
from vision.model import save

logger = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class Recipe:
    """What a model is made of; the shipped one has the default values."""

    tables: int = 6_000
    held_out: int = 300
    finder_rounds: int = 8
    namer_rounds: int = 10
    seed: int = 20_000
    processes: int = 2


def build(recipe: Recipe, folder: Path, target: Path) -> None:
    """Make a model file from nothing but the recipe; drawn tables are kept in the folder."""
    cv2.setNumThreads(1)
    torch.set_num_threads(recipe.processes)
    pictures = _draw(recipe, folder)
    learned, held_out = pictures[: -recipe.held_out], pictures[-recipe.held_out :]
    finder = train_finder(learned, recipe.finder_rounds, recipe.seed)
    scout = find.Finder(to_onnx(_copy(finder), torch.rand(1, 3, 64, 64), (2, 3)))
    patches = all_patches(learned, recipe.seed, 1, scout)
    namer, context = train_namer(patches, recipe.namer_rounds, recipe.seed)
    header = {
        "made": datetime.now(UTC).date().isoformat(),
        "recipe": {name: getattr(recipe, name) for name in Recipe.__slots__},
        "data": "drawn tables only",
    }
    model = to_model(finder, namer, context, header)
    save(calibrated(model, held_out, recipe.seed), target)
    logger.info("saved %s", target.name)


def _copy(finder: Finder) -> Finder:
    copy = Finder()
    copy.load_state_dict(finder.state_dict())
    return copy


def _draw(recipe: Recipe, folder: Path) -> list[Path]:
    """Draw what is missing, in several processes."""
    first, last = recipe.seed, recipe.seed + recipe.tables
    with ProcessPoolExecutor(recipe.processes) as pool:
        shares = [range(first + k, last, recipe.processes * 8) for k in range(recipe.processes * 8)]
        for _ in pool.map(draw_to, [folder] * len(shares), shares):
            logger.info("drew a share of %d tables", recipe.tables // len(shares))
    return [folder / f"{seed:06d}.jpg" for seed in range(first, last)]
