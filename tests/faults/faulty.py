"""The disk and the clock of a process as a test wants them; see the C files beside this one."""

from __future__ import annotations

import errno
import mmap
import struct
from pathlib import Path

FULL, READ_ONLY = errno.ENOSPC, errno.EROFS
_DISK, _CLOCK = struct.Struct("iiii"), struct.Struct("q")


class _Shared:
    """Numbers that two processes see."""

    def __init__(self, path: Path, form: struct.Struct) -> None:
        path.write_bytes(bytes(form.size))
        self._form = form
        with path.open("r+b") as file:
            self._map = mmap.mmap(file.fileno(), form.size)

    def read(self) -> tuple[int, ...]:
        return self._form.unpack_from(self._map)

    def write(self, *numbers: int) -> None:
        self._form.pack_into(self._map, 0, *numbers)


class DiskFault:
    """A folder that becomes full or read-only for one process, and well again."""

    def __init__(self, library: Path, disk: Path) -> None:
        """All is well at first."""
        self.folder = disk
        control = disk.with_name("disk-control")
        self._shared = _Shared(control, _DISK)
        self.environment = {
            "LD_PRELOAD": str(library),
            "DISKFAULT_DISK": str(disk),
            "DISKFAULT_CONTROL": str(control),
        }

    def begin(self, error: int = FULL, after: int = 0) -> None:
        """Every write fails from now on, except for the next `after`."""
        _, _, count, _ = self._shared.read()
        self._shared.write(error, count + after + 1, count, 0)

    def end(self) -> int:
        """Make it well again, and return how many writes failed."""
        _, _, count, failed = self._shared.read()
        self._shared.write(0, 0, count, 0)
        return failed

    @property
    def count(self) -> int:
        """How many writes there have been."""
        return self._shared.read()[2]


class ClockJump:
    """The clock on the wall of one process."""

    def __init__(self, library: Path, control: Path) -> None:
        """Right at first."""
        self._shared = _Shared(control, _CLOCK)
        self.environment = {"LD_PRELOAD": str(library), "CLOCKJUMP": str(control)}

    def set(self, seconds: float) -> None:
        """Let it be wrong by so many seconds from now on."""
        self._shared.write(int(seconds))


def power_cut_environment(library: Path, disk: Path, shadow: Path) -> dict[str, str]:
    """What makes a process remember in `shadow` what it has synced below `disk`."""
    names = {"POWERCUT_DISK": str(disk), "POWERCUT_SHADOW": str(shadow)}
    return {"LD_PRELOAD": str(library), **names}
