"""The word after `--camera`, understood without importing any camera."""

from __future__ import annotations

from dataclasses import dataclass

KINDS = ("demo", "picamera", "usb", "folder", "video", "phone")
FIRST = {"picamera": "", "usb": "0"}
"""What follows the colon for the first device of a kind: one device has one word, by which its
profile is found."""


class SourceError(ValueError):
    """The word for the camera makes no sense; the message says what would."""


@dataclass(frozen=True, slots=True)
class Source:
    """A kind of camera and what follows the colon."""

    kind: str
    detail: str = ""

    def __str__(self) -> str:
        detail = self.detail
        if self.kind in FIRST:
            detail = detail.lstrip("0") or FIRST[self.kind]
        return f"{self.kind}:{detail}" if detail else self.kind


def parse_source(text: str) -> Source:
    """Understand `demo`, `demo:SEED`, `usb`, `usb:N`, `folder:DIR`, `video:FILE`, `phone`, …

    Raises:
        SourceError: There is no such kind, or what belongs after the colon is missing or wrong.
    """
    kind, _, detail = text.partition(":")
    if kind not in KINDS:
        raise SourceError(f"there is no camera {text!r}: use one of {', '.join(KINDS)}")
    if kind in ("folder", "video") and not detail:
        raise SourceError(f"{kind} needs a place: {kind}:PATH")
    if kind in ("demo", "picamera", "usb") and detail and not detail.isdecimal():
        raise SourceError(f"{kind}:{detail} is not a number")
    return Source(kind, detail)
