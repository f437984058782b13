"""Options of Kingdom Builder: what is refused, and in which words; what is read in several spellings."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from winterkingdom_env.games.errors import ConfigError
from winterkingdom_env.games.kingdom_builder import Config, Game, tables
from winterkingdom_env.games.kingdom_builder.boards import own_layouts

pytestmark = pytest.mark.rule("Config")


@pytest.mark.parametrize(
    ("options", "says"),
    [
        ({"num_players": 1}, "num_players=1: Kingdom Builder is for 2, 3, 4 or 5 players"),
        ({"num_players": 6}, "for 2, 3, 4 or 5 players"),
        ({"num_players": "two"}, "for 2, 3, 4 or 5 players"),
        ({"sets": ("seafarers",)}, "'seafarers' is unknown; there are: nomads, crossroads, marshlands, harvest"),
        ({"sets": ("nomads", "nomads")}, "every name may be there once"),
        ({"sets": 3}, "names are needed: nomads"),
        ({"sets": ("marshlands",)}, r"has no layout of temple, refuge, canoe, fountain; use boards=\"own\" or \"generated\""),
        ({"quadrants": ("oracle", "farm")}, "2 were given; four different ones are needed"),
        ({"quadrants": ("oracle", "farm", "oasis", "oracle")}, "every name may be there once"),
        ({"quadrants": ("oracle", "farm", "oasis", "castle")}, "'castle' is unknown"),
        ({"quadrants": ("oracle", "farm", "oasis", "temple")}, "has no layout of temple"),
        ({"quadrants": 7}, "four names are needed"),
        ({"scoring": ("Miners", "Lords")}, "give three different scoring cards"),
        ({"scoring": ("Miners", "Lords", "Bishops")}, "'Bishops' is unknown; there are: Fishermen"),
        ({"exclude": tuple(card.name for card in tables.SCORINGS[:8])}, "leaves 2 scoring cards of the chosen sets; three"),
        ({"tasks": ("Highway",)}, "'Highway' is unknown; there are: Home country"),
        ({"swamp_cards": "yes"}, "swamp_cards='yes': True, False or \"auto\" is needed"),
        ({"capitol": 1}, "capitol=1: True or False is needed"),
        ({"island": "atlantis"}, "island='atlantis': give \"rope bridge\", \"tree house\", \"random\""),
        ({"island": "random"}, "has no layout of rope bridge, tree house"),
        ({"first_game": True, "scoring": ("Miners", "Lords", "Knights")}, "leave both None"),
        ({"first_game": True, "quadrants": ("oracle", "farm", "oasis", "tower")}, "leave both None"),
        ({"round_limit": 0}, "1 to 1000 rounds are possible"),
        ({"boards": ""}, "give \"standard\", \"own\", \"generated\""),
        ({"boards": 4}, "give \"standard\", \"own\", \"generated\""),
        ({"boards": "no_such_file.txt"}, "no_such_file.txt"),
        ({"house_rules": "[scoring.Miners]\ngold = 99\n"}, "99"),
    ],
)  # fmt: skip
def test_config__impossible__is_refused_in_one_sentence(options: dict[str, Any], says: str) -> None:
    with pytest.raises(ConfigError) as refused:
        Config(**options)
    message = str(refused.value)
    assert says.replace(r"\"", '"') in message and "\n" not in message


def test_config__own_boards__have_every_set_and_the_island() -> None:
    for island in tables.ISLAND_NAMES:
        config = Config(sets=tables.SETS, boards="own", island=island, caves=True, capitol=True)
        assert Game.new_game(config, seed=1).setup()["island"] == own_layouts().rows(island)


def test_config__spellings__mean_the_same() -> None:
    assert Config(sets="Crossroads, nomads") == Config(sets=("nomads", "crossroads"))  # type: ignore[arg-type]  # as on the command line
    assert Config(scoring=("miners", "LORDS", "Knights")).scoring == ("Miners", "Lords", "Knights")
    four = ("oracle", "farm:180", "oasis", "tower:180")
    assert Config(quadrants=",".join(four)).quadrants == four  # type: ignore[arg-type]  # as on the command line


def test_config__given_values__are_on_the_table() -> None:
    quadrants = ("monastery:180", "oracle", "quarry", "farm:180")
    config = Config(quadrants=quadrants, scoring=("Shepherds", "Lords", "Hermits"), tasks=("Road", "Advance"))
    data = Game.new_game(config, seed=5).snapshot()
    assert [name + (":180" if turned else "") for name, turned in data["quadrants"]] == list(quadrants)
    assert (data["scoring"], data["tasks"]) == (["Shepherds", "Lords", "Hermits"], ["Road", "Advance"])


def test_config__exclude__is_never_drawn() -> None:
    excluded = ("Lords", "Citizens")
    games = [Game.new_game(Config(exclude=excluded), seed=seed).snapshot() for seed in range(40)]
    assert not any(set(data["scoring"]) & set(excluded) for data in games)


def test_config__damaged_file_of_quadrants__is_refused_with_the_line(tmp_path: Path) -> None:
    path = tmp_path / "mine.txt"
    path.write_text("[farm] set=base L=farm\nddccwffggg\n", encoding="utf-8")
    with pytest.raises(ConfigError, match="line"):
        Config(boards=str(path))
