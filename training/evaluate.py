"""``winterkingdom evaluate AGENT``: how often an agent wins, on set-ups it has seen and on those held out (docs/training.md)."""

from __future__ import annotations

import hashlib
import re
import subprocess
import sys
from collections.abc import Collection, Sequence
from pathlib import Path
from typing import Annotated, Any

import msgspec
import typer
from rich.console import Console

from agents.arena_command import errors_told
from agents.schedule import Mode, Settings, check_processes
from agents.setups import as_setup
from agents.summary import percent, percent_range
from agents.tournament import play
from agents.wide_table import Column, WideTable
from training.run_files import read_rows
from training.splits import GAME, SplitName, draw_setups, split, split_of
from training.winrates import (
    HELD_OUT,
    MIXED,
    SEEN,
    Gap,
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
from winterkingdom_env.cli.options import (
    Choices,
    Code,
    GameName,
    HouseRules,
    Json,
    Processes,
    examples,
    load_codes,
    new_app,
    run_app,
)
from winterkingdom_env.cli.terminal import err, print_json, put, say, tell
from winterkingdom_env.core.exit_codes import Exit
from winterkingdom_env.core.plain_text import quoted
from winterkingdom_env.games import get_game, name_of
from winterkingdom_env.games.options import read_options

EVALUATION = "evaluation.csv"
FILES = {".safetensors": "policy", ".zip": "sb3"}  # files of networks, and the agents that load them
LONGEST_SLUG = 60  # characters of a folder's name


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
    fixed: Collection[str] = (),
    split_name: str = "",
) -> list[Row]:
    """Win rates of an agent against copies of each opponent; every set-up is played once in each rotation of the seats (``training.winrates``).

    The games are played as in the arena, ``processes`` at once, and forfeits are lost. Set-ups may be for different numbers of players; rows are not mixed.
    Records stay in ``folder``, where a second call with the same arguments goes on; without one they are thrown away. ``fixed``: fields of the
    Config that were chosen for all set-ups and do not decide on which side of the split one is. ``split_name``: which of the game's splits.
    """
    games = played_games(agent, opponents, setups, seed, processes, time_limit=time_limit, folder=folder, console=console, fixed=fixed, split_name=split_name)  # fmt: skip
    return rows_of(games)


def played_games(
    agent: str,
    opponents: Sequence[str],
    setups: Sequence[Any],
    seed: int = 0,
    processes: int = 1,
    *,
    time_limit: float = 60.0,
    folder: Path | None = None,
    console: Console | None = None,
    fixed: Collection[str] = (),
    split_name: str = "",
) -> list[Played]:
    """The games behind ``evaluate``."""
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
            splits = [split_of(config, settings.game, fixed, split_name) or MIXED for config in chosen]
            # The same text twice is numbered in a tournament; here it goes by its own name.
            games += [msgspec.structs.replace(played(r, opponent, splits[r.setup]), agent=agent) for r in results]
    return games


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
    choices: Sequence[str] = (),
    code: str = "",
    split_name: str = "",
) -> list[Row]:
    """The same on ``n_setups`` set-ups of either split, in a Python of its own, which has not imported what the caller has; ValueError if it fails."""
    # Modules are found where this process finds them, also from a folder with a training/ of its own.
    program = f"import sys; sys.path[:] = {sys.path!r}; from training.evaluate import main; sys.exit(main())"
    command = [
        sys.executable, "-c", program, agent, f"--setups-per-split={n_setups}", f"--players={n_players}", f"--seed={seed}",
        f"--processes={processes}", f"--game={game}", f"--house-rules={house_rules}", f"--split={split_name}", f"--out={out}", "--json",
        *(f"--against={opponent}" for opponent in opponents), *(f"--set={choice}" for choice in choices), *([f"--code={code}"] if code else []),
    ]  # fmt: skip
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    if not (out / EVALUATION).is_file():
        raise ValueError(done.stderr.strip() or f"training.evaluate ended with {done.returncode}")
    return read_rows(out / EVALUATION)


def check_texts(agents: Sequence[str]) -> None:
    """Raise ValueError for a file in the place of an agent; it says which agent plays by the file."""
    for text in agents:
        player = FILES.get(Path(text).suffix)
        if player and Path(text).is_file():
            raise ValueError(
                f"{quoted(text)} is a file, not an agent; the agent that plays by it is {player}:path={text}"
            )


def slug(text: str) -> str:
    """An agent's text as part of a folder name; a digest keeps changed texts distinct."""
    plain = re.sub(r"[^\w.=]+", "_", text)[:LONGEST_SLUG]
    return plain if plain == text else f"{plain}-{hashlib.blake2b(text.encode(), digest_size=4).hexdigest()}"


# --- the command -----------------------------------------------------------------------------------------------------


app = new_app()


@app.command(
    epilog=examples(
        "winterkingdom evaluate planner --against greedy --setups-per-split 50 --seed 1 --processes 2",
        "winterkingdom evaluate policy:path=runs/hour/policy.safetensors --against greedy --against planner --players 2 --players 3 --out final",
        codes=list(Exit),
    )
)
def evaluation(
    agents: Annotated[list[str], typer.Argument(metavar="AGENT", help="As for the arena: 'planner', 'my_bots:Class'.")],
    against: Annotated[
        list[str] | None, typer.Option(metavar="AGENT", help="An opponent; may be given often (greedy).")
    ] = None,
    setups_per_split: Annotated[
        int, typer.Option(metavar="N", help="Set-ups for each split and number of players.")
    ] = 100,
    players: Annotated[
        list[int] | None, typer.Option(metavar="N", help="Number of players; may be given often (the fewest).")
    ] = None,
    seed: Annotated[int, typer.Option(metavar="N", help="Decides every set-up and every agent's seed.")] = 0,
    processes: Processes = 1,
    time_limit: Annotated[float, typer.Option(metavar="SECONDS", help="For one move.")] = 60.0,
    out: Annotated[
        Path | None,
        typer.Option(metavar="DIR", help=f"Write {EVALUATION} there, and keep all games; goes on if interrupted."),
    ] = None,
    choices: Choices = None,
    split_name: SplitName = "",
    house_rules: HouseRules = None,
    code: Code = None,
    game_name: GameName = GAME,
    json: Json = False,
) -> None:
    """Say how often agents win against others, on seen and on held-out set-ups, with intervals."""
    with errors_told():
        check_texts([*agents, *(against or ())])
        load_codes(code)
        game = get_game(game_name)
        if setups_per_split < 1:
            raise ValueError(f"--setups-per-split {setups_per_split}: 1 or more is needed")
        check_processes(processes)
        setups = [
            config
            for number in dict.fromkeys(players or [game.PLAYERS[0]])
            for which in split(game.NAME, split_name).sides
            for config in draw_setups(
                which, setups_per_split, number, seed, game.NAME, house_rules or "", choices or (), split_name
            )
        ]
        rows = []
        for agent in dict.fromkeys(agents):
            rows += evaluate(
                agent, list(dict.fromkeys(against or ["greedy"])), setups, seed, processes, time_limit=time_limit,
                folder=None if out is None else out / "games", console=err, fixed=read_options(game, choices or ()),
                split_name=split_name,
            )  # fmt: skip
        if json:
            print_json({"rows": rows, "gaps": gaps(rows)})
        else:
            for table in tables_of(rows):
                put(table)
        if out is not None:
            write_rows(out / EVALUATION, rows)
            tell(f"win rates: {out / EVALUATION}")
    n_forfeits = sum(row.forfeits for row in rows if row.split == "all")
    if n_forfeits and not json:
        say(f"{n_forfeits} games were forfeited and count as lost; the arena's results say why")
    raise typer.Exit(Exit.FORFEITS if n_forfeits else Exit.OK)


def tables_of(rows: Sequence[Row]) -> list[WideTable]:
    """Tables: win rates on seen and held-out set-ups with the gap, by number of players; and win rates by the facts of a game."""
    sides = {(row.agent, row.opponent, row.num_players, row.split): row for row in by_split(rows)}
    found = {(gap.agent, gap.opponent, gap.num_players): gap for gap in gaps(rows)}
    whole = [row for group in by_players(overall(rows)).values() for row in group]
    keys = [(row.agent, row.opponent, row.num_players) for row in whole]
    first = {
        "chance": [percent(row.chance) for row in whole],
        "all": [_cell(row) for row in whole],
        "seen": [_cell(sides.get((*key, SEEN))) for key in keys],
        "held out": [_cell(sides.get((*key, HELD_OUT))) for key in keys],
        "gap": [_gap(found.get(key)) for key in keys],
    }
    tables = [_table("Win rates, with 95 % intervals", whole, first)]
    by_any = [row for group in by_players(by_fact(rows)).values() for row in group]
    for fact in dict.fromkeys(row.fact for row in by_any):
        chosen = [row for row in by_any if row.fact == fact]
        shown = {
            fact: [row.value for row in chosen],
            "split": [row.split for row in chosen],
            "win rate": [percent(row.win_rate) for row in chosen],
            "interval": [percent_range(row.low, row.high) for row in chosen],
        }
        tables.append(_table(f"By {fact}", chosen, shown))
    return tables


def _cell(row: Row | None) -> str:
    return "–" if row is None else f"{percent(row.win_rate)}\n{percent_range(row.low, row.high)}"


def _gap(gap: Gap | None) -> str:
    return "–" if gap is None else f"{100 * gap.gap:+.1f}\n{100 * gap.low:+.1f}…{100 * gap.high:+.1f}"


def _table(title: str, rows: Sequence[Row], columns: dict[str, list[str]]) -> WideTable:
    """A table with a line per row: who plays whom, how many players, the columns, and the number of games."""
    names = Column("agent", [f"{row.agent} against {row.opponent}" for row in rows])
    told = {"players": [str(row.num_players) for row in rows], **columns, "games": [str(row.games) for row in rows]}
    return WideTable(title, names, [Column(head, cells) for head, cells in told.items()])


def main(arguments: list[str] | None = None) -> int:
    """Read the command line and do what it says; the exit code."""
    return run_app(app, "python -m training.evaluate", arguments)


if __name__ == "__main__":
    sys.exit(main())
