"""Watching the light stream: is something moving, is a hand in the way, what has changed?

Frames are compared block by block, with the one before (motion) and with the last free look
(what lies there now that did not lie there then). All thresholds follow the noise of the stream.
"""

from __future__ import annotations

from dataclasses import dataclass

import cv2
import numpy as np
import numpy.typing as npt

from vision.cameras.base import Grey

BLOCKS_WH = (32, 24)
"""Blocks of 10 x 10 px: a tile covers about one, a hand about thirty."""
MOTION_GREY = 2.0
"""Least mean change of a moving block in grey levels; a quiet block of a webcam with a noise of
2 has 0.75 after smoothing, and the edge of a hand that sways by half a pixel has 3."""
MOTION_NOISE = 2.5
"""How many times the stream's noise a moving or changed block must show."""
NOISE_RATE = 0.1
"""How fast the estimate of the noise follows the stream."""
CHANGED_GREY = 9.0
"""Least mean change of a block against the last free look, after the light is evened out; tiles
and hands change theirs by more than 15, slow drift of light over a wooden table by less than 5."""
EVERYWHERE = 0.6
"""Share of blocks above which it is no hand: the camera or the table was pushed."""
PUSH_RESPONSE = 0.2
PUSH_PX = 0.4
"""Least correlation, and least shift on a grid of 160 x 120, of a picture that moved as a whole;
with a hand in it the best match stays at a shift of 0."""
HAND_BLOCKS = 10
"""Least size of something that reaches in from the border to be a hand: 1.3 % of the picture."""
QUIET_S = 0.4
"""How long nothing may move before the table is still; three frames at 8 a second."""
PUT_DOWN_S = 8.0
"""A hand keeps moving; what lies still for so long at the border is a thing that was put there."""
DARK_GREY = 10.0
EVEN_GREY = 2.0
"""Mean and deviation of a picture below which nothing can be seen: dark, or the lens covered."""

Blocks = npt.NDArray[np.float32]


@dataclass(frozen=True, slots=True)
class Watched:
    """What one frame of the light stream tells."""

    time_s: float
    is_moving: bool
    has_hand: bool
    light_changed: bool
    was_pushed: bool
    is_changed: bool
    """Something is different from the last free look, so that reading is worth its while."""
    still_s: float
    frozen_s: float
    is_blind: bool

    @property
    def is_free(self) -> bool:
        """Whether the table is still and nothing is in the way."""
        return self.still_s >= QUIET_S and not self.has_hand and not self.is_blind


class Watcher:
    """Follows the light stream frame by frame."""

    def __init__(self) -> None:
        """Know nothing yet: the first still frame is worth a look."""
        self._last: Grey | None = None
        self._reference: Grey | None = None
        self._older: Grey | None = None
        self._noise: float | None = None
        self._moved_s = 0.0
        self._fresh_s = 0.0
        self._hand_since_s: float | None = None

    def see(self, grey: Grey, time_s: float) -> Watched:
        """Judge the next frame (240, 320) of the stream."""
        if self._last is None:
            self._moved_s = self._fresh_s = time_s
            moving = np.zeros(BLOCKS_WH[::-1], bool)
        else:
            moving = self._motion(grey, time_s)
        self._last = grey
        return self._judge(grey, time_s, bool(moving.sum() >= 1))

    def accept(self, grey: Grey) -> None:
        """Take a frame as the free look that later ones are compared with."""
        self._older, self._reference = self._reference, grey
        self._hand_since_s = None

    def forget(self) -> None:
        """Have the next still frame looked at, whatever it shows."""
        self._reference = self._older = None

    def _motion(self, grey: Grey, time_s: float) -> npt.NDArray[np.bool_]:
        assert self._last is not None
        if not np.array_equal(grey, self._last):
            self._fresh_s = time_s
        smooth = cv2.absdiff(cv2.blur(grey, (3, 3)), cv2.blur(self._last, (3, 3)))
        change = block_means(np.asarray(smooth, np.uint8))
        self._learn_noise(float(np.median(change)))
        moving: npt.NDArray[np.bool_] = change > self._limit(MOTION_GREY)
        if moving.any():
            self._moved_s = time_s
        return moving

    def _learn_noise(self, middle: float) -> None:
        if self._noise is None:
            self._noise = min(middle, MOTION_GREY)
        elif middle < 2 * self._noise + 0.5:
            self._noise += NOISE_RATE * (middle - self._noise)

    def _limit(self, least: float) -> float:
        return max(least, MOTION_NOISE * (self._noise or 0.0))

    def _judge(self, grey: Grey, time_s: float, is_moving: bool) -> Watched:
        light = pushed = False
        changed = np.ones(BLOCKS_WH[::-1], bool)
        if self._reference is not None:
            light, changed = changed_blocks(self._reference, grey, self._limit(CHANGED_GREY))
            share = float(changed.mean())
            pushed = share > EVERYWHERE or (
                share > EVERYWHERE / 4 and is_pushed(self._reference, grey)
            )
        has_hand = self._reference is not None and not pushed and reaches_in(changed)
        # A hand that was taken for free table "appears" once more by leaving it.
        if has_hand and self._older is not None:
            older = changed_blocks(self._older, grey, self._limit(CHANGED_GREY))[1]
            has_hand = reaches_in(older)
        return Watched(
            time_s,
            is_moving,
            self._is_hand(has_hand, time_s),
            light,
            pushed,
            bool(changed.any()) or light,
            time_s - self._moved_s,
            time_s - self._fresh_s,
            float(grey.mean()) < DARK_GREY or float(grey.std()) < EVEN_GREY,
        )

    def _is_hand(self, reaches: bool, time_s: float) -> bool:
        """Whether what reaches in is alive: a cup put down at the border stops being a hand."""
        if not reaches:
            self._hand_since_s = None
            return False
        if self._hand_since_s is None:
            self._hand_since_s = time_s
        return time_s - max(self._hand_since_s, self._moved_s) < PUT_DOWN_S


def block_means(grey: Grey) -> Blocks:
    """Mean of each block (24, 32) of a grey picture."""
    means = cv2.resize(grey.astype(np.float32), BLOCKS_WH, interpolation=cv2.INTER_AREA)
    return np.asarray(means, np.float32)


def changed_blocks(
    reference: Grey, grey: Grey, limit: float = CHANGED_GREY
) -> tuple[bool, npt.NDArray[np.bool_]]:
    """Whether the light changed, and which blocks (24, 32) changed apart from that."""
    before, now = block_means(reference), block_means(grey)
    gain = float(np.median((now + 4) / (before + 4)))
    evened = np.asarray(cv2.convertScaleAbs(reference, alpha=gain, beta=4 * (gain - 1)), np.uint8)
    # Small shifts of the camera move edges by a fraction of a pixel: blur them away.
    soft = cv2.absdiff(cv2.blur(evened, (3, 3)), cv2.blur(grey, (3, 3)))
    change = block_means(np.asarray(soft, np.uint8))
    return abs(gain - 1) > 0.08, np.asarray(change > limit, bool)


def reaches_in(changed: npt.NDArray[np.bool_]) -> bool:
    """Whether something large touches the border of the picture, as a hand with its arm does."""
    closed = cv2.morphologyEx(changed.astype(np.uint8), cv2.MORPH_CLOSE, np.ones((3, 3), np.uint8))
    count, labels, stats, _ = cv2.connectedComponentsWithStats(closed, connectivity=8)
    border = set(labels[0]) | set(labels[-1]) | set(labels[:, 0]) | set(labels[:, -1])
    return any(
        label in border and stats[label, cv2.CC_STAT_AREA] >= HAND_BLOCKS
        for label in range(1, count)
    )


def is_pushed(reference: Grey, grey: Grey) -> bool:
    """Whether the whole picture has moved: camera or table were pushed."""
    size = (160, 120)
    before = cv2.resize(reference, size, interpolation=cv2.INTER_AREA).astype(np.float32)
    now = cv2.resize(grey, size, interpolation=cv2.INTER_AREA).astype(np.float32)
    window = cv2.createHanningWindow(size, cv2.CV_32F)
    (dx, dy), response = cv2.phaseCorrelate(before, now, window)
    return bool(response >= PUSH_RESPONSE and np.hypot(dx, dy) >= PUSH_PX)
