"""The commands of ``python -m agents.arena``: play a tournament, and report on one (docs/arena.md)."""

from __future__ import annotations

import argparse
import datetime
import secrets
import shlex
from pathlib import Path
from typing import Any

from agents.desk import DeskPool
from agents.report import write_report
from agents.results import Store, StoreError, Tournament, WriteError, read_results, read_tournament
from agents.schedule import SEED_BITS, Mode, Settings, as_file, check_processes, n_games, n_lineups
from agents.setups import read_setups
from agents.summary import Summary, show, summarise
from agents.tournament import begun, outcome_of, resumed, run
from winterkingdom_env._terminal import BROKEN_OFF, FAILED, WRONG_USE, command_parser, err, print_json, put, say, tell
from winterkingdom_env.games import GameRules, get_game, known_games
from winterkingdom_env.games.options import add_choices, read_options

PLAYED, FORFEITS = 0, 3  # exit codes; the others are _terminal's
NO_SETTINGS = ("out", "resume", "report", "json", "processes")  # options that decide no result
EPILOG = """exit codes:
  0  every game was played to its end      3  finished, but somebody forfeited a game
  1  a failure, such as a full disk        2  wrong use; no game was played
  130  interrupted; --resume goes on

other command:
  python -m agents.arena report OUT_DIR --report DIR     the report of a tournament that has been played

examples:
  python -m agents.arena random greedy --games 200 --seed 7 --processes 2
  python -m agents.arena search:simulations=400 planner greedy --players 3 --out night --report night-report
  python -m agents.arena --resume --out night
  python -m agents.arena greedy planner --setups setups.json --seed 1
  python -m agents.arena my_agents:New my_agents:Old --mode head-to-head --sprt 0,20 --games 5000
"""


def run_parser() -> argparse.ArgumentParser:
    """The command line of a tournament. Options that are settings have no default here: it matters whether they were given."""
    parser = command_parser(
        "agents.arena",
        "Let agents play each other: every set-up in every rotation over the seats, each seat in a process of its own.",
        EPILOG,
    )
    add = parser.add_argument
    add(
        "agents",
        nargs="*",
        metavar="AGENT",
        help="'random', 'search:simulations=400', 'package.module:Class'; two or more",
    )
    add("--players", type=int, metavar="N", help="seats of a game (the fewest)")
    add("--games", type=int, metavar="N", help="games per line-up, rounded up to whole set-ups (100, or all --setups)")
    add(
        "--mode",
        choices=("round-robin", "gauntlet", "head-to-head"),
        help="all with all, the first with all, or two (round-robin)",
    )
    add("--seed", type=int, metavar="N", help="decides every set-up and every agent's seed (a fresh one)")
    add("--processes", type=int, default=1, metavar="N", help="matches at once (1)")
    add("--time-limit", type=float, metavar="SECONDS", help="for one move; a process's first gets 120 more (60)")
    add("--memory-limit", type=int, metavar="MB", help="peak of resident memory of a seat's process (4096)")
    add(
        "--out", type=Path, metavar="DIR", help="where settings, results and records go; new or empty (arena-DATE-TIME)"
    )
    add(
        "--resume", action="store_true", help="go on with the tournament in --out DIR; its settings are read from there"
    )
    add("--report", type=Path, metavar="DIR", help="write report.html, report.json and CSV files there")
    add("--json", action="store_true", help="print one line of JSON on stdout and nothing else there")
    add(
        "--sprt", type=_elos, metavar="ELO0,ELO1", help="stop as soon as one of two Elo differences is the likelier one"
    )
    add("--alpha", type=float, metavar="P", help="probability that --sprt accepts ELO1 wrongly (0.05)")
    add("--beta", type=float, metavar="P", help="probability that --sprt rejects ELO1 wrongly (0.05)")
    _add_setup_options(parser)
    return parser


def _add_setup_options(parser: argparse.ArgumentParser) -> None:
    group = parser.add_argument_group("set-ups")
    add = group.add_argument
    add("--game", metavar="NAME", help="which game, by its name or as module:attribute (the first that is known)")
    add(
        "--setups",
        type=Path,
        metavar="FILE",
        help="a JSON list of set-ups to play in its order, instead of --set",
    )
    add_choices(group, " for every set-up")


def _elos(text: str) -> tuple[float, float]:
    try:
        low, high = (float(part) for part in text.split(","))
    except ValueError:
        raise argparse.ArgumentTypeError(
            f"{text!r}: two Elo differences with a comma between are needed, as in 0,20"
        ) from None
    return low, high


def _given(options: argparse.Namespace) -> dict[str, Any]:
    """The settings that were named on the command line."""
    named = {key: value for key, value in vars(options).items() if key not in NO_SETTINGS and value not in (None, [])}
    if "agents" in named:
        named["agents"] = tuple(text.strip() for text in named["agents"])
    return named


def _read_setups(given: dict[str, Any], game: str, players: int) -> None:
    """Put the content of the file that --setups names in the place of its path."""
    if "setups" in given:
        if "choices" in given:
            raise ValueError("--setups and --set exclude each other: the file says everything about the set-ups")
        given["setups"] = read_setups(given["setups"], game, given.get("players", players))


def _read_game(given: dict[str, Any], default: str) -> GameRules:
    """The game, by name in ``given`` from now on: module:attribute has made it known; and the choices that --set names."""
    game = get_game(given.get("game", default))
    if "game" in given:
        given["game"] = game.NAME
    if "set" in given:
        given["choices"] = as_file({**game.splits().everything, **read_options(game, given.pop("set"))})
    return game


def _new_settings(given: dict[str, Any]) -> Settings:
    """Settings from the options, checked as far as that goes without playing; ValueError says what is wrong."""
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
    """ValueError if an option says something else than the tournament that is to be resumed."""
    for key, value in given.items():
        kept = getattr(tournament.settings, key)
        if value != kept:
            option = "set" if key == "choices" else key.replace("_", "-")
            said = " ".join(value) if key == "agents" else f"--{option} {value}"
            there = " ".join(kept) if key == "agents" else kept
            if key == "setups":
                said, there = "the list of --setups", "other set-ups"
            raise ValueError(
                f"{said} contradicts {folder}, which was begun with {there}; leave it out, or begin again in another folder"
            )


def _open_store(options: argparse.Namespace, command: str, pool: DeskPool) -> Store:
    """The folder of the tournament, new or resumed. Nothing is written if the settings are wrong."""
    given = _given(options)
    check_processes(options.processes)
    if options.resume:
        if options.out is None:
            raise ValueError("--resume needs --out DIR, the folder of the tournament to go on with")
        if "game" in given:
            get_game(given["game"])  # module:attribute makes it known
        tournament = read_tournament(options.out)
        _read_game(given, tournament.settings.game)
        _read_setups(given, tournament.settings.game, tournament.settings.players)
        _contradictions(given, tournament, options.out)
        return resumed(options.out, pool, err)
    folder = options.out or Path(f"arena-{datetime.datetime.now():%Y%m%d-%H%M%S}")
    return begun(_new_settings(given), folder, command, pool, err)


def _play(store: Store, pool: DeskPool, options: argparse.Namespace) -> int:
    """Play what is left of the tournament, print and report."""
    settings, planned = store.tournament.settings, n_games(store.tournament.settings)
    _announce(store, planned)
    outcome = run(store, pool, options.processes, err)
    if outcome.is_interrupted:
        again = f"python -m agents.arena --resume --out {store.folder}"
        tell(f"stopped: {len(store.results)} of {planned} games are kept in {store.folder}; go on with: {again}")
        return BROKEN_OFF
    summary = summarise(store.tournament, outcome.results, planned, outcome.verdict)
    _print(summary, options.json)
    if not options.json:
        tell(f"seed {settings.seed}, results and records: {store.folder}")
    if options.report is not None and not _write_report(summary, store.folder, options.report):
        return FAILED
    return FORFEITS if summary.forfeits else PLAYED


def _announce(store: Store, planned: int) -> None:
    """Say what is going to happen, rounding included."""
    settings = store.tournament.settings
    n, each = n_lineups(settings), settings.n_setups * settings.players
    rounded = f" (--games {settings.games}, rounded up to whole set-ups)" if each != settings.games else ""
    kept = f"; {len(store.results)} are played already" if store.results else ""
    tell(
        f"{planned} games: {settings.n_setups} set-ups x {settings.players} rotations x {n} line-up{'s' * (n > 1)}, "
        f"{each} games per line-up{rounded}{kept}"
    )


def _print(summary: Summary, as_json: bool) -> None:
    if as_json:
        print_json(summary)
    else:
        show(summary, put, say)


def _write_report(summary: Summary, folder: Path, target: Path) -> bool:
    """Write the report and say where it is, or why it could not be written; whether it is there."""
    try:
        tell(f"report: {write_report(summary, folder, target)}")
    except OSError as error:
        tell(f"error: the report cannot be written to {target}: {error.strerror}; nothing of it was written")
        return False
    return True


def report_parser() -> argparse.ArgumentParser:
    """The command line of the report."""
    parser = command_parser(
        "agents.arena report",
        "Print the ladder of a tournament that has been played, finished or not, and write its report.",
        "examples:\n  python -m agents.arena report night --report night-report\n  python -m agents.arena report night --json",
    )
    parser.add_argument("folder", type=Path, metavar="OUT_DIR", help="the --out folder of a tournament")
    parser.add_argument("--game", metavar="NAME", help="as module:attribute, if the game has to be found by that")
    parser.add_argument("--report", type=Path, metavar="DIR", help="write report.html, report.json and CSV files there")
    parser.add_argument("--json", action="store_true", help="print one line of JSON on stdout and nothing else there")
    return parser


def _report(arguments: list[str]) -> int:
    options = report_parser().parse_args(arguments)
    if options.game is not None:
        get_game(options.game)  # makes it known
    tournament = read_tournament(options.folder)
    outcome = outcome_of(tournament.settings, read_results(options.folder))
    if not outcome.results:
        raise ValueError(f"{options.folder} has no finished game yet; play it with --resume --out {options.folder}")
    summary = summarise(tournament, outcome.results, n_games(tournament.settings), outcome.verdict)
    is_written = options.report is None or _write_report(summary, options.folder, options.report)
    _print(summary, options.json)
    return PLAYED if is_written else FAILED


def _tournament(arguments: list[str]) -> int:
    options = run_parser().parse_args(arguments)
    with DeskPool() as pool:
        store = _open_store(options, shlex.join(["python", "-m", "agents.arena", *arguments]), pool)
        try:
            return _play(store, pool, options)
        finally:
            store.close()


def run_command(given: list[str]) -> int:
    """Do what a command line says; the exit code."""
    try:
        return _report(given[1:]) if given[:1] == ["report"] else _tournament(given)
    except (ValueError, StoreError) as error:
        tell(f"error: {error}")
        return WRONG_USE
    except WriteError as error:
        tell(f"error: {error}; what was finished before is kept, --resume goes on from there")
        return FAILED
    except OSError as error:
        tell(f"error: {error}")
        return FAILED
