"""Who plays the other seats: the names of opponents, and what happens when one fails."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pkgutil import resolve_name
from typing import Any

from winterkingdom_env.games import Game
from winterkingdom_env.search.agents import RandomAgent
from winterkingdom_env.search.registry import AGENTS, agent_spec
from winterkingdom_env.search.view import View


class OpponentError(RuntimeError):
    """An opponent could not be made, failed, or answered with something that is not a legal action."""


Opponent = Callable[[View], int]
OpponentFactory = Callable[[int], Opponent]
OpponentSpec = str | Opponent | type[Any]  # opponent_factory says what each stands for


def opponent_factory(spec: Any) -> OpponentFactory:
    """What makes the opponent that ``spec`` stands for; ValueError if it stands for none.

    An agent as ``search.registry`` knows it ("greedy", "search:simulations=100"); "package.module:attribute", a class or function that is
    called with a seed; a class, likewise; or an opponent itself, which then plays every game.
    """
    if isinstance(spec, type):
        return spec
    if callable(spec):
        return lambda seed: spec
    name = spec if isinstance(spec, str) else ""
    if name == "random":
        return RandomAgent  # as a class: what a saved state brings in its place is checked
    if name.partition(":")[0] in AGENTS:
        return agent_spec(name).make
    if ":" in name:
        return _imported(name)
    raise ValueError(
        f"opponent {spec!r} is not known; there are: {', '.join(map(repr, AGENTS))}; or give a function that takes "
        "a View and gives an action, or 'package.module:attribute', a class or function that takes a seed and gives such a function"
    )


def _imported(path: str) -> OpponentFactory:
    try:
        factory = resolve_name(path)
    except (ImportError, AttributeError, ValueError) as error:  # the last one: no module can have such a name
        raise ValueError(
            f"opponent {path!r} cannot be imported: {error}; 'package.module:attribute' names a class or function "
            "in a module that Python can import from here"
        ) from error
    if not callable(factory):
        raise ValueError(f"opponent {path!r} is {factory!r}; a class or function that takes a seed is needed")
    return factory  # type: ignore[no-any-return]  # only calling it tells


def one_per_seat(given: Any, n_players: int) -> tuple[Any, ...]:
    """What is ``given`` for the other seats, one thing for all or one for each, as one for each; ValueError if there are too few or too many."""
    is_one = isinstance(given, str) or callable(given)
    if not is_one and not isinstance(given, Sequence):
        raise ValueError(f"opponents={given!r}: one opponent for all other seats or a sequence of them is needed")
    listed = (given,) * (n_players - 1) if is_one else tuple(given)
    if len(listed) != n_players - 1:
        raise ValueError(
            f"opponents: {len(listed)} for {n_players} players; give one for all other seats, or {n_players - 1}"
        )
    return listed


def make_opponent(spec: Any, seed: int) -> Opponent:
    """The opponent that ``spec`` (see ``opponent_factory``) stands for, made with a seed; OpponentError if that fails."""
    factory = opponent_factory(spec)
    try:
        opponent = factory(seed)
    except Exception as error:
        raise OpponentError(
            f"opponent {opponent_name(spec)} could not be made: {error!r}; it is made by a call with a seed, here {seed}"
        ) from error
    if not callable(opponent):
        raise OpponentError(
            f"opponent {opponent_name(spec)}, made with a seed, is {opponent!r}; a function that takes a View and gives "
            "an action is needed"
        )
    return opponent


def opponent_name(spec: Any) -> str:
    """What messages call an opponent."""
    return repr(spec) if isinstance(spec, str) else getattr(spec, "__qualname__", type(spec).__qualname__)


def let_move(opponent: Opponent, spec: Any, game: Game) -> int:
    """Ask the opponent for the action of the seat to move and carry it out; OpponentError, and no change, if that fails.

    ``spec`` is what it was made from, for the message.
    """
    try:
        action = opponent(View(game, game.seat))
    except Exception as error:
        legal = game.legal_actions()
        raise OpponentError(
            f"{_who(spec, game)}: raised {error!r}; {len(legal)} actions were legal, first: "
            f"{game.label(legal[0])} (action {legal[0]})"
        ) from error
    try:
        game.apply(action)
    except ValueError as error:  # a game's word for an action that is illegal, or none at all
        raise OpponentError(
            f"{_who(spec, game)}: answered {action!r}: {error} An opponent answers one of view.legal_actions()."
        ) from error
    return int(action)


def _who(spec: Any, game: Game) -> str:
    return f"opponent {opponent_name(spec)} on seat {game.seat}, round {game.round}, phase {game.phase}"
