"""Checks a line of ``results.jsonl`` for consistency with the schedule and with itself."""

from __future__ import annotations

from typing import Any

from agents.results import Result, standing
from agents.schedule import Job, Settings, lineups, seated
from winterkingdom_env._record_lines import MOST_STEPS
from winterkingdom_env.core.plain_text import quoted
from winterkingdom_env.games import get_game

MOST_POINTS = 1_000_000  # of a seat; far more than in any game
MOST_RESTARTS = 64
LONGEST_TIME = 1e9  # seconds: thirty years


class Check:
    """Checks the results of a tournament."""

    def __init__(self, settings: Settings) -> None:
        """``settings`` of the tournament, from which the schedule follows."""
        self._settings, self._lineups, self._names = settings, lineups(settings), settings.names
        self._kinds = get_game(settings.game).FACTS
        self._cards: set[str] | None = None  # kinds of cards in the first result

    def wrong_in(self, result: Result) -> str | None:
        """What is wrong with a result; None if it is valid."""
        n_seats = self._settings.players
        for name, value, end in (("setup", result.setup, self._settings.n_setups), ("lineup", result.lineup, len(self._lineups)),
                                 ("rotation", result.rotation, n_seats)):  # fmt: skip
            if not 0 <= value < end:
                return f"{name} is {value}; it must be 0 to {end - 1}"
        seats = seated(self._lineups[result.lineup], result.setup, result.rotation)
        job = Job(result.setup, result.lineup, result.rotation, seats)
        if result.id != job.id:
            return f"its id is {quoted(result.id)}, but its numbers are those of game {job.id}"
        if result.numbers != list(seats) or result.seats != [self._names[number] for number in seats]:
            return "its agents or their seats differ from the schedule"
        wrong = _wrong_lengths(result, n_seats) or _wrong_numbers(result) or _wrong_sheet(result)
        return wrong or self._wrong_cards(result.cards) or _wrong_standing(result)

    def _wrong_cards(self, cards: dict[str, Any]) -> str | None:
        """All results must have the same kinds of cards, because games.csv has a column for each."""
        for kind, value in cards.items():
            names = value if isinstance(value, list) else [] if value is None else [value]
            if kind not in self._kinds or not all(isinstance(name, str) and name.isprintable() for name in names):
                return f"cards {quoted(kind)}: {quoted(value)} are not names of cards"
        if self._cards is None:
            self._cards = set(cards)
        if set(cards) != self._cards:
            return f"its kinds of cards are {quoted(sorted(cards))}, those of the first result {quoted(sorted(self._cards))}"
        return None


def _wrong_lengths(result: Result, n_seats: int) -> str | None:
    for name in ("scores", "score_sheet", "ranks", "points", "n_moves", "seconds", "slowest"):
        if len(getattr(result, name)) != n_seats:
            return f"{name} has {len(getattr(result, name))} values for {n_seats} seats"
    return None


def _wrong_numbers(result: Result) -> str | None:
    if not all(0 <= value <= LONGEST_TIME for value in (*result.seconds, *result.slowest)):
        return f"seconds and slowest must be times from 0 to {LONGEST_TIME:g}"
    for name, value, most in (("moves", result.moves, MOST_STEPS), ("rounds", result.rounds, MOST_STEPS),
                              ("restarts", result.restarts, MOST_RESTARTS)):  # fmt: skip
        if not 0 <= value <= most:
            return f"{name} is {quoted(value)}; it must be 0 to {most}"
    if not (
        set(result.killed) <= set(range(len(result.seats)))
        and len(set(result.killed)) == len(result.killed) <= result.restarts
    ):
        return f"killed is {quoted(result.killed)}; it must be the seats of {result.restarts} restarts"
    if min(result.n_moves) < 0 or sum(result.n_moves) != result.moves:
        return f"moves is {result.moves}, but n_moves of the seats is {quoted(result.n_moves)}"
    return None


def _wrong_sheet(result: Result) -> str | None:
    points = [value for row in result.score_sheet for value in row.values()]
    if max(map(abs, (*result.scores, *points))) > MOST_POINTS:
        return f"scores {quoted(result.scores)} with the score sheet {quoted(result.score_sheet)} are not possible"
    if [sum(row.values()) for row in result.score_sheet] != result.scores:
        return f"scores {quoted(result.scores)} are not the sums of the score sheet"
    for name in (name for row in result.score_sheet for name in row):
        if not name.isprintable():
            return f"the score sheet has the unprintable row {quoted(name)}"
    return None


def _wrong_standing(result: Result) -> str | None:
    lost = result.forfeit
    if lost is not None and (lost.seat not in range(len(result.seats)) or lost.agent != result.seats[lost.seat]):
        return f"forfeit names seat {lost.seat} and agent {quoted(lost.agent)}, which is not on that seat"
    ranks, points = standing(result.ranks, None if lost is None else lost.seat)
    if (result.ranks, result.points) != (ranks, points):
        return f"ranks {result.ranks} with points {quoted(result.points)} are not possible"
    return None
