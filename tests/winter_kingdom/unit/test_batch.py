"""The kernels over many games: they do what the game object does, and random choice is even."""

from __future__ import annotations

import numpy as np
import pytest

from tests.winter_kingdom.position import position
from winterkingdom_env.core.rng import GAMMA, MASK_64, Stream
from winterkingdom_env.games import winter_kingdom as wk
from winterkingdom_env.games.winter_kingdom import batch, layout
from winterkingdom_env.games.winter_kingdom.boards import standard_sides
from winterkingdom_env.games.winter_kingdom.rules import make_rules


def set_up(request: np.ndarray, sides: np.ndarray) -> wk.Game:
    record, board = np.zeros(1, layout.GAME), np.zeros(1, layout.BOARD)
    with np.errstate(over="ignore"):
        batch.new_games(record, board, make_rules(), sides, request)
    return wk.Game(record, board)


def expected_pick(game: wk.Game, word: int) -> int:
    legal = game.legal_actions()
    return legal[((word >> 32) * len(legal)) >> 32]


@pytest.mark.rule("batch.py, pick")
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
        action = batch.pick(np.uint64(word), make_rules()[0], game._legal[0])
        assert action == expected_pick(game, word)
        picked.add(int(action))
    assert picked == set(game.legal_actions())


@pytest.mark.rule("batch.py, pick")
def test_pick__houses_and_forts__are_found_too() -> None:
    game = position("T  Ta T\n  T  T  .").game
    picked = {
        int(batch.pick(np.uint64(word << 32), make_rules()[0], game._legal[0]))
        for word in range(0, 1 << 32, (1 << 32) // 64)
    }
    assert picked == set(game.legal_actions())


@pytest.mark.rule("batch.py, play_random_all")
def test_play_random_all__is_the_game_object_played_by_the_same_stream() -> None:
    n, steps = 3, 260
    config = wk.Config(num_players=2, twist="Boom")
    games = [wk.new_game(config, seed=seed) for seed in range(n)]
    records = np.concatenate([game.record for game in games])
    boards = np.concatenate([game.board for game in games])
    legals = np.concatenate([game._legal for game in games])
    requests = np.concatenate([config.request(seed) for seed in range(n)])
    streams = np.arange(n, dtype=np.uint64)
    sides = np.array(standard_sides().terrain)
    with np.errstate(over="ignore"):
        finished = batch.play_random_all(records, boards, make_rules(), sides, requests, legals, streams, steps)
    n_ended = 0
    for seed, game in enumerate(games):
        stream = Stream(seed)
        request = config.request(seed)
        for _ in range(steps):
            word = stream.next_word()
            if game.is_over:
                request["seed"] += np.uint64(1)
                game = set_up(request, sides)
                n_ended += 1
            else:
                game.apply(expected_pick(game, word))
        assert game.record.tobytes() == records[seed : seed + 1].tobytes()
        assert stream.state == int(streams[seed]) == (seed + steps * GAMMA) & MASK_64
    assert finished == n_ended >= n, "games end and begin anew"


@pytest.mark.rule("batch.py, step_all")
def test_step_all__one_illegal_action__leaves_that_game_and_steps_the_others() -> None:
    games = [wk.new_game(seed=seed) for seed in range(3)]
    records = np.concatenate([game.record for game in games])
    boards = np.concatenate([game.board for game in games])
    legals = np.concatenate([game._legal for game in games])
    actions = np.array([game.legal_actions()[0] for game in games])
    actions[1] = layout.DONE
    before = records.copy()
    reports = np.zeros((3, layout.N_REPORT), np.int64)
    batch.step_all(records, actions, boards, make_rules(), legals, reports)
    statuses = [layout.Status.OK, layout.Status.ILLEGAL, layout.Status.OK]
    assert reports.tolist() == [
        [status, r["seat"], r["phase"], r["round"]] for status, r in zip(statuses, records, strict=True)
    ]
    assert records[1] == before[1]
    for i in (0, 2):
        games[i].apply(int(actions[i]))
        assert games[i].record[0] == records[i]


@pytest.mark.rule("batch.py, step_all")
@pytest.mark.parametrize("action", [-2, layout.N_ACTIONS, 1 << 40])
def test_step_all__number_that_is_no_action__is_refused(action: int) -> None:
    game = wk.new_game(seed=1)
    record, report = game.record.copy(), np.zeros((1, layout.N_REPORT), np.int64)
    batch.step_all(record, np.array([action]), game.board, make_rules(), game._legal, report)
    assert report[0, layout.REPORT_STATUS] == layout.Status.ILLEGAL
    assert record == game.record


@pytest.mark.rule("batch.py, clone_all")
def test_clone_all__some_of_the_games__are_copied_byte_by_byte() -> None:
    records = np.concatenate([wk.new_game(seed=seed).record for seed in range(4)])
    clones, which = np.zeros(3, layout.GAME), np.array([2, 0, 2])
    batch.clone_all(which, records, clones)
    assert clones.tobytes() == records[which].tobytes()
    clones["coins"] += 1
    assert clones.tobytes() != records[which].tobytes(), "they are independent"
