"""The judge's findings as tables: per game, per class, confusions, reliability, worse photos."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from pathlib import Path

from models.degrade import WORSE, worse
from models.games import LabelledGame, find_games
from models.judge import CONFIDENCE_STEPS, Verdict, judge_game
from vision.model import Model, load
from vision.reader import Reader

Say = Callable[[str], None]


def judge_folders(folders: Sequence[Path], say: Say, model: Model | None = None) -> Verdict:
    """Judge every labelled game below the folders and say the figures as Markdown."""
    shared = model or load()
    total = Verdict()
    say("| game | tiles right | found | extra in layout | photos perfect |")
    say("|---|---|---|---|---|")
    for game in _games(folders):
        verdict = judge_game(game, Reader(game.rules, game.colours, shared))
        say(_row(game.name, verdict))
        total.add(verdict)
    say(_row("**all**", total))
    for table in (classes_table, confusion_table, reliability_table):
        say("")
        for line in table(total):
            say(line)
    return total


def judge_worse(games: Sequence[LabelledGame], say: Say, model: Model | None = None) -> Verdict:
    """Judge the games' photos made worse in every known way."""
    shared = model or load()
    total = Verdict()
    say("| change | tiles right | found | extra | photos perfect | wrong at 0.95 or more |")
    say("|---|---|---|---|---|---|")
    for name in WORSE:
        verdict = Verdict()
        for game in games:
            verdict.add(judge_game(game, Reader(game.rules, game.colours, shared), worse(name)))
        say(f"{_row(name, verdict)} {overconfident(verdict)} |")
        total.add(verdict)
    say("")
    for line in reliability_table(total):
        say(line)
    return total


def overconfident(verdict: Verdict, least: float = 0.95) -> int:
    """How many labels were wrong although the reader was sure."""
    steps = zip(CONFIDENCE_STEPS, verdict.by_confidence, strict=False)
    return sum(count - right for low, (count, right) in steps if low >= least)


def _games(folders: Iterable[Path]) -> list[LabelledGame]:
    return [game for folder in folders for game in find_games(folder)]


def _row(name: str, verdict: Verdict) -> str:
    return (
        f"| {name} | {verdict.right} of {verdict.tiles} | {verdict.found} | {verdict.extra} "
        f"| {verdict.perfect} of {verdict.photos} |"
    )


def classes_table(verdict: Verdict) -> list[str]:
    """How many tiles of each shape, colour and background were named right."""
    lines = ["| class | right | of |", "|---|---|---|"]
    for name, count in sorted(verdict.class_tiles.items()):
        lines.append(f"| {name} | {verdict.class_right[name]} | {count} |")
    return lines


def confusion_table(verdict: Verdict) -> list[str]:
    """What was missed, added or read as something else, most frequent first."""
    lines = ["| fault | times |", "|---|---|"]
    return lines + [f"| {name} | {count} |" for name, count in verdict.wrong.most_common()]


def reliability_table(verdict: Verdict) -> list[str]:
    """How often labels of each confidence were right."""
    lines = ["| confidence | labels | right | share |", "|---|---|---|---|"]
    for low, high, (count, right) in zip(
        CONFIDENCE_STEPS, CONFIDENCE_STEPS[1:], verdict.by_confidence, strict=False
    ):
        share = f"{right / count:.4f}" if count else "-"
        lines.append(f"| {low} to {min(high, 1.0)} | {count} | {right} | {share} |")
    return lines
