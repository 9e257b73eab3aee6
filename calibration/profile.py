"""What is known about one camera at one place: kept in one file, never lost to damage."""

from __future__ import annotations

import hashlib
from dataclasses import dataclass, replace
from typing import Any, Literal

import numpy as np
import numpy.typing as npt

from calibration.drift import camera_findings, light_findings
from calibration.findings import Finding
from calibration.lens import Lens
from calibration.light import Shown
from calibration.my_tiles import Edition, Lesson, relearned
from calibration.plane import Plane
from calibration.straight import straightened
from vision.balance import NEUTRAL, Gains
from vision.model import Model
from vision.own_set import OwnSet
from vision.reading import Reading

Array = npt.NDArray[Any]
Frame = npt.NDArray[Any]
Step = Literal["tiles", "plane", "lens"]


@dataclass(frozen=True, slots=True)
class MyTiles:
    """What a family's tiles taught: `own_set` holds for the model `model_id` alone.

    The patches that were shown are kept, so that a new model can learn from them by itself.
    """

    edition: Edition
    gains: Gains
    own_set: OwnSet
    model_id: str
    shown: Shown


@dataclass(frozen=True, slots=True)
class Profile:
    """All that was calibrated for a camera at a place; what was not is None.

    `reference` are the fields of the frame in which the light was learned.
    """

    camera: str = "camera"
    place: str = "table"
    made: str = ""
    my_tiles: MyTiles | None = None
    reference: Array | None = None
    lens: Lens | None = None
    plane: Plane | None = None

    @property
    def steps(self) -> tuple[Step, ...]:
        """The steps that have been done."""
        parts: dict[Step, object] = {"tiles": self.my_tiles, "plane": self.plane, "lens": self.lens}
        return tuple(step for step, part in parts.items() if part is not None)

    def without(self, step: Step) -> Profile:
        """The profile without what a step taught."""
        if step == "tiles":
            return replace(self, my_tiles=None, reference=None)
        # Without the lens, the plane of the straightened picture says nothing.
        return replace(self, plane=None, lens=None if step == "lens" else self.lens)

    @property
    def gains(self) -> Gains:
        """What frames in the light of the lesson are multiplied by before they are read."""
        return self.my_tiles.gains if self.my_tiles else NEUTRAL

    def own_set(self, edition: Edition) -> OwnSet | None:
        """The family's own tiles, if they were learned from a box with the same colours."""
        if self.my_tiles is None or not _same_colours(self.my_tiles.edition, edition):
            return None
        return self.my_tiles.own_set

    def drift(self, frame_bgr: Frame, reading: Reading | None = None) -> list[Finding]:
        """What has changed since: a frame as the camera gave it, and its reading if any."""
        found = light_findings(self.reference, frame_bgr) if self.reference is not None else []
        plane = self.plane
        if plane is not None and reading is not None and reading.size_wh == plane.size_wh:
            straight = straightened(reading, self.lens) if self.lens else reading
            found += camera_findings(plane, straight.tiles)
        return found

    def with_tiles(
        self, lesson: Lesson, edition: Edition, model: Model, reference: Array
    ) -> Profile:
        """The profile with what a photo of the family's tiles taught."""
        learned = MyTiles(edition, lesson.gains, lesson.own_set, model_id(model), lesson.shown)
        return replace(self, my_tiles=learned, reference=reference)

    def for_model(self, model: Model) -> Profile:
        """The profile for the model in use: own tiles are learned again if it is a new one."""
        mine, now = self.my_tiles, model_id(model)
        if mine is None or mine.model_id == now:
            return self
        gains, own = relearned(mine.shown, mine.gains, mine.edition, model)
        return replace(self, my_tiles=MyTiles(mine.edition, gains, own, now, mine.shown))


def model_id(model: Model) -> str:
    """A name for the network whose answers were learned from."""
    return hashlib.sha256(model.namer_onnx).hexdigest()[:16]


def _same_colours(one: Edition, other: Edition) -> bool:
    return set(np.flatnonzero(one.allowed.colours)) == set(np.flatnonzero(other.allowed.colours))
