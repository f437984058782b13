"""Opponents of a learner: how they are specified, created and called."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from winterkingdom_env.games import Game
from winterkingdom_env.search.agents import RandomAgent
from winterkingdom_env.search.registry import AGENTS, AgentError, agent_spec, is_named
from winterkingdom_env.search.view import View


class OpponentError(RuntimeError):
    """An opponent could not be created, raised an error, or returned an illegal action."""


Opponent = Callable[[View], int]
OpponentFactory = Callable[[int], Opponent]
OpponentSpec = str | Opponent | type[Any]  # see opponent_factory


def opponent_factory(spec: Any) -> OpponentFactory:
    """The factory of the opponent that ``spec`` describes. Raises ValueError if it describes none.

    ``spec`` is an agent's text for ``search.registry`` ("greedy", "search:simulations=100", "package.module:Class:depth=3"); a class that
    takes a seed; or an opponent object, which then plays every game.
    """
    if isinstance(spec, type):
        return spec
    if callable(spec):
        return lambda seed: spec
    name = spec if isinstance(spec, str) else ""
    if name == "random":
        return RandomAgent  # the class itself, so that a saved state can be checked against it
    if ":" in name or is_named(name):
        return agent_spec(name).make
    raise ValueError(
        f"opponent {spec!r} is unknown; choose from: {', '.join(map(repr, AGENTS))}; or give a function that takes "
        "a View and returns an action, or 'package.module:Class', a class that takes seed=<integer> and makes such functions"
    )


def one_per_seat(given: Any, n_players: int) -> tuple[Any, ...]:
    """One opponent per other seat, from one for all or a sequence. Raises ValueError if the number is wrong."""
    is_one = isinstance(given, str) or callable(given)
    if not is_one and not isinstance(given, Sequence):
        raise ValueError(f"opponents={given!r}: one opponent for all other seats or a sequence of them is needed")
    listed = (given,) * (n_players - 1) if is_one else tuple(given)
    if len(listed) != n_players - 1:
        raise ValueError(
            f"opponents: {len(listed)} were given; with {n_players} players, give {n_players - 1}, or one text for all other seats"
        )
    return listed


def make_opponent(spec: Any, seed: int) -> Opponent:
    """Create the opponent of ``spec`` (see ``opponent_factory``) with a seed. Raises OpponentError if that fails."""
    factory = opponent_factory(spec)
    try:
        opponent = factory(seed)
    except AgentError as error:
        raise OpponentError(str(error)) from error
    except Exception as error:
        raise OpponentError(
            f"opponent {opponent_name(spec)} could not be created: {error!r}; its factory is called with a seed, here {seed}"
        ) from error
    if not callable(opponent):
        raise OpponentError(
            f"opponent {opponent_name(spec)}, created with a seed, is {opponent!r}; a function that takes a View and returns "
            "an action is needed"
        )
    return opponent


def opponent_name(spec: Any) -> str:
    """The name of an opponent in messages."""
    return repr(spec) if isinstance(spec, str) else getattr(spec, "__qualname__", type(spec).__qualname__)


def let_move(opponent: Opponent, spec: Any, game: Game) -> int:
    """Apply the opponent's action for the seat to act. Raises OpponentError, and changes nothing, if that fails.

    ``spec``: its specification, for the message.
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
    except ValueError as error:  # the action is illegal or invalid
        raise OpponentError(
            f"{_who(spec, game)}: returned {action!r}: {error} An opponent must return one of view.legal_actions()."
        ) from error
    return int(action)


def _who(spec: Any, game: Game) -> str:
    return f"opponent {opponent_name(spec)} on seat {game.seat}, round {game.round}, phase {game.phase}"
