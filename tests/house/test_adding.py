"""What somebody who adds a game forgets is refused by name, when the game is made and not when it is played."""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
import pytest

from examples.duels import RULES, Config, Game
from examples.duels.world import World
from tests.house.games import EXAMPLE_ADDRESS
from winterkingdom_env.cli.warming import warm_all
from winterkingdom_env.core import batch, verbs
from winterkingdom_env.core._jit import kernel
from winterkingdom_env.core.verbs import Generic, implements
from winterkingdom_env.envs.single import SingleEnv
from winterkingdom_env.envs.vector import VectorEnv
from winterkingdom_env.games.simple import SimpleConfig, SimpleGame
from winterkingdom_env.search.actor import Actor


class Lacking(NamedTuple):
    """Has other names than a World."""

    games: Any
    boards: Any
    legal: Any
    sheets: Any
    rules: Any
    setups: Any


def test_world__with_other_names__is_refused() -> None:
    with pytest.raises(
        ValueError,
        match=r"is not a World: .* games, boards, legals, sheets .* rules, requests; found games, boards, legal,",
    ):
        verbs.tell_sizes(Lacking, 2, 3, 0, RULES.OBSERVATION)


def test_verb__with_other_arguments__is_refused() -> None:
    @kernel
    def score(world, i, seat):
        return 0

    with pytest.raises(ValueError, match=r"implements score\(world, i\) as a function of \(world, i, seat\)"):
        implements(verbs.score, Lacking)(score)


@pytest.mark.parametrize(
    "name", ["TITLE", "PHASES", "LABELS", "EXAMPLES", "COLUMNS", "PLAYERS", "CONFIG", "GAME_DTYPE"]
)
def test_game__that_does_not_say_something__is_refused(name: str) -> None:
    said = {key: getattr(Game, key) for key in (
        "NAME", "TITLE", "VERSION", "WORLD", "CONFIG", "SPEC", "GAME_DTYPE", "BOARD_DTYPE", "PLAYERS", "PHASES", "LABELS", "EXAMPLES", "COLUMNS",
    ) if key != name}  # fmt: skip
    with pytest.raises(ValueError, match=f"Mine does not define .*{name}"):
        type("Mine", (SimpleGame,), {**said, "__slots__": ()})


def test_config__of_another_game_or_without_ranges__is_refused() -> None:
    class Tuples(SimpleConfig, frozen=True):
        NAME = "duels"
        RANGES = {"num_players": (2, 5)}  # type: ignore[dict-item]  # what is refused

    class Other(SimpleConfig, frozen=True):
        NAME = "other"
        RANGES = {"num_players": range(2, 6)}

    for config, words in (
        (Tuples, "num_players needs a range in RANGES"),
        (Other, "CONFIG.NAME is 'other', NAME 'duels'"),
    ):
        said = {key: getattr(Game, key) for key in ("NAME", "TITLE", "VERSION", "WORLD", "SPEC", "GAME_DTYPE", "BOARD_DTYPE", "PLAYERS", "PHASES", "LABELS", "EXAMPLES", "COLUMNS")}  # fmt: skip
        with pytest.raises(ValueError, match=words):
            type("Mine", (SimpleGame,), {**said, "CONFIG": config, "__slots__": ()})


def test_warm__calls_every_kernel_that_python_calls() -> None:
    warm_all(EXAMPLE_ADDRESS)
    words = {name: word for name, word in vars(batch).items() if isinstance(word, Generic)}
    called = [name for name in words if name.endswith(("_all", "_random"))]
    assert len(called) >= 12
    assert [name for name in called if World not in words[name]._kernels] == []


def test_warm__and_gather__stay_within_their_arrays() -> None:
    warm_all(EXAMPLE_ADDRESS)
    env = VectorEnv(RULES, 8, num_players=5)
    env.reset(seed=1)
    actor = Actor(env.batch, 1)
    actor.look()
    n = int(actor.n_moves.sum())
    moves, features = np.zeros(n, np.int16), np.zeros((n, actor.features.shape[2]), np.float32)
    assert actor.gather(actor.n_moves, 0, moves, features) == n
    with pytest.raises(ValueError, match=f"room for {n} moves; {n + 1} are needed"):
        actor.gather(actor.n_moves, 1, moves, features)


def test_single_env__takes_rules_as_well_as_a_name() -> None:
    env = SingleEnv(RULES, num_players=3, opponents="random")
    observation, _ = env.reset(seed=3)
    assert env.observation_space.contains(observation)
    assert type(RULES.Config()) is Config and RULES.World is World
