"""``python -m agents.play``: one game between agents, with somebody at the terminal if one is called human."""

from __future__ import annotations

import argparse
import secrets
import sys
from functools import partial

from rich.console import Console

from winterkingdom_env._table import Stopped, compiling, play_out, warm_up
from winterkingdom_env._terminal import BROKEN_OFF, FAILED, command_parser, tell
from winterkingdom_env.core.plain_text import plain
from winterkingdom_env.core.rng import derive
from winterkingdom_env.games import Game, get_game, known_games
from winterkingdom_env.games.options import add_choices, read_options
from winterkingdom_env.records import RecordError, RecordWriter, winners_of
from winterkingdom_env.render import Look, picture_of, text
from winterkingdom_env.search.registry import Agent, AgentError, agent_spec, get_ready
from winterkingdom_env.search.view import View


def parser_of() -> argparse.ArgumentParser:
    """The command line."""
    parser = command_parser(
        "agents.play",
        "Play one game, an agent per seat, and show the final board and the score sheet.",
        "examples:\n  python -m agents.play human planner\n  python -m agents.play search:simulations=100 greedy random --seed 7",
    )
    parser.add_argument("agents", nargs="+", metavar="agent", help="one per seat, in the order of the seats")
    parser.add_argument(
        "--game", default=known_games()[0], help=f"which game: {', '.join(known_games())}, or module:attribute"
    )
    parser.add_argument("--seed", type=int, help="of the set-up and the agents; a fresh one if left out")
    add_choices(parser)
    parser.add_argument("--record", help="write the game to this new file (.gz: compressed)")
    return parser


def _ask(agent: Agent, game: Game) -> int:
    """What an agent answers that is shown what its seat may see."""
    return agent(View(game, game.seat))


def main(arguments: list[str] | None = None) -> int:
    """Play; 0 at the end of the game, 1 if its record cannot be written any more, 2 for wrong use, 130 if it was broken off."""
    parser = parser_of()
    options = parser.parse_args(arguments)
    seed = secrets.randbits(31) if options.seed is None else options.seed
    log, out = Console(stderr=True), Console(width=None if sys.stdout.isatty() else 160)
    try:
        specs = [agent_spec(name) for name in options.agents]
        agents = [spec.make(derive(seed, "agent", seat)) for seat, spec in enumerate(specs)]
        module = get_game(options.game)
        chosen = {**module.splits().everything, **read_options(module, options.set or ())}
        config = module.Config(num_players=len(agents), **chosen)
        for agent in agents:
            get_ready(agent, module)
        with compiling(module.NAME, log):
            game: Game = module.new_game(config, seed)
            warm_up(game)
        writer = None if options.record is None else RecordWriter(options.record, game, options.agents)
    except (AgentError, RecordError, ValueError) as error:
        parser.error(plain(str(error)))
    try:
        play_out(game, [partial(_ask, agent) for agent in agents], writer, log)
    except RecordError as error:  # a full disk, say
        tell(f"error: {error}", log)
        return FAILED
    except (Stopped, KeyboardInterrupt):
        log.print(f"stopped in round {game.round}")
        return BROKEN_OFF
    out.print(text.view(picture_of(game, Look(sheet=game.score_sheet(), agents=options.agents))))
    best = " and ".join(f"seat {seat} ({options.agents[seat]})" for seat in winners_of(game.ranks()))
    tell(f"{best} wins: {', '.join(map(str, game.scores()))}; seed {seed}", out)
    return 0


if __name__ == "__main__":
    sys.exit(main())
