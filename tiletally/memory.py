"""Memory that all threads share, instead of a pool for nearly each of them."""

from __future__ import annotations

import ctypes

POOLS = 2
LARGE_BYTES = 1024 * 1024
_M_MMAP_THRESHOLD, _M_ARENA_MAX = -3, -8
"""The names of these limits in the C library's `malloc.h`."""


def give_back_memory() -> None:
    """Give to the system what is not in use; takes a few milliseconds, for once a minute.

    Pictures come and go, and small things that stay between them keep their place from being given
    back otherwise.
    """
    trim = getattr(ctypes.CDLL(None), "malloc_trim", None)
    if trim is not None:
        trim(0)


def share_memory() -> None:
    """Let all threads use the same few pools; to be called before there are any threads.

    A pool keeps the most that its threads ever needed. With the C library's usual eight for each
    processor, a server that sent pictures to many devices grew from 290 to 490 MB within three
    minutes, and to 360 MB with two. What is as large as a picture stays out of the pools and is
    given back at once, or it would leave holes there that nothing else fills; a look takes a tenth
    longer for it. Where the C library has no such limits nothing is done.
    """
    set_limit = getattr(ctypes.CDLL(None), "mallopt", None)
    if set_limit is not None:
        set_limit(_M_ARENA_MAX, POOLS)
        set_limit(_M_MMAP_THRESHOLD, LARGE_BYTES)
