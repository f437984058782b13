"""``winterkingdom check AGENT``: find out before a tournament whether an agent would forfeit games."""

from __future__ import annotations

import os
import sys
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
    Players,
    config_of,
    examples,
    load_codes,
    new_game,
)
from winterkingdom_env.cli.terminal import err, print_json, say, tell, wrong_use
from winterkingdom_env.core.exit_codes import Exit
from winterkingdom_env.games import get_game

if TYPE_CHECKING:
    from winterkingdom_env.search.checking import Findings

app = typer.Typer()


@app.command(
    epilog=examples(
        "winterkingdom check --code my_bots.py my_bots:Stubborn",
        "winterkingdom check search:milliseconds=50 --games 20 --players 3 --time-limit 1",
    )
)
def check(
    agent: Annotated[str, typer.Argument(metavar="AGENT", help="An agent, written as for play and arena.")],
    games: Annotated[int, typer.Option(min=1, help="Games to play against random agents.")] = 12,
    players: Players = None,
    seed: Annotated[int, typer.Option(help="Seed of all set-ups and agents.")] = 0,
    time_limit: Annotated[float, typer.Option(min=0.001, metavar="SECONDS", help="Time limit per move.")] = 60.0,
    code: Code = None,
    choices: Choices = None,
    house_rules: HouseRules = None,
    game_name: GameName = FIRST_GAME,
    json: Json = False,
) -> None:
    """Play some games and report what would forfeit them: exceptions, illegal actions, slow moves.

    Without --players, the games cycle through all numbers of players. Exit code 1 if the agent would forfeit a game.
    """
    from winterkingdom_env.search.checking import Check
    from winterkingdom_env.search.registry import agent_spec

    with wrong_use():
        rules = get_game(game_name)
        load_codes(code)
        spec = agent_spec(agent)
        if spec.text.partition(":")[0] == "human":
            raise ValueError("a human cannot be checked; name an agent that plays by itself")
        numbers = rules.PLAYERS if players is None else (players,)
        configs = [config_of(rules, number, choices, house_rules) for number in numbers]
        new_game(rules, configs[0], seed, is_quiet=json)
    checked = Check(spec, rules, configs, seed, time_limit)
    with Progress(console=err, transient=True, disable=not err.is_terminal or json) as bar:
        task = bar.add_task(f"{agent} plays", total=games)
        for _ in checked.run(games):
            bar.advance(task)
    found = checked.findings
    if json:
        _print_json(found, agent, rules.NAME)
    else:
        _print(found, agent)
    if found.is_stuck:
        sys.stdout.flush()
        os._exit(Exit.FAILED)
    raise typer.Exit(Exit.OK if found.is_fine else Exit.FAILED)


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
    say(
        f"{agent}: {found.finished} of {found.games} games finished, {found.wins:g} won against random agents; "
        f"{len(found.seconds)} moves, {1000 * found.mean:.2f} ms on average, slowest {1000 * found.slowest:.1f} ms"
    )
    say("no forfeits" if found.is_fine else "the agent would forfeit games", style="bold")
