"""``winterkingdom check AGENT``: find what would make an agent forfeit before a tournament does."""

from __future__ import annotations

import os
import sys
from typing import Annotated

import typer
from rich.progress import Progress

from winterkingdom_env.cli.options import (
    FIRST_GAME,
    Code,
    GameName,
    HouseRules,
    Json,
    Players,
    Settings,
    config_of,
    examples,
    load_codes,
    new_game,
)
from winterkingdom_env.cli.terminal import err, print_json, say, tell, wrong_use
from winterkingdom_env.core.exit_codes import Exit
from winterkingdom_env.games import get_game

app = typer.Typer()


@app.command(
    epilog=examples(
        "winterkingdom check --code my_bots.py my_bots:Stubborn",
        "winterkingdom check search:milliseconds=50 --games 20 --players 3 --time-limit 1",
    )
)
def check(
    agent: Annotated[str, typer.Argument(metavar="AGENT", help="An agent's text, as for play and the arena.")],
    games: Annotated[int, typer.Option(min=1, help="Games to play against random agents.")] = 12,
    players: Players = None,
    seed: Annotated[int, typer.Option(help="Decides every set-up and every agent's seed.")] = 0,
    time_limit: Annotated[float, typer.Option(min=0.001, metavar="SECONDS", help="For one move.")] = 60.0,
    code: Code = None,
    settings: Settings = None,
    house_rules: HouseRules = None,
    game_name: GameName = FIRST_GAME,
    json: Json = False,
) -> None:
    """Play some games and say what would forfeit: errors, answers that are not legal, moves that take too long.

    Without --players every number of players has its turn. Exit code 1 if the agent would forfeit a game.
    """
    from winterkingdom_env.search.checking import Check
    from winterkingdom_env.search.registry import agent_spec

    with wrong_use():
        rules = get_game(game_name)
        load_codes(code)
        spec = agent_spec(agent)
        if spec.text.partition(":")[0] == "human":
            raise ValueError("a person cannot be checked; name an agent that plays by itself")
        numbers = rules.PLAYERS if players is None else (players,)
        configs = [config_of(rules, number, settings, house_rules) for number in numbers]
        new_game(rules, configs[0], seed, is_quiet=json)
    checked = Check(spec, rules, configs, seed, time_limit)
    with Progress(console=err, transient=True, disable=not err.is_terminal or json) as bar:
        task = bar.add_task(f"{agent} plays", total=games)
        for _ in checked.run(games):
            bar.advance(task)
    found = checked.findings
    slowest, mean = max(found.seconds, default=0.0), sum(found.seconds) / max(1, len(found.seconds))
    if json:
        faults = [{"words": fault.words, "game": fault.game, "traceback": fault.traceback} for fault in found.faults]
        print_json(
            {"agent": agent, "game": rules.NAME, "ok": found.is_fine, "games": found.games, "finished": found.finished, "wins": found.wins,
             "moves": len(found.seconds), "mean_seconds": mean, "slowest_seconds": slowest, "faults": faults, "notes": found.notes}
        )  # fmt: skip
    else:
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
            f"{len(found.seconds)} moves, {1000 * mean:.2f} ms on average, slowest {1000 * slowest:.1f} ms"
        )
        say("it would forfeit" if found.faults else "nothing would forfeit", style="bold")
    if found.faults:
        sys.stdout.flush()
        if any("no answer within" in fault.words for fault in found.faults):
            os._exit(Exit.FAILED)  # its thread never ends
        raise typer.Exit(Exit.FAILED)
