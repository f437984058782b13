"""``winterkingdom train splits``: which set-ups are seen in training, and which are held out to ask what was understood.

The game defines the split (``games/splits.py``); this module draws set-ups from it.
"""

from __future__ import annotations

import sys
from collections.abc import Collection, Sequence
from functools import cache
from pathlib import Path
from typing import Annotated, Any

import typer
from rich.table import Table

from agents.schedule import MOST_SETUPS
from agents.setups import write_setups
from agents.wide_table import titled_table
from training.options import failing_in_words
from winterkingdom_env.cli.options import Choices, GameName, Json, Players, examples, new_app, run_app
from winterkingdom_env.cli.terminal import print_json, put, tell
from winterkingdom_env.core.plain_text import quoted
from winterkingdom_env.core.rng import Stream, derive
from winterkingdom_env.games import get_game, known_games
from winterkingdom_env.games.factors import PLAYERS, Factor, draw_value
from winterkingdom_env.games.house_rules import PRINTED, RANDOM
from winterkingdom_env.games.options import read_options
from winterkingdom_env.games.splits import Split as Split
from winterkingdom_env.games.splits import Splits

GAME = known_games()[0]
FIRST_HELD_OUT_RULES = 1_000_000  # seed of the first random house rules that are held out
EVERY, WITHOUT = "every", "without:"  # set-ups of the game's factors: of every level, or all but one
SETUPS = ("seen", "all", EVERY, f"{WITHOUT}FACTOR=LEVEL")  # what a run can be trained on


def split(game_name: str = GAME, name: str = "") -> Splits:
    """A fixed split of a game, "" for its first. Raises ValueError if it has none of this name."""
    return get_game(game_name).splits().named(name)


def draw_setups(
    which: Split,
    n: int,
    num_players: int,
    seed: int,
    game_name: str = GAME,
    house_rules: str = PRINTED,
    choices: Sequence[str] = (),
    split_name: str = "",
) -> list[Any]:
    """``n`` set-ups of one side, each part drawn uniformly from that side's list. A longer list starts with the same set-ups.

    ``house_rules`` as in a Config; "random": others in every set-up, and no seen ones among those held out. ``choices``: name=value, options
    of the game that every set-up has; what a side would draw for them is not used. ``split_name``: one of the game's splits, "" for its first.
    """
    if not 0 <= n <= MOST_SETUPS:
        raise ValueError(f"{n} set-ups cannot be drawn; 0 to {MOST_SETUPS:,} are needed")
    splits, game = split(game_name, split_name), get_game(game_name)
    fixed = read_options(game, choices)
    stream = Stream(derive(seed, "set-ups", which.value, num_players))
    first = 0 if which is Split.SEEN else FIRST_HELD_OUT_RULES
    return [
        game.Config(
            **{
                "num_players": num_players,
                "house_rules": f"{RANDOM}:{first + i}" if house_rules == RANDOM else house_rules,
                **splits.draw(which, stream),
                **fixed,
            }
        )
        for i in range(n)
    ]


def training_setups(
    which: str,
    n: int,
    numbers: tuple[int, ...],
    seed: int,
    game_name: str = GAME,
    house_rules: str = PRINTED,
    choices: Sequence[str] = (),
    split_name: str = "",
) -> list[Any]:
    """The configs from which each game of a training run draws one: ``n`` per number of players, or for "all" one that draws everything.

    ``which``: "seen", "all", "every" or "without:FACTOR=LEVEL" (``draw_levels``). The last two draw house rules themselves.
    """
    check_kind(which)
    game = get_game(game_name)
    if which == EVERY or which.startswith(WITHOUT):
        if house_rules or choices or split_name:
            raise ValueError(
                f"setups={which} draws every option of the game itself; leave out set, house-rules and split"
            )
        return _training_levels(which, n, numbers, seed, game_name)
    if which == "all":
        fixed = read_options(game, choices)
        base = game.Config(**{"house_rules": house_rules, **split(game_name, split_name).everything, **fixed})
        return list(game.variants(base, numbers, n))
    drawn = [
        draw_setups(Split.SEEN, n, number, seed + i, game_name, house_rules, choices, split_name)
        for i, number in enumerate(numbers)
    ]
    return [config for part in drawn for config in part]


def check_kind(which: str) -> None:
    """Raise ValueError unless a run can be trained on such set-ups."""
    if which not in SETUPS[:-1] and not which.startswith(WITHOUT):
        raise ValueError(f"setups={which!r} is not valid; choose from: {', '.join(SETUPS)}")


@cache
def factors_of(game_name: str = GAME) -> dict[str, Factor]:
    """The factors of a game by name."""
    return {factor.name: factor for factor in get_game(game_name).factors()}


def level_of(text: str, game_name: str = GAME) -> tuple[Factor, str]:
    """The factor and the level of a text FACTOR=LEVEL. Raises ValueError with those that there are."""
    name, _, level = text.partition("=")
    known = factors_of(game_name)
    if name not in known:
        raise ValueError(f"{quoted(text)}: no factor is called {quoted(name)}; there are: {', '.join(known)}")
    known[name].values(level)
    return known[name], level


def draw_levels(
    n: int, num_players: int, seed: int, game_name: str = GAME, *, having: str = "", without: str = ""
) -> list[Any]:
    """``n`` set-ups in which every factor of the game has a level drawn uniformly, and one of its values. A longer list starts with the same set-ups.

    ``having``, ``without``: FACTOR=LEVEL, a level that every set-up has, or that none has. The number of players is not drawn.
    """
    game, known = get_game(game_name), {name: factor.levels for name, factor in factors_of(game_name).items()}
    for text in filter(None, (having, without)):
        factor, level = level_of(text, game_name)
        known[factor.name] = {level: factor.values(level)} if text == having else factor.without(level)
    fields = {name: factor.field for name, factor in factors_of(game_name).items()}
    if PLAYERS in known and [num_players] not in map(list, known.pop(PLAYERS).values()):
        raise ValueError(f"{having or without}: {num_players} players are not among such set-ups")
    everything, stream = game.splits().everything, Stream(derive(seed, "levels", having, without, num_players))
    return [
        game.Config(
            **{
                "num_players": num_players,
                **everything,
                **{fields[name]: draw_value(levels, stream) for name, levels in known.items()},
            }
        )
        for _ in range(n)
    ]


def _training_levels(which: str, n: int, numbers: tuple[int, ...], seed: int, game_name: str) -> list[Any]:
    """``n`` set-ups for each of the numbers of players that such set-ups have."""
    without = which.removeprefix(WITHOUT) if which.startswith(WITHOUT) else ""
    factor, level = level_of(without, game_name) if without else (None, "")
    if factor is not None and factor.name == PLAYERS:
        numbers, without = tuple(number for number in numbers if number not in factor.values(level)), ""
    if not numbers:
        raise ValueError(f"setups={which}: no number of players is left; give others with players")
    parts = [draw_levels(n, number, seed + i, game_name, without=without) for i, number in enumerate(numbers)]
    return [config for part in parts for config in part]


def split_of(config: Any, game_name: str = GAME, fixed: Collection[str] = (), split_name: str = "") -> Split | None:
    """The side on which a set-up is with all its parts; None if they are mixed, or drawn only when the game is set up.

    ``fixed``: fields that were chosen, not drawn; they say nothing about the side.
    """
    return split(game_name, split_name).side_of(config, fixed)


# --- the command -----------------------------------------------------------------------------------------------------


def table_of(game_name: str, split_name: str = "") -> Table:
    """The split as a table."""
    table = titled_table(f"Set-ups of {get_game(game_name).TITLE}{f', {split_name}' if split_name else ''}", gap=2)
    for name in ("part", Split.SEEN.value, Split.HELD_OUT.value):
        table.add_column(name, overflow="fold")
    for part in split(game_name, split_name).parts:
        table.add_row(part.title, *part.texts)
    return table


app = new_app()
SplitName = Annotated[
    str,
    typer.Option("--split", metavar="NAME", help="One of the game's splits, as 'train splits' lists them (its first)."),
]


@app.command(
    epilog=examples(
        "winterkingdom train splits",
        "winterkingdom train splits --seen 200 --held-out 200 --players 2 --seed 1 --out setups.json",
    )
)
def splits(
    seen: Annotated[int, typer.Option(metavar="N", help="Seen set-ups to draw.")] = 0,
    held_out: Annotated[int, typer.Option(metavar="N", help="Held-out set-ups to draw, after the seen ones.")] = 0,
    players: Players = None,
    seed: Annotated[int, typer.Option(metavar="N", help="Decides what is drawn, not what is held out.")] = 0,
    out: Annotated[
        Path | None, typer.Option(metavar="FILE", help="Where the drawn set-ups go, as a JSON list.")
    ] = None,
    choices: Choices = None,
    split_name: SplitName = "",
    game_name: GameName = GAME,
    json: Json = False,
) -> None:
    """Print which set-ups are seen in training and which are held out, or draw some for the arena's --setups."""
    with failing_in_words():
        game, n_drawn = get_game(game_name), seen + held_out
        sides, players = split(game.NAME, split_name), game.PLAYERS[0] if players is None else players
        if (out is None) != (n_drawn == 0):
            raise ValueError(
                "--out FILE needs a number of set-ups, and numbers need --out, as in --seen 200 --held-out 200 --out setups.json"
            )
        if json:
            print_json({"game": game.NAME, "seen": sides.of(Split.SEEN), "held_out": sides.of(Split.HELD_OUT)})
        elif out is None:
            put(table_of(game.NAME, split_name))
            if sides.others:
                tell(f"further splits, for --split: {', '.join(sides.others)}")
        if out is not None:
            numbers = {Split.SEEN: seen, Split.HELD_OUT: held_out}
            drawn = [
                setup
                for which, n in numbers.items()
                if n
                for setup in draw_setups(
                    which, n, players, seed, game.NAME, choices=choices or (), split_name=split_name
                )
            ]
            write_setups(out, drawn)
            tell(f"{n_drawn} set-ups for {players} players: {out}")


def main(arguments: list[str] | None = None) -> int:
    """Read the command line and do what it says; the exit code."""
    return run_app(app, "python -m training.splits", arguments)


if __name__ == "__main__":
    sys.exit(main())
