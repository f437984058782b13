"""House rules of Winter Kingdom: what a changed row does, in the kernels and in the reference at once, and which rows are refused."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from tests.winter_kingdom.position import position
from winterkingdom_env.core.picture import Look
from winterkingdom_env.games import winter_kingdom as wk
from winterkingdom_env.games.winter_kingdom.house import cards_of
from winterkingdom_env.games.winter_kingdom.layout import Link, Measure, Op, Terrain
from winterkingdom_env.render import picture_of, text

PAGE = (Path(__file__).parents[3] / "docs" / "house_rules.md").read_text(encoding="utf-8")
ROW = """
    G  Ga G  G  G
"""


def test_the_page__has_rules_that_are_accepted() -> None:
    (example,) = re.findall(r"```toml\n(.*?)```", PAGE, re.DOTALL)
    cards = cards_of(wk.Config(house_rules=example).house_rules)
    mine, toboggan = (next(card for card in cards.abilities if card.name == name) for name in ("Mine", "Toboggan"))
    assert (mine.acquire_cost, toboggan.first, toboggan.link) == (2, Op.MOVE_TWO, Link.AND)
    lovers = next(card for card in cards.scorings if card.name == "Nature Lovers")
    assert lovers.points == 2 and lovers.measure == Measure.TOUCHING
    assert lovers.arg == 1 << Terrain.MOUNTAIN | 1 << Terrain.ICE | 1 << Terrain.VILLAGE


@pytest.mark.parametrize(("cost", "is_legal"), [(1, True), (2, True), (3, False)])
def test_cost__decides_what_can_be_bought(cost: int, is_legal: bool) -> None:
    rules = f"[ability.Mine]\nacquire_cost = {cost}\n"
    table = position(ROW, phase="after", hand=("Mine",), coins=2, house_rules=rules if cost != 3 else "")
    assert ("acquire Mine" in table.legal()) == is_legal
    if is_legal:
        assert table.play("acquire Mine").game.record["coins"][0, 0] == 2 - cost


def test_link_and__lets_both_halves_be_used_in_a_turn() -> None:
    rules = '[ability.Toboggan]\nlink = "and"\n'
    for house_rules, left in (("", set()), (rules, {"Toboggan II"})):
        table = position(ROW, in_play=("Toboggan+",), house_rules=house_rules)
        assert {"Toboggan I", "Toboggan II"} <= table.uses()
        table.play("use Toboggan I", "lift r11c12", "house r11c11")
        assert {name for name in table.uses() if name.startswith("Toboggan")} == left


def test_first__another_op__is_what_the_card_does() -> None:
    rules = '[ability.Horse]\nfirst = "build_next_to"\nfirst_arg = "village"\n'
    table = position("G  Ga G  G  V", in_play=("Horse",), house_rules=rules).play("use Horse I")
    assert table.phase == "build" and table.hexes() == {"r11c14"}


def test_points_and_set__are_what_scores() -> None:
    rules = '[scoring.Scouts]\nmeasure = "touching"\narg = ["village", "castle"]\npoints = -3\n'
    table = position("V  Ga G  C  Ga", house_rules=rules)
    assert table.game.score_sheet()[0]["Scouts"] == -6
    assert table.game.observe()["vector"].min() < 0


def test_economy__pays_other_coins_for_another_thing() -> None:
    rules = '[economy.Marble]\ncondition = "next_to"\narg = "castle"\ncoins = 4\n'
    table = position("G  Ta T  C", played="tundra", economy="Marble", coins=0, house_rules=rules)
    assert table.play("house r11c13").game.record["coins"][0, 0] == 4


def test_twist__wolves_come_after_as_many_houses_as_agreed() -> None:
    rules = "[twist.Wolves]\narg = 2\n"
    for house_rules, phase in (("", "before"), (rules, "wolves")):
        table = position("Ta T  T  T  G", played="tundra", twist="Wolves", house_rules=house_rules)
        table.play("house r11c12", "house r11c13", "house r11c14", "done")
        assert table.phase == phase


@pytest.mark.parametrize(
    ("rules", "words"),
    [
        ('[ability.Mule]\nfirst = "build_on_hex_just_left"\n', "one of build_on, "),
        ('[ability.Mule]\nfirst = "nothing"\n', "one of build_on, "),
        ('[ability.Mule]\nlink = "single"\n', "one of or, then, and"),
        ('[ability.Mule]\nsecond = "build_on_edge"\n', "second must be a move"),
        ('[ability.Pasture]\nsecond = "build_on_hex_just_left"\n', "second must be a move"),
        ('[ability.Horse]\nsecond = "build_on_hex_just_left"\n', "link must be then"),
        ('[ability.Horse]\nsecond = "mandatory_on_next_terrain"\n', "link must be and"),
        ('[ability.Pasture]\nfirst_arg = "castle"\n', "one of fell_field, "),
        ("[ability.Tavern]\nfirst_arg = 1\n", "from 2 to 6"),
        ('[ability.Mule]\nfirst = "build_at_own_run"\n', "first_arg is missing; it must be an integer from 2 to 6"),
        ("[ability.Mule]\nfirst_arg = 3\n", "0, because this choice takes no argument"),
        ("[ability.Tunnel]\nacquire_cost = 1\n", "not a card of kind ability"),
        ('[ability.Mine]\ntext = "build anywhere"\n', "has no column 'text'"),
        ("[scoring.Climbers]\narg = []\n", "a list of one or more of"),
        ('[scoring.Climbers]\narg = ["lake"]\n', "a list of one or more of"),
        ("[scoring.Knights]\narg = 2\n", "0, because this choice takes no argument"),
        ("[economy.Marble]\ncoins = 10\n", "from 0 to 9"),
        ("[twist.Boom]\narg = 1\n", "0, because this choice takes no argument"),
    ],
)
def test_rows_that_make_no_sense__are_refused(rules: str, words: str) -> None:
    with pytest.raises(wk.ConfigError) as caught:
        wk.Config(house_rules=rules)
    assert words in str(caught.value)


def test_names__may_be_written_as_people_do() -> None:
    said = '[ability."hot SPRINGS"]\nfirst_arg = "Flower Field"\n'
    assert wk.Config(house_rules=said).house_rules == '[ability."Hot springs"]\nfirst_arg = "flower_field"\n'


def test_set_up__damaged_rules__are_refused() -> None:
    setup = wk.new_game(wk.Config(house_rules="random:1"), 1).setup()
    for wrong in (7, "[nothing]\n", None, "mine.toml"):
        with pytest.raises(wk.SetupError, match="house_rules"):
            wk.from_setup({**setup, "house_rules": wrong})


def test_pictures__say_what_is_changed() -> None:
    config = wk.Config(scoring=("Loners", "Scouts", "Miners"), house_rules="[scoring.Loners]\npoints = 7\n")
    game = wk.new_game(config, 1)
    assert "house rules: points 7" in " ".join(text.render(picture_of(game, Look()), colour=False).split())
    assert "house rules" not in text.render(picture_of(wk.new_game(seed=1), Look()), colour=False)


def test_saved_game__with_what_no_card_says__is_refused() -> None:
    game = wk.new_game(wk.Config(house_rules="random:2", twist="Wolves"), 3)
    game.check()
    for field, index, value in (("op", (0, 3, 0), 77), ("arg", (0, 6, 0), 11), ("cost", (0, 0, 0), -1), ("link", (0, 2), 3),
                                ("measure", (0, 1), 15), ("points", (0, 0), 21), ("coins", (0,), 10), ("twist_arg", (0,), 21),
                                ("op", (0, 25, 0), 14), ("condition", (0,), 8)):  # fmt: skip
        forged = game.clone()
        forged.board[field][index] = value
        with pytest.raises(ValueError, match="has a value that is invalid under any house rules"):
            forged.check()
