"""States of environments and pickles with something forged, and states of other environments."""

from __future__ import annotations

import copy
import pickle
import random
from collections.abc import Callable
from enum import Enum
from pathlib import Path
from typing import Any

import numpy as np

from tests.fuzz.forge import Pool, forge, play_on
from winterkingdom_env import winter_kingdom_v1
from winterkingdom_env.core.rng import Stream
from winterkingdom_env.envs.learner_vector import LearnerVectorEnv
from winterkingdom_env.envs.single import SingleEnv
from winterkingdom_env.envs.vector import VectorEnv
from winterkingdom_env.games import winter_kingdom as wk
from winterkingdom_env.games.batch import OF_BATCH, OF_WORLD, GameBatch
from winterkingdom_env.games.winter_kingdom.saves import check_records

ROWS = 3
BATCH_PARTS = (*OF_WORLD, *OF_BATCH, "configs", "n_threads")
STRANGE: tuple[Callable[[], Any], ...] = (
    lambda: None, lambda: -1, lambda: 10**30, lambda: float("nan"), lambda: "player_9", lambda: [], lambda: {}, lambda: b"\0" * 64,
    lambda: np.zeros(0), lambda: np.full((2, 2), np.nan), lambda: np.zeros(4, np.int8), lambda: Stream(5), lambda: object, lambda: True,
)  # fmt: skip


def single(**options: Any) -> SingleEnv:
    return SingleEnv("winter_kingdom", **options)


def vector(**options: Any) -> VectorEnv:
    return winter_kingdom_v1.vector_env(ROWS, **options)


# Makers with options; states of two of these are foreign to one another.
ENVS: list[tuple[Callable[..., Any], dict[str, Any]]] = [
    (winter_kingdom_v1.raw_env, {}),
    (winter_kingdom_v1.raw_env, {"num_players": 3, "reward": "score"}),
    (winter_kingdom_v1.raw_env, {"economy": "Furs", "skip_forced": True}),
    (single, {}),
    (single, {"num_players": 4, "learner_seat": 2, "reward": "margin"}),
    (single, {"twist": "Wolves", "illegal_reward": -2.0}),
    (vector, {}),
    (vector, {"num_players": (2, 3), "observation": "planes", "autoreset_mode": "next_step", "reward": "score"}),
    (vector, {"observation": None, "autoreset_mode": "disabled"}),
    (vector, {"reward": "margin", "skip_forced": True, "twist": "Boom"}),
]


def games_of(env: Any) -> list[Any]:
    """The games that an environment holds."""
    return [env.game(row) for row in range(env.num_envs)] if isinstance(env, VectorEnv) else [env.game]


def picture(env: Any) -> bytes:
    """Everything that a refused state must leave as it was."""
    return pickle.dumps([game.to_bytes() for game in games_of(env)]) + pickle.dumps(env.get_state())


def act(env: Any, dice: random.Random, n: int) -> None:
    """Some random steps; a game that ends is followed by another."""
    for _ in range(n):
        if isinstance(env, VectorEnv):
            env.step(env.sample_actions())
        elif not (legal := env.legal_actions()):
            env.reset(seed=dice.randrange(1000))
        elif isinstance(env, SingleEnv):
            env.step(dice.choice(legal))
        else:
            agent = env.agent_selection
            dead = env.terminations.get(agent, True) or env.truncations[agent]
            env.reset(seed=dice.randrange(1000)) if dead else env.step(dice.choice(legal))


# Forgeries ------------------------------------------------------------------------------------------------------------


def holders(thing: Any, found: list[tuple[Any, Any]]) -> list[tuple[Any, Any]]:
    """Every (container, key) within the values of a state, so that something else can be put there."""
    if isinstance(thing, wk.Game | type | Enum):
        return found
    table = thing if isinstance(thing, dict) else getattr(thing, "__dict__", None)
    entries = list(table.items()) if table is not None else list(enumerate(thing)) if isinstance(thing, list) else []
    for key, value in entries:
        found.append((thing if isinstance(thing, dict | list) else table, key))
        holders(value, found)
    return found


def forge_array(array: np.ndarray, dice: random.Random) -> np.ndarray:
    """A byte or a number of an array, or the array itself, becomes another."""
    way = dice.randrange(6)
    if way == 0:
        return dice.choice(
            (
                array[:0],
                array[..., None],
                array.astype("V8") if array.dtype.names is None else array.view(np.uint8),
                array[::-1],
            )
        )
    changed = np.array(array)
    if changed.dtype.names and way < 4:
        field = changed[dice.choice(changed.dtype.names)]
        flat = field.reshape(-1).copy()
        flat[dice.randrange(flat.size)] = (
            dice.choice((-1, 0, 1, 2, 3, 4, 7, 12, 100, 127)) if flat.dtype.kind == "i" else dice.randrange(2)
        )
        field[...] = flat.reshape(field.shape)
    elif changed.size:
        data = changed.reshape(-1).view(np.uint8)
        data[dice.randrange(len(data))] ^= np.uint8(1 << dice.randrange(8))
    return changed


def put(batch: GameBatch, name: str, part: Any) -> None:
    """Put something in the place of an array, or of something else, of a batch."""
    if name in OF_WORLD:
        batch.world = batch.world._replace(**{name: part})
    elif name in OF_BATCH:
        batch.about = batch.about._replace(**{name: part})
    else:
        setattr(batch, name, part)


def forge_values(values: Any, pool: Pool, dice: random.Random) -> None:
    """Change something in the values of a state, in place."""
    places = holders(values, [])
    games = [(at, key) for at, key in places if isinstance(at[key], wk.Game)]
    arrays = [(at, key) for at, key in places if isinstance(at[key], np.ndarray)]
    if games and dice.random() < 0.4:
        at, key = games[0]
        at[key] = at[key].clone()
        forge(at[key], pool, dice)
    elif arrays and dice.random() < 0.6:
        at, key = dice.choice(arrays)
        at[key] = forge_array(at[key], dice)
    else:
        at, key = dice.choice(places)
        if isinstance(at, dict) and dice.random() < 0.2:
            del at[key]
        else:
            at[key] = dice.choice(STRANGE)()


class States:
    """States and pickles: forged ones are refused, and leave the environment as it was, or can be played on; foreign ones are refused."""

    def __init__(self, folder: Path, n_games: int = 18) -> None:
        self.pool = Pool(n_games)
        self.envs: list[Any] = []
        self.states: list[list[Any]] = []
        for maker, options in ENVS:
            env, dice = maker(**options), random.Random(len(self.envs))
            env.reset(seed=len(self.envs))
            self.envs.append(env)
            self.states.append([])
            for _ in range(6):
                act(env, dice, 40)
                self.states[-1].append(env.get_state())

    def attempt(self, seed: int) -> str:
        """One state or pickle."""
        dice = random.Random(seed)
        return dice.choices(
            (self.foreign, self.forged, self.pickled, self.pickled_game, self.pickled_learners), (10, 50, 25, 10, 5)
        )[0](dice)

    def foreign(self, dice: random.Random) -> str:
        """The state of another environment."""
        mine, other = dice.sample(range(len(self.envs)), 2)
        env = self.envs[mine]
        env.set_state(self.states[mine][0])
        before = picture(env)
        try:
            env.set_state(dice.choice(self.states[other]))
        except ValueError as error:
            assert "state" in str(error), error
            assert picture(env) == before, "a refused state has changed the environment"
            return "foreign, refused"
        raise AssertionError(f"{ENVS[mine]} took a state of {ENVS[other]}")

    def forged(self, dice: random.Random) -> str:
        """A state of the same environment with something changed."""
        i = dice.randrange(len(self.envs))
        env = self.envs[i]
        env.set_state(self.states[i][0])
        state = copy.deepcopy(dice.choice(self.states[i]))
        forge_values(state if isinstance(state, dict) else state._values, self.pool, dice)
        before = picture(env)
        try:
            env.set_state(state)
        except ValueError:
            assert picture(env) == before, "a refused state has changed the environment"
            return "forged, refused"
        return self.go_on(env, dice, "forged")

    def go_on(self, env: Any, dice: random.Random, what: str) -> str:
        """Play on with what was accepted."""
        if isinstance(env, VectorEnv) and not env._is_begun:
            env.reset(seed=1)
        for game in games_of(env):
            check_records(game.record, game.board)
        act(env, dice, 20)
        for game in games_of(env):
            check_records(game.record, game.board)
        return f"{what}, played on"

    def pickled(self, dice: random.Random) -> str:
        """A pickled environment with something changed inside."""
        i = dice.randrange(len(self.envs))
        self.envs[i].set_state(dice.choice(self.states[i]))
        env = copy.deepcopy(self.envs[i])
        if isinstance(env, VectorEnv):
            names = ("_seeds", "_picks", "_is_begun") if dice.random() < 0.2 else BATCH_PARTS
            inner = {name: getattr(env.batch if name in BATCH_PARTS else env, name) for name in names}
        elif isinstance(env, SingleEnv):
            inner = vars(env._episode)
        else:
            inner = {
                name: value
                for name, value in vars(env).items()
                if name in ("_game", "_purse", "agents", "rewards", "terminations", "agent_selection")
            }
        forge_values(inner, self.pool, dice)
        if isinstance(env, VectorEnv) and "rows" in inner:
            for name, part in inner.items():
                put(env.batch, name, part)
        else:
            vars(env._episode if isinstance(env, SingleEnv) else env).update(inner)
        try:
            data = pickle.dumps(env)
        except Exception:  # what cannot be pickled cannot come from outside
            return "not pickled"
        try:
            loaded = pickle.loads(data)
        except ValueError:
            return "pickled, refused"
        return self.go_on(loaded, dice, "pickled")

    def pickled_game(self, dice: random.Random) -> str:
        """A pickled game."""
        game = self.pool.draw(dice)
        forge(game, self.pool, dice)
        try:
            loaded = pickle.loads(pickle.dumps(game))
        except ValueError:
            return "pickled, refused"
        play_on(loaded, dice, 30)
        return "pickled, played on"

    def pickled_learners(self, dice: random.Random) -> str:
        """A pickled vector environment of learners."""
        env = winter_kingdom_v1.learner_vector_env(ROWS, observation="packed")
        env.reset(seed=dice.randrange(100))
        if dice.random() < 0.5:
            env._seats = forge_array(env._seats, dice)
        else:
            put(env._games.batch, "games", forge_array(env._games.batch.games, dice))
        try:
            loaded = pickle.loads(pickle.dumps(env))
        except ValueError:
            return "pickled, refused"
        assert isinstance(loaded, LearnerVectorEnv)
        for _ in range(5):
            loaded.step(loaded.sample_actions())
        return "pickled, played on"
