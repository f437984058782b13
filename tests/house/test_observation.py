"""What a seat sees in every registered game: arrays as the Spec and the spaces say, two forms of the same content, a mask of its own."""

from __future__ import annotations

import numpy as np
import pytest

from tests.house.games import CONFIGS, NAMES, positions
from winterkingdom_env.core.observation import FORMS
from winterkingdom_env.envs.common import observation_space
from winterkingdom_env.games import get_game

every_game = pytest.mark.parametrize("name", NAMES)


@every_game
@pytest.mark.parametrize("form", FORMS)
def test_observe__every_seat__is_in_the_space_and_shows_its_own_mask(name: str, form: str) -> None:
    rules = get_game(name)
    space = observation_space(rules, form, has_mask=True)
    for seed in range(len(CONFIGS[name])):
        for game in positions(name, seed):
            legal = np.zeros(rules.N_ACTIONS, np.int8)
            legal[game.legal_actions()] = 1
            for seat in range(game.n_players):
                seen = game.observe(seat, form)
                assert space.contains(seen), f"seed {seed}, seat {seat} of {game}"
                mask = legal if seat == game.seat and not game.is_over else np.zeros_like(legal)
                np.testing.assert_array_equal(seen["action_mask"], mask)
            np.testing.assert_array_equal(
                game.observe(form=form)["observation"], game.observe(game.seat, form)["observation"]
            )


@every_game
def test_observe__both_forms__say_the_same(name: str) -> None:
    spec = get_game(name).OBSERVATION
    for seed in range(len(CONFIGS[name])):
        for game in positions(name, seed):
            for seat in range(game.n_players):
                packed, planes = game.observe(seat, "packed")["observation"], game.observe(seat, "planes")
                assert packed.shape == (spec.n_words,) and planes["vector"].shape == (spec.n_entries,)
                for key, part in spec.unpack(packed).items():
                    np.testing.assert_array_equal(part, planes[key], key)


@every_game
def test_observe__tells_positions_apart(name: str) -> None:
    seen = {game.observe(0, "packed")["observation"].tobytes() for game in positions(name, 0)}
    assert len(seen) > 4, "an observation that never changes shows nothing"


@every_game
def test_observe__no_such_seat_or_form__is_refused(name: str) -> None:
    game = positions(name, 0)[0]
    for seat in (-1, game.n_players, 0.0, True, "0"):
        with pytest.raises(ValueError, match="seats 0 to"):
            game.observe(seat)
    with pytest.raises(ValueError, match="not an observation form"):
        game.observe(0, "picture")
