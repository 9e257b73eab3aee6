"""From a look to what happened: nothing, a move, two moves, a broken rule, or tiles gone.

An `Onlooker` follows one game. It is told the board as the game knows it, since people may have
corrected it, and never changes it; what it learns from a look it keeps when `remember` is called.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace

import numpy as np

from scorer.tiles import Cell, Placed, Table
from vision.align import KnownTile, best_overlay
from vision.assign import Game
from vision.cameras.base import Frame
from vision.compare import Comparison
from vision.decode import Decoded, Question, decode, is_sound
from vision.evidence import USUAL, Evidence, Floors, evidence_of, floors_of, ranked
from vision.follow import Follower, Sighting, laid_over
from vision.obstruct import SmallLook, is_obstructed, small_look
from vision.reading import Reading, SeenTile

MOST_MISSING = 0.5
"""Share of the layout that may be missing from a free look before it is called unclear."""
UNREAD_DOUBT = 0.5
"""Least doubt of a move beside which something was laid that could not be read."""
FIRST_LOOK_DOUBT = 0.25
"""Doubt above which tiles on the very first look are strays and no opening: face-down tiles read
as two faces had 0.48, real openings less than 0.05."""
MEND_LEAD = float(np.log(20.0))
"""How much likelier another label must have become for an old tile to be mended."""


@dataclass(frozen=True, slots=True)
class Understanding:
    """What a look shows.

    `verdict` is `empty`, `unchanged`, `move` (also two), `illegal`, `busy` or `unclear`. `gone` are
    known tiles that have been taken away, `unread` cells on which something was laid that could
    not be read, `late` cells with tiles that lay there in the look before and were overlooked.
    """

    verdict: str
    sighting: Sighting
    decoded: Decoded | None = None
    new: Mapping[Cell, Evidence] = field(default_factory=dict)
    gone: frozenset[Cell] = frozenset()
    unread: frozenset[Cell] = frozenset()
    late: frozenset[Cell] = frozenset()

    @property
    def doubt(self) -> float:
        """How unsure the moves are, from 0 to 1."""
        doubt = self.decoded.doubt if self.decoded else 0.0
        return max(doubt, UNREAD_DOUBT) if self.unread else doubt

    @property
    def moves(self) -> tuple[tuple[Placed, ...], ...]:
        """The moves that were laid since, in order."""
        return self.decoded.chosen.moves if self.decoded else ()


class Onlooker:
    """Understands one look after the other."""

    def __init__(self, game: Game) -> None:
        """Begin with an empty table and no look."""
        self.game = game
        self.follower = Follower()
        self._free: SmallLook | None = None
        self._last: SmallLook | None = None
        self._has_looked = False
        self._opened: dict[Cell, KnownTile] = {}
        self._suspects: frozenset[Cell] = frozenset()
        self._layers: tuple[frozenset[Cell], ...] = ()
        """Cells that are not on the board, by the look that showed them first."""
        self._shown: frozenset[Cell] = frozenset()
        """Cells with tiles in the last free look that were not part of the board then."""
        self._before: tuple[SmallLook | None, frozenset[Cell], tuple[frozenset[Cell], ...]]
        self._before = (None, frozenset(), ())

    def look(
        self,
        frame_bgr: Frame,
        reading: Reading,
        board: Table,
        earlier: Mapping[Cell, Evidence] | None = None,
        can_take: bool = True,
    ) -> Understanding:
        """Understand one look.

        Args:
            frame_bgr: The full picture.
            reading: What was read in it.
            board: The board as the game knows it.
            earlier: Evidence of former looks at the tiles that are being laid, by cell.
            can_take: Whether the game has an action that takes tiles from the table; without
                it, tiles that are gone still count.
        """
        now = small_look(frame_bgr)
        if self._is_busy(now, reading):
            self._last = now
            return Understanding("busy", Sighting(False, strays=reading.tiles))
        self._layers = tuple(layer - set(board) for layer in self._layers)
        self._before = (self._free, self._suspects, self._layers)
        understood = self._understand(now, reading, board, earlier or {}, can_take)
        self._last = now
        self._has_looked = True
        if understood.verdict != "unclear":
            self._free = now
            self._shown = frozenset(understood.sighting.new)
        return understood

    def expect(self, moves: Sequence[Table]) -> None:
        """Know the moves that were taken back and may still lie there, in their order."""
        cells = frozenset().union(*moves)
        self._layers = (*map(frozenset, moves), *(layer - cells for layer in self._layers))
        known = {cell: KnownTile(tile, None) for tiles in moves for cell, tile in tiles.items()}
        self._opened = {**known, **self._opened}

    def look_again(self, reading: Reading, board: Table) -> Understanding:
        """Understand the look taken last once more, with a board that has changed since."""
        now, free = self._last, self._free
        assert now is not None
        self._free, self._suspects, self._layers = self._before
        understood = self._understand(now, reading, board, {}, True)
        self._free = free
        return understood

    def _understand(
        self,
        now: SmallLook,
        reading: Reading,
        board: Table,
        earlier: Mapping[Cell, Evidence],
        can_take: bool,
    ) -> Understanding:
        if not board:
            return self._opening(reading, now, earlier)
        return self._later(reading, board, now, earlier, can_take)

    def remember(self, understood: Understanding, board: Table) -> None:
        """Keep what a free look showed of the board as it is now."""
        sighting = understood.sighting
        if sighting.is_placed:
            self.follower.keep(sighting, board)
        elif understood.verdict == "empty":
            self.follower.keep_strays(sighting.strays)

    def dismiss(self, cell: Cell) -> None:
        """Take a person's word that no tile lies on a cell."""
        self._suspects -= {cell}

    def mends(self, board: Table) -> tuple[Placed, ...]:
        """Old tiles whose label has become unlikely over the looks, with the better label."""
        found = []
        for cell, evidence in self.follower.evidence.items():
            if cell not in board:
                continue
            logs = dict(ranked(evidence, self.game.box, 108, np.inf))
            best = max(logs, key=lambda tile: logs[tile])
            lead = logs[best] - logs.get(board[cell], -np.inf)
            is_better = best != board[cell] and lead > MEND_LEAD
            if is_better and is_sound({**board, cell: best}, cell, self.game):
                found.append(Placed(cell, best))
        return tuple(found)

    def rival(self, understood: Understanding) -> Understanding | None:
        """A sound line apart from the layout: what was taken for the opening may be a stray."""
        strays = _reading_of(understood.sighting.strays)
        for group in self.follower.openings(strays):
            decoded = decode(Question({}, _evidence(group, {}), self.game))
            if decoded.chosen.is_legal and _is_convincing(decoded):
                old = tuple(understood.sighting.seen.values())
                others = tuple(t for t in strays.tiles if t not in group.values())
                sighting = Sighting(True, new=group, strays=(*others, *old))
                return Understanding("move", sighting, decoded, _evidence(group, {}))
        return None

    def _is_busy(self, now: SmallLook, reading: Reading) -> bool:
        quads = [*self.follower.quads.values(), *(tile.corners_px for tile in reading.tiles)]
        if self._free is None or not is_obstructed(self._free, now, quads):
            return False
        # Something that lies there as in the look before is a thing that was put down.
        same = self._last is not None and self._last is not self._free
        return not (same and not is_obstructed(self._last or now, now, quads))

    def _opening(
        self, reading: Reading, now: SmallLook, earlier: Mapping[Cell, Evidence]
    ) -> Understanding:
        """The first tiles of a game: of several groups the first that is a legal move."""
        nothing = Understanding("empty", Sighting(False, strays=reading.tiles))
        ways = [self._begun(found, reading, earlier) for found in self.follower.openings(reading)]
        if not self._has_looked:
            # Tiles that already lie about when the camera first looks belong to no game, unless
            # they make a sound line.
            ways = [way for way in ways if way.verdict == "move" and _is_convincing(way.decoded)]
        if not ways:
            return nothing
        best = next((way for way in ways if way.verdict == "move"), ways[0])
        group = best.sighting.new
        self._layers = self._order(frozenset(group), frozenset())
        self._opened = {c: KnownTile(t.tile, t.corners_px) for c, t in group.items()}
        compared = Comparison(self._free, now, best.sighting, {})
        return replace(best, unread=self._suspect(best.sighting, {}, compared, best.decoded))

    def _begun(
        self, found: dict[Cell, SeenTile], reading: Reading, earlier: Mapping[Cell, Evidence]
    ) -> Understanding:
        group = self._same_cells(found)
        new = _evidence(group, earlier)
        layers = self._order(frozenset(new), frozenset())
        decoded = decode(Question({}, new, self.game, layers=layers))
        own = {id(tile) for tile in found.values()}
        strays = tuple(tile for tile in reading.tiles if id(tile) not in own)
        is_move = decoded.chosen.is_legal and len(decoded.chosen.tiles) > 0
        sighting = Sighting(True, new=group, strays=strays)
        return Understanding("move" if is_move else "illegal", sighting, decoded, new)

    def _same_cells(self, group: dict[Cell, SeenTile]) -> dict[Cell, SeenTile]:
        """An opening that grows keeps its cells, although each reading has its own origin."""
        overlay, _ = best_overlay(list(group.values()), self._opened)
        return laid_over(list(group.values()), overlay) if overlay else group

    def _later(
        self,
        reading: Reading,
        board: Table,
        now: SmallLook,
        earlier: Mapping[Cell, Evidence],
        can_take: bool,
    ) -> Understanding:
        sighting = self.follower.sight(reading, board)
        if not sighting.is_placed or len(sighting.missing) > MOST_MISSING * len(board):
            return Understanding("unclear", replace(sighting, is_placed=False))
        compared = Comparison(self._free, now, sighting, self.follower.quads)
        # What an earlier look saw being laid is no hole, however doubtful its label is.
        phantoms = compared.phantoms(sighting) - self._suspects - frozenset(earlier)
        sighting = replace(
            sighting, new={c: t for c, t in sighting.new.items() if c not in phantoms}
        )
        gone = compared.gone(sighting, board)
        if not sighting.new:
            unread = self._suspect(sighting, board, compared, None)
            verdict = "unclear" if unread else "unchanged"
            return Understanding(verdict, sighting, gone=gone, unread=unread)
        floors = floors_of(sighting.seen, board)
        new = _evidence(sighting.new, earlier, compared, floors)
        table = {c: tile for c, tile in board.items() if not can_take or c not in gone}
        late = (compared.late(sighting) | (self._suspects & frozenset(new))) - frozenset(earlier)
        self._layers = self._order(frozenset(new), late)
        decoded = decode(Question(table, new, self.game, self.follower.evidence, self._layers))
        verdict = "move" if decoded.chosen.moves else "unchanged"
        if not decoded.chosen.is_legal:
            verdict = "illegal"
        unread = self._suspect(sighting, board, compared, decoded)
        return Understanding(verdict, sighting, decoded, new, gone, unread, late)

    def _order(self, new: frozenset[Cell], late: frozenset[Cell]) -> tuple[frozenset[Cell], ...]:
        """The new cells by the look that showed them first; late ones lay there a look before."""
        known = frozenset().union(*self._layers)
        layers = [layer & new for layer in self._layers]
        layers.append((layers.pop() if layers else frozenset()) | (late - known))
        layers.append(new - known - late)
        return tuple(layer for layer in layers if layer)

    def _suspect(
        self, sighting: Sighting, board: Table, compared: Comparison, decoded: Decoded | None
    ) -> frozenset[Cell]:
        """Cells on which something lies that is not understood, now or since an earlier look."""
        fresh = [tile for tile in sighting.strays if not self.follower.is_stray(tile)]
        dropped = decoded.chosen.dropped if decoded else frozenset()
        laid = {cell for cell in dropped if compared.was_laid(sighting.new[cell])}
        # Where the last look showed a tile that is not there any more, it was taken back.
        taken = set(board) | (set(sighting.new) - laid) | (self._shown - set(sighting.new))
        found = (self._suspects | compared.unread(sighting, board, fresh) | laid) - taken
        self._suspects = frozenset(found)
        return self._suspects


def _is_convincing(decoded: Decoded | None) -> bool:
    """Whether a first look shows an opening and not a few things that lie about."""
    return (
        decoded is not None and len(decoded.chosen.tiles) > 1 and decoded.doubt < FIRST_LOOK_DOUBT
    )


def _reading_of(tiles: tuple[SeenTile, ...]) -> Reading:
    """A reading of these tiles alone."""
    return Reading(tiles, (0, 0))


def _evidence(
    tiles: Mapping[Cell, SeenTile],
    earlier: Mapping[Cell, Evidence],
    compared: Comparison | None = None,
    floors: Floors = USUAL,
) -> dict[Cell, Evidence]:
    """This look's evidence together with that of the looks before."""
    found = {}
    for cell, tile in tiles.items():
        now = evidence_of(tile, floors)
        if compared is not None and compared.was_laid(tile):
            now = replace(now, presence=0.0, absence=max(-7.0, now.absence - 4.0))
        found[cell] = earlier[cell].and_also(now) if cell in earlier else now
    return found
