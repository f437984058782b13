"""Validation of environment states from ``set_state`` and pickles. Errors are ValueErrors that name the field."""

from __future__ import annotations

import copy
from collections.abc import Iterable, Mapping, Sequence
from math import isfinite
from numbers import Real
from typing import Any, TypeVar

import numpy as np

from winterkingdom_env.core.rng import MASK_64, Stream
from winterkingdom_env.envs.common import Purse, Seeds, State
from winterkingdom_env.games import GameRules
from winterkingdom_env.games.base import BaseGame

MOST_POINTS = 1 << 20  # limit of the scores in a Purse, far above those of any game
T = TypeVar("T")


def state_of(env: Any, kept: Mapping[str, Any]) -> State:
    """The result of ``get_state``: copies of the attributes ``kept``, of the seeds of the next games, and of the options."""
    return State(env._made_by(), copy.deepcopy({**kept, "seeds": env._dealer.seeds, "about": env._about()}))


def values_of(state: Any, env: Any, kept: Iterable[str]) -> tuple[dict[str, Any], Seeds]:
    """Copies of the attributes ``kept`` in a state, and the seeds of the next games. Raises ValueError if it does not fit ``env``."""
    if not isinstance(state, State):
        raise ValueError(f"a {type(state).__name__} is not a state of an environment; get_state() returns one")
    if state.made_by != env._made_by():
        raise ValueError(f"the state belongs to {state.made_by}; this is {env._made_by()}")
    values, names = copy.deepcopy(state._values), {*kept, "seeds", "about"}
    need(type(values) is dict and set(values) == names, "it", f"does not hold {', '.join(sorted(names))}")
    check_about(values.pop("about"), env._about())
    seeds = values.pop("seeds")
    check_seeds(seeds)
    return values, seeds


def twin_of(env: T, memo: dict[int, Any]) -> T:
    """A deep copy without ``__setstate__``, because its own game needs no check."""
    twin: T = object.__new__(type(env))
    memo[id(env)] = twin
    twin.__dict__.update({name: copy.deepcopy(value, memo) for name, value in env.__dict__.items()})
    return twin


def need(is_right: Any, name: str, what: str) -> None:
    """Raise ValueError unless ``is_right``."""
    if not is_right:
        raise ValueError(
            f"the state is refused: {name} {what}; use the result of get_state() of an environment with the same options"
        )


def check_about(found: Any, own: Mapping[str, Any]) -> None:
    """Raise ValueError, naming the option, if the environment of a state and this one differ."""
    need(isinstance(found, Mapping) and set(found) == set(own), "about", "does not hold the options of the environment")
    for name, value in own.items():
        theirs = found[name]
        is_same_kind = type(theirs) is type(value)
        if is_same_kind and theirs == value:
            continue
        if is_same_kind and hasattr(value, "__struct_fields__"):  # a Config
            check_about(fields_of(theirs), fields_of(value))
        told = f"{theirs!r} there, {value!r} here"
        need(False, name, f"does not fit: {told if len(told) < 200 else 'it differs there'}")


def fields_of(config: Any) -> dict[str, Any]:
    """The fields of a Config."""
    return {name: getattr(config, name) for name in config.__struct_fields__}


def check_game(game: Any, module: GameRules, n_players: int) -> None:
    """Raise ValueError if this is not a game of the environment, or not a valid position."""
    need(isinstance(game, BaseGame) and game.NAME == module.NAME, "game", f"is a {type(game).__name__}")
    game.check()
    need(game.n_players == n_players, "game", f"is for {game.n_players} players; this environment is for {n_players}")


def check_stream(name: str, stream: Any) -> None:
    """Raise ValueError if this is not a random stream."""
    is_stream = type(stream) is Stream and type(getattr(stream, "state", None)) is int
    need(is_stream and 0 <= stream.state <= MASK_64, name, "is not a random stream")


def check_seeds(seeds: Any) -> None:
    """Raise ValueError if this is not a valid source of seeds."""
    need(type(seeds) is Seeds, "seeds", f"is a {type(seeds).__name__}")
    check_stream("seeds", getattr(seeds, "_stream", None))


def check_purse(purse: Any, own: Purse) -> None:
    """Raise ValueError if this Purse does not fit; ``own`` is a new one of the environment."""
    need(type(purse) is Purse and vars(purse).keys() == vars(own).keys(), "purse", "is not a Purse")
    need(
        purse.kind is own.kind and purse.n_players == own.n_players, "purse", "has another reward or number of players"
    )
    need(type(purse._scale) is np.float32 and purse._scale == own._scale, "purse", "has another scale")
    check_array("purse", purse._scores, (purse.n_players,), np.int64)
    need(np.abs(purse._scores).max() <= MOST_POINTS, "purse", "has scores that are out of range")


def check_array(name: str, array: Any, shape: tuple[int, ...], dtype: Any) -> None:
    """Raise ValueError if this is not a plain array of this shape and dtype."""
    is_one = type(array) is np.ndarray and array.shape == shape and array.dtype == dtype and array.flags.carray
    need(is_one, name, f"is not a {np.dtype(dtype)} array of shape {shape}")


def check_by_agent(name: str, table: Any, agents: Iterable[str], kind: type) -> None:
    """Raise ValueError unless this maps each agent to a value of this type; numbers must be finite."""
    need(type(table) is dict and list(table) == list(agents), name, "does not have the agents that are left")
    for agent, value in table.items():
        is_right = isinstance(value, kind) and (kind is bool or not isinstance(value, bool))
        need(is_right, f"{name}[{agent!r}]", f"is a {type(value).__name__}")
        need(kind is not Real or isfinite(value), f"{name}[{agent!r}]", "is not finite")


def check_agents(values: Mapping[str, Any], possible: Sequence[str]) -> None:
    """Raise ValueError if the attributes of an AEC environment do not fit the game or each other."""
    agents, game, selected = values["agents"], values["_game"], values["agent_selection"]
    need(
        type(agents) is list and agents == [agent for agent in possible if agent in agents],
        "agents",
        "is not a list of possible agents in order",
    )
    need(selected in possible, "agent_selection", f"is {selected!r}")
    skipped = values["_skip_agent_selection"]
    need(skipped is None or skipped in possible, "_skip_agent_selection", f"is {skipped!r}")
    for name, kind in (
        ("rewards", Real), ("_cumulative_rewards", Real), ("terminations", bool), ("truncations", bool), ("infos", dict),
    ):  # fmt: skip
        check_by_agent(name, values[name], agents, kind)
    is_live = selected in agents and not values["terminations"][selected] and not values["truncations"][selected]
    need(not is_live or not game.is_over, "terminations", "has a live agent in a game that is over")
    need(not is_live or selected == possible[game.seat], "agent_selection", f"is {selected!r}, which is not to act")
