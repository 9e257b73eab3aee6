"""How often the whole program may be started again for the sake of a camera.

Each such start interrupts the page for some seconds, so a camera that hangs at every start must not
cause ever more of them. Kept in a file, because it has to outlive the program.
"""

from __future__ import annotations

import json
import logging
import time
from pathlib import Path

logger = logging.getLogger(__name__)

MOST = 3
WITHIN_S = 3600.0
FILE_NAME = "camera-restarts.json"


class ProcessBudget:
    """Asked again and again while a camera is stuck; counts once for each process."""

    def __init__(self, data_dir: Path | None, most: int = MOST, within_s: float = WITHIN_S) -> None:
        """Remember in a data directory, or only here without one."""
        self._path = data_dir / FILE_NAME if data_dir else None
        self._most = most
        self._within_s = within_s
        self._is_granted = False

    def may_restart(self) -> bool:
        """Whether a new process is worth an interruption."""
        if not self._is_granted:
            now_s = time.time()
            spent = [each for each in self._load() if 0 <= now_s - each < self._within_s]
            self._is_granted = len(spent) < self._most
            if self._is_granted:
                self._save([*spent, now_s])
        return self._is_granted

    def _load(self) -> list[float]:
        if self._path is None:
            return []
        try:
            return [float(each) for each in json.loads(self._path.read_text())]
        except FileNotFoundError:
            return []
        except (OSError, ValueError, TypeError) as error:
            logger.info("no restarts known from %s: %s", FILE_NAME, error)
            return []

    def _save(self, spent: list[float]) -> None:
        if self._path is None:
            return
        try:
            self._path.write_text(json.dumps(spent))
        except OSError as error:
            logger.warning("the restart could not be noted: %s", error)
