"""The kernels of vector environments: small batches beside game objects, also with compilation off."""

from __future__ import annotations

import numpy as np
import pytest

from tests.house.twin import play_beside
from winterkingdom_env.core import _jit, batch
from winterkingdom_env.core.rows import SETTINGS, row_type
from winterkingdom_env.core.threads import Team, usable_cores
from winterkingdom_env.envs.vector import VectorEnv
from winterkingdom_env.games import winter_kingdom as wk

IS_SLOW = bool(_jit.SETTINGS.DISABLE_JIT)
KERNELS = (batch.begin_rows, batch.step_rows, batch.work_chunks, batch.pick_rows)


@pytest.mark.rule("docs/environments.md, vector environment")
@pytest.mark.parametrize(
    ("form", "reward", "skip_forced", "autoreset"),
    [
        ("packed", "win", False, "SAME_STEP"),
        ("planes", "score", True, "NEXT_STEP"),
        (None, "margin", False, "DISABLED"),
        (None, "score", True, "SAME_STEP"),
    ],
)
def test_rows__any_settings__are_the_games_of_their_seeds(
    form: str | None, reward: str, skip_forced: bool, autoreset: str
) -> None:
    env = VectorEnv(
        wk, 2 if IS_SLOW else 4, num_players=(2, 3), twist="random", observation=form, reward=reward,
        skip_forced=skip_forced, illegal_reward=-0.5, autoreset_mode=autoreset,
    )  # fmt: skip
    with np.errstate(over="ignore"):  # the random stream overflows on purpose; compiled code does not mention it
        ended = play_beside(
            env, form, 260 if IS_SLOW else 400, 11,
            reward=reward, skip_forced=skip_forced, illegal_reward=-0.5, autoreset=autoreset,
        )  # fmt: skip
    assert ended >= 1, "nothing was seen of the end of a game"


@pytest.mark.rule("docs/environments.md, vector environment")
def test_chunks__are_the_rows() -> None:
    whole, parts = (VectorEnv(wk, 70, twist="random", observation="planes") for _ in range(2))
    with np.errstate(over="ignore"):
        for env in (whole, parts):
            env.reset(seed=1)
        b = parts.batch
        team = Team(batch.work_chunks.of(wk.World), 1, 9)  # eight chunks of eight rows and one of six
        picked = np.zeros(70, np.int64)
        for word in range(2 if IS_SLOW else 200):
            actions = whole.batch.pick(word).copy()
            team.run(b.world, b.about, actions, picked, np.array([1, word], np.uint64))
            assert picked.tobytes() == actions.tobytes()
            whole.step(actions)
            team.run(b.world, b.about, actions, picked, np.array([0, 0], np.uint64))
            assert b.rows.tobytes() == whole.batch.rows.tobytes()
            assert b.games.tobytes() == whole.batch.games.tobytes()
            assert b.planes.tobytes() == whole.batch.planes.tobytes()
            assert b.masks.tobytes() == whole.batch.masks.tobytes()


@pytest.mark.rule("docs/environments.md, sampling")
def test_pick__a_million_words__chooses_evenly() -> None:
    env = VectorEnv(wk, 1, observation=None)
    counts = np.zeros(wk.N_ACTIONS, int)
    with np.errstate(over="ignore"):
        legal = np.flatnonzero(env.reset(seed=3).action_mask[0])
        n = 200 if IS_SLOW else 40_000
        for word in range(n):
            counts[env.batch.pick(word)[0]] += 1
    assert counts.sum() == counts[legal].sum() == n
    if not IS_SLOW:
        expected = n / len(legal)
        assert abs(counts[legal] - expected).max() < 6 * np.sqrt(expected)


@pytest.mark.rule("core/rows.py, records")
@pytest.mark.parametrize("record", [*map(row_type, range(2, 9)), SETTINGS])
def test_record__has_no_hidden_bytes(record: np.dtype) -> None:
    assert record.names is not None and record.fields is not None
    assert sum(record.fields[field][0].itemsize for field in record.names) == record.itemsize


@pytest.mark.skipif(IS_SLOW, reason="there is nothing compiled to look at")
@pytest.mark.rule("core/_jit.py, one signature")
def test_vector_kernels__after_all_forms__are_compiled_once() -> None:
    threads = min(2, usable_cores())
    for form in ("packed", "planes", None):
        for n, n_threads in ((3, 1), (64, threads)):
            env = VectorEnv(wk, n, n_threads, observation=form, boards="generated", n_generated=1)
            env.reset(seed=1)
            for dtype in (np.int32, np.int64):
                env.step(env.sample_actions().astype(dtype))
    for kernel in KERNELS:
        found = kernel.of(wk.World).signatures
        assert len(found) <= 1, f"{kernel.__name__} is compiled for {found}"
