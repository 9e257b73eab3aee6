"""What is wrong, said in English for the people at the table."""

from __future__ import annotations

from scorer.rules import Violation

_WORDS = {1: "one", 2: "two", 3: "three", 4: "four", 5: "five", 6: "six", 7: "seven", 8: "eight"}
_SHAPES = {"star4": "four-pointed star", "star8": "eight-pointed star"}
_KINDS = {"diagonal_down": "diagonal", "diagonal_up": "diagonal"}

_PLAIN = {
    "nothing_placed": "no tile was placed",
    "cell_repeated": "two tiles were placed on the same spot",
    "cell_occupied": "there is already a tile on that spot",
    "not_one_line": "the new tiles are not all in one row or column",
    "gap": "there is an empty spot between the new tiles",
    "line_mismatch": "{one} and {other} do not go together in one {kind}",
    "line_duplicate": "{count} {things} in one {kind}",
    "line_too_long": "{length} tiles in one {kind}, and six is the most",
    "diagonal_too_long": "{length} {background} tiles in one {kind}, and six is the most",
    "opening_not_largest_set": "the opening must be the largest set in the hand, all of it",
    "opening_must_place": "the first turn of the game must place tiles",
    "not_in_hand": "that tile is not in the hand",
    "nothing_exchanged": "at least one tile must be exchanged",
    "more_than_six": "at most six tiles can be exchanged",
    "more_than_in_hand": "there are only {limit} tiles in the hand",
    "more_than_in_bag": "there are only {limit} tiles left in the bag",
    "bag_not_empty": "nobody passes while the bag holds tiles: exchange instead",
    "not_one_to_three": "one to three tiles can be placed apart",
    "no_tile_there": "there is no tile on that spot",
    "table_would_be_empty": "the last tile on the table cannot be taken",
    "part_of_qwirkle": "a tile of a finished line of six cannot be taken",
    "layout_would_split": "without that tile the others would fall apart into two groups",
    "taken_tile_returned": "the tile just taken cannot go back to its spot in the same turn",
    "not_one_taken": "only one tile can be taken from the table",
    "not_own_turn": "an action tile can be used only in one's own turn",
    "turn_begun": "an action tile can be used only at the beginning of a turn",
    "one_action_a_turn": "only one action tile can be used in a turn",
    "action_not_owned": "that action tile is not there to be used",
    "second_turn_of_double": "no action tile can be used in the second half of a double turn",
    "special_not_in_bag": "no special tile of that kind is left in the bag",
    "impossible_inventory": "there are more tiles like {one} than the box holds",
    "placed_more_than_hand": "{count} tiles were placed out of a hand of {limit}",
}


def sentence(violation: Violation) -> str:
    """One broken rule in plain words, without capital and full stop."""
    if violation.code == "no_contact":
        return _no_contact(int(violation.params["count"]))
    return _PLAIN[violation.code].format(**_words(violation))


def _no_contact(count: int) -> str:
    if count == 1:
        return "a new tile does not touch the tiles on the table"
    return f"{number(count)} new tiles do not touch the tiles on the table"


def _words(violation: Violation) -> dict[str, str]:
    params = violation.params
    words = {name: number(v) if isinstance(v, int) else v for name, v in params.items()}
    words["kind"] = _KINDS.get(words.get("kind", ""), words.get("kind", ""))
    if "shape" in words:
        words["one"] = _one(words["colour"], words["shape"])
        words["things"] = f"{words['colour']} {_shape(words['shape'])}s"
    if "other_shape" in words:
        words["other"] = _one(words["other_colour"], words["other_shape"])
    return words


def number(count: int) -> str:
    """A small number as a word, a larger one in digits."""
    return _WORDS.get(count, str(count))


def _shape(word: str) -> str:
    return _SHAPES.get(word, word)


def _one(colour: str, shape: str) -> str:
    article = "an" if colour[:1] in "aeiou" else "a"
    return f"{article} {colour} {_shape(shape)}"
