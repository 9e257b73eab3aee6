"""All games of the family, and what they say about the players over time."""

from __future__ import annotations

import threading
from typing import Any

from scorer.errors import EventError, GameError
from scorer.game import Game
from scorer.journal import GameRecord, JournalReader
from scorer.report import csv_text
from tiletally.games import fold_events
from tiletally.session_state import game_json, game_part

Plain = dict[str, Any]


class Archive:
    """Reads games out of the journal; what a game came to is worked out once for each change."""

    def __init__(self, journal: JournalReader) -> None:
        """Look into a journal."""
        self._journal = journal
        self._lock = threading.Lock()
        self._known: dict[int, tuple[int, Plain | None]] = {}

    def games(self) -> list[Plain]:
        """One line for each game, the newest first."""
        with self._lock:
            lines = [self._line(record) for record in self._journal.games()]
        return [line for line in reversed(lines) if line is not None]

    def game(self, game_id: int) -> Plain:
        """One game in the shape of the state.

        Raises:
            UnknownGameError: There is none with this number.
            EventError, GameError: It cannot be told any more.
        """
        record = self._journal.game(game_id)
        game = self._load(game_id)
        colours = {p.name: p.colour or "" for p in self._journal.players()}
        about = {"id": record.id, "seq": record.last_seq, "started_at": record.created_at}
        return {"game": {**about, **game_json(game)}, **game_part(game, colours)}

    def csv(self, game_id: int) -> str:
        """One game as a table with one row for each turn."""
        return csv_text(self._load(game_id))

    def statistics(self) -> list[Plain]:
        """For every player who finished a game: games, wins, best and mean, and the course."""
        found: dict[str, Plain] = {}
        for line in reversed(self.games()):
            if line["is_over"]:
                for place, player in enumerate(line["players"]):
                    _add(found.setdefault(player["name"], _blank(player)), line, place)
        return sorted(found.values(), key=lambda each: (-each["games"], each["name"]))

    def _line(self, record: GameRecord) -> Plain | None:
        known = self._known.get(record.id)
        if known is None or known[0] != record.last_seq:
            known = (record.last_seq, self._told(record))
            self._known[record.id] = known
        return known[1]

    def _told(self, record: GameRecord) -> Plain | None:
        try:
            game = self._load(record.id)
        except (EventError, GameError):
            return None
        part = game_part(game, {})
        keys = ("name", "score", "qwirkles", "flexes", "best", "turns")
        return {
            "id": record.id,
            "started_at": record.created_at,
            "changed_at": record.changed_at,
            "rules": game.state.rules,
            "is_over": game.is_over,
            "winners": list(game.winners),
            "turns": len(game.turns),
            "players": [{key: player[key] for key in keys} for player in part["players"]],
        }

    def _load(self, game_id: int) -> Game:
        return fold_events(entry.event for entry in self._journal.events(game_id))


def _blank(player: Plain) -> Plain:
    sums = dict.fromkeys(("games", "wins", "points", "qwirkles", "flexes", "best_turn", "best"), 0)
    return {"name": player["name"], **sums, "course": []}


def _add(stats: Plain, line: Plain, place: int) -> None:
    player = line["players"][place]
    stats["games"] += 1
    stats["wins"] += place in line["winners"]
    stats["points"] += player["score"]
    stats["qwirkles"] += player["qwirkles"]
    stats["flexes"] += player["flexes"]
    stats["best_turn"] = max(stats["best_turn"], player["best"])
    stats["best"] = max(stats["best"], player["score"])
    stats["course"].append({"game": line["id"], "score": player["score"]})
