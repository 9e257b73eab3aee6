"""The two small networks: one finds tiles in a frame, one names a tile in a patch."""

from __future__ import annotations

import torch
from torch import Tensor, nn

FINDER_STRIDE = 8
FINDER_OUTPUTS = 6
"""Logit of "a tile's middle is near", offset x and y, log edge, cosine and sine of 4 turns."""

SHAPE_OUTPUTS = 7
BACKGROUND_OUTPUTS = 3
CORNER_OUTPUTS = 8
COLOUR_FEATURES = 24
NAMER_OUTPUTS = SHAPE_OUTPUTS + BACKGROUND_OUTPUTS + CORNER_OUTPUTS + COLOUR_FEATURES


def conv(inputs: int, outputs: int, stride: int = 1, dilation: int = 1) -> nn.Sequential:
    """A 3 by 3 convolution, normalised while training (folded away on export), and a rectifier."""
    return nn.Sequential(
        nn.Conv2d(inputs, outputs, 3, stride, dilation, dilation, bias=False),
        nn.BatchNorm2d(outputs),
        nn.ReLU(),
    )


class Finder(nn.Module):
    """Looks at a whole frame (N, 3, H, W), 0 to 1, and answers on a grid of stride 8."""

    def __init__(self) -> None:
        super().__init__()
        self.stem = nn.Sequential(conv(3, 16, 2), conv(16, 24, 2), conv(24, 48, 2))
        self.body = nn.Sequential(
            conv(48, 48), conv(48, 48, dilation=2), conv(48, 48, dilation=2), conv(48, 48)
        )
        self.head = nn.Conv2d(48, FINDER_OUTPUTS, 1)

    def forward(self, frames: Tensor) -> Tensor:
        answer: Tensor = self.head(self.body(self.stem(frames)))
        return answer


class Namer(nn.Module):
    """Looks at upright patches (N, 3, 48, 48), 0 to 1: shape, background, corners, colour features.

    The colour features are not yet colours: `ColourContext` turns them into colours with a view
    of all tiles in the same frame.
    """

    def __init__(self) -> None:
        super().__init__()
        self.body = nn.Sequential(
            conv(3, 16, 2), conv(16, 32), conv(32, 48, 2), conv(48, 64), conv(64, 64, 2)
        )
        self.head = nn.Linear(64 * 36, NAMER_OUTPUTS)
        self.dropout = nn.Dropout(0.2)

    def forward(self, patches: Tensor) -> Tensor:
        answer: Tensor = self.head(self.dropout(self.body(patches).flatten(1)))
        return answer


class ColourContext(nn.Module):
    """Names the colours of one frame's tiles relative to each other.

    A warm lamp turns red into orange for a single patch, but not for a patch beside the others.
    """

    def __init__(self, colours: int = 7, width: int = 48) -> None:
        super().__init__()
        self.own = nn.Linear(COLOUR_FEATURES, width)
        self.shared = nn.Linear(COLOUR_FEATURES, width)
        self.mixed = nn.Linear(3 * width, width)
        self.out = nn.Linear(width, colours)

    def forward(self, features: Tensor, frame_of: Tensor, frames: int) -> Tensor:
        own = torch.relu(self.own(features))
        shared = torch.relu(self.shared(features))
        total = shared.new_zeros(frames, shared.shape[1]).index_add(0, frame_of, shared)
        count = shared.new_zeros(frames).index_add(0, frame_of, shared.new_ones(len(shared)))
        mean = total / count.clamp(min=1)[:, None]
        most = shared.new_zeros(frames, shared.shape[1]).index_reduce(
            0, frame_of, shared, "amax", include_self=True
        )
        mixed = torch.relu(self.mixed(torch.cat([own, mean[frame_of], most[frame_of]], 1)))
        answer: Tensor = self.out(mixed)
        return answer
