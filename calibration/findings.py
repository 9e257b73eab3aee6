"""What a check found, as a code for the page and as a plain sentence."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import Any, Literal

Level = Literal["good", "hint", "problem"]
"""`hint`: it works, and could work better; `problem`: do this before you play."""


@dataclass(frozen=True, slots=True)
class Finding:
    """One thing that a check found.

    The page translates by `code` and fills in `values`; `text` is the English sentence with the
    cure in it.
    """

    code: str
    level: Level
    text: str
    values: dict[str, float | int | str] = field(default_factory=dict)

    def as_json(self) -> dict[str, Any]:
        """The finding as plain values."""
        return {"code": self.code, "level": self.level, "text": self.text, "values": self.values}


class CalibrationError(Exception):
    """A step of the calibration cannot be done with this; the finding says why and the cure."""

    def __init__(self, code: str, text: str, **values: float | int | str) -> None:
        super().__init__(text)
        self.finding = Finding(code, "problem", text, values)


def worst(findings: Iterable[Finding]) -> Level:
    """The gravest level among some findings, `good` if there are none."""
    levels = {finding.level for finding in findings}
    return "problem" if "problem" in levels else "hint" if "hint" in levels else "good"
