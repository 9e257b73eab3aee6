"""After training: make probabilities mean what they say, and learn how colours spread."""

from __future__ import annotations

from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt
from sklearn.discriminant_analysis import LinearDiscriminantAnalysis

from models.dataset import NO_TILE, all_patches
from scorer.tiles import COLOURS
from vision.classify import Allowed, Namer
from vision.find import Finder
from vision.model import Model

Array = npt.NDArray[Any]

TEMPERATURES = np.exp(np.linspace(np.log(0.3), np.log(3.0), 60))


@dataclass(frozen=True, slots=True)
class _Answers:
    """Logarithms of probabilities and true labels over many held-out patches."""

    shape: Array
    colour: Array
    background: Array
    features: Array
    labels: Array
    frame_of: Array


def calibrated(model: Model, pictures: list[Path], seed: int) -> Model:
    """The model with temperatures and colour statistics from held-out drawn frames."""
    answers = _answers(model, pictures, seed)
    is_tile = answers.labels[:, 0] != NO_TILE
    temperature = np.array(
        [
            best_temperature(answers.shape, answers.labels[:, 0]),
            best_temperature(answers.colour[is_tile], answers.labels[is_tile, 1]),
            best_temperature(answers.background[is_tile], answers.labels[is_tile, 2]),
        ],
        np.float32,
    )
    means, spread = _colour_statistics(answers, is_tile)
    return replace(model, temperature=temperature, colour_means=means, colour_spread=spread)


def best_temperature(log_p: Array, truth: Array) -> float:
    """The temperature under which the true labels are most likely."""
    costs = []
    for temperature in TEMPERATURES:
        scaled = log_p / temperature
        scaled = scaled - scaled.max(1, keepdims=True)
        norm = np.log(np.exp(scaled).sum(1))
        costs.append(float((norm - scaled[np.arange(len(truth)), truth]).mean()))
    return float(TEMPERATURES[int(np.argmin(costs))])


def _answers(model: Model, pictures: list[Path], seed: int) -> _Answers:
    namer, everything = Namer(model), Allowed.by(None, None)
    patches = all_patches(pictures, seed, 1, Finder(model.finder_onnx))
    parts: dict[str, list[Array]] = {"shape": [], "colour": [], "background": [], "features": []}
    for frame in np.unique(patches.frame_of):
        mine = patches.frame_of == frame
        named = namer.name(patches.pixels[mine], everything, np.zeros((0, 0), np.float32))
        shape = np.column_stack([named.shape_p * named.tile_p[:, None], 1 - named.tile_p])
        parts["shape"].append(np.log(np.maximum(shape, 1e-9)))
        parts["colour"].append(np.log(np.maximum(named.colour_p, 1e-9)))
        parts["background"].append(np.log(np.maximum(named.background_p, 1e-9)))
        parts["features"].append(named.features)
    joined = {name: np.concatenate(values) for name, values in parts.items()}
    order = np.argsort(patches.frame_of, kind="stable")
    return _Answers(**joined, labels=patches.labels[order], frame_of=patches.frame_of[order])


def _colour_statistics(answers: _Answers, is_tile: Array) -> tuple[Array, Array]:
    """Mean features of each colour, and how one colour's features vary within a frame."""
    features, colours = answers.features[is_tile], answers.labels[is_tile, 1]
    means = np.stack([features[colours == k].mean(0) for k in range(len(COLOURS))])
    key = answers.frame_of[is_tile] * len(COLOURS) + colours
    fit = LinearDiscriminantAnalysis(solver="lsqr", shrinkage="auto", store_covariance=True)
    names, counts = np.unique(key, return_counts=True)
    several = np.isin(key, names[counts > 2])
    fit.fit(features[several], key[several])
    return means.astype(np.float32), np.linalg.inv(fit.covariance_).astype(np.float32)
