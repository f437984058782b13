"""One game on the command line: making agents by name, playing, and undo for humans."""

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
from winterkingdom_env.games import Game, GameRules
from winterkingdom_env.games.undo import OpenTurn
from winterkingdom_env.records import RecordWriter
from winterkingdom_env.search.registry import Agent, agent_spec, agent_texts, get_ready
from winterkingdom_env.search.view import View


class Stopped(Exception):
    """The human player quits the game."""


class TakenBack(Exception):
    """The human player takes back the last action."""


class AgentFailed(RuntimeError):
    """An agent raised an exception (the ``__cause__``), or returned something that is not a legal action."""


def seated_agents(named: str, rules: GameRules, players: int, seed: int) -> tuple[list[str], list[Agent]]:
    """The names and agents of all seats, from a comma-separated list or one name for all; ValueError if the number is wrong."""
    from winterkingdom_env.core.rng import derive

    names = agent_texts(named)
    names = names * players if len(names) == 1 else names
    if len(names) != players:
        raise ValueError(f"--agents names {len(names)} agents for {players} players; name one for all or one per seat")
    agents = [agent_spec(name).make(derive(seed, "agent", seat)) for seat, name in enumerate(names)]
    for agent in agents:
        get_ready(agent, rules)
    return names, agents


def check_drawing(
    svg: Path, other: Path | None, overwrite: bool, what: str = "--record", option: str = "--svg"
) -> None:
    """ValueError or OSError if ``option`` cannot be written to ``svg``; ``what``: how the user named another file of the command."""
    if other is not None and _is_same(svg, other):
        raise ValueError(f"{option} and {what} both name {svg}; name two files")
    if svg.exists() and not overwrite:
        raise FileExistsError(f"{svg} exists; name a new file or use --overwrite")
    if svg.exists() and not svg.is_file():
        raise ValueError(f"{svg} is not a regular file; name another file")
    if not svg.parent.is_dir():
        raise FileNotFoundError(f"{svg}: the folder {svg.parent} does not exist; create it or name another")


def _is_same(one: Path, other: Path) -> bool:
    return realpath(one) == realpath(other) or (one.exists() and other.exists() and one.samefile(other))


# --- playing ----------------------------------------------------------------------------------------------------------


class Move(NamedTuple):
    """An action of a seat, by its label."""

    seat: int
    label: str


@runtime_checkable
class Person(Protocol):
    """An agent for a human at the terminal: it sees all moves, may raise ``TakenBack``, and is told when other agents think."""

    @property
    def has_screen(self) -> bool:
        """Whether the full screen is in use; nothing else may print to the terminal then."""

    def sit(self, sitting: Sitting) -> None:
        """Join the game; called before the first move."""

    def wait(self, seat: int) -> None:
        """The agent on this seat starts thinking."""

    def leave(self) -> None:
        """The game has ended or was interrupted."""


class Sitting:
    """One game from first to last move: the agents on its seats, and their moves.

    A human can undo actions until the turn ends or hidden information is revealed. They are written to the record at that point, or
    when the game stops for any reason.
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
        """``names`` of the agents; ``log``: where to print every action; ``show``: called after every turn."""
        self.game, self.agents, self.moves = game, agents, list[Move]()
        self.names = [seat_name(seat) for seat in range(game.n_players)] if names is None else list(names)
        self.turn = OpenTurn()
        self.shown_to: int | None = None  # the seat that the shared terminal is showing
        self._writer, self._log, self._show = writer, log, show

    @property
    def people(self) -> list[Person]:
        """The human agents."""
        return [agent for agent in self.agents if isinstance(agent, Person)]

    def moves_unseen(self) -> list[Move]:
        """The moves after the last one of a human, which the full screen had no occasion to show."""
        seen = [k for k, move in enumerate(self.moves) if isinstance(self.agents[move.seat], Person)]
        return self.moves[seen[-1] + 1 :] if seen else []

    def play(self) -> None:
        """Play to the end. Afterwards ``game`` is the finished game, without the actions that were taken back."""
        with _hanging_up(self.people), ExitStack() as after:
            for person in self.people:
                after.callback(person.leave)
                person.sit(self)
            after.callback(lambda: self._write(len(self.moves)))  # runs first: the terminal may be gone
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
        label = before.label(action)
        self.moves.append(Move(before.seat, label))
        self._tell(f"seat {before.seat}: {label}")
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
        """Write moves to the record until it has ``n``."""
        if self._writer is not None:
            for move in self.moves[self._writer.n_actions : n]:
                self._writer.write(*move)


@contextmanager
def _hanging_up(people: Sequence[Person]) -> Iterator[None]:
    """SIGHUP (a closed terminal) and SIGTERM stop a game with humans as ``quit`` does, so the record gets the open turn."""
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


def _answer(agent: Agent, game: Game) -> int:
    """The action of the agent to move; AgentFailed if it raises or the action is not legal."""
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
        raise AgentFailed(f"{where}, returned {quoted(action)}: {error}") from None
    return int(action)


def turn_lines(moves: Sequence[Move], names: Sequence[str]) -> list[str]:
    """The moves, one line per turn; consecutive places with the same verb are joined.

    The first place after an action of another kind stands alone: it may belong to that action, as the goal of a move does.
    """
    lines: list[str] = []
    last_seat, last_verb, stands_alone = -1, "", False
    for seat, label in moves:
        at = on_place(label)
        verb = "" if at is None else at.verb
        is_same = bool(verb) and verb == last_verb
        if seat != last_seat:
            lines.append(f"{names[seat]}: {label}")
        elif is_same and not stands_alone:
            lines[-1] += f" {label.removeprefix(verb).strip()}"
        else:
            lines[-1] += f", {label}"
        stands_alone = seat == last_seat and not is_same
        last_seat, last_verb = seat, verb
    return lines
