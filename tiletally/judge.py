"""The command `tiletally judge`: how well photos with known truth are read."""

from __future__ import annotations

import argparse
import sys
from pathlib import Path

from tiletally.errors import UserError


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Folders of labelled games, and what to do with their photos."""
    parser.add_argument("folders", metavar="DIR", nargs="+", type=Path, help="has a game.json")
    parser.add_argument(
        "--worse", action="store_true", help="judge the photos made worse in every known way"
    )


def run(args: argparse.Namespace) -> int:
    """Print the figures as Markdown tables."""
    from models.games import find_games
    from models.report import judge_folders, judge_worse

    games = [game for folder in args.folders for game in find_games(folder)]
    if not games:
        raise UserError("there is no game.json in these folders, so there is no truth to judge by")
    if args.worse:
        judge_worse(games, _say)
    else:
        judge_folders(args.folders, _say)
    return 0


def _say(line: str) -> None:
    sys.stdout.write(line + "\n")
    sys.stdout.flush()
