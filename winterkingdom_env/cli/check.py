"""``winterkingdom check AGENT``: find out before a tournament whether an agent would forfeit games."""

from __future__ import annotations

import signal
from collections.abc import Iterator
from contextlib import closing, contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer
from rich.progress import Progress

from winterkingdom_env.cli.options import (
    FIRST_GAME,
    Choices,
    Code,
    GameName,
    HouseRules,
    Json,
    config_of,
    examples,
    new_game,
    typed_options,
)
from winterkingdom_env.cli.terminal import err, print_json, say, tell, wrong_use
from winterkingdom_env.core.exit_codes import Exit
from winterkingdom_env.games import address_of, get_game

if TYPE_CHECKING:
    from winterkingdom_env.search.checking import Check, Findings, Job

app = typer.Typer()
EveryNumber = Annotated[
    int | None,
    typer.Option("--players", help="Number of players. Default: every number that the game allows, in turn."),
]


@app.command(
    epilog=examples(
        "winterkingdom check --code my_bots.py my_bots:Stubborn",
        "winterkingdom check search:milliseconds=50 --games 20 --players 3 --time-limit 1",
        codes=(Exit.OK, Exit.FAILED, Exit.WRONG_USE, Exit.INTERRUPTED),
    )
)
def check(
    agent: Annotated[str, typer.Argument(metavar="AGENT", help="An agent, written as for play and arena.")],
    games: Annotated[int, typer.Option(min=1, help="Games to play against random agents.")] = 12,
    players: EveryNumber = None,
    seed: Annotated[int, typer.Option(help="Seed of all set-ups and agents.")] = 0,
    time_limit: Annotated[float, typer.Option(min=0.001, metavar="SECONDS", help="Time limit per move.")] = 60.0,
    code: Code = None,
    choices: Choices = None,
    house_rules: HouseRules = None,
    game_name: GameName = FIRST_GAME,
    json: Json = False,
) -> None:
    """Play some games and report what would forfeit them: exceptions, illegal actions, slow moves, too much output, a process that ends.

    The agent plays in a process of its own. What it prints goes to stderr; with --json, only a note says how much it was. If no game
    was forfeited, the first one is played a second time, to see whether a seed reproduces it.
    Exit code 1 if the agent would forfeit a game.
    """
    from winterkingdom_env.search.checking import Check, Job

    with wrong_use():
        rules = get_game(game_name)
        if agent.strip().partition(":")[0] == "human":
            raise ValueError("a human cannot be checked; name an agent that plays by itself")
        numbers = tuple(rules.PLAYERS) if players is None else (players,)
        configs = [config_of(rules, number, choices, house_rules) for number in numbers]
        new_game(rules, configs[0], seed, is_quiet=json)
        options, files = (
            tuple(typed_options(choices, house_rules)),
            tuple(str(Path(file).absolute()) for file in code or ()),
        )
        job = Job(agent, address_of(rules.NAME), numbers, options, files, games, seed, time_limit)
        checked = Check(job, (lambda lines: None) if json else tell)
        _run(checked, job, has_bar=err.is_terminal and not json)
    found = checked.findings
    if json:
        _print_json(found, agent, rules.NAME)
    else:
        _print(found, agent)
    raise typer.Exit(Exit.OK if found.is_fine else Exit.FAILED)


def _run(checked: Check, job: Job, has_bar: bool) -> None:
    """Play all games; a signal that ends this process ends the agent's, too."""
    try:
        with _interrupts(), Progress(console=err, transient=True, disable=not has_bar) as bar:
            task = bar.add_task(f"{job.agent} plays", total=job.games)
            with closing(checked.run()) as games:
                for _ in games:
                    bar.advance(task)
    except KeyboardInterrupt:
        raise typer.Exit(Exit.INTERRUPTED) from None


@contextmanager
def _interrupts() -> Iterator[None]:
    """SIGTERM and SIGHUP raise KeyboardInterrupt, as Ctrl-C does."""
    numbers = [getattr(signal, name) for name in ("SIGHUP", "SIGTERM") if hasattr(signal, name)]
    before = [signal.signal(number, signal.default_int_handler) for number in numbers]
    try:
        yield
    finally:
        for number, handler in zip(numbers, before, strict=True):
            signal.signal(number, handler)


def _print_json(found: Findings, agent: str, game: str) -> None:
    faults = [{"words": fault.words, "game": fault.game, "traceback": fault.traceback} for fault in found.faults]
    print_json(
        {"agent": agent, "game": game, "ok": found.is_fine, "games": found.games, "finished": found.finished, "wins": found.wins,
         "moves": len(found.seconds), "mean_seconds": found.mean, "slowest_seconds": found.slowest, "faults": faults, "notes": found.notes}
    )  # fmt: skip


def _print(found: Findings, agent: str) -> None:
    seen: set[str] = set()
    for fault in found.faults:
        if fault.traceback and fault.traceback not in seen:
            tell(fault.traceback.rstrip())
        seen.add(fault.traceback)
        say(f"forfeit, {fault.game}: {fault.words}", style="red")
    for note in found.notes:
        say(f"note: {note}")
    if found.games:
        times = (
            f"{len(found.seconds)} moves, {1000 * found.mean:.2f} ms on average, slowest {1000 * found.slowest:.1f} ms"
        )
        say(
            f"{agent}: {found.finished} of {found.games} games finished, {found.wins:g} won against random agents"
            + (f"; {times}" if found.seconds else "")
        )
    say("no forfeits" if found.is_fine else "the agent would forfeit games", style="bold")
