"""The Agent protocol, and which agent a text stands for.

An agent is a callable object: it is shown a ``View`` (what its seat may see, and games that could be the true one) and answers one of
``view.legal_actions()``. It is made for every game, by its class, with a seed and its options:

    random                              a name from AGENTS
    search:simulations=400,threads=2    the same with options
    my_package.my_module:MyAgent        a class of your own, importable from here
    my_module:MyAgent:depth=3           with options

An option is a parameter of the class that is known by its name and a default of the kind that is to be given: int, float, str or bool.
"""

from __future__ import annotations

import inspect
from collections.abc import Callable
from dataclasses import dataclass
from importlib import import_module
from typing import Any, Protocol

from winterkingdom_env.games import GameRules
from winterkingdom_env.search.view import View

# Where each named agent lives; imported when it is asked for, since some need packages of their own. The last two live beside the package.
AGENTS = {
    "random": "winterkingdom_env.search.agents:RandomAgent",
    "greedy": "winterkingdom_env.search.agents:GreedyAgent",
    "planner": "winterkingdom_env.search.agents:PlannerAgent",
    "search": "winterkingdom_env.search.agents:SearchAgent",
    "policy": "winterkingdom_env.search.policy:PolicyAgent",
    "sb3": "agents.sb3:Sb3Agent",
    "human": "agents.human:HumanAgent",
}
TRUE, FALSE = ("true", "yes", "on", "1"), ("false", "no", "off", "0")


def how() -> str:
    """What texts stand for an agent."""
    return (
        f"an agent is one of {', '.join(AGENTS)}, with options as in 'search:simulations=400', "
        "or a class of your own as in 'package.module:Class'"
    )


class Agent(Protocol):
    """Whatever plays a seat. It should be picklable, and the same seed should give the same answers to the same views.

    It may have a method ``get_ready(rules)``, which is called before games are played where that is possible: a ValueError refuses the game.
    """

    def __call__(self, view: View) -> int:
        """The action to take: one of ``view.legal_actions()``."""


def get_ready(agent: Agent, rules: GameRules) -> None:
    """Let an agent load what it needs for a game; a ValueError of its own says that it cannot play it."""
    prepare = getattr(agent, "get_ready", None)
    if prepare is not None:
        prepare(rules)


class AgentError(ValueError):
    """A text stands for no agent, or its options are wrong."""


@dataclass(frozen=True)
class AgentSpec:
    """What a text stands for: a class and its options. ``make(seed)`` makes the agent for one game."""

    text: str
    factory: Callable[..., Any]
    options: tuple[tuple[str, Any], ...]

    def make(self, seed: int) -> Agent:
        """The agent, ready to play a game; AgentError if its class refuses the options."""
        try:
            agent = self.factory(seed=seed, **dict(self.options))
        except TypeError as error:
            raise AgentError(
                f"agent {self.text!r} cannot be made: {error}; an agent's class takes seed=<number> and its options by their names"
            ) from error
        except ValueError as error:
            raise AgentError(f"agent {self.text!r} cannot be made: {error}") from error
        if not callable(agent):
            raise AgentError(f"agent {self.text!r} is {agent!r}; a callable object that takes a View is needed")
        return agent  # type: ignore[no-any-return]  # what it answers is checked move by move


def _imported(path: str, text: str) -> Callable[..., Any]:
    module, _, attribute = path.partition(":")
    try:
        factory = getattr(import_module(module), attribute)
    except (ImportError, AttributeError, ValueError, TypeError) as error:
        raise AgentError(f"agent {text!r} cannot be imported: {error}; {how()}") from error
    if not callable(factory):
        raise AgentError(f"agent {text!r} is {factory!r}; {how()}")
    return factory  # type: ignore[no-any-return]  # only calling it tells


def _known_options(factory: Callable[..., Any], text: str) -> dict[str, Any]:
    """Parameters with a default, other than the seed; AgentError if nobody can tell."""
    try:
        parameters = inspect.signature(factory).parameters
    except (TypeError, ValueError):
        raise AgentError(f"agent {text!r} is {factory!r}, whose options nobody can tell; {how()}") from None
    return {
        name: parameter.default
        for name, parameter in parameters.items()
        if name != "seed" and parameter.default is not parameter.empty
    }


def _converted(text: str, name: str, word: str, default: Any) -> Any:
    """The option's value, of the kind of its default."""
    kind = str if default is None else type(default)
    try:
        if kind is bool:
            if word.lower() not in TRUE + FALSE:
                raise ValueError
            return word.lower() in TRUE
        return kind(word)
    except ValueError:
        raise AgentError(f"agent {text!r}: {name}={word!r} is no {kind.__name__}; the default is {default!r}") from None


def agent_spec(text: str) -> AgentSpec:
    """What ``text`` stands for; AgentError, a ValueError, if it stands for nothing and says what would."""
    name, _, rest = text.strip().partition(":")
    if name in AGENTS:
        path, words = AGENTS[name], rest
    elif rest:
        attribute, _, words = rest.partition(":")
        path = f"{name}:{attribute}"
    else:
        raise AgentError(f"no agent is called {text!r}; {how()}")
    factory = _imported(path, text)
    known, options = _known_options(factory, text), {}
    for part in filter(None, words.split(",")):
        key, equals, word = part.partition("=")
        if not equals or key not in known:
            listed = ", ".join(f"{option}={default!r}" for option, default in known.items()) or "none"
            raise AgentError(f"agent {text!r}: {part!r} is no option; options and their defaults: {listed}")
        options[key] = _converted(text, key, word, known[key])
    return AgentSpec(text.strip(), factory, tuple(sorted(options.items())))
