"""Positions of the reference alone, with the cards as printed or with overridden rows.

``drawn`` takes the drawings of position.py; a star behind a word marks a hex that a test asks about:

    game, stars = drawn("T* Ta T*  T", override("abilities", "Farm", first=Op.MOVE_ONE))
"""

from __future__ import annotations

from typing import Any

from tests.winter_kingdom.position import read_drawing
from winterkingdom_env.games.winter_kingdom.tables import PRINTED, Cards
from winterkingdom_env.reference.winter_kingdom import ReferenceGame
from winterkingdom_env.reference.winter_kingdom.grid import BOARD_OF, HEX_OF, LABELS, PLACES
from winterkingdom_env.reference.winter_kingdom.state import CardInPlay


def make_game(
    terrain: dict[str, str] | None = None, rest: str = "mountain", cards: Cards | None = None, **changes: Any
) -> ReferenceGame:
    """A game of two on land that is ``rest`` but for the hexes named; seat 0 holds tundra."""
    terrain = terrain or {}
    hexes = [
        {"hex": label, "row": row, "col": col, "terrain": terrain.get(label, rest), "board": board}
        for label, (row, col), board in zip(LABELS, PLACES, BOARD_OF, strict=True)
    ]
    setup = {
        "num_players": 2, "hexes": hexes, "scoring": ["Knights", "Loners", "Miners"], "economy": "Exports",
        "twist": None, "top_board": 1, "bottom_board": 4, "direction": "row",
        "hands": [["Sawmill", "Mine", "Mule", "Sleigh", "Port"], ["Farm", "Horse", "Guide", "Tower", "Wagon"]],
        "terrain_cards": ["tundra", "tundra"], "draw_pile": ["tundra"] * 4, "discard_pile": [], "rng": 1,
    }  # fmt: skip
    return ReferenceGame({**setup, **changes}, cards)


def put(game: ReferenceGame, seat: int, *labels: str, kind: str = "house") -> None:
    """Pieces on the board before the game goes on."""
    for label in labels:
        game.position.put(seat, HEX_OF[label], kind)


def own(game: ReferenceGame, card: str, upgraded: bool = False) -> None:
    """A card comes into play for the seat to move."""
    game.player.hand.discard(card)
    game.player.in_play[card] = CardInPlay(upgraded)


def hexes(game: ReferenceGame, verb: str) -> set[str]:
    """The hexes of one verb among the legal actions."""
    return {label.split()[1] for label in game.legal_labels() if label.startswith(verb + " ")}


def play(game: ReferenceGame, *labels: str) -> ReferenceGame:
    """Carry out actions one after the other."""
    for label in labels:
        game.apply(label)
    return game


def override(group: str, name: str, cards: Cards = PRINTED, **changes: Any) -> Cards:
    """``cards`` with other values in one row of "abilities", "scorings", "economies" or "twists"."""
    rows = getattr(cards, group)
    assert name in [row.name for row in rows]
    return cards._replace(**{group: tuple(row._replace(**changes) if row.name == name else row for row in rows)})


def drawn(
    drawing: str,
    cards: Cards,
    *in_play: str,
    at: str = "r11c11",
    rest: str = "castle",
    phase: str = "before",
    **changes: Any,
) -> tuple[ReferenceGame, set[str]]:
    """A drawn position, with cards in play (a ``+`` behind the name: upgraded), and the hexes with a star."""
    plain = drawing.replace("*", "")
    terrain, pieces = read_drawing(plain, at)
    game = make_game(terrain, rest, cards, **changes)
    for place, seat, kind in pieces:
        put(game, seat, place, kind=kind)
    for name in in_play:
        own(game, name.rstrip("+"), name.endswith("+"))
    game.phase = phase
    lines = [line.split() for line in drawing.splitlines() if line.strip()]
    row, col = int(at[1:3]), int(at[4:6])
    starred = [(i, j) for i, words in enumerate(lines) for j, word in enumerate(words) if word.endswith("*")]
    return game, {f"r{row + i:02d}c{col + j:02d}" for i, j in starred}
