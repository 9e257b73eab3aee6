"""Training of the finder and the namer, from drawn tables alone."""

from __future__ import annotations

import logging
import time
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt
import torch
from torch import Tensor, nn
from torch.nn import functional

from models.dataset import NO_TILE, Patches, finder_crop, load
from models.nets import (
    BACKGROUND_OUTPUTS,
    CORNER_OUTPUTS,
    SHAPE_OUTPUTS,
    ColourContext,
    Finder,
    Namer,
)

logger = logging.getLogger(__name__)
Array = npt.NDArray[Any]

SMOOTHING = 0.003
CROP_PX = 320
CROPS = 12
FRAMES = 24
SQUARE = torch.tensor([[-0.5, -0.5], [0.5, -0.5], [0.5, 0.5], [-0.5, 0.5]]).flatten()


def _steps(total: int, module: list[nn.Module], rate: float) -> tuple[Any, Any]:
    parameters = [p for m in module for p in m.parameters()]
    optimiser = torch.optim.AdamW(parameters, lr=rate, weight_decay=1e-4)
    schedule = torch.optim.lr_scheduler.OneCycleLR(optimiser, rate, total_steps=total)
    return optimiser, schedule


def finder_loss(answer: Tensor, target: Tensor) -> Tensor:
    """Focal loss for "is a tile", absolute error for the geometry where there is one."""
    answer, target = answer.permute(0, 2, 3, 1), target
    known, wanted = target[..., 0] >= 0, target[..., 0].clamp(min=0)
    plain = functional.binary_cross_entropy_with_logits(answer[..., 0], wanted, reduction="none")
    right = torch.exp(-plain)
    tiles = target[..., 0] > 0
    count = tiles.sum().clamp(min=1)
    focal = (((1 - right) ** 1.5) * plain)[known].sum() / count
    wrong = (answer[..., 1:] - target[..., 1:]).abs()[tiles]
    return focal + (wrong * wrong.new_tensor([2.0, 2.0, 2.0, 0.5, 0.5])).sum() / count


def train_finder(pictures: list[Path], rounds: int, seed: int) -> Finder:
    """Train the finder on random crops; every picture gives one crop a round."""
    torch.manual_seed(seed)
    rng = np.random.default_rng(seed)
    net = Finder()
    net.train()
    net.to(memory_format=torch.channels_last)
    batches = len(pictures) // CROPS
    optimiser, schedule = _steps(rounds * batches, [net], 4e-3)
    started = time.monotonic()
    for number in range(rounds):
        order, losses = rng.permutation(len(pictures)), []
        for batch in range(batches):
            chosen = [pictures[i] for i in order[batch * CROPS : (batch + 1) * CROPS]]
            made = [finder_crop(*load(p), rng, CROP_PX) for p in chosen]
            frames = torch.from_numpy(np.stack([m[0] for m in made])).permute(0, 3, 1, 2)
            target = torch.from_numpy(np.stack([m[1] for m in made]))
            inputs = (frames.float() / 255).contiguous(memory_format=torch.channels_last)
            loss = finder_loss(net(inputs), target)
            optimiser.zero_grad()
            loss.backward()
            nn.utils.clip_grad_norm_(net.parameters(), 5.0)
            optimiser.step()
            schedule.step()
            losses.append(loss.item())
        logger.info(
            "finder round %d: loss %.4f, %.0f s",
            number,
            np.mean(losses),
            time.monotonic() - started,
        )
    net.eval()
    return net


@dataclass(frozen=True, slots=True)
class Named:
    """Answers of the namer, taken apart."""

    shape: Tensor
    background: Tensor
    corners: Tensor
    features: Tensor


def take_apart(answer: Tensor) -> Named:
    """Split the namer's outputs into their parts."""
    sizes = [SHAPE_OUTPUTS, BACKGROUND_OUTPUTS, CORNER_OUTPUTS]
    return Named(*torch.split(answer, [*sizes, answer.shape[1] - sum(sizes)], 1))


def namer_loss(named: Named, colours: Tensor, labels: Tensor, corners: Tensor) -> Tensor:
    """Cross entropies for the three labels, absolute error for the corners."""
    is_tile = labels[:, 0] != NO_TILE
    loss = functional.cross_entropy(named.shape, labels[:, 0], label_smoothing=SMOOTHING)
    loss = loss + functional.cross_entropy(
        colours[is_tile], labels[is_tile, 1], label_smoothing=SMOOTHING
    )
    loss = loss + functional.cross_entropy(
        named.background[is_tile], labels[is_tile, 2], label_smoothing=SMOOTHING
    )
    wrong = (named.corners + SQUARE - corners.flatten(1))[is_tile].abs().mean()
    return loss + 2 * wrong


def _frames_of(patches: Patches) -> list[Array]:
    order = np.argsort(patches.frame_of, kind="stable")
    bounds = np.flatnonzero(np.diff(patches.frame_of[order])) + 1
    return [part for part in np.split(order, bounds) if len(part)]


def _some(part: Array, rng: np.random.Generator, most: int = 28) -> Array:
    """A random part of a frame's tiles: early in a game few tiles lie there."""
    wanted = int(rng.integers(1, most + 1))
    return rng.permutation(part)[:wanted]


def _draw_by_lot(rng: np.random.Generator, spread: float, *shape: int) -> Tensor:
    return torch.from_numpy(rng.normal(0, spread, shape).astype(np.float32))


def augment(pixels: Tensor, frame_of: Tensor, frames: int, rng: np.random.Generator) -> Tensor:
    """Change the light of whole frames and the tone of single patches (N, 3, 48, 48), 0 to 1."""
    warmth = _draw_by_lot(rng, 0.2, frames, 1) * torch.tensor([-1.0, 0.0, 0.7])
    gain = torch.exp(
        warmth + _draw_by_lot(rng, 0.07, frames, 3) + _draw_by_lot(rng, 0.2, frames, 1)
    )
    power = torch.exp(_draw_by_lot(rng, 0.12, frames, 1))
    haze = torch.from_numpy(np.maximum(rng.normal(-0.1, 0.12, (frames, 1)), 0).astype(np.float32))
    pale = torch.from_numpy(rng.uniform(0.45, 1.6, (frames, 1)).clip(max=1.1).astype(np.float32))

    def each(values: Tensor) -> Tensor:
        return values[frame_of][:, :, None, None]

    pixels = pixels.clamp(min=1e-4) ** each(power) * each(gain)
    grey = pixels.mean(1, keepdim=True)
    pixels = (grey + (pixels - grey) * each(pale)).clamp(0, 1)
    pixels = _blurred(pixels, frame_of, frames, rng) * (1 - each(haze)) + each(haze) * 0.5
    own = torch.exp(_draw_by_lot(rng, 0.06, len(pixels), 1, 1, 1))
    noise = _draw_by_lot(rng, 0.025, len(pixels), 1, 1, 1).abs()
    return (pixels * own + torch.randn_like(pixels) * noise).clamp(0, 1)


def _blurred(pixels: Tensor, frame_of: Tensor, frames: int, rng: np.random.Generator) -> Tensor:
    """Blur all patches of some frames."""
    is_blurred = torch.from_numpy(rng.random(frames) < 0.2)[frame_of]
    if not is_blurred.any():
        return pixels
    reach = torch.arange(-4, 5, dtype=torch.float32)
    kernel = torch.exp(-0.5 * (reach / rng.uniform(0.6, 3.0)) ** 2)
    kernel = (kernel / kernel.sum()).repeat(3, 1)
    soft = functional.pad(pixels[is_blurred], (4, 4, 4, 4), mode="replicate")
    soft = functional.conv2d(soft, kernel[:, None, :, None], groups=3)
    soft = functional.conv2d(soft, kernel[:, None, None, :], groups=3)
    pixels = pixels.clone()
    pixels[is_blurred] = soft
    return pixels


def train_namer(patches: Patches, rounds: int, seed: int) -> tuple[Namer, ColourContext]:
    """Train the namer; a step sees several tiles from each of several frames."""
    torch.manual_seed(seed)
    rng = np.random.default_rng(seed)
    namer, context = Namer(), ColourContext()
    namer.train()
    namer.to(memory_format=torch.channels_last)
    frames = _frames_of(patches)
    batches = len(frames) // FRAMES
    optimiser, schedule = _steps(rounds * batches, [namer, context], 4e-3)
    started = time.monotonic()
    for number in range(rounds):
        order, losses = rng.permutation(len(frames)), []
        for batch in range(batches):
            parts = [_some(frames[i], rng) for i in order[batch * FRAMES : (batch + 1) * FRAMES]]
            loss = _namer_step(patches, parts, namer, context, rng)
            optimiser.zero_grad()
            loss.backward()
            nn.utils.clip_grad_norm_([*namer.parameters(), *context.parameters()], 5.0)
            optimiser.step()
            schedule.step()
            losses.append(loss.item())
        logger.info(
            "namer round %d: loss %.4f, %.0f s", number, np.mean(losses), time.monotonic() - started
        )
    namer.eval()
    context.eval()
    return namer, context


def _namer_step(
    patches: Patches,
    parts: list[Array],
    namer: Namer,
    context: ColourContext,
    rng: np.random.Generator,
) -> Tensor:
    index = np.concatenate(parts)
    frame_of = torch.from_numpy(np.repeat(np.arange(len(parts)), [len(p) for p in parts]))
    pixels = torch.from_numpy(patches.pixels[index]).permute(0, 3, 1, 2).float() / 255
    pixels = augment(pixels, frame_of, len(parts), rng)
    pixels = pixels.contiguous(memory_format=torch.channels_last)
    labels = torch.from_numpy(patches.labels[index])
    named = take_apart(namer(pixels))
    is_tile = labels[:, 0] != NO_TILE
    colours = named.features.new_zeros(len(labels), 7)
    colours[is_tile] = context(named.features[is_tile], frame_of[is_tile], len(parts))
    return namer_loss(named, colours, labels, torch.from_numpy(patches.corners[index]))
