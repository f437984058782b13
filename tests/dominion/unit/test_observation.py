"""What a seat sees: everything that a perfect memory knows, and nothing else."""

from __future__ import annotations

import random

import numpy as np
import pytest

from tests.dominion.kernel_table import make_table, plain
from tests.dominion.position import NAMES, read_position
from winterkingdom_env.games.dominion import Config, Game
from winterkingdom_env.games.dominion.observe import SPEC

pytestmark = pytest.mark.rule("Dominion, observation")
COPPER, GOLD, ESTATE = (NAMES.index(name) for name in ("Copper", "Gold", "Estate"))


def seen(game: Game, seat: int) -> dict[str, list[int]]:
    """The words of every field."""
    packed = game.observe(seat, "packed")["observation"].view(np.int32)
    return {field.name: packed[word : word + field.n_words].tolist() for field, word, _ in SPEC.placed_fields()}


def cards(words: list[int], seat: int = 0) -> dict[str, int]:
    """The counts of one seat by name."""
    return {NAMES[card]: n for card, n in enumerate(words[32 * seat : 32 * seat + 32]) if n}


def test_observation__own_cards_and_what_is_open__by_zone() -> None:
    game = make_table(read_position("(3) H0 Copper, Smithy; D0 2 Gold; T0 Silver, Duchy; X1 Estate; H1 3 Copper; D1 Curse; K1 Copper; trash Feast; coins 3"), 1).game  # fmt: skip
    own, other = seen(game, 0), seen(game, 1)
    assert cards(own["hand"]) == {"Copper": 1, "Smithy": 1} and cards(own["deck"]) == {"Gold": 2}
    assert cards(own["top"]) == {"Silver": 1, "Duchy": 1} and own["next"] == [NAMES.index("Silver") + 1, 0, 0, 0]
    assert cards(own["unseen"], 0) == {"Copper": 2, "Curse": 1} and cards(own["known"], 1) == {"Copper": 1}
    assert cards(own["discard"], 1) == {"Estate": 1} and cards(own["trash"]) == {"Feast": 1}
    assert own["coins"] == [3] and own["turn"] == own["mover"] == [1] and own["seat"] == [1]
    assert cards(other["unseen"], 1) == {"Copper": 1, "Smithy": 1, "Gold": 2}, "of seat 0, two seats on"
    assert other["mover"] == [3] and other["n_hand"] == [3, 0, 2, 0] and other["n_draw"] == [1, 0, 4, 0]


def test_pending__of_another__is_seen_only_if_it_lay_open() -> None:
    hidden = make_table(read_position("H0 Library, 4 Estate; D0 3 Village"), 1)
    hidden.apply("play Library")
    assert seen(hidden.game, 0)["pending"] == [NAMES.index("Village") + 1] and seen(hidden.game, 1)["pending"] == [0]
    shown = make_table(read_position("H0 Library, 4 Estate; T0 Village; D0 Copper"), 1)
    shown.apply("play Library")
    assert seen(shown.game, 1)["pending"] == [NAMES.index("Village") + 1]


@pytest.mark.parametrize("seed", range(6))
def test_redealt__observation_stays__and_every_seat_has_an_answer(seed: int) -> None:
    game, dice = Game.new_game(Config(num_players=2 + seed % 3), seed), random.Random(seed)
    for _ in range(60):
        if game.is_over:
            break
        for looker in range(game.n_players):
            before = seen(game, looker)
            other = game.determinize(looker, dice.getrandbits(32))
            assert seen(other, looker) == before
            assert plain(other)["top"] == plain(game)["top"]
            assert other.legal_actions()
            if looker == game.seat:
                assert other.legal_actions() == game.legal_actions()
        game.apply(dice.choice(game.legal_actions()))


def test_redealt__hands_vary_within_what_is_known() -> None:
    game = make_table(read_position("H1 2 Copper, 3 Estate; D1 5 Gold; K1 Copper"), 1).game
    hands = [plain(game.determinize(0, seed))["hand"][1] for seed in range(40)]
    assert all(hand[COPPER] >= 1 and sum(hand) == 5 for hand in hands)
    assert len({tuple(hand) for hand in hands}) > 3
    assert all(plain(game.determinize(1, seed))["hand"][1] == plain(game)["hand"][1] for seed in range(5))
