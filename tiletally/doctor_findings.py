"""What the doctor finds, and the surroundings that it looks at."""

from __future__ import annotations

import os
import time
from collections.abc import Callable
from dataclasses import asdict, dataclass
from pathlib import Path

OK, NOTE, FAULT = "ok", "note", "fault"


@dataclass(frozen=True, slots=True)
class Finding:
    """One thing that was looked at: ok, worth a note, or a fault with its cure."""

    check: str
    state: str
    sentence: str
    code: str = ""
    cure: str = ""

    def to_json(self) -> dict[str, str]:
        """The finding as plain JSON."""
        return asdict(self)

    def line(self) -> str:
        """The finding as a line for people."""
        mark = {OK: "ok   ", NOTE: "note ", FAULT: "FAULT"}[self.state]
        cure = f" → {self.cure}" if self.cure else ""
        return f"{mark}  {self.check:<11} {self.sentence}{cure}"


def fine(check: str, sentence: str) -> Finding:
    """All is well."""
    return Finding(check, OK, sentence)


def note(check: str, code: str, sentence: str, cure: str = "") -> Finding:
    """Worth knowing, but games can be played."""
    return Finding(check, NOTE, sentence, code, cure)


def fault(check: str, code: str, sentence: str, cure: str) -> Finding:
    """Has to be mended."""
    return Finding(check, FAULT, sentence, code, cure)


@dataclass(frozen=True, slots=True)
class Surroundings:
    """Where the doctor looks."""

    data_dir: Path
    camera: str | None = None
    """The word after --camera, or None for the best camera that is there."""
    port: int = 80
    root: Path = Path("/")
    """Above /proc, /sys, /dev, /run and /boot."""
    clock: Callable[[], float] = time.time

    @property
    def is_raspberry_pi(self) -> bool:
        """Whether this machine is a Raspberry Pi."""
        return "Raspberry Pi" in self.read("proc/device-tree/model")

    def read(self, path: str) -> str:
        """The text of a file of the system, or nothing where there is none."""
        try:
            return (self.root / path).read_text(encoding="utf-8", errors="replace").strip("\0\n ")
        except OSError:
            return ""


Check = Callable[[Surroundings], list[Finding]]


def user_name() -> str:
    """Who runs the doctor."""
    import pwd

    try:
        return pwd.getpwuid(os.geteuid()).pw_name
    except KeyError:
        return str(os.geteuid())
