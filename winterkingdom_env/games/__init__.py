"""The registry of games. A game is imported on first use, because loading its kernels is slow.

A game of another package is found by its entry point in the group ``winterkingdom_env.games``, or by ``module:attribute`` in place of a
name. A name that is read from a file (record, tournament, checkpoint) never imports an unregistered module: register the game first.
"""

from __future__ import annotations

from functools import cache
from importlib import import_module
from importlib.metadata import entry_points
from typing import cast

from winterkingdom_env.core.plain_text import quoted
from winterkingdom_env.games.contract import Game, GameRules

__all__ = ["GAMES", "Game", "GameRules", "UnknownGameError", "address_of", "get_game", "known_games", "name_of", "named_game", "register_game"]  # fmt: skip

GAMES = {
    "winter_kingdom": "v1",
    "dominion": "v0",
    "kingdom_builder": "v0",
}  # the games of this package: name and env version
GROUP = "winterkingdom_env.games"  # the entry point group
ASKED = tuple(
    name for name in (*GameRules.__annotations__, *vars(GameRules)) if not name.startswith("_")
)  # of every game
_addresses: dict[str, str] = {name: f"{__name__}:{name}" for name in GAMES}
_loaded: dict[str, GameRules] = {}


class UnknownGameError(ValueError):
    """No game has this name."""


@cache
def _installed() -> dict[str, str]:
    """The games of other packages: name and ``module:attribute``."""
    return {point.name: point.value for point in entry_points(group=GROUP)}


def known_games() -> tuple[str, ...]:
    """The names of all registered games."""
    return tuple(dict.fromkeys([*_addresses, *_installed()]))


def _load(address: str) -> GameRules:
    module, _, attribute = address.partition(":")
    try:
        try:
            found = import_module(f"{module}.{attribute}") if attribute.isidentifier() else None
        except ModuleNotFoundError as error:
            if error.name != f"{module}.{attribute}":
                raise
            found = None
        found = found or getattr(import_module(module), attribute)
        rules = cast(GameRules, getattr(found, "RULES", found))  # a module is a game, or has one
        lacking = [name for name in ASKED if not hasattr(rules, name)]
    except (ImportError, AttributeError, TypeError, ValueError) as error:
        raise UnknownGameError(
            f"the game {quoted(address)} cannot be imported: {error}; use 'package.module:attribute' with a module that "
            "Python can import from here"
        ) from error
    if lacking:
        raise UnknownGameError(f"{quoted(address)} is not a game: it lacks {', '.join(lacking)} (games/contract.py)")
    return rules


def register_game(address: str) -> GameRules:
    """Register the game at ``module:attribute`` under its NAME, in this process."""
    rules = _load(address)
    known = _addresses.get(rules.NAME)
    if known is not None and known != address:
        raise UnknownGameError(f"{quoted(address)} is called {rules.NAME}, as is {known}; give it another NAME")
    _addresses[rules.NAME] = address
    _loaded[rules.NAME] = rules
    return rules


def get_game(name: str) -> GameRules:
    """The game called ``name``, or at ``module:attribute``."""
    if isinstance(name, str) and name in _loaded:
        return _loaded[name]
    if isinstance(name, str) and ":" in name:
        return register_game(name)
    address = _addresses.get(name) or _installed().get(name) if isinstance(name, str) else None
    if address is None:
        raise UnknownGameError(
            f"no game is called {quoted(name)}; known games: {', '.join(known_games())}; or give 'package.module:attribute'"
        )
    rules = _load(address)
    if name != rules.NAME:
        raise UnknownGameError(f"{quoted(address)} is registered as {name}, but calls itself {quoted(rules.NAME)}")
    _loaded[name] = rules
    return rules


def named_game(name: str) -> GameRules:
    """The registered game with this name: for names from files, which must not trigger an import."""
    if name not in known_games():
        raise UnknownGameError(
            f"no game is called {quoted(name)}; known games: {', '.join(known_games())}; register a game of another package as "
            "'package.module:attribute' before you read the file"
        )
    return get_game(name)


def address_of(name: str) -> str:
    """The address of a game that works in another process, too: its name, or ``module:attribute`` if it was registered by that."""
    return name if name in GAMES or name in _installed() else _addresses[get_game(name).NAME]


def name_of(thing: object) -> str:
    """The name of the game that a Game or Config belongs to."""
    name = getattr(type(thing), "NAME", None)
    if not isinstance(name, str) or name not in known_games():
        raise UnknownGameError(
            f"{type(thing).__name__} from {type(thing).__module__} belongs to none of these games: {', '.join(known_games())}"
        )
    return name
