"""What the rulebooks leave open: named options with their defaults."""

from __future__ import annotations

from dataclasses import dataclass

RULES = ("classic", "flex", "flex72")
EXPANSIONS = ("mini", "expansion2", "expansion1")
ACTIONS = ("ask", "draw_three", "swap", "take", "separate", "double_turn")
ACTIONS_OF = {"mini": ("draw_three", "take"), "expansion2": ACTIONS, "expansion1": ()}


class OptionsError(ValueError):
    """Options that contradict each other or do not exist."""


def _check_words(what: str, words: tuple[str, ...], known: tuple[str, ...]) -> None:
    for word in words:
        if word not in known:
            raise OptionsError(f"there is no {what} {word!r}")
    if len(set(words)) != len(words):
        raise OptionsError(f"the same {what} is named twice")


@dataclass(frozen=True, slots=True)
class Options:
    """The house rules of one game."""

    single_tile_opening_points: int = 0
    """Points for an opening with one single tile, which makes no line (ruling 1)."""
    expansions: tuple[str, ...] = ()
    """Which of `EXPANSIONS` are in play; expansion1 only lifts the rule of contact."""
    left_out_actions: tuple[str, ...] = ()
    """Variant 1: kinds of action whose tiles stay in the box."""
    actions_from_start: bool = False
    """Variant 2: everybody starts with one action tile of every kind, no special tiles."""
    six_players: bool = False
    """House rule: up to six players instead of four."""
    flex_with_expansions: bool = False
    """Flex together with action tiles, which no rulebook combines (ruling 36)."""
    tie: str = ""
    """Who starts on a tie, "youngest" or "oldest"; empty means as the edition says."""
    returned_under_stacks: bool = False
    """Exchanged tiles go under the stacks instead of back into the mix (ruling 22)."""

    def __post_init__(self) -> None:
        """Refuse words that no rulebook knows."""
        _check_words("expansion", self.expansions, EXPANSIONS)
        _check_words("action", self.left_out_actions, ACTIONS)
        _check_words("tie rule", (self.tie,), ("", "youngest", "oldest"))

    @property
    def actions(self) -> tuple[str, ...]:
        """The kinds of action tile in play, in the order of `ACTIONS`."""
        kinds = {kind for name in self.expansions for kind in ACTIONS_OF[name]}
        return tuple(k for k in ACTIONS if k in kinds and k not in self.left_out_actions)

    @property
    def special_tiles(self) -> tuple[str, ...]:
        """The special tiles mixed into the bag, one for each kind and expansion."""
        if self.actions_from_start:
            return ()
        kinds = [kind for name in self.expansions for kind in ACTIONS_OF[name]]
        return tuple(kind for kind in kinds if kind not in self.left_out_actions)

    @property
    def most_players(self) -> int:
        """How many may play."""
        return 6 if self.six_players else 4

    @property
    def needs_contact(self) -> bool:
        """Whether tiles must hang together; star discs of Expansion 1 may interrupt lines."""
        return "expansion1" not in self.expansions

    def tie_rule(self, rules: str) -> str:
        """Who of the tied players starts: the youngest in classic, the oldest in Flex."""
        return self.tie or ("youngest" if rules == "classic" else "oldest")

    def check(self, rules: str, player_count: int) -> None:
        """Refuse a combination that cannot be played.

        Raises:
            OptionsError: The rules are unknown, the number of players does not fit, or Flex is
                combined with action tiles without the option that allows it.
        """
        _check_words("rule set", (rules,), RULES)
        if not 2 <= player_count <= self.most_players:
            raise OptionsError(
                f"{player_count} cannot play: it takes 2 to {self.most_players} players"
            )
        if rules != "classic" and self.actions and not self.flex_with_expansions:
            raise OptionsError("Flex is not combined with action tiles unless the option allows it")


DEFAULTS = Options()


def has_diagonals(rules: str) -> bool:
    """Whether diagonals of one background count: in every kind of Flex."""
    return rules != "classic"
