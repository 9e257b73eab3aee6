"""Many threads share few pools of memory, and what is not in use is given back."""

from __future__ import annotations

import platform
import subprocess
import sys
from pathlib import Path

import pytest

from tiletally.memory import POOLS

COUNT_POOLS = """
import ctypes, sys, threading
from tiletally import memory
if sys.argv[1] == "shared":
    memory.share_memory()
library = ctypes.CDLL(None)
library.malloc.restype = ctypes.c_void_p
meet = threading.Barrier(24)
def work():
    meet.wait()
    library.malloc(1000)
    meet.wait()
threads = [threading.Thread(target=work) for _ in range(24)]
for each in threads: each.start()
for each in threads: each.join()
library.fopen.restype = ctypes.c_void_p
file = ctypes.c_void_p(library.fopen(sys.argv[2].encode(), b"w"))
library.malloc_info(0, file)
library.fclose(file)
"""

SCATTER = """
import sys
from tiletally import memory
def megabytes():
    pages = int(open("/proc/self/statm").read().split()[1])
    return pages * 4096 / 2**20
things = [bytes(100_000) if number % 2 else bytes(1000) for number in range(4000)]
things = things[::2]
before = megabytes()
memory.give_back_memory()
print(before - megabytes())
"""


def pools(how: str, file: Path) -> int:
    """How many pools a process with two dozen threads has."""
    subprocess.run([sys.executable, "-c", COUNT_POOLS, how, file], check=True)
    return file.read_text().count("<heap nr=")


@pytest.mark.skipif(platform.libc_ver()[0] != "glibc", reason="only glibc makes many pools")
def test_many_threads_share_few_pools(tmp_path: Path) -> None:
    assert pools("shared", tmp_path / "pools") <= POOLS < pools("usual", tmp_path / "usual")


@pytest.mark.skipif(platform.libc_ver()[0] != "glibc", reason="others give back by themselves")
def test_what_lies_between_things_that_stay_is_given_back() -> None:
    found = subprocess.run([sys.executable, "-c", SCATTER], check=True, capture_output=True)
    assert float(found.stdout) > 100
