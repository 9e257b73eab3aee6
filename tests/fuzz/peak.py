"""The most memory that a process has needed."""

from __future__ import annotations

from pathlib import Path


def peak_mb(pid: int | str = "self") -> float:
    """In megabytes, since it began; `getrusage` also counts the process that started it."""
    status = Path(f"/proc/{pid}/status").read_text(encoding="ascii")
    row = next(row for row in status.splitlines() if row.startswith("VmHWM"))
    return round(int(row.split()[1]) / 1024, 1)
