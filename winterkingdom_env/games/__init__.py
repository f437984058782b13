"""The games by name. A game is imported when somebody asks for it: its kernels are not cheap.

A game that is not in this package is found by its entry point in the group ``winterkingdom_env.games``, or is named as
``module:attribute`` where a name is asked for. Names in files (records, tournaments, checkpoints) never import anything that is not
registered: whoever reads such a file names the game himself.
"""

from __future__ import annotations

from functools import cache
from importlib import import_module
from importlib.metadata import entry_points
from typing import cast

from winterkingdom_env.core.plain_text import quoted
from winterkingdom_env.games.contract import Game, GameRules

__all__ = ["GAMES", "Game", "GameRules", "UnknownGameError", "address_of", "get_game", "known_games", "name_of", "named_game", "register_game"]  # fmt: skip

GAMES = {"winter_kingdom": "v1"}  # of this package: name and env version
GROUP = "winterkingdom_env.games"  # of entry points
ASKED = tuple(
    name for name in (*GameRules.__annotations__, *vars(GameRules)) if not name.startswith("_")
)  # of every game
_addresses: dict[str, str] = {name: f"{__name__}:{name}" for name in GAMES}
_loaded: dict[str, GameRules] = {}


class UnknownGameError(ValueError):
    """No game has this name."""


@cache
def _installed() -> dict[str, str]:
    """Games of other packages: name and address."""
    return {point.name: point.value for point in entry_points(group=GROUP)}


def known_games() -> tuple[str, ...]:
    """The names of all games that can be asked for by name alone."""
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
        rules = cast(GameRules, found or getattr(import_module(module), attribute))
        lacking = [name for name in ASKED if not hasattr(rules, name)]
    except (ImportError, AttributeError, TypeError, ValueError) as error:
        raise UnknownGameError(
            f"the game {quoted(address)} cannot be imported: {error}; 'package.module:attribute' names a game in a module that "
            "Python can import from here"
        ) from error
    if lacking:
        raise UnknownGameError(f"{quoted(address)} is no game: it has no {', '.join(lacking)} (games/contract.py)")
    return rules


def register_game(address: str) -> GameRules:
    """Make the game at ``module:attribute`` known under its name, in this process."""
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
    """The game with this name, if it is known: for names in files, which must not make anybody import something."""
    if name not in known_games():
        raise UnknownGameError(
            f"no game is called {quoted(name)}; known games: {', '.join(known_games())}; one from elsewhere must be named as "
            "'package.module:attribute' before the file is read"
        )
    return get_game(name)


def address_of(name: str) -> str:
    """What finds this game in another process, too: its name, or ``module:attribute`` if it was registered by that."""
    return name if name in GAMES or name in _installed() else _addresses[get_game(name).NAME]


def name_of(thing: object) -> str:
    """The name of the game of which this is a Game or a Config."""
    name = getattr(type(thing), "NAME", None)
    if not isinstance(name, str) or name not in known_games():
        raise UnknownGameError(
            f"{type(thing).__name__} from {type(thing).__module__} is no game of these: {', '.join(known_games())}"
        )
    return name
