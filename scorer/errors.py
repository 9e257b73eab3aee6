"""What can go wrong with a game, said in one clear sentence."""

from __future__ import annotations

from collections.abc import Sequence

from scorer.rules import Violation
from scorer.sentences import sentence


class GameError(ValueError):
    """Something that cannot happen in this game; nothing was changed."""


class BusyError(GameError):
    """It could not be done in the time that a person waits; asking again may help."""

    code = "disk_hangs"


class IllegalTurnError(GameError):
    """A turn that breaks rules; a person can have it counted anyway."""

    def __init__(self, violations: Sequence[Violation]) -> None:
        """Say every broken rule, each once."""
        self.violations = tuple(violations)
        super().__init__("; ".join(dict.fromkeys(sentence(v) for v in violations)))


class EventError(ValueError):
    """Data that does not describe an event."""
