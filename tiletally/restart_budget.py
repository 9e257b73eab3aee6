"""How often something that fails is started again: at once a few times, then ever more rarely."""

from __future__ import annotations

from collections import deque
from dataclasses import dataclass, field


@dataclass(slots=True)
class RestartBudget:
    """Restarts that may follow at once; whoever uses them up waits a minute, then two, …"""

    most: int = 5
    within_s: float = 600.0
    pause_s: float = 1.0
    """Before a restart within the budget: the device needs a moment to be free."""
    rest_s: float = 60.0
    """Before the first restart beyond it; each further one waits twice as long."""
    longest_s: float = 600.0
    count: int = 0
    """All restarts so far."""
    _spent_s: deque[float] = field(default_factory=deque)
    _beyond: int = 0

    def spend(self, now_s: float) -> float:
        """Count a restart, and tell how many seconds to wait before it."""
        while self._spent_s and now_s - self._spent_s[0] >= self.within_s:
            self._spent_s.popleft()
        self.count += 1
        if not self._spent_s:
            self._beyond = 0
        if len(self._spent_s) < self.most:
            self._spent_s.append(now_s)
            return self.pause_s
        self._beyond += 1
        return min(self.rest_s * 2.0 ** min(self._beyond - 1, 10), self.longest_s)

    @property
    def is_used_up(self) -> bool:
        """Whether the last one had to wait longer."""
        return self._beyond > 0
