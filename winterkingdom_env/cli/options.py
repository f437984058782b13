"""What the commands of ``winterkingdom`` share: common options, examples in the help, groups, and a game made from the options."""

from __future__ import annotations

import shlex
import sys
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Annotated, Any

import typer
from typer.core import TyperGroup
from typer.main import get_command

from winterkingdom_env.cli.table import warm_up
from winterkingdom_env.cli.terminal import heard, tell
from winterkingdom_env.core.exit_codes import Exit
from winterkingdom_env.core.extras import EXTRA_OF, install_command
from winterkingdom_env.games import GAMES, Game, GameRules
from winterkingdom_env.games.options import make_config

FIRST_GAME = next(iter(GAMES))
OTHERS = "or package.module:attribute"
GameName = Annotated[str, typer.Option("--game", help=f"Which game: {', '.join(GAMES)}, {OTHERS}.")]
MaybeGame = Annotated[str | None, typer.Option("--game", help=f"Which game: {', '.join(GAMES)}, {OTHERS}.")]
Players = Annotated[int | None, typer.Option("--players", help="Number of players; the game's own if left out.")]
Choices = Annotated[
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
Code = Annotated[
    list[Path] | None,
    typer.Option("--code", metavar="FILE.py", help="A Python file of agents, named as file:Class; may be given often."),
]
Processes = Annotated[int, typer.Option("--processes", metavar="N", help="Games played at the same time.")]
Json = Annotated[bool, typer.Option("--json", help="Print one line of JSON on stdout and nothing else there.")]


def examples(*lines: str, codes: Sequence[Exit] = ()) -> str:
    """The end of a command's help: examples, and what its exit codes mean."""
    told = ["[bold]Examples[/bold]", *(f"  {line}" for line in lines)]
    told += ["[bold]Exit codes[/bold]", *(f"  {code:d}  {code.meaning}" for code in codes)] if codes else []
    return "\n\n".join(told)


def new_app(**options: Any) -> typer.Typer:
    """A typer application in our style."""
    return typer.Typer(rich_markup_mode="rich", pretty_exceptions_enable=False, add_completion=False, **options)


class DefaultGroup(TyperGroup):
    """A group whose first command needs no name: ``winterkingdom arena random greedy`` beside ``winterkingdom arena report DIR``."""

    def parse_args(self, ctx: Any, args: list[str]) -> list[str]:
        """Put the name of the first command in front unless a command is named."""
        if not args or args[0] not in self.commands:
            args = [next(iter(self.commands)), *args]
        return super().parse_args(ctx, args)


def add_door(app: typer.Typer, name: str, words: str, run: Callable[[list[str]], int]) -> None:
    """A command that hands everything after its name, --help included, to ``run``, which returns the exit code."""

    def command(context: typer.Context) -> None:
        raise typer.Exit(run(context.args))

    all_of_it = {"allow_extra_args": True, "ignore_unknown_options": True, "allow_interspersed_args": False}
    app.command(name, help=words, add_help_option=False, context_settings=all_of_it)(command)


def run_app(app: typer.Typer, name: str, arguments: Sequence[str] | None = None) -> int:
    """Run an application as the command ``name`` and return its exit code; without arguments, with the process's own.

    A package that an extra brings is named with the command that installs it. ``Context.obj`` of typer is the command line as text.
    """
    given = sys.argv[1:] if arguments is None else list(arguments)
    try:
        with heard():
            get_command(app).main(args=given, prog_name=name, obj=shlex.join([*name.split(), *given]))
    except SystemExit as end:
        return end.code if isinstance(end.code, int) else int(end.code is not None)
    except ModuleNotFoundError as error:
        package = (error.name or "").partition(".")[0]
        if package not in EXTRA_OF:
            raise
        tell(f"error: {name} needs {package}, which is not installed; run: {install_command(package)}")
        return Exit.FAILED
    return Exit.OK


def load_codes(paths: Sequence[Path] | None) -> None:
    """Import the files that --code names; ValueError if that fails."""
    from winterkingdom_env.search.registry import load_code

    for path in paths or ():
        load_code(path)


def config_of(rules: GameRules, players: int | None, choices: list[str] | None, house_rules: str | None) -> Any:
    """The Config that was asked for; ValueError if an option is wrong."""
    return make_config(rules, players, typed_options(choices, house_rules))


def typed_options(choices: list[str] | None, house_rules: str | None) -> list[str]:
    """What --set and --house-rules say, as ``games.options.read_options`` takes it."""
    return [*(choices or ()), *([] if house_rules is None else [f"house_rules={house_rules}"])]


def new_game(rules: GameRules, config: Any, seed: int, is_quiet: bool = False) -> Game:
    """A game whose kernels are compiled; a quiet command says nothing about that."""
    from winterkingdom_env.core._cache import hush

    if is_quiet:
        hush()
    game = rules.new_game(config=config, seed=seed)
    warm_up(game)
    return game
