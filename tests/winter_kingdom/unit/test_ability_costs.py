"""What the 25 ability cards cost (p. 4, 5, 16): the upper cost to acquire, the lower cost to upgrade."""

from __future__ import annotations

import pytest

from tests.winter_kingdom.position import position
from winterkingdom_env.games.winter_kingdom import tables
from winterkingdom_env.games.winter_kingdom.layout import Link

COSTS = [
    pytest.param("Pasture", 3, 1, marks=pytest.mark.rule("p. 5, Pasture cost")),
    pytest.param("Sawmill", 3, 1, marks=pytest.mark.rule("p. 5, Sawmill cost")),
    pytest.param("Hot springs", 3, 1, marks=pytest.mark.rule("p. 5, Hot springs cost")),
    pytest.param("Garden", 3, 1, marks=pytest.mark.rule("p. 5, Garden cost")),
    pytest.param("Monastery", 3, 1, marks=pytest.mark.rule("p. 5, Monastery cost")),
    pytest.param("Hunting Lodge", 3, 1, marks=pytest.mark.rule("p. 5, Hunting Lodge cost")),
    pytest.param("Mine", 3, 1, marks=pytest.mark.rule("p. 5, Mine cost")),
    pytest.param("Port", 3, 1, marks=pytest.mark.rule("p. 5, Port cost")),
    pytest.param("Market", 2, 2, marks=pytest.mark.rule("p. 5, Market cost")),
    pytest.param("Farm", 2, 2, marks=pytest.mark.rule("p. 5, Farm cost")),
    pytest.param("Barracks", 2, 2, marks=pytest.mark.rule("p. 5, Barracks cost")),
    pytest.param("Tavern", 2, 1, marks=pytest.mark.rule("p. 5, Tavern cost")),
    pytest.param("Outpost", 3, 2, marks=pytest.mark.rule("p. 5, Outpost cost")),
    pytest.param("Tower", 3, 1, marks=pytest.mark.rule("p. 5, Tower cost")),
    pytest.param("Homestead", 3, 1, marks=pytest.mark.rule("p. 5, Homestead cost")),
    pytest.param("Crossroads", 3, 2, marks=pytest.mark.rule("p. 5, Crossroads cost")),
    pytest.param("Caravan", 1, 3, marks=pytest.mark.rule("p. 5, Caravan cost")),
    pytest.param("Mule", 1, 1, marks=pytest.mark.rule("p. 5, Mule cost")),
    pytest.param("Toboggan", 1, 1, marks=pytest.mark.rule("p. 5, Toboggan cost")),
    pytest.param("Horse", 1, 1, marks=pytest.mark.rule("p. 5, Horse cost")),
    pytest.param("Guide", 1, 1, marks=pytest.mark.rule("p. 5, Guide cost")),
    pytest.param("Dog sled", 1, 1, marks=pytest.mark.rule("p. 5, Dog sled cost")),
    pytest.param("Wagon", 2, 1, marks=pytest.mark.rule("p. 5, Wagon cost")),
    pytest.param("Sleigh", 1, 1, marks=pytest.mark.rule("p. 5, Sleigh cost")),
    pytest.param("Carriage", 1, 1, marks=pytest.mark.rule("p. 5, Carriage cost")),
]
FROM_RULEBOOK = {("Mine", "acquire"), ("Dog sled", "acquire"), ("Caravan", "upgrade")}  # p. 16
# Which half is the upper one: known for Mine (p. 16), for the arrow (p. 8, 10, 11), for Crossroads and Guide (p. 8).
ORDER_READ = {
    "Port", "Market", "Farm", "Barracks", "Tavern", "Outpost", "Toboggan", "Horse", "Dog sled", "Wagon", "Sleigh",
}  # fmt: skip
LAND = "Ta T  T  G  W"


@pytest.mark.parametrize(("card", "acquire", "upgrade"), COSTS)
def test_acquire__exactly_the_upper_cost__card_comes_into_play_and_no_coin_is_left(
    card: str, acquire: int, upgrade: int
) -> None:
    table = position(LAND, phase="after", hand=(card,), coins=acquire)
    assert f"upgrade {card}" not in table.legal()
    table.play(f"acquire {card}")
    assert table.coins() == 0
    assert table.player()["hand"] == []
    assert [(entry["card"], entry["upgraded"]) for entry in table.player()["in_play"]] == [(card, False)]


@pytest.mark.parametrize(("card", "acquire", "upgrade"), COSTS)
def test_acquire__one_coin_less_than_the_upper_cost__is_illegal(card: str, acquire: int, upgrade: int) -> None:
    assert f"acquire {card}" not in position(LAND, phase="after", hand=(card,), coins=acquire - 1).legal()


@pytest.mark.parametrize(("card", "acquire", "upgrade"), COSTS)
def test_upgrade__exactly_the_lower_cost__card_is_upgraded_and_no_coin_is_left(
    card: str, acquire: int, upgrade: int
) -> None:
    table = position(LAND, phase="after", in_play=(card,), coins=upgrade)
    assert f"acquire {card}" not in table.legal()
    table.play(f"upgrade {card}")
    assert table.coins() == 0
    assert [(entry["card"], entry["upgraded"]) for entry in table.player()["in_play"]] == [(card, True)]


@pytest.mark.parametrize(("card", "acquire", "upgrade"), COSTS)
def test_upgrade__one_coin_less_than_the_lower_cost_or_upgraded_already__is_illegal(
    card: str, acquire: int, upgrade: int
) -> None:
    assert f"upgrade {card}" not in position(LAND, phase="after", in_play=(card,), coins=upgrade - 1).legal()
    assert f"upgrade {card}" not in position(LAND, phase="after", in_play=(f"{card}+",), coins=20).legal()


@pytest.mark.parametrize(("card", "acquire", "upgrade"), COSTS)
def test_cost__named_in_the_rulebook_or_not__the_table_says_so(card: str, acquire: int, upgrade: int) -> None:
    row = next(row for row in tables.ABILITIES if row.name == card)
    for verb, source in (("acquire", row.acquire_source), ("upgrade", row.upgrade_source)):
        expected = tables.Source.RULEBOOK if (card, verb) in FROM_RULEBOOK else tables.Source.READING
        assert source is expected


@pytest.mark.rule("p. 4, upgraded card")
def test_order_of_halves__given_by_the_rulebook_or_not__the_table_says_so() -> None:
    assert {row.name for row in tables.ABILITIES if row.order_source is tables.Source.READING} == ORDER_READ
    assert {row.order_source for row in tables.ABILITIES if row.name not in ORDER_READ} == {tables.Source.RULEBOOK}
    assert all(row.link is Link.OR for row in tables.ABILITIES if row.name in ORDER_READ)


@pytest.mark.rule("p. 16, Roads")
def test_table_cards__known_in_part__the_table_says_which_part() -> None:
    rows = {row.name: row for row in (*tables.SCORINGS, *tables.ECONOMIES, *tables.TWISTS)}
    assert rows["Roads"].source is tables.Source.READING  # p. 16 gives the discount, not which cards it is for
    noted = {"Salvage", "Masses", "Pioneers", "Peasants", "Miners", "Wolves", "Boom", "Roads"}
    assert {name for name, row in rows.items() if row.note} == noted


@pytest.mark.rule("p. 5, Mine cost")
def test_cost__the_whole_deck__is_in_this_table() -> None:
    assert [str(row.values[0]) for row in COSTS] == [row.name for row in tables.ABILITIES]
