"""Which agent a text stands for, and what is said if it stands for none."""

from __future__ import annotations

import pickle
import sys
from pathlib import Path

import pytest

from winterkingdom_env.games import get_game
from winterkingdom_env.search.agents import RandomAgent
from winterkingdom_env.search.registry import AGENTS, AgentError, agent_spec, agent_texts, load_code
from winterkingdom_env.search.view import View


class Stubborn:
    """An agent of somebody's own, with options of every kind."""

    def __init__(self, seed: int = 0, depth: int = 1, share: float = 0.5, name: str = "x", loud: bool = False) -> None:
        self.given = (seed, depth, share, name, loud)

    def __call__(self, view: View) -> int:
        return view.legal_actions()[-1]


@pytest.mark.parametrize("name", [name for name in AGENTS if name != "sb3"])
def test_name__of_the_table__is_made_with_a_seed_and_can_be_pickled(name: str) -> None:
    agent = agent_spec(name).make(3)
    assert callable(agent)
    assert type(pickle.loads(pickle.dumps(agent))) is type(agent)


@pytest.mark.parametrize(
    ("listed", "texts"),
    [
        ("planner", ["planner"]),
        ("planner, greedy", ["planner", "greedy"]),
        ("search:simulations=4,threads=2,planner", ["search:simulations=4,threads=2", "planner"]),
        ("policy:path=a,b.safetensors,sample=yes,random", ["policy:path=a,b.safetensors,sample=yes", "random"]),
        ("my_bots:One:depth=3,wide=no,my_bots:Two", ["my_bots:One:depth=3,wide=no", "my_bots:Two"]),
        ("random,clever", ["random", "clever"]),
        ("", [""]),
    ],
)
def test_agent_texts__commas_between_agents_and_between_options(listed: str, texts: list[str]) -> None:
    assert agent_texts(listed) == texts


def test_option__text_with_a_comma__is_one_text() -> None:
    spec = agent_spec("policy:path=a,b,c.safetensors,sample=yes")
    assert dict(spec.options) == {"path": "a,b,c.safetensors", "sample": True}


def test_load_code__classes_of_a_file__are_agents(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "bots_of_a_test", None)  # and gone again after the test
    path = tmp_path / "bots_of_a_test.py"
    path.write_text(
        "class First:\n    def __init__(self, seed): ...\n    def __call__(self, view): return view.legal_actions()[0]\n"
    )
    assert load_code(path) == load_code(path) == "bots_of_a_test"
    game = get_game("winter_kingdom").new_game(seed=1)
    assert agent_spec("bots_of_a_test:First").make(1)(View(game, 0)) == game.legal_actions()[0]
    (tmp_path / "other").mkdir()
    (tmp_path / "other" / path.name).write_text("")
    (tmp_path / "broken_bots.py").write_text("1 / 0")
    (tmp_path / "not-a-name.py").write_text("")
    for wrong, message in (
        (tmp_path / "other" / path.name, "a module bots_of_a_test is already imported; rename the file"),
        (tmp_path / "broken_bots.py", "cannot be imported: ZeroDivisionError"),
        (tmp_path / "not-a-name.py", "a Python file is needed, with a name that can be imported"),
        (tmp_path / "nowhere.py", "a Python file is needed"),
    ):
        with pytest.raises(AgentError, match=message):
            load_code(wrong)
    assert "broken_bots" not in sys.modules


def test_random__is_the_environments_random_opponent() -> None:
    assert isinstance(agent_spec("random").make(1), RandomAgent)


def test_class__of_ones_own__gets_its_options_as_what_they_are() -> None:
    path = f"{__name__}:Stubborn"
    assert agent_spec(path).make(9).given == (9, 1, 0.5, "x", False)  # type: ignore[attr-defined]
    spec = agent_spec(f"{path}:depth=3,share=0.25,name=y,loud=yes")
    assert spec.make(2).given == (2, 3, 0.25, "y", True)  # type: ignore[attr-defined]
    assert spec.options == (("depth", 3), ("loud", True), ("name", "y"), ("share", 0.25))


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("nobody", "no agent is called 'nobody'; an agent is one of random, greedy"),
        ("", "no agent is called ''"),
        ("search:sims=3", "'sims=3' is not an option; options and their defaults: simulations=400"),
        ("search:simulations", "'simulations' is not an option"),
        ("search:simulations=many", "simulations='many' is not of type int; the default is 400"),
        (f"{__name__}:Stubborn:loud=perhaps", "loud='perhaps' is not of type bool"),
        ("no_such_module:Agent", "cannot be imported: No module named 'no_such_module'"),
        (f"{__name__}:Nobody", "cannot be imported"),
        ("math:pi", "is 3.14"),
    ],
)
def test_text__that_stands_for_nothing__is_refused_with_what_would_work(text: str, message: str) -> None:
    with pytest.raises(AgentError) as error:
        agent_spec(text)
    assert message in str(error.value)


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("search:simulations=0", "simulations must be 1 to"),
        ("search:threads=99", "threads=99: give 1 to"),
        ("search:plans=64", "plans 1 to 63"),
        ("planner:width=0", "the width of a beam is 1 to"),
        ("sb3", "the path of a saved model is needed"),
        ("sb3:path=pyproject.toml", "cannot be loaded as a MaskablePPO model"),
        ("math:sqrt", "cannot be created"),
    ],
)
def test_option__of_the_right_kind_but_no_use__is_refused_when_the_agent_is_made(text: str, message: str) -> None:
    with pytest.raises(AgentError) as error:
        agent_spec(text).make(1)
    assert message in str(error.value)
