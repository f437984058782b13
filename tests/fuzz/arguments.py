"""Wrong arguments at every public door: each is refused by a ValueError of one sentence, and nothing changes."""

from __future__ import annotations

import copy
import pickle
import random
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from decimal import Decimal
from fractions import Fraction
from pathlib import Path
from typing import Any

import numpy as np

from benchmarks.perft import count_by_reference
from winterkingdom_env import winter_kingdom_v1 as v1
from winterkingdom_env.games import winter_kingdom as wk
from winterkingdom_env.reference.winter_kingdom.game import ReferenceGame

NAN, INF = float("nan"), float("inf")
N_ROWS = 3


class Rude:
    """An integer until somebody asks."""

    def __index__(self) -> int:
        raise RuntimeError("I would rather not say")


NOT_NUMBERS: tuple[Any, ...] = (
    "1", "no", "", b"1", 1j, Decimal(1), [1], (1,), {1}, {"a": 1}, object(), Rude(), np.array([1]), np.array([1.0, 2.0]), np.str_("1"),
    np.datetime64(1, "D"), np.timedelta64(1), np.timedelta64(1, "D"), np.array(1, "m8[s]"), np.complex64(1), range(2), lambda: 1, int,
)  # fmt: skip
TRUTH = (True, False, np.True_, np.False_)
FLOATS: tuple[Any, ...] = (0.0, 1.0, 1.5, -1.0, 1e300, NAN, INF, -INF, np.float32(1), np.float64(0.5), Fraction(1))
NOT_INTEGERS = (*NOT_NUMBERS, *TRUTH, *FLOATS)
FAR_OFF: tuple[Any, ...] = (
    -1,
    -(1 << 63),
    1 << 63,
    1 << 64,
    10**30,
    -(10**400),
    np.int64(-1),
    np.int8(-1),
    np.uint64((1 << 64) - 1),
)
OUTSIDE = (*NOT_INTEGERS, None, *FAR_OFF)
NOT_FLAGS = (*NOT_NUMBERS, *FLOATS, None, 0, 1, np.int64(1))
NOT_PAYABLE = (*NOT_NUMBERS, *TRUTH, NAN, INF, -INF, None, 10**400, np.float32("nan"), np.float64("inf"), 1e300)
NOT_ACTIONS = (*NOT_INTEGERS, *FAR_OFF, wk.N_ACTIONS)


def _rows_of(dtype: str) -> np.ndarray:
    return np.ones(N_ROWS, dtype)


# Arrays that hold no int64 per row. The unsigned and the time spans would become -1, which is WAIT.
NOT_ROWS: tuple[Any, ...] = (
    None, 1, "111", [1] * (N_ROWS - 1), [1] * (N_ROWS + 1), [[1] * N_ROWS], [[1], [1, 2], []], [1.0] * N_ROWS, [1.5, 1, 1],
    [True] * N_ROWS, ["1"] * N_ROWS, [None, 1, 1], [10**30, 1, 1], [1 << 63, 1, 1], [NAN, 1, 1], {0: 1, 1: 1, 2: 1}, Rude(),
    np.array([1, 1, (1 << 64) - 1], np.uint64), np.full(N_ROWS, 1 << 63, np.uint64), np.full(N_ROWS, -1, "m8[s]"), _rows_of("m8[D]"),
    np.full(N_ROWS, "NaT", "m8[s]"), _rows_of("M8[s]"), _rows_of("f4"), _rows_of("c8"), _rows_of("O"), _rows_of("?"), _rows_of("S1"),
    _rows_of("U1"), np.ones((N_ROWS, 1), int), np.zeros((0,), int), np.zeros(N_ROWS, [("a", int)]),
)  # fmt: skip


@dataclass(frozen=True)
class Door:
    """A call with one argument from outside, values that it must refuse, and what must stay as it was."""

    name: str
    call: Callable[[Any], object]
    wrong: Iterable[Any]
    state: Callable[[], object] = lambda: None

    def refuses(self, value: Any) -> str:
        """The sentence with which the value is refused; AssertionError if it is not, or if something changed."""
        before = self.state()
        try:
            found = self.call(copy.deepcopy(value) if isinstance(value, np.ndarray) else value)
        except ValueError as error:
            assert self.state() == before, f"{self.name}: {value!r} was refused but changed something"
            sentence = str(error)
            assert len(sentence) > 20 and "ambiguous" not in sentence, (
                f"{self.name}: {value!r} was refused by {error!r}"
            )
            return sentence
        except Exception as error:
            raise AssertionError(f"{self.name}: {value!r} was refused by {error!r}, not by a ValueError") from error
        raise AssertionError(f"{self.name}: {value!r} was accepted, and gave {found!r}")


def _without(values: Iterable[Any], *allowed: Any) -> list[Any]:
    return [value for value in values if not any(value is one for one in allowed)]


def _of_games() -> Iterator[Door]:
    game = wk.new_game(seed=3)
    setup = game.setup()
    reference = ReferenceGame(setup)
    seats = (*OUTSIDE, 2, np.int64(2))

    def set_up_with(key: str) -> Callable[[Any], object]:
        return lambda value: wk.from_setup({**setup, key: value})

    yield Door("new_game(seed)", lambda v: wk.new_game(seed=v), (*NOT_INTEGERS, None))
    yield Door("new_game(config)", wk.new_game, (*NOT_INTEGERS, 0, {}, "standard"))
    yield Door("from_setup(seed)", lambda v: wk.from_setup(setup, seed=v), NOT_INTEGERS)
    yield Door("from_setup(config)", lambda v: wk.from_setup(setup, v), NOT_INTEGERS)
    yield Door("Config(num_players)", lambda v: wk.Config(num_players=v), (*OUTSIDE, 0, 1, 5))
    yield Door("Config(boards)", lambda v: wk.Config(boards=v), (*FLOATS, *TRUTH, None, "generated:" + "9" * 5000))
    yield Door("perft", lambda v: wk.perft(game, v), (*NOT_INTEGERS, None, -1, np.int64(-1), -(10**30)), game.to_bytes)
    yield Door(
        "reference perft", lambda v: count_by_reference(reference, v), (*NOT_INTEGERS, None, -1), reference.state
    )
    yield Door("observe", game.observe, _without(seats, None), game.to_bytes)
    yield Door("determinize(seat)", lambda v: game.determinize(v, 1), seats, game.to_bytes)
    yield Door("determinize(seed)", lambda v: game.determinize(0, v), (*NOT_INTEGERS, None), game.to_bytes)
    yield Door("label", game.label, (*NOT_ACTIONS, None))
    yield Door("apply", game.apply, (*NOT_ACTIONS, None), game.to_bytes)
    for key in ("top_board", "bottom_board"):
        other = setup["bottom_board" if key == "top_board" else "top_board"]
        wrong = (*OUTSIDE, 0, 7, other)
        yield Door(f"set-up, {key}", set_up_with(key), wrong)
        twice = {"top_board": other, "bottom_board": other}
        yield Door(f"reference, {key}", lambda v, twice=twice: ReferenceGame({**setup, **twice}), [other])  # type: ignore[misc]
    for key in ("num_players", "rng"):
        yield Door(f"set-up, {key}", set_up_with(key), (*NOT_INTEGERS, None, -1, 1 << 64))
    for key in (
        "economy",
        "twist",
        "direction",
        "scoring",
        "hands",
        "terrain_cards",
        "draw_pile",
        "discard_pile",
        "hexes",
    ):
        yield Door(f"set-up, {key}", set_up_with(key), _without((*NOT_INTEGERS, None), None if key == "twist" else ()))


def _of_options() -> Iterator[Door]:
    makers: dict[str, Callable[..., object]] = {
        "env": v1.env,
        "single_env": v1.single_env,
        "vector_env": lambda **options: v1.vector_env(**{"num_envs": 2, **options}),
        "learner_vector_env": lambda **options: v1.learner_vector_env(**{"num_envs": 2, **options}),
    }
    seats = (*OUTSIDE, 2, "2")
    options: dict[str, tuple[Iterable[Any], tuple[str, ...]]] = {
        "skip_forced": (NOT_FLAGS, tuple(makers)),
        "illegal_reward": (NOT_PAYABLE, tuple(makers)),
        "num_players": ((*_without(OUTSIDE, *NOT_NUMBERS), "2", b"2", object(), 5), tuple(makers)),
        "reward": (OUTSIDE, tuple(makers)),
        "render_mode": (_without(OUTSIDE, None), tuple(makers)),
        "observation": (_without(OUTSIDE, None), tuple(makers)),
        "viewer": (_without(seats, None), ("env", "single_env")),
        "learner_seat": (seats, ("single_env", "learner_vector_env")),
        "opponents": ((*FLOATS, *TRUTH, None, 0, 1j, object(), b"random", "nobody"), ("single_env", "learner_vector_env")),
        "num_envs": ((*OUTSIDE, 0), ("vector_env", "learner_vector_env")),
        "num_threads": ((*OUTSIDE, 0, 999), ("vector_env", "learner_vector_env")),
        "n_generated": ((*OUTSIDE, 0), ("vector_env", "learner_vector_env")),
        "configs": ((*_without(NOT_NUMBERS, range(2)), *FLOATS, *TRUTH, 0), ("vector_env",)),
        "autoreset_mode": (OUTSIDE, ("vector_env",)),
    }  # fmt: skip
    for option, (wrong, names) in options.items():
        for name in names:
            yield Door(
                f"{name}({option})",
                lambda v, make=makers[name], option=option: make(**{option: v}),  # type: ignore[misc]  # defaults
                wrong,
            )


def _of_environments() -> Iterator[Door]:
    seeds = _without((*OUTSIDE, [1, 2, 3, 4], [1, 2, NAN]), None)
    env: Any
    raw, wrapped, single = v1.raw_env(), v1.env(), v1.single_env()
    vector, learner = v1.vector_env(N_ROWS, render_mode="ansi"), v1.learner_vector_env(N_ROWS, observation="packed")
    for env in (raw, wrapped, single, vector, learner):
        env.reset(seed=1)

    def state_of(env: Any) -> Callable[[], bytes]:
        env = getattr(env, "_games", env)
        return lambda: pickle.dumps(env.get_state())

    for name, env in {"raw_env": raw, "env": wrapped, "single_env": single}.items():
        yield Door(f"{name}.step", env.step, NOT_ACTIONS, state_of(env))
    for name, env in {"raw_env": raw, "single_env": single}.items():
        yield Door(f"{name}.clone", lambda v, env=env: env.clone(reseed=v), _without(OUTSIDE, None), state_of(env))  # type: ignore[misc]
    for name, env in {
        "raw_env": raw,
        "single_env": single,
        "vector_env": vector,
        "learner_vector_env": learner,
    }.items():
        reset = lambda v, env=env: env.reset(seed=v)  # noqa: E731  # a default binds the loop's variable
        yield Door(f"{name}.reset(seed)", reset, seeds, state_of(env))
        options = lambda v, env=env: env.reset(options=v)  # noqa: E731
        yield Door(f"{name}.reset(options)", options, (*_without(OUTSIDE, None), 0), state_of(env))
    for name, env in {"vector_env": vector, "learner_vector_env": learner}.items():
        yield Door(f"{name}.step", env.step, NOT_ROWS, state_of(env))
        sample = env.sample_actions
        yield Door(f"{name}.sample_actions", sample, _without((*OUTSIDE, random.Random(1)), None), state_of(env))
    yield Door("vector_env.game", vector.game, (*OUTSIDE, N_ROWS), state_of(vector))
    yield Door("vector_env.config", vector.config, (*OUTSIDE, N_ROWS), state_of(vector))
    yield Door("vector_env.render(row)", vector.render, (*OUTSIDE, N_ROWS), state_of(vector))
    viewers = _without((*OUTSIDE, 2), None)
    yield Door("vector_env.render(viewer)", lambda v: vector.render(0, v), viewers, state_of(vector))
    yield Door("raw_env.observe", raw.observe, OUTSIDE, state_of(raw))


# Every public door, with games and environments behind it that are made for the one who goes through them.
DOORS = {"games": _of_games, "options": _of_options, "environments": _of_environments}


class Arguments:
    """A wrong argument at some door."""

    def __init__(self, folder: Path) -> None:
        """``folder`` is not needed."""
        self._doors = [(door, list(door.wrong)) for doors in DOORS.values() for door in doors()]

    def attempt(self, seed: int) -> str:
        """One door, one value."""
        rng = random.Random(seed)
        door, wrong = rng.choice(self._doors)
        door.refuses(rng.choice(wrong))
        return "refused"
