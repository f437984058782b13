"""The table at which the command line plays: a game with warm kernels, agents by name, somebody at the terminal."""

from __future__ import annotations

import signal
from collections.abc import Callable, Iterator, Sequence
from contextlib import ExitStack, contextmanager
from os.path import realpath
from pathlib import Path
from threading import current_thread, main_thread
from types import FrameType
from typing import NamedTuple, Protocol, runtime_checkable

from rich.console import Console

from winterkingdom_env.core.drawing import on_place, seat_name
from winterkingdom_env.core.plain_text import quoted
from winterkingdom_env.games import Game, GameRules, get_game
from winterkingdom_env.records import RecordWriter
from winterkingdom_env.search.registry import Agent, agent_spec, agent_texts, get_ready
from winterkingdom_env.search.view import View


class Stopped(Exception):
    """The human at the terminal has had enough."""


class TakenBack(Exception):
    """The human at the terminal takes back the last action."""


class AgentFailed(RuntimeError):
    """An agent raised, which is the cause, or its answer is no legal action."""


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


# --- playing ----------------------------------------------------------------------------------------------------------


class Move(NamedTuple):
    """What a seat did."""

    seat: int
    label: str


@runtime_checkable
class Person(Protocol):
    """An agent that is somebody at the terminal: it knows what was done, may raise ``TakenBack``, and is told when others think."""

    @property
    def has_screen(self) -> bool:
        """Whether the terminal is drawn over as a whole; nobody else may print there then."""

    def sit(self, sitting: Sitting) -> None:
        """Take a seat; this is called before the first move."""

    def wait(self, seat: int) -> None:
        """The agent of this seat thinks now."""

    def leave(self) -> None:
        """The game has ended, or is broken off."""


class Sitting:
    """One game from its first move to its last: the agents on its seats, and what they did.

    What a person does stays open to ``undo`` until the turn ends or something hidden is revealed, and is written to the record then, or
    when the game stops for whatever reason.
    """

    def __init__(
        self,
        game: Game,
        agents: Sequence[Agent],
        names: Sequence[str] | None = None,
        writer: RecordWriter | None = None,
        log: Console | None = None,
        show: Callable[[Game], None] | None = None,
    ) -> None:
        """``names`` of the agents; ``log`` is told every action, ``show`` sees each turn end."""
        self.game, self.agents, self.moves = game, agents, list[Move]()
        self.names = [seat_name(seat) for seat in range(game.n_players)] if names is None else list(names)
        self.turn = OpenTurn()
        self.shown_to: int | None = None  # the seat that sees the terminal, where people share it
        self._writer, self._log, self._show = writer, log, show

    @property
    def people(self) -> list[Person]:
        """The agents that are somebody at the terminal."""
        return [agent for agent in self.agents if isinstance(agent, Person)]

    def play(self) -> None:
        """Play to the end. ``game`` is the one that was played then, with nothing in it that was taken back."""
        with _hanging_up(self.people), ExitStack() as after:
            for person in self.people:
                after.callback(person.leave)
                person.sit(self)
            after.callback(lambda: self._write(len(self.moves)))  # the first thing of all: the terminal may be gone
            while not self.game.is_over:
                self._step()
        if self._writer is not None:
            self._writer.close(self.game)

    def _step(self) -> None:
        game, agent = self.game, self.agents[self.game.seat]
        if not isinstance(agent, Person):
            for person in self.people:
                person.wait(game.seat)
        try:
            action = _answer(agent, game)
        except TakenBack:
            self._take_back()
            return
        before = game.clone()
        game.apply(action)
        self.moves.append(Move(before.seat, game.label(action)))
        self._tell(f"seat {before.seat}: {game.label(action)}")
        if isinstance(agent, Person):
            self.turn.add(before, action, game)
        self._write(len(self.moves) - len(self.turn.befores))
        is_next = (game.round, game.seat) != (before.round, before.seat)
        if self._show is not None and is_next and not game.is_over and not self._has_screen:
            self._show(game)

    def _take_back(self) -> None:
        self.game, move = self.turn.befores.pop(), self.moves.pop()
        self._tell(f"seat {move.seat} takes back: {move.label}")

    @property
    def _has_screen(self) -> bool:
        return any(person.has_screen for person in self.people)

    def _tell(self, words: str) -> None:
        if self._log is not None and not self._has_screen:
            self._log.print(words, markup=False, highlight=False)

    def _write(self, n: int) -> None:
        """Bring the record up to the first ``n`` moves."""
        if self._writer is not None:
            for move in self.moves[self._writer.n_actions : n]:
                self._writer.write(*move)


@contextmanager
def _hanging_up(people: Sequence[Person]) -> Iterator[None]:
    """A terminal that is closed, or a polite kill, stops a game with people in it as ``quit`` does: the record gets the open turn."""
    if not people or current_thread() is not main_thread():
        yield
        return

    def stop(number: int, frame: FrameType | None) -> None:
        raise Stopped

    numbers = [getattr(signal, name) for name in ("SIGHUP", "SIGTERM") if hasattr(signal, name)]
    old = {number: signal.signal(number, stop) for number in numbers}
    try:
        yield
    finally:
        for number, handler in old.items():
            signal.signal(number, handler)


class OpenTurn:
    """What the seat to move has done in its turn and may take back: the games before each of its actions."""

    def __init__(self) -> None:
        """Nothing was done yet."""
        self.befores: list[Game] = []
        self.why_not = "your turn has just begun, nothing can be taken back"

    def add(self, before: Game, action: int, after: Game) -> None:
        """A person did something: it stays open, or it closes everything up to here."""
        label = before.label(action)
        if after.is_over or (after.seat, after.round) != (before.seat, before.round):
            self.befores, self.why_not = [], "your turn has just begun, nothing can be taken back"
        elif reveals(before, action, after):
            self.befores, self.why_not = (
                [],
                f"{label} cannot be taken back: it revealed something that was hidden before",
            )
        else:
            self.befores.append(before)


N_DEALS = 64


def reveals(before: Game, action: int, after: Game) -> bool:
    """Whether the seat that moved has learned something by its action: a card that it drew, say.

    It has not if every game that could have been the true one, for all that the seat knew, would look to it now as the true one does.
    ``determinize`` deals such games, and gives the same game again for those that look the same. A chance of less than one in ``N_DEALS``
    may be overlooked.
    """
    seat = before.seat
    known = after.determinize(seat, 0).to_bytes()
    for seed in range(N_DEALS):
        dealt = before.determinize(seat, seed)
        try:
            dealt.apply(action)
        except ValueError:  # whether it was legal hung on something hidden
            return True
        if dealt.determinize(seat, 0).to_bytes() != known:
            return True
    return False


def _answer(agent: Agent, game: Game) -> int:
    """What the agent of the seat to move answers, a legal action; AgentFailed if it does not."""
    where = f"the agent on seat {seat_name(game.seat)}, round {game.round}, phase {game.phase}"
    try:
        action = agent(View(game, game.seat))
    except (Stopped, TakenBack):
        raise
    except Exception as error:
        raise AgentFailed(f"{where}, raised {type(error).__name__}: {error}") from error
    try:
        game.clone().apply(action)
    except ValueError as error:
        raise AgentFailed(f"{where}, answered {quoted(action)}: {error}") from None
    return int(action)


def turn_lines(moves: Sequence[Move], names: Sequence[str]) -> list[str]:
    """What was done, a line for all that a seat did in a row; places under one verb stand together."""
    lines: list[str] = []
    last_seat, last_verb = -1, ""
    for seat, label in moves:
        at = on_place(label)
        verb = "" if at is None else at.verb
        if seat != last_seat:
            lines.append(f"{names[seat]}: {label}")
        elif verb and verb == last_verb:
            lines[-1] += f" {label.removeprefix(verb).strip()}"
        else:
            lines[-1] += f", {label}"
        last_seat, last_verb = seat, verb
    return lines
