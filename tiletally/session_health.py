"""Whether games can be kept: the journal, the disk, and what the camera says."""

from __future__ import annotations

import shutil
from pathlib import Path
from typing import Any

from scorer.journal import JournalError, JournalReader

LEAST_FREE_BYTES = 20 * 1024 * 1024
"""A game takes about 50 kB; below this the next photo or log may fill the disk."""


def health(
    journal: JournalReader, data_dir: Path | None, camera: str
) -> tuple[bool, dict[str, Any]]:
    """Whether all is well, and each part in a word."""
    parts: dict[str, Any] = {"camera": camera, "journal": "ok", "disk": "ok"}
    try:
        journal.players()
    except JournalError as error:
        parts["journal"] = error.code
    if data_dir is not None:
        free = shutil.disk_usage(data_dir).free
        parts["disk"] = "ok" if free >= LEAST_FREE_BYTES else "full"
        parts["free_bytes"] = free
    return parts["journal"] == parts["disk"] == "ok", parts
