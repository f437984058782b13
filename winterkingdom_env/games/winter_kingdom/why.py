"""What the seat to move is asked to do, and why just these actions are legal: the rule that leaves them, with its page.

All of this reads a snapshot and the labels of the legal actions. Only the seat to move is looked at. explain.py says why an action is illegal.
"""

from __future__ import annotations

from collections.abc import Callable, Collection
from functools import cached_property
from typing import Any

from winterkingdom_env.games.adjacent import words_on_some, words_on_terrain
from winterkingdom_env.games.winter_kingdom import layout, tables
from winterkingdom_env.games.winter_kingdom.explain import BUYING, coins_words, half_in_use, row_of, twist_in_play
from winterkingdom_env.games.winter_kingdom.house import cards_of
from winterkingdom_env.games.winter_kingdom.layout import Op, Twist
from winterkingdom_env.games.winter_kingdom.rules import NEIGHBOURS

OVER = "nothing: the game is over"
INSTRUCTIONS = {
    "before": "build piece 1 of 3 on {terrain}",
    "mandatory": "build piece {number} of 3 on {terrain}",
    "boom": "build an extra piece next to an own one, or done",
    "build": "build a piece with {card}",
    "lift": "choose the house that {card} moves",
    "move": "choose where {card} moves the house on {lifted}",
    "follow": "go on with {card}, or done",
    "triple": "use {card}, {uses} left, or done",
    "innovate": "use {card} at once, or done",
    "wolves": "choose the piece that the wolves take",
    "over": OVER,
}
TO_BUILD = ("house ", "fort ")
# Halves whose hexes are next to own pieces anyway, or are one hex.
NEAR_ANYWAY = (
    Op.BUILD_NEXT_TO_OWN_FORT, Op.BUILD_NEXT_TO_GROUP_AT, Op.BUILD_NEXT_TO_GROUP_WITH_FORT, Op.BUILD_AT_OWN_RUN,
    Op.BUILD_ON_HEX_JUST_LEFT,
)  # fmt: skip
BESIDE, PIECES_FIRST = "p. 6", "cards are used before the first piece or after the last one (p. 4)"


def instruction(snapshot: dict[str, Any], legal: Collection[str] = ()) -> str:
    """What the seat to move is asked to do. ``legal``: labels of the legal actions, if known."""
    phase, turn = snapshot["phase"], snapshot["turn"]
    verbs = {label.partition(" ")[0] for label in legal}
    if phase == "after":
        can = (("use", "use cards"), ("lift", "salvage pieces"), *((verb, "buy one card") for verb in BUYING))
        parts = dict.fromkeys(words for verb, words in can if verb in verbs)
        return ", ".join([*parts, "or end the turn"] if parts else ["end the turn"])
    terrain = turn["terrain"] or snapshot["players"][snapshot["seat"]]["terrain_card"]
    words = INSTRUCTIONS[phase].format(
        terrain=terrain,
        card=turn["card"],
        lifted=turn["lifted"],
        number=len(turn["placed"]) + 1,
        uses=turn["uses_left"],
    )
    if phase != "before" or not legal:
        return words
    if not verbs & {"house", "fort"}:
        words = "go on without building"
    return f"use cards, or {words}" if "use" in verbs else words


def why(snapshot: dict[str, Any], legal: Collection[str]) -> str:
    """Why just these actions are legal; empty without any. ``legal``: their labels."""
    if not legal or snapshot["phase"] == "over":
        return ""
    return WAYS[snapshot["phase"]](_Table(snapshot, legal))


class _Table:
    """The board around the seat to move."""

    def __init__(self, snapshot: dict[str, Any], legal: Collection[str]) -> None:
        self.snapshot, self.turn, self.legal = snapshot, snapshot["turn"], legal
        self.player = snapshot["players"][snapshot["seat"]]
        self.twist, self.twist_arg = twist_in_play(snapshot)
        self.targets = {label.partition(" ")[2] for label in legal if label.startswith(TO_BUILD)}
        self.pieces = {*self.player["houses"], *self.player["forts"]}

    @property
    def coins(self) -> int:
        """The coins of the seat."""
        return int(self.player["coins"])

    @cached_property
    def entries(self) -> dict[str, dict[str, Any]]:
        """The hexes by label."""
        return {entry["hex"]: entry for entry in self.snapshot["hexes"]}

    def near(self, steps: int = 1) -> set[str]:
        """The hexes that many steps from own pieces; Archipelago cuts the boards from each other (p. 16)."""
        by_cell = {(entry["row"], entry["col"]): entry for entry in self.snapshot["hexes"]}
        found, front = set[str](), self.pieces
        for _ in range(steps):
            reached = set[str]()
            for entry in map(self.entries.__getitem__, front):
                for down, right in NEIGHBOURS:
                    other = by_cell.get((entry["row"] + down, entry["col"] + right))
                    if other and (self.twist != Twist.ARCHIPELAGO or other["board"] == entry["board"]):
                        reached.add(other["hex"])
            found |= reached
            front = reached
        return found

    @property
    def impasse(self) -> str:
        """What Impasse takes away from the hexes, as the end of a sentence."""
        return "; none that touches another player's piece (p. 16, Impasse)" if self.twist == Twist.IMPASSE else ""


# --- phases -----------------------------------------------------------------------------------------------------------


def _mandatory(table: _Table) -> str:
    """The terrains of the mandatory piece, each judged by itself."""
    if not table.targets:
        return f"{_why_no_mandatory(table)}; {PIECES_FIRST}"
    steps = table.twist_arg if table.twist == Twist.MOBILITY else 1
    near, parts = table.near(steps), []
    for terrain in tables.TERRAIN_NAMES:
        hexes = {name for name in table.targets if table.entries[name]["terrain"] == terrain}
        if hexes and steps > 1 and table.pieces:
            parts.append(_within(steps, terrain, hexes <= near))
        elif hexes:
            parts.append(words_on_terrain(terrain, hexes <= near, bool(table.pieces), BESIDE))
    uses = any(label.startswith("use ") for label in table.legal)
    return "; ".join(parts) + table.impasse + (f"; {PIECES_FIRST}" if uses else "")


def _within(steps: int, terrain: str, is_near: bool) -> str:
    """Why a mandatory piece may go on these hexes under Mobility."""
    reach = f"within {steps} hexes of your pieces"
    if is_near:
        return f"free {terrain} lies {reach}, so this piece must go there (p. 16, Mobility)"
    return f"no free {terrain} lies {reach}, so all free {terrain} is open (p. 16, Mobility)"


def _why_no_mandatory(table: _Table) -> str:
    if not table.player["houses_left"] + table.player["forts_left"]:
        return "you have no piece left to build (p. 4)"
    if table.player["terrain_card"] is None:
        return "no terrain card shows a terrain with a free hex, so nothing is built (p. 6)"
    return f"no hex of {table.player['terrain_card']} can be built on{table.impasse}"


def _boom(table: _Table) -> str:
    return f"a piece next to a village allows one extra piece, which must go next to your pieces (p. 16, Boom){table.impasse}"


def _build(table: _Table) -> str:
    """The half in use, and which of its hexes are left."""
    half = half_in_use(table.snapshot)
    head = f"{half.name}: {half.words}"
    if half.op == Op.BUILD_AT_OPPONENT_RUN:
        return f"{head}, also where no piece of yours is near (p. 9){table.impasse}"
    if half.op in NEAR_ANYWAY or (half.op == Op.BUILD_TOUCHING_EXACTLY and half.arg):
        return head + table.impasse
    is_near = {"": table.targets <= table.near()}
    return f"{head}; {words_on_some(is_near, bool(table.pieces), BESIDE)}{table.impasse}"


def _lift(table: _Table) -> str:
    half = half_in_use(table.snapshot)
    return f"{half.name}: {half.words}; only houses that can do so, and never forts (p. 4){table.impasse}"


def _move(table: _Table) -> str:
    half = half_in_use(table.snapshot)
    return f"{half.name}: {half.words}; to free hexes only, also away from your other pieces (p. 6){table.impasse}"


def _follow(table: _Table) -> str:
    is_move = layout.FIRST_MOVE_OP <= half_in_use(table.snapshot).op <= layout.LAST_MOVE_OP
    return f"{_move(table) if is_move else _build(table)}; it may be left out"


def _after(table: _Table) -> str:
    """What is left before the end of a turn."""
    verbs, parts = {label.partition(" ")[0] for label in table.legal}, []
    if "use" in verbs:
        parts.append("each card in play is used once a turn (p. 4)")
    if "lift" in verbs:
        paid = coins_words(_salvage(table))
        parts.append(f"Salvage pays {paid} for each house that you take out of the game before you buy (p. 15)")
    with_coins = f"with {coins_words(table.coins)} you can buy"
    if verbs & set(BUYING):
        parts.append(f"{with_coins} what costs {table.coins} or less, one thing a turn (p. 5)")
    else:
        parts.append(f"{with_coins} nothing now (p. 5)")
    return "; ".join(parts)


def _salvage(table: _Table) -> int:
    economies = cards_of(table.snapshot.get("house_rules", "")).economies
    return next(card.coins for card in economies if card.name == table.snapshot["economy"])


def _triple(table: _Table) -> str:
    n = table.turn["uses_left"]
    return f"you paid {coins_words(layout.TRIPLE_COST)} to use {table.turn['card']} up to {layout.TRIPLE_USES} times: {n} left (p. 5)"


def _innovate(table: _Table) -> str:
    row = row_of(table.turn["card"], table.snapshot)
    return f"a card just bought may be used at once (p. 16, Innovation): {row.first_text}"


def _wolves(table: _Table) -> str:
    return f"you built more than {table.twist_arg} houses in this turn, so one of your pieces leaves the game (p. 16, Wolves)"


WAYS: dict[str, Callable[[_Table], str]] = {
    "before": _mandatory,
    "mandatory": _mandatory,
    "boom": _boom,
    "after": _after,
    "build": _build,
    "lift": _lift,
    "move": _move,
    "follow": _follow,
    "triple": _triple,
    "innovate": _innovate,
    "wolves": _wolves,
}
