"""The cards of Dominion, one row per card: what it says. How it is carried out is elsewhere.

``note``: where the rulebook speaks of the card. Costs, types and numbers stand on the printed cards; the public English texts of the first
edition agree. A row's number is the card's number in actions, zones and observations: basic cards first, then the kingdom by name.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from winterkingdom_env.games.dominion.layout import ABOUT, HAND_SIZE, N_CARDS, RULES, Class, Op

TREASURE, VICTORY, ACTION = frozenset({Class.TREASURE}), frozenset({Class.VICTORY}), frozenset({Class.ACTION})
CURSES: frozenset[Class] = frozenset()
ATTACK, REACTION = ACTION | {Class.ATTACK}, ACTION | {Class.REACTION}
COPPER, SILVER, GOLD, ESTATE, DUCHY, PROVINCE, CURSE = range(7)
GARDENS, MOAT = 15, 21
N_BASIC = 7
START = {COPPER: 7, ESTATE: 3}  # the cards that every player begins with
PLAYERS_COLUMNS = ("pile_2", "pile_3", "pile_4")  # by number of players


class Do(NamedTuple):
    """A step of a card; ``what`` is a card or a class."""

    op: Op
    n: int = 0
    what: int = 0


class Card(NamedTuple):
    """One kind of card."""

    name: str
    cost: int
    classes: frozenset[Class]
    points: int  # a Gardens: per ten cards
    cards: int  # +Cards, +Actions, +Buys, +Coins; the coins of a treasure
    actions: int
    buys: int
    coins: int
    first: Do | None  # at most two steps, of which only the last may ask
    second: Do | None
    pile_2: int  # cards in the supply for 2, 3 and 4 players, beside the players' first cards
    pile_3: int
    pile_4: int
    note: str
    text: str


def _treasure(name: str, cost: int, coins: int, piles: tuple[int, int, int]) -> Card:
    return Card(
        name,
        cost,
        TREASURE,
        0,
        0,
        0,
        0,
        coins,
        None,
        None,
        *piles,
        "Voorbereiding",
        f"{coins} coins" if coins > 1 else "1 coin",
    )


def _victory(name: str, cost: int, points: int, note: str, text: str) -> Card:
    return Card(name, cost, VICTORY, points, 0, 0, 0, 0, None, None, 8, 12, 12, note, text)


def _kingdom(
    name: str, cost: int, classes: frozenset[Class], plus: tuple[int, int, int, int], first: Do | None, second: Do | None, note: str, text: str
) -> Card:  # fmt: skip
    return Card(name, cost, classes, 0, *plus, first, second, 10, 10, 10, note, text)


# fmt: off
CARDS = (
    _treasure("Copper", 0, 1, (46, 39, 32)),
    _treasure("Silver", 3, 2, (40, 40, 40)),
    _treasure("Gold", 6, 3, (30, 30, 30)),
    _victory("Estate", 2, 1, "Voorbereiding", "1 point"),
    _victory("Duchy", 5, 3, "Voorbereiding", "3 points"),
    _victory("Province", 8, 6, "Voorbereiding", "6 points"),
    Card("Curse", 0, CURSES, -1, 0, 0, 0, 0, None, None, 10, 20, 30, "Voorbereiding", "-1 point"),
    #        name            cost  classes  +cards, actions, buys, coins  steps
    _kingdom("Adventurer",   6, ACTION,   (0, 0, 0, 0), Do(Op.DIG, 2), None, "Avonturier", "turn over cards until 2 treasures are out, take these"),
    _kingdom("Bureaucrat",   4, ATTACK,   (0, 0, 0, 0), Do(Op.GAIN_ON_DECK, what=SILVER), Do(Op.OTHERS_TOPDECK, what=Class.VICTORY), "Bureaucraat", "gain a Silver on your deck; the others put a victory card on theirs, or show their hand"),
    _kingdom("Cellar",       2, ACTION,   (0, 1, 0, 0), Do(Op.REDRAW), None, "Kelder", "discard any number of cards, draw as many"),
    _kingdom("Chancellor",   3, ACTION,   (0, 0, 0, 2), Do(Op.FLIP_DECK), None, "Raadsheer", "you may put your deck into your discard pile"),
    _kingdom("Chapel",       2, ACTION,   (0, 0, 0, 0), Do(Op.TRASH_UP_TO, 4), None, "Kapel", "trash up to 4 cards"),
    _kingdom("Council Room", 5, ACTION,   (4, 0, 1, 0), Do(Op.OTHERS_DRAW, 1), None, "Raadszaal", "the others draw a card"),
    _kingdom("Feast",        4, ACTION,   (0, 0, 0, 0), Do(Op.TRASH_SELF), Do(Op.GAIN_UP_TO, 5), "Feest", "trash this, gain a card that costs up to 5"),
    _kingdom("Festival",     5, ACTION,   (0, 2, 1, 2), None, None, "Festival", ""),
    _victory("Gardens",      4, 1, "Tuinen", "1 point per 10 cards that you own"),
    _kingdom("Laboratory",   5, ACTION,   (2, 1, 0, 0), None, None, "Laboratorium", ""),
    _kingdom("Library",      5, ACTION,   (0, 0, 0, 0), Do(Op.DRAW_TO, 7), None, "Bibliotheek", "draw up to 7 cards in hand; action cards may be set aside"),
    _kingdom("Market",       5, ACTION,   (1, 1, 1, 1), None, None, "Markt", ""),
    _kingdom("Militia",      4, ATTACK,   (0, 0, 0, 2), Do(Op.OTHERS_DISCARD_TO, 3), None, "Militie", "the others discard down to 3 cards"),
    _kingdom("Mine",         5, ACTION,   (0, 0, 0, 0), Do(Op.EXCHANGE_IN_HAND, 3, Class.TREASURE), None, "Mijn", "trash a treasure, gain one that costs up to 3 more into your hand"),
    _kingdom("Moat",         2, REACTION, (2, 0, 0, 0), None, None, "Slotgracht", "show it when another plays an attack: you are not affected"),
    _kingdom("Moneylender",  4, ACTION,   (0, 0, 0, 0), Do(Op.TRASH_FOR_COINS, 3, COPPER), None, "Geldschieter", "trash a Copper for 3 coins"),
    _kingdom("Remodel",      4, ACTION,   (0, 0, 0, 0), Do(Op.EXCHANGE, 2, Class.ANY), None, "Verbouwing", "trash a card, gain one that costs up to 2 more"),
    _kingdom("Smithy",       4, ACTION,   (3, 0, 0, 0), None, None, "Smidse", ""),
    _kingdom("Spy",          4, ATTACK,   (1, 1, 0, 0), Do(Op.ALL_SHOW_TOP), None, "Spion", "all show the top card of their deck; you decide whether it is discarded"),
    _kingdom("Thief",        4, ATTACK,   (0, 0, 0, 0), Do(Op.OTHERS_SHOW, 2), None, "Dief", "the others show 2 cards; you trash a treasure of each, and may gain these"),
    _kingdom("Throne Room",  4, ACTION,   (0, 0, 0, 0), Do(Op.PLAY_TWICE), None, "Troonzaal", "play an action card from your hand twice"),
    _kingdom("Village",      3, ACTION,   (1, 2, 0, 0), None, None, "Dorp", ""),
    _kingdom("Witch",        5, ATTACK,   (2, 0, 0, 0), Do(Op.OTHERS_GAIN, what=CURSE), None, "Heks", "the others gain a Curse"),
    _kingdom("Woodcutter",   3, ACTION,   (0, 0, 1, 2), None, None, "Houthakker", ""),
    _kingdom("Workshop",     3, ACTION,   (0, 0, 0, 0), Do(Op.GAIN_UP_TO, 4), None, "Werkplaats", "gain a card that costs up to 4"),
)
# fmt: on
NAMES = tuple(card.name for card in CARDS)
KINGDOM = tuple(range(N_BASIC, N_CARDS))

KINGDOMS = {  # Aanbevolen combinaties
    "first_game": ("Cellar", "Market", "Militia", "Mine", "Moat", "Remodel", "Smithy", "Village", "Woodcutter", "Workshop"),
    "big_money": ("Adventurer", "Bureaucrat", "Chancellor", "Chapel", "Feast", "Laboratory", "Market", "Mine", "Moneylender", "Throne Room"),
    "interaction": ("Bureaucrat", "Chancellor", "Council Room", "Festival", "Library", "Militia", "Moat", "Spy", "Thief", "Village"),
    "size_distortion": ("Cellar", "Chapel", "Feast", "Gardens", "Laboratory", "Thief", "Village", "Witch", "Woodcutter", "Workshop"),
    "village_square": ("Bureaucrat", "Cellar", "Festival", "Library", "Market", "Remodel", "Smithy", "Throne Room", "Village", "Woodcutter"),
}  # fmt: skip


def class_bits(kind: Class) -> int:
    """The cards of a class, a bit each."""
    return sum(1 << i for i, card in enumerate(CARDS) if kind == Class.ANY or kind in card.classes)


# What a network is told of a card's steps: columns of ABOUT, and what the step adds to each, a constant and a multiple of its n.
STEP_ABOUT: dict[Op, dict[str, tuple[float, float]]] = {
    Op.TRASH_SELF: {"goes": (1, 0)},
    Op.TRASH_FOR_COINS: {"trashes": (1 / 4, 0), "coins": (0, 1 / 3)},
    Op.DIG: {"cards": (0, 1 / 3), "sorts": (1, 0)},
    Op.OTHERS_GAIN: {"curses": (1, 0)},
    Op.GAIN_ON_DECK: {"gains": (3 / 5, 0)},
    Op.REDRAW: {"sorts": (1, 0)},
    Op.TRASH_UP_TO: {"trashes": (0, 1 / 4)},
    Op.FLIP_DECK: {"sorts": (1, 0)},
    Op.GAIN_UP_TO: {"gains": (0, 1 / 5)},
    Op.EXCHANGE: {"trashes": (1 / 4, 0), "gains": (0, 1 / 5)},
    Op.EXCHANGE_IN_HAND: {"trashes": (1 / 4, 0), "gains": (0, 1 / 5)},
    Op.PLAY_TWICE: {"doubles": (1, 0)},
    Op.DRAW_TO: {"cards": ((1 - HAND_SIZE) / 3, 1 / 3)},
    Op.OTHERS_DISCARD_TO: {"makes_discard": (1, 0)},
}


def about(card: Card) -> tuple[float, ...]:
    """What a network is told of a card, scaled to about 1, in the order of ABOUT."""
    found = dict.fromkeys(ABOUT, 0.0)
    found |= {
        "points": card.points / 6,
        "cards": card.cards / 3,
        "actions": card.actions / 2,
        "buys": float(card.buys),
        "coins": card.coins / 3,
    }
    for kind in (Class.TREASURE, Class.VICTORY, Class.ACTION, Class.ATTACK, Class.REACTION):
        found[f"is_{kind.name.lower()}"] = float(kind in card.classes)
    found["is_terminal"] = float(Class.ACTION in card.classes and not card.actions)
    for step in filter(None, (card.first, card.second)):
        for name, (constant, per_n) in STEP_ABOUT.get(step.op, {}).items():
            found[name] += constant + per_n * step.n
    return tuple(found[name] for name in ABOUT)


def make_rules() -> np.ndarray:
    """The RULES record, an array of length 1."""
    rules = np.zeros(1, RULES)
    rules["class_bits"] = [class_bits(kind) for kind in Class]
    for name in ("cards", "actions", "buys", "coins", "points"):
        rules[name] = [getattr(card, name) for card in CARDS]
    for i, card in enumerate(CARDS):
        for k, step in enumerate((card.first, card.second)):
            for name in ("op", "n", "what"):
                rules[name][0, i, k] = 0 if step is None else getattr(step, name)
    rules["about"] = [about(card) for card in CARDS]
    return rules
