"""Focusing once and holding it, for modules whose lens can move."""

from __future__ import annotations

import logging
from concurrent.futures import CancelledError
from typing import Any

logger = logging.getLogger(__name__)

FOCUS_WAIT_S = 15.0
"""A table has little that the sensor focuses by, so that the lens is tried at each of its places:
about 80 frames, 3 s at 30 frames a second, 5 s at the 15 of a dim evening; and as much again where
it begins anew."""
METADATA_WAIT_S = 2.0
REFOCUS_S = 20.0
"""Not asked for again so soon: what is still blurred then is dirty, or too near."""
TABLE_DIOPTRES = 1.25
"""Focus at 0.8 m, where the table is, when autofocus finds nothing to hold on to."""


def can_focus(camera: Any) -> bool:  # noqa: ANN401 - has no types of its own
    """Whether the lens can be moved; modules with a fixed lens know no focus."""
    return "AfMode" in camera.camera_controls


def focus(camera: Any, controls: Any) -> None:  # noqa: ANN401 - have no types of their own
    """Focus on what lies there, and hold it; no request may be held meanwhile."""
    dioptres = TABLE_DIOPTRES
    try:
        if camera.autofocus_cycle(wait=FOCUS_WAIT_S):
            metadata = camera.capture_metadata(wait=METADATA_WAIT_S)
            dioptres = float(metadata.get("LensPosition", dioptres))
    except (TimeoutError, CancelledError):
        camera.cancel_all_and_flush()
        logger.info("autofocus found nothing: focusing at the usual distance of a table")
    camera.set_controls({"AfMode": controls.AfModeEnum.Manual, "LensPosition": dioptres})
