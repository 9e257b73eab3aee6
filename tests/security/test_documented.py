"""The list of attacks in the document is the list of attacks that are tried."""

from __future__ import annotations

import ast
import re
from pathlib import Path

ROOT = Path(__file__).parents[2]


def test_every_attack_is_listed_and_every_listed_one_is_tried() -> None:
    tree = ast.parse((Path(__file__).parent / "test_attacks.py").read_text(encoding="utf-8"))
    functions = [each.name for each in tree.body if isinstance(each, ast.FunctionDef)]
    tried = {name for name in functions if name.startswith("test_")}
    text = (ROOT / "docs" / "security.md").read_text(encoding="utf-8")
    assert set(re.findall(r"`(test_\w+)`", text)) == tried
