"""Playing photos as successive looks at one table.

There is no clock: every free look that shows a legal move closes that turn. What later looks say
about older tiles is used at the end, when every turn is decoded once more with all the evidence.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Protocol

from scorer.rules import Line, judge
from scorer.tiles import COLOURS, Cell, Placed, Table, Tile
from scorer.tilesets import tileset, with_colours
from vision.assign import Game
from vision.cameras.base import CameraError, Frame
from vision.cameras.folder import load_photo, photos_in
from vision.decode import CERTAIN, Question, decode
from vision.evidence import Evidence
from vision.reading import Reading
from vision.understand import Onlooker, Understanding

MENDED_DOUBT = 0.25
"""Least doubt of a turn whose tile was first read as another one."""
TAKEN_DOUBT = 0.5
"""Doubt of a turn in which a tile left the table: hands or cups can hide one as well."""


class Reads(Protocol):
    """Whatever reads frames."""

    def read(self, frame_bgr: Frame, known: Reading | None = None) -> Reading:
        """All tiles in a frame."""


@dataclass(frozen=True, slots=True)
class ReplayTurn:
    """One turn as it counts at the end."""

    photo: str
    placed: tuple[Placed, ...]
    taken: tuple[Placed, ...] = ()
    score: int = 0
    lines: tuple[Line, ...] = ()
    doubt: float = 0.0
    order_doubt: float = 0.0
    """Doubt that no better view of the tiles can lift, as which of two moves came first."""


@dataclass(frozen=True, slots=True)
class Look:
    """One photo and what was made of it."""

    photo: str
    verdict: str
    ms: float


@dataclass(frozen=True, slots=True)
class Replay:
    """A whole game."""

    turns: tuple[ReplayTurn, ...]
    looks: tuple[Look, ...]


def game_of(rules: str, colours: Sequence[str] | None) -> Game:
    """The game with the box that fits these colours."""
    box = tileset(rules)
    if colours and len(set(colours)) == len(box.colours):
        box = with_colours(box, colours)
    return Game(rules, box)


def colours_seen(folder: Path, reader: Reads, rules: str) -> tuple[str, ...]:
    """The colours of the box, told by the last photo: classic has purple or white, never both."""
    box = tileset(rules)
    if rules != "classic":
        return box.colours
    for path in reversed(photos_in(folder)):
        try:
            tiles = reader.read(load_photo(path)).layout
        except CameraError:
            continue
        white, purple = (
            sum(float(tile.colour_p[COLOURS.index(name)]) for tile in tiles)
            for name in ("white", "purple")
        )
        return tileset("classic-white").colours if white > purple else box.colours
    return box.colours


def replay_folder(
    folder: Path,
    reader: Reads,
    rules: str,
    colours: Sequence[str] | None = None,
    say: Callable[[str], None] = lambda _: None,
) -> Replay:
    """Play the photos of a folder.

    Raises:
        CameraError: The folder cannot be read or holds no photos.
    """
    photos = photos_in(folder)
    if not photos:
        raise CameraError(f"there are no photos in {folder}")
    replayer = Replayer(reader, game_of(rules, colours))
    for path in photos:
        try:
            frame = load_photo(path)
        except CameraError as error:
            say(str(error))
            replayer.skip(path.name)
            continue
        replayer.show(path.name, frame)
    return replayer.result()


class Replayer:
    """Takes one photo after the other."""

    def __init__(self, reader: Reads, game: Game) -> None:
        """Begin with an empty table."""
        self._reader = reader
        self._game = game
        self._onlooker = Onlooker(game)
        self._board: dict[Cell, Tile] = {}
        self._turns: list[ReplayTurn] = []
        self._looks: list[Look] = []
        self._suspected: dict[Cell, int] = {}
        """Cells with something unread on them, and the turn that laid it."""

    def skip(self, photo: str) -> None:
        """Note a photo that could not be read."""
        self._looks.append(Look(photo, "unclear", 0.0))

    def show(self, photo: str, frame_bgr: Frame) -> None:
        """Look at the next photo."""
        started = time.perf_counter()
        # Read afresh: what a look keeps from the one before would be no second witness.
        reading = self._reader.read(frame_bgr)
        understood = self._onlooker.look(frame_bgr, reading, self._board)
        if self._is_first_look_all() and understood.verdict != "busy":
            understood = self._begin_again(understood)
        if understood.late and self._give_back(understood):
            understood = self._onlooker.look_again(reading, self._board)
        verdict = self._take(photo, understood)
        self._looks.append(Look(photo, verdict, (time.perf_counter() - started) * 1000))

    def result(self) -> Replay:
        """All turns, decoded once more with everything that was seen."""
        return Replay(tuple(self._polished()), tuple(self._looks))

    def _give_back(self, understood: Understanding) -> bool:
        """Give tiles that a look overlooked to the turns that laid them; False if none fits."""
        last = len(self._turns) - 1
        given = [
            self._extend(self._suspected.get(cell, last), cell, understood.new[cell])
            for cell in sorted(understood.late)
        ]
        return any(given)

    def _extend(self, index: int, cell: Cell, seen: Evidence) -> bool:
        """Add a tile to a turn if it is a legal move with it."""
        if not 0 <= index < len(self._turns):
            return False
        turn = self._turns[index]
        evidence = self._onlooker.follower.evidence
        cells = {c: evidence[c] for c, _ in turn.placed if c in evidence} | {cell: seen}
        chosen = decode(Question(self._board_before(index), cells, self._game)).chosen
        if not chosen.is_legal or len(chosen.moves) != 1 or chosen.dropped:
            return False
        doubt = max(turn.doubt, MENDED_DOUBT)
        self._turns[index] = replace(turn, placed=chosen.moves[0], doubt=doubt, order_doubt=doubt)
        self._board.update(chosen.moves[0])
        return True

    def _board_before(self, index: int) -> dict[Cell, Tile]:
        board: dict[Cell, Tile] = {}
        for turn in self._turns[:index]:
            board.update(turn.placed)
        return {cell: tile for cell, tile in board.items() if cell in self._board}

    def _take(self, photo: str, understood: Understanding) -> str:
        """Do what a look says and return its verdict."""
        if understood.verdict == "move":
            self._play(photo, understood)
        if understood.verdict != "busy":
            self._onlooker.remember(understood, self._board)
            index = len(self._turns) - 1 if understood.verdict == "move" else len(self._turns)
            suspects = {cell: self._suspected.get(cell, index) for cell in understood.unread}
            self._suspected = suspects
        return "turn" if understood.verdict == "move" else understood.verdict

    def _is_first_look_all(self) -> bool:
        """Whether nothing has been laid but what the very first photo showed."""
        return len(self._turns) == 1 and self._turns[0].photo == self._looks[0].photo

    def _begin_again(self, understood: Understanding) -> Understanding:
        """Where the game begins elsewhere, the tiles of the first photo were strays."""
        rival = self._onlooker.rival(understood)
        if rival is None or frozenset(understood.sighting.new) - understood.late:
            return understood
        self._turns.clear()
        self._board.clear()
        self._looks[0] = replace(self._looks[0], verdict="empty")
        return rival

    def _play(self, photo: str, understood: Understanding) -> None:
        decoded = understood.decoded
        assert decoded is not None
        for cell, tile in decoded.chosen.relabelled:
            self._board[cell] = tile
        order = understood.doubt if len(understood.moves) > 1 or understood.unread else 0.0
        taken = tuple(Placed(cell, self._board.pop(cell)) for cell in sorted(understood.gone))
        for move in understood.moves:
            self._turns.append(
                ReplayTurn(photo, move, taken, doubt=understood.doubt, order_doubt=order)
            )
            self._board.update(move)
            taken = ()

    def _polished(self) -> list[ReplayTurn]:
        board: dict[Cell, Tile] = {}
        done = []
        for turn in self._turns:
            for cell, _ in turn.taken:
                board.pop(cell, None)
            settled = self._settled(board, turn)
            judged = judge(board, settled.placed, self._game.rules)
            done.append(replace(settled, score=judged.points, lines=judged.lines))
            board.update(settled.placed)
        return done

    def _settled(self, board: Table, turn: ReplayTurn) -> ReplayTurn:
        """The turn with the labels and the doubt that all looks together give it."""
        evidence = self._onlooker.follower.evidence
        seen: dict[Cell, Evidence] = {c: evidence[c] for c, _ in turn.placed if c in evidence}
        if len(seen) < len(turn.placed):
            return turn
        decoded = decode(Question(board, seen, self._game))
        moves = decoded.chosen.moves
        final = tuple(Placed(cell, self._board.get(cell, tile)) for cell, tile in turn.placed)
        if not decoded.chosen.is_legal or len(moves) != 1 or decoded.chosen.dropped:
            return replace(turn, placed=final, doubt=max(turn.doubt, MENDED_DOUBT))
        label_doubt = min(turn.doubt, decoded.doubt) if moves[0] == turn.placed else MENDED_DOUBT
        doubt = max(label_doubt, turn.order_doubt, TAKEN_DOUBT if turn.taken else 0.0)
        return replace(turn, placed=moves[0], doubt=doubt if doubt >= CERTAIN else 0.0)
