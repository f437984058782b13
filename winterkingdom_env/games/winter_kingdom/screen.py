"""Winter Kingdom for somebody who plays at a terminal: a compact board, numbers per seat, cards with their words and prices."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from functools import lru_cache
from typing import Any

from winterkingdom_env.core.drawing import DIM, HEAD, SEAT_LETTERS, SEAT_STYLES, style_on
from winterkingdom_env.core.picture import Card, Look, Screen, Span, Words, is_seat
from winterkingdom_env.games.winter_kingdom import layout
from winterkingdom_env.games.winter_kingdom.explain import coins_words
from winterkingdom_env.games.winter_kingdom.house import cards_of, changed
from winterkingdom_env.games.winter_kingdom.layout import Link, Measure, Twist
from winterkingdom_env.games.winter_kingdom.picture_text import (
    COLOURS,
    LETTERS,
    board,
    card_name,
    played_by,
    sees_hand,
    terrain_card,
)
from winterkingdom_env.games.winter_kingdom.tables import TERRAIN_NAMES, TUNNEL, Ability
from winterkingdom_env.games.winter_kingdom.why import instruction, why

LINKS = {Link.OR: "or", Link.THEN: "then", Link.AND: "and"}


@lru_cache(maxsize=8)
def abilities(house_rules: str, twist: str | None) -> dict[str, Ability]:
    """The ability cards by name, with the prices of this game: house rules and Roads change them."""
    cards = cards_of(house_rules)
    less = sum(card.arg for card in cards.twists if card.name == twist and card.twist == Twist.ROADS)
    found = {TUNNEL.name: TUNNEL}
    for card in cards.abilities:
        off = less if layout.FIRST_MOVE_OP <= card.first <= layout.LAST_MOVE_OP else 0
        prices = max(0, card.acquire_cost - off), max(0, card.upgrade_cost - off)
        change = changed(house_rules, "ability", card.name)
        words = f"{card.first_text} [house rules: {change}]" if change else card.first_text
        found[card.name] = card._replace(acquire_cost=prices[0], upgrade_cost=prices[1], first_text=words)
    return found


def card_words(card: Ability) -> str:
    """Both halves of a card."""
    if card.link not in LINKS:
        return card.first_text
    return f"{card.first_text}; upgraded, {LINKS[card.link]} {card.second_text}"


# --- notes ------------------------------------------------------------------------------------------------------------

DONE = {
    "before": "build nothing",
    "boom": "no extra piece",
    "after": "end the turn without a purchase",
    "follow": "leave it at that",
    "triple": "give up the uses that are left",
    "innovate": "do not use it",
}


def _note(label: str, snapshot: Mapping[str, Any], cards: Mapping[str, Ability]) -> str:
    """What a legal action that is about no hex does and costs."""
    verb, _, name = label.partition(" ")
    if verb == "done":
        return DONE.get(snapshot["phase"], "")
    if verb == "use":
        name, half = (name, "I") if name in cards else name.rsplit(" ", 1)
        card = cards[name]
        return card.second_text if half == "II" else card.first_text
    card = cards[name]
    if verb == "acquire":
        return f"{coins_words(card.acquire_cost)}: {card_words(card)}"
    if verb == "upgrade":
        return f"{coins_words(card.upgrade_cost)}: {LINKS.get(card.link, '')} {card.second_text}"
    return f"{coins_words(layout.TRIPLE_COST)}: use it up to {layout.TRIPLE_USES} times now"


# --- cards ------------------------------------------------------------------------------------------------------------


def _price(card: Ability) -> str:
    """What it costs to acquire and to upgrade."""
    return f"{card.acquire_cost} + {card.upgrade_cost}" if card.link in LINKS else ""


def _listed(snapshot: Mapping[str, Any], viewer: int | None, cards: Mapping[str, Ability]) -> Iterator[Card]:
    """Every card that matters to the viewer: its hand first, then what each seat has in play, then what all play by."""
    seats = [*enumerate(snapshot["players"])]
    for seat, player in seats:
        if sees_hand(viewer, seat):
            where = "hand" if viewer is not None else f"hand {SEAT_LETTERS[seat]}"
            yield from (Card(where, name, _price(cards[name]), card_words(cards[name])) for name in player["hand"])
    for seat, player in seats:
        for card in player["in_play"]:
            row, name = cards[card["card"]], card_name(card)
            price = "" if card["upgraded"] else f"+ {row.upgrade_cost}"
            yield Card(f"in play {SEAT_LETTERS[seat]}", name, price, card_words(row))
    yield Card("everybody", TUNNEL.name, "", TUNNEL.first_text)
    yield from (Card(kind, name or "none", "", words) for kind, name, words in played_by(snapshot))
    numbers = (("top", snapshot["top_board"]), ("bottom", snapshot["bottom_board"]), ("centre", layout.CENTRE))
    yield from (Card("boards", f"{place} board", "", _extent(snapshot, number)) for place, number in numbers)
    yield Card("boards", "", "", "top and bottom are drawn at set-up; they are names, not directions on the screen")
    for card_row in cards_of(snapshot.get("house_rules", "")).scorings:
        if card_row.name in snapshot["scoring"] and card_row.measure == Measure.BEST_ROW:
            yield Card("direction", card_row.name, "", f"count along a line {DIRECTIONS[snapshot['direction']]}")


# The agreed directions as somebody sees them on the screen, with two neighbours.
DIRECTIONS = {
    "row": "from left to right, as r13c13 r13c14",
    "column": "down and to the right, as r13c13 r14c13",
    "diagonal": "down and to the left, as r13c13 r14c12",
}


def _extent(snapshot: Mapping[str, Any], number: int) -> str:
    """Rows, columns and middle of a board, which lists its hexes by row and column."""
    hexes = [place for place in snapshot["hexes"] if place["board"] == number]
    rows, columns = [place["row"] for place in hexes], [place["col"] for place in hexes]
    middle = hexes[len(hexes) // 2]["hex"]
    return f"rows {min(rows)}-{max(rows)}, columns {min(columns)}-{max(columns)}, a hexagon around {middle}"


# --- panel ------------------------------------------------------------------------------------------------------------


def _counts(snapshot: Mapping[str, Any], viewer: int | None) -> tuple[tuple[str, tuple[str, ...]], ...]:
    players = snapshot["players"]
    rows = (("coins", "coins"), ("houses", "houses_left"), ("forts", "forts_left"))
    terrains = [terrain_card(snapshot, seat, viewer) for seat in range(len(players))]
    return (
        *((name, tuple(str(player[key]) for player in players)) for name, key in rows),
        ("terrain", tuple(LETTERS.get(name or "", "-" if name is None else "?") for name in terrains)),
    )


def _ending(snapshot: Mapping[str, Any]) -> Iterator[Words]:
    """p. 7: the round in which a supply is empty is the last one. Supplies are public."""
    if snapshot["phase"] == "over":
        return
    left = [player["houses_left"] + player["forts_left"] for player in snapshot["players"]]
    if not min(left):
        yield Span("this is the last round", HEAD)
        return
    # A seat before the one to move has had its turn; the others may build three pieces and one per card.
    near = [
        SEAT_LETTERS[seat]
        for seat, player in enumerate(snapshot["players"])
        if seat >= snapshot["seat"] and left[seat] <= layout.MANDATORY_PIECES + len(player["in_play"])
    ]
    if near:
        yield Span(f"may be the last round: few pieces left of {' and '.join(near)}", HEAD)


def _facts(snapshot: Mapping[str, Any], viewer: int | None, cards: Mapping[str, Ability]) -> Iterator[Words]:
    """Whether the game may end, the viewer's hand and cards in play, those of the others, and the cards that all play by."""
    yield from _ending(snapshot)
    if is_seat(viewer):
        hand = (f"{name} {cards[name].acquire_cost}" for name in snapshot["players"][viewer]["hand"])
        yield Span("hand: "), Span(", ".join(hand) or "none", DIM)
    for seat, player in sorted(enumerate(snapshot["players"]), key=lambda entry: entry[0] != viewer):
        names = [card_name(card) for card in player["in_play"]]
        if player["tunnel_used"]:
            names.append("Tunnel (used)")
        if names or seat == viewer:
            whose = " you have" if seat == viewer else " has"
            yield Span(SEAT_LETTERS[seat], SEAT_STYLES[seat]), Span(f"{whose} {', '.join(names) or 'Tunnel'}")
    yield Span("rules: "), Span(", ".join(filter(None, (snapshot["economy"], snapshot["twist"]))), DIM)


# The words of the legend: the capital is the letter on the board.
LEGEND = ("feLl", "Tundra", "Flower", "Grass", "Snow", "W forest", "Ice", "Mountain", "tUnnel", "Village", "Castle")


def _legend() -> tuple[Span, ...]:
    words = ((Span(word, style_on(COLOURS[name])), Span(" ")) for word, name in zip(LEGEND, TERRAIN_NAMES, strict=True))
    return tuple(span for pair in words for span in pair)[:-1]


def _marks(snapshot: Mapping[str, Any]) -> tuple[tuple[str, str], ...]:
    letters = [SEAT_LETTERS[seat] for seat in range(len(snapshot["players"]))]
    return (
        (" ".join(letters), "a house of this seat"),
        (" ".join(letters).upper(), f"a fort: counts as {layout.FORT_VALUE} houses, and never moves"),
        ("a^", "the house that is being moved"),
        ("Mine+", "the card is upgraded"),
        *((LETTERS[name], name) for name in TERRAIN_NAMES),
    )


def _place_notes(snapshot: Mapping[str, Any], legal: Sequence[str]) -> dict[str, str]:
    """Forts among the pieces that can be chosen."""
    forts = {name for player in snapshot["players"] for name in player["forts"]}
    return {label: "fort" for label in legal if label.startswith("lift ") and label.partition(" ")[2] in forts}


def screen(snapshot: dict[str, Any], look: Look) -> Screen:
    """A position for somebody who plays at a terminal."""
    cards = abilities(snapshot.get("house_rules", ""), snapshot["twist"])
    plain = (label for label in look.legal if label.partition(" ")[0] not in ("house", "fort", "lift"))
    return Screen(
        board(snapshot, Look(look.viewer)),
        instruction(snapshot, look.legal),
        _counts(snapshot, look.viewer),
        tuple(_facts(snapshot, look.viewer, cards)),
        tuple(_listed(snapshot, look.viewer, cards)),
        {label: _note(label, snapshot, cards) for label in plain} | _place_notes(snapshot, look.legal),
        _legend(),
        _marks(snapshot),
        why(snapshot, look.legal),
    )
