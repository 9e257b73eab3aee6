"""Bad input in large numbers; run as `make fuzz REQUESTS=100000 IMAGES=10000 FILES=1000`.

Each part prints its figures as one line of JSON; the exit status is 1 when a promise was broken.
"""

from __future__ import annotations

import argparse
import json
import sys
import tempfile
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor, as_completed
from dataclasses import asdict
from pathlib import Path

from tests.fuzz import files, images, requests
from tests.fuzz.pool import described_requests

EACH = 120
"""Requests that are drawn for each call and kind before they are spoiled further."""
Figures = files.Figures | images.Figures | requests.Figures


def main(words: Sequence[str] | None = None) -> int:
    """Send as much as is wanted."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--requests", type=int, default=100_000)
    parser.add_argument("--images", type=int, default=10_000)
    parser.add_argument("--files", type=int, default=1000)
    parser.add_argument("--seed", type=int, default=1)
    args = parser.parse_args(words)
    with tempfile.TemporaryDirectory() as folder:
        return 0 if all(_parts(args, Path(folder))) else 1


def _parts(args: argparse.Namespace, place: Path) -> list[bool]:
    kept: list[bool] = []
    if args.requests:
        pool = described_requests(max(2, min(EACH, args.requests // 100)), args.seed)
        half = args.requests // 2
        kept += _together(
            lambda: [requests.spoil(place / "none", "none", half, pool, args.seed)],
            lambda: [requests.spoil(place / "phone", "phone", half, pool, args.seed + 1)],
        )
    if args.images:
        half = args.images // 2
        kept += _together(
            lambda: [images.decode(half, args.seed)],
            lambda: [images.upload(place / "photos", half, args.seed + 1)],
        )
    if args.files:
        kept += _together(lambda: files.read_all(args.files, args.seed))
    return kept


def _together(*parts: Callable[[], Sequence[Figures]]) -> list[bool]:
    """Run them side by side, and tell the figures of each as soon as it is done."""
    kept = []
    with ThreadPoolExecutor(len(parts)) as pool:
        for part in as_completed([pool.submit(each) for each in parts]):
            for figures in part.result():
                told = asdict(figures) | {"is_kept": figures.is_kept}
                sys.stdout.write(f"{json.dumps(told)}\n")
                sys.stdout.flush()
                kept.append(figures.is_kept)
    return kept


if __name__ == "__main__":
    sys.exit(main())
