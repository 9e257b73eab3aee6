"""The page translates findings by their codes: every one is in the documents."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
_CODE = re.compile(r'(?:Finding|CalibrationError)\(\s*"([a-z_]+)"')


def codes() -> list[str]:
    sources = [path.read_text(encoding="utf-8") for path in (ROOT / "calibration").glob("*.py")]
    return sorted({code for source in sources for code in _CODE.findall(source)})


@pytest.mark.parametrize("code", codes())
def test_every_code_is_documented(code: str) -> None:
    assert f"`{code}`" in (ROOT / "docs" / "calibration.md").read_text(encoding="utf-8")
