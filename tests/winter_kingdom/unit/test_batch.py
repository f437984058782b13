"""The kernels over many games: they do what the game object does, and random choice is even."""

from __future__ import annotations

import numpy as np
import pytest

from tests.winter_kingdom.position import position
from winterkingdom_env.core import batch
from winterkingdom_env.core.rng import GAMMA, MASK_64, Stream, seed_state
from winterkingdom_env.core.verbs import ILLEGAL, OK, pick
from winterkingdom_env.games import winter_kingdom as wk
from winterkingdom_env.games.winter_kingdom import layout
from winterkingdom_env.games.winter_kingdom.world import World


def set_up(config: wk.Config, state: int) -> wk.Game:
    world = wk.make_world(1, (config,))
    with np.errstate(over="ignore"):
        batch.set_up_all(world, np.array([state], np.uint64))
    return wk.game_of(world.games, world.boards)


def world_of(games: list[wk.Game], config: wk.Config | None = None) -> World:
    world = wk.make_world(len(games), [config or wk.Config()] * len(games))
    for i, game in enumerate(games):
        world.games[i], world.boards[i], world.legals[i] = game.record[0], game.board[0], game._world.legals[0]
    return world


def expected_pick(game: wk.Game, word: int) -> int:
    legal = game.legal_actions()
    return legal[((word >> 32) * len(legal)) >> 32]


@pytest.mark.rule("core/verbs.py, pick")
def test_pick__any_word__is_the_legal_action_in_that_place() -> None:
    table = position(
        "T  Ta Ta T  T",
        phase="after",
        economy="Salvage",
        coins=9,
        in_play=("Mule", "Sawmill+"),
        hand=("Horse", "Mine"),
    )
    game = table.game
    kinds = {label.split()[0] for label in table.legal()}
    assert kinds == {"lift", "use", "acquire", "upgrade", "triple", "done"}
    stream = Stream(3)
    picked = set()
    for _ in range(300):
        word = stream.next_word()
        action = pick(game._world, 0, np.uint64(word))
        assert action == expected_pick(game, word)
        picked.add(int(action))
    assert picked == set(game.legal_actions())


@pytest.mark.rule("core/verbs.py, pick")
def test_pick__houses_and_forts__are_found_too() -> None:
    game = position("T  Ta T\n  T  T  .").game
    picked = {int(pick(game._world, 0, np.uint64(word << 32))) for word in range(0, 1 << 32, (1 << 32) // 64)}
    assert picked == set(game.legal_actions())


@pytest.mark.rule("core/batch.py, play_random")
def test_play_random__is_the_game_object_played_by_the_same_stream() -> None:
    n, steps = 3, 260
    config = wk.Config(num_players=2, twist="Boom")
    games = [wk.new_game(config, seed=seed) for seed in range(n)]
    world = world_of(games, config)
    seeds, streams = np.array([seed_state(seed) for seed in range(n)], np.uint64), np.arange(n, dtype=np.uint64)
    with np.errstate(over="ignore"):
        finished = batch.play_random(world, seeds, streams, steps)
    n_ended = 0
    for seed, first in enumerate(games):
        game = first
        stream, state = Stream(seed), seed_state(seed)
        for _ in range(steps):
            word = stream.next_word()
            if game.is_over:
                state = (state + 1) & MASK_64
                game = set_up(config, state)
                n_ended += 1
            else:
                game.apply(expected_pick(game, word))
        assert game.record.tobytes() == world.games[seed : seed + 1].tobytes()
        assert stream.state == int(streams[seed]) == (seed + steps * GAMMA) & MASK_64
    assert finished == n_ended >= n, "games end and begin again"


@pytest.mark.rule("core/batch.py, step_all")
def test_step_all__one_illegal_action__leaves_that_game_and_steps_the_others() -> None:
    games = [wk.new_game(seed=seed) for seed in range(3)]
    world = world_of(games)
    actions = np.array([game.legal_actions()[0] for game in games])
    actions[1] = layout.DONE
    before = world.games.copy()
    reports = np.zeros((3, batch.N_REPORT), np.int64)
    batch.step_all(world, actions, reports)
    assert reports.tolist() == [
        [status, r["seat"], r["phase"], r["round"], False, 2]
        for status, r in zip([OK, ILLEGAL, OK], world.games, strict=True)
    ]
    assert world.games[1] == before[1]
    for i in (0, 2):
        games[i].apply(int(actions[i]))
        assert games[i].record[0] == world.games[i]
        assert games[i]._world.sheets[0].tolist() == world.sheets[i].tolist()


@pytest.mark.rule("core/batch.py, step_all")
@pytest.mark.parametrize("action", [-2, layout.N_ACTIONS, 1 << 40])
def test_step_all__number_that_is_no_action__is_refused(action: int) -> None:
    game = wk.new_game(seed=1)
    world, report = world_of([game]), np.zeros((1, batch.N_REPORT), np.int64)
    batch.step_all(world, np.array([action]), report)
    assert report[0, batch.REPORT_STATUS] == ILLEGAL
    assert world.games == game.record


@pytest.mark.rule("core/batch.py, clone_all")
def test_clone_all__some_of_the_games__are_copied_byte_by_byte() -> None:
    world = world_of([wk.new_game(seed=seed) for seed in range(4)])
    clones, which = np.zeros(3, layout.GAME), np.array([2, 0, 2])
    batch.clone_all(world, which, clones)
    assert clones.tobytes() == world.games[which].tobytes()
    clones["coins"] += 1
    assert clones.tobytes() != world.games[which].tobytes(), "they are independent"
