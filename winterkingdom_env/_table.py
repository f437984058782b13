"""The table at which the command line plays: a game with warm kernels, agents by name, somebody at the terminal."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager, suppress
from os.path import realpath
from pathlib import Path

from rich.console import Console

from winterkingdom_env._terminal import err
from winterkingdom_env.core.drawing import legal_summary, seat_name
from winterkingdom_env.core.picture import Look
from winterkingdom_env.core.plain_text import quoted
from winterkingdom_env.games import Game, GameRules, get_game
from winterkingdom_env.records import RecordWriter
from winterkingdom_env.render import picture_of, text
from winterkingdom_env.search.registry import Agent, agent_spec, agent_texts, get_ready
from winterkingdom_env.search.view import View

MOST_LISTED = 60  # places in one answer
HELP = "type an action or its beginning; ? lists what is legal, show shows the table, quit ends"
HUMAN = "human"
COMPILING = "compiling kernels (once, about a minute) ..."


class Stopped(Exception):
    """The human at the terminal has had enough."""


class AgentFailed(RuntimeError):
    """An agent raised, which is the cause, or its answer is no legal action."""


@contextmanager
def compiling(name: str, console: Console | None) -> Iterator[None]:
    """Tell somebody who waits for a game's kernels why: machine code is made once and then kept on disk."""
    from numba import config

    from winterkingdom_env.core._jit import find_cache_dir, home_of, rooms_of

    # The folder belongs to these very sources; the mark says that one command came through here before.
    rules = get_game(name)
    folder = find_cache_dir(rooms_of(home_of(rules.World)))
    mark = None if folder is None else folder / f"{rules.NAME}.warm"
    is_kept = mark is not None and mark.exists()
    if console is None or is_kept or config.DISABLE_JIT:  # type: ignore[attr-defined]  # set when numba is imported
        yield
    elif console.is_terminal:
        with console.status(COMPILING):
            yield
    else:
        console.print(COMPILING)
        yield
    if mark is not None and not is_kept:
        with suppress(OSError):
            mark.touch()


def warm_up(game: Game) -> None:
    """Call what a whole game calls, so that everything is compiled."""
    from winterkingdom_env.games.base import perft

    perft(game, 2)
    game.scores()


def warm_all(name: str) -> None:
    """Call every public kernel of a game, those of the vector environment with and without threads and of agents included."""
    from winterkingdom_env.core.threads import usable_cores
    from winterkingdom_env.envs.vector import VectorEnv
    from winterkingdom_env.search.actor import Actor
    from winterkingdom_env.search.thinking import Thinker

    module = get_game(name)
    game: Game = module.from_setup(module.new_game(seed=1).setup())
    warm_up(game)
    game.observe()
    for threads in {1, min(2, usable_cores())}:
        env = VectorEnv(module, 64, threads)
        env.reset(seed=1)
        env.step(env.sample_actions())
    Thinker(module).rate(game.determinize(0, 1))
    playing = Actor(env.batch, 1)
    playing.look()
    playing.gather(playing.n_moves[:1], 0, playing.moves[0].copy(), playing.features[0].copy())


def seated_agents(named: str, rules: GameRules, players: int, seed: int) -> tuple[list[str], list[Agent]]:
    """An agent per seat and its name, from agents with commas between, or one for all; ValueError if they do not fit."""
    from winterkingdom_env.core.rng import derive

    names = agent_texts(named)
    names = names * players if len(names) == 1 else names
    if len(names) != players:
        raise ValueError(f"--agents names {len(names)} agents for {players} players; give one for all or one per seat")
    agents = [agent_spec(name).make(derive(seed, "agent", seat)) for seat, name in enumerate(names)]
    for agent in agents:
        get_ready(agent, rules)
    return names, agents


def check_drawing(svg: Path, record: Path | None, overwrite: bool) -> None:
    """ValueError or OSError unless a picture can be drawn into this file, beside the record."""
    if svg.exists() and not overwrite:
        raise FileExistsError(f"{svg} exists and is kept; name a new file or say --overwrite")
    if svg.exists() and not svg.is_file():
        raise ValueError(f"{svg}: it is no regular file; name another to draw into")
    if not svg.parent.is_dir():
        raise FileNotFoundError(f"{svg}: there is no folder {svg.parent} to draw into")
    if record is None:
        return
    if realpath(svg) == realpath(record) or (svg.exists() and record.exists() and svg.samefile(record)):
        raise ValueError(f"--svg and --record both name {svg}; name two files")


class HumanAgent:
    """Somebody at the terminal: shows the board and what is legal, and asks. ``?`` lists actions, ``quit`` ends the game."""

    def __init__(self, seed: int = 0) -> None:
        """Questions go to stderr, answers come from stdin."""
        self._seed = seed

    def __call__(self, view: View) -> int:
        """What was typed; raises ``Stopped`` at the end of stdin, on Ctrl-C and on ``quit``."""
        game, console = view.determinize(self._seed), err  # what the seat cannot see is resampled: nothing to peek at
        labels = {game.label(action): int(action) for action in game.legal_actions()}
        picture = picture_of(game, Look(view.seat, list(labels)))
        console.print(text.view(picture))
        while True:
            try:
                typed = " ".join(console.input(f"seat {view.seat}, {game.phase} (? lists)> ").split())
            except (EOFError, KeyboardInterrupt):
                console.print()
                raise Stopped from None
            if typed == "quit":
                raise Stopped
            if typed == "show":
                console.print(text.view(picture))
                continue
            action, answer = understand(game, typed, labels)
            if action is not None:
                return action
            console.print(answer, markup=False, highlight=False)


def understand(game: Game, typed: str, labels: dict[str, int]) -> tuple[int | None, str]:
    """The action that was typed and "", or None and what to say: the legal labels it begins, or why it is not legal."""
    typed = "" if typed == "?" else typed
    matches = [label for label in labels if label.lower().startswith(typed.lower())]
    exact = [label for label in matches if label.lower() == typed.lower()]
    if exact or (len(matches) == 1 and typed):
        return labels[(exact or matches)[0]], ""
    if matches:
        return None, legal_summary(matches, MOST_LISTED) + ("" if typed else f"\n{HELP}")
    try:
        game.clone().apply(game.parse(typed))
    except ValueError as error:
        return None, f"{error}\n{HELP}"
    return None, HELP


def _answer(agent: Agent, game: Game) -> int:
    """What the agent of the seat to move answers, a legal action; AgentFailed if it does not."""
    where = f"the agent on seat {seat_name(game.seat)}, round {game.round}, phase {game.phase}"
    try:
        action = agent(View(game, game.seat))
    except Stopped:
        raise
    except Exception as error:
        raise AgentFailed(f"{where}, raised {type(error).__name__}: {error}") from error
    try:
        game.clone().apply(action)
    except ValueError as error:
        raise AgentFailed(f"{where}, answered {quoted(action)}: {error}") from None
    return int(action)


def play_out(
    game: Game,
    agents: Sequence[Agent],
    writer: RecordWriter | None = None,
    log: Console | None = None,
    show: Callable[[Game], None] | None = None,
) -> int:
    """Play to the end and return the number of actions. ``log`` is told every action, ``show`` sees each turn end."""
    n_steps = 0
    while not game.is_over:
        seat, turn = game.seat, (game.round, game.seat)
        action = _answer(agents[seat], game)
        label = game.label(action)
        game.apply(action)
        n_steps += 1
        if writer is not None:
            writer.write(seat, label)
        if log is not None:
            log.print(f"seat {seat}: {label}", markup=False, highlight=False)
        if show is not None and (game.round, game.seat) != turn and not game.is_over:
            show(game)
    if writer is not None:
        writer.close(game)
    return n_steps
