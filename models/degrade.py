"""Photos made worse in known ways, to see where reading breaks and whether it says so."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import cv2
import numpy as np
import numpy.typing as npt

from vision.scene.sensor import through_jpeg

Frame = npt.NDArray[Any]
Change = Callable[[Frame], tuple[Frame, float]]

JUDGED_PX = 1280


def shrunk(frame: Frame, longest_px: int = JUDGED_PX) -> tuple[Frame, float]:
    """The frame with this longer side, and the scale."""
    scale = longest_px / max(frame.shape[:2])
    if scale >= 1:
        return frame, 1.0
    return cv2.resize(frame, None, fx=scale, fy=scale, interpolation=cv2.INTER_AREA), scale


def _levels(frame: Frame) -> Frame:
    return np.clip(frame, 0, 255).astype(np.uint8)


def _gains(blue: float, green: float, red: float, lift: float = 0.0) -> Callable[[Frame], Frame]:
    return lambda frame: _levels(frame.astype(np.float32) * [blue, green, red] + lift)


def _noise(sigma: float) -> Callable[[Frame], Frame]:
    rng = np.random.default_rng(7)
    return lambda frame: _levels(frame + rng.normal(0, sigma, frame.shape))


def _dark_noise(frame: Frame) -> Frame:
    return _noise(6)(_gains(0.2, 0.2, 0.2)(frame))


def _pale(frame: Frame) -> Frame:
    grey = frame.mean(2, keepdims=True)
    return _levels(grey + (frame - grey) * 0.5)


def _blur(sigma: float) -> Callable[[Frame], Frame]:
    return lambda frame: np.asarray(cv2.GaussianBlur(frame, (0, 0), sigma))


def _motion(frame: Frame) -> Frame:
    return np.asarray(cv2.filter2D(frame, -1, np.eye(11, dtype=np.float32) / 11))


def _turned(degrees: float) -> Callable[[Frame], Frame]:
    def turn(frame: Frame) -> Frame:
        height, width = frame.shape[:2]
        matrix = cv2.getRotationMatrix2D((width / 2, height / 2), degrees, 0.8)
        return np.asarray(
            cv2.warpAffine(frame, matrix, (width, height), borderMode=cv2.BORDER_REPLICATE)
        )

    return turn


def _tilted(frame: Frame) -> Frame:
    height, width = frame.shape[:2]
    source = np.array([[0, 0], [width, 0], [width, height], [0, height]], np.float32)
    narrow = width * 0.14
    target = source + np.array([[narrow, 60], [-narrow, 60], [0, 0], [0, 0]], np.float32)
    matrix = cv2.getPerspectiveTransform(source, target)
    return np.asarray(
        cv2.warpPerspective(frame, matrix, (width, height), borderMode=cv2.BORDER_REPLICATE)
    )


def _half_shadow(frame: Frame) -> Frame:
    dark = frame.astype(np.float32)
    dark[:, : frame.shape[1] // 2] *= 0.4
    return _levels(dark)


def _glare(frame: Frame) -> Frame:
    height, width = frame.shape[:2]
    spot = np.zeros((height, width), np.float32)
    cv2.circle(spot, (width // 2, int(height * 0.6)), width // 9, 210.0, -1)
    spot = np.asarray(cv2.GaussianBlur(spot, (0, 0), width / 25))
    return _levels(frame + spot[..., None])


WORSE: dict[str, Callable[[Frame], Frame]] = {
    "none": lambda frame: frame,
    "exposure x0.35": _gains(0.35, 0.35, 0.35),
    "exposure x0.2 and noise": _dark_noise,
    "exposure x1.6": _gains(1.6, 1.6, 1.6),
    "warm": _gains(0.55, 1.0, 1.2),
    "very warm": _gains(0.4, 0.8, 1.25),
    "cool": _gains(1.25, 1.0, 0.7),
    "haze": _gains(0.75, 0.75, 0.75, 60),
    "half saturation": _pale,
    "blur 2.5 px": _blur(2.5),
    "blur 4 px": _blur(4.0),
    "motion 11 px": _motion,
    "noise 15": _noise(15),
    "JPEG quality 20": lambda frame: through_jpeg(_levels(frame), 20),
    "turned 20 degrees": _turned(20),
    "turned 40 degrees": _turned(40),
    "tilted": _tilted,
    "half in shadow": _half_shadow,
    "glare": _glare,
}


MOVING = ("turned 20 degrees", "turned 40 degrees", "tilted")
"""Changes after which known corners lie elsewhere, so that there is no scale to tell."""


def worse(name: str) -> Change:
    """A photo at 1280 pixels, made worse in the named way."""

    def change(frame: Frame) -> tuple[Frame, float]:
        small, scale = shrunk(frame)
        return WORSE[name](small), float("nan") if name in MOVING else scale

    return change
