"""The fields of a game's Config as text, ``name=value``. Names and types come from the Config class, what a form offers from CHOICES."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from inspect import cleandoc
from types import NoneType, UnionType
from typing import TYPE_CHECKING, Any, Literal, NamedTuple, Union, get_args, get_origin

import msgspec

from winterkingdom_env.core.plain_text import quoted
from winterkingdom_env.games.choices import Choice as Choice
from winterkingdom_env.games.contract import GameRules

if TYPE_CHECKING:  # numba is slow to import, and --help needs this module
    from winterkingdom_env.core.rng import Stream

PLAYERS = "num_players"  # has its own command-line option
MEANING = re.compile(r"(\w+) {2,}(\S.*)")  # a line of a Config's docstring
NOTHING = "none"  # the text for None
GENERATED = "generated"  # an offered value that may be followed by a seed, as RANDOM for house rules
SEEDED = re.compile(r"([a-z]+):[0-9]{1,40}", re.ASCII)
FORMS = {int: re.compile(r"-?[0-9]{1,18}"), float: re.compile(r"-?[0-9]{1,18}(\.[0-9]{1,18})?")}  # of numbers, strictly
FLAGS = ("true", "false")
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


def check_choices(rules: GameRules, options: Mapping[str, str]) -> list[str]:
    """Options from an untrusted form as texts ``name=value`` for ``make_config``.

    Only values that CHOICES offers pass, numbers and flags, so that no value is the path of a file. Raises ValueError, naming what would
    work, for others. ``make_config`` checks whether they go together.
    """
    known, texts = options_of(rules), list[str]()
    for name, text in options.items():
        if name not in known:
            raise ValueError(f"{rules.TITLE} has no option {quoted(name)}; its options: {_names(known)}")
        if not isinstance(text, str):
            raise ValueError(f"{name}={quoted(text)}: a text is needed")
        kinds, choice = _choices(known[name].type), rules.CHOICES.get(name)
        if NoneType in kinds and (text == NOTHING or (not text and any(map(_is_list, kinds)))):
            texts.append(f"{name}={NOTHING}")
        elif choice is not None:
            texts.append(f"{name}={_chosen(name, text, choice)}")
        else:
            texts.append(f"{name}={_plain(known[name], text)}")
    return texts


def surprise(rules: GameRules, players: int, stream: Stream) -> dict[str, str]:
    """A random set-up as typed text, drawn from one of the game's splits: of each of its parts a value of either side."""
    split = rules.splits()
    splits = [split, *split.others.values()]
    split = splits[stream.draw(len(splits))]
    chosen: dict[str, Any] = dict(split.always if split.parts else split.everything)
    for part in split.parts:
        values = (*part.seen, *part.held_out)
        chosen[part.field] = values[stream.draw(len(values))]
    texts = {name: as_typed(value) for name, value in chosen.items()}
    make_config(rules, players, check_choices(rules, texts))
    return texts


def _chosen(name: str, text: str, choice: Choice) -> str:
    """An offered value, or several. Raises ValueError if it is not offered."""
    parts = [part.strip() for part in text.split(",")] if choice.most > 1 and text.strip() else []
    if choice.most == 1:
        parts = [text]
    if len(parts) > choice.most:
        raise ValueError(f"{name}: {len(parts)} values are too many; {choice.most} at most")
    for part in parts:
        if part not in choice.values and not _is_seeded(name, part, choice):
            offered = ", ".join(value or '""' for value in choice.values)
            raise ValueError(f"{name}={quoted(part)} is not offered; there are: {offered}")
    return ",".join(parts)


def _is_seeded(name: str, text: str, choice: Choice) -> bool:
    """Whether this is an offered value with a seed, such as generated:5."""
    from winterkingdom_env.games.house_rules import HOUSE_RULES, RANDOM

    found = SEEDED.fullmatch(text)
    word = GENERATED if name != HOUSE_RULES else RANDOM
    return found is not None and found[1] == word and word in choice.values


def _plain(option: Option, text: str) -> str:
    """A number, a flag or a literal. Raises ValueError if the text is none, or the option takes other texts."""
    kinds = _choices(option.type)
    literals = [str(value) for kind in kinds if get_origin(kind) is Literal for value in get_args(kind)]
    if (bool in kinds and text in FLAGS) or text in literals:
        return text
    if any(kind in kinds and form.fullmatch(text) for kind, form in FORMS.items()):
        return text
    if any(kind in kinds for kind in (bool, *FORMS)) or literals:
        raise ValueError(f"{option.name}={quoted(text)} is invalid; {option.name} takes {option.words}")
    raise ValueError(f"{option.name} cannot be set here: the game offers no values for it")


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
