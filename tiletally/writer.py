"""One thread that changes games, so that nobody waits for a disk for ever.

All changes go through it one after the other. Whoever wants one waits for it, but not longer than
is bearable: a job that has not begun by then never will, and of one that has begun nobody knows
yet how it ends. It is then finished as soon as the disk answers, and a command that is sent again
with the same id counts once.
"""

from __future__ import annotations

import threading
import time
from collections.abc import Callable
from typing import Any, Generic, TypeVar

from scorer.errors import BusyError

PATIENCE_S = 5.0
"""The slowest card takes about a second to be sure of a turn."""
HUNG_S = 8.0
"""A job that takes longer hangs; looked for every second, it is noticed within ten."""
END_WITHIN_S = 0.5
LEAST_S = 0.5
"""Time that a job has in any case once its turn has come."""

Result = TypeVar("Result")


def told_worker(state: str, doing: str, age_s: float, restarts: int) -> dict[str, Any]:
    """A worker in the words of `GET /healthz`."""
    return {"state": state, "doing": doing, "age_s": round(age_s, 1), "restarts": restarts}


class _Job(Generic[Result]):
    """Something to be done, and what came of it."""

    def __init__(self, work: Callable[[], Result]) -> None:
        self._work = work
        self.is_over = threading.Event()
        self._result: Result
        self._error: BaseException | None = None

    def run(self) -> None:
        try:
            self._result = self._work()
        except BaseException as error:  # noqa: BLE001 - raised again where the job was wanted
            self._error = error
        self.is_over.set()

    def result(self) -> Result:
        if self._error is not None:
            raise self._error
        return self._result


class Writer:
    """Does one job at a time, in a thread of its own."""

    def __init__(
        self, patience_s: float | None = None, clock: Callable[[], float] = time.monotonic
    ) -> None:
        """Start with nothing to do; the thread begins with the first job."""
        self._patience_s = PATIENCE_S if patience_s is None else patience_s
        self._clock = clock
        self._turn = threading.Lock()
        self._has_job = threading.Semaphore(0)
        self._job: _Job[Any] | None = None
        self._thread: threading.Thread | None = None
        self._began_s: float | None = None
        self.restarts = 0
        """How often a thread that had died was replaced."""

    @property
    def busy_s(self) -> float:
        """For how long the present job has been going on; 0 without one."""
        began_s = self._began_s
        return 0.0 if began_s is None else self._clock() - began_s

    def told(self) -> dict[str, Any]:
        """How it is, for whoever looks after the program."""
        state = "hung" if self.busy_s >= HUNG_S else "ok"
        doing = "writing" if self.busy_s else "waiting"
        return told_worker(state, doing, self.busy_s, self.restarts)

    def do(self, work: Callable[[], Result]) -> Result:
        """Do something in the writing thread and return what came of it.

        Raises:
            BusyError: It was not done within the patience of a person.
        """
        if threading.current_thread() is self._thread:
            return work()
        until_s = self._clock() + self._patience_s
        if not self._turn.acquire(timeout=self._patience_s):
            raise BusyError("the disk is slow, and nothing was changed: tap again in a moment")
        job = self._begin(work)
        if not job.is_over.wait(max(until_s - self._clock(), LEAST_S)):
            raise BusyError("the disk has not answered yet: look in a moment whether it counted")
        return job.result()

    def close(self) -> bool:
        """Let the thread end; False if it is still in the middle of something that hangs."""
        if self._thread is None:
            return True
        if not self._turn.acquire(timeout=END_WITHIN_S):
            return False
        self._job = None
        self._has_job.release()
        self._thread.join(END_WITHIN_S)
        self._turn.release()
        return True

    def _begin(self, work: Callable[[], Result]) -> _Job[Result]:
        if self._thread is None or not self._thread.is_alive():
            self._start()
        job = _Job(work)
        self._job, self._began_s = job, self._clock()
        self._has_job.release()
        return job

    def _start(self) -> None:
        self.restarts += self._thread is not None
        self._thread = threading.Thread(target=self._run, name="journal", daemon=True)
        self._thread.start()

    def _run(self) -> None:
        while self._has_job.acquire() and (job := self._job) is not None:
            try:
                job.run()
            finally:
                self._job, self._began_s = None, None
                job.is_over.set()
                self._turn.release()
