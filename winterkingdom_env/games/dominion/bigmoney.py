"""The Big Money family: players that buy by a list of wishes. They are the usual yardstick for Dominion agents.

On each buy they take the first card of their list that the supply has and they can pay for. They play an action card whenever they hold one.
The kernel ``choose`` plays for a seat from what that seat may know, so it serves agents, batches and benchmarks alike.
"""

from __future__ import annotations

from enum import IntEnum
from typing import NamedTuple

import numpy as np

from winterkingdom_env.core._jit import kernel
from winterkingdom_env.core.bits import first_bit
from winterkingdom_env.core.counts import count_of, kinds_of, size_of
from winterkingdom_env.games.dominion.effects import gains
from winterkingdom_env.games.dominion.layout import (
    DONE,
    MOST_COST,
    N_CARDS,
    N_TREASURES,
    NONE,
    YES,
    Class,
    Phase,
    Verb,
)
from winterkingdom_env.games.dominion.observe import to_end
from winterkingdom_env.games.dominion.scoring import money, n_owned, owned
from winterkingdom_env.games.dominion.tables import (
    COPPER,
    CURSE,
    DUCHY,
    ESTATE,
    GOLD,
    KINGDOM,
    MOAT,
    NAMES,
    PROVINCE,
    SILVER,
)
from winterkingdom_env.games.dominion.zones import is_of

I64, U64 = np.int64, np.uint64
CHAPEL, SMITHY, WITCH = (NAMES.index(name) for name in ("Chapel", "Smithy", "Witch"))
MOST_WISHES = 12
FEW_COINS = 6  # worth of treasures below which no Copper is trashed
THREE_CARDS = 3  # that Militia leaves
SECOND_SMITHY = 16  # cards owned from which BigSmithy wants a second Smithy


class When(IntEnum):
    """The condition of a wish; n is its number."""

    ALWAYS = 0
    OWNS_FEWER = 1  # than n of this card
    COINS_ARE = 2
    MONEY_ABOVE = 3  # the worth of the treasures owned
    PROVINCES_BELOW = 4
    END_WITHIN = 5  # Provinces, or the cards in the three smallest piles, are at most n
    OWNS_GOLD = 6
    PER_TREASURES = 7  # owns fewer than a n-th of its treasures
    BIG_SMITHY = 8  # owns none, or one and many cards


class Wish(NamedTuple):
    """A card to buy, and when."""

    card: int
    when: When = When.ALWAYS
    n: int = 0


_WITCHES = (
    Wish(DUCHY, When.END_WITHIN, 5),
    Wish(ESTATE, When.END_WITHIN, 2),
    Wish(GOLD),
    Wish(SILVER),
)
PLAYERS = {
    "BM": (Wish(PROVINCE), Wish(GOLD), Wish(SILVER)),
    "BMS": (Wish(PROVINCE), Wish(GOLD), Wish(SMITHY, When.COINS_ARE, 4), Wish(SILVER)),
    "BMD": (
        Wish(PROVINCE), Wish(DUCHY, When.PROVINCES_BELOW, 8), Wish(GOLD), Wish(SILVER), Wish(ESTATE, When.PROVINCES_BELOW, 3),
    ),
    "BMU": (  # pyminion's BigMoneyUltimate
        Wish(PROVINCE, When.MONEY_ABOVE, 15), Wish(DUCHY, When.PROVINCES_BELOW, 5), Wish(ESTATE, When.PROVINCES_BELOW, 3), Wish(GOLD),
        Wish(DUCHY, When.PROVINCES_BELOW, 7), Wish(SMITHY, When.PER_TREASURES, 11), Wish(SILVER),
    ),
    "WW": (  # dominiate's BigMoney
        Wish(PROVINCE, When.MONEY_ABOVE, 18), Wish(DUCHY, When.END_WITHIN, 4), Wish(ESTATE, When.END_WITHIN, 2), Wish(GOLD),
        Wish(DUCHY, When.END_WITHIN, 6), Wish(SILVER),
    ),
    "W1": (Wish(PROVINCE, When.OWNS_GOLD), Wish(WITCH, When.OWNS_FEWER, 1), *_WITCHES),  # dominiate's SingleWitch
    "W2": (Wish(PROVINCE, When.OWNS_GOLD), Wish(WITCH, When.OWNS_FEWER, 2), *_WITCHES),
    "BigSmithy": (
        Wish(PROVINCE), Wish(DUCHY, When.END_WITHIN, 5), Wish(ESTATE, When.END_WITHIN, 2), Wish(GOLD), Wish(SMITHY, When.BIG_SMITHY), Wish(SILVER),
    ),
}  # fmt: skip


def wishes_of(rule: str = "BM", cards: str = "", n: int = 1) -> tuple[Wish, ...]:
    """The wishes of a player: those of ``rule``, and after Province (Chapel: after Gold) up to ``n`` of each card of ``cards``.

    Raises ValueError, saying what there is, if a name is unknown.
    """
    rules = {name.casefold(): wishes for name, wishes in PLAYERS.items()}
    if rule.casefold() not in rules:
        raise ValueError(f"rule={rule!r} is not a player; there are: {', '.join(PLAYERS)}")
    if not 1 <= n <= 10:
        raise ValueError(f"n={n}: 1 to 10 copies of a card are possible")
    wishes = list(rules[rule.casefold()])
    names = {NAMES[card].casefold(): card for card in KINGDOM}
    for name in filter(None, (part.strip() for part in cards.split("+"))):
        if name.casefold() not in names:
            raise ValueError(
                f"cards={cards!r}: {name!r} is not a kingdom card; name some with + between, as Smithy+Market"
            )
        card = names[name.casefold()]
        before = GOLD if card == CHAPEL else PROVINCE
        place = 1 + max((i for i, wish in enumerate(wishes) if wish.card == before), default=-1)
        wishes.insert(place, Wish(card, When.OWNS_FEWER, n))
    if len(wishes) > MOST_WISHES:
        raise ValueError(f"cards={cards!r}: {len(wishes)} wishes are too many; {MOST_WISHES} at most")
    return tuple(wishes)


def as_array(wishes: tuple[Wish, ...]) -> np.ndarray:
    """Wishes for kernels: int64 (MOST_WISHES, 3), the unused rows NONE."""
    rows = np.full((MOST_WISHES, 3), NONE, np.int64)
    rows[: len(wishes)] = np.array(wishes, np.int64).reshape(-1, 3)
    return rows


# Kernels ----------------------------------------------------------------------------------------------------------------


@kernel
def n_treasures(game, seat):
    """The treasures that a seat owns."""
    total = I64(0)
    for card in range(N_TREASURES):
        total += owned(game, seat, card)
    return total


@kernel
def is_wished(game, board, rules, seat, card, when, n):
    """Whether the condition of a wish holds."""
    if when == When.ALWAYS:
        return True
    if when == When.OWNS_FEWER:
        return owned(game, seat, card) < n
    if when == When.COINS_ARE:
        return game["coins"] == n
    if when == When.MONEY_ABOVE:
        return money(game, rules, seat) > n
    if when == When.PROVINCES_BELOW:
        return count_of(game["supply"], PROVINCE) < n
    if when == When.END_WITHIN:
        return to_end(game, board) <= n
    if when == When.OWNS_GOLD:
        return owned(game, seat, GOLD) > 0
    if when == When.PER_TREASURES:
        return owned(game, seat, card) * n < n_treasures(game, seat)
    n_cards = owned(game, seat, card)
    return n_cards == 0 or (n_cards == 1 and n_owned(game, seat) >= SECOND_SMITHY)


@kernel
def wish(game, board, rules, seat, wishes, allowed):
    """The first wish among the allowed cards, a bit each; NONE if there is none."""
    for k in range(wishes.shape[0]):
        card = wishes[k, 0]
        if card == NONE:
            break
        is_allowed = (allowed >> U64(card)) & U64(1) == U64(1)
        if is_allowed and is_wished(game, board, rules, seat, card, wishes[k, 1], wishes[k, 2]):
            return card
    return I64(NONE)


@kernel
def dearest(board, allowed):
    """The dearest of the allowed cards; there must be one."""
    found = first_bit(allowed)
    for card in range(N_CARDS):
        if (allowed >> U64(card)) & U64(1) == U64(1) and board["cost"][card] > board["cost"][found]:
            found = I64(card)
    return found


@kernel
def cheapest(board, allowed):
    """The cheapest of the allowed cards; there must be one."""
    found = first_bit(allowed)
    for card in range(N_CARDS):
        if (allowed >> U64(card)) & U64(1) == U64(1) and board["cost"][card] < board["cost"][found]:
            found = I64(card)
    return found


@kernel
def is_junk(rules, card):
    """Whether a card is a victory card or a Curse: of no use in hand."""
    return card == CURSE or is_of(rules, Class.VICTORY, card)


@kernel
def choose(game, board, rules, wishes):
    """The action of the seat to move."""
    phase, seat = I64(game["phase"]), I64(game["seat"])
    held = kinds_of(game["hand"][seat])
    if phase == Phase.BUY:
        affordable = board["up_to"][min(I64(game["coins"]), MOST_COST)]
        card = wish(game, board, rules, seat, wishes, kinds_of(game["supply"]) & affordable)
        return I64(DONE) if card == NONE else N_CARDS * I64(Verb.BUY) + card
    if phase == Phase.ACTION or phase == Phase.THRONE:
        plays = held & rules["class_bits"][Class.ACTION]
        return I64(DONE) if plays == U64(0) else N_CARDS * I64(Verb.PLAY) + dearest(board, plays)
    if phase >= Phase.MOAT:
        return choose_in_attack(game, board, rules, phase, seat, held)
    return choose_for_card(game, board, rules, phase, seat, held, wishes)


@kernel
def choose_for_card(game, board, rules, phase, seat, held, wishes):
    """The answer to a question about the own card."""
    if phase == Phase.GAIN:
        allowed = gains(game, board, rules)
        card = wish(game, board, rules, seat, wishes, allowed)
        return N_CARDS * I64(Verb.GAIN) + (dearest(board, allowed) if card == NONE else card)
    if phase == Phase.CHANCELLOR:
        return I64(YES)
    if phase == Phase.LIBRARY:
        is_action = is_of(rules, Class.ACTION, game["pending"])
        return I64(YES) if is_action and game["actions"] == 0 else I64(DONE)
    if phase == Phase.MINE:
        treasures = held & rules["class_bits"][Class.TREASURE]
        if treasures == U64(0):
            return I64(DONE)
        has_silver = (treasures >> U64(SILVER)) & U64(1) == U64(1)
        return N_CARDS * I64(Verb.TRASH) + (I64(SILVER) if has_silver else cheapest(board, treasures))
    if phase == Phase.REMODEL:
        junk = held & ((U64(1) << U64(CURSE)) | (U64(1) << U64(ESTATE)))
        return N_CARDS * I64(Verb.TRASH) + cheapest(board, held if junk == U64(0) else junk)
    return choose_several(game, rules, phase, seat, held)


@kernel
def choose_several(game, rules, phase, seat, held):
    """The next card for Cellar or Chapel, or the end of it."""
    verb = I64(Verb.DISCARD) if phase == Phase.CELLAR else I64(Verb.TRASH)
    for card in range(I64(game["floor"]), N_CARDS):
        if (held >> U64(card)) & U64(1) == U64(0):
            continue
        if phase == Phase.CELLAR and is_junk(rules, card):
            return N_CARDS * verb + card
        if phase == Phase.CHAPEL:
            is_spare = card == COPPER and money(game, rules, seat) > FEW_COINS
            if is_spare or card == ESTATE or card == CURSE:
                return N_CARDS * verb + card
    return I64(DONE)


@kernel
def choose_in_attack(game, board, rules, phase, seat, held):
    """The answer to a question about an attack."""
    if phase == Phase.MOAT:
        return I64(YES) if (held >> U64(MOAT)) & U64(1) == U64(1) else I64(DONE)
    if phase == Phase.MILITIA:
        return N_CARDS * I64(Verb.DISCARD) + first_discard(game, board, rules, seat)
    if phase == Phase.BUREAUCRAT:
        victory = held & rules["class_bits"][Class.VICTORY]
        return I64(DONE) if victory == U64(0) else N_CARDS * I64(Verb.TOPDECK) + first_bit(victory)
    if phase == Phase.SPY:
        other = I64(game["subject"])
        shown = I64(game["top"][other][game["n_top"][other] - 1])
        is_bad = is_junk(rules, shown) or shown == COPPER
        return I64(YES) if is_bad == (other == seat) else I64(DONE)
    if phase == Phase.THIEF_TRASH:
        return N_CARDS * I64(Verb.TRASH) + max(I64(game["revealed"][0]), I64(game["revealed"][1]))
    for card in range(max(I64(game["floor"]), SILVER), N_TREASURES):
        if game["stolen"][card] > 0:
            return N_CARDS * I64(Verb.GAIN) + card
    return I64(DONE)


@kernel
def first_discard(game, board, rules, seat):
    """Militia: Estate, Duchy, Province and Curse go first, then the cheapest; they are named in ascending order."""
    hand = game["hand"][seat]
    left, first = size_of(hand) - THREE_CARDS, I64(N_CARDS)
    for card in range(ESTATE, CURSE + 1):
        n = count_of(hand, card)
        if n > 0 and left > 0:
            first = min(first, I64(card))
            left -= n
    cost = 0
    while left > 0:
        for card in range(N_CARDS):
            n = 0 if ESTATE <= card <= CURSE else count_of(hand, card)
            if n > 0 and left > 0 and board["cost"][card] == cost:
                first = min(first, I64(card))
                left -= n
        cost += 1
    return first
