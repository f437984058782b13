"""Random play in other environments: a row per peer, with its package and its loop. A game's file in ``positions`` may add rows.

``make(budget)`` returns a loop, which plays some steps per call and returns their number. Every loop does
what ours does: get the legal actions (and the observation, if its name says so), sample uniformly, step, reset at the end.
"""

from __future__ import annotations

import random
from collections.abc import Callable
from functools import partial
from importlib import import_module
from typing import Any, NamedTuple

import numpy as np

from benchmarks.envs import play_aec
from benchmarks.timing import Budget, Facts
from winterkingdom_env.core._jit import kernel
from winterkingdom_env.core.bits import nth_bit, popcount

Loop = Callable[[], int]
BATCH = 1024
U64 = np.uint64


class Peer(NamedTuple):
    """One way to play another project's game at random."""

    name: str
    package: str  # name on PyPI
    make: Callable[[Budget], Loop]
    facts: Facts
    threads: tuple[int, ...] = (1,)
    unit: str = "step"


def pettingzoo(module: str, budget: Budget) -> Loop:
    """A classic game of PettingZoo, played by the same function as our AEC environment."""
    env = import_module(f"pettingzoo.classic.{module}").raw_env()
    return partial(play_aec, env, budget.choose(20, 300, 1_000), budget.seed)


def open_spiel(name: str, sees: bool, budget: Budget) -> Loop:
    """OpenSpiel from Python: legal actions and, if ``sees``, the mask and observation tensor of the player to move.

    The tensor comes from OpenSpiel's observer, which reuses an array: five times as fast as ``observation_tensor``.
    """
    game = import_module("pyspiel").load_game(name)
    observer = import_module("open_spiel.python.observation").make_observation(game)
    choose, n_steps = random.Random(budget.seed).choice, budget.choose(20, 500, 2_000)

    def call() -> int:
        state = game.new_initial_state()
        for _ in range(n_steps):
            if state.is_terminal():
                state = game.new_initial_state()
            legal = state.legal_actions()
            if sees:
                state.legal_actions_mask()
                observer.set_from(state, state.current_player())
            state.apply_action(choose(legal))
        return n_steps

    return call


def pgx(name: str, budget: Budget) -> Loop:
    """pgx on the CPU: one compiled function samples, steps, observes and resets the whole batch."""
    jax, environments = import_module("jax"), import_module("pgx")
    env = environments.make(name)
    step = import_module("pgx.experimental").auto_reset(env.step, env.init)
    n, n_steps = budget.choose(4, BATCH, BATCH), budget.choose(1, 2, 4)

    def move(state: Any, key: Any) -> Any:
        chosen = jax.random.categorical(key, jax.numpy.where(state.legal_action_mask, 0.0, -jax.numpy.inf), axis=-1)
        return jax.vmap(step)(state, chosen, jax.random.split(key, n))

    compiled, key = jax.jit(move), jax.random.PRNGKey(budget.seed)
    now = [jax.jit(jax.vmap(env.init))(jax.random.split(key, n)), key]

    def play(n_moves: int) -> int:
        for _ in range(n_moves):
            now[1], key = jax.random.split(now[1])
            now[0] = compiled(now[0], key)
        jax.block_until_ready(now[0])
        return n * n_moves

    play(
        budget.choose(1, *(2, 2) if name.startswith("go") else (30, 60))
    )  # to reach later positions; a go move takes seconds
    return partial(play, n_steps)


@kernel
def pick_bits(words, seed, actions):  # type: ignore[no-untyped-def]  # a kernel: numba types it
    """Write the index of a random set bit for each row of 64-bit words."""
    state = U64(seed)
    for i in range(words.shape[0]):
        total = 0
        for k in range(words.shape[1]):
            total += popcount(words[i, k])
        state = state * U64(6364136223846793005) + U64(1442695040888963407)
        n = int(((state >> U64(32)) * U64(total)) >> U64(32))
        for k in range(words.shape[1]):
            here = popcount(words[i, k])
            if n < here:
                actions[i] = 64 * k + nth_bit(words[i, k], n)
                break
            n -= here
    return state


def fastcatan_batch(sees: bool, budget: Budget) -> Loop:
    """fastcatan in batches: masks (and observations) written to buffers, actions sampled by a compiled kernel, as in ours."""
    module = import_module("fastcatan")
    n, n_steps = budget.choose(8, BATCH, BATCH), budget.choose(2, 20, 50)
    env = module.BatchedEnv(n, seed=budget.seed)
    if not hasattr(env, "write_obs"):
        raise RuntimeError(f"fastcatan {module.__version__} has no observations; the last version with them is 1.0.2")
    env.reset()
    masks, seen = np.zeros((n, module.MASK_WORDS), np.uint64), np.zeros((n, module.OBS_SIZE), np.float32)
    actions, rewards, dones = np.zeros(n, np.uint32), np.zeros(n, np.float32), np.zeros(n, np.uint8)
    state = [U64(budget.seed)]

    def play(n_moves: int, looks: bool) -> int:
        for _ in range(n_moves):
            env.write_masks(masks)
            if looks:
                env.write_obs(seen)
            state[0] = U64(pick_bits(masks, state[0], actions))
            env.step(actions, rewards, dones)
        return n * n_moves

    play(budget.choose(2, 2_000, 2_000), False)  # to the middle of the games, which take about 4,000 random steps
    return partial(play, n_steps, sees)


def fastcatan_single(budget: Budget) -> Loop:
    """One fastcatan game from Python: mask, observation, sampling with numpy, step."""
    module = import_module("fastcatan")
    env, rng, n_steps = module.Env(), np.random.default_rng(budget.seed), budget.choose(20, 1_000, 2_000)
    mask, seen = np.zeros(module.MASK_WORDS, np.uint64), np.zeros(module.OBS_SIZE, np.float32)

    def call() -> int:
        env.reset(seed=budget.seed)
        for done in range(n_steps):
            env.action_mask(mask)
            env.write_obs(env.current_player, seen)
            legal = np.flatnonzero(np.unpackbits(mask.view(np.uint8), bitorder="little"))
            if env.step(int(legal[rng.integers(len(legal))]))[1]:
                env.reset(seed=done)
        return n_steps

    return call


def catanatron(budget: Budget) -> Loop:
    """Catanatron from Python: sample from its list of legal actions and apply; no mask, no observation."""
    module = import_module("catanatron")
    choose, n_steps = random.Random(budget.seed).choice, budget.choose(20, 500, 1_000)
    colors = [module.Color.RED, module.Color.BLUE, module.Color.ORANGE, module.Color.WHITE]

    def begin(seed: int) -> Any:
        return module.Game([module.RandomPlayer(color) for color in colors], seed=seed)

    def call() -> int:
        game = begin(budget.seed)
        for done in range(n_steps):
            if game.winning_color() is not None:
                game = begin(budget.seed + done)
            game.execute(choose(game.state.playable_actions), validate_action=False)
        return n_steps

    return call


AEC: Facts = {"interface": "AEC", "sees": "mask and observation"}
CPP: Facts = {"interface": "Python over C++", "sees": "mask and observation"}
JAX: Facts = {"interface": "batch", "sees": "mask and observation", "batch": BATCH}
SPIEL = ("go(board_size=19)", "hex(board_size=11)", "y(board_size=19)", "connect_four")

PEERS = (
    *(
        Peer(f"PettingZoo {module}, raw_env", "pettingzoo", partial(pettingzoo, module), {**AEC})
        for module in ("connect_four_v3", "tictactoe_v3", "chess_v6", "go_v5")
    ),
    *(
        Peer(
            f"OpenSpiel {name.replace('board_size=', '')}, mask and observation",
            "open_spiel",
            partial(open_spiel, name, True),
            {**CPP},
        )
        for name in SPIEL
    ),
    Peer(
        "OpenSpiel go(19), legal actions only",
        "open_spiel",
        partial(open_spiel, SPIEL[0], False),
        {**CPP, "sees": "legal actions"},
    ),
    *(
        Peer(f"pgx {name}, batch {BATCH}", "pgx", partial(pgx, name), {**JAX}, (1, 2))
        for name in ("hex", "connect_four", "go_19x19")
    ),
    Peer("fastcatan, one game", "fastcatan", fastcatan_single, {**CPP}),
    Peer(
        f"fastcatan, mask only, batch {BATCH}",
        "fastcatan",
        partial(fastcatan_batch, False),
        {**JAX, "sees": "mask"},
        (1, 2),
    ),
    Peer(
        f"fastcatan, mask and observation, batch {BATCH}", "fastcatan", partial(fastcatan_batch, True), {**JAX}, (1, 2)
    ),
    Peer(
        "catanatron, legal actions only",
        "catanatron",
        catanatron,
        {**CPP, "interface": "Python", "sees": "legal actions"},
    ),
)
