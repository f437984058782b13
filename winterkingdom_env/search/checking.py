"""Play games with an agent and find what would make it forfeit in the arena."""

from __future__ import annotations

import pickle
import sys
import threading
import time
import traceback
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from typing import Any

from winterkingdom_env.core.plain_text import one_line, quoted
from winterkingdom_env.core.rng import derive
from winterkingdom_env.games import Game, GameRules
from winterkingdom_env.search.agents import RandomAgent
from winterkingdom_env.search.registry import GETTING_READY, Agent, AgentSpec, get_ready
from winterkingdom_env.search.view import View

OWN_FRAMES = 5  # of threading and of this file, above the agent's


@dataclass(frozen=True)
class Fault:
    """Something that would forfeit a game: what happened, in which game, and the agent's traceback if there is one."""

    words: str
    game: str
    traceback: str = ""
    is_stuck: bool = False  # it did not answer, and its thread never ends


@dataclass
class Findings:
    """What the games of a check showed. ``notes`` cost no game but make results hard to repeat or to spread over processes."""

    games: int = 0
    finished: int = 0
    wins: float = 0.0
    seconds: list[float] = field(default_factory=list)
    faults: list[Fault] = field(default_factory=list)
    notes: list[str] = field(default_factory=list)

    @property
    def is_fine(self) -> bool:
        """Whether every game was played to its end."""
        return not self.faults

    @property
    def mean(self) -> float:
        """Seconds per move."""
        return sum(self.seconds) / max(1, len(self.seconds))

    @property
    def slowest(self) -> float:
        """Seconds of the slowest move."""
        return max(self.seconds, default=0.0)

    @property
    def is_stuck(self) -> bool:
        """Whether the agent still thinks: the process has to be ended from outside."""
        return any(fault.is_stuck for fault in self.faults)


class _FaultError(Exception):
    """The agent forfeits this game."""

    def __init__(self, words: str, trace: str = "", is_stuck: bool = False) -> None:
        super().__init__(words)
        self.trace, self.is_stuck = trace, is_stuck


def _within(seconds: float, call: Callable[[], Any], doing: str) -> tuple[Any, float]:
    """What ``call`` returns and how long it took; _FaultError if it raises or takes too long."""
    box: dict[str, Any] = {}

    def run() -> None:
        try:
            box["answer"] = call()
        except BaseException as error:  # SystemExit too: an agent must answer, not leave
            box["error"] = error

    thread, start = threading.Thread(target=run, daemon=True), time.perf_counter()
    thread.start()
    thread.join(seconds)
    took = time.perf_counter() - start
    if thread.is_alive():
        frame = sys._current_frames().get(thread.ident or 0)
        stack = "".join(traceback.format_stack(frame)[OWN_FRAMES:]) if frame else ""
        raise _FaultError(f"no answer within {seconds:g} s {doing}", stack, is_stuck=True)
    if "error" in box:
        error = box["error"]
        words = one_line(f"{type(error).__name__}: {error}".removesuffix(": "))
        raise _FaultError(f"it raised {words} {doing}", "".join(traceback.format_exception(_own(error))))
    return box["answer"], took


def _own(error: BaseException) -> BaseException:
    """The error with the agent's own frames: the first two are ours."""
    trace = error.__traceback__
    for _ in range(2):
        trace = trace and trace.tb_next
    return error.with_traceback(trace)


def _checked(answer: object, game: Game) -> int:
    """The answer as a legal action; _FaultError if it is none."""
    if isinstance(answer, bool) or not hasattr(answer, "__index__"):
        raise _FaultError(f"its answer {quoted(answer)} is a {type(answer).__name__}, not an integer")
    action: Any = answer
    try:
        game.clone().apply(action)
    except ValueError as error:
        raise _FaultError(f"its answer {quoted(answer)} is not legal: {error}") from None
    return int(action)


class Check:
    """Games of one agent against random ones, its seat and the number of players rotating."""

    def __init__(self, spec: AgentSpec, rules: GameRules, configs: list[Any], seed: int, time_limit: float) -> None:
        """``configs``: a Config for each number of players, used in turn. ``time_limit``: seconds per move."""
        self._spec, self._rules, self._configs = spec, rules, configs
        self._seed, self._limit = seed, time_limit
        self.findings = Findings()

    def run(self, games: int) -> Iterator[Findings]:
        """Play, and yield the findings after each game. An agent that hangs ends the check: nobody can stop it."""
        try:
            agent = self._made(0)
        except _FaultError as fault:
            self._note_fault(fault, "before the first game")
            yield self.findings
            return
        self._try_pickle(agent)
        moves = []
        for number in range(games):
            moves.append(self._play(number))
            self.findings.games += 1
            self.findings.finished += moves[-1] is not None
            yield self.findings
            if self.findings.is_stuck:
                return
        if self.findings.is_fine:
            self._try_again(moves[0])

    def _note_fault(self, fault: _FaultError, where: str) -> None:
        self.findings.faults.append(Fault(str(fault), where, fault.trace, fault.is_stuck))

    def _made(self, number: int) -> Agent:
        """The agent of a game, ready to play."""

        def make() -> Agent:
            made = self._spec.make(derive(self._seed, "agent", number))
            get_ready(made, self._rules)
            return made

        agent: Agent = _within(GETTING_READY, make, "when it was made")[0]
        return agent

    def _play(self, number: int) -> list[int] | None:
        """The moves of the agent in one game; None, and a fault in the findings, if it forfeits."""
        config = self._configs[number % len(self._configs)]
        try:
            return self._moves(config, number)
        except _FaultError as fault:
            self._note_fault(fault, f"game {number}, {config.num_players} players")
            return None

    def _moves(self, config: Any, number: int) -> list[int]:
        moves: list[int] = []
        game = self._rules.new_game(config=config, seed=derive(self._seed, "game", number))
        seat, agent = number % game.n_players, self._made(number)
        others = RandomAgent(derive(self._seed, "others", number))
        while not game.is_over:
            if game.seat != seat:
                game.apply(others(View(game, game.seat)))
                continue
            where = f"in round {game.round}, phase {game.phase}, seat {seat}"
            view = View(game, seat)
            answer, took = _within(self._limit, lambda: agent(view), where)  # noqa: B023  # called before the next round
            self.findings.seconds.append(took)
            try:
                action = _checked(answer, game)
            except _FaultError as fault:
                raise _FaultError(f"{fault} ({where})") from None
            moves.append(action)
            game.apply(action)
        ranks = game.ranks()
        self.findings.wins += (ranks[seat] == min(ranks)) / ranks.count(min(ranks))
        return moves

    def _try_pickle(self, agent: Agent) -> None:
        try:
            pickle.dumps(agent)
        except Exception as error:
            self.findings.notes.append(
                f"it cannot be pickled ({one_line(str(error))}): environments with it cannot be copied"
            )

    def _try_again(self, first: list[int] | None) -> None:
        """Play the first game once more with the same seed: the moves should be the same."""
        kept = list(self.findings.seconds), self.findings.wins
        if self._play(0) != first:
            self.findings.notes.append(
                "the same seed gave other moves when a game was played again: a seed does not reproduce its games"
            )
        self.findings.seconds, self.findings.wins = kept
