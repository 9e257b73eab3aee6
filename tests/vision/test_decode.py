"""The most likely possible layout: probabilities, rules, box and several looks together."""

from __future__ import annotations

from collections.abc import Mapping
from functools import reduce

from scorer.tiles import Cell, Tile
from scorer.tilesets import tileset
from tests.vision.fake_readings import Blur, Eye, seen_tile
from vision.assign import Game
from vision.decode import Decoded, Question, decode
from vision.evidence import USUAL, Evidence, certain, evidence_of, floors_of

FLEX = Game("flex", tileset("flex"))
CLASSIC = Game("classic", tileset("classic"))
Taken = Mapping[Cell, tuple[Tile, float]]


def evidence(
    tiles: Mapping[Cell, Tile], taken_for: Taken | None = None, p: float = 0.998
) -> dict[Cell, Evidence]:
    blur = Blur(p, taken_for or {})
    return {
        cell: evidence_of(seen_tile(cell, tile, Eye().corners_px(cell), blur, cell))
        for cell, tile in tiles.items()
    }


def tiles(text: str) -> dict[Cell, Tile]:
    """A board such as `0,0 circle red; 1,0 square red white`."""
    found = {}
    for part in filter(None, (piece.strip() for piece in text.split(";"))):
        place, *words = part.split()
        x, y = place.split(",")
        found[int(x), int(y)] = Tile(*words)
    return found


def ask(
    board: str,
    new: str,
    taken_for: Taken | None = None,
    game: Game = FLEX,
    known: Mapping[Cell, Evidence] | None = None,
    layers: tuple[frozenset[Cell], ...] = (),
) -> Decoded:
    table = tiles(board)
    question = Question(
        table, evidence(tiles(new), taken_for), game, known or evidence(table), layers
    )
    return decode(question)


def test_a_clear_legal_move_is_certain() -> None:
    decoded = ask("0,0 circle red; 1,0 square red", "2,0 star4 red white; 3,0 star8 red split")
    assert decoded.chosen.is_legal
    assert decoded.chosen.tiles == tiles("2,0 star4 red white; 3,0 star8 red split")
    assert decoded.doubt == 0
    assert not decoded.alternatives


def test_the_rules_decide_between_red_and_orange() -> None:
    orange = Tile("star4", "orange", "white")
    decoded = ask("0,0 circle red; 1,0 square red", "2,0 star4 red white", {(2, 0): (orange, 0.6)})
    assert decoded.chosen.is_legal
    assert decoded.chosen.tiles == tiles("2,0 star4 red white")
    assert decoded.doubt < 0.05


def test_what_the_rules_leave_open_stays_in_doubt() -> None:
    orange = Tile("circle", "orange", "white")
    decoded = ask(
        "0,0 circle blue; 0,1 circle green", "0,2 circle red white", {(0, 2): (orange, 0.5)}
    )
    assert decoded.chosen.is_legal
    assert decoded.doubt > 0.3
    assert {tile for tile, _ in decoded.alternatives[0, 2]} == {
        orange,
        Tile("circle", "red", "white"),
    }


def test_the_box_decides_where_the_rules_cannot() -> None:
    lying = "0,0 circle blue; 0,1 circle green; 5,5 circle orange white"
    orange = Tile("circle", "orange", "white")
    decoded = ask(lying, "0,2 circle red white", {(0, 2): (orange, 0.6)})
    assert decoded.chosen.tiles == tiles("0,2 circle red white")
    assert decoded.doubt < 0.05


def test_the_fourth_copy_of_a_classic_face_is_something_else() -> None:
    lying = (
        "0,0 circle blue; 0,1 circle green; 5,5 circle orange; 7,7 circle orange; 9,9 circle orange"
    )
    decoded = ask(lying, "0,2 circle red", {(0, 2): (Tile("circle", "orange"), 0.6)}, CLASSIC)
    assert decoded.chosen.tiles == tiles("0,2 circle red")


def test_a_confident_illegal_move_is_illegal_and_not_bent_into_shape() -> None:
    decoded = ask("0,0 circle red; 1,0 square red", "2,0 star4 blue white")
    assert not decoded.chosen.is_legal
    assert decoded.chosen.tiles == tiles("2,0 star4 blue white")


def test_a_hardly_likely_way_to_be_legal_is_marked() -> None:
    wrong = Tile("star4", "orange", "white")
    decoded = ask("0,0 circle red; 1,0 square red", "2,0 star4 red white", {(2, 0): (wrong, 0.97)})
    assert decoded.doubt > 0.1


def test_a_speck_that_is_hardly_a_tile_is_left_out() -> None:
    board, new = tiles("0,0 circle red; 1,0 square red"), tiles("2,0 star4 red white")
    speck = Blur(p=0.4, tile_p=0.6)
    cell = (0, 3)
    seen = seen_tile(cell, Tile("clover", "green"), Eye().corners_px(cell), speck, cell)
    question = Question(board, {**evidence(new), cell: evidence_of(seen)}, FLEX)
    decoded = decode(question)
    assert decoded.chosen.tiles == new
    assert decoded.chosen.dropped == {cell}


def test_two_moves_between_two_looks_are_told_apart() -> None:
    decoded = ask(
        "0,0 circle red; 1,0 square red",
        "2,0 star4 red white; 2,1 star4 blue white; 3,1 circle blue",
    )
    assert decoded.chosen.is_legal
    assert [dict(move) for move in decoded.chosen.moves] == [
        tiles("2,0 star4 red white"),
        tiles("2,1 star4 blue white; 3,1 circle blue"),
    ]


def test_two_moves_that_could_have_come_in_either_order_are_in_doubt() -> None:
    decoded = ask("0,0 circle red; 1,0 square red", "-1,0 star4 red; 1,1 square blue white")
    assert len(decoded.chosen.moves) == 2
    assert decoded.doubt >= 0.4


def test_what_was_seen_earlier_came_first() -> None:
    decoded = ask(
        "0,0 circle red; 1,0 square red",
        "-1,0 star4 red; 1,1 square blue white",
        layers=(frozenset({(1, 1)}), frozenset({(-1, 0)})),
    )
    assert [dict(move) for move in decoded.chosen.moves] == [
        tiles("1,1 square blue white"),
        tiles("-1,0 star4 red"),
    ]
    assert decoded.doubt == 0


def test_three_moves_that_piled_up_are_told_apart_by_the_looks() -> None:
    decoded = ask(
        "0,0 circle red; 1,0 square red",
        "-1,0 star4 red; 1,1 square blue white; 1,2 square green; -1,1 star4 blue",
        layers=(
            frozenset({(1, 1)}),
            frozenset({(1, 2)}),
            frozenset({(-1, 0)}),
            frozenset({(-1, 1)}),
        ),
    )
    assert decoded.chosen.is_legal
    assert {cell for cell, _ in decoded.chosen.moves[0]} == {(1, 1), (1, 2)}


def test_an_old_misreading_is_mended_when_that_is_likelier() -> None:
    board = tiles("0,0 circle red; 1,0 circle orange")
    known = evidence(board, {(1, 0): (Tile("circle", "orange"), 0.55)})
    known[1, 0] = evidence(
        {(1, 0): Tile("circle", "yellow")}, {(1, 0): (Tile("circle", "orange"), 0.55)}
    )[1, 0]
    decoded = decode(
        Question(board, evidence(tiles("1,1 star4 yellow; 1,2 square yellow")), FLEX, known)
    )
    assert decoded.chosen.is_legal
    assert decoded.chosen.relabelled == (((1, 0), Tile("circle", "yellow")),)
    assert decoded.doubt > 0


def test_a_second_copy_of_a_tile_shows_that_the_first_was_misread() -> None:
    white, split = Tile("star4", "blue", "white"), Tile("star4", "blue", "split")
    board = {**tiles("0,0 circle red; 1,0 square red; 5,5 circle blue"), (5, 6): split}
    known = evidence(board)
    known[5, 6] = evidence({(5, 6): white}, {(5, 6): (split, 0.6)})[5, 6]
    new = evidence(tiles("2,0 star4 red; 2,1 star4 blue split"))
    decoded = decode(Question(board, new, FLEX, known))
    assert decoded.chosen.is_legal
    assert decoded.chosen.relabelled == (((5, 6), white),)


def test_what_a_person_said_is_not_relabelled() -> None:
    board = tiles("0,0 circle red; 1,0 circle orange")
    known = {cell: certain(tile) for cell, tile in board.items()}
    decoded = decode(
        Question(board, evidence(tiles("1,1 star4 yellow; 1,2 square yellow")), FLEX, known)
    )
    assert not decoded.chosen.is_legal


def test_several_looks_even_out_the_noise_of_one() -> None:
    board, new = tiles("0,0 circle blue; 0,1 circle green"), tiles("0,2 circle red white")
    orange = Tile("circle", "orange", "white")
    shares = (0.6, 0.1, 0.02, 0.05)
    looks = [evidence(new, {(0, 2): (orange, share)})[0, 2] for share in shares]
    doubts = []
    for count in range(1, len(looks) + 1):
        seen = reduce(Evidence.and_also, looks[:count])
        decoded = decode(Question(board, {(0, 2): seen}, FLEX))
        doubts.append(decoded.doubt)
    assert decoded.chosen.tiles == new
    assert doubts == sorted(doubts, reverse=True)
    assert doubts[-1] < 0.2


def test_the_same_doubt_in_every_look_stays_a_doubt() -> None:
    board, new = tiles("0,0 circle blue; 0,1 circle green"), tiles("0,2 circle red white")
    one = evidence(new, {(0, 2): (Tile("circle", "orange", "white"), 0.1)})[0, 2]
    seen = reduce(Evidence.and_also, [one] * 5)
    assert decode(Question(board, {(0, 2): seen}, FLEX)).doubt > 0.03


def test_a_look_that_misreads_known_tiles_is_trusted_less() -> None:
    board = tiles("0,0 circle blue; 0,1 circle green; 0,2 circle red; 0,3 circle yellow")
    corners = Eye().corners_px((0, 0))
    right = {c: seen_tile(c, t, corners, Blur(), c) for c, t in board.items()}
    orange = Blur(taken_for={(0, 2): (Tile("circle", "orange"), 0.9)})
    wrong = {**right, (0, 2): seen_tile((0, 2), board[0, 2], corners, orange, (0, 2))}
    assert floors_of(right, board) == USUAL
    shape, colour, background = floors_of(wrong, board)
    assert colour > 10 * shape
    assert shape == background
