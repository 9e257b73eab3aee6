"""The command `tiletally bench`: named measurements of speed, as figures.

A bench is a function without arguments that returns its figures by name; it is imported only
when it runs. Figures end in their unit, and ratios compare with something measured in the
same run, so that they mean the same on every machine.
"""

from __future__ import annotations

import argparse
import importlib
import json
import sys
from collections.abc import Callable, Mapping
from typing import cast

Figures = Mapping[str, float]

BENCHES = {
    "score": "tiletally.bench_score:bench_score",
    "read": "tiletally.bench_read:bench_read",
    "watch": "tiletally.bench_live:bench_watch",
    "live": "tiletally.bench_live:bench_live",
    "decode": "tiletally.bench_decode:bench_decode",
}
LONG = ("live", "decode")
"""Benches that play many games; they run only when they are named."""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add the choice of benches and of output."""
    known = f"{', '.join(BENCHES)}; without a name all but {' and '.join(LONG)}, which take long"
    parser.add_argument("names", metavar="NAME", nargs="*", type=_bench_name, help=known)
    parser.add_argument("--json", action="store_true", help="print one JSON object per bench")


def run(args: argparse.Namespace) -> int:
    """Run the benches asked for, or all that take no more than a minute."""
    for name in args.names or [each for each in BENCHES if each not in LONG]:
        figures = _load(BENCHES[name])()
        sys.stdout.write(_as_json(name, figures) if args.json else _as_text(name, figures))
        sys.stdout.flush()
    return 0


def _bench_name(text: str) -> str:
    if text not in BENCHES:
        raise argparse.ArgumentTypeError(f"no bench {text!r}, only: {', '.join(BENCHES)}")
    return text


def _load(target: str) -> Callable[[], Figures]:
    module, function = target.split(":")
    return cast(Callable[[], Figures], getattr(importlib.import_module(module), function))


def _as_json(name: str, figures: Figures) -> str:
    return json.dumps({"bench": name, **figures}) + "\n"


def _as_text(name: str, figures: Figures) -> str:
    lines = [f"  {key.replace('_', ' '):<28}{value:>12,}" for key, value in figures.items()]
    return "\n".join([name, *lines]) + "\n"
