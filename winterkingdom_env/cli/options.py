"""Shared by the ``winterkingdom`` commands: common options, examples in the help, command groups, and making a game from options."""

from __future__ import annotations

import shlex
import sys
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Annotated, Any

import typer
from typer.core import TyperGroup
from typer.main import get_command

from winterkingdom_env.cli.terminal import heard, tell
from winterkingdom_env.cli.warming import warm_up
from winterkingdom_env.core.exit_codes import Exit
from winterkingdom_env.core.extras import EXTRA_OF, install_command
from winterkingdom_env.games import GAMES, Game, GameRules
from winterkingdom_env.games.options import make_config

FIRST_GAME = next(iter(GAMES))
OTHERS = "or package.module:attribute"
GameName = Annotated[str, typer.Option("--game", help=f"The game: {', '.join(GAMES)}, {OTHERS}.")]
MaybeGame = Annotated[str | None, typer.Option("--game", help=f"The game: {', '.join(GAMES)}, {OTHERS}.")]
Players = Annotated[int | None, typer.Option("--players", help="Number of players. Default: the game's.")]
Choices = Annotated[
    list[str] | None,
    typer.Option(
        "--set",
        metavar="NAME=VALUE",
        help="Set an option of the game, such as a card; repeatable. 'winterkingdom options' lists them.",
    ),
]
HouseRules = Annotated[
    str | None,
    typer.Option(
        "--house-rules",
        metavar="FILE|random:SEED",
        help="Play with house rules: a TOML file that changes cards, or random changes. Same as --set house_rules=...",
    ),
]
Code = Annotated[
    list[Path] | None,
    typer.Option("--code", metavar="FILE.py", help="A Python file with agents, named file:Class; repeatable."),
]
Processes = Annotated[int, typer.Option("--processes", metavar="N", help="Number of games played in parallel.")]
Json = Annotated[bool, typer.Option("--json", help="Print the result as one line of JSON on stdout.")]


def examples(*lines: str, codes: Sequence[Exit] = ()) -> str:
    """The epilog of a command's help: examples, and the meaning of exit codes."""
    told = ["[bold]Examples[/bold]", *(f"  {line}" for line in lines)]
    told += ["[bold]Exit codes[/bold]", *(f"  {code:d}  {code.meaning}" for code in codes)] if codes else []
    return "\n\n".join(told)


def new_app(**options: Any) -> typer.Typer:
    """A typer application with the project's settings."""
    return typer.Typer(rich_markup_mode="rich", pretty_exceptions_enable=False, add_completion=False, **options)


class DefaultGroup(TyperGroup):
    """A group with a default command, the first one: ``winterkingdom arena A B`` beside ``winterkingdom arena report DIR``."""

    def parse_args(self, ctx: Any, args: list[str]) -> list[str]:
        """Insert the name of the default command unless a command is named."""
        if not args or args[0] not in self.commands:
            args = [next(iter(self.commands)), *args]
        return super().parse_args(ctx, args)


def add_door(app: typer.Typer, name: str, words: str, run: Callable[[list[str]], int]) -> None:
    """Add a command that passes all its arguments, --help included, to ``run``, which returns the exit code."""

    def command(context: typer.Context) -> None:
        raise typer.Exit(run(context.args))

    all_of_it = {"allow_extra_args": True, "ignore_unknown_options": True, "allow_interspersed_args": False}
    app.command(name, help=words, add_help_option=False, context_settings=all_of_it)(command)


def run_app(app: typer.Typer, name: str, arguments: Sequence[str] | None = None) -> int:
    """Run an application as the command ``name`` and return its exit code. ``arguments`` defaults to ``sys.argv[1:]``.

    If an optional package is missing, the message has the command that installs it. Typer's ``Context.obj`` is the command line as text.
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
    """Import the files given with --code; ValueError if that fails."""
    from winterkingdom_env.search.registry import load_code

    for path in paths or ():
        load_code(path)


def config_of(rules: GameRules, players: int | None, choices: list[str] | None, house_rules: str | None) -> Any:
    """The Config for these options; ValueError if one is invalid."""
    return make_config(rules, players, typed_options(choices, house_rules))


def typed_options(choices: list[str] | None, house_rules: str | None) -> list[str]:
    """The values of --set and --house-rules, in the form of ``games.options.read_options``."""
    return [*(choices or ()), *([] if house_rules is None else [f"house_rules={house_rules}"])]


def new_game(rules: GameRules, config: Any, seed: int, is_quiet: bool = False) -> Game:
    """A game with compiled kernels; ``is_quiet`` suppresses the message about compiling."""
    from winterkingdom_env.core._cache import hush

    if is_quiet:
        hush()
    game = rules.new_game(config=config, seed=seed)
    warm_up(game)
    return game
