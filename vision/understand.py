"""From a look to what happened: nothing, a move, two moves, a broken rule, or tiles gone.

An `Onlooker` follows one game. It is told the board as the game knows it, since people may have
corrected it, and never changes it; what it learns from a look it keeps when `remember` is called.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace

import numpy as np

from scorer.board import frontier, is_connected
from scorer.tiles import Cell, Placed, Table
from vision.align import KnownTile, Quad, best_overlay
from vision.assign import Game
from vision.cameras.base import Frame
from vision.decode import Decoded, Question, decode, is_sound
from vision.evidence import Evidence, evidence_of, ranked, tile_p
from vision.follow import Follower, Sighting, laid_over
from vision.obstruct import ChangeMap, SmallLook, is_obstructed, small_look
from vision.places import PictureMap
from vision.reading import Reading, SeenTile

MOST_MISSING = 0.5
"""Share of the layout that may be missing from a free look before it is called unclear."""
GONE_GREY = 18.0
"""Least change of a cell in the picture for its tile to be gone and not just overlooked."""
LAID_GREY = 30.0
"""Change of a cell above which a tile was laid on it, read or not: 131 cells with a new tile
changed by 37 and more, 1025 empty cells beside tiles, shadows and all, by at most 25."""
OLD_GREY = 10.0
"""Change of a cell below which the tile on it lay there before and was overlooked."""
PHANTOM_P = 0.9
"""Probability of being a tile below which a find needs a change of its cell to be believed."""
UNREAD_DOUBT = 0.5
"""Least doubt of a move beside which something was laid that could not be read."""
STILL_TILES = 0.15
"""Shift of the layout (in tile edges) up to which cells can be compared with the look before."""
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
        if not board:
            understood = self._opening(reading, now, earlier or {})
        else:
            understood = self._later(reading, board, now, earlier or {}, can_take)
        self._last = now
        self._has_looked = True
        if understood.verdict != "unclear":
            self._free = now
        return understood

    def remember(self, understood: Understanding, board: Table) -> None:
        """Keep what a free look showed of the board as it is now."""
        sighting = understood.sighting
        if sighting.is_placed:
            self.follower.keep(sighting, board)
        elif understood.verdict == "empty":
            self.follower.keep_strays(sighting.strays)

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
        nothing = Understanding("empty", Sighting(False, strays=reading.tiles))
        for found in self.follower.openings(reading):
            group = self._same_cells(found)
            decoded = decode(Question({}, _evidence(group, earlier), self.game))
            is_move = decoded.chosen.is_legal and len(decoded.chosen.tiles) > 0
            # Tiles that already lie about when the camera first looks belong to no game, unless
            # they make a sound line.
            if not self._has_looked and not (is_move and _is_convincing(decoded)):
                continue
            own = {id(tile) for tile in found.values()}
            strays = tuple(tile for tile in reading.tiles if id(tile) not in own)
            sighting = Sighting(True, new=group, strays=strays)
            self._opened = {c: KnownTile(t.tile, t.corners_px) for c, t in group.items()}
            verdict = "move" if is_move else "illegal"
            unread = self._unread(sighting, {}, now)
            return Understanding(
                verdict, sighting, decoded, _evidence(group, earlier), unread=unread
            )
        return nothing

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
        sighting = self._without_phantoms(sighting, board, now)
        gone = self._gone(sighting, board, now)
        unread = self._unread(sighting, board, now)
        if not sighting.new:
            return Understanding("unchanged", sighting, gone=gone, unread=unread)
        new = _evidence(sighting.new, earlier)
        table = {c: tile for c, tile in board.items() if not can_take or c not in gone}
        before = frozenset(earlier) & frozenset(new)
        decoded = decode(Question(table, new, self.game, self.follower.evidence, before))
        verdict = "move" if decoded.chosen.moves else "unchanged"
        if not decoded.chosen.is_legal:
            verdict = "illegal"
        late = self._late(sighting, board, now) - before
        return Understanding(verdict, sighting, decoded, new, gone, unread, late)

    def _without_phantoms(self, sighting: Sighting, board: Table, now: SmallLook) -> Sighting:
        """A poor find on a cell that hardly changed is a hole between tiles and no tile."""
        poor = [c for c, tile in sighting.new.items() if tile_p(tile) < PHANTOM_P]
        changes = self._changes(sighting, board, now) if poor else None
        if changes is None:
            return sighting
        new = sighting.new
        phantoms = {c for c in poor if changes.cell(new[c].corners_px) < LAID_GREY}
        return replace(sighting, new={c: t for c, t in new.items() if c not in phantoms})

    def _changes(self, sighting: Sighting, board: Table, now: SmallLook) -> ChangeMap | None:
        """The change since the last free look, if the layout still lies where it lay."""
        if self._free is None:
            return None
        is_moved = bool(board) and _shift(self.follower.quads, sighting.quads) > STILL_TILES
        return None if is_moved else ChangeMap(self._free, now)

    def _gone(self, sighting: Sighting, board: Table, now: SmallLook) -> frozenset[Cell]:
        """Missing tiles whose place in the picture has changed: they are not just overlooked."""
        old = self.follower.quads
        hidden = [cell for cell in sighting.missing if cell in old]
        changes = self._changes(sighting, board, now) if hidden else None
        if changes is None:
            return frozenset()
        gone = frozenset(cell for cell in hidden if changes.cell(old[cell]) > GONE_GREY)
        rest = [cell for cell in board if cell not in gone]
        return gone if rest and is_connected(rest) else frozenset()

    def _unread(self, sighting: Sighting, board: Table, now: SmallLook) -> frozenset[Cell]:
        """Empty cells beside the layout on which something was laid since the last free look."""
        quads = sighting.quads
        changes = self._changes(sighting, board, now) if quads else None
        if changes is None:
            return frozenset()
        places = PictureMap(quads)
        changes.leave_out([*quads.values(), *(tile.corners_px for tile in sighting.strays)])
        around = frontier({**board, **dict.fromkeys(quads, self.game.box.tiles[0])})
        return frozenset(
            cell for cell in around if changes.cell(places.quad_beside(cell)) > LAID_GREY
        )

    def _late(self, sighting: Sighting, board: Table, now: SmallLook) -> frozenset[Cell]:
        """New tiles on cells that look as they did: the last look overlooked them."""
        changes = self._changes(sighting, board, now)
        if changes is None:
            return frozenset()
        new = sighting.new
        return frozenset(c for c in new if changes.cell(new[c].corners_px) < OLD_GREY)


def _is_convincing(decoded: Decoded) -> bool:
    """Whether a first look shows an opening and not a few things that lie about."""
    return len(decoded.chosen.tiles) > 1 and decoded.doubt < FIRST_LOOK_DOUBT


def _reading_of(tiles: tuple[SeenTile, ...]) -> Reading:
    """A reading of these tiles alone."""
    return Reading(tiles, (0, 0))


def _evidence(
    tiles: Mapping[Cell, SeenTile], earlier: Mapping[Cell, Evidence]
) -> dict[Cell, Evidence]:
    """This look's evidence together with that of the looks before."""
    found = {}
    for cell, tile in tiles.items():
        now = evidence_of(tile)
        found[cell] = earlier[cell].and_also(now) if cell in earlier else now
    return found


def _shift(old: Mapping[Cell, Quad], new: Mapping[Cell, Quad]) -> float:
    """How far the layout has moved in the picture, in tile edges (median of the tiles)."""
    both = [cell for cell in new if cell in old]
    if not both:
        return np.inf
    moved = [float(np.linalg.norm(new[c].mean(0) - old[c].mean(0))) for c in both]
    edges = [float(np.linalg.norm(new[c][0] - new[c][1])) for c in both]
    return float(np.median(moved) / np.median(edges))
