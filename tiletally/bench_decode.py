"""What several looks, the rules and the box are worth: turns decoded with and without them.

The turns of the rendered games beside the project are decoded one by one, each on the board as it
really was, from photos as they are and from photos made worse until about one tile in twenty is
misread. Without the rendered games the bench has nothing to say.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import reduce
from pathlib import Path
from typing import Any

import cv2
import numpy as np

from scorer.tiles import Cell, Tile
from tiletally.replaying import Replayer, ReplayTurn, game_of
from vision.assign import Game, best_labels
from vision.cameras.base import Frame
from vision.cameras.folder import load_photo, photos_in
from vision.decode import Question, decode
from vision.evidence import Evidence, evidence_of, floors_of
from vision.reader import Reader
from vision.reading import Reading, SeenTile

RENDERS = Path(__file__).resolve().parents[2] / "shared" / "renders"
GAMES = ("flex-a", "flex-b", "flex-c", "flex-d", "busy-a", "classic-p")
LOOKS = 3
NEAR = 0.4
"""Distance in tile edges within which a find belongs to a tile."""
WORSE = (0.0, 0.75)
"""How much worse the photos are made; at 0.75 about 95 % of the tiles are read rightly."""


@dataclass(slots=True)
class Tally:
    """Turns and tiles, counted."""

    tiles: int = 0
    tiles_right: int = 0
    turns: int = 0
    unread: int = 0
    single: int = 0
    looks: int = 0
    rules: int = 0
    full: int = 0
    full_marked: int = 0
    full_wrong: int = 0


def bench_decode() -> dict[str, float]:
    """Turns right by single best guess, by several looks, by rules and box, and by all."""
    cv2.setNumThreads(1)
    figures: dict[str, float] = {}
    for strength in WORSE:
        tally = tally_games(strength)
        name = "worse" if strength else "plain"
        if not tally.turns:
            return {"turns": 0}
        figures |= {
            f"{name}_tiles": tally.tiles,
            f"{name}_tiles_right_percent": round(100 * tally.tiles_right / tally.tiles, 2),
            f"{name}_turns": tally.turns,
            f"{name}_turns_with_unread_tile": tally.unread,
            f"{name}_right_single": tally.single,
            f"{name}_right_several_looks": tally.looks,
            f"{name}_right_rules_and_box": tally.rules,
            f"{name}_right_all": tally.full,
            f"{name}_marked_all": tally.full_marked,
            f"{name}_wrong_unmarked_all": tally.full_wrong,
            **{f"{name}_replayed_{key}": n for key, n in replay_games(strength).items()},
        }
    return figures


def tally_games(strength: float) -> Tally:
    """Decode all turns of all games with photos made worse by this much."""
    tally = Tally()
    for name in GAMES:
        if (RENDERS / name).is_dir():
            _tally_game(tally, RENDERS / name, strength)
    return tally


def replay_games(strength: float) -> dict[str, int]:
    """Replay whole games with photos made worse: how many turns are right, marked, not taken."""
    counts = {"right": 0, "marked": 0, "not_taken": 0, "wrong_unmarked": 0}
    for folder in (RENDERS / name for name in GAMES if (RENDERS / name).is_dir()):
        truth = json.loads((folder / "game.json").read_text(encoding="utf-8"))
        rules, colours = truth["ruleset"], truth["colours"]
        replayer = Replayer(Reader(rules, colours), game_of(rules, colours))
        rng = np.random.default_rng(2)
        for path in photos_in(folder):
            replayer.show(path.name, worsened(load_photo(path), strength, rng))
        for turn in truth["turns"]:
            told = [t for t in replayer.result().turns if t.photo == turn["photo"]]
            counts[_outcome(told, turn)] += 1
    return counts


def _outcome(told: list[ReplayTurn], turn: dict[str, Any]) -> str:
    if not told:
        return "not_taken"
    tiles = sorted((t["shape"], t["colour"], t["background"]) for t in turn["placed"])
    is_right = len(told) == 1 and told[0].score == turn["score"]
    if is_right and sorted(tuple(tile) for _, tile in told[0].placed) == tiles:
        return "right"
    return "marked" if any(each.doubt for each in told) else "wrong_unmarked"


def _tally_game(tally: Tally, folder: Path, strength: float) -> None:
    truth = json.loads((folder / "game.json").read_text(encoding="utf-8"))
    game = game_of(truth["ruleset"], truth["colours"])
    reader = Reader(truth["ruleset"], truth["colours"])
    rng = np.random.default_rng(1)
    known: dict[Cell, Evidence] = {}
    for board, placed, photo in _turns(truth):
        frame = load_photo(folder / photo)
        looks = [reader.read(worsened(frame, strength, rng)) for _ in range(LOOKS)]
        seen = [_matched(look, truth["corners"][photo], board) for look in looks]
        _tally_turn(tally, game, board, placed, known, seen)
        known.update({cell: e for cell, e in seen[0].items() if cell in placed or cell in board})


def _turns(truth: Mapping[str, Any]) -> Iterator[tuple[dict[Cell, Tile], dict[Cell, Tile], str]]:
    board: dict[Cell, Tile] = {}
    for turn in truth["turns"]:
        placed = {
            (tile["x"], tile["y"]): Tile(tile["shape"], tile["colour"], tile["background"])
            for tile in turn["placed"]
        }
        yield dict(board), placed, turn["photo"]
        board |= placed


def _tally_turn(
    tally: Tally,
    game: Game,
    board: dict[Cell, Tile],
    placed: dict[Cell, Tile],
    known: dict[Cell, Evidence],
    seen: list[dict[Cell, Evidence]],
) -> None:
    tally.turns += 1
    for cell in placed:
        tally.tiles += 1
        if cell in seen[0]:
            guess = dict(best_labels({cell: seen[0][cell]}, game)[0])
            tally.tiles_right += guess[cell] == placed[cell]
    if not all(cell in look for look in seen for cell in placed):
        tally.unread += 1
        return
    one = {cell: seen[0][cell] for cell in placed}
    several = {cell: reduce(Evidence.and_also, (look[cell] for look in seen)) for cell in placed}
    tally.single += dict(best_labels(one, game)[0]) == placed
    tally.looks += dict(best_labels(several, game)[0]) == placed
    tally.rules += decode(Question(board, one, game, known)).chosen.tiles == placed
    decoded = decode(Question(board, several, game, known))
    is_right = decoded.chosen.tiles == placed
    is_marked = decoded.doubt > 0 or not decoded.chosen.is_legal
    tally.full += is_right
    tally.full_marked += is_marked
    tally.full_wrong += not is_right and not is_marked


def _matched(
    reading: Reading, corners: list[dict[str, Any]], board: dict[Cell, Tile]
) -> dict[Cell, Evidence]:
    """The finds by the cells on which the tiles really lie."""
    found: dict[Cell, SeenTile] = {}
    for each in corners:
        quad = np.array(each["corners"])
        edge = float(np.linalg.norm(quad[0] - quad[1]))
        for tile in reading.tiles:
            if np.linalg.norm(tile.corners_px.mean(0) - quad.mean(0)) < NEAR * edge:
                found[each["x"], each["y"]] = tile
    floors = floors_of(found, board)
    return {cell: evidence_of(tile, floors) for cell, tile in found.items()}


def worsened(frame: Frame, strength: float, rng: np.random.Generator) -> Frame:
    """A photo with blur, paler colours, a warm cast and noise; 0 leaves it as it is."""
    if not strength:
        return frame
    soft = cv2.GaussianBlur(frame, (0, 0), 1.0 * strength).astype(np.float32)
    grey = soft.mean(2, keepdims=True)
    pale = grey + (soft - grey) * (1 - 0.55 * strength)
    cast = pale * (1 + np.array([-0.35, -0.05, 0.12], np.float32) * strength)
    noise = rng.standard_normal(frame.shape, dtype=np.float32) * (10 * strength)
    return np.asarray(np.clip(cast + noise, 0, 255), np.uint8)
