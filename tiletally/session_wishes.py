"""What a person wants, as the page sends it, turned into events of the game.

The readers here are strict: whatever is not exactly as it should be is refused in one clear
sentence before anything happens.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, cast

from scorer.errors import EventError, GameError
from scorer.event_json import event_from_json
from scorer.events import Event, GameStarted, LateStart, TurnCorrected
from scorer.game import Game
from scorer.journal import Player
from scorer.tiles import Placed
from scorer.tilesets import SETS, TileSet, TileSetError, tileset, with_colours

EVENT_OF = {
    "exchange": "tiles_exchanged",
    "pass": "turn_passed",
    "points": "points_entered",
    "action": "action_used",
    "special": "special_drawn",
    "adjust": "points_adjusted",
    "end": "game_ended",
    "undo": "undone",
    "redo": "redone",
    "correct": "turn_corrected",
    "accept_turn": "turn_accepted",
    "merge": "turns_merged",
    "split": "turn_split",
    "remove": "turn_removed",
    "insert": "turn_inserted",
}
"""Every wish that is one event, and the type of that event."""

FARTHEST = 1000
"""No table is that long: 108 tiles in one line are ten times shorter."""
MOST_POINTS = 9999
"""The best turn possible brings 84 points, the best games some hundreds."""
LONGEST_NAME = 24
LONGEST_TEXT = 200
MOST_TILES = 200


@dataclass(frozen=True, slots=True)
class NewGame:
    """A new game as it was asked for."""

    events: tuple[GameStarted | LateStart, ...]
    players: tuple[Player, ...]


def event_of(wish: str, params: Mapping[str, Any], game: Game) -> Event:
    """The event that a wish stands for.

    Raises:
        EventError: It is not a wish, or its parameters are not as they should be.
    """
    if wish not in EVENT_OF:
        raise EventError(f"there is no wish {wish!r}")
    named = {key: _index(value, game) if key in _SEATS else value for key, value in params.items()}
    event = event_from_json({"type": EVENT_OF[wish], **named})
    check_sizes(event)
    return event


def placed_of(value: object) -> tuple[Placed, ...]:
    """The tiles of a move.

    Raises:
        EventError: They are not tiles on cells.
    """
    event = cast(
        TurnCorrected, event_from_json({"type": "turn_corrected", "turn": 1, "placed": value})
    )
    check_sizes(event)
    return event.placed or ()


def check_box(placed: Iterable[Placed], box: TileSet) -> None:
    """Refuse tiles of colours or backgrounds that this box does not hold.

    Raises:
        EventError: There is one.
    """
    known = box.tiles()
    for _, tile in placed:
        if tile not in known:
            words = f"{tile.colour} {tile.shape} on {tile.background}"
            raise EventError(f"there is no {words} in this box")


def check_sizes(event: Event) -> None:
    """Refuse numbers and texts beyond what any game could need.

    Raises:
        EventError: One is.
    """
    for name in ("placed", "taken", "board"):
        _check_cells(cell for cell, _ in getattr(event, name, None) or ())
    _check_cells(getattr(event, "cells", ()))
    if cell := getattr(event, "cell", None):
        _check_cells([cell])
    for name in ("points", "count", "bag", "tiles"):
        _check_number(name, getattr(event, name, None))
    for score in getattr(event, "scores", ()):
        _check_number("score", score)
    if any(len(name) > LONGEST_NAME for name in getattr(event, "players", ())):
        raise EventError(f"a name has at most {LONGEST_NAME} letters")
    if len(getattr(event, "reason", "")) > LONGEST_TEXT:
        raise EventError(f"a reason has at most {LONGEST_TEXT} letters")
    _check_plain(event.to_json())


def new_game_of(wish: Mapping[str, Any]) -> NewGame:
    """The first events of a game, and its players, from what the page sends.

    `{"rules", "players": [name or {"name", "colour", "birth_year"}], "colours", "expansions",
    "starter", "options", "late": {"board", "scores", "next_player", "bag"}}`; only rules and
    players are needed.

    Raises:
        EventError: It does not describe a game.
    """
    unknown = set(wish) - _NEW_GAME_FIELDS
    if unknown:
        raise EventError(f"a new game has no {sorted(unknown)[0]!r}")
    players = tuple(_player(each) for each in _list(wish.get("players"), "players"))
    names = [player.name for player in players]
    options = {**_mapping(wish.get("options"), "options")}
    if wish.get("expansions"):
        options["expansions"] = wish["expansions"]
    start = {"type": "game_started", "rules": wish.get("rules"), "players": names}
    start["starter"] = _place(wish.get("starter", 0), names)
    start["options"] = options
    if wish.get("colours"):
        start["box"] = _box(wish.get("rules"), wish["colours"]).to_json()
    events = [cast(GameStarted, event_from_json(start))]
    check_sizes(events[0])
    late = wish.get("late")
    return NewGame((*events, *_late(late, names)), players)


def rematch_of(game: Game, players: Sequence[Mapping[str, Any]]) -> dict[str, Any]:
    """The wish for the same game once more, in which the next one in the round begins."""
    first = game.events[0].to_json()
    known = {player["name"]: player for player in players}
    return {
        "rules": first["rules"],
        "players": [known.get(name, name) for name in game.players],
        "colours": list(game.state.box.colours),
        "options": first["options"],
        "starter": (game.state.starter + 1) % len(game.players),
    }


def _late(late: object, names: list[str]) -> list[LateStart]:
    if not late:
        return []
    fields = dict(_mapping(late, "late"))
    fields.setdefault("board", [])
    fields["next_player"] = _place(fields.get("next_player", 0), names)
    event = cast(LateStart, event_from_json({"type": "late_start", **fields}))
    check_sizes(event)
    return [event]


def _box(rules: object, colours: object) -> TileSet:
    if rules not in SETS:
        raise EventError(f"there are no rules {rules!r}")
    words = [part.strip() for part in colours.split(",")] if isinstance(colours, str) else colours
    if not isinstance(words, list) or any(len(str(word)) > LONGEST_NAME for word in words):
        raise EventError("colours are a list of six words")
    try:
        return with_colours(tileset(str(rules)), words)
    except TileSetError as error:
        raise EventError(str(error)) from None


def _player(value: object) -> Player:
    fields = {"name": value} if isinstance(value, str) else _mapping(value, "a player")
    name, colour, year = fields.get("name"), fields.get("colour"), fields.get("birth_year")
    if not isinstance(name, str) or not clean_name(name):
        raise EventError("every player needs a name")
    if not _is_word(colour):
        raise EventError("the colour of a player is a word")
    if year is not None and (type(year) is not int or not 1900 <= year <= 2100):
        raise EventError("the birth year of a player is a year")
    return Player(clean_name(name), colour or None, year)


def _is_word(value: object) -> bool:
    is_text = isinstance(value, str) and value.isprintable() and len(value) <= LONGEST_NAME
    return value is None or is_text


def clean_name(name: str) -> str:
    """A name without what cannot be seen, at most as long as fits on the page."""
    printable = "".join(letter if letter.isprintable() else " " for letter in name)
    return " ".join(printable.split())[:LONGEST_NAME].strip()


def _index(value: object, game: Game) -> object:
    """A player by number or by name."""
    return _place(value, list(game.players)) if isinstance(value, str) else value


def _place(value: object, names: list[str]) -> object:
    if not isinstance(value, str):
        return value
    if value not in names:
        raise GameError(f"{value!r} is not at the table")
    return names.index(value)


def _list(value: object, what: str) -> list[object]:
    if not isinstance(value, list) or len(value) > MOST_TILES:
        raise EventError(f"{what} must be a list")
    return value


def _mapping(value: object, what: str) -> Mapping[str, Any]:
    if value is None:
        return {}
    if not isinstance(value, Mapping):
        raise EventError(f"{what} must be a JSON object")
    return value


def _check_cells(cells: Iterable[tuple[int, int]]) -> None:
    found = list(cells)
    if len(found) > MOST_TILES:
        raise EventError("there are not so many tiles in any box")
    if any(abs(number) > FARTHEST for cell in found for number in cell):
        raise EventError("no table is that large")


def _check_plain(value: object) -> None:
    """Whatever else an event holds, such as options, is as small."""
    if isinstance(value, Mapping | list):
        for each in value.values() if isinstance(value, Mapping) else value:
            _check_plain(each)
    elif isinstance(value, str) and len(value) > LONGEST_TEXT:
        raise EventError("it holds a longer text than any game needs")
    elif isinstance(value, int) and abs(value) > MOST_POINTS:
        raise EventError("it holds a larger number than any game needs")


def _check_number(name: str, value: object) -> None:
    if isinstance(value, int) and abs(value) > MOST_POINTS:
        raise EventError(f"{name} of {value} cannot be")


_SEATS = {"player", "giver", "next_player"}
_NEW_GAME_FIELDS = {"rules", "players", "colours", "expansions", "starter", "options", "late"}
