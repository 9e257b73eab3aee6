"""The picture while it is being painted: surface colours, light and gloss as separate layers."""

from __future__ import annotations

from dataclasses import dataclass

import cv2
import numpy as np
import numpy.typing as npt

from vision.scene.artwork import RGB, Image

Points = npt.NDArray[np.float64]
Colour = RGB | Image


@dataclass(slots=True)
class Canvas:
    """Layers of one picture: `albedo` (H, W, 3) and `lit`, `gloss` (H, W), all from 0 to 1."""

    albedo: Image
    lit: Image
    gloss: Image

    @classmethod
    def covered_by(cls, albedo: Image, gloss: float) -> Canvas:
        """A fully lit canvas that shows one surface."""
        shape = albedo.shape[:2]
        return cls(albedo, np.ones(shape, np.float32), np.full(shape, gloss, np.float32))

    @property
    def size_wh(self) -> tuple[int, int]:
        """Width and height in pixels."""
        return self.albedo.shape[1], self.albedo.shape[0]

    def box(self, points_px: Points, margin: int = 2) -> tuple[slice, slice] | None:
        """Rows and columns around the points, or None where they are out of the picture."""
        width, height = self.size_wh
        low = np.floor(points_px.min(0)).astype(int) - margin
        high = np.ceil(points_px.max(0)).astype(int) + margin + 1
        x0, y0 = max(0, low[0]), max(0, low[1])
        x1, y1 = min(width, high[0]), min(height, high[1])
        return (slice(y0, y1), slice(x0, x1)) if x0 < x1 and y0 < y1 else None

    def mask(self, polygon_px: Points, box: tuple[slice, slice]) -> Image:
        """Coverage of a polygon inside the box."""
        rows, columns = box
        shape = (rows.stop - rows.start, columns.stop - columns.start)
        mask = np.zeros(shape, np.uint8)
        local = (polygon_px - [columns.start, rows.start]) * 16
        cv2.fillPoly(mask, [np.rint(local).astype(np.int32)], 255, cv2.LINE_AA, 4)
        return np.asarray(mask / 255, np.float32)

    def lay(
        self, box: tuple[slice, slice], mask: Image, colour: Colour, gloss: float, lit: float = 1.0
    ) -> None:
        """Put a surface over what lies in the box, where the mask says."""
        cover = mask[..., None]
        paint = np.asarray(colour, np.float32)
        self.albedo[box] = self.albedo[box] * (1 - cover) + paint * cover
        self.gloss[box] = self.gloss[box] * (1 - mask) + gloss * mask
        self.lit[box] = self.lit[box] * (1 - mask) + lit * mask

    def polygon(self, polygon_px: Points, colour: Colour, gloss: float, lit: float = 1.0) -> None:
        """Fill a polygon (N, 2) with one colour."""
        box = self.box(polygon_px)
        if box is not None:
            self.lay(box, self.mask(polygon_px, box), colour, gloss, lit)

    def shade(self, polygon_px: Points, soft_px: float, depth: float) -> None:
        """Take light away inside a polygon, with a soft border."""
        box = self.box(polygon_px, int(soft_px * 2) + 2)
        if box is None:
            return
        mask = self.mask(polygon_px, box)
        if soft_px > 0.5:
            mask = np.asarray(cv2.GaussianBlur(mask, (0, 0), soft_px), np.float32)
        self.lit[box] *= 1 - depth * mask
