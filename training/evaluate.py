"""``python -m training.evaluate AGENT``: how often an agent wins, on set-ups it has seen and on those held out (docs/training.md)."""

from __future__ import annotations

import argparse
import hashlib
import re
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import msgspec
from rich.console import Console
from rich.markup import escape
from rich.table import Table

from agents.arena_command import FORFEITS, PLAYED
from agents.results import StoreError, WriteError
from agents.schedule import Mode, Settings, check_processes
from agents.setups import as_setup
from agents.summary import percent, percent_range, titled_table
from agents.tournament import play
from training.run_files import read_rows
from training.splits import GAME, draw_setups, split_of
from training.winrates import (
    HELD_OUT,
    MIXED,
    SEEN,
    Played,
    Row,
    by_fact,
    by_players,
    by_split,
    gaps,
    overall,
    played,
    rows_of,
    write_rows,
)
from winterkingdom_env._terminal import BROKEN_OFF, FAILED, WRONG_USE, command_parser, err, print_json, put, say, tell
from winterkingdom_env.games import get_game, name_of

EVALUATION = "evaluation.csv"
LONGEST_SLUG = 60  # characters of a folder's name
EPILOG = """exit codes: those of python -m agents.arena (3: finished, but the agent forfeited a game, which is lost)

examples:
  python -m training.evaluate planner --against greedy --setups-per-split 50 --seed 1 --processes 2
  python -m training.evaluate policy:path=runs/hour/policy.safetensors --against greedy --against planner --players 2 --players 3 --out final
"""


def evaluate(
    agent: str,
    opponents: Sequence[str],
    setups: Sequence[Any],
    seed: int = 0,
    processes: int = 1,
    *,
    time_limit: float = 60.0,
    folder: Path | None = None,
    console: Console | None = None,
) -> list[Row]:
    """Win rates of an agent against copies of each opponent, every set-up once in each rotation of the seats (``training.winrates``).

    The games are played as in the arena, ``processes`` at once, and forfeits are lost. Set-ups may be for different numbers of players; rows are not mixed.
    Records stay in ``folder``, where a second call with the same arguments goes on; without one they are thrown away.
    """
    if not setups:
        raise ValueError(f"no set-ups for {agent} to play; draw some with training.splits.draw_setups")
    games: list[Played] = []
    for opponent in opponents:
        for players in sorted({config.num_players for config in setups}):
            chosen = [config for config in setups if config.num_players == players]
            settings = Settings(
                agents=(agent, opponent), game=name_of(chosen[0]), players=players, games=players * len(chosen), mode=Mode.GAUNTLET,
                seed=seed, time_limit=time_limit, setups=tuple(map(as_setup, chosen)),
            )  # fmt: skip
            place = None if folder is None else folder / f"{slug(agent)}-{slug(opponent)}-{players}"
            results = play(settings, place, processes, console)
            splits = [split_of(config, settings.game) or MIXED for config in chosen]
            # The same text twice is numbered in a tournament; here it goes by its own name.
            games += [msgspec.structs.replace(played(r, opponent, splits[r.setup]), agent=agent) for r in results]
    return rows_of(games)


def evaluate_apart(
    agent: str,
    opponents: Sequence[str],
    n_setups: int,
    n_players: int,
    out: Path,
    *,
    seed: int,
    processes: int,
    game: str,
    house_rules: str = "",
) -> list[Row]:
    """The same on ``n_setups`` set-ups of either split, in a Python of its own, which has not imported what the caller has; ValueError if it fails."""
    command = [
        sys.executable, "-m", "training.evaluate", agent, f"--setups-per-split={n_setups}", f"--players={n_players}", f"--seed={seed}",
        f"--processes={processes}", f"--game={game}", f"--house-rules={house_rules}", f"--out={out}", "--json", *(f"--against={opponent}" for opponent in opponents),
    ]  # fmt: skip
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    if not (out / EVALUATION).is_file():
        raise ValueError(done.stderr.strip() or f"training.evaluate ended with {done.returncode}")
    return read_rows(out / EVALUATION)


def slug(text: str) -> str:
    """An agent's text as part of a folder's name; what had to be changed is told apart by a digest."""
    plain = re.sub(r"[^\w.=]+", "_", text)[:LONGEST_SLUG]
    return plain if plain == text else f"{plain}-{hashlib.blake2b(text.encode(), digest_size=4).hexdigest()}"


# --- the command -----------------------------------------------------------------------------------------------------


def parser() -> argparse.ArgumentParser:
    """The command line."""
    made = command_parser(
        "training.evaluate",
        "Say how often agents win against scripted ones, on seen and on held-out set-ups, with intervals.",
        EPILOG,
    )
    add = made.add_argument
    add("agents", nargs="+", metavar="AGENT", help="as for the arena: 'planner', 'package.module:Class'")
    add("--against", action="append", metavar="AGENT", help="an opponent; may be given again (greedy)")
    add("--setups-per-split", type=int, default=100, metavar="N", help="set-ups for each split and player count (100)")
    add("--players", type=int, action="append", metavar="N", help="seats of a game; may be given again (the fewest)")
    add("--game", metavar="NAME", help="which game, by its name or as module:attribute (the first that is known)")
    add(
        "--house-rules",
        default="",
        metavar="FILE",
        help="a TOML file that changes cards, random: others in every set-up, or random:SEED",
    )
    add("--seed", type=int, default=0, metavar="N", help="decides every set-up and every agent's seed (0)")
    add("--processes", type=int, default=1, metavar="N", help="matches at once (1)")
    add("--time-limit", type=float, default=60.0, metavar="SECONDS", help="for one move (60)")
    add("--out", type=Path, metavar="DIR", help=f"write {EVALUATION} there, and keep all games; goes on if interrupted")
    add("--json", action="store_true", help="print one line of JSON on stdout and nothing else there")
    return made


def _setups(options: argparse.Namespace) -> list[Any]:
    """As many set-ups of each split for every number of players."""
    if options.setups_per_split < 1:
        raise ValueError(f"--setups-per-split {options.setups_per_split}: 1 or more is needed")
    check_processes(options.processes)
    game = get_game(options.game or GAME)
    return [
        config
        for players in dict.fromkeys(options.players or [game.PLAYERS[0]])
        for which in game.splits().sides
        for config in draw_setups(
            which, options.setups_per_split, players, options.seed, game.NAME, options.house_rules
        )
    ]


def _run(options: argparse.Namespace) -> int:
    setups, opponents = _setups(options), list(dict.fromkeys(options.against or ["greedy"]))
    folder = None if options.out is None else options.out / "games"
    rows = []
    for agent in dict.fromkeys(options.agents):
        rows += evaluate(
            agent, opponents, setups, options.seed, options.processes,
            time_limit=options.time_limit, folder=folder, console=err,
        )  # fmt: skip
    if options.json:
        print_json({"rows": rows, "gaps": gaps(rows)})
    else:
        for table in tables_of(rows):
            put(table)
    if options.out is not None:
        write_rows(options.out / EVALUATION, rows)
        tell(f"win rates: {options.out / EVALUATION}")
    n_forfeits = sum(row.forfeits for row in rows if row.split == "all")
    if n_forfeits and not options.json:
        say(f"{n_forfeits} games were forfeited and count as lost; the arena's results say why")
    return FORFEITS if n_forfeits else PLAYED


def tables_of(rows: Sequence[Row]) -> list[Table]:
    """Seen and held out with the gap for every number of players, and win rates by the facts of a game."""
    sides = {(row.agent, row.opponent, row.num_players, row.split): row for row in by_split(rows)}
    found = {(gap.agent, gap.opponent, gap.num_players): gap for gap in gaps(rows)}
    first = _table("Win rates, with 95 % intervals", "agent", "against", "players", "chance", "all", "seen", "held out", "gap", "games")  # fmt: skip
    for players, group in by_players(overall(rows)).items():
        for row in group:
            key = (row.agent, row.opponent, players)
            cells = [_cell(sides.get((*key, side))) for side in (SEEN, HELD_OUT)]
            gap = found.get(key)
            cells.append("–" if gap is None else f"{100 * gap.gap:+.1f}\n{100 * gap.low:+.1f}…{100 * gap.high:+.1f}")
            first.add_row(escape(row.agent), escape(row.opponent), str(players), percent(row.chance), _cell(row), *cells, str(row.games))  # fmt: skip
    tables = {
        fact: _table(
            f"By {fact}", "agent", "against", "players", fact, "split", "win rate", "interval", "games", names=(fact,)
        )
        for fact in dict.fromkeys(row.fact for row in by_fact(rows))
    }
    for players, group in by_players(by_fact(rows)).items():
        for row in group:
            tables[row.fact].add_row(escape(row.agent), escape(row.opponent), str(players), row.value, row.split, percent(row.win_rate), percent_range(row.low, row.high), str(row.games))  # fmt: skip
    return [first, *tables.values()]


def _cell(row: Row | None) -> str:
    return "–" if row is None else f"{percent(row.win_rate)}\n{percent_range(row.low, row.high)}"


def _table(title: str, *columns: str, names: Sequence[str] = ()) -> Table:
    table = titled_table(title)
    for column in columns:
        is_name = column in ("agent", "against", "split", *names)
        table.add_column(column, justify="left" if is_name else "right", overflow="fold", no_wrap=not is_name)
    return table


def main(arguments: list[str] | None = None) -> int:
    """Read the command line and do what it says; the exit code."""
    options = parser().parse_args(arguments)
    try:
        return _run(options)
    except (ValueError, StoreError) as error:
        tell(f"error: {error}")
        return WRONG_USE
    except (OSError, WriteError) as error:
        tell(f"error: {error}")
        return FAILED
    except KeyboardInterrupt:
        return BROKEN_OFF


if __name__ == "__main__":
    sys.exit(main())
