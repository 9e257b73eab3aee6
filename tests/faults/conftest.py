"""The faults that are made inside a real process, and a browser in front of one."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Browser, BrowserContext, Page

from tests.faults.faulty import ClockJump, DiskFault
from tests.shims import compiled

HERE = Path(__file__).parent
JOURNAL = HERE.parent / "journal"


@pytest.fixture(scope="session")
def shims(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Path]:
    """The compiled libraries by the names of their faults."""
    folder = tmp_path_factory.mktemp("shims")
    sources = (HERE / "diskfault.c", HERE / "clockjump.c", JOURNAL / "powercut.c")
    return {source.stem: compiled(source, folder) for source in sources}


@pytest.fixture
def disk_fault(shims: dict[str, Path], tmp_path: Path) -> DiskFault:
    """A disk of which a test says when it is full or read-only."""
    return DiskFault(shims["diskfault"], tmp_path / "data")


@pytest.fixture
def clock_jump(shims: dict[str, Path], tmp_path: Path) -> ClockJump:
    """A clock on the wall that a test moves."""
    return ClockJump(shims["clockjump"], tmp_path / "clock")


BLANK = "about:blank"
OpenTablet = Callable[[str], Page]


@pytest.fixture
def open_tablet(browser: Browser) -> Iterator[OpenTablet]:
    """Opens the page of a scorekeeper on a new device; errors of its scripts fail the test."""
    contexts: list[BrowserContext] = []
    problems: list[str] = []

    def open_tablet(address: str) -> Page:
        context = browser.new_context(
            viewport={"width": 1280, "height": 800},
            has_touch=True,
            locale="en",
            reduced_motion="reduce",
        )
        contexts.append(context)
        page = context.new_page()
        page.set_default_timeout(30_000)
        page.on("pageerror", lambda error: problems.append(str(error)))
        page.goto(address)
        if address != BLANK:
            page.wait_for_selector(".view")
        return page

    yield open_tablet
    for context in contexts:
        context.close()
    assert problems == []
