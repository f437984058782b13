"""``winterkingdom arena``: play a tournament and report its results (docs/arena.md)."""

from __future__ import annotations

import datetime
import secrets
import shlex
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Annotated, Any

import typer

from agents import pages
from agents.desk import DeskPool
from agents.game_pages import MOST_LISTED, Pages
from agents.report import write_report
from agents.results import Store, StoreError, Tournament, WriteError, read_results, read_tournament
from agents.schedule import SEED_BITS, Mode, Settings, as_file, check_processes, n_games, n_lineups
from agents.setups import read_setups
from agents.summary import Summary, show, summarise
from agents.tournament import begun, outcome_of, resumed, run
from winterkingdom_env.cli.options import (
    Choices,
    Code,
    DefaultGroup,
    HouseRules,
    Json,
    MaybeGame,
    Players,
    Processes,
    examples,
    load_codes,
    new_app,
    run_app,
    typed_options,
)
from winterkingdom_env.cli.terminal import err, fail, print_json, put, say, tell
from winterkingdom_env.core.exit_codes import Exit
from winterkingdom_env.games import GameRules, address_of, get_game, known_games
from winterkingdom_env.games.options import read_options
from winterkingdom_env.search.registry import CODE

ReportFolder = Annotated[
    Path | None,
    typer.Option("--report", metavar="DIR", help="Write report.html, report.json and CSV files to this folder."),
]
WhichPages = Annotated[
    Pages,
    typer.Option(
        "--pages",
        help=f"Which games of the report get a page to step through: the first {MOST_LISTED}, which it lists, all, or none.",
    ),
]
ReportProcesses = Annotated[
    int, typer.Option("--processes", metavar="N", help="Number of processes that make the pages of games.")
]

app = new_app(cls=DefaultGroup, help="Play agents against each other and rate them.")


@app.command(
    "play",
    epilog=examples(
        "winterkingdom arena random greedy --games 200 --seed 7 --processes 2",
        "winterkingdom arena search:simulations=400 planner greedy --players 3 --out night --report night-report",
        "winterkingdom arena --resume --out night",
        "winterkingdom arena greedy planner --setups setups.json --seed 1",
        "winterkingdom arena --code my_bots.py my_bots:New my_bots:Old --mode head-to-head --sprt 0,20 --games 5000",
        "winterkingdom arena report night --report night-report",
        codes=list(Exit),
    ),
)
def play(
    context: typer.Context,
    agents: Annotated[
        list[str] | None,
        typer.Argument(
            metavar="AGENT", help="Two or more, such as 'random', 'search:simulations=400', 'my_bots:Class'."
        ),
    ] = None,
    players: Players = None,
    games: Annotated[
        int | None,
        typer.Option(
            metavar="N", help="Games per line-up, rounded up to whole set-ups. Default: 100, or all of --setups."
        ),
    ] = None,
    mode: Annotated[
        Mode | None,
        typer.Option(help="All against all, the first against all others, or two agents. Default: round-robin."),
    ] = None,
    seed: Annotated[
        int | None,
        typer.Option(metavar="N", help="Seed of all set-ups and agents. Default: random."),
    ] = None,
    processes: Processes = 1,
    time_limit: Annotated[
        float | None,
        typer.Option(
            metavar="SECONDS", help="Time limit per move, without the preparation before the first move. Default: 60."
        ),
    ] = None,
    memory_limit: Annotated[
        int | None,
        typer.Option(metavar="MB", help="Limit for the peak resident memory of a seat's process. Default: 4096."),
    ] = None,
    out: Annotated[
        Path | None,
        typer.Option(
            metavar="DIR", help="New or empty folder for settings, results and records. Default: arena-DATE-TIME."
        ),
    ] = None,
    resume: Annotated[
        bool, typer.Option("--resume", help="Continue the tournament in --out DIR with the settings stored there.")
    ] = False,
    report: ReportFolder = None,
    show_pages: WhichPages = Pages.LISTED,
    sprt: Annotated[
        str | None,
        typer.Option(
            metavar="ELO0,ELO1", help="Sequential test: stop as soon as one of two Elo differences is accepted."
        ),
    ] = None,
    alpha: Annotated[
        float | None, typer.Option(metavar="P", help="Probability that --sprt wrongly accepts ELO1. Default: 0.05.")
    ] = None,
    beta: Annotated[
        float | None, typer.Option(metavar="P", help="Probability that --sprt wrongly rejects ELO1. Default: 0.05.")
    ] = None,
    setups: Annotated[
        Path | None, typer.Option(metavar="FILE", help="JSON list of set-ups to play in this order, instead of --set.")
    ] = None,
    choices: Choices = None,
    house_rules: HouseRules = None,
    code: Code = None,
    game_name: MaybeGame = None,
    json: Json = False,
) -> None:
    """Play agents against each other: every set-up in every rotation of the seats, each seat in its own process."""
    with errors_told():
        load_codes(code)
        named = {
            "agents": tuple(text.strip() for text in agents or ()), "game": game_name, "players": players, "games": games,
            "mode": mode, "seed": seed, "time_limit": time_limit, "memory_limit": memory_limit, "setups": setups,
            "sprt": None if sprt is None else _elos(sprt), "alpha": alpha, "beta": beta,
            "set": typed_options(choices, house_rules),
        }  # fmt: skip
        given = {key: value for key, value in named.items() if value not in (None, (), [])}
        check_processes(processes)
        if report is not None:
            pages.load()  # a missing package is reported before the games, not after them
        with DeskPool() as pool:
            store = _resumed(given, out, pool) if resume else _begun(given, out, context.obj, pool)
            try:
                exit_code = _play(store, pool, processes, report, show_pages, json)
            finally:
                store.close()
    raise typer.Exit(exit_code)


@app.command(
    epilog=examples("winterkingdom arena report night --report night-report", "winterkingdom arena report night --json")
)
def report(
    folder: Annotated[Path, typer.Argument(metavar="OUT_DIR", help="The --out folder of a tournament.")],
    report: ReportFolder = None,
    show_pages: WhichPages = Pages.LISTED,
    processes: ReportProcesses = 1,
    game_name: MaybeGame = None,
    json: Json = False,
) -> None:
    """Print the ratings of a finished or unfinished tournament and write its report."""
    with errors_told():
        if game_name is not None:
            get_game(game_name)  # registers it
        tournament = read_tournament(folder)
        outcome = outcome_of(tournament.settings, read_results(folder))
        if not outcome.results:
            raise ValueError(f"{folder} has no finished games yet; continue it with --resume --out {folder}")
        summary = summarise(tournament, outcome.results, n_games(tournament.settings), outcome.verdict)
        check_processes(processes)
        is_written = report is None or _write_report(summary, folder, report, show_pages, processes)
        _print(summary, json)
    raise typer.Exit(Exit.OK if is_written else Exit.FAILED)


@contextmanager
def errors_told() -> Iterator[None]:
    """Turn errors into a one-line message and an exit code."""
    try:
        yield
    except WriteError as error:
        fail(f"{error}; finished games are kept, --resume continues from there", Exit.FAILED)
    except (ValueError, StoreError) as error:
        fail(error, Exit.WRONG_USE)
    except OSError as error:
        fail(error, Exit.FAILED)


def _elos(text: str) -> tuple[float, float]:
    try:
        low, high = (float(part) for part in text.split(","))
    except ValueError:
        raise ValueError(f"--sprt {text}: two Elo differences separated by a comma are needed, as in 0,20") from None
    return low, high


def _read_setups(given: dict[str, Any], game: str, players: int) -> None:
    """Replace the path given with --setups by the content of the file."""
    if "setups" in given:
        if "choices" in given:
            raise ValueError("--setups and --set exclude each other: the file defines the set-ups completely")
        given["setups"] = read_setups(given["setups"], game, given.get("players", players))


def _read_game(given: dict[str, Any], default: str) -> GameRules:
    """The game. In ``given``, replaces module:attribute by the game's name and --set by the choices."""
    game = get_game(given.get("game", default))
    if "game" in given:
        given["game"] = game.NAME
    if "set" in given:
        given["choices"] = as_file(read_options(game, given.pop("set")))
    return game


def _new_settings(given: dict[str, Any]) -> Settings:
    """Settings from the options, checked as far as possible without playing; ValueError says what is wrong."""
    game = _read_game(given, known_games()[0])
    values = {
        "agents": (),
        "game": game.NAME,
        "players": max(2, game.PLAYERS[0]),
        "seed": secrets.randbits(SEED_BITS),
        **given,
    }
    _read_setups(values, game.NAME, values["players"])
    if "setups" in values:
        values.setdefault("games", len(values["setups"]) * values["players"])
    two = Mode.HEAD_TO_HEAD if "sprt" in values and len(values["agents"]) == 2 else Mode.ROUND_ROBIN
    values["mode"] = Mode(values.get("mode", two))
    return Settings(**values)


def _contradictions(given: dict[str, Any], tournament: Tournament, folder: Path) -> None:
    """ValueError if an option contradicts the tournament to resume."""
    for key, value in given.items():
        kept = getattr(tournament.settings, key)
        if value != kept:
            option = "set" if key == "choices" else key.replace("_", "-")
            said = " ".join(value) if key == "agents" else f"--{option} {value}"
            there = " ".join(kept) if key == "agents" else kept
            if key == "setups":
                said, there = "the list of --setups", "other set-ups"
            raise ValueError(
                f"{said} contradicts {folder}, which was started with {there}; leave it out, or start again in another folder"
            )


def _resumed(given: dict[str, Any], folder: Path | None, pool: DeskPool) -> Store:
    """The tournament in the folder; ValueError if an option contradicts its settings."""
    if folder is None:
        raise ValueError("--resume needs --out DIR, the folder of the tournament to continue")
    if "game" in given:
        get_game(given["game"])  # registers a module:attribute
    tournament = read_tournament(folder)
    _read_game(given, tournament.settings.game)
    _read_setups(given, tournament.settings.game, tournament.settings.players)
    _contradictions(given, tournament, folder)
    return resumed(folder, pool)


def _begun(given: dict[str, Any], folder: Path | None, command: str, pool: DeskPool) -> Store:
    """A new tournament. Nothing is written if the settings are invalid."""
    place = folder or Path(f"arena-{datetime.datetime.now():%Y%m%d-%H%M%S}")
    return begun(_new_settings(given), place, command, pool)


def _play(store: Store, pool: DeskPool, processes: int, report: Path | None, show_pages: Pages, json: bool) -> int:
    """Play the remaining games, print the results, write the report, and return the exit code."""
    settings, planned = store.tournament.settings, n_games(store.tournament.settings)
    _announce(store, planned)
    outcome = run(store, pool, processes, err)
    if outcome.is_interrupted:
        again = shlex.join(["winterkingdom", "arena", "--resume", "--out", str(store.folder), *_further(settings.game)])
        tell(f"stopped: {len(store.results)} of {planned} games are kept in {store.folder}; continue with: {again}")
        return Exit.INTERRUPTED
    summary = summarise(store.tournament, outcome.results, planned, outcome.verdict)
    _print(summary, json)
    if not json:
        tell(f"seed {settings.seed}, results and records: {store.folder}")
    if report is not None and not _write_report(summary, store.folder, report, show_pages, processes):
        return Exit.FAILED
    return Exit.FORFEITS if summary.forfeits else Exit.OK


def _further(game: str) -> list[str]:
    """What a command that resumes a tournament must repeat: files of agents, and a game that is not registered by name."""
    codes = [word for path in CODE for word in ("--code", path)]
    address = address_of(game)
    return [*codes, *(["--game", address] if address != game else [])]


def _announce(store: Store, planned: int) -> None:
    """Print the number of games and how it is made up."""
    settings = store.tournament.settings
    n, each = n_lineups(settings), settings.n_setups * settings.players
    rounded = f" (--games {settings.games}, rounded up to whole set-ups)" if each != settings.games else ""
    kept = f"; {len(store.results)} already played" if store.results else ""
    tell(
        f"{planned} games: {settings.n_setups} set-up{'s' * (settings.n_setups > 1)} x {settings.players} rotations x {n} line-up{'s' * (n > 1)}, "
        f"{each} games per line-up{rounded}{kept}"
    )


def _print(summary: Summary, as_json: bool) -> None:
    if as_json:
        print_json(summary)
    else:
        show(summary, put, say)


def _write_report(summary: Summary, folder: Path, target: Path, show_pages: Pages, processes: int) -> bool:
    """Write the report and print its path, or why it failed; return whether it was written."""
    try:
        tell(f"report: {write_report(summary, folder, target, show_pages, processes, err)}")
    except OSError as error:
        tell(f"error: the report cannot be written to {target}: {error.strerror}; no part of it was written")
        return False
    return True


def run_command(given: list[str]) -> int:
    """Run a command line and return the exit code."""
    return run_app(app, "python -m agents.arena", given)
