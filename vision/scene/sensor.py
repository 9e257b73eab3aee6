"""From light to a frame: exposure, white balance, tone curve, blur, noise and JPEG."""

from __future__ import annotations

from dataclasses import dataclass

import cv2
import numpy as np
import numpy.typing as npt

from vision.scene.artwork import Image


@dataclass(frozen=True, slots=True)
class Sensor:
    """How a camera turns radiance into 8-bit BGR."""

    exposure: float = 1.0
    balance: tuple[float, float, float] = (1.0, 1.0, 1.0)
    saturation: float = 1.0
    contrast: float = 0.0
    haze: float = 0.0
    gamma: float = 2.2
    blur_px: float = 0.0
    motion_px: tuple[float, float] = (0.0, 0.0)
    noise: float = 0.0
    sharpen: float = 0.0
    jpeg: int | None = None


def _motion(image: Image, shift: tuple[float, float]) -> Image:
    length = int(max(abs(shift[0]), abs(shift[1]))) * 2 + 3
    kernel = np.zeros((length, length), np.float32)
    middle = length // 2
    start = (round(middle - shift[0] / 2), round(middle - shift[1] / 2))
    end = (round(middle + shift[0] / 2), round(middle + shift[1] / 2))
    cv2.line(kernel, start, end, 1.0)
    return np.asarray(cv2.filter2D(image, -1, kernel / kernel.sum()), np.float32)


def develop(radiance: Image, sensor: Sensor, rng: np.random.Generator) -> npt.NDArray[np.uint8]:
    """Expose and encode: linear RGB (H, W, 3) to a BGR frame of the same size."""
    image = radiance * (sensor.exposure * np.array(sensor.balance, np.float32))
    if sensor.blur_px > 0.2:
        image = cv2.GaussianBlur(image, (0, 0), sensor.blur_px)
    if abs(sensor.motion_px[0]) + abs(sensor.motion_px[1]) > 1:
        image = _motion(image, sensor.motion_px)
    if sensor.noise > 0:
        grain = rng.standard_normal((*image.shape[:2], 3), dtype=np.float32)
        image = image + grain * (sensor.noise * np.sqrt(np.maximum(image, 0) + 0.002))
    grey = image.mean(2, keepdims=True)
    image = np.clip(grey + (image - grey) * sensor.saturation, 0, 1)
    image = cv2.pow(image.astype(np.float32), 1 / sensor.gamma)
    if sensor.contrast:
        image = image + sensor.contrast * (image * image * (3 - 2 * image) - image)
    image = image * (1 - sensor.haze) + sensor.haze * 0.6
    if sensor.sharpen:
        image = image + sensor.sharpen * (image - cv2.GaussianBlur(image, (0, 0), 1.2))
    frame = np.clip(image[..., ::-1] * 255 + 0.5, 0, 255).astype(np.uint8)
    return through_jpeg(frame, sensor.jpeg) if sensor.jpeg else np.ascontiguousarray(frame)


def through_jpeg(frame: npt.NDArray[np.uint8], quality: int) -> npt.NDArray[np.uint8]:
    """The frame after JPEG compression of the given quality."""
    _, data = cv2.imencode(".jpg", frame, [cv2.IMWRITE_JPEG_QUALITY, quality])
    decoded = cv2.imdecode(data, cv2.IMREAD_COLOR)
    return np.asarray(decoded, np.uint8)
