"""Small upright pictures of single tiles, cut from a frame."""

from __future__ import annotations

from typing import Any

import cv2
import numpy as np
import numpy.typing as npt

PATCH_PX = 48
PATCH_SPAN = 1.25
"""A patch shows this many tile edges, so that the tile's border and surroundings are seen too."""

Array = npt.NDArray[Any]


def cut(frame_bgr: Array, centres_px: Array, u_px: Array, v_px: Array) -> npt.NDArray[np.uint8]:
    """Upright patches (N, PATCH_PX, PATCH_PX, 3) around centres (N, 2).

    `u_px` and `v_px` (N, 2) are the tile's edges: what is one tile to the right and one tile down.
    """
    step = PATCH_SPAN / PATCH_PX
    origin = (0.5 - PATCH_PX / 2) * step
    patches = np.empty((len(centres_px), PATCH_PX, PATCH_PX, 3), np.uint8)
    flags = cv2.INTER_LINEAR | cv2.WARP_INVERSE_MAP
    for index, (centre, u, v) in enumerate(zip(centres_px, u_px, v_px, strict=True)):
        start = centre + origin * (u + v)
        matrix = np.array(
            [[u[0] * step, v[0] * step, start[0]], [u[1] * step, v[1] * step, start[1]]]
        )
        cv2.warpAffine(
            frame_bgr,
            matrix,
            (PATCH_PX, PATCH_PX),
            dst=patches[index],
            flags=flags,
            borderMode=cv2.BORDER_REPLICATE,
        )
    return patches
