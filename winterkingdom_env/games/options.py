"""The fields of a game's Config as text, ``name=value``. Names and types come from the Config class."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from inspect import cleandoc
from types import NoneType, UnionType
from typing import Any, Literal, NamedTuple, Union, get_args, get_origin

import msgspec

from winterkingdom_env.core.plain_text import quoted
from winterkingdom_env.games.contract import GameRules

PLAYERS = "num_players"  # has its own command-line option
MEANING = re.compile(r"(\w+) {2,}(\S.*)")  # a line of a Config's docstring
NOTHING = "none"  # the text for None
WORDS: dict[Any, str] = {str: "text", int: "integer", float: "number", bool: "true or false", NoneType: NOTHING}


class Option(NamedTuple):
    """A field of a Config."""

    name: str
    type: Any
    default: Any

    @property
    def words(self) -> str:
        """The type of its values, in words."""
        return _words(self.type)


def as_typed(value: Any) -> str:
    """A value as text that ``read_options`` can parse."""
    if isinstance(value, tuple | list | set | frozenset):
        return ",".join(map(as_typed, value))
    return NOTHING if value is None else str(value).lower() if isinstance(value, bool) else str(value)


def options_of(rules: GameRules) -> dict[str, Option]:
    """The fields of the game's Config, without the number of players."""
    found = {}
    for field in msgspec.structs.fields(rules.Config):
        if field.name != PLAYERS:
            default = field.default_factory() if callable(field.default_factory) else field.default
            found[field.name] = Option(field.name, field.type, default)
    return found


def meanings_of(rules: GameRules) -> dict[str, str]:
    """What the docstring of the Config says of each option: a line ``name  meaning``, and lines below it that are indented."""
    found: dict[str, str] = {}
    name = ""
    for line in cleandoc(rules.Config.__doc__ or "").splitlines():
        start = MEANING.match(line)
        if start and start[1] in rules.Config.__struct_fields__:
            name = start[1]
            found[name] = start[2]
        elif name and line.startswith("  "):
            found[name] += f" {line.strip()}"
        else:
            name = ""
    return found


def read_options(rules: GameRules, given: Sequence[str]) -> dict[str, Any]:
    """Parse texts such as ``name=value``. Raises ValueError, listing the valid names or values, if one is invalid."""
    known, chosen = options_of(rules), dict[str, Any]()
    for text in given:
        name, sign, value = text.partition("=")
        if not sign:
            raise ValueError(f"{quoted(text)} is not of the form name=value; the names are: {_names(known)}")
        if name == PLAYERS:
            raise ValueError(f"{quoted(text)}: use --players to set the number of players")
        if name not in known:
            raise ValueError(f"{rules.TITLE} has no option {quoted(name)}; its options: {_names(known)}")
        if name in chosen:
            raise ValueError(f"{quoted(text)}: {name} was already set; set it once")
        chosen[name] = _read(known[name], value)
    config = rules.Config(**chosen)  # normalizes every value, and replaces the path of house rules by their content
    return {name: getattr(config, name) for name in chosen}


def make_config(rules: GameRules, players: int | None = None, given: Sequence[str] = ()) -> Any:
    """A Config from user input. Raises ValueError if it is invalid. Without ``players``, the Config's default number."""
    if players is not None and players not in rules.PLAYERS:
        numbers = ", ".join(map(str, rules.PLAYERS))
        raise ValueError(f"{rules.TITLE} is not for {players} players; numbers of players: {numbers}")
    chosen: Mapping[str, Any] = {} if players is None else {PLAYERS: players}
    return rules.Config(**chosen, **read_options(rules, given))


def _names(known: Mapping[str, Option]) -> str:
    return ", ".join(known) or "(it has none)"


def _read(option: Option, text: str) -> Any:
    choices = _choices(option.type)
    if text == NOTHING and NoneType in choices:
        return None
    is_list = any(_is_list(choice) for choice in choices)
    parts = [part.strip() for part in text.split(",")] if text.strip() else []
    value: Any = parts if is_list else text
    try:
        return msgspec.convert(value, option.type, strict=False)
    except msgspec.ValidationError as error:
        reason = str(error)
        if is_list and "of length" in reason:
            reason = f"it names {len(parts)} value{'' if len(parts) == 1 else 's'}"
        raise ValueError(
            f"{quoted(f'{option.name}={text}')} is invalid: {reason}; {option.name} takes {option.words}"
        ) from None


def _choices(kind: Any) -> tuple[Any, ...]:
    return get_args(kind) if get_origin(kind) in (Union, UnionType) else (kind,)


def _is_list(kind: Any) -> bool:
    return get_origin(kind) in (tuple, list, set, frozenset) or kind in (tuple, list, set, frozenset)


def _words(kind: Any) -> str:
    choices = _choices(kind)
    if len(choices) > 1:
        return " or ".join(map(_words, choices))
    if get_origin(kind) is Literal:
        return " or ".join(map(str, get_args(kind)))
    if _is_list(kind):
        parts = get_args(kind)
        number = f"{len(parts)} values" if get_origin(kind) is tuple and ... not in parts else "values"
        return f"{number} separated by commas"
    return WORDS.get(kind, getattr(kind, "__name__", str(kind)))
