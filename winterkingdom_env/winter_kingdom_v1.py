"""Winter Kingdom, version 1, as environments (written by winterkingdom_env.envs.write_makers).

    env, raw_env            PettingZoo AEC, with and without the usual wrappers
    vector_env              many games at once, all seats
    single_env              Gymnasium, one learner against opponents: ``gymnasium.make("WinterKingdom-v1")``
    learner_vector_env      many of these: ``gymnasium.make_vec("WinterKingdom-v1", 64)``
    unpack, unpack_torch    packed observations as planes and vector (docs/observation.md)

The options that all share:

    num_players  2 to 4
    scoring      names of three different Winter Kingdom cards, or None
    economy      name of an economy card, or None
    twist        name of a twist card, "random", or None for a game without one
    boards       "standard" (the 14 sides of this project), "generated" (14 new sides from the game's seed),
                 "generated:5" (from seed 5, independent of the game's seed), or the path of a board file
    house_rules  "" for the cards as printed, the path or the content of a TOML file (docs/house_rules.md), "random"
                 (moderate variations from the game's seed), or "random:5" (from seed 5); stored as content
    observation  "planes" (uint8 planes and a float32 vector), "packed" (uint32 words, the same content) or "actions"
                 (float32 numbers of the position, and a row of features per legal action)
    reward       "win" (winners share 1, the others share -1), "margin" (score minus the mean score of the others,
                 divided by SCORE_SCALE; both at the end, zero-sum) or "score" (at every step, the change of the own
                 score)
    skip_forced  apply an action automatically if it is the only legal one
    render_mode  None, "human" (prints), "ansi" (text), "rgb_array" (pixels; needs Pillow) or "svg" (text of an SVG
                 file)
    viewer       the seat whose view is rendered; None renders everything, including hidden hands
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
from winterkingdom_env.games.winter_kingdom import Config

RULES = get_game("winter_kingdom")
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


def raw_env(
    num_players: int = 2,
    scoring: Sequence[str] | None = None,
    economy: str | None = None,
    twist: str | None = None,
    boards: str = "standard",
    house_rules: str = "",
    observation: str = "planes",
    reward: str = "win",
    skip_forced: bool = False,
    render_mode: str | None = None,
    viewer: int | None = None,
) -> RawEnv:
    """The PettingZoo AEC environment without wrappers: an illegal action raises an error and changes nothing."""
    return RawEnv(
        RULES,
        num_players=num_players,
        scoring=scoring,
        economy=economy,
        twist=twist,
        boards=boards,
        house_rules=house_rules,
        observation=observation,
        reward=reward,
        skip_forced=skip_forced,
        render_mode=render_mode,
        viewer=viewer,
    )


def env(
    illegal_reward: float = -1.0,
    num_players: int = 2,
    scoring: Sequence[str] | None = None,
    economy: str | None = None,
    twist: str | None = None,
    boards: str = "standard",
    house_rules: str = "",
    observation: str = "planes",
    reward: str = "win",
    skip_forced: bool = False,
    render_mode: str | None = None,
    viewer: int | None = None,
) -> AECEnv:
    """The PettingZoo AEC environment with the usual wrappers.

    An illegal action ends the game, with ``illegal_reward`` for the agent that tried it.
    """
    raw = raw_env(
        num_players=num_players,
        scoring=scoring,
        economy=economy,
        twist=twist,
        boards=boards,
        house_rules=house_rules,
        observation=observation,
        reward=reward,
        skip_forced=skip_forced,
        render_mode=render_mode,
        viewer=viewer,
    )
    return wrap(raw, illegal_reward)


def vector_env(
    num_envs: int,
    num_threads: int = 1,
    num_players: int | Sequence[int] = 2,
    scoring: Sequence[str] | None = None,
    economy: str | None = None,
    twist: str | None = None,
    boards: str = "standard",
    house_rules: str = "",
    observation: str | None = "packed",
    reward: str = "win",
    skip_forced: bool = False,
    illegal_reward: float = -1.0,
    autoreset_mode: AutoresetMode | str = AutoresetMode.SAME_STEP,
    configs: Sequence[Config] | None = None,
    n_generated: int = 16,
    render_mode: str | None = None,
) -> VectorEnv:
    """``num_envs`` games that step together, in buffers that the environment owns (docs/environments.md).

    num_threads     threads that share the games, including the calling one
    num_players     a number, or several, from which every game draws one
    observation     None: masks only
    illegal_reward  the reward for an illegal action, which does not change the game and is marked in ``Turns.illegal``
    autoreset_mode  "same_step", "next_step" or "disabled" (Gymnasium's AutoresetMode)
    configs         Configs from which every game draws one, instead of the options of the game
    n_generated     with options that are drawn for a seed (house_rules="random"): how many of them to generate and draw from
    """
    return VectorEnv(
        RULES,
        num_envs,
        num_threads,
        num_players=num_players,
        scoring=scoring,
        economy=economy,
        twist=twist,
        boards=boards,
        house_rules=house_rules,
        observation=observation,
        reward=reward,
        skip_forced=skip_forced,
        illegal_reward=illegal_reward,
        autoreset_mode=autoreset_mode,
        configs=configs,
        n_generated=n_generated,
        render_mode=render_mode,
    )


def single_env(
    opponents: OpponentSpec | Sequence[OpponentSpec] = "random",
    learner_seat: int | str = 0,
    num_players: int = 2,
    scoring: Sequence[str] | None = None,
    economy: str | None = None,
    twist: str | None = None,
    boards: str = "standard",
    house_rules: str = "",
    observation: str = "planes",
    reward: str = "win",
    skip_forced: bool = False,
    illegal_reward: float = -1.0,
    render_mode: str | None = None,
    viewer: int | None = None,
) -> SingleEnv:
    """The Gymnasium environment: one learner, the other seats played by ``opponents``.

    opponents       one for all other seats, or one per seat, starting after the learner; each a name (docs/agents.md), a function of a
                    View, or "package.module:Class"
    learner_seat    a seat, or "random": drawn from the game's seed
    illegal_reward  the reward for an illegal action, which does not change the game
    """
    return SingleEnv(
        RULES,
        opponents=opponents,
        learner_seat=learner_seat,
        num_players=num_players,
        scoring=scoring,
        economy=economy,
        twist=twist,
        boards=boards,
        house_rules=house_rules,
        observation=observation,
        reward=reward,
        skip_forced=skip_forced,
        illegal_reward=illegal_reward,
        render_mode=render_mode,
        viewer=viewer,
    )


def learner_vector_env(
    num_envs: int,
    num_threads: int = 1,
    opponents: BatchOpponent | Sequence[BatchOpponent] = "random",
    learner_seat: int | str = 0,
    num_players: int | Sequence[int] = 2,
    scoring: Sequence[str] | None = None,
    economy: str | None = None,
    twist: str | None = None,
    boards: str = "standard",
    house_rules: str = "",
    observation: str = "planes",
    reward: str = "win",
    skip_forced: bool = False,
    illegal_reward: float = -1.0,
    configs: Sequence[Config] | None = None,
    n_generated: int = 16,
    render_mode: str | None = None,
) -> LearnerVectorEnv:
    """Many games with one learner in each, as a Gymnasium vector environment; options as in ``vector_env`` and ``single_env``.

    opponents   as in ``single_env``; a function gets arrays of all waiting games instead of a View (``LearnerVectorEnv``)
    """
    return LearnerVectorEnv(
        RULES,
        num_envs,
        num_threads,
        opponents=opponents,
        learner_seat=learner_seat,
        num_players=num_players,
        scoring=scoring,
        economy=economy,
        twist=twist,
        boards=boards,
        house_rules=house_rules,
        observation=observation,
        reward=reward,
        skip_forced=skip_forced,
        illegal_reward=illegal_reward,
        configs=configs,
        n_generated=n_generated,
        render_mode=render_mode,
    )
