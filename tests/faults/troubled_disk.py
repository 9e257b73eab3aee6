"""A disk that is full or read-only for a while, for one process and without any privilege."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from tests.faults.faulty import FULL, READ_ONLY, DiskFault
from tests.shims import compiled, find_compiler

SOURCE = Path(__file__).with_name("diskfault.c")
ERRORS = {"full": FULL, "read-only": READ_ONLY}


class TroubledDisk:
    """The disk below a data directory; `environment` goes to the process that uses it."""

    def __init__(self, data: Path, folder: Path) -> None:
        """Build what stands between the process and the disk; needs a C compiler."""
        self.is_possible = find_compiler() is not None
        self.environment: dict[str, str] = {}
        if self.is_possible:
            self._fault = DiskFault(compiled(SOURCE, folder), data)
            self.environment = self._fault.environment

    @contextmanager
    def is_(self, trouble: str) -> Iterator[None]:
        """The disk is "full" or "read-only" inside the block."""
        self._fault.begin(ERRORS[trouble])
        try:
            yield
        finally:
            self._fault.end()
