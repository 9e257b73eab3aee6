"""A frame at several sizes, each made only once and only when it is needed."""

from __future__ import annotations

from typing import Any

import cv2
import numpy as np
import numpy.typing as npt

Array = npt.NDArray[Any]


class Pyramid:
    """A frame (H, W, 3) and its halves."""

    def __init__(self, frame_bgr: Array) -> None:
        self._levels = [frame_bgr]

    @property
    def frame(self) -> Array:
        """The frame itself."""
        return self._levels[0]

    @property
    def size_wh(self) -> tuple[int, int]:
        """Width and height of the frame."""
        return int(self.frame.shape[1]), int(self.frame.shape[0])

    @property
    def middle_px(self) -> tuple[float, float]:
        """The middle of the frame, where people aim a camera."""
        return self.size_wh[0] / 2, self.size_wh[1] / 2

    def level(self, number: int) -> Array:
        """The frame halved `number` times."""
        while len(self._levels) <= number:
            last = self._levels[-1]
            size = (max(1, last.shape[1] // 2), max(1, last.shape[0] // 2))
            self._levels.append(np.asarray(cv2.resize(last, size, interpolation=cv2.INTER_AREA)))
        return self._levels[number]

    def scaled(self, scale: float) -> Array:
        """The frame at any scale up to 2, from the next larger half."""
        halvings = 0
        while scale * 2 ** (halvings + 1) <= 1 and halvings < 6:
            halvings += 1
        source = self.level(halvings)
        width, height = self.size_wh
        size = (max(1, round(width * scale)), max(1, round(height * scale)))
        if size == source.shape[1::-1]:
            return source
        return np.asarray(cv2.resize(source, size, interpolation=cv2.INTER_LINEAR))
