"""``python -m training.splits``: which set-ups are seen in training, and which are held out to ask what was understood.

The game says what is on either side (``games/splits.py``); here set-ups are drawn from it.
"""

from __future__ import annotations

import argparse
import sys
from pathlib import Path
from typing import Any

from rich.table import Table

from agents.schedule import MOST_SETUPS
from agents.setups import write_setups
from agents.summary import titled_table
from winterkingdom_env._terminal import FAILED, WRONG_USE, command_parser, print_json, put, tell
from winterkingdom_env.core.rng import Stream, derive
from winterkingdom_env.games import get_game, known_games
from winterkingdom_env.games.house_rules import PRINTED, RANDOM
from winterkingdom_env.games.splits import Split as Split
from winterkingdom_env.games.splits import Splits

GAME = known_games()[0]
FIRST_HELD_OUT_RULES = 1_000_000  # seed of the first random house rules that are held out
SETUPS = ("seen", "all")  # what a run can be trained on
EPILOG = """examples:
  python -m training.splits
  python -m training.splits --seen 200 --held-out 200 --players 2 --seed 1 --out setups.json
"""


def split(game_name: str = GAME) -> Splits:
    """The split of a game, always the same."""
    return get_game(game_name).splits()


def draw_setups(
    which: Split, n: int, num_players: int, seed: int, game_name: str = GAME, house_rules: str = PRINTED
) -> list[Any]:
    """``n`` set-ups of one side, each part drawn evenly from that side's list; the first ones of a longer list are the same.

    ``house_rules`` as in a Config; "random": others in every set-up, and no seen ones among those held out.
    """
    if not 0 <= n <= MOST_SETUPS:
        raise ValueError(f"{n} set-ups cannot be drawn; 0 to {MOST_SETUPS:,} are needed")
    splits, make = split(game_name), get_game(game_name).Config
    stream = Stream(derive(seed, "set-ups", which.value, num_players))
    first = 0 if which is Split.SEEN else FIRST_HELD_OUT_RULES
    return [
        make(
            num_players=num_players,
            house_rules=f"{RANDOM}:{first + i}" if house_rules == RANDOM else house_rules,
            **splits.draw(which, stream),
        )
        for i in range(n)
    ]


def training_setups(
    which: str, n: int, numbers: tuple[int, ...], seed: int, game_name: str = GAME, house_rules: str = PRINTED
) -> list[Any]:
    """The configs of which every game of a training run draws one: ``n`` seen ones for each number of players, or one that draws everything."""
    if which not in SETUPS:
        raise ValueError(f"setups={which!r} is not known; there are: {', '.join(SETUPS)}")
    game = get_game(game_name)
    if which == "all":
        base = game.Config(house_rules=house_rules, **game.splits().everything)
        return list(game.variants(base, numbers, n))
    drawn = [draw_setups(Split.SEEN, n, number, seed + i, game_name, house_rules) for i, number in enumerate(numbers)]
    return [config for part in drawn for config in part]


def split_of(config: Any, game_name: str = GAME) -> Split | None:
    """The side on which a set-up is with all its parts; None if they are mixed, or drawn only when the game is set up."""
    return split(game_name).side_of(config)


# --- the command -----------------------------------------------------------------------------------------------------


def table_of(game_name: str) -> Table:
    """The split for people."""
    table = titled_table(f"Set-ups of {get_game(game_name).TITLE}", gap=2)
    for name in ("part", Split.SEEN.value, Split.HELD_OUT.value):
        table.add_column(name, overflow="fold")
    for part in split(game_name).parts:
        table.add_row(part.title, *part.texts)
    return table


def parser() -> argparse.ArgumentParser:
    """The command line."""
    made = command_parser(
        "training.splits",
        "Print which set-ups are seen in training and which are held out, or draw some for the arena's --setups.",
        EPILOG,
    )
    add = made.add_argument
    add("--game", default=GAME, metavar="NAME", help=f"which game, by its name or as module:attribute ({GAME})")
    add("--seen", type=int, default=0, metavar="N", help="seen set-ups to draw (0)")
    add("--held-out", type=int, default=0, metavar="N", help="held-out set-ups to draw, after the seen ones (0)")
    add("--players", type=int, metavar="N", help="seats of a game (the fewest)")
    add("--seed", type=int, default=0, metavar="N", help="decides what is drawn, not what is held out (0)")
    add("--out", type=Path, metavar="FILE", help="where the drawn set-ups go, as a JSON list")
    add("--json", action="store_true", help="print one line of JSON on stdout and nothing else there")
    return made


def _run(options: argparse.Namespace) -> None:
    game, n_drawn = get_game(options.game), options.seen + options.held_out
    splits, players = game.splits(), game.PLAYERS[0] if options.players is None else options.players
    if (options.out is None) != (n_drawn == 0):
        raise ValueError("--out FILE and how many set-ups it gets belong together, as in --seen 200 --held-out 200")
    if options.json:
        print_json({"game": game.NAME, "seen": splits.of(Split.SEEN), "held_out": splits.of(Split.HELD_OUT)})
    elif options.out is None:
        put(table_of(options.game))
    if options.out is not None:
        numbers = {Split.SEEN: options.seen, Split.HELD_OUT: options.held_out}
        drawn = [draw_setups(which, n, players, options.seed, options.game) for which, n in numbers.items() if n]
        write_setups(options.out, sum(drawn, []))
        tell(f"{n_drawn} set-ups for {players} players: {options.out}")


def main(arguments: list[str] | None = None) -> int:
    """Read the command line and do what it says; the exit code."""
    options: Any = parser().parse_args(arguments)
    try:
        _run(options)
    except (ValueError, OSError) as error:
        tell(f"error: {error}")
        return WRONG_USE if isinstance(error, ValueError) else FAILED
    return 0


if __name__ == "__main__":
    sys.exit(main())
