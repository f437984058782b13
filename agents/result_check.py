"""Whether a line of ``results.jsonl`` can be true: the schedule decides who sat where, and the scores decide who was ahead."""

from __future__ import annotations

import math

from agents.results import Result, standing
from agents.schedule import Job, Settings, lineups, seated
from winterkingdom_env.core.plain_json import quoted

MOST_POINTS = 1_000_000  # of a seat, far more than any game gives


class Check:
    """What every result of a tournament must agree with."""

    def __init__(self, settings: Settings) -> None:
        """The schedule decides who sits where in which game."""
        self._settings, self._lineups, self._names = settings, lineups(settings), settings.names

    def wrong_in(self, result: Result) -> str | None:
        """What is wrong with a result; None if nothing is."""
        n_seats = self._settings.players
        for name, value, end in (("setup", result.setup, self._settings.n_setups), ("lineup", result.lineup, len(self._lineups)),
                                 ("rotation", result.rotation, n_seats)):  # fmt: skip
            if not 0 <= value < end:
                return f"{name} {value} is not one of 0 to {end - 1}"
        seats = seated(self._lineups[result.lineup], result.setup, result.rotation)
        job = Job(result.setup, result.lineup, result.rotation, seats)
        if result.id != job.id:
            return f"its id is {quoted(result.id)}, game {job.id} is meant"
        if result.numbers != list(seats) or result.seats != [self._names[number] for number in seats]:
            return "other agents sit there, or in another order"
        return _wrong_lengths(result, n_seats) or _wrong_numbers(result) or _wrong_standing(result)


def _wrong_lengths(result: Result, n_seats: int) -> str | None:
    for name in ("scores", "score_sheet", "ranks", "points", "n_moves", "seconds", "slowest"):
        if len(getattr(result, name)) != n_seats:
            return f"{name} has {len(getattr(result, name))} values for {n_seats} seats"
    return None


def _wrong_numbers(result: Result) -> str | None:
    times = (*result.seconds, *result.slowest)
    if not all(math.isfinite(value) and value >= 0 for value in times):
        return "seconds and slowest are times"
    if min(*result.n_moves, result.rounds, result.restarts) < 0 or sum(result.n_moves) != result.moves:
        return f"moves is {result.moves}, the seats made {result.n_moves}"
    if max(abs(score) for score in result.scores) > MOST_POINTS:
        return f"scores {quoted(result.scores)} are not those of a game"
    for value in result.cards.values():
        if not all(card is None or isinstance(card, str) for card in (value if isinstance(value, list) else [value])):
            return f"cards {quoted(value)} are no names"
    return None


def _wrong_standing(result: Result) -> str | None:
    lost = result.forfeit
    if lost is not None and (lost.seat not in range(len(result.seats)) or lost.agent != result.seats[lost.seat]):
        return f"seat {lost.seat} with {quoted(lost.agent)} forfeits, who does not sit there"
    ranks, points = standing(result.scores, None if lost is None else lost.seat)
    if (result.ranks, result.points) != (ranks, points):
        return f"ranks {result.ranks} and points {quoted(result.points)} do not follow from scores {result.scores}"
    return None
