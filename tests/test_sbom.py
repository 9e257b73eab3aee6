"""What the program runs with is listed, with a licence that a family's scorekeeper may carry."""

from __future__ import annotations

import hashlib
import json
import re
import tomllib
from pathlib import Path
from typing import Any

import pytest

from tools.sbom import licence_of, needs, shipped

ROOT = Path(__file__).parent.parent
LICENCES = (ROOT / "docs" / "licences.md").read_text(encoding="utf-8")


def component(name: str, **more: object) -> dict[str, Any]:
    return {"type": "library", "name": name, "bom-ref": f"{name}==1", "version": "1", **more}


def environment() -> dict[str, Any]:
    """What lies in an environment: more than the program needs."""
    names = [*needs("tiletally"), "pytest", "mypy"]
    return {
        "metadata": {"component": {"bom-ref": "root", "name": "tiletally"}},
        "components": [component(name) for name in names if name != "tiletally"],
        "dependencies": [],
    }


def test_what_runs_is_found_through_what_it_needs() -> None:
    needed = needs("tiletally")
    assert {"flask", "numpy", "waitress"} <= needed["tiletally"]
    assert "werkzeug" in needed["flask"]
    assert "pytest" not in needed


def test_the_list_holds_what_runs_and_the_model_and_nothing_else() -> None:
    bom = shipped(environment())
    names = {each["name"] for each in bom["components"]}
    assert names == (set(needs("tiletally")) - {"tiletally"}) | {"models/tiles.npz"}


def test_every_link_of_the_list_leads_to_a_part() -> None:
    bom = shipped(environment())
    refs = {each["bom-ref"] for each in bom["components"]} | {"root"}
    links = {each["ref"]: each["dependsOn"] for each in bom["dependencies"]}
    assert all(set(others) <= refs for others in links.values())
    assert {"flask==1", "models/tiles.npz"} <= set(links["root"])


def test_the_model_is_listed_with_its_hash() -> None:
    model = shipped(environment())["components"][-1]
    digest = hashlib.sha256((ROOT / "models" / "tiles.npz").read_bytes()).hexdigest()
    assert model["hashes"] == [{"alg": "SHA-256", "content": digest}]
    assert json.dumps(model)


@pytest.mark.parametrize(
    ("licences", "expected"),
    [
        ([], "unknown"),
        ([{"license": {"id": "MIT"}}], "MIT"),
        ([{"license": {"name": "License :: OSI Approved :: BSD License"}}], "BSD License"),
        ([{"expression": "MIT AND Zlib"}], "MIT AND Zlib"),
    ],
)
def test_a_licence_is_told_in_a_few_words(licences: list[object], expected: str) -> None:
    assert licence_of(component("one", licenses=licences)) == expected


@pytest.mark.parametrize("name", sorted(set(needs("tiletally")) - {"tiletally"}))
def test_every_part_that_runs_is_on_the_page_of_licences(name: str) -> None:
    rows = [line.split("|")[1] for line in LICENCES.splitlines() if line.startswith("| ")]
    assert any(re.search(rf"(^|\W){re.escape(name)}(\W|$)", row) for row in rows)


def test_every_tool_is_on_the_page_of_licences() -> None:
    groups = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))
    declared = [name for group in groups["dependency-groups"].values() for name in group]
    missing = [name for name in declared if re.split(r"[>=<]", name)[0] not in LICENCES]
    assert missing == []
