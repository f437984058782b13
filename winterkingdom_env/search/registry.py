"""The Agent protocol, and the text form of agents.

An agent is a callable object: it takes a ``View`` (the observation of its seat, and determinized games) and returns one of
``view.legal_actions()``. It is created for every game, from its class, with a seed and its options:

    random                              a name from AGENTS
    search:simulations=400,threads=2    the same with options
    my_package.my_module:MyAgent        your own class, importable from here
    my_module:MyAgent:depth=3           with options

An option is a keyword parameter of the class with a default of type int, float, str or bool.
"""

from __future__ import annotations

import importlib.util
import inspect
import sys
from collections.abc import Callable
from dataclasses import dataclass
from importlib import import_module
from pathlib import Path
from typing import Any, Protocol

from winterkingdom_env.games import GameRules, get_game, known_games
from winterkingdom_env.search.view import View

# The class of each named agent, imported on first use because some need optional packages. sb3 is outside this package.
AGENTS = {
    "random": "winterkingdom_env.search.agents:RandomAgent",
    "greedy": "winterkingdom_env.search.agents:GreedyAgent",
    "planner": "winterkingdom_env.search.agents:PlannerAgent",
    "search": "winterkingdom_env.search.agents:SearchAgent",
    "policy": "winterkingdom_env.search.policy:PolicyAgent",
    "turn": "winterkingdom_env.search.turn_agent:TurnAgent",
    "sb3": "agents.sb3:Sb3Agent",
    "human": "winterkingdom_env.cli.human:HumanAgent",
}
CODE: list[str] = []  # files that load_code imported, in their order: another process needs them, too
GETTING_READY = 300.0  # seconds that an agent may take before a game: imports, weights, kernels
LONGEST_OUTPUT = 1 << 20  # bytes that an agent may print before it answers
TRUE, FALSE = ("true", "yes", "on", "1"), ("false", "no", "off", "0")


def game_agents() -> dict[str, str]:
    """The agents that registered games bring, by name. A game's own agents do not hide those of all games."""
    found = {name: path for game in known_games() for name, path in get_game(game).AGENTS.items()}
    return {name: path for name, path in found.items() if name not in AGENTS}


def how() -> str:
    """A sentence about the text form of agents, for messages."""
    return (
        f"an agent is one of {', '.join((*AGENTS, *game_agents()))}, with options as in 'search:simulations=400', "
        "or your own class, as in 'package.module:Class'; --code my_bots.py brings a file of them to a command"
    )


class Agent(Protocol):
    """A player of one seat. It should be picklable and reproducible: the same seed and views give the same actions.

    It may have a method ``get_ready(rules)``, which is called before the first game where possible; it may raise ValueError to reject the game.
    It may have an attribute ``thoughts``: what it thought before its last action (``search.thoughts.Thoughts``), or None.
    """

    def __call__(self, view: View) -> int:
        """Return one of ``view.legal_actions()``."""


def get_ready(agent: Agent, rules: GameRules) -> None:
    """Let an agent load and compile what it needs for a game. Raises ValueError if it cannot play this game."""
    prepare = getattr(agent, "get_ready", None)
    if prepare is not None:
        prepare(rules)


class AgentError(ValueError):
    """An unknown agent, or wrong options."""


@dataclass(frozen=True)
class AgentSpec:
    """A parsed agent: a class and its options. ``make(seed)`` creates the agent for one game."""

    text: str
    factory: Callable[..., Any]
    options: tuple[tuple[str, Any], ...]

    def make(self, seed: int) -> Agent:
        """Create the agent. Raises AgentError if its class rejects the options."""
        try:
            agent = self.factory(seed=seed, **dict(self.options))
        except TypeError as error:
            raise AgentError(
                f"agent {self.text!r} cannot be created: {error}; an agent's class takes seed=<integer> and its options as keywords"
            ) from error
        except ValueError as error:
            raise AgentError(f"agent {self.text!r} cannot be created: {error}") from error
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
    return factory  # type: ignore[no-any-return]  # known only after the call


def _known_options(factory: Callable[..., Any], text: str) -> dict[str, Any]:
    """Parameters with a default, except the seed. Raises AgentError if the signature is not available."""
    try:
        parameters = inspect.signature(factory).parameters
    except (TypeError, ValueError):
        raise AgentError(
            f"agent {text!r} is {factory!r}, which has no signature to read options from; {how()}"
        ) from None
    return {
        name: parameter.default
        for name, parameter in parameters.items()
        if name != "seed" and parameter.default is not parameter.empty
    }


def _parts(words: str, known: dict[str, Any]) -> list[str]:
    """Split options at commas. A comma that is not followed by a known option belongs to the value, such as a path."""
    parts: list[str] = []
    for word in filter(None, words.split(",")):
        before = known.get(parts[-1].partition("=")[0], 0) if parts else 0
        if word.partition("=")[0] not in known and (before is None or isinstance(before, str)):
            parts[-1] += f",{word}"
        else:
            parts.append(word)
    return parts


def _converted(text: str, name: str, word: str, default: Any) -> Any:
    """The option's value, converted to the type of its default."""
    kind = str if default is None else type(default)
    try:
        if kind is bool:
            if word.lower() not in TRUE + FALSE:
                raise ValueError
            return word.lower() in TRUE
        return kind(word)
    except ValueError:
        raise AgentError(
            f"agent {text!r}: {name}={word!r} is not of type {kind.__name__}; the default is {default!r}"
        ) from None


def load_code(path: str | Path) -> str:
    """Import a file of agents under its own name, so that ``name:Class`` works, and return the name. Raises AgentError if that fails.

    The file can import modules from its own folder; modules of the same name elsewhere on the path come first.
    """
    path = Path(path).absolute()
    name = path.stem
    if not path.is_file() or path.suffix != ".py" or not name.isidentifier():
        raise AgentError(f"{path}: a Python file is needed, with a name that can be imported, as in my_bots.py")
    known = sys.modules.get(name)
    if known is not None:
        if Path(getattr(known, "__file__", None) or "").resolve() == path.resolve():
            return name
        raise AgentError(f"{path}: a module {name} is already imported; rename the file")
    spec = importlib.util.spec_from_file_location(name, path)
    assert spec is not None and spec.loader is not None
    module = sys.modules[name] = importlib.util.module_from_spec(spec)
    if str(path.parent) not in sys.path:
        sys.path.append(str(path.parent))
    try:
        spec.loader.exec_module(module)
    except Exception as error:
        del sys.modules[name]
        raise AgentError(f"{path} cannot be imported: {type(error).__name__}: {error}") from error
    CODE.append(str(path))
    return name


def is_named(name: str, rest: str = "") -> bool:
    """Whether an agent's text names one of ``search`` or of a game. ``rest``: its options, or the class in a module called ``name``."""
    has_class = bool(rest) and "=" not in rest.partition(":")[0]
    return name in AGENTS or (not has_class and name.isidentifier() and name in game_agents())


def agent_texts(listed: str) -> list[str]:
    """Split a comma-separated list of agents. A part that is not an agent belongs to the options of the one before it."""
    texts: list[str] = []
    for part in listed.split(","):
        head, colon, _ = part.strip().partition(":")
        if not texts or (is_named(head) if not colon else "=" not in head) or ":" not in texts[-1]:
            texts.append(part.strip())
        else:
            texts[-1] += f",{part}"
    return texts


def agent_spec(text: str) -> AgentSpec:
    """Parse the text form of an agent. Raises AgentError, a ValueError that lists what would work."""
    name, _, rest = text.strip().partition(":")
    if is_named(name, rest):
        path, words = AGENTS.get(name) or game_agents()[name], rest
    elif rest and "=" not in rest.partition(":")[0]:
        attribute, _, words = rest.partition(":")
        path = f"{name}:{attribute}"
    else:
        raise AgentError(f"no agent is called {text!r}; {how()}")
    factory = _imported(path, text)
    known, options = _known_options(factory, text), {}
    for part in _parts(words, known):
        key, equals, word = part.partition("=")
        if not equals or key not in known:
            listed = ", ".join(f"{option}={default!r}" for option, default in known.items()) or "none"
            raise AgentError(f"agent {text!r}: {part!r} is not an option; options and their defaults: {listed}")
        options[key] = _converted(text, key, word, known[key])
    return AgentSpec(text.strip(), factory, tuple(sorted(options.items())))
