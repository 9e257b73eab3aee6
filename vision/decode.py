"""The most likely layout that is possible: probabilities, rules and box together.

Everything that could have happened since the last look is a hypothesis with a probability: one
legal move, two moves, a move with a speck that is no tile, an old tile misread, or a move against
the rules. The likeliest wins, and what speaks for the others is the doubt.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from itertools import combinations

import numpy as np

from scorer.board import LINE_STEPS, line_through
from scorer.rules import judge
from scorer.tiles import Cell, Placed, Table, Tile
from vision.assign import (
    LAYOUT_CODES,
    Game,
    best_labels,
    fits_layout,
    legal_assignments,
    within_box,
)
from vision.evidence import Evidence, presence_logs, ranked
from vision.splits import several_moves

LOG_ILLEGAL = float(np.log(0.01))
"""How often people lay tiles that break a rule and leave them so."""
LOG_SCATTERED = float(np.log(0.002))
"""How often they lay them in two places at once, which nobody takes for one move."""
LOG_IMPOSSIBLE = float(np.log(0.01))
"""How often a box holds a tile more often than it should: only if two sets were mixed."""
LOG_ANOTHER_MOVE = float(np.log(0.25))
"""How often one more player lays tiles before a move is final."""
LOG_RELABEL = float(np.log(0.2))
"""How much rarer an old misreading is than its own evidence says: it has fitted so far."""
RELABEL_WITHIN = 8.0
"""How much less likely (natural log) another label of an old tile may be to be tried."""
MOST_DROPPED = 2
WORTH_DROPPING = float(np.log(0.01))
"""Probability of being no tile from which on one is left out of two moves."""
NEARLY = 1 / 3
"""Share of the best way's probability from which on another way is worth asking about."""
CERTAIN = 0.02
"""Doubt below which a turn counts as read with certainty."""


@dataclass(frozen=True, slots=True)
class Question:
    """A board as known, what speaks for its labels, and the evidence on cells that are new.

    `layers` are the new cells by the look that showed them first, the earliest first.
    """

    board: Table
    new: Mapping[Cell, Evidence]
    game: Game
    known: Mapping[Cell, Evidence] = field(default_factory=dict)
    layers: tuple[frozenset[Cell], ...] = ()


@dataclass(frozen=True, slots=True)
class Hypothesis:
    """One thing that may have happened, with its (unnormalised) log-probability."""

    moves: tuple[tuple[Placed, ...], ...]
    log: float
    is_legal: bool
    dropped: frozenset[Cell] = frozenset()
    relabelled: tuple[Placed, ...] = ()

    @property
    def tiles(self) -> dict[Cell, Tile]:
        """All new tiles by cell, and old ones with a new label."""
        return dict(placed for move in (*self.moves, self.relabelled) for placed in move)


@dataclass(frozen=True, slots=True)
class Decoded:
    """The likeliest hypothesis, what remains in doubt, and what else a tile may be."""

    chosen: Hypothesis
    doubt: float
    """From 0 (certain) to 1."""
    alternatives: Mapping[Cell, tuple[tuple[Tile | None, float], ...]]
    """For each cell in doubt the tiles it may hold (None: no tile) with probabilities."""
    orders: tuple[tuple[tuple[Placed, ...], ...], ...] = ()
    """Where several moves were laid: other ways to tell them apart that are nearly as likely."""


def decode(question: Question) -> Decoded:
    """Find out what has happened; there must be at least one new cell."""
    hypotheses = list(_hypotheses(question))
    hypotheses.sort(key=lambda each: -each.log)
    logs = np.array([each.log for each in hypotheses])
    shares = np.exp(logs - np.logaddexp.reduce(logs))
    raw = 1.0 - float(shares[0])
    doubt = round(raw, 3) if raw >= CERTAIN else 0.0
    chosen = hypotheses[0]
    orders = tuple(
        each.moves
        for each, share in zip(hypotheses[1:], shares[1:], strict=True)
        if len(chosen.moves) > 1 and len(each.moves) > 1 and share > shares[0] * NEARLY
    )
    return Decoded(chosen, doubt, _alternatives(hypotheses, shares), orders)


def _hypotheses(question: Question) -> Iterator[Hypothesis]:
    guess, guess_log = best_labels(question.new, question.game)
    presence = _presence(question.new)
    singles = list(_single_moves(question))
    yield from singles
    best = max((each.log for each in singles), default=-np.inf)
    if best >= guess_log + presence - 1e-9:
        return
    is_scattered = not fits_layout(question.board, list(question.new), question.game)
    against = LOG_SCATTERED if is_scattered else LOG_ILLEGAL
    lying = Counter([*question.board.values(), *(tile for _, tile in guess)])
    if not within_box(Counter({tile: lying[tile] for _, tile in guess}), question.game.box):
        against += LOG_IMPOSSIBLE
    yield Hypothesis((guess,), guess_log + presence + against, False)
    yield from _relabelled(question)
    yield from _several_moves(question)


def _several_moves(question: Question) -> Iterator[Hypothesis]:
    """Several legal moves with all the tiles, or with one of them taken for no tile."""
    for gone in ((), *((cell,) for cell in sorted(question.new))):
        rest = {cell: e for cell, e in question.new.items() if cell not in gone}
        absence = sum(presence_logs(question.new[cell])[1] for cell in gone)
        if absence < WORTH_DROPPING:
            continue
        seen = _presence(rest) + absence
        found = several_moves(question.board, rest, question.game, question.layers)
        for moves, labels in found:
            log = labels + seen + LOG_ANOTHER_MOVE * (len(moves) - 1)
            yield Hypothesis(moves, log, True, frozenset(gone))


def _presence(new: Mapping[Cell, Evidence]) -> float:
    return sum(presence_logs(evidence)[0] for evidence in new.values())


def _single_moves(question: Question) -> Iterator[Hypothesis]:
    """One legal move with all the tiles, or with some of them taken for no tiles."""
    for count in range(MOST_DROPPED + 1):
        for gone in combinations(sorted(question.new), count):
            rest = {cell: e for cell, e in question.new.items() if cell not in gone}
            absence = sum(presence_logs(question.new[cell])[1] for cell in gone)
            log = _presence(rest) + absence
            if not rest:
                yield Hypothesis((), log, True, frozenset(gone))
            for move, labels in legal_assignments(question.board, rest, question.game):
                yield Hypothesis((move,), labels + log, True, frozenset(gone))


def _relabelled(question: Question) -> Iterator[Hypothesis]:
    """One legal move on a board of which one tile was misread before."""
    presence = _presence(question.new)
    for cell in _involved(question):
        if cell not in question.known:
            continue
        logs = dict(ranked(question.known[cell], question.game.box, 108, np.inf))
        now = logs.get(question.board[cell], -np.inf)
        for tile, log in sorted(logs.items(), key=lambda each: -each[1])[:4]:
            if tile == question.board[cell] or log < now - RELABEL_WITHIN:
                continue
            board = {**question.board, cell: tile}
            if not is_sound(board, cell, question.game):
                continue
            for move, labels in legal_assignments(board, question.new, question.game):
                total = labels + presence + log - now + LOG_RELABEL
                yield Hypothesis((move,), total, True, relabelled=(Placed(cell, tile),))


def _involved(question: Question) -> list[Cell]:
    """The old tiles in a line with a new one, and those that look like a new one."""
    game = question.game
    table = {**question.board, **dict.fromkeys(question.new, game.box.tiles[0])}
    lines = {
        near
        for cell in question.new
        for kind in LINE_STEPS
        for near in line_through(table, cell, kind)
    }
    guesses = {tile for _, tile in best_labels(question.new, game)[0]}
    alike = {cell for cell, tile in question.board.items() if tile in guesses}
    return sorted(cell for cell in lines | alike if cell in question.board)


def is_sound(board: Table, cell: Cell, game: Game) -> bool:
    """Whether the tile on a cell fits the lines around it and the box holds it."""
    rest = {c: t for c, t in board.items() if c != cell}
    judged = judge(rest, [Placed(cell, board[cell])], game.rules, game.options)
    tile = board[cell]
    count = Counter(board.values())[tile]
    return LAYOUT_CODES.issuperset(judged.codes) and within_box(Counter({tile: count}), game.box)


def _alternatives(
    hypotheses: list[Hypothesis], shares: np.ndarray[tuple[int], np.dtype[np.float64]]
) -> dict[Cell, tuple[tuple[Tile | None, float], ...]]:
    cells = {cell for each in hypotheses for cell in (*each.tiles, *each.dropped)}
    found = {}
    for cell in sorted(cells):
        marginal: dict[Tile | None, float] = {}
        for each, share in zip(hypotheses, shares, strict=True):
            tile = each.tiles.get(cell)
            if tile is None and cell not in each.dropped:
                continue
            marginal[tile] = marginal.get(tile, 0.0) + float(share)
        order = sorted(marginal.items(), key=lambda each: -each[1])[:4]
        ways = [(tile, round(p, 3)) for tile, p in order if p >= CERTAIN / 2]
        if len(ways) > 1:
            found[cell] = tuple(ways)
    return found
