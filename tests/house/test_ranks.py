"""Who has won, says a game's ``ranks``, in every registered game; rewards and records follow it and nothing else."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from tests.house.games import CONFIGS, NAMES, positions, random_game
from winterkingdom_env.core.rewards import Reward
from winterkingdom_env.envs.common import Purse
from winterkingdom_env.games import get_game

every_game = pytest.mark.parametrize("name", NAMES)


def endings(name: str) -> list[Any]:
    return [positions(name, seed, 2)[-1] for seed in range(4 * len(CONFIGS[name]))]


@every_game
def test_ranks__are_places_that_ties_share(name: str) -> None:
    for game in [*positions(name, 0), *endings(name)]:
        ranks = game.ranks()
        assert len(ranks) == game.n_players
        assert ranks == [1 + sum(other < rank for other in ranks) for rank in ranks], (
            "1 2 2 4: ties share the better place"
        )


@every_game
def test_win__winners_share_one_and_the_others_minus_one(name: str) -> None:
    for game in endings(name):
        ranks, paid = game.ranks(), pay(game, Reward.WIN)
        n, winners = game.n_players, ranks.count(1)
        expected = [1 / winners if rank == 1 else -1 / (n - winners) for rank in ranks] if winners < n else [0.0] * n
        assert paid == pytest.approx(expected) and sum(paid) == pytest.approx(0, abs=1e-6)


@every_game
def test_margin__is_the_lead_over_the_others_mean(name: str) -> None:
    scale = get_game(name).SCORE_SCALE
    for game in endings(name):
        scores, paid = np.array(game.scores()), pay(game, Reward.MARGIN)
        others = (scores.sum() - scores) / (game.n_players - 1)
        assert paid == pytest.approx(((scores - others) / scale).tolist(), abs=1e-5)


@every_game
def test_score__steps_add_up_to_what_was_gained(name: str) -> None:
    for seed in range(len(CONFIGS[name])):
        games = random_game(get_game(name), seed)
        game = next(games)
        first = np.array(game.scores())
        purse, total = Purse(Reward.SCORE, 1.0, game.scores()), np.zeros(game.n_players)
        for now in games:
            total += purse.pay(now)
        assert total.tolist() == (np.array(game.scores()) - first).tolist()


@every_game
def test_score_sheet__adds_up_to_the_scores(name: str) -> None:
    for game in [*positions(name, 1), *endings(name)]:
        assert [sum(row.values()) for row in game.score_sheet()] == game.scores()
        assert len({tuple(row) for row in game.score_sheet()}) == 1, "every seat has the same columns"


def pay(game: Any, kind: Reward) -> list[float]:
    return Purse(kind, get_game(game.NAME).SCORE_SCALE, [0] * game.n_players).pay(game)
