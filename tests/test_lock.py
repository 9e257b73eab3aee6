"""The lock file belongs to pyproject.toml, is hashed, and names no place to fetch from."""

from __future__ import annotations

import re
import tomllib
from pathlib import Path

import pytest
from packaging.requirements import Requirement

ROOT = Path(__file__).parent.parent
LOCKS = (
    "requirements.lock",
    "tools/audit-requirements.lock",
    "tools/uv-requirements.lock",
    "tools/raspberry-requirements.lock",
    "tools/train-requirements.lock",
)


def locked(name: str) -> dict[str, str]:
    text = (ROOT / name).read_text(encoding="utf-8")
    return dict(re.findall(r"^([a-z0-9._-]+)==([^\s;\\]+)", text, flags=re.MULTILINE))


def declared() -> list[Requirement]:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))
    build = project["build-system"]["requires"]
    run, dev = project["project"]["dependencies"], project["dependency-groups"]["dev"]
    return [Requirement(text) for text in [*build, *run, *dev]]


@pytest.mark.parametrize("requirement", declared(), ids=str)
def test_every_declared_dependency_is_locked(requirement: Requirement) -> None:
    version = locked("requirements.lock").get(requirement.name)
    assert version is not None, "run `make lock`"
    assert requirement.specifier.contains(version), "run `make lock`"


@pytest.mark.parametrize("name", LOCKS)
def test_every_locked_package_has_hashes(name: str) -> None:
    text = (ROOT / name).read_text(encoding="utf-8")
    entries = re.split(r"^(?=\S+==)", text, flags=re.MULTILINE)[1:]
    assert entries
    assert all("--hash=sha256:" in entry for entry in entries)


@pytest.mark.parametrize("name", LOCKS)
def test_the_lock_names_no_host(name: str) -> None:
    text = (ROOT / name).read_text(encoding="utf-8")
    assert "://" not in text
    assert "index-url" not in text
