"""A list of set-ups: a JSON file with the fields of a game's Config for each, played in this order.

    [{"one_field": "a card's name", "another": ["several", "names"], "a_third": null}, {}, ...]

Missing fields have the Config's defaults. The number of players is an option of the arena, not a field.
"""

from __future__ import annotations

import json
from collections.abc import Iterable
from pathlib import Path
from typing import Any

from agents.schedule import MOST_SETUPS, as_file
from winterkingdom_env.core.files import read_limited, write_whole
from winterkingdom_env.core.plain_json import JsonError, parse_json
from winterkingdom_env.core.plain_text import quoted
from winterkingdom_env.games import get_game
from winterkingdom_env.games.options import PLAYERS, options_of

Setup = dict[str, Any]


class SetupsError(ValueError):
    """A list of set-ups is empty or invalid."""


def read_setups(path: Path, game_name: str, players: int) -> tuple[Setup, ...]:
    """The set-ups of a file, with the cards' exact names; SetupsError says which entry is invalid and why."""
    try:
        entries = parse_json(read_limited(path))
    except OSError as error:
        raise SetupsError(f"--setups {path}: {error.strerror}; a JSON file with a list of set-ups is needed") from None
    except JsonError as error:
        raise SetupsError(
            f"--setups {path}: {error}; a list of objects with the fields of a set-up is needed"
        ) from None
    if not isinstance(entries, list) or not entries:
        raise SetupsError(f"--setups {path}: a list of at least one set-up is needed, as in [{{}}, {{}}]")
    if len(entries) > MOST_SETUPS:
        raise SetupsError(f"--setups {path}: {len(entries):,} set-ups; a tournament has at most {MOST_SETUPS:,}")
    return tuple(checked(entry, f"--setups {path}, entry {i}", game_name, players) for i, entry in enumerate(entries))


def checked(entry: object, where: str, game_name: str, players: int) -> Setup:
    """A valid entry, with all fields; SetupsError says ``where`` the entry is and what is wrong."""
    config_type, known = get_game(game_name).Config, list(options_of(get_game(game_name)))
    if not isinstance(entry, dict):
        raise SetupsError(f"{where}: {quoted(entry)} is not an object; the fields of a set-up are {', '.join(known)}")
    if PLAYERS in entry:
        raise SetupsError(f"{where}: {PLAYERS} is not a field of a set-up; use --players")
    for name in entry:
        if name not in known:
            raise SetupsError(f"{where}: {quoted(name)} is not a field of a set-up; the fields are {', '.join(known)}")
    try:
        return as_setup(config_type(**entry, num_players=players))
    except ValueError as error:
        raise SetupsError(f"{where}: {error}") from None


def as_setup(config: Any) -> Setup:
    """The fields of a game's Config without the number of players, as plain data."""
    fields = as_file(config)
    del fields[PLAYERS]
    return fields


def write_setups(path: Path, configs: Iterable[Any]) -> None:
    """Write Configs to a file for ``--setups``, one per line; creates folders."""
    lines = ",\n".join(f"  {json.dumps(as_setup(config), ensure_ascii=False)}" for config in configs)
    write_whole(path, f"[\n{lines}\n]\n")
