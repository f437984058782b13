"""``carry_on`` keeps the points up to date in every registered game: they equal those that ``score`` computes from nothing."""

from __future__ import annotations

import random
from typing import Any

import numpy as np
import pytest

from tests.house.games import CONFIGS, NAMES, config_of
from winterkingdom_env.core import verbs
from winterkingdom_env.games import get_game


@pytest.mark.parametrize("name", NAMES)
def test_carry_on__any_action__points_equal_those_computed_again(name: str) -> None:
    rules = get_game(name)
    for seed in range(2 * len(CONFIGS[name])):
        game: Any = rules.new_game(config_of(name, seed), seed)
        dice = random.Random(seed)
        world = type(game).world_of(game.record.copy(), game.board.copy())
        verbs.find_legal(world, 0)
        verbs.score(world, 0)
        n_seats = len(game.scores())
        actions = np.zeros(2 * rules.N_ACTIONS, np.int16)
        while not verbs.is_over(world, 0):
            legal = actions[: verbs.list_legal(world, 0, actions)].tolist()
            assert verbs.carry_on(world, 0, np.int64(dice.choice(legal))) == verbs.OK
            kept = world.sheets.copy()
            world.sheets[:, :n_seats] = -1
            verbs.score(world, 0)
            assert (kept == world.sheets).all(), f"seed {seed}, {kept[0].tolist()}"
