"""The card table for people."""

from __future__ import annotations

from winterkingdom_env.core.picture import CardTable, Column, Table
from winterkingdom_env.games.dominion.house import SHEETS, cards_of
from winterkingdom_env.games.dominion.layout import Class
from winterkingdom_env.games.dominion.tables import CARDS, NAMES, Card
from winterkingdom_env.games.errors import ConfigError
from winterkingdom_env.games.house_rules import HOUSE_RULES, PRINTED, RANDOM, changes, read_house_rules

COLUMNS = (
    Column("card"),
    Column("cost", is_right=True),
    Column("kind"),
    Column("piles for 2, 3, 4", is_right=True),
    Column("text", wraps=True),
    Column("rulebook"),
    Column("house rules", wraps=True),
)


def words_of(name: str) -> str:
    """What a card says: its bonuses, then its text."""
    card = CARDS[NAMES.index(name)]
    if Class.ACTION not in card.classes:
        return card.text
    plus = (("card", card.cards), ("action", card.actions), ("buy", card.buys), ("coin", card.coins))
    bonuses = [f"+{n} {what}{'s' * (n > 1)}" for what, n in plus if n]
    return ", ".join([*bonuses, *filter(None, [card.text])])


def kind_of(card: Card) -> str:
    """The classes of a card."""
    return " ".join(kind.name.lower() for kind in sorted(card.classes)) or "curse"


def cards(house_rules: str = PRINTED) -> tuple[CardTable, ...]:
    """The table under these house rules, with changed cards marked."""
    if house_rules == RANDOM:
        raise ConfigError(f'house_rules="{RANDOM}" depends on the seed of a game; give a seed, as in "{RANDOM}:5"')
    found = cards_of(read_house_rules(house_rules, SHEETS))
    changed = changes(SHEETS, (found,))
    rows, data = [], []
    for card in found:
        change = changed.get(("card", card.name), "")
        piles = f"{card.pile_2}, {card.pile_3}, {card.pile_4}"
        rows.append((card.name, str(card.cost), kind_of(card), piles, words_of(card.name), card.note, change))
        data.append(
            {
                "kind": "card", "name": card.name, "cost": card.cost, "classes": kind_of(card).split(), "text": words_of(card.name),
                "piles": [card.pile_2, card.pile_3, card.pile_4], "note": card.note, HOUSE_RULES: change,
            }
        )  # fmt: skip
    return (CardTable("card", Table(COLUMNS, tuple(rows), title="cards"), tuple(data)),)
