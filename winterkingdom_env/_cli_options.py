"""What the commands of ``winterkingdom`` share: their common options, their examples, and a game made from them."""

from __future__ import annotations

from typing import Annotated, Any

import typer
from rich.console import Console

from winterkingdom_env._table import compiling, warm_up
from winterkingdom_env.games import GAMES, Game, GameRules
from winterkingdom_env.games.options import make_config

FIRST_GAME = next(iter(GAMES))
OTHERS = "or package.module:attribute"
GameName = Annotated[str, typer.Option("--game", help=f"Which game: {', '.join(GAMES)}, {OTHERS}.")]
MaybeGame = Annotated[str | None, typer.Option("--game", help=f"Which game: {', '.join(GAMES)}, {OTHERS}.")]
Players = Annotated[int | None, typer.Option("--players", help="Number of players; the game's own if left out.")]
Settings = Annotated[
    list[str] | None,
    typer.Option(
        "--set",
        metavar="NAME=VALUE",
        help="Fix an option of the game, such as a card; may be given often. 'winterkingdom options' lists them.",
    ),
]
HouseRules = Annotated[
    str | None,
    typer.Option(
        "--house-rules",
        metavar="FILE|random:SEED",
        help="Play by house rules: a TOML file that changes cards, or random variations. The same as --set house_rules=...",
    ),
]
Json = Annotated[bool, typer.Option("--json", help="Print one line of JSON on stdout and nothing else there.")]


def examples(*lines: str) -> str:
    """The end of a command's help."""
    return "[bold]Examples[/bold]\n\n" + "\n\n".join(f"  {line}" for line in lines)


def config_of(rules: GameRules, players: int | None, settings: list[str] | None, house_rules: str | None) -> Any:
    """The Config that was asked for; ValueError if an option is wrong."""
    named = () if house_rules is None else (f"house_rules={house_rules}",)
    return make_config(rules, players, (*(settings or ()), *named))


def new_game(rules: GameRules, config: Any, seed: int, console: Console | None) -> Game:
    """A game whose kernels are compiled."""
    with compiling(rules.NAME, console):
        game = rules.new_game(config=config, seed=seed)
        warm_up(game)
    return game
