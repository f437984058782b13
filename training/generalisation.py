"""``winterkingdom generalisation``: how much an agent loses on a card, board or rule that its training never had (docs/generalisation.md)."""

from __future__ import annotations

import sys
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Annotated, Any

import typer

from agents.arena_command import errors_told
from agents.schedule import check_processes
from agents.summary import percent
from agents.wide_table import Column, WideTable
from benchmarks.plot import PlotError
from training import fold_runs
from training.evaluate import check_texts
from training.folds import FULL, Fold, chosen_folds, has_seen_setups, players_of
from training.generalisation_check import (
    MOST_MINUTES,
    N_SETUPS,
    OPPONENT,
    check_protocol,
    notes_of,
    problems_of,
)
from training.generalisation_file import PICTURE, RESULTS, Estimate, FileError, Results, read_results
from training.generalisation_plot import draw
from training.splits import GAME
from winterkingdom_env.cli.options import (
    Code,
    DefaultGroup,
    GameName,
    Json,
    Processes,
    examples,
    load_codes,
    new_app,
    run_app,
)
from winterkingdom_env.cli.terminal import err, fail, print_json, put, say, tell
from winterkingdom_env.core.exit_codes import Exit
from winterkingdom_env.core.files import write_whole
from winterkingdom_env.games import get_game
from winterkingdom_env.search.registry import agent_spec

FOLDER = Path("generalisation")
FAILED_CHECK = (Exit.OK, Exit.FAILED, Exit.WRONG_USE)
app = new_app(cls=DefaultGroup, help="Measure what an agent loses on levels of a game that its training never had.")


@app.command(
    "run",
    epilog=examples(
        "winterkingdom generalisation --list",
        "winterkingdom generalisation --folds boards --folds players=3 --minutes 5 --setups 200 --processes 2 --out generalisation",
        "winterkingdom generalisation --short --out short",
        "winterkingdom generalisation --code my_bots.py --agent-per-fold 'my_bots:Agent:path={fold}.safetensors' --out mine",
        "winterkingdom generalisation check generalisation/generalisation.json",
        codes=list(Exit),
    ),
)
def run(
    folds: Annotated[
        list[str] | None,
        typer.Option(metavar="FACTOR[=LEVEL]", help="Only these folds; may be given often. --list shows all."),
    ] = None,
    short: Annotated[bool, typer.Option("--short", help="Three folds per factor, always the same.")] = False,
    minutes: Annotated[float, typer.Option(metavar="N", help="Minutes of training per agent.")] = MOST_MINUTES,
    setups: Annotated[int, typer.Option(metavar="N", help="Set-ups per fold, each once on every seat.")] = N_SETUPS,
    seed: Annotated[int, typer.Option(metavar="N", help="Decides set-ups, trainings and agents' seeds.")] = 0,
    against: Annotated[str, typer.Option(metavar="AGENT", help="The opponent.")] = OPPONENT,
    agent_per_fold: Annotated[
        str,
        typer.Option(
            metavar="AGENT", help="Agents that were trained elsewhere; {fold} is the name in --list. Trains nothing."
        ),
    ] = "",
    processes: Processes = 1,
    out: Annotated[
        Path, typer.Option(metavar="DIR", help="Folder of runs and results; the same command goes on in it.")
    ] = FOLDER,
    is_list: Annotated[bool, typer.Option("--list", help="Only list the folds and how long they take.")] = False,
    code: Code = None,
    game_name: GameName = GAME,
    json: Json = False,
) -> None:
    """Train agents without one level at a time, and compare them with one that was trained on everything."""
    with _told():
        load_codes(code)
        game = get_game(game_name)
        chosen = chosen_folds(game.NAME, folds or (), short)
        plan = fold_runs.plan_of(game.NAME, minutes, setups, seed, against, agent_per_fold)
        check_protocol(minutes, setups)
        check_processes(processes)
        check_texts([against])
        agent_spec(against)
        folder = fold_runs.Folder(out, plan, processes, tell, err)
        if is_list:
            _show_list(chosen, folder, json)
            raise typer.Exit
        for fold in (Fold(FULL), *chosen) if agent_per_fold else ():
            _check_agent(agent_per_fold, fold)
        folder.open()
        try:
            results = folder.results(chosen)
        except KeyboardInterrupt:
            tell(f"stopped; finished folds are kept in {out}, and the same command goes on")
            raise typer.Exit(Exit.INTERRUPTED) from None
        write_whole(out / PICTURE, draw(results))
        _show(results, json)
        tell(f"results: {out / RESULTS}, picture: {out / PICTURE}")
    has_forfeits = any(row.held_out.forfeits or row.full.forfeits for row in results.rows)
    raise typer.Exit(Exit.FORFEITS if has_forfeits else Exit.OK)


@app.command(
    epilog=examples(
        "winterkingdom generalisation check generalisation/generalisation.json",
        "winterkingdom generalisation check theirs.json --picture theirs.png --json",
        codes=FAILED_CHECK,
    )
)
def check(
    file: Annotated[Path, typer.Argument(metavar="FILE", help="A file of results, also somebody else's.")],
    picture: Annotated[Path | None, typer.Option(metavar="FILE", help="Draw the results, too, as a PNG file.")] = None,
    game_name: Annotated[str | None, typer.Option("--game", help="For a game of another package.")] = None,
    json: Json = False,
) -> None:
    """Say whether results follow the protocol: all numbers are computed again from the wins of the set-ups."""
    with _told():
        if game_name is not None:
            get_game(game_name)  # registers it
        try:
            results: Results | None = read_results(file)
            wrong = problems_of(results) if results is not None else []
        except FileError as error:
            results, wrong = None, [str(error)]
        notes = notes_of(results) if results is not None and not wrong else []
        if results is not None and not wrong and picture is not None:
            write_whole(picture, draw(results))
    if json:
        print_json({"ok": not wrong, "problems": wrong, "notes": notes})
    elif wrong:
        for words in wrong:
            tell(f"error: {words}")
    elif results is not None:
        _show(results, json=False)
        say(f"{file} is valid: {len(results.rows)} folds of {results.game}_{results.env_version}")
        for words in notes:
            say(f"note: {words}")
    raise typer.Exit(Exit.FAILED if wrong else Exit.OK)


@contextmanager
def _told() -> Iterator[None]:
    """Turn errors into a one-line message and an exit code."""
    with errors_told():
        try:
            yield
        except PlotError as error:
            fail(error, Exit.FAILED)


def _check_agent(template: str, fold: Fold) -> None:
    """Raise ValueError if somebody's agent for a fold cannot be made."""
    text = template.replace(fold_runs.FOLD, fold.slug)
    check_texts([text])
    agent_spec(text).make(0)


# --- tables -----------------------------------------------------------------------------------------------------------


def _show(results: Results, json: bool) -> None:
    if json:
        print_json(results)
    else:
        put(table_of(results))


def table_of(results: Results) -> WideTable:
    """A line per fold: win rates, the gap, the fold's own gap."""
    rows, protocol = results.rows, results.protocol
    title = (
        f"Against {protocol.opponent}, {protocol.setups:,} set-ups per fold, {protocol.minutes:g} minutes of training per agent; "
        "gaps in percentage points, with 95 % intervals"
    )
    columns = {
        "players": [str(row.players) for row in rows],
        "full": [percent(row.full.win_rate.value) for row in rows],
        "held out": [percent(row.held_out.win_rate.value) for row in rows],
        "gap": [_points(row.gap) for row in rows],
        "seen": ["–" if row.seen is None else percent(row.seen.win_rate.value) for row in rows],
        "within": ["–" if row.within is None else _points(row.within) for row in rows],
        "games": [str(row.full.games + row.held_out.games + (row.seen.games if row.seen else 0)) for row in rows],
    }
    names = Column("fold", [row.fold for row in rows])
    return WideTable(title, names, [Column(head, cells) for head, cells in columns.items()])


def _points(told: Estimate) -> str:
    """A gap in percentage points, with its interval below."""
    return f"{100 * told.value:+.1f}\n{100 * told.low:+.1f}…{100 * told.high:+.1f}"


def _show_list(folds: Sequence[Fold], folder: fold_runs.Folder, json: bool) -> None:
    """The folds, and how long training and games take here, from a game of the opponent."""
    plan = folder.plan
    protocol, is_ours = plan.protocol, plan.protocol.trainer in fold_runs.TRAINERS
    seconds = fold_runs.seconds_per_game(plan.game, protocol.opponent, protocol.seed)
    told: list[dict[str, Any]] = []
    for fold in folds:
        players = players_of(plan.game, fold)
        games = protocol.setups * players * (3 if has_seen_setups(fold) else 2)
        told.append(
            {"fold": fold.name, "file": fold.slug, "trains_on": fold.trains_on, "players": players, "games": games,
             "minutes_of_games": round(games * seconds / 60 / folder.processes, 1), "is_finished": folder.finished(fold) is not None}
        )  # fmt: skip
    left = [each for each in told if not each["is_finished"]]
    training = protocol.minutes * (len(left) + 1) if is_ours and left else 0.0
    playing = sum(each["minutes_of_games"] for each in left)
    if json:
        print_json({"folds": told, "minutes_of_training": training, "minutes_of_games": round(playing, 1)})
        return
    columns = {
        "{fold}": [each["file"] for each in told], "players": [str(each["players"]) for each in told],
        "games": [f"{each['games']:,}" for each in told], "finished": ["yes" if each["is_finished"] else "no" for each in told],
    }  # fmt: skip
    put(
        WideTable(
            f"{len(folds)} folds",
            Column("fold", [each["fold"] for each in told]),
            [Column(*each) for each in columns.items()],
        )
    )
    trained = f"{training / 60:.1f} h of training ({len(left)} agents and the full one) and " if is_ours else ""
    say(
        f"left: {trained}about {playing / 60:.1f} h of games, at {seconds:.2f} s for a game of {protocol.opponent} against itself"
    )


def main(arguments: list[str] | None = None) -> int:
    """Read the command line and do what it says; the exit code."""
    return run_app(app, "python -m training.generalisation", arguments)


if __name__ == "__main__":
    sys.exit(main())
