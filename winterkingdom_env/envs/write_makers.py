"""Writes the modules with the functions that make a game's environments: ``python -m winterkingdom_env.envs.write_makers GAME``.

Every option stands in every signature, so that editors and ``help()`` show it. The options of a game, their types, defaults and meanings come
from its Config.
"""

from __future__ import annotations

import sys
import textwrap
import types
from inspect import cleandoc
from pathlib import Path
from typing import Any, NamedTuple, Union, get_args, get_origin

import msgspec

from winterkingdom_env.envs.registration import gymnasium_id
from winterkingdom_env.games import GAMES, GameRules, get_game
from winterkingdom_env.games.options import PLAYERS, meanings_of
from winterkingdom_env.render.observation_page import page_name

PACKAGE = Path(__file__).parents[1]
WIDTH = 120


class Option(NamedTuple):
    """A parameter of a maker."""

    name: str
    type: str
    default: str = ""

    @property
    def parameter(self) -> str:
        """Its line in a signature."""
        return f"{self.name}: {self.type}" + (f" = {self.default}" if self.default else "")


OBSERVATION = Option("observation", "str", '"planes"')
REWARD = Option("reward", "str", '"win"')
SKIP = Option("skip_forced", "bool", "False")
ILLEGAL = Option("illegal_reward", "float", "-1.0")
RENDER = Option("render_mode", "str | None", "None")
VIEWER = Option("viewer", "int | None", "None")
LEARNER = Option("learner_seat", "int | str", "0")
NUM_ENVS, NUM_THREADS = Option("num_envs", "int"), Option("num_threads", "int", "1")
CONFIGS = Option("configs", "Sequence[Config] | None", "None")
N_GENERATED = Option("n_generated", "int", "16")
AUTORESET = Option("autoreset_mode", "AutoresetMode | str", "AutoresetMode.SAME_STEP")


class Maker(NamedTuple):
    """A function that makes an environment. ``first`` and ``last``: its options before and after those of the game."""

    name: str
    makes: str
    first: tuple[Option, ...]
    last: tuple[Option, ...]
    doc: str
    is_batch: bool = False  # the number of players may vary


MAKERS = (
    Maker(
        "raw_env", "RawEnv", (), (OBSERVATION, REWARD, SKIP, RENDER, VIEWER),
        "The PettingZoo AEC environment without wrappers: an illegal action raises an error and changes nothing.",
    ),
    Maker(
        "env", "AECEnv", (ILLEGAL,), (OBSERVATION, REWARD, SKIP, RENDER, VIEWER),
        """The PettingZoo AEC environment with the usual wrappers.

        An illegal action ends the game, with ``illegal_reward`` for the agent that tried it.
        """,
    ),
    Maker(
        "vector_env", "VectorEnv", (NUM_ENVS, NUM_THREADS),
        (Option("observation", "str | None", '"packed"'), REWARD, SKIP, ILLEGAL, AUTORESET, CONFIGS, N_GENERATED, RENDER),
        """``num_envs`` games that step together, in buffers that the environment owns (docs/environments.md).

        num_threads     threads that share the games, including the calling one
        num_players     a number, or several, from which every game draws one
        observation     None: masks only
        illegal_reward  the reward for an illegal action, which does not change the game and is marked in ``Turns.illegal``
        autoreset_mode  "same_step", "next_step" or "disabled" (Gymnasium's AutoresetMode)
        configs         Configs from which every game draws one, instead of the options of the game
        n_generated     with options that are drawn for a seed (house_rules="random"): how many of them to generate and draw from
        """,
        is_batch=True,
    ),
    Maker(
        "single_env", "SingleEnv", (Option("opponents", "OpponentSpec | Sequence[OpponentSpec]", '"random"'), LEARNER),
        (OBSERVATION, REWARD, SKIP, ILLEGAL, RENDER, VIEWER),
        """The Gymnasium environment: one learner, the other seats played by ``opponents``.

        opponents       one for all other seats, or one per seat, starting after the learner; each a name (docs/agents.md), a function of a
                        View, or "package.module:Class"
        learner_seat    a seat, or "random": drawn from the game's seed
        illegal_reward  the reward for an illegal action, which does not change the game
        """,
    ),
    Maker(
        "learner_vector_env", "LearnerVectorEnv",
        (NUM_ENVS, NUM_THREADS, Option("opponents", "BatchOpponent | Sequence[BatchOpponent]", '"random"'), LEARNER),
        (OBSERVATION, REWARD, SKIP, ILLEGAL, CONFIGS, N_GENERATED, RENDER),
        """Many games with one learner in each, as a Gymnasium vector environment; options as in ``vector_env`` and ``single_env``.

        opponents   as in ``single_env``; a function gets arrays of all waiting games instead of a View (``LearnerVectorEnv``)
        """,
        is_batch=True,
    ),
)  # fmt: skip
HEAD = '''"""{title}, version {number}, as environments (written by winterkingdom_env.envs.write_makers).

    env, raw_env            PettingZoo AEC, with and without the usual wrappers
    vector_env              many games at once, all seats
    single_env              Gymnasium, one learner against opponents: ``gymnasium.make("{id}")``
    learner_vector_env      many of these: ``gymnasium.make_vec("{id}", 64)``
    unpack, unpack_torch    packed observations as planes and vector (docs/{page})

The options that all share:

{options}
"""

from __future__ import annotations

from collections.abc import Sequence

from gymnasium.vector import AutoresetMode
from pettingzoo import AECEnv

from winterkingdom_env.envs.aec import RawEnv, wrap
from winterkingdom_env.envs.learner_vector import BatchOpponent, LearnerVectorEnv
from winterkingdom_env.envs.opponents import OpponentSpec
from winterkingdom_env.envs.single import SingleEnv
from winterkingdom_env.envs.vector import WAIT, Turns, VectorEnv
from winterkingdom_env.games import get_game
from winterkingdom_env.games.{game} import Config

RULES = get_game("{game}")
N_ACTIONS = RULES.N_ACTIONS
SCORE_SCALE = RULES.SCORE_SCALE
unpack = RULES.OBSERVATION.unpack
unpack_torch = RULES.OBSERVATION.unpack_torch

__all__ = [
    "N_ACTIONS",
    "SCORE_SCALE",
    "WAIT",
    "Turns",
    "env",
    "learner_vector_env",
    "raw_env",
    "single_env",
    "unpack",
    "unpack_torch",
    "vector_env",
]
'''
SHARED = {
    "observation": '"planes" (uint8 planes and a float32 vector), "packed" (uint32 words, the same content) or "actions" (float32 numbers of the '
    "position, and a row of features per legal action)",
    "reward": '"win" (winners share 1, the others share -1), "margin" (score minus the mean score of the others, divided by SCORE_SCALE; '
    'both at the end, zero-sum) or "score" (at every step, the change of the own score)',
    "skip_forced": "apply an action automatically if it is the only legal one",
    "render_mode": 'None, "human" (prints), "ansi" (text), "rgb_array" (pixels; needs Pillow) or "svg" (text of an SVG file)',
    "viewer": "the seat whose view is rendered; None renders everything, including hidden hands",
}


def type_text(kind: Any) -> str:
    """A type of a Config's field as it is written in a signature; a tuple may be given as any sequence."""
    if get_origin(kind) in (Union, types.UnionType):
        return " | ".join(map(type_text, get_args(kind)))
    if get_origin(kind) is tuple:
        return f"Sequence[{type_text(get_args(kind)[0])}]"
    return "None" if kind is type(None) else str(kind.__name__)


def options_of(rules: GameRules, is_batch: bool) -> tuple[Option, ...]:
    """The options of a game."""
    found = []
    for field in msgspec.structs.fields(rules.Config):
        kind = type_text(field.type)
        is_several = is_batch and field.name == PLAYERS
        default = field.default if isinstance(field.default, str) else None
        text = f'"{default}"' if default is not None else repr(field.default)
        found.append(Option(field.name, f"{kind} | Sequence[{kind}]" if is_several else kind, text))
    return tuple(found)


def described(meanings: dict[str, str]) -> str:
    """Names and meanings in two columns."""
    left = max(map(len, meanings)) + 2
    lines = []
    for name, words in meanings.items():
        first, *rest = textwrap.wrap(words, WIDTH - 4 - left)
        lines += [f"    {name:{left}}{first}", *(f"    {'':{left}}{line}" for line in rest)]
    return "\n".join(lines)


def signature(maker: Maker, options: tuple[Option, ...]) -> str:
    """The first lines of a maker's definition."""
    lines = "".join(f"    {option.parameter},\n" for option in (*maker.first, *options, *maker.last))
    return f"def {maker.name}(\n{lines}) -> {maker.makes}:\n"


def docstring(maker: Maker) -> str:
    """The docstring of a maker, indented."""
    first, *rest = cleandoc(maker.doc).splitlines()
    if not rest:
        return f'    """{first}"""\n'
    body = "".join(f"    {line}\n" if line else "\n" for line in rest)
    return f'    """{first}\n{body}    """\n'


def body(maker: Maker, options: tuple[Option, ...]) -> str:
    """What a maker does."""
    if maker.name == "env":
        raw = next(other for other in MAKERS if other.name == "raw_env")
        given = "".join(f"        {option.name}={option.name},\n" for option in (*options, *raw.last))
        return f"    raw = raw_env(\n{given}    )\n    return wrap(raw, illegal_reward)\n"
    listed = [option.name for option in maker.first if not option.default or option is NUM_THREADS]
    named = [option for option in (*maker.first, *options, *maker.last) if option.name not in listed]
    lines = "".join(f"        {name},\n" for name in ("RULES", *listed))
    lines += "".join(f"        {option.name}={option.name},\n" for option in named)
    return f"    return {maker.makes}(\n{lines}    )\n"


def module_text(game: str) -> str:
    """The whole module of a game."""
    rules = get_game(game)
    head = HEAD.format(
        title=rules.TITLE, number=GAMES[game].lstrip("v"), game=game, id=gymnasium_id(game), page=page_name(game),
        options=described(meanings_of(rules) | SHARED),
    )  # fmt: skip
    parts = [head]
    for maker in MAKERS:
        options = options_of(rules, maker.is_batch)
        parts.append(signature(maker, options) + docstring(maker) + body(maker, options))
    return "\n\n".join(parts)


def main(arguments: list[str] | None = None) -> int:
    """Write the modules of the named games, or of all."""
    for game in (sys.argv[1:] if arguments is None else arguments) or GAMES:
        path = PACKAGE / f"{game}_{GAMES[game]}.py"
        path.write_text(module_text(game), encoding="utf-8")
        print(path.name)
    return 0


if __name__ == "__main__":
    sys.exit(main())
