"""The ``winterkingdom`` command. rooms.py finds the commands outside the package (arena, train, evaluate, bench).

Results go to stdout, prompts and errors to stderr. ``--json`` prints exactly one line. Exit code 2 is wrong use, 1 a
failed verification, 130 an interrupted game. Commands import numba lazily, so ``--help`` is fast.
"""

from __future__ import annotations

import secrets
import sys
import time
from contextlib import nullcontext
from enum import StrEnum
from pathlib import Path
from traceback import format_exception
from typing import Annotated, Any, NoReturn

import typer
from rich.table import Table

from winterkingdom_env import records
from winterkingdom_env.cli import about, check, rooms, serve
from winterkingdom_env.cli.options import (
    FIRST_GAME,
    Choices,
    Code,
    GameName,
    HouseRules,
    Json,
    MaybeGame,
    Players,
    config_of,
    examples,
    load_codes,
    new_app,
    new_game,
    run_app,
)
from winterkingdom_env.cli.table import (
    AgentFailed,
    Person,
    Sitting,
    Stopped,
    check_drawing,
    seated_agents,
    turn_lines,
)
from winterkingdom_env.cli.terminal import (
    err,
    fail,
    out,
    print_json,
    put,
    say,
    tell,
    wrong_use,
)
from winterkingdom_env.cli.warming import warm_up
from winterkingdom_env.core.drawing import seat_name
from winterkingdom_env.core.exit_codes import Exit
from winterkingdom_env.core.files import write_whole
from winterkingdom_env.core.picture import Look
from winterkingdom_env.core.version import VERSION
from winterkingdom_env.games import Game, get_game, name_of
from winterkingdom_env.render import picture_of, text
from winterkingdom_env.search.registry import AGENTS

FRESH_SEED_BITS = 31


class Show(StrEnum):
    """When to show the position."""

    END = "end"
    TURNS = "turns"
    NONE = "none"


app = new_app(help="Board games as reinforcement-learning environments.", no_args_is_help=True)


def _version(wanted: bool) -> None:
    if wanted:
        typer.echo(f"winterkingdom_env {VERSION}")
        raise typer.Exit


@app.callback(epilog=examples("winterkingdom play --players 3 --seed 7", "winterkingdom replay game.jsonl"))
def _main(
    version: Annotated[
        bool, typer.Option("--version", callback=_version, is_eager=True, help="Print the version and exit.")
    ] = False,
) -> None:
    """Board games as reinforcement-learning environments."""


# --- showing ----------------------------------------------------------------------------------------------------------


def _show(game: Game, look: Look | None = None) -> None:
    put(text.view(picture_of(game, look)))


def _seats(seats: list[int]) -> str:
    return " and ".join(f"seat {seat_name(seat)}" for seat in seats)


# --- play -------------------------------------------------------------------------------------------------------------


def _result(game: Game, agents: list[str], n_steps: int, record: Path | None) -> dict[str, Any]:
    name, scores = name_of(game), list(game.scores())
    return {
        "game": name, "env_version": get_game(name).ENV_VERSION, "seed": game.seed, "players": game.n_players,
        "agents": agents, "steps": n_steps, "rounds": game.round, "scores": scores, "winners": records.winners_of(game.ranks()),
        "score_sheet": game.score_sheet(), "record": None if record is None else str(record),
    }  # fmt: skip


@app.command(
    epilog=examples(
        "winterkingdom play --players 3 --seed 7 --agents random",
        "winterkingdom play --agents human,planner --record game.jsonl",
        "winterkingdom play --agents greedy,search:milliseconds=50,threads=2",
        "winterkingdom play --code my_bots.py --agents my_bots:Stubborn,planner",
        "winterkingdom play --seed 7 --svg board.svg --show none",
    )
)
def play(
    players: Players = None,
    seed: Annotated[int | None, typer.Option(help="Seed of the set-up and the agents. Default: random.")] = None,
    agents: Annotated[
        str,
        typer.Option(help=f"One agent per seat, or one for all: {', '.join(AGENTS)}, with options, or module:Class."),
    ] = "random",
    code: Code = None,
    choices: Choices = None,
    house_rules: HouseRules = None,
    record: Annotated[Path | None, typer.Option(help="Record the game in this new file (.gz: compressed).")] = None,
    svg: Annotated[Path | None, typer.Option(help="Draw the final position in this new SVG file.")] = None,
    overwrite: Annotated[
        bool, typer.Option("--overwrite", help="Let --record and --svg replace existing files.")
    ] = False,
    show: Annotated[Show, typer.Option(help="Show the position at the end, after every turn, or never.")] = Show.END,
    game_name: GameName = FIRST_GAME,
    json: Json = False,
    quiet: Annotated[bool, typer.Option("--quiet", "-q", help="Print nothing but errors.")] = False,
) -> None:
    """Play a game and show the final position, the score sheet and the winner."""
    seed = secrets.randbits(FRESH_SEED_BITS) if seed is None else seed
    with wrong_use():
        rules = get_game(game_name)
        config = config_of(rules, players, choices, house_rules)
        load_codes(code)
        names, seated = seated_agents(agents, rules, config.num_players, seed)
        if svg is not None:
            check_drawing(svg, record, overwrite)
        game = new_game(rules, config, seed, is_quiet=quiet)
        writer = None if record is None else records.RecordWriter(record, game, names, overwrite=overwrite)
    show_turns = show is Show.TURNS and not (quiet or json)
    log = out if show_turns else err if any(isinstance(agent, Person) for agent in seated) else None
    sitting = Sitting(game, seated, names, writer, log, _show if show_turns else None)
    try:
        with writer or nullcontext():
            try:
                sitting.play()
            except (Stopped, KeyboardInterrupt):
                _stop(sitting.game, writer)
            except AgentFailed as error:
                if error.__cause__ is not None:  # the agent's own traceback, for its author
                    tell("".join(format_exception(error.__cause__)).rstrip())
                fail(f"{error}{_kept(writer)}", Exit.FAILED)
    except records.RecordError as error:
        fail(error, Exit.FAILED)
    game = sitting.game  # undo replaces the game object
    result = _result(game, names, len(sitting.moves), record)
    if svg is not None:
        _draw(game, svg)
    if json:
        print_json(result)
    elif not quiet:
        _print_result(game, result, show)
        for line in turn_lines(sitting.moves_unseen(), names):
            say(f"after your last move, {line}")


def _draw(game: Game, svg: Path) -> None:
    from winterkingdom_env.render import svg as pictures

    try:
        write_whole(svg, pictures.render(picture_of(game, Look(sheet=game.score_sheet()))))
    except OSError as error:
        fail(f"{svg} cannot be written: {error.strerror}", Exit.FAILED)


def _stop(game: Game, writer: records.RecordWriter | None) -> NoReturn:
    tell(f"stopped in round {game.round}{_kept(writer)}")
    raise typer.Exit(Exit.INTERRUPTED) from None


def _kept(writer: records.RecordWriter | None) -> str:
    return f"; {writer.n_actions} actions are kept in {writer.path}" if writer else ""


def _print_result(game: Game, result: dict[str, Any], show: Show) -> None:
    if show is not Show.NONE:
        _show(game, Look(sheet=result["score_sheet"], agents=result["agents"]))
    say(f"{_seats(result['winners'])} {_won(result)}", style="bold")
    kept = f", recorded in {result['record']}" if result["record"] else ""
    say(f"seed {result['seed']}, {result['steps']} steps, {result['rounds']} rounds{kept}")


def _won(result: dict[str, Any]) -> str:
    """How the winners won; of two seats the winner's points come first."""
    scores, winners = result["scores"], result["winners"]
    if len(scores) == 2 and len(winners) == 1:
        return f"wins {scores[winners[0]]} to {scores[1 - winners[0]]}"
    verb = "share the win" if len(winners) > 1 else "wins"
    return f"{verb}: {', '.join(map(str, scores))}"


# --- replay -----------------------------------------------------------------------------------------------------------


@app.command(
    epilog=examples(
        "winterkingdom replay game.jsonl",
        "winterkingdom replay game.jsonl.gz --show turns",
        "winterkingdom replay game.jsonl --svg board.svg --show none",
        "winterkingdom replay game.jsonl --html game.html --show none",
    )
)
def replay(
    file: Annotated[Path, typer.Argument(help="A recorded game.", exists=True, dir_okay=False, readable=True)],
    game_name: MaybeGame = None,
    svg: Annotated[Path | None, typer.Option(help="Draw the last position in this new SVG file.")] = None,
    html: Annotated[
        Path | None,
        typer.Option(help="Write the game as a page to step through in a browser: one new file with all in it."),
    ] = None,
    viewer: Annotated[
        int | None,
        typer.Option(min=0, metavar="SEAT", help="With --html: show what this seat saw. Default: everything."),
    ] = None,
    overwrite: Annotated[
        bool, typer.Option("--overwrite", help="Let --svg and --html replace existing files.")
    ] = False,
    show: Annotated[Show, typer.Option(help="Show the position at the end, after every turn, or never.")] = Show.END,
    json: Json = False,
) -> None:
    """Replay a record and verify every line. Exit code 1 if a line is wrong. A game from another package needs --game."""
    with wrong_use():
        if game_name is not None:  # a record itself never imports a game
            get_game(game_name)
        if svg is not None:
            check_drawing(svg, file, overwrite, "the record")
        if html is not None:
            check_drawing(html, file, overwrite, "the record", "--html")
            check_drawing(html, svg, overwrite, "--svg", "--html")
        if viewer is not None and html is None:
            raise ValueError("--viewer goes with --html")
    try:
        record = records.read_record(file)
        records.module_of(record)  # refuses an unknown game before anything else happens
        game = records.start_game(record)
        warm_up(game)
        _replay_steps(record, game, show is Show.TURNS and not json)
        report = records.report(record, game)
    except records.RecordError as error:
        if json:
            print_json({"ok": False, "line": error.line, "error": error.reason, "record": str(file)})
        fail(error, Exit.FAILED)
    if svg is not None:
        _draw(report.game, svg)
    if html is not None:
        _write_page(record, viewer, html)
    if json:
        print_json(_report_data(report))
    else:
        _print_report(report, show)


def _write_page(record: records.Record, viewer: int | None, html: Path) -> None:
    from winterkingdom_env.web import Replay

    with wrong_use():  # a seat that the game does not have
        page = Replay(record, viewer)
    try:
        page.save(html)
    except OSError as error:
        fail(f"{html} cannot be written: {error.strerror}", Exit.FAILED)


def _replay_steps(record: Any, game: Game, show_turns: bool) -> None:
    turn = (game.round, game.seat)
    for step, _ in records.replay_steps(record, game):
        if show_turns:
            say(f"seat {step.seat}: {step.action}")
            if (game.round, game.seat) != turn:
                turn = (game.round, game.seat)
                _show(game)


def _report_data(report: records.ReplayReport) -> dict[str, Any]:
    header = report.record.header
    return {
        "ok": True, "record": str(report.record.path), "complete": report.is_complete, "torn": report.record.torn,
        "actions": report.n_actions, "scores": report.scores, "winners": report.winners if report.is_complete else None,
        "game": header.game, "env_version": header.env_version, "seed": header.seed, "agents": header.agents,
        "seed_confirmed": report.is_seed_confirmed,
    }  # fmt: skip


def _print_report(report: records.ReplayReport, show: Show) -> None:
    if show is not Show.NONE:
        _show(report.game, Look(sheet=report.game.score_sheet(), agents=report.record.header.agents))
    say(str(report), style="bold")
    if report.is_complete:
        say(f"winner: {_seats(report.winners)}")
    seed = report.record.header.seed
    told = {
        True: f"seed {seed} gives this set-up",
        False: f"note: seed {seed} gives another set-up in this version",
        None: "note: the set-up was not compared with its seed",
    }
    say(told[report.is_seed_confirmed])


# --- perft ------------------------------------------------------------------------------------------------------------


@app.command(epilog=examples("winterkingdom perft --seed 7 --depth 3", "winterkingdom perft --depth 2 --divide --json"))
def perft(
    depth: Annotated[int, typer.Option(min=1, help="Length of the longest sequences, in actions.")] = 3,
    seed: Annotated[int, typer.Option(help="Seed of the set-up.")] = 7,
    divide: Annotated[bool, typer.Option("--divide", help="Also print the count below each first action.")] = False,
    players: Players = None,
    choices: Choices = None,
    house_rules: HouseRules = None,
    game_name: GameName = FIRST_GAME,
    json: Json = False,
) -> None:
    """Count sequences of legal actions (the classic test of a move generator) and time it."""
    from winterkingdom_env.games.base import perft as count_sequences

    with wrong_use():
        rules = get_game(game_name)
        game = new_game(rules, config_of(rules, players, choices, house_rules), seed)
    rows = []
    for level in range(1, depth + 1):
        start = time.perf_counter()
        count = count_sequences(game, level)
        rows.append((level, count, time.perf_counter() - start))
    parts = _divide(game, depth) if divide else {}
    if json:
        data = [{"depth": level, "nodes": n, "seconds": s, "nodes_per_second": n / s} for level, n, s in rows]
        told = {"game": name_of(game), "seed": seed, "players": game.n_players}
        print_json({**told, "counts": data, "divide": parts or None})
        return
    for label, count in parts.items():
        say(f"{count:>15,}  {label}")
    table = Table("depth", "sequences", "seconds", "per second", box=None)
    for column in table.columns:
        column.justify = "right"
    for level, count, seconds in rows:
        table.add_row(str(level), f"{count:,}", f"{seconds:.3f}", f"{count / seconds:,.0f}")
    put(table)


def _divide(game: Game, depth: int) -> dict[str, int]:
    from winterkingdom_env.games.base import perft as count_sequences

    counts = {}
    for action in game.legal_actions():
        child = game.clone()
        child.apply(action)
        counts[game.label(action)] = count_sequences(child, depth - 1)
    return counts


app.add_typer(about.app)  # options, cards, house-rules, boards, warm
app.add_typer(check.app)
app.add_typer(serve.app)
app.add_typer(rooms.app)  # arena, train, evaluate, bench: outside the package


def main(arguments: list[str] | None = None) -> None:
    """Run the command line. ``arguments`` defaults to ``sys.argv[1:]``."""
    sys.exit(run_app(app, "winterkingdom", arguments))


if __name__ == "__main__":
    main()
