"""Plays one game of a tournament: the true game stays here, each seat gets its own view, and an agent that fails forfeits the game."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from agents.desk import Desk, DeskPool, Stopped
from agents.frames import BEGIN, CHECK, LONGEST_REASON, LONGEST_TRACEBACK, MOVE
from agents.line import Answer, DeskError
from agents.results import Forfeit, Result, standing, write_record
from agents.schedule import Job, Settings, agent_seed, deal_seed, game_seed
from winterkingdom_env.core.plain_text import plain
from winterkingdom_env.games import Game, address_of, get_game
from winterkingdom_env.search.registry import GETTING_READY

NO_SETUP = -1


class RefusedError(ValueError):
    """An agent cannot be made at all."""


class _ForfeitError(Exception):
    """A seat forfeits the game."""

    def __init__(
        self, seat: int, kind: str, reason: str, was_killed: bool = False, traceback: str | None = None
    ) -> None:
        self.seat, self.kind, self.was_killed = seat, kind, was_killed
        self.traceback = None if traceback is None else plain(traceback, keep="\n")[:LONGEST_TRACEBACK]
        self.reason = plain(reason)[: 2 * LONGEST_REASON]  # untrusted: only printable text is stored and printed
        super().__init__(f"seat {seat}: {kind}: {self.reason}")


@contextmanager
def _blamed(seat: int) -> Iterator[None]:
    """Turn a failure of the seat's process into a forfeit of the seat."""
    try:
        yield
    except DeskError as error:
        raise _ForfeitError(seat, error.kind, error.reason, error.was_killed) from None


def _check_raised(seat: int, answer: Answer) -> None:
    if answer.raised is not None:
        raise _ForfeitError(seat, "raised", answer.raised, traceback=answer.traceback)


class _Table:
    """The moves and times of a game in progress."""

    def __init__(self, n_seats: int) -> None:
        self.moves: list[tuple[int, str]] = []
        self.n_moves = [0] * n_seats
        self.seconds = [0.0] * n_seats
        self.slowest = [0.0] * n_seats

    def count(self, seat: int, label: str, seconds: float) -> None:
        self.moves.append((seat, label))
        self.n_moves[seat] += 1
        self.seconds[seat] += seconds
        self.slowest[seat] = max(self.slowest[seat], seconds)


def check_agents(settings: Settings, pool: DeskPool) -> None:
    """Make each agent once, in its own process; RefusedError says which one cannot be made and why."""
    desks: dict[str, Desk] = {}
    try:
        for text in dict.fromkeys(settings.agents):  # all prepare in parallel
            desks[text] = pool.take(text, address_of(settings.game), NO_SETUP)
        for text, desk in desks.items():
            try:
                answer = desk.ask(CHECK, GETTING_READY, settings.memory_limit, lambda: False)
            except DeskError as error:
                raise RefusedError(f"agent {text!r} cannot be made: {error}") from None
            if answer.refused is not None:
                raise RefusedError(answer.refused)
    finally:
        for desk in desks.values():
            pool.give_back(desk)


class Referee:
    """Plays games of a tournament; several threads may share it."""

    def __init__(self, settings: Settings, folder: Path, pool: DeskPool, is_stopped: Callable[[], bool]) -> None:
        """``folder``: where records go. ``is_stopped``: whether to abort running games."""
        self._settings, self._folder, self._pool, self._is_stopped = settings, folder, pool, is_stopped
        self._module = get_game(settings.game)

    def play(self, job: Job) -> Result:
        """Play a game and write its record. If a signal ended a process, play the game again with new processes."""
        killed: list[int] = []
        while True:
            game, table = self._new_game(job), _Table(len(job.seats))
            try:
                self._play_once(game, job, table)
                return self._finish(game, job, table, None, killed)
            except _ForfeitError as forfeit:
                if not forfeit.was_killed or forfeit.seat in killed:
                    return self._finish(game, job, table, forfeit, killed)
                killed.append(forfeit.seat)

    def _play_once(self, game: Game, job: Job, table: _Table) -> None:
        """Play a game with processes that have not seen its set-up: otherwise an agent could know hidden cards."""
        desks: list[Desk] = []
        try:
            for number in job.seats:
                desks.append(self._take(self._settings.agents[number], job))
            self._play_out(game, job, desks, table)
        except _ForfeitError as forfeit:
            self._pool.discard(desks.pop(forfeit.seat))
            raise
        finally:
            for desk in desks:
                self._pool.give_back(desk)

    def _take(self, text: str, job: Job) -> Desk:
        return self._pool.take(text, address_of(self._settings.game), job.setup)

    def _new_game(self, job: Job) -> Game:
        config = self._module.Config(**self._settings.config(job.setup))
        game: Game = self._module.new_game(config=config, seed=game_seed(self._settings, job))
        return game

    def _play_out(self, game: Game, job: Job, desks: list[Desk], table: _Table) -> None:
        self._begin(job, desks)
        while not game.is_over:
            if self._is_stopped():
                raise Stopped
            seat = game.seat
            shown: Any = game.determinize(seat, deal_seed(self._settings, job, len(table.moves)))
            action, seconds = self._answer(game, seat, desks[seat], shown.to_bytes())
            label = game.label(action)
            game.apply(action)
            table.count(seat, label, seconds)

    def _begin(self, job: Job, desks: list[Desk]) -> None:
        """Let all seats' agents prepare in parallel, before any clock runs."""
        for seat, desk in enumerate(desks):
            desk.begin(f"game {job.id}, {self._settings.names[job.seats[seat]]}")
            with _blamed(seat):
                desk.send(BEGIN + str(agent_seed(self._settings, job, seat)).encode())
        for seat, desk in enumerate(desks):
            with _blamed(seat):
                answer = desk.wait(GETTING_READY, self._settings.memory_limit, self._is_stopped)
            _check_raised(seat, answer)

    def _answer(self, game: Game, seat: int, desk: Desk, shown: bytes) -> tuple[int, float]:
        """A legal action and the seconds it took; _ForfeitError otherwise."""
        limit, megabytes = self._settings.time_limit, self._settings.memory_limit
        start = time.perf_counter()
        with _blamed(seat):
            answer = desk.ask(MOVE + bytes([seat]) + shown, limit, megabytes, self._is_stopped)
        _check_raised(seat, answer)
        if answer.odd is not None:
            raise _ForfeitError(seat, "illegal", f"returned {answer.odd}, which is not an action")
        action = answer.action
        if action is None:
            raise _ForfeitError(seat, "message", "it sent a message without an action")
        if action not in game.legal_actions():
            raise _ForfeitError(seat, "illegal", why_not(game, action))
        # The process reports its own time; cap it by the time waited here.
        waited = time.perf_counter() - start
        return action, waited if answer.seconds is None else min(answer.seconds, waited)

    def _finish(self, game: Game, job: Job, table: _Table, forfeit: _ForfeitError | None, killed: list[int]) -> Result:
        """Write the record and return the result."""
        seats = [self._settings.names[number] for number in job.seats]
        lost = (
            None
            if forfeit is None
            else Forfeit(forfeit.seat, seats[forfeit.seat], forfeit.kind, forfeit.reason, forfeit.traceback)
        )
        scores = list(game.scores())
        write_record(self._folder, job, self._new_game(job), seats, table.moves, game if forfeit is None else None)
        ranks, points = standing(game.ranks(), None if forfeit is None else forfeit.seat)
        return Result(
            id=job.id, setup=job.setup, lineup=job.lineup, rotation=job.rotation, seats=seats, numbers=list(job.seats),
            scores=scores, score_sheet=game.score_sheet(), ranks=ranks, points=points,
            forfeit=lost, moves=len(table.moves), n_moves=table.n_moves, seconds=[round(s, 6) for s in table.seconds],
            slowest=[round(s, 6) for s in table.slowest], rounds=game.round,
            cards=self._module.facts(game.snapshot()), restarts=len(killed), killed=killed,
        )  # fmt: skip


def why_not(game: Game, action: int) -> str:
    """The game's reason for refusing an action."""
    try:
        game.clone().apply(action)
    except (ValueError, OverflowError) as error:
        return str(error)
    return f"action {action} is not legal"
