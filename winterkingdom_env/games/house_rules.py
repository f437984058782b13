"""House rules: changed numbers and choices in the rows of a game's card tables.

The ``Sheet``s of a game declare which columns of its tables may change, and to what. A file names a kind of card, a card and columns::

    [ability.Mine]
    acquire_cost = 2
    first_arg = "castle"

    [scoring."Nature Lovers"]
    points = 2
    arg = ["mountain", "ice", "village"]

House rules are always stored as text in one canonical form, which contains only the differences from the printed rows. The empty text is
the game as printed.
"""

from __future__ import annotations

import json
import os
import re
import tomllib
from collections.abc import Callable, Iterator, Mapping, Sequence
from enum import IntEnum
from typing import Any, NamedTuple, TypeVar

import msgspec

from winterkingdom_env.core.arguments import is_integer
from winterkingdom_env.core.files import FileError, read_limited
from winterkingdom_env.core.picture import CardTable, Column, Table
from winterkingdom_env.core.plain_text import quoted
from winterkingdom_env.core.rng import Stream, seed_state
from winterkingdom_env.games import choices
from winterkingdom_env.games.errors import ConfigError

HOUSE_RULES = "house_rules"  # the field of a Config, a set-up and a card
PRINTED = ""  # the rules as printed
RANDOM = "random"  # rules drawn from the game's seed
HOUSE_RULES_CHOICE = choices.Choice(
    (PRINTED, RANDOM), meaning="the cards as printed, or moderate variations drawn from the game's seed"
)
RANDOM_BY = re.compile(r"random:([0-9]{1,40})")
WAYS = 'the path of a TOML file, its content, "random:SEED", "random" or ""'
MOST_BYTES = 1 << 16
ONE_IN = 3  # random house rules change one number in three
BARE_KEY = re.compile(r"[A-Za-z0-9_-]+")
Row = TypeVar("Row", bound=Any)


class Number(NamedTuple):
    """A column of integers. ``vary``: the largest change that random house rules make."""

    least: int
    most: int
    vary: int = 0

    @property
    def words(self) -> str:
        """What a value may be."""
        return f"an integer from {self.least} to {self.most}"

    def read(self, value: Any) -> int | None:
        """The value in the table; None if it is not allowed."""
        return int(value) if is_integer(value) and self.least <= value <= self.most else None

    def write(self, value: int) -> Any:
        """The value in a file."""
        return int(value)


class Choice(NamedTuple):
    """A column that holds one member of an enumeration, written by name."""

    members: tuple[IntEnum, ...]

    @property
    def words(self) -> str:
        """What a value may be."""
        return f"one of {', '.join(map(_name, self.members))}"

    def read(self, value: Any) -> IntEnum | None:
        """The member with this name, or this number; None if there is none."""
        for member in self.members:
            if value == member if is_integer(value) else _folded(value) == _name(member):
                return member
        return None

    def write(self, value: IntEnum) -> Any:
        """The value in a file."""
        return next((_name(member) for member in self.members if member == value), int(value))


class Several(NamedTuple):
    """A column that holds a set of members of an enumeration as bits, written as a list of names."""

    members: tuple[IntEnum, ...]

    @property
    def words(self) -> str:
        """What a value may be."""
        return f"a list of one or more of {', '.join(map(_name, self.members))}"

    def read(self, value: Any) -> int | None:
        """The set as bits; None if it is empty or has something else in it."""
        if is_integer(value):
            value = [i for i in range(int(value).bit_length()) if value >> i & 1] if value > 0 else []
        found = [Choice(self.members).read(item) for item in value] if isinstance(value, list | tuple) else []
        if not found or None in found:
            return None
        return sum({1 << member for member in found if member is not None})

    def write(self, value: int) -> Any:
        """The value in a file."""
        return [_name(member) for member in self.members if value >> member & 1]


class Nothing(NamedTuple):
    """The column of an argument that a choice does not take: 0."""

    words: str = "0, because this choice takes no argument"

    def read(self, value: Any) -> int | None:
        """The value in the table; None if it is not allowed."""
        return 0 if is_integer(value) and value == 0 else None

    def write(self, value: int) -> Any:
        """The value in a file."""
        return int(value)


Kind = Number | Choice | Several | Nothing


class Argument(NamedTuple):
    """A column whose values depend on the choice in another column; a choice that is not listed takes no argument."""

    of: str
    kinds: Mapping[int, Kind]


class Sheet(NamedTuple):
    """A table of cards, and what house rules may change in it. Every row has a ``name``.

    ``flaw``: returns what is wrong with a combination of allowed values; an empty text if the row is valid.
    """

    kind: str
    rows: tuple[Any, ...]
    columns: Mapping[str, Kind | Argument]
    flaw: Callable[[Any], str] = lambda row: ""

    def kind_of(self, column: str, row: Any) -> Kind:
        """The allowed values of a column in this row."""
        kind = self.columns[column]
        return kind.kinds.get(getattr(row, kind.of), Nothing()) if isinstance(kind, Argument) else kind


Sheets = tuple[Sheet, ...]


def _name(member: IntEnum) -> str:
    return member.name.lower()


def _folded(value: Any) -> str:
    return value.strip().lower().replace(" ", "_") if isinstance(value, str) else ""


# In -------------------------------------------------------------------------------------------------------------------


def read_house_rules(given: Any, sheets: Sheets) -> str:
    """House rules in canonical form, or "random". Raises ConfigError, saying what would work, if they are invalid."""
    if isinstance(given, os.PathLike):
        given = os.fspath(given)
    if not isinstance(given, str):
        raise ConfigError(f"house_rules={quoted(given)} is not text; give {WAYS}")
    if given in (PRINTED, RANDOM):
        return given
    if not sheets:
        raise ConfigError("house_rules: this game has no tables that house rules can change")
    seed = RANDOM_BY.fullmatch(given)
    if seed:
        return random_house_rules(sheets, int(seed[1]))
    is_content = "\n" in given or ("=" in given and not os.path.isfile(given))
    text = given if is_content else _file(given)
    return text_of(sheets, rows_of(sheets, text))


def _file(path: str) -> str:
    try:
        return read_limited(path, MOST_BYTES).decode()
    except (FileError, OSError) as error:
        reason = error.strerror or "it cannot be read"
    except ValueError:
        reason = "it is not UTF-8 text"
    raise ConfigError(f"house_rules={quoted(path)}: {reason}; give {WAYS}")


def rows_of(sheets: Sheets, text: str) -> tuple[tuple[Any, ...], ...]:
    """The rows of every sheet under these house rules. Raises ConfigError, naming the first invalid entry."""
    if len(text) > MOST_BYTES:
        raise ConfigError(f"house_rules: {len(text):,} characters are too many; the limit is {MOST_BYTES:,}")
    try:
        told: dict[str, Any] = tomllib.loads(text)
    except tomllib.TOMLDecodeError as error:
        raise ConfigError(f"house_rules: not valid TOML: {error}") from None
    except RecursionError:
        raise ConfigError("house_rules: not valid TOML: nested too deeply") from None
    kinds = [sheet.kind for sheet in sheets]
    for kind, cards in told.items():
        if kind not in kinds or not isinstance(cards, dict):
            raise ConfigError(f"house_rules: {quoted(kind)} is not a kind of card; begin tables with: {_heads(kinds)}")
    return tuple(_changed(sheet, told.get(sheet.kind, {})) for sheet in sheets)


def _heads(kinds: Sequence[str]) -> str:
    return ", ".join(f"[{kind}.NAME]" for kind in kinds)


def _changed(sheet: Sheet, told: dict[str, Any]) -> tuple[Any, ...]:
    rows = {row.name.casefold(): row for row in sheet.rows}
    for name, values in told.items():
        row = rows.get(name.casefold())
        if row is None or not isinstance(values, dict):
            names = ", ".join(row.name for row in sheet.rows)
            raise ConfigError(f"house_rules: {quoted(name)} is not a card of kind {sheet.kind}; the cards are: {names}")
        rows[name.casefold()] = _with(sheet, row, values)
    return tuple(rows.values())


def _with(sheet: Sheet, row: Row, values: dict[str, Any]) -> Row:
    """The row with these values; an argument that its choice no longer takes becomes 0."""
    where = f"house_rules: {sheet.kind} {row.name}"
    unknown = [name for name in values if name not in sheet.columns]
    if unknown:
        raise ConfigError(f"{where} has no column {quoted(unknown[0])}; its columns: {', '.join(sheet.columns)}")
    for name in sorted(sheet.columns, key=lambda name: isinstance(sheet.columns[name], Argument)):
        kind, value = sheet.kind_of(name, row), values.get(name, getattr(row, name))
        found = 0 if isinstance(kind, Nothing) and name not in values else kind.read(value)
        if found is None:
            said = f"{name}={quoted(value)}" if name in values else f"{name} is missing"
            error = ConfigError(f"{where}: {said}; it must be {kind.words}")
            error.column = f"{sheet.kind}.{name}"
            raise error
        row = row._replace(**{name: found})
    flaw = sheet.flaw(row)
    if flaw:
        raise ConfigError(f"{where}: {flaw}")
    return row


def random_house_rules(sheets: Sheets, seed: int) -> str:
    """Moderate variations: change about a third of the variable numbers by a little. The same seed gives the same rules on every machine.

    No positive number becomes 0: every card keeps its points and its price.
    """
    stream = Stream(seed_state(seed))
    return text_of(sheets, tuple(tuple(_varied(sheet, row, stream) for row in sheet.rows) for sheet in sheets))


def _varied(sheet: Sheet, row: Row, stream: Stream) -> Row:
    for name in sheet.columns:
        kind = sheet.kind_of(name, row)
        if isinstance(kind, Number) and kind.vary and stream.draw(ONE_IN) == 0:
            printed = getattr(row, name)
            others = [
                value for value in range(printed - kind.vary, printed + kind.vary + 1)
                if value != printed and kind.least <= value <= kind.most and (value > 0 or printed <= 0)
            ]  # fmt: skip
            if others:
                row = row._replace(**{name: others[stream.draw(len(others))]})
    return row


# Out ------------------------------------------------------------------------------------------------------------------


def differences(sheet: Sheet, row: Any, printed: Any) -> dict[str, Any]:
    """The changed values of a row, as written in a file."""
    return {
        name: sheet.kind_of(name, row).write(getattr(row, name))
        for name in sheet.columns
        if getattr(row, name) != getattr(printed, name)
    }


def text_of(sheets: Sheets, rows: Sequence[Sequence[Any]]) -> str:
    """The house rules, in canonical form, that turn the printed rows into these."""
    parts = []
    for sheet, changed in zip(sheets, rows, strict=True):
        for row, printed in zip(changed, sheet.rows, strict=True):
            found = differences(sheet, row, printed)
            if found:
                parts.append(_entry(sheet, row, found))
    return "\n".join(parts)


def _entry(sheet: Sheet, row: Any, values: Mapping[str, Any]) -> str:
    name = row.name if BARE_KEY.fullmatch(row.name) else json.dumps(row.name)
    return "".join([f"[{sheet.kind}.{name}]\n", *(f"{key} = {json.dumps(value)}\n" for key, value in values.items())])


def template(sheets: Sheets, house_rules: str = PRINTED) -> str:
    """A template file: every row that can change, under these house rules, with the allowed values above each table."""
    parts = []
    for sheet, rows in zip(sheets, rows_of(sheets, house_rules), strict=True):
        if sheet.columns:
            parts.append("".join(f"# {line}\n" for line in (f"{sheet.kind} cards", *_columns_told(sheet))))
        for row in rows if sheet.columns else ():
            values = {name: sheet.kind_of(name, row).write(getattr(row, name)) for name in sheet.columns}
            parts.append(_entry(sheet, row, values))
    return "\n".join(parts)


def _columns_told(sheet: Sheet) -> Iterator[str]:
    for name, kind in sheet.columns.items():
        if not isinstance(kind, Argument):
            yield f"{name}: {kind.words}"
            continue
        for words in dict.fromkeys(each.words for each in kind.kinds.values()):
            choices = [choice for choice, each in kind.kinds.items() if each.words == words]
            yield f"{name}: {words}, where {kind.of} is {' or '.join(_choice_name(choice) for choice in choices)}"
        yield f"{name}: 0 otherwise"


def _choice_name(choice: int) -> str:
    return _name(choice) if isinstance(choice, IntEnum) else str(choice)


def changes(sheets: Sheets, rows: Sequence[Sequence[Any]]) -> dict[tuple[str, str], str]:
    """The changed cards: kind and name of each, and its new values as text."""
    found = {}
    for sheet, changed in zip(sheets, rows, strict=True):
        for row, printed in zip(changed, sheet.rows, strict=True):
            values = differences(sheet, row, printed).items()
            if values:
                found[sheet.kind, row.name] = ", ".join(f"{name} {_shown(value)}" for name, value in values)
    return found


def _shown(value: Any) -> str:
    return " and ".join(value) if isinstance(value, list) else str(value)


def card_tables(sheets: Sheets, house_rules: str) -> tuple[CardTable, ...]:
    """The default card tables of a game: every column under these house rules, with changed cards marked."""
    if house_rules == RANDOM:
        raise ConfigError(f'house_rules="{RANDOM}" depends on the seed of a game; give a seed, as in "{RANDOM}:5"')
    rows = rows_of(sheets, read_house_rules(house_rules, sheets))
    found, tables = changes(sheets, rows), []
    for sheet, cards in zip(sheets, rows, strict=True):
        names = sheet.rows[0]._fields
        lines = [(*map(str, card), found.get((sheet.kind, card.name), "")) for card in cards]
        head = (*map(Column, names), Column("house rules", wraps=True))
        data = tuple({"kind": sheet.kind, **dict(zip((*names, HOUSE_RULES), line, strict=True))} for line in lines)
        tables.append(CardTable(sheet.kind, Table(head, tuple(lines), title=f"{sheet.kind} cards"), data))
    return tuple(tables)


# For many games -------------------------------------------------------------------------------------------------------


def drawn(config: Any, sheets: Sheets, seed: int) -> Any:
    """The config of a game with this seed, in which "random" house rules are replaced by those that the seed draws."""
    if config.house_rules != RANDOM:
        return config
    return msgspec.structs.replace(config, house_rules=random_house_rules(sheets, seed))


def check_drawn(configs: Sequence[Any]) -> None:
    """Raise ValueError if the house rules of a config are "random": a batch needs fixed ones."""
    if any(config.house_rules == RANDOM for config in configs):
        raise ValueError(
            f'house_rules="{RANDOM}" draws new rules for every seed; a batch needs fixed ones, such as "{RANDOM}:5"'
        )


def columns_of(sheets: Sheets, house_rules: str) -> dict[str, list[int]]:
    """The values of all changeable columns under these house rules, by KIND_COLUMN, for the set-up request record."""
    rows = rows_of(sheets, house_rules)
    return {
        f"{sheet.kind}_{name}": [int(getattr(row, name)) for row in cards]
        for sheet, cards in zip(sheets, rows, strict=True)
        for name in sheet.columns
    }
