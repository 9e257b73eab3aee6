"""The command `tiletally replay`: a folder of photos played as successive looks at one table."""

from __future__ import annotations

import argparse
import json
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Any

from scorer.plain import tile_json
from tiletally.errors import UserError
from tiletally.read import add_edition_arguments

if TYPE_CHECKING:
    from tiletally.replaying import Replay


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """The folder, the game and the players."""
    parser.add_argument("folder", metavar="DIR", type=Path, help="photos, played sorted by name")
    add_edition_arguments(parser)
    parser.add_argument(
        "--players", metavar="A,B,…", required=True, type=_names, help="in the order of play"
    )
    parser.add_argument("--json", action="store_true", help="print one JSON object")


def _names(text: str) -> tuple[str, ...]:
    names = tuple(word.strip() for word in text.split(",") if word.strip())
    if not names or len(set(names)) < len(names):
        raise argparse.ArgumentTypeError("give different names, separated by commas")
    return names


def run(args: argparse.Namespace) -> int:
    """Replay the photos and print what happened."""
    from tiletally.replaying import colours_seen, replay_folder
    from vision.cameras.base import CameraError
    from vision.model import ModelError
    from vision.reader import Reader

    if not args.rules:
        raise UserError("say which game it is: --rules classic, flex or flex72")
    try:
        colours = args.colours or colours_seen(args.folder, Reader(args.rules), args.rules)
        reader = Reader(args.rules, colours)
        replay = replay_folder(args.folder, reader, args.rules, colours, _say)
    except (ModelError, CameraError) as error:
        raise UserError(str(error)) from error
    report = replay_json(replay, args.rules, args.players)
    sys.stdout.write(json.dumps(report) + "\n" if args.json else _text(report))
    return 0


def _say(sentence: str) -> None:
    sys.stderr.write(f"tiletally replay: {sentence}\n")


def replay_json(replay: Replay, rules: str, players: tuple[str, ...]) -> dict[str, Any]:
    """The replay as the contract words it."""
    totals = dict.fromkeys(players, 0)
    turns = []
    for number, turn in enumerate(replay.turns, start=1):
        player = players[(number - 1) % len(players)]
        totals[player] += turn.score
        turns.append(
            {
                "turn": number,
                "photo": turn.photo,
                "player": player,
                "placed": [tile_json(each) for each in turn.placed],
                "taken": [tile_json(each) for each in turn.taken],
                "score": turn.score,
                "lines": [
                    {"kind": line.kind, "length": line.length, "points": line.points}
                    for line in turn.lines
                ],
                "total": totals[player],
                "doubt": turn.doubt,
            }
        )
    looks = [
        {"photo": look.photo, "verdict": look.verdict, "ms": round(look.ms, 1)}
        for look in replay.looks
    ]
    return {
        "rules": rules,
        "players": list(players),
        "turns": turns,
        "scores": totals,
        "looks": looks,
    }


def _text(report: dict[str, Any]) -> str:
    lines = []
    for turn in report["turns"]:
        tiles = ", ".join(
            f"{t['colour']} {t['shape']} {t['background']} ({t['x']},{t['y']})"
            for t in turn["placed"]
        )
        mark = f"  doubt {turn['doubt']:.2f}" if turn["doubt"] else ""
        lines.append(f"{turn['turn']:>3}  {turn['player']}: {turn['score']} points ({tiles}){mark}")
    unread = [f"{look['photo']}: {look['verdict']}" for look in report["looks"]]
    scores = ", ".join(f"{name} {points}" for name, points in report["scores"].items())
    return "\n".join([*lines, scores, *unread]) + "\n"
