"""The Big Money players: their figures are near the rules' own."""

from __future__ import annotations

import numpy as np
import pytest

from winterkingdom_env.core.rng import seed_state
from winterkingdom_env.games.dominion import Config, Game
from winterkingdom_env.games.dominion.bigmoney import as_array, wishes_of
from winterkingdom_env.games.dominion.bigmoney_games import play_games

N_GAMES = 2_000
FOUR_ERRORS = 4 * 50 / N_GAMES**0.5  # points: four standard errors of a share near one half


def shares(first: str, second: str, cards: str = "", n: int = 1) -> tuple[float, float]:
    """Wins in percent of two players, with seats in turn; the second may have cards."""
    world = Game.make_world(1, (Config(kingdom="first_game" if not cards else ("Smithy", "Witch", "Cellar", "Village", "Moat", "Mine", "Market", "Militia", "Remodel", "Workshop")),))  # fmt: skip
    players = [as_array(wishes_of(first)), as_array(wishes_of(second, cards, n))]
    wins = np.zeros(2)
    for turned in (0, 1):
        states = np.array([seed_state(2 * i + turned) for i in range(N_GAMES // 2)], np.uint64)
        seats = np.stack([players[(seat + turned) % 2] for seat in range(4)])
        ranks, rounds = np.zeros((len(states), 4), np.int64), np.zeros(len(states), np.int64)
        play_games(world, states, seats, ranks, rounds, np.zeros((len(states), 0), np.int64))
        own, other = ranks[:, turned], ranks[:, 1 - turned]
        wins += (own < other).sum(), (other < own).sum()
    won, lost = (100 * wins / N_GAMES).tolist()
    return won, lost


@pytest.mark.rule("Dominion, yardsticks")
@pytest.mark.parametrize(
    ("first", "second", "cards", "n", "wanted"),
    [
        ("BM", "BMS", "", 1, (16.2, 57.4)),
        ("BM", "BMU", "", 1, (4.8, 93.9)),
        ("BMS", "BMU", "", 1, (18.6, 78.4)),
        ("BM", "BM", "Smithy", 1, (12.4, 60.5)),
        ("BM", "BM", "Witch", 2, (4.6, 95.4)),
        ("BM", "BM", "Militia", 1, (16.5, 57.1)),
        ("BM", "BM", "Moat", 1, (24.9, 41.4)),
        ("BM", "BM", "Mine", 1, (29.2, 37.7)),
    ],
)
def test_yardstick__is_near_the_figure_of_the_rules(
    first: str, second: str, cards: str, n: int, wanted: tuple[float, float]
) -> None:
    found = shares(first, second, cards, n)
    assert abs(found[0] - wanted[0]) < FOUR_ERRORS and abs(found[1] - wanted[1]) < FOUR_ERRORS, found
