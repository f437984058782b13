"""Shared parts of all environments: validation of options, seeds, spaces, rewards, rendering."""

from __future__ import annotations

import copy
import os
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from numbers import Real
from typing import Any

import msgspec
import numpy as np
from gymnasium import spaces

from winterkingdom_env.core.arguments import is_integer
from winterkingdom_env.core.rewards import Reward, add_rewards
from winterkingdom_env.core.rng import MASK_64, Stream, seed_state
from winterkingdom_env.core.verbs import N_KINDS
from winterkingdom_env.games import Game, GameRules, get_game
from winterkingdom_env.render import Look, picture_of
from winterkingdom_env.search.action_rows import ACTIONS, FORMS, count_rows
from winterkingdom_env.search.network import count_context

RENDER_MODES = ("human", "ansi", "rgb_array", "svg")
REWARDS = tuple(kind.name.lower() for kind in Reward)
RESET_OPTIONS = ("config", "setup")
SEED_BITS = 63
SEAT_SALT = 0x5EA7  # the learner's seat must not correlate with the draws of the game
MOST_PAID = float(np.finfo(np.float32).max)


def choose(name: str, value: Any, known: Iterable[Any]) -> Any:
    """The member of ``known`` that equals ``value`` (None, a string or an integer). Raises ValueError, listing them, if there is none."""
    known = tuple(known)
    for one in known:
        # 1.0, True and a numpy timedelta of 1 compare equal to the seat 1.
        is_kind = isinstance(value, str) if isinstance(one, str) else is_integer(value)
        if value is one or (is_kind and value == one):
            return one
    raise ValueError(f"{name}={value!r} is not valid; choose from: {', '.join(map(repr, known))}")


def is_same(value: Any, usual: Any) -> bool:
    """Whether an option has its default value (None, a string or a number)."""
    return value is usual or (type(value) is type(usual) and bool(value == usual))


def flag(name: str, value: Any) -> bool:
    """A bool. Raises ValueError for anything that is only truthy, such as the string "no"."""
    if not isinstance(value, bool | np.bool_):
        raise ValueError(f"{name}={value!r} is not valid; choose from: False, True")
    return bool(value)


def bounded_seed(seed: Any) -> int:
    """The seed of an environment as a plain int. Raises ValueError if it is not an integer, negative or too large."""
    if not is_integer(seed) or not 0 <= seed < 1 << SEED_BITS:
        raise ValueError(f"seed={seed!r}: a seed is an integer from 0 to 2**{SEED_BITS} - 1")
    return int(seed)


def reward_kind(reward: str) -> Reward:
    """The kind of reward with this name."""
    return Reward[choose("reward", reward, REWARDS).upper()]


def check_names(module: GameRules, choices: Iterable[str], others: Iterable[str] = ()) -> None:
    """Raise ValueError if a choice is not a field of the game's Config; the message also lists ``others``."""
    for name in choices:
        choose("option", name, (*module.Config.__struct_fields__, *others))


def finite(name: str, value: Any) -> float:
    """A finite reward. Raises ValueError if it is not one."""
    is_number = isinstance(value, Real) and not isinstance(value, bool | np.timedelta64)
    if not is_number or not -MOST_PAID <= value <= MOST_PAID:  # False for nan
        raise ValueError(
            f"{name}={value!r} is not a valid reward; give a finite number, such as -1.0, the reward for losing"
        )
    return float(value)


@dataclass(frozen=True)
class State:
    """A snapshot of an environment, returned by ``get_state`` and accepted by ``set_state``; it can be pickled."""

    made_by: str
    _values: Any = field(repr=False)


class Seeds:
    """The source of game seeds: a given seed, or else the next one of the stream that it started."""

    def __init__(self) -> None:
        """Start from system entropy; ``next(seed)`` makes games reproducible."""
        self._stream = Stream(int.from_bytes(os.urandom(8), "little"))

    def __copy__(self) -> Seeds:
        twin = Seeds()
        twin._stream = Stream(self._stream.state)
        return twin

    def next(self, seed: int | None = None) -> int:
        """The seed for the next game."""
        if seed is None:
            return self._stream.next_word() >> (64 - SEED_BITS)
        self._stream = Stream((bounded_seed(seed) + 1) & MASK_64)
        return bounded_seed(seed)


def observation_space(rules: GameRules, form: str, has_mask: bool = False) -> spaces.Dict:
    """The space of an observation, with or without the action mask."""
    parts: dict[str, spaces.Space[Any]] = {}
    spec = rules.OBSERVATION
    if choose("observation", form, FORMS) == ACTIONS:
        parts = _spaces_of_rows(rules)
    elif form == "packed":
        parts["observation"] = spaces.Box(0, np.iinfo(np.uint32).max, (spec.n_words,), np.uint32)
    else:
        parts["observation"] = spaces.Box(0, 1, spec.planes_shape, np.uint8)
        parts["vector"] = spaces.Box(spec.least, spec.most, dtype=np.float32)
    if has_mask:
        parts["action_mask"] = spaces.Box(0, 1, (rules.N_ACTIONS,), np.int8)
    return spaces.Dict(parts)


def _spaces_of_rows(rules: GameRules) -> dict[str, spaces.Space[Any]]:
    """The spaces of the parts of an observation "actions"; numbers that a game computes have no known bounds."""
    spec, n_rows = rules.OBSERVATION, count_rows(rules)
    unbounded = np.full(count_context(rules.World) - spec.n_entries, np.inf, np.float32)
    least, most = np.concatenate([spec.least, -unbounded]), np.concatenate([spec.most, unbounded])
    return {
        "observation": spaces.Box(least, most, dtype=np.float32),
        "actions": spaces.Box(-1, rules.N_ACTIONS - 1, (n_rows,), np.int16),
        "kinds": spaces.Box(0, N_KINDS.of(rules.World) - 1, (n_rows,), np.int16),
        "features": spaces.Box(-np.inf, np.inf, (n_rows, len(rules.FEATURES)), np.float32),
        "row_mask": spaces.Box(0, 1, (n_rows,), np.int8),
    }


def described(config: Any) -> dict[str, Any]:
    """The fields of a Config that a repr shows: the number of players, and what differs from the default."""
    usual = type(config)()
    changed = (name for name in config.__struct_fields__ if getattr(config, name) != getattr(usual, name))
    return {name: getattr(config, name) for name in dict.fromkeys(("num_players", *changed))}


def repr_of(kind: str, name: str, told: Mapping[str, Any]) -> str:
    """One line about an environment."""
    return f"{kind}({', '.join([name, *(f'{key}={value!r}' for key, value in told.items())])})"


class Dealer:
    """Creates the games of an environment from its config, a seed, and ``reset(options=...)``."""

    def __init__(self, module: GameRules, **choices: Any) -> None:
        """Check the choices now, not in the first reset. ``choices``: fields of the game's Config."""
        check_names(module, choices)
        self.module = module
        self.config = module.Config(**choices)
        self.seeds = Seeds()

    def __getstate__(self) -> dict[str, Any]:
        return {**vars(self), "module": self.module.NAME}  # a module can be neither copied nor pickled

    def __setstate__(self, state: dict[str, Any]) -> None:
        vars(self).update({**state, "module": get_game(state["module"])})

    def deal(self, seed: int | None, options: Mapping[str, Any] | None) -> Game:
        """A new game. Options: "config", Config fields for this game only; "setup", a complete set-up."""
        options = {} if options is None else options
        if not isinstance(options, Mapping):
            raise ValueError(f"options={options!r} is not a dictionary; its keys can be: {', '.join(RESET_OPTIONS)}")
        for name in options:
            choose("options", name, RESET_OPTIONS)
        if len(options) > 1:
            raise ValueError("options: give either a config or a set-up, not both: the set-up determines everything")
        config = self._config(options.get("config"))
        stream = copy.copy(self.seeds)
        number = self.seeds.next(seed)
        try:
            return self._checked(options, config, number)
        except ValueError:
            self.seeds = stream  # a failed reset does not change the next games
            raise

    def _checked(self, options: Mapping[str, Any], config: Any, number: int) -> Game:
        """The requested game. Raises ValueError if it does not fit this environment."""
        if options.get("setup") is not None:
            game: Game = self.module.from_setup(options["setup"])
        else:
            game = self.module.new_game(config, number)
        if game.n_players != self.config.num_players:
            raise ValueError(
                f"options: a game for {game.n_players} players in an environment for {self.config.num_players}; "
                f"create one with num_players={game.n_players}"
            )
        return game

    def _config(self, changes: Any) -> Any:
        if changes is None or isinstance(changes, self.module.Config):
            return changes or self.config
        if not isinstance(changes, Mapping):
            raise ValueError(f"options: config={changes!r} is neither a Config nor a dictionary of its fields")
        fields = self.module.Config.__struct_fields__
        for name in changes:
            choose("options: field of config", name, fields)
        return msgspec.structs.replace(self.config, **changes)


class Purse:
    """Computes the rewards of one game, step by step."""

    def __init__(self, kind: Reward, score_scale: float, scores: Sequence[int]) -> None:
        """Start with the scores of a new game, which give no reward."""
        self.kind, self.n_players = kind, len(scores)
        self._scale = np.float32(score_scale)
        self._scores = np.array(scores, np.int64)

    def pay(self, game: Game) -> list[float]:
        """The rewards per seat since the last call."""
        rewards = np.zeros(self.n_players, np.float32)
        is_over = game.is_over
        if self.kind == Reward.SCORE or is_over:
            scores, ranks = np.array(game.scores(), np.int64), np.array(game.ranks(), np.int64)
            add_rewards(int(self.kind), self._scores, scores, ranks, self.n_players, is_over, self._scale, rewards)
            self._scores = scores
        return [float(reward) for reward in rewards]


def seat_of_learner(choice: int | str, seed: int, n_players: int) -> int:
    """The learner's seat: the given one, or drawn from the game's seed for "random"."""
    return Stream(seed_state(seed) ^ SEAT_SALT).draw(n_players) if isinstance(choice, str) else choice


def skip_forced(game: Game) -> None:
    """While there is exactly one legal action, apply it."""
    while len(legal := game.legal_actions()) == 1:
        game.apply(legal[0])


def render(game: Game, mode: str | None, viewer: int | None = None) -> Any:
    """Render a game: text ("ansi"), printed text ("human"), pixels ("rgb_array") or the text of an SVG file ("svg").

    ``viewer``: the seat whose view is rendered, without other hands; None renders everything.
    """
    legal = [game.label(action) for action in game.legal_actions()] if viewer in (None, game.seat) else []
    picture = picture_of(game, Look(viewer, legal, game.score_sheet()))
    if mode == "svg":
        from winterkingdom_env.render import svg

        return svg.render(picture)
    if mode == "rgb_array":
        from winterkingdom_env.render import raster

        return raster.render(picture)
    from winterkingdom_env.render import text

    if mode == "ansi":
        return text.render(picture, colour=False)
    from rich.console import Console

    Console().print(text.view(picture))
    return None
