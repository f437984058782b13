"""The games of a check, in the process of the agent. It reports over a socket, because stdout and stderr belong to the agent."""

from __future__ import annotations

import contextlib
import faulthandler
import operator
import os
import pickle
import signal
import socket
import sys
import traceback
from collections.abc import Callable, Iterator
from itertools import dropwhile
from time import perf_counter
from types import TracebackType
from typing import Any

import msgspec

from winterkingdom_env.core._cache import hush
from winterkingdom_env.core.plain_text import one_line, plain, quoted
from winterkingdom_env.core.rng import derive
from winterkingdom_env.games import Game, get_game
from winterkingdom_env.games.options import make_config
from winterkingdom_env.search import registry
from winterkingdom_env.search.agents import RandomAgent
from winterkingdom_env.search.registry import Agent, AgentError, agent_spec, get_ready, load_code
from winterkingdom_env.search.view import View, practise

SHOW_STACK = signal.SIGUSR1  # from the parent: write the stack to the pipe for stacks
LONGEST_TRACEBACK = 20_000  # characters; the last ones, with the error, are kept
OWN_FILES = ("<string>", __file__, registry.__file__)  # above the agent's frames


# --- messages ---------------------------------------------------------------------------------------------------------


class Job(msgspec.Struct, frozen=True):
    """What to play. ``players``: numbers of players, used in turn; ``options``: of the game, as ``name=value``; ``time_limit``: seconds per move."""

    agent: str
    game: str  # from games.address_of
    players: tuple[int, ...]
    options: tuple[str, ...] = ()
    code: tuple[str, ...] = ()  # absolute paths of files with agents
    games: int = 12
    seed: int = 0
    time_limit: float = 60.0


class Doing(msgspec.Struct, tag=True):
    """The agent is about to do something; the process waits for a byte, and the clock runs until the next report."""

    where: str
    is_move: bool = False


class Did(msgspec.Struct, tag=True):
    """The agent did it, in so many seconds."""

    seconds: float


class Begun(msgspec.Struct, tag=True):
    """A game begins. ``is_again``: the first one once more, which does not count."""

    name: str
    is_again: bool = False


class Ended(msgspec.Struct, tag=True):
    """The game has ended. ``wins``: the agent's share of the first place; None if it forfeited."""

    wins: float | None


class Failed(msgspec.Struct, tag=True):
    """The agent forfeits the game."""

    words: str
    traceback: str = ""


class Noted(msgspec.Struct, tag=True):
    """Something worth knowing that forfeits nothing."""

    words: str


class Refused(msgspec.Struct, tag=True):
    """There is no such agent."""

    words: str


class Forked(msgspec.Struct, tag=True):
    """A process that the agent forked returned from its call, too."""


class Done(msgspec.Struct, tag=True):
    """Everything was played."""


Report = Doing | Did | Begun | Ended | Failed | Noted | Refused | Forked | Done


# --- faults -----------------------------------------------------------------------------------------------------------


class _FaultError(Exception):
    """The agent forfeits this game."""

    def __init__(self, words: str, trace: str = "") -> None:
        super().__init__(words)
        self.trace = trace


class _RefusedError(_FaultError):
    """There is no such agent."""


@contextlib.contextmanager
def _guarded(where: str) -> Iterator[None]:
    """Whatever the agent raises becomes a _FaultError, SystemExit too: an agent must answer, not leave."""
    try:
        yield
    except _FaultError:
        raise
    except BaseException as error:
        raise _FaultError(f"it raised {_told(error)} {where}", _traced(error)) from None


def _told(error: BaseException) -> str:
    try:
        return one_line(f"{type(error).__name__}: {error}".removesuffix(": "))
    except BaseException:  # a broken __str__ may raise anything
        return type(error).__name__


def _traced(error: BaseException) -> str:
    """The traceback, from the agent's first frame on."""
    own: TracebackType | None = error.__traceback__
    while own is not None and own.tb_frame.f_code.co_filename in OWN_FILES:
        own = own.tb_next
    lines = traceback.format_exception(type(error), error, own)
    return plain("".join(lines)[-LONGEST_TRACEBACK:], keep="\n")


def stack_of(frames: list[traceback.FrameSummary]) -> str:
    """A stack, outermost frame first, as text from the agent's first frame on."""
    own = list(dropwhile(lambda frame: frame.filename in OWN_FILES, frames))
    return "".join(traceback.format_list(own))


def _checked(answer: object, game: Game) -> int:
    """The answer as a legal action; _FaultError if it is none."""
    try:
        action = operator.index(answer)  # type: ignore[arg-type]  # whatever the agent returned
    except BaseException:  # a strange __index__ may raise anything
        action = None
    if action is None or isinstance(answer, bool):
        raise _FaultError(f"its answer {quoted(answer)} is a {type(answer).__name__}, not an integer")
    try:
        game.clone().apply(action)
    except (ValueError, OverflowError) as error:
        raise _FaultError(f"its answer {quoted(answer)} is not legal: {error}") from None
    return action


# --- games ------------------------------------------------------------------------------------------------------------


class _Games:
    """Games of one agent against random ones, its seat and the number of players rotating."""

    def __init__(self, job: Job, link: socket.socket) -> None:
        self._job, self._link, self._pid = job, link, os.getpid()
        self._rules = get_game(job.game)
        self._configs = [make_config(self._rules, number, job.options) for number in job.players]
        practise(self._rules)

    def _send(self, report: Report) -> None:
        """Report, after everything that the agent printed before."""
        for stream in (sys.stdout, sys.stderr):
            with contextlib.suppress(BaseException):  # the agent may have closed or replaced it
                stream.flush()
        is_copy = os.getpid() != self._pid
        self._link.sendall(msgspec.json.encode(Forked() if is_copy else report) + b"\n")
        if is_copy:
            os._exit(0)

    def _clocked(self, where: str, call: Callable[[], Any], is_move: bool = False) -> Any:
        """What ``call`` returns; _FaultError if it raises. The parent's clock runs."""
        self._send(Doing(where, is_move))
        if not self._link.recv(1):
            raise ConnectionError("the check is gone")
        with _guarded(where):
            start = perf_counter()
            answer = call()
            took = perf_counter() - start
        self._send(Did(took))
        limit = self._job.time_limit
        if is_move and took > limit:
            raise _FaultError(f"no answer within {limit:g} s {where}; it came after {took:.3f} s")
        return answer

    def run(self) -> None:
        """Play all games, and report."""
        try:
            self._spec: registry.AgentSpec = self._clocked("when its code was imported", self._found)
            agent = self._made(0)
        except _FaultError as fault:
            is_refused = isinstance(fault, _RefusedError)
            self._send(Refused(str(fault)) if is_refused else Failed(str(fault), fault.trace))
            return
        self._try_pickle(agent)
        moves = [self._play(number) for number in range(self._job.games)]
        if None not in moves and self._play(0, is_again=True) != moves[0]:
            self._send(
                Noted(
                    "the first game was played twice, and the same seed gave other moves the second time: "
                    "a seed does not reproduce its games"
                )
            )

    def _found(self) -> registry.AgentSpec:
        try:
            for path in self._job.code:
                load_code(path)
            return agent_spec(self._job.agent)
        except AgentError as error:
            raise _RefusedError(plain(str(error))) from None

    def _made(self, number: int) -> Agent:
        """The agent of a game, ready to play."""

        def make() -> Agent:
            try:
                agent = self._spec.make(derive(self._job.seed, "agent", number))
            except AgentError as error:
                raise _FaultError(one_line(str(error))) from None
            with _guarded("in get_ready"):
                get_ready(agent, self._rules)
            return agent

        agent: Agent = self._clocked("when it was made", make)
        return agent

    def _try_pickle(self, agent: Agent) -> None:
        def trouble() -> str:
            try:
                pickle.dumps(agent)
            except BaseException as error:
                return _told(error)
            return ""

        if words := self._clocked("when it was pickled", trouble):
            self._send(Noted(f"it cannot be pickled ({words}): environments with it cannot be copied"))

    def _play(self, number: int, is_again: bool = False) -> list[int] | None:
        """The moves of the agent in one game; None if it forfeits."""
        config = self._configs[number % len(self._configs)]
        name = f"game {number}, {config.num_players} players"
        self._send(Begun(f"{name}, played again" if is_again else name, is_again))
        try:
            moves, wins = self._moves(config, number)
        except _FaultError as fault:
            self._send(Failed(str(fault), fault.trace))
            self._send(Ended(None))
            return None
        self._send(Ended(wins))
        return moves

    def _moves(self, config: Any, number: int) -> tuple[list[int], float]:
        moves: list[int] = []
        game = self._rules.new_game(config=config, seed=derive(self._job.seed, "game", number))
        seat, agent = number % game.n_players, self._made(number)
        others = RandomAgent(derive(self._job.seed, "others", number))
        while not game.is_over:
            view = View(game, game.seat)
            if game.seat != seat:
                game.apply(others(view))
                continue
            where = f"in round {game.round}, phase {game.phase}, seat {seat}"
            answer = self._clocked(where, lambda: agent(view), is_move=True)  # noqa: B023  # called before the next round
            try:
                moves.append(_checked(answer, game))
            except _FaultError as fault:
                raise _FaultError(f"{fault} ({where})") from None
            game.apply(moves[-1])
        ranks = game.ranks()
        return moves, (ranks[seat] == min(ranks)) / ranks.count(min(ranks))


def main() -> None:
    """Play a check. The command line has two file descriptors, the socket and the pipe for stacks, and the Job as JSON."""
    link_file, stacks, job = sys.argv[1:]
    sys.argv = sys.argv[:1]
    link = socket.socket(fileno=int(link_file))
    for file in (link.fileno(), int(stacks)):
        os.set_inheritable(file, False)
    faulthandler.enable(int(stacks), all_threads=False)
    faulthandler.register(SHOW_STACK, int(stacks), all_threads=False)
    hush()  # the parent has said it
    try:
        games = _Games(msgspec.json.decode(job, type=Job), link)
        games.run()
        games._send(Done())
    except OSError:  # the parent is gone
        os._exit(1)
