"""The command `tiletally score`: the command line's end of `tiletally.score`."""

from __future__ import annotations

import argparse
import sys


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Describe the streams; there are no arguments."""
    parser.epilog = (
        "Reads one position per line on standard input "
        '({"ruleset": …, "board": [tile…], "placed": [tile…]}) '
        "and answers each with one line on standard output."
    )


def run(args: argparse.Namespace) -> int:
    """Answer every line of standard input."""
    from tiletally.score import run as score_lines

    return score_lines(sys.stdin.buffer, sys.stdout.buffer)
