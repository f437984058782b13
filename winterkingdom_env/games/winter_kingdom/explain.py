"""Why an action is illegal: the rule that it breaks, with its page, and what would work.

All of this reads a snapshot and the labels of the legal actions, and calls no kernel. Only the seat to move is
looked at, so that nothing hidden from it is told.
"""

from __future__ import annotations

from collections.abc import Collection
from functools import cached_property
from typing import Any, NamedTuple

from winterkingdom_env.core.drawing import seat_name
from winterkingdom_env.games.winter_kingdom import layout, tables
from winterkingdom_env.games.winter_kingdom.actions import HALVES, labels
from winterkingdom_env.games.winter_kingdom.house import cards_of
from winterkingdom_env.games.winter_kingdom.layout import Link, Op, Twist
from winterkingdom_env.games.winter_kingdom.rules import NEIGHBOURS

ASKED = {
    "before": "special actions or the first piece on {terrain}",
    "mandatory": "mandatory piece {number} of 3 on {terrain}",
    "boom": "the extra piece next to an own one, or done",
    "after": "special actions, one purchase, or done",
    "build": "a piece built by {card}",
    "lift": "the house that {card} moves",
    "move": "where {card} moves the house on {lifted}",
    "follow": "what may follow {card}, or done",
    "triple": "a use of {card}, or done",
    "innovate": "a use of {card}, or done",
    "wolves": "the piece that the wolves take",
}
SALVAGED = "further pieces to salvage, one purchase, or done"  # instead of "after"; p. 15: no special action follows

# The verbs of each phase; another verb breaks the rule about its time.
VERBS = {
    "before": ("house", "fort", "use", "done"),
    "mandatory": ("house", "fort"),
    "boom": ("house", "fort", "done"),
    "after": ("use", "lift", "acquire", "upgrade", "triple", "done"),
    "build": ("house", "fort"),
    "lift": ("lift",),
    "move": ("house", "fort"),
    "follow": ("house", "fort", "done"),
    "triple": ("use", "done"),
    "innovate": ("use", "done"),
    "wolves": ("lift",),
}
BUYING = ("acquire", "upgrade", "triple")
TIMES = {
    "house": "no piece is built now (p. 4)",
    "fort": "no piece is built now (p. 4)",
    "lift": "a house is lifted only for a card that moves it (p. 8)",
    "use": "special actions come before the first or after the last mandatory piece (p. 4)",
    "done": "this action cannot be left out (p. 4)",
}


def asked(snapshot: dict[str, Any]) -> str:
    """What the seat to move is asked for."""
    turn = snapshot["turn"]
    if snapshot["phase"] == "after" and turn["salvaged"]:
        return SALVAGED
    terrain = turn["terrain"] or snapshot["players"][snapshot["seat"]]["terrain_card"]
    return ASKED[snapshot["phase"]].format(
        terrain=terrain, card=turn["card"], lifted=turn["lifted"], number=len(turn["placed"]) + 1
    )


def explain(action: int, snapshot: dict[str, Any], legal: Collection[str] = ()) -> str:
    """The rule that an illegal action breaks. ``legal``: labels of the legal actions."""
    if snapshot["phase"] == "over":
        return "the game is over"
    verb, _, what = labels()[action].partition(" ")
    if verb not in VERBS[snapshot["phase"]]:
        return f"{_wrong_time(verb, snapshot)}; asked for now: {asked(snapshot)}"
    if verb in ("house", "fort", "lift"):
        place = _Place(action % layout.N_HEXES, snapshot, legal)
        return place.why_no_lift() if verb == "lift" else place.why_no_piece(verb)
    if verb == "use":
        return _why_no_use(what, snapshot)
    if verb in BUYING:
        return _why_no_purchase(verb, what, snapshot)
    return "a mandatory piece can be built, so it must be (p. 4)"


def _wrong_time(verb: str, snapshot: dict[str, Any]) -> str:
    phase = snapshot["phase"]
    if verb not in BUYING:
        return TIMES[verb]
    if phase in ("before", "mandatory", "boom"):
        return "cards are bought after the mandatory pieces (p. 5)"
    return "cards are bought when nothing else is under way (p. 5)"


def row_of(name: str, snapshot: dict[str, Any]) -> tables.Ability:
    """The row of an ability card in this game."""
    rows = (*cards_of(snapshot.get("house_rules", "")).abilities, tables.TUNNEL)
    return next(row for row in rows if row.name == name)


def twist_in_play(snapshot: dict[str, Any]) -> tuple[int, int]:
    """The twist in play and its number."""
    rows = cards_of(snapshot.get("house_rules", "")).twists
    return next(((row.twist, row.arg) for row in rows if row.name == snapshot["twist"]), (Twist.NONE, 0))


class Half(NamedTuple):
    """A half of a card: its name, what it does, and its words."""

    name: str
    op: Op
    arg: int
    words: str


def half_in_use(snapshot: dict[str, Any]) -> Half:
    """The half of the card in use."""
    card, half = snapshot["turn"]["card"], snapshot["turn"]["half"]
    row = row_of(card, snapshot)
    if card == tables.TUNNEL.name:
        if snapshot["phase"] == "follow":
            return Half("Longer Tunnels", Op.MOVE_ONE, 0, "move the same house 1 more hex")
        return Half(card, row.first, 0, row.first_text)
    if half == HALVES[1]:
        return Half(f"{card} II", row.second, row.second_arg, row.second_text)
    return Half(f"{card} I", row.first, row.first_arg, row.first_text)


# --- hexes ------------------------------------------------------------------------------------------------------------


class _Place:
    """A hex on which something illegal was tried."""

    def __init__(self, hex_id: int, snapshot: dict[str, Any], legal: Collection[str]) -> None:
        self.entry = snapshot["hexes"][hex_id]
        self.label, self.terrain = str(self.entry["hex"]), str(self.entry["terrain"])
        self.snapshot, self.turn, self.phase, self.legal = snapshot, snapshot["turn"], snapshot["phase"], legal
        self.seat = snapshot["seat"]
        self.player = snapshot["players"][self.seat]
        self.twist, self.twist_arg = twist_in_play(snapshot)

    # What is around

    @cached_property
    def _by_cell(self) -> dict[tuple[int, int], dict[str, Any]]:
        return {(entry["row"], entry["col"]): entry for entry in self.snapshot["hexes"]}

    def _around(self, entry: dict[str, Any], is_whole: bool = False) -> list[dict[str, Any]]:
        """The hexes that touch this one; ``is_whole``: as if Archipelago were not in play."""
        cells = ((entry["row"] + down, entry["col"] + right) for down, right in NEIGHBOURS)
        found = [self._by_cell[cell] for cell in cells if cell in self._by_cell]
        is_cut = self.twist == Twist.ARCHIPELAGO and not is_whole
        return [other for other in found if not is_cut or other["board"] == entry["board"]]

    def _touches(self, terrain: str) -> bool:
        return any(other["terrain"] == terrain for other in self._around(self.entry))

    def _touched_pieces(self, seat: int) -> int:
        """Own houses on the hexes around; a fort counts two."""
        player = self.snapshot["players"][seat]
        near = [other["hex"] for other in self._around(self.entry)]
        return sum((name in player["houses"]) + layout.FORT_VALUE * (name in player["forts"]) for name in near)

    @property
    def _has_other_near(self) -> bool:
        return any(self._touched_pieces(seat) for seat in range(len(self.snapshot["players"])) if seat != self.seat)

    def _piece(self) -> str:
        """The piece that stands here; an empty text if there is none."""
        for seat, player in enumerate(self.snapshot["players"]):
            for kind in ("house", "fort"):
                if self.label in player[f"{kind}s"]:
                    return f"your {kind}" if seat == self.seat else f"a {kind} of seat {seat_name(seat)}"
        return ""

    # Pieces that are built or set down

    def why_no_piece(self, kind: str) -> str:
        """Why no house or fort may come here."""
        is_move = self._is_move()
        if is_move and kind == "fort":
            return "a house is being moved; forts do not move (p. 4)"
        if not is_move and not self.player[f"{kind}s_left"]:
            return f"you have no {kind} left (p. 4)"
        if self._piece():
            return f"{self.label} is occupied by {self._piece()}, and a hex holds one piece (p. 6)"
        if self.phase in ("before", "mandatory"):
            why = self._why_not_mandatory()
        elif self.phase == "boom":
            why = "" if self._is_buildable() else self._unbuildable()
        else:
            why = self._why_not_aimed(is_move)
        if why:
            return why
        if self.twist == Twist.IMPASSE and self._has_other_near:
            return f"{self.label} touches another player's piece, which Impasse forbids (p. 16)"
        if self.phase == "boom":
            return f"the extra piece must touch one of your pieces, and {self.label} touches none (p. 16)"
        if is_move:
            return self._not_such(f"the house on {self.turn['lifted']}" if self.turn["lifted"] else "that house")
        return self._why_not_near()

    def _is_buildable(self) -> bool:
        return self.terrain in tables.TERRAIN_NAMES[: layout.N_BUILDABLE]

    def _unbuildable(self) -> str:
        return f"{self.label} is {self.terrain}, and pieces stand on the six card terrains and on ice only (p. 3)"

    def _why_not_mandatory(self) -> str:
        card = self.player["terrain_card"]
        if card is None:
            return "without a terrain card no mandatory piece is built (p. 6)"
        terrains = [self.turn["terrain"] or card]
        if not self.turn["placed"] and self._has_next_terrain():
            names = tables.TERRAIN_NAMES[: layout.N_CARD_TERRAINS]
            terrains.append(names[(names.index(card) + 1) % len(names)])
        if self.terrain in terrains:
            return ""
        return f"{self.label} is {self.terrain}, and the mandatory pieces go on {' or '.join(terrains)} (p. 4)"

    def _has_next_terrain(self) -> bool:
        rows = (row_of(card["card"], self.snapshot) for card in self.player["in_play"] if card["upgraded"])
        return any(row.second == Op.MANDATORY_ON_NEXT_TERRAIN for row in rows)

    def _why_not_near(self) -> str:
        """The rule about own neighbours, which is all that is left."""
        if self.twist == Twist.MOBILITY and self.phase in ("before", "mandatory"):
            return (
                f"a mandatory piece must go within {self.twist_arg} hexes of your pieces while that is possible, and "
                f"{self.label} is farther away (p. 16)"
            )
        return f"a piece must go next to your own pieces while that is possible, and {self.label} touches none (p. 6)"

    # Cards in use

    @cached_property
    def _half(self) -> Half:
        return half_in_use(self.snapshot)

    def _is_move(self) -> bool:
        return self.phase == "move" or (
            self.phase == "follow" and layout.FIRST_MOVE_OP <= self._half[1] <= layout.LAST_MOVE_OP
        )

    def _why_not_aimed(self, is_move: bool) -> str:
        """Why the half in use does not aim at this hex; empty if it does, or if only a list of all its hexes could tell."""
        name, op, arg, words = self._half
        if op == Op.BUILD_ON:
            wanted = tables.TERRAIN_NAMES[arg]
            return "" if self.terrain == wanted else f"{self.label} is {self.terrain}, and {name} says: {words}"
        if not self._is_buildable():
            return self._unbuildable()
        if is_move:
            if op in (Op.MOVE_THROUGH_TUNNEL, Op.MOVE_TO_TUNNEL) and not self._touches("tunnel"):
                return f"{self.label} touches no tunnel, and {name} says: {words}"
            return ""
        return "" if self._is_aimed(op, arg) else f"{self.label} is not such a hex for {name}: {words}"

    def _is_aimed(self, op: Op, arg: int) -> bool:
        """Whether a building half aims at this hex, as far as it could be illegal for another reason."""
        if op == Op.BUILD_ON_CARD_TERRAIN:
            names, card = tables.TERRAIN_NAMES[: layout.N_CARD_TERRAINS], self.player["terrain_card"]
            return card is not None and self.terrain == names[(names.index(card) + arg) % len(names)]
        if op == Op.BUILD_NEXT_TO:
            return self._touches(tables.TERRAIN_NAMES[arg])
        if op == Op.BUILD_ON_EDGE:
            return len(self._around(self.entry, is_whole=True)) < len(NEIGHBOURS) and self.terrain != "ice"
        if op == Op.BUILD_ON_CENTRE_BOARD:
            return bool(self.entry["board"] == layout.CENTRE)
        if op in (Op.BUILD_TOUCHING_EXACTLY, Op.BUILD_TOUCHING_AT_MOST):
            n = self._touched_pieces(self.seat)
            return n == arg if op == Op.BUILD_TOUCHING_EXACTLY else n <= arg
        # The others need no own neighbour, or aim at hexes next to own pieces only: they would be legal, unless Impasse forbids them.
        return self.twist == Twist.IMPASSE and self._has_other_near

    def _not_such(self, house: str) -> str:
        name, _, _, words = self._half
        return f"{name} says: {words}; {self.label} is not such a hex for {house}"

    # Pieces that are lifted

    def why_no_lift(self) -> str:
        """Why the piece here cannot be lifted."""
        piece = self._piece()
        if self.phase == "after" and not any(label.startswith("lift ") for label in self.legal):
            return f"pieces are taken off the board for Salvage only, and the economy is {self.snapshot['economy']} (p. 15)"
        if not piece:
            return f"there is no piece on {self.label}"
        if not piece.startswith("your "):
            return f"on {self.label} is {piece}; choose one of your own"
        if piece == "your fort":
            return f"on {self.label} is a fort, and forts do not move (p. 4)"
        name, op, _, words = self._half
        if op == Op.MOVE_THROUGH_TUNNEL and not self._touches("tunnel"):
            return f"the house on {self.label} touches no tunnel, and {name} says: {words}"
        if op == Op.MOVE_TO_TUNNEL and self._touches("tunnel"):
            return f"the house on {self.label} touches a tunnel, and {name} says: {words}"
        return f"{name} says: {words}; the house on {self.label} has no such hex"


# --- cards ------------------------------------------------------------------------------------------------------------


def _why_no_use(what: str, snapshot: dict[str, Any]) -> str:
    turn, player = snapshot["turn"], snapshot["players"][snapshot["seat"]]
    name, half = (what, HALVES[0]) if what == tables.TUNNEL.name else what.rsplit(" ", 1)
    if snapshot["phase"] in ("triple", "innovate") and name != turn["card"]:
        return f"only {turn['card']} is used now (p. {5 if snapshot['phase'] == 'triple' else 16})"
    if turn["salvaged"]:
        return "no special action follows a salvage (p. 15)"
    if name == tables.TUNNEL.name:
        if player["tunnel_used"] and snapshot["phase"] != "triple":
            return "each card is used once a turn, and Tunnel is used (p. 4)"
        return f"none of your houses can do this: {tables.TUNNEL.first_text} (p. 10)"
    in_play = {entry["card"]: entry for entry in player["in_play"]}
    if name not in in_play:
        return f"{_not_in_play(name, player)} (p. 4)"
    return _why_no_half(half, in_play[name], snapshot)


def _why_no_half(half: str, entry: dict[str, Any], snapshot: dict[str, Any]) -> str:
    """Why a half of a card in play cannot be used."""
    name, row = entry["card"], row_of(entry["card"], snapshot)
    op, words = (row.first, row.first_text) if half == HALVES[0] else (row.second, row.second_text)
    if half == HALVES[1] and not entry["upgraded"]:
        return f"{name} is not upgraded (p. 4)"
    if op == Op.MANDATORY_ON_NEXT_TERRAIN:
        return f"{name} II is used by placing the mandatory pieces (p. 8)"
    if half == HALVES[1] and row.link == Link.THEN:
        return f"{name} II only follows {name} I (p. 8)"
    if half in entry["used_halves"] and snapshot["phase"] in ("before", "after"):
        return f"each card is used once a turn, and {name} is used (p. 4)"
    if layout.FIRST_MOVE_OP <= op <= layout.LAST_MOVE_OP:
        return f"none of your houses can do this: {words} ({row.page})"
    player = snapshot["players"][snapshot["seat"]]
    if not player["houses_left"] + player["forts_left"]:
        return "you have no house and no fort left (p. 4)"
    return f"there is no free hex for this: {words} ({row.page})"


def _not_in_play(name: str, player: dict[str, Any]) -> str:
    return f"{name} is in your hand, not in play" if name in player["hand"] else f"you do not have {name}"


def coins_words(number: int) -> str:
    """A number of coins."""
    return f"{number} coin{'' if number == 1 else 's'}"


def price(name: str, is_upgrade: bool, snapshot: dict[str, Any]) -> int:
    """Coins to acquire or to upgrade a card in this game."""
    row, (twist, less) = row_of(name, snapshot), twist_in_play(snapshot)
    is_cheaper = twist == Twist.ROADS and layout.FIRST_MOVE_OP <= row.first <= layout.LAST_MOVE_OP
    return max(0, (row.upgrade_cost if is_upgrade else row.acquire_cost) - (less if is_cheaper else 0))


def _why_no_purchase(verb: str, name: str, snapshot: dict[str, Any]) -> str:
    player = snapshot["players"][snapshot["seat"]]
    has = f"you have {coins_words(player['coins'])} (p. 5)"
    in_play = {entry["card"]: entry for entry in player["in_play"]}
    if verb == "triple":
        if player["coins"] < layout.TRIPLE_COST:
            return f"to use a card three times costs {layout.TRIPLE_COST}, {has}"
        return f"{_not_in_play(name, player)} (p. 5)"
    if verb == "acquire" and name not in player["hand"]:
        where = f"{name} is in play already" if name in in_play else f"{name} is not in your hand"
        return f"{where} (p. 5)"
    if verb == "upgrade" and name not in in_play:
        return f"{_not_in_play(name, player)} (p. 5)"
    if verb == "upgrade" and in_play[name]["upgraded"]:
        return f"{name} is upgraded already (p. 5)"
    what = f"{name} costs" if verb == "acquire" else f"the upgrade of {name} costs"
    return f"{what} {price(name, verb == 'upgrade', snapshot)}, {has}"
