"""``python -m training.splits``: which set-ups are seen in training, and which are held out to ask what was understood.

Scoring cards are held out by the triple, economies and twists by the card, boards by the set of sides. What is held out follows from
``SPLIT_SEED`` and the game's tables alone, with a stream of our own, so no version of any library changes it.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Sequence
from dataclasses import dataclass
from enum import StrEnum
from functools import cache
from importlib import import_module
from itertools import combinations
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar

from agents.schedule import MOST_SETUPS
from agents.setups import write_setups
from winterkingdom_env.core.rng import Stream, derive
from winterkingdom_env.games import GAMES, get_game

if TYPE_CHECKING:
    from rich.table import Table

    from winterkingdom_env.games.winter_kingdom import Config

SPLIT_SEED = 20201  # never changed: who trained on the seen set-ups of yesterday has not seen those held out today
HELD_OUT_TRIPLES = 5  # every so manieth
HELD_OUT_CARDS = 2  # economies, and as many twists
N_BOARDS = 16  # generated sets of sides on either side of the split
FIRST_HELD_OUT_BOARDS = 1000
GAME = next(iter(GAMES))
EPILOG = """examples:
  python -m training.splits
  python -m training.splits --seen 200 --held-out 200 --players 2 --seed 1 --out setups.json
"""
T = TypeVar("T")


class Split(StrEnum):
    """Which side of the split a set-up is on."""

    SEEN = "seen"
    HELD_OUT = "held-out"


@dataclass(frozen=True)
class Choices:
    """What set-ups of one side are made of. A twist that is None is a game without one."""

    scoring: tuple[tuple[str, ...], ...]
    economies: tuple[str, ...]
    twists: tuple[str | None, ...]
    boards: tuple[str, ...]


@dataclass(frozen=True)
class Splits:
    """Both sides of the split of a game."""

    game: str
    seen: Choices
    held_out: Choices

    def of(self, which: Split) -> Choices:
        """One side."""
        return self.seen if which is Split.SEEN else self.held_out


def _parted(items: Sequence[T], n_held_out: int, purpose: str) -> tuple[tuple[T, ...], tuple[T, ...]]:
    """Seen and held out, both in the order of ``items``."""
    numbers = list(range(len(items)))
    Stream(derive(SPLIT_SEED, purpose)).shuffle(numbers)
    held_out = set(numbers[:n_held_out])
    seen = tuple(item for i, item in enumerate(items) if i not in held_out)
    return seen, tuple(items[i] for i in sorted(held_out))


@cache
def split(game_name: str = GAME) -> Splits:
    """The split of a game, always the same."""
    room = f"winterkingdom_env.games.{get_game(game_name).NAME}"
    tables, layout, config = (import_module(f"{room}.{part}") for part in ("tables", "layout", "config"))
    triples = list(combinations((card.name for card in tables.SCORINGS), layout.SCORING_IN_PLAY))
    scoring = _parted(triples, len(triples) // HELD_OUT_TRIPLES, "scoring")
    economies = _parted([card.name for card in tables.ECONOMIES], HELD_OUT_CARDS, "economy")
    twists = _parted([card.name for card in tables.TWISTS], HELD_OUT_CARDS, "twist")
    boards = [f"{config.GENERATED}:{seed}" for seed in range(N_BOARDS)]
    others = [f"{config.GENERATED}:{FIRST_HELD_OUT_BOARDS + seed}" for seed in range(N_BOARDS)]
    return Splits(
        game=game_name,
        seen=Choices(scoring[0], economies[0], (None, *twists[0]), (config.STANDARD, *boards)),
        held_out=Choices(scoring[1], economies[1], twists[1], tuple(others)),
    )


def draw_setups(which: Split, n: int, num_players: int, seed: int, game_name: str = GAME) -> list[Config]:
    """``n`` set-ups of one side, each part drawn evenly from that side's list; the first ones of a longer list are the same."""
    if not 0 <= n <= MOST_SETUPS:
        raise ValueError(f"{n} set-ups cannot be drawn; 0 to {MOST_SETUPS:,} are needed")
    choices, make = split(game_name).of(which), get_game(game_name).Config
    stream = Stream(derive(seed, "set-ups", which.value, num_players))

    def one_of(items: Sequence[T]) -> T:
        return items[stream.draw(len(items))]

    return [
        make(
            num_players=num_players,
            scoring=one_of(choices.scoring),
            economy=one_of(choices.economies),
            twist=one_of(choices.twists),
            boards=one_of(choices.boards),
        )
        for _ in range(n)
    ]


def split_of(config: Config, game_name: str = GAME) -> Split | None:
    """The side on which a set-up is with all its parts; None if they are mixed, or drawn only when the game is set up."""
    cards = None if config.scoring is None else frozenset(config.scoring)
    for which in Split:
        if (
            cards in _triples(which, game_name)
            and config.economy in split(game_name).of(which).economies
            and config.twist in split(game_name).of(which).twists
            and config.boards in split(game_name).of(which).boards
        ):
            return which
    return None


@cache
def _triples(which: Split, game_name: str) -> frozenset[frozenset[str]]:
    return frozenset(map(frozenset, split(game_name).of(which).scoring))


# --- the command -----------------------------------------------------------------------------------------------------


def table_of(splits: Splits) -> Table:
    """The split for people."""
    from rich import box
    from rich.table import Table

    table = Table(box=box.SIMPLE_HEAD, title=f"Set-ups of {splits.game}", title_justify="left", padding=(0, 2, 0, 0))
    for name in ("part", Split.SEEN.value, Split.HELD_OUT.value):
        table.add_column(name, overflow="fold")
    sides = splits.seen, splits.held_out
    table.add_row("scoring cards", *(f"{len(side.scoring)} triples, as {', '.join(side.scoring[0])}" for side in sides))
    table.add_row("economies", *(", ".join(side.economies) for side in sides))
    table.add_row("twists", *(", ".join(twist or "no twist" for twist in side.twists) for side in sides))
    table.add_row("boards", *(_boards_text(side.boards) for side in sides))
    return table


def _boards_text(boards: Sequence[str]) -> str:
    apart = [name for name in boards if ":" not in name]
    numbered = [name for name in boards if ":" in name]
    return ", ".join([*apart, f"{numbered[0]} to {numbered[-1]}"])


def parser() -> argparse.ArgumentParser:
    """The command line."""
    made = argparse.ArgumentParser(
        prog="python -m training.splits",
        formatter_class=argparse.RawDescriptionHelpFormatter,
        description="Print which set-ups are seen in training and which are held out, or draw some for the arena's --setups.",
        epilog=EPILOG,
    )
    add = made.add_argument
    add("--game", default=GAME, metavar="NAME", help=f"which game ({GAME})")
    add("--seen", type=int, default=0, metavar="N", help="seen set-ups to draw (0)")
    add("--held-out", type=int, default=0, metavar="N", help="held-out set-ups to draw, after the seen ones (0)")
    add("--players", type=int, default=2, metavar="N", help="seats of a game (2)")
    add("--seed", type=int, default=0, metavar="N", help="decides what is drawn, not what is held out (0)")
    add("--out", type=Path, metavar="FILE", help="where the drawn set-ups go, as a JSON list")
    add("--json", action="store_true", help="print one line of JSON on stdout and nothing else there")
    return made


def _run(options: argparse.Namespace) -> None:
    from winterkingdom_env._terminal import print_json, put, tell

    splits, n_drawn = split(options.game), options.seen + options.held_out
    if (options.out is None) != (n_drawn == 0):
        raise ValueError("--out FILE and how many set-ups it gets belong together, as in --seen 200 --held-out 200")
    if options.json:
        print_json(splits)
    elif options.out is None:
        put(table_of(splits))
    if options.out is not None:
        numbers = {Split.SEEN: options.seen, Split.HELD_OUT: options.held_out}
        drawn = [draw_setups(which, n, options.players, options.seed, options.game) for which, n in numbers.items()]
        write_setups(options.out, sum(drawn, []))
        tell(f"{n_drawn} set-ups for {options.players} players: {options.out}")


def main(arguments: list[str] | None = None) -> int:
    """Read the command line and do what it says; the exit code."""
    from winterkingdom_env._terminal import FAILED, WRONG_USE, tell

    options: Any = parser().parse_args(arguments)
    try:
        _run(options)
    except (ValueError, OSError) as error:
        tell(f"error: {error}")
        return WRONG_USE if isinstance(error, ValueError) else FAILED
    return 0


if __name__ == "__main__":
    sys.exit(main())
