"""What a position is worth on the way to its end, and what a network is told about cards and decks: by hand, on written positions."""

from __future__ import annotations

import numpy as np
import pytest

from tests.dominion.kernel_table import make_table
from tests.dominion.position import NAMES, read_position
from winterkingdom_env.core import verbs
from winterkingdom_env.games import get_game
from winterkingdom_env.games.dominion import Game, features, tables
from winterkingdom_env.games.dominion import worth as parts
from winterkingdom_env.games.dominion.layout import ABOUT, Op
from winterkingdom_env.games.dominion.splits import HELD_OUT_CARDS
from winterkingdom_env.search.network import count_weights
from winterkingdom_env.search.thinking import Thinker

RULES = get_game("dominion")
WEIGHTS = np.array(parts.WORTH)


def game_at(text: str) -> Game:
    """The position of a text."""
    return make_table(read_position(text), 1).game


def worth(game: Game, seat: int = 0) -> float:
    return float(verbs.worth(game._world, 0, seat, WEIGHTS))


def hand_worth(game: Game, seat: int = 0) -> float:
    return float(parts.hand_worth(seat, game._world.games[0], game._world.rules[0], WEIGHTS))


def turns_left(game: Game, seat: int = 0) -> float:
    return float(parts.turns_left(seat, game._world.games[0], game._world.boards[0], WEIGHTS))


def best_buy(game: Game) -> str:
    """The basic card, or none, after which the position is worth most."""
    found = {}
    basic = [f"buy {name}" for name in NAMES[:7]]
    for action in [action for action in game.legal_actions() if game.label(action) in (*basic, "done")]:
        after = game.clone()
        after.apply(action)
        found[game.label(action)] = worth(after)
    return max(found, key=found.__getitem__)


def thought(game: Game) -> Thinker:
    """The position as a network sees it."""
    thinker = Thinker(RULES, np.zeros(count_weights(RULES.World), np.float32))
    thinker.evaluate(game)
    return thinker


def features_of(game: Game) -> dict[str, dict[str, float]]:
    """The features of every legal action that are not 0, by label."""
    thinker = thought(game)
    actions = thinker._arrays.evaluation.actions[: len(game.legal_actions())].tolist()
    return {
        game.label(action): {name: float(x) for name, x in zip(RULES.FEATURES, thinker.features[i], strict=True) if x}
        for i, action in enumerate(actions)
    }


def extra_of(game: Game, seat: int = 0) -> np.ndarray:
    """The numbers after the observation's vector."""
    out = np.full(features.N_EXTRA + 2, -1, np.float32)
    verbs.write_extra(game._world, 0, seat, out, 1)
    assert out[0] == out[-1] == -1, "nothing beside them is written"
    return out[1:-1]


# Worth


@pytest.mark.rule("worth.py, WORTH")
def test_worth__after_the_end__is_the_points() -> None:
    game = game_at("H0 8 Gold, Duchy; coins 0; pile Province 1; turns 20, 19")
    game.apply(game.parse("buy Province"))
    assert game.is_over and worth(game) == game.scores()[0] == 9


@pytest.mark.rule("worth.py, WORTH")
def test_hand_worth__of_treasures__is_five_times_the_mean_coin() -> None:
    assert hand_worth(game_at("H0 7 Copper, 3 Estate")) == pytest.approx(3.5)
    assert hand_worth(game_at("D0 2 Gold, 2 Silver; H0 Estate")) == pytest.approx(10)


@pytest.mark.rule("worth.py, WORTH")
@pytest.mark.parametrize("card", [card.name for card in tables.CARDS if card.classes >= tables.ACTION])
def test_hand_worth__every_action_card__is_better_than_an_estate_in_its_place(card: str) -> None:
    assert (
        hand_worth(game_at(f"D0 7 Copper, 2 Estate, {card}")) > hand_worth(game_at("D0 7 Copper, 3 Estate"))
        or card == "Throne Room"
    )


@pytest.mark.rule("worth.py, WORTH")
def test_hand_worth__terminals_collide__and_villages_help() -> None:
    deck = "D0 8 Copper, 4 Estate"
    none, one, two, three = (hand_worth(game_at(deck + more)) for more in ("", ", Smithy", ", 2 Smithy", ", 3 Smithy"))
    assert one > none and three - two < two - one < one - none
    assert hand_worth(game_at(f"{deck}, 3 Smithy, 2 Village")) > hand_worth(game_at(f"{deck}, 3 Smithy, 2 Estate"))


@pytest.mark.rule("worth.py, WORTH")
def test_hand_worth__witch__counts_curses_only_while_there_are_some() -> None:
    assert hand_worth(game_at("D0 8 Copper, Witch")) > hand_worth(game_at("D0 8 Copper, Witch; pile Curse 0"))


@pytest.mark.rule("worth.py, WORTH")
def test_turns_left__are_those_that_the_others_leave() -> None:
    fresh = turns_left(game_at("H0 Copper; turns 3, 2"))
    assert fresh == turns_left(game_at("H0 Copper; D0 4 Province; turns 3, 2"))
    assert fresh > turns_left(game_at("H0 Copper; D1 3 Province; turns 3, 2"))
    assert fresh > turns_left(game_at("H0 Copper; turns 14, 13")) >= turns_left(game_at("H0 Copper; turns 60, 59")) == 1


@pytest.mark.rule("worth.py, WORTH")
@pytest.mark.parametrize(
    ("position", "buy"),
    [
        ("H0 3 Gold; D0 10 Copper, 3 Estate; turns 6, 5", "buy Gold"),
        ("H0 3 Gold; D0 10 Copper, 2 Gold, 5 Silver, 3 Estate; D1 3 Province; turns 14, 13", "buy Province"),
        ("H0 2 Silver, Copper; D0 3 Gold, 10 Copper, 5 Silver, 3 Estate; D1 4 Province; turns 17, 16; pile Province 1", "buy Duchy"),
        ("H0 Copper; D0 3 Gold, 10 Copper, 5 Silver, 3 Estate; turns 10, 9", "done"),
    ],
)  # fmt: skip
def test_worth__says_what_a_sensible_player_buys(position: str, buy: str) -> None:
    assert best_buy(game_at(position)) == buy


@pytest.mark.rule("worth.py, WORTH")
def test_worth__coins_at_hand__count_in_the_own_turn_and_when_asked() -> None:
    hands = ("H1 5 Estate; D1 Gold", "H1 4 Estate, Gold; D1 Estate")
    games = [game_at(f"H0 Militia, 2 Copper; {text}") for text in hands]
    assert worth(games[0], 1) == worth(games[1], 1), "the same cards, and not its turn"
    for game in games:
        game.apply(game.parse("play Militia"))
        assert game.seat == 1
    assert worth(games[1], 1) - worth(games[0], 1) == pytest.approx(3 * parts.WORTH[parts.PER_COIN])


# What a network is told


@pytest.mark.rule("features.py, ABOUT")
def test_about__every_card__is_told_from_every_other() -> None:
    told = {card.name: (card.cost, *tables.about(card)) for card in tables.CARDS}
    same = [{one, other} for one in told for other in told if one < other and told[one] == told[other]]
    assert same == []


@pytest.mark.rule("features.py, ABOUT")
def test_about__ops_that_are_not_told__are_those_of_attacks_that_the_class_tells() -> None:
    used = {step.op for card in tables.CARDS for step in (card.first, card.second) if step}
    assert used - set(tables.STEP_ABOUT) == {Op.OTHERS_DRAW, Op.OTHERS_TOPDECK, Op.ALL_SHOW_TOP, Op.OTHERS_SHOW}
    assert {name for told in tables.STEP_ABOUT.values() for name in told} <= set(ABOUT)


@pytest.mark.rule("features.py, ABOUT")
def test_about__held_out_cards__have_no_column_that_is_always_0_in_training() -> None:
    seen = np.array([tables.about(card) for card in tables.CARDS if card.name not in HELD_OUT_CARDS])
    held = np.array([tables.about(card) for card in tables.CARDS if card.name in HELD_OUT_CARDS])
    assert not ((held != 0).any(0) & (seen == 0).all(0)).any()


@pytest.mark.rule("features.py, FEATURES")
def test_features__of_buys__tell_coins_piles_and_the_end() -> None:
    game = game_at("H0 2 Gold, 2 Copper; D0 2 Duchy, Estate; D1 Duchy; pile Province 1; pile Duchy 3")
    told = features_of(game)
    province, duchy = told["buy Province"], told["buy Duchy"]
    assert province["buy"] == province["last"] == province["ends"] == 1 and "coins_left" not in province
    assert province["lead"] == pytest.approx((7 - 3 + 6) / 10) and province["gain"] == 1
    assert (
        duchy["own"] == pytest.approx(2 / 5)
        and duchy["others"] == pytest.approx(1 / 5)
        and duchy["supply"] == pytest.approx(3 / 10)
    )
    assert duchy["coins_left"] == pytest.approx(3 / 5) and "ends" not in duchy and "buys_again" not in duchy
    assert told["done"] == {"done": 1, "coins_left": pytest.approx(8 / 5)}


@pytest.mark.rule("features.py, FEATURES")
def test_features__three_piles__end_the_game() -> None:
    told = features_of(game_at("H0 2 Gold; pile Curse 0; pile Cellar 0; pile Estate 1"))
    assert told["buy Estate"]["ends"] == 1 and told["buy Estate"]["lead"] == pytest.approx(1 / 10)
    assert "ends" not in told["buy Silver"]


@pytest.mark.rule("features.py, FEATURES")
def test_features__of_plays_and_questions__tell_the_card_in_question() -> None:
    plays = features_of(game_at("H0 Village, Smithy"))
    assert plays["play Village"]["actions_left"] == 1 and "actions_left" not in plays["play Smithy"]
    assert plays["play Smithy"]["cards"] == plays["play Smithy"]["is_terminal"] == 1
    library = game_at("H0 Library, 4 Estate; D0 3 Village")
    library.apply(library.parse("play Library"))
    assert features_of(library)["yes"]["cost"] == features_of(library)["done"]["cost"] == pytest.approx(0.3)
    moat = game_at("H0 Militia; H1 Moat, 4 Copper")
    moat.apply(moat.parse("play Militia"))
    assert features_of(moat)["yes"]["is_reaction"] == 1
    spy = game_at("H0 Spy; D0 Estate; T1 Gold; D1 Copper")
    spy.apply(spy.parse("play Spy"))
    while features_of(spy)["yes"].get("anothers") != 1:
        spy.apply(spy.parse("done"))
    assert features_of(spy)["yes"]["coins"] == 1


@pytest.mark.rule("features.py, FEATURES")
def test_extra__sums_up_decks_from_the_looker_on() -> None:
    game = game_at("(3) H0 Village, Smithy, 2 Copper, Estate; D0 2 Gold, Silver; H1 5 Copper; D2 Witch, Moat")
    own, next_seat, last = (extra_of(game)[features.N_DECK * k : features.N_DECK * (k + 1)] for k in range(3))
    assert own[features.SIZE] == pytest.approx(8 / 20) and own[features.MONEY] == pytest.approx(10 / 8)
    assert own[features.JUNK] == pytest.approx(1 / 8) and own[features.N_TERMINALS] == pytest.approx(1 / 5)
    assert own[features.N_ACTION_CARDS] == pytest.approx(2 / 5) and own[features.MORE_ACTIONS] == pytest.approx(2 / 5)
    assert own[features.MORE_CARDS] == pytest.approx(4 / 5) and own[features.STRENGTH] == pytest.approx(
        hand_worth(game) / 5
    )
    assert next_seat[features.MONEY] == 1 and last[features.N_ATTACKS] == pytest.approx(1 / 3)
    assert not extra_of(game)[3 * features.N_DECK : features.HAND].any(), "an empty chair"
    assert extra_of(game)[features.HAND :] == pytest.approx([2 / 8, 2 / 3, 1 / 3, 4 / 4, 2 / 3, 8 / 3])
    assert extra_of(game, 1)[: features.N_DECK] == pytest.approx(next_seat)


@pytest.mark.rule("features.py, kind_of")
def test_kinds__kingdom_cards_share_one_per_verb() -> None:
    kinds = [int(verbs.kind_of.of(RULES.World)(None, action)) for action in range(RULES.N_ACTIONS)]
    assert sorted(set(kinds)) == list(range(features.N_KINDS))
    assert kinds[32 + NAMES.index("Smithy")] == kinds[32 + NAMES.index("Witch")] != kinds[NAMES.index("Witch")]
    assert len({kinds[32 + card] for card in range(8)}) == 8
