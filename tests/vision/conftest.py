"""A living table for every test that wants one."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.vision.live_table import Living


@pytest.fixture
def living(tmp_path: Path) -> Iterator[Living]:
    """A table with a free look at its emptiness."""
    living = Living(tmp_path / "data")
    living.wait(1.5)
    yield living
    living.session.close()
