"""The functions that make environments: every option by name, with the defaults of the game's Config."""

from __future__ import annotations

import inspect
from collections.abc import Callable
from importlib import import_module
from typing import Any

import pytest

import winterkingdom_env
from winterkingdom_env import winter_kingdom_v1
from winterkingdom_env.core.version import VERSION
from winterkingdom_env.envs import aec, single, vector, write_makers
from winterkingdom_env.games import GAMES, get_game

pytestmark = pytest.mark.rule("docs/environments.md, options")
OPTIONS = {
    "raw_env": aec.OPTIONS,
    "env": (*aec.OPTIONS, "illegal_reward"),
    "single_env": single.OPTIONS,
    "vector_env": ("num_envs", "num_threads", *vector.OPTIONS),
    "learner_vector_env": (
        "num_envs", "num_threads", "opponents", "learner_seat", *(set(vector.OPTIONS) - {"autoreset_mode"}),
    ),
}  # fmt: skip
PAIRS = [(game, maker) for game in GAMES for maker in OPTIONS]


def maker_of(game: str, maker: str) -> Callable[..., Any]:
    found: Callable[..., Any] = getattr(import_module(f"winterkingdom_env.{game}_{GAMES[game]}"), maker)
    return found


@pytest.mark.parametrize(("game", "maker"), PAIRS)
def test_signature__names_every_option_with_its_default(game: str, maker: str) -> None:
    found = inspect.signature(maker_of(game, maker)).parameters
    assert not [p.name for p in found.values() if p.kind in (p.VAR_KEYWORD, p.VAR_POSITIONAL)]
    config = get_game(game).Config()
    fields = config.__struct_fields__
    assert set(found) == {*fields, *OPTIONS[maker]}
    assert {name: found[name].default for name in fields} == {name: getattr(config, name) for name in fields}


@pytest.mark.parametrize("game", GAMES)
def test_module__is_what_its_writer_writes(game: str) -> None:
    path = write_makers.PACKAGE / f"{game}_{GAMES[game]}.py"
    assert path.read_text(encoding="utf-8") == write_makers.module_text(game), (
        f"python -m winterkingdom_env.envs.write_makers {game} writes it again"
    )


def test_options__all_at_once__reach_the_environment() -> None:
    cards: dict[str, Any] = {
        "num_players": 3, "scoring": ("Miners", "Knights", "Masses"), "economy": "Salvage", "twist": "Wolves",
        "boards": "generated:5", "house_rules": "random:5",
    }  # fmt: skip
    config = get_game("winter_kingdom").Config(**cards)
    assert winter_kingdom_v1.raw_env(**cards)._dealer.config == config
    assert winter_kingdom_v1.env(**cards).unwrapped._dealer.config == config
    assert winter_kingdom_v1.single_env(**cards)._dealer.config == config
    assert winter_kingdom_v1.vector_env(2, **cards).configs == (config,)
    assert winter_kingdom_v1.learner_vector_env(2, **cards)._games.configs == (config,)


def test_configs__beside_a_changed_field__are_refused() -> None:
    configs = [get_game("winter_kingdom").Config()]
    winter_kingdom_v1.vector_env(2, configs=configs)
    choices: tuple[dict[str, Any], ...] = (
        {"num_players": 3},
        {"num_players": [2]},
        {"economy": "Salvage"},
        {"house_rules": "random:5"},
    )
    for choice in choices:
        with pytest.raises(ValueError, match="configs: they determine everything"):
            winter_kingdom_v1.vector_env(2, configs=configs, **choice)


def test_repr__of_a_vector_environment__says_what_was_chosen() -> None:
    assert repr(winter_kingdom_v1.vector_env(8, twist="Wolves", reward="score")) == (
        "VectorEnv(winter_kingdom_v1, num_envs=8, num_threads=1, num_players=2, twist='Wolves', "
        "observation='packed', reward='score', autoreset_mode='same_step')"
    )
    mixed = winter_kingdom_v1.vector_env(8, num_players=(2, 3), observation=None, autoreset_mode="disabled")
    assert repr(mixed) == (
        "VectorEnv(winter_kingdom_v1, num_envs=8, num_threads=1, n_configs=2, "
        "observation=None, reward='win', autoreset_mode='disabled')"
    )


def test_version__is_the_installed_one() -> None:
    assert winterkingdom_env.__version__ == VERSION != "unknown"


def test_repr__one_line_with_what_was_chosen() -> None:
    env = winter_kingdom_v1.raw_env(num_players=3, twist="Wolves", observation="packed")
    assert repr(env) == "RawEnv(winter_kingdom_v1, num_players=3, twist='Wolves', observation='packed', reward='win')"
    single = winter_kingdom_v1.single_env(opponents="planner", reward="margin")
    assert repr(single) == (
        "SingleEnv(winter_kingdom_v1, num_players=2, opponents=['planner'], observation='planes', reward='margin')"
    )


@pytest.mark.parametrize("make", [aec.RawEnv, single.SingleEnv, lambda game, **o: vector.VectorEnv(game, 2, **o)])
def test_class__unknown_option__is_refused_by_name_with_those_that_there_are(make: Callable[..., Any]) -> None:
    with pytest.raises(ValueError, match=r"option='colour' is not valid; choose from: 'num_players', .*'render_mode'"):
        make(get_game("winter_kingdom"), colour="red")
