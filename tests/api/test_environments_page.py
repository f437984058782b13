"""docs/environments.md: the table of options is what the functions that make environments take."""

from __future__ import annotations

import ast
import inspect
import re
from enum import Enum
from pathlib import Path
from typing import Any

import gymnasium
import pytest

from winterkingdom_env import winter_kingdom_v1

PAGE = Path(__file__).parents[2] / "docs" / "environments.md"
MAKERS = ("env", "raw_env", "vector_env", "single_env", "learner_vector_env")
REQUIRED = "required"
pytestmark = pytest.mark.skipif(not PAGE.exists(), reason="the page is in the checkout")


def codes(cell: str) -> list[str]:
    return re.findall(r"`([^`]+)`", cell)


def default_of(cell: str, maker: str) -> Any:
    """The default in a cell: for all makers, or after a maker's name."""
    if cell == REQUIRED:
        return REQUIRED
    first, *others = cell.split("; ")
    own = dict(codes(other) for other in others)
    return ast.literal_eval(own.get(maker, codes(first)[0]))


def documented() -> dict[str, dict[str, Any]]:
    """The options of every maker and their defaults, as the page has them."""
    found: dict[str, dict[str, Any]] = {maker: {} for maker in MAKERS}
    section = PAGE.read_text(encoding="utf-8").partition("\n## Options\n")[2].partition("\n## ")[0]
    for line in section.splitlines():
        if line.startswith("| `"):
            names, makers, default, _ = (cell.strip() for cell in line.strip("|").split(" | "))
            for maker in MAKERS if makers == "all" else codes(makers):
                found[maker] |= {name: default_of(default, maker) for name in codes(names)}
    return found


def taken(maker: str) -> dict[str, Any]:
    """The options of a maker and their defaults, as its signature has them."""
    parameters = inspect.signature(getattr(winter_kingdom_v1, maker)).parameters.values()
    defaults = {one.name: REQUIRED if one.default is one.empty else one.default for one in parameters}
    return {name: value.name.lower() if isinstance(value, Enum) else value for name, value in defaults.items()}


@pytest.mark.parametrize("maker", MAKERS)
def test_options__on_the_page__are_those_of_the_signature(maker: str) -> None:
    assert documented()[maker] == taken(maker)


def test_options__wrong_name_and_wrong_value__raise_what_the_page_says() -> None:
    with pytest.raises(TypeError, match="player"):
        winter_kingdom_v1.raw_env(player=2)  # type: ignore[call-arg]  # the point of the test
    with pytest.raises(ValueError, match="reward"):
        winter_kingdom_v1.raw_env(reward="wins")


def test_masks__of_method_and_info__are_bool_and_int8() -> None:
    env = gymnasium.make("WinterKingdom-v1")
    _, info = env.reset(seed=1)
    for mask in (env.unwrapped.action_masks(), env.get_wrapper_attr("action_masks")()):  # type: ignore[attr-defined]  # ours
        assert (mask.dtype, info["action_mask"].dtype) == ("bool", "int8") and (mask == info["action_mask"]).all()


def test_vector_envs__one_of_them_is_gymnasiums() -> None:
    assert isinstance(winter_kingdom_v1.learner_vector_env(1), gymnasium.vector.VectorEnv)
    assert not isinstance(winter_kingdom_v1.vector_env(1), gymnasium.vector.VectorEnv)
    assert gymnasium.spec("WinterKingdom-v1").max_episode_steps is None
