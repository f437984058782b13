"""What a seat should see, from the snapshot, the labels of what is legal and the card tables only: never from a kernel or its words."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

import numpy as np

from winterkingdom_env.games import winter_kingdom as wk
from winterkingdom_env.games.winter_kingdom import tables
from winterkingdom_env.games.winter_kingdom.house import cards_of

SEATS = 4
PHASES = (
    "before", "mandatory", "boom", "after", "build", "lift", "move", "follow", "triple", "innovate", "wolves", "over",
)  # fmt: skip
IN_USE = ("build", "lift", "move", "follow")
NEIGHBOURS = ((0, 1), (0, -1), (1, 0), (-1, 0), (1, -1), (-1, 1))
CARDS = [card.name for card in tables.CARDS]
ABILITIES = CARDS[:-1]
CARD_TERRAINS = tables.TERRAIN_NAMES[:6]
# The fields as they stand in the vector.
ORDER = (
    "coins", "houses_left", "forts_left", "n_hand", "in_play", "upgraded", "hand", "used", "sheet", "n_players", "seat",
    "mover", "phase", "back", "card", "half", "uses_left", "n_placed", "built", "salvaged", "round",
    "bound_terrain", "own_terrain_card", "mover_terrain_card", "discards", "n_draw", "scoring", "economy", "twist", "direction",
    "cost_changes", "points_changes", "threshold_changes", "coins_change", "twist_change",
)  # fmt: skip


class Follower:
    """A game, and what its snapshot does not tell: where the use in progress began, and which house it brought where."""

    def __init__(self, game: wk.Game) -> None:
        self.game = game
        self.land = land_planes(game.snapshot()["hexes"])
        self.back: str | None = None
        self.lifted: str | None = None
        self.came_to: str | None = None
        self.left: str | None = None

    def apply(self, action: int) -> None:
        """Carry out an action, and draw from its label and the phases around it what is to be remembered."""
        before = self.game.phase
        verb, _, what = self.game.label(action).partition(" ")
        self.game.apply(action)
        after = self.game.phase
        if verb == "use":
            self.back = before
        if after not in IN_USE:
            self.back = None
        is_offered = after == "follow"  # by the house that just came, from the supply or from where it was lifted
        self.came_to, self.left = (what, self.lifted) if is_offered else (None, None)
        self.lifted = what if after == "move" else None


def land_planes(hexes: list[dict[str, Any]]) -> dict[str, set[str]]:
    """Planes that never change during a game."""
    places = {(entry["row"], entry["col"]) for entry in hexes}
    planes = {
        name.replace(" ", "_"): {entry["hex"] for entry in hexes if entry["terrain"] == name}
        for name in tables.TERRAIN_NAMES
    }
    for board in range(7):
        planes[f"board_{board}"] = {entry["hex"] for entry in hexes if entry["board"] == board}
    planes["edge"] = {
        entry["hex"]
        for entry in hexes
        if any((entry["row"] + row, entry["col"] + col) not in places for row, col in NEIGHBOURS)
    }
    return planes


def players_seen(table: dict[str, Any], seat: int) -> list[dict[str, Any] | None]:
    """The players in the order of a seat that looks; None where nobody sits."""
    players = table["players"][seat:] + table["players"][:seat]
    return players + [None] * (SEATS - len(players))


def is_asked(table: dict[str, Any], seat: int) -> bool:
    return table["seat"] == seat and table["phase"] != "over"


def some(label: str | None) -> set[str]:
    return set() if label is None else {label}


def expected_planes(watched: Follower, table: dict[str, Any], seat: int) -> dict[str, set[str]]:
    """Labels of the hexes in every plane."""
    labels = [watched.game.label(action) for action in watched.game.legal_actions()] if is_asked(table, seat) else []
    pieces = {
        f"{kind}_{i}": set(player[kind]) if player else set()
        for kind in ("houses", "forts")
        for i, player in enumerate(players_seen(table, seat))
    }
    return {
        **pieces,
        **watched.land,
        "top_board": watched.land[f"board_{table['top_board']}"],
        "bottom_board": watched.land[f"board_{table['bottom_board']}"],
        **{
            f"legal_{verb}": {label.split()[1] for label in labels if label.startswith(f"{verb} ")}
            for verb in ("house", "fort", "lift")
        },
        "placed": set(table["turn"]["placed"]),
        "lifted": some(table["turn"]["lifted"]),
        "came_to": some(watched.came_to),
        "left": some(watched.left),
    }


def numbers(values: Iterable[int], scale: int) -> list[float]:
    return [float(np.float32(value / scale)) for value in values]


def bits(names: Sequence[str], there: Iterable[str]) -> list[float]:
    there = set(there)
    assert there <= set(names)
    return [float(name in there) for name in names]


def choice(names: Sequence[Any], name: Any) -> list[float]:
    assert name is None or name in names
    return [float(name is not None and other == name) for other in names]


def seat_fields(
    players: list[dict[str, Any] | None], sheets: list[dict[str, int]], scoring: list[str]
) -> dict[str, list[float]]:
    """Fields that every seat has, the observer's first."""
    taken = [player for player in players if player]
    empty = [0] * (SEATS - len(taken))
    in_play = [["Tunnel", *(card["card"] for card in player["in_play"])] for player in taken]
    upgraded = [[card["card"] for card in player["in_play"] if card["upgraded"]] for player in taken]
    points = [sheet[name] for sheet in sheets for name in (*scoring, "Castles")]
    return {
        "coins": numbers([player["coins"] for player in taken] + empty, 10),
        "houses_left": numbers([player["houses_left"] for player in taken] + empty, 32),
        "forts_left": numbers([player["forts_left"] for player in taken] + empty, 4),
        "n_hand": numbers([len(player["hand"]) for player in taken] + empty, 5),
        "in_play": [bit for cards in in_play + [[] for _ in empty] for bit in bits(CARDS, cards)],
        "upgraded": [bit for cards in upgraded + [[] for _ in empty] for bit in bits(ABILITIES, cards)],
        "hand": bits(ABILITIES, taken[0]["hand"]),
        "sheet": numbers(points + empty * 4, 20),
    }


def turn_fields(watched: Follower, table: dict[str, Any], seat: int) -> dict[str, list[float]]:
    """Fields of the turn in progress."""
    turn, n_players = table["turn"], len(table["players"])
    mover = table["players"][table["seat"]]
    halves = {
        half: [card["card"] for card in mover["in_play"] if half in card["used_halves"]]
        + ["Tunnel"] * (half == "I" and mover["tunnel_used"])
        for half in ("I", "II")
    }
    is_over = table["phase"] == "over"
    return {
        "used": bits(CARDS, halves["I"]) + bits(CARDS, halves["II"]),
        "mover": choice(range(SEATS), None if is_over else (table["seat"] - seat) % n_players),
        "phase": choice(PHASES, table["phase"]),
        "back": choice(PHASES, watched.back),
        "card": choice(CARDS, turn["card"]),
        "half": choice(("I", "II"), turn["half"]),
        "uses_left": numbers([turn["uses_left"]], 3),
        "n_placed": numbers([len(turn["placed"])], 3),
        "built": numbers([turn["built"]], 10),
        "salvaged": [float(turn["salvaged"])],
        "round": numbers([table["round"]], 20),
        "bound_terrain": choice(CARD_TERRAINS, turn["terrain"]),
        "mover_terrain_card": choice(CARD_TERRAINS, None if is_over else mover["terrain_card"]),
    }


def change_fields(table: dict[str, Any]) -> dict[str, list[float]]:
    """By how much house rules change the numbers of cards."""
    cards, usual = cards_of(table.get("house_rules", "")), tables.PRINTED
    scoring = [i for name in table["scoring"] for i, card in enumerate(usual.scorings) if card.name == name]
    economy = [i for i, card in enumerate(usual.economies) if card.name == table["economy"]]
    twist = [i for i, card in enumerate(usual.twists) if card.name == table["twist"]]
    pairs = [(cards.scorings[i], usual.scorings[i]) for i in scoring]
    costs = [
        getattr(card, name) - getattr(printed, name)
        for name in ("acquire_cost", "upgrade_cost")
        for card, printed in zip(cards.abilities, usual.abilities, strict=True)
    ]
    return {
        "cost_changes": numbers(costs, 2),
        "points_changes": numbers([card.points - printed.points for card, printed in pairs], 2),
        "threshold_changes": numbers(
            [
                card.arg - printed.arg
                if card.measure == printed.measure and card.measure.name in ("IN_LARGEST_GROUP", "BOARDS_WITH")
                else 0
                for card, printed in pairs
            ],
            2,
        ),
        "coins_change": numbers([cards.economies[i].coins - usual.economies[i].coins for i in economy], 2),
        "twist_change": numbers([cards.twists[i].arg - usual.twists[i].arg for i in twist] or [0], 2),
    }


def expected_fields(watched: Follower, table: dict[str, Any], seat: int) -> dict[str, list[float]]:
    """Entries of the vector, field by field, in the order of the vector."""
    sheets = watched.game.score_sheet()
    fields = {
        **seat_fields(players_seen(table, seat), sheets[seat:] + sheets[:seat], table["scoring"]),
        **turn_fields(watched, table, seat),
        "n_players": choice((2, 3, 4), len(table["players"])),
        "seat": choice(range(SEATS), seat),
        "own_terrain_card": choice(CARD_TERRAINS, table["players"][seat]["terrain_card"]),
        "discards": numbers([table["discard_pile"].count(name) for name in CARD_TERRAINS], 5),
        "n_draw": numbers([len(table["draw_pile"])], 30),
        "scoring": [bit for name in table["scoring"] for bit in choice([card.name for card in tables.SCORINGS], name)],
        "economy": choice([card.name for card in tables.ECONOMIES], table["economy"]),
        "twist": choice([card.name for card in tables.TWISTS], table["twist"]),
        "direction": choice(("row", "column", "diagonal"), table["direction"]),
        **change_fields(table),
    }
    assert set(fields) == set(ORDER)
    return {name: fields[name] for name in ORDER}
