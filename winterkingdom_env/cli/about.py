"""Commands that describe a game: options, cards, house-rules, boards, warm."""

from __future__ import annotations

from contextlib import nullcontext
from inspect import cleandoc
from pathlib import Path
from typing import Annotated

import typer
from rich.table import Table

from winterkingdom_env.cli.options import FIRST_GAME, GameName, HouseRules, Json, MaybeGame, examples
from winterkingdom_env.cli.terminal import err, fail, print_json, put, say, wrong_use
from winterkingdom_env.cli.warming import warm_games
from winterkingdom_env.core.exit_codes import Exit
from winterkingdom_env.core.picture import BoardSheet, CardTable
from winterkingdom_env.core.plain_text import quoted
from winterkingdom_env.games import GAMES, get_game
from winterkingdom_env.games.options import as_typed, options_of
from winterkingdom_env.render import text

app = typer.Typer()


@app.command(epilog=examples("winterkingdom options", f"winterkingdom options --game {FIRST_GAME} --json"))
def options(game_name: GameName = FIRST_GAME, json: Json = False) -> None:
    """List the options of a game, which --players and --set NAME=VALUE choose."""
    with wrong_use():
        rules = get_game(game_name)
    found, config = options_of(rules), rules.Config()
    defaults = {name: getattr(config, name) for name in found}
    if json:
        rows = [{"name": name, "takes": option.words, "default": defaults[name]} for name, option in found.items()]
        print_json({"game": rules.NAME, "players": list(rules.PLAYERS), "options": rows})
        return
    table = Table("option", "takes", "default", box=None)
    table.add_row("--players", ", ".join(map(str, rules.PLAYERS)), str(config.num_players))
    for name, option in found.items():
        table.add_row(f"--set {name}=", option.words, as_typed(defaults[name]))
    put(table)
    for line in cleandoc(rules.Config.__doc__ or "").splitlines():
        say(line, style="dim")


@app.command(
    epilog=examples(
        "winterkingdom cards",
        "winterkingdom cards --house-rules mine.toml",
        f"winterkingdom cards --game {FIRST_GAME} --json",
    )
)
def cards(
    kind: Annotated[
        str | None, typer.Option(help="Print only this kind of card; the table titles name the kinds.")
    ] = None,
    house_rules: HouseRules = None,
    game_name: GameName = FIRST_GAME,
    json: Json = False,
) -> None:
    """Print every card: text, cost, source and page of the rulebook."""
    with wrong_use():
        rules = get_game(game_name)
        tables: tuple[CardTable, ...] = rules.cards(house_rules or "")
        kinds = [table.kind for table in tables]
        if kind is not None and kind not in kinds:
            raise ValueError(f"{rules.NAME} has no {quoted(kind)} cards; its kinds of cards: {', '.join(kinds)}")
    shown = [table for table in tables if kind in (None, table.kind)]
    if json:
        print_json([row for table in shown for row in table.rows])
        return
    for table in shown:
        put(text.view([table.table]))
    for note in dict.fromkeys(table.note for table in shown if table.note):
        say(note, style="dim")


@app.command(
    "house-rules",
    epilog=examples(
        "winterkingdom house-rules > mine.toml", "winterkingdom house-rules --house-rules random:5 --changes"
    ),
)
def house_rules_file(
    house_rules: HouseRules = None,
    changes: Annotated[bool, typer.Option("--changes", help="Print only what differs from the printed cards.")] = False,
    game_name: GameName = FIRST_GAME,
    json: Json = False,
) -> None:
    """Print a house-rules file to edit: every card that can be changed, and the values that its columns accept.

    With --house-rules, check that file and print it. Exit code 2 if it is invalid.
    """
    from winterkingdom_env.games.house_rules import RANDOM, read_house_rules, template

    with wrong_use():
        rules = get_game(game_name)
        if not rules.SHEETS:
            raise ValueError(f"{rules.TITLE} has no cards that house rules can change")
        text = read_house_rules(house_rules or "", rules.SHEETS)
        if text == RANDOM:
            raise ValueError(f"{RANDOM} draws house rules from a game's seed; give a seed, as in {RANDOM}:5")
    if json:
        print_json({"game": rules.NAME, "house_rules": text})
    else:
        for line in (text if changes else template(rules.SHEETS, text)).splitlines():
            say(line)


@app.command(epilog=examples("winterkingdom boards", "winterkingdom boards --boards my_boards.txt"))
def boards(
    source: Annotated[
        str | None, typer.Option("--boards", help="A value of the game's option 'boards', or a file to check.")
    ] = None,
    seed: Annotated[int, typer.Option(help="Seed for boards that are drawn at random.")] = 7,
    game_name: GameName = FIRST_GAME,
    json: Json = False,
) -> None:
    """Check and show the boards of a game. Exit code 1 if a file breaks a rule."""
    with wrong_use():
        rules = get_game(game_name)
        named = str(getattr(rules.Config(), "boards", "")) if source is None else source
    try:
        sheet: BoardSheet = rules.board_sheet(named, seed)
    except ValueError as error:
        fail(error, Exit.FAILED if Path(named).is_file() else Exit.WRONG_USE)
    if json:
        print_json(sheet.content)
        return
    put(text.view(sheet.blocks))
    say(sheet.summary, style="bold")


@app.command(epilog=examples("winterkingdom warm", "winterkingdom warm --processes 1 --json"))
def warm(
    game_name: MaybeGame = None,
    processes: Annotated[
        int | None, typer.Option(min=1, metavar="N", help="Games to compile at the same time. Default: one per core.")
    ] = None,
    json: Json = False,
) -> None:
    """Compile all kernels now (once, one to three minutes per game) instead of at first use. Without --game, for all games."""
    with wrong_use():
        names = [get_game(name).NAME for name in ((game_name,) if game_name else GAMES)]
    from winterkingdom_env.core.threads import usable_cores

    seconds = {}
    with err.status(f"compiling all kernels of {', '.join(names)}") if err.is_terminal else nullcontext():
        for name, taken in warm_games([game_name] if game_name else names, processes or usable_cores()):
            seconds[get_game(name).NAME] = taken
            if not json:
                say(f"compiled all kernels of {get_game(name).NAME} in {taken:.1f} s")
    if json:
        print_json({"seconds": {name: seconds[name] for name in names}})
