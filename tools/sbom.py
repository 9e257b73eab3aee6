"""Turns the list of everything in `.venv` into the list of what tiletally ships with.

    cyclonedx-py environment … | python -m tools.sbom dist/tiletally.cdx.json

What only tests and tools need is left out, and the model file, which is code's equal in what it
decides, is put in with its hash. A table of the licences goes to standard output.
"""

from __future__ import annotations

import hashlib
import json
import sys
from importlib.metadata import requires
from pathlib import Path
from typing import Any

from packaging.requirements import Requirement
from packaging.utils import canonicalize_name

Bom = dict[str, Any]

ROOT = Path(__file__).parent.parent
MODEL_NAME = "models/tiles.npz"


def shipped(bom: Bom) -> Bom:
    """The same list with only what the program itself needs, and the model."""
    needed = needs("tiletally")
    root = bom["metadata"]["component"]["bom-ref"]
    parts = [each for each in bom["components"] if canonicalize_name(each["name"]) in needed]
    parts.append(model_component())
    refs: dict[str, str] = {canonicalize_name(each["name"]): each["bom-ref"] for each in parts}
    graph = {refs.get(name, root): {refs[other] for other in needed[name]} for name in needed}
    graph[root].add(MODEL_NAME)
    links = [{"ref": ref, "dependsOn": sorted(graph[ref])} for ref in sorted(graph)]
    return {**bom, "components": parts, "dependencies": links}


def needs(package: str) -> dict[str, set[str]]:
    """A package and everything that it needs to run, each with what it needs itself.

    Optional extras, such as what a library's own tests need, do not count.
    """
    found: dict[str, set[str]] = {}
    left: list[str] = [canonicalize_name(package)]
    while left:
        name = left.pop()
        wanted = map(Requirement, requires(name) or ())
        found[name] = {canonicalize_name(each.name) for each in wanted if is_for_here(each)}
        left.extend(found[name] - set(found))
    return found


def is_for_here(requirement: Requirement) -> bool:
    """Whether it is needed on this machine without any extra."""
    return requirement.marker is None or requirement.marker.evaluate({"extra": ""})


def model_component() -> Bom:
    """The model file as a part."""
    digest = hashlib.sha256((ROOT / MODEL_NAME).read_bytes()).hexdigest()
    return {
        "type": "machine-learning-model",
        "bom-ref": MODEL_NAME,
        "name": MODEL_NAME,
        "hashes": [{"alg": "SHA-256", "content": digest}],
        "licenses": [{"license": {"id": "MIT"}}],
    }


def licence_of(part: Bom) -> str:
    """The licence of a part in a few words."""
    words = []
    for each in part.get("licenses", ()):
        about = each.get("license", {})
        text = each.get("expression") or about.get("id") or about.get("name") or "unknown"
        words.append(text.removeprefix("License :: ").removeprefix("OSI Approved :: "))
    return ", ".join(words) or "unknown"


def main() -> None:
    """Read a list, write the shorter one, and print the licences."""
    bom = shipped(json.load(sys.stdin))
    out = Path(sys.argv[1])
    out.parent.mkdir(parents=True, exist_ok=True)
    out.write_text(json.dumps(bom, indent=1) + "\n", encoding="utf-8")
    for part in bom["components"]:
        sys.stdout.write(f"{part['name']} {part.get('version', '')}: {licence_of(part)}\n")


if __name__ == "__main__":
    main()
