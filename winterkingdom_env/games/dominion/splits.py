"""Which kingdoms are held out. Held-out cards are never in a seen kingdom; a held-out kingdom has at least one of them.

The rulebook's sets are the first kingdoms of their sides.
"""

from __future__ import annotations

from functools import cache

from winterkingdom_env.core.rng import Stream, derive
from winterkingdom_env.games.dominion.layout import KINGDOM_SIZE
from winterkingdom_env.games.dominion.tables import KINGDOM, KINGDOMS, NAMES
from winterkingdom_env.games.factors import Factor, of_members
from winterkingdom_env.games.splits import SPLIT_SEED, Part, Splits

N_KINGDOMS = 500  # drawn kingdoms per side
# Three of the rulebook's five sets have none of these cards, the others two each. A network is told what each card does in the same words
# as of the others.
HELD_OUT_CARDS = ("Adventurer", "Council Room", "Moneylender", "Spy")


@cache
def splits() -> Splits:
    """The fixed split into seen and held-out kingdoms."""
    cards, others = [NAMES[card] for card in KINGDOM], HELD_OUT_CARDS
    seen_cards = [name for name in cards if name not in others]
    seen = _drawn(seen_cards, (), "seen kingdoms")
    held_out = _drawn(cards, others, "held-out kingdoms")
    texts = (
        f"{len(seen)} kingdoms without {', '.join(others)}",
        f"{len(held_out)} kingdoms with at least one of {', '.join(others)}",
    )
    return Splits((Part("kingdom", "kingdoms", seen, held_out, texts),), {})


@cache
def factors() -> tuple[Factor, ...]:
    """The kingdom cards, in the kingdoms of the split."""
    return (of_members("card", "kingdom cards", "kingdom", splits().values("kingdom")),)


def _drawn(cards: list[str], needed: tuple[str, ...], purpose: str) -> tuple[tuple[str, ...], ...]:
    """Different kingdoms, drawn from ``cards``, with at least one of ``needed`` if there are any."""
    stream = Stream(derive(SPLIT_SEED, purpose))
    named = [ten for ten in KINGDOMS.values() if set(ten) <= set(cards) and (not needed or set(ten) & set(needed))]
    found = dict[tuple[str, ...], None](dict.fromkeys(named))
    while len(found) < N_KINGDOMS:
        order = list(cards)
        stream.shuffle(order)
        kingdom = tuple(sorted(order[:KINGDOM_SIZE], key=NAMES.index))
        if not needed or set(kingdom) & set(needed):
            found[kingdom] = None
    return tuple(found)
