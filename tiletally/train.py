"""The command `tiletally train`: make the model file anew, from drawn tables."""

from __future__ import annotations

import argparse
import logging
from pathlib import Path

from tiletally.errors import UserError


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """How much to draw and to learn; the defaults make the shipped model."""
    parser.add_argument(
        "--out", type=Path, default=Path("tiles.npz"), help="the model file to make"
    )
    parser.add_argument(
        "--work", type=Path, default=Path("build/tables"), help="where drawn tables are kept"
    )
    parser.add_argument("--tables", type=int, help="how many tables to draw")
    parser.add_argument("--rounds", type=int, help="how often each is seen by either network")
    parser.add_argument("--seed", type=int, help="the same seed draws the same tables")


def run(args: argparse.Namespace) -> int:
    """Draw, train, calibrate and save; takes hours with the defaults."""
    try:
        from models.build import Recipe, build
    except ModuleNotFoundError as error:
        raise UserError(
            f"training needs {error.name}, which playing does not: install the libraries of the "
            "group 'train' in pyproject.toml"
        ) from error
    logging.basicConfig(level=logging.INFO, format="%(asctime)s %(message)s")
    values: dict[str, int] = {}
    if args.tables:
        values |= {"tables": args.tables, "held_out": max(2, args.tables // 20)}
    if args.rounds:
        values |= {"finder_rounds": args.rounds, "namer_rounds": args.rounds}
    if args.seed is not None:
        values["seed"] = args.seed
    build(Recipe(**values), args.work, args.out)
    return 0
