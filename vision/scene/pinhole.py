"""A pinhole camera that looks at the table."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

Array = npt.NDArray[np.float64]


@dataclass(frozen=True, slots=True)
class Pinhole:
    """A camera aimed at one point of the table.

    `tilt` is the angle off the vertical, `roll` the turn of the picture, `azimuth` the side from
    which it looks, all in radians; `distance` is in tile edges, `focal_px` in pixels.
    """

    size_wh: tuple[int, int]
    focal_px: float
    distance: float
    tilt: float = 0.0
    azimuth: float = 0.0
    roll: float = 0.0
    aim: tuple[float, float] = (0.0, 0.0)

    @property
    def pose(self) -> tuple[Array, Array]:
        """Rotation (3, 3) from table to camera axes, and the camera's place (3,)."""
        st, ct = np.sin(self.tilt), np.cos(self.tilt)
        sa, ca = np.sin(self.azimuth), np.cos(self.azimuth)
        forward = np.array([-st * ca, -st * sa, -ct])
        place = np.array([*self.aim, 0.0]) - self.distance * forward
        right = np.array([-sa, ca, 0.0]) if self.tilt > 1e-6 else np.array([1.0, 0.0, 0.0])
        down = np.cross(right, forward)  # z up with y towards the viewer is left-handed
        sr, cr = np.sin(self.roll), np.cos(self.roll)
        rotation = np.stack([cr * right + sr * down, -sr * right + cr * down, forward])
        return rotation, place

    def project(self, points: npt.ArrayLike) -> Array:
        """Pixels (N, 2) of table points (N, 3)."""
        rotation, place = self.pose
        seen = (np.asarray(points, dtype=np.float64).reshape(-1, 3) - place) @ rotation.T
        centre = np.array(self.size_wh) / 2.0
        pixels: Array = seen[:, :2] / seen[:, 2:] * self.focal_px + centre
        return pixels

    def plane(self, height: float = 0.0) -> Array:
        """The homography (3, 3) from (x, y) on the plane at this height to pixels."""
        rotation, place = self.pose
        columns = np.stack([rotation[:, 0], rotation[:, 1], rotation @ ([0, 0, height] - place)], 1)
        width, high = self.size_wh
        intrinsic = np.array(
            [[self.focal_px, 0, width / 2], [0, self.focal_px, high / 2], [0, 0, 1.0]]
        )
        matrix: Array = intrinsic @ columns
        return np.asarray(matrix / matrix[2, 2])
