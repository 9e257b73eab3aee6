"""Small C libraries that make a fault inside a real process, loaded with LD_PRELOAD."""

from __future__ import annotations

import shutil
import subprocess
import sys
from pathlib import Path

import pytest

STRICT = ("-shared", "-fPIC", "-O2", "-Wall", "-Wextra", "-Werror")


def find_compiler() -> str | None:
    """The C compiler, or None where no such library can be made."""
    if not sys.platform.startswith("linux"):
        return None
    return shutil.which("cc") or shutil.which("gcc") or shutil.which("clang")


def compiled(source: Path, folder: Path) -> Path:
    """The library made from a C file; skips the test where that is not possible."""
    if (compiler := find_compiler()) is None:
        pytest.skip(f"{source.stem} needs Linux and a C compiler (apt install gcc)")
    library = folder / f"{source.stem}.so"
    subprocess.run([compiler, *STRICT, "-o", library, source, "-ldl"], check=True)
    return library
