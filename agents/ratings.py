"""Ratings: Elo by maximum likelihood, shares of points and margins, each with a 95 % interval.

Every pair of seats in a game is one comparison (ahead 1, tied 0.5, behind 0). Elo is a Bradley-Terry fit to all of them, shifted to a mean
of 0. Games of the same set-up are correlated, so intervals come from a bootstrap over whole set-ups, with ``N_RESAMPLES`` resamples.
With few set-ups the bootstrap varies too little, so intervals are widened by Student's t; from 10 set-ups on by less than a quarter.
"""

from __future__ import annotations

import math
from collections.abc import Sequence

import msgspec
import numpy as np
from numpy.typing import NDArray

from agents.results import Result, by_id
from agents.sprt import duel, pairs_of_seats

N_RESAMPLES = 1000
SEED = 20200  # of the bootstrap: the same results always give the same intervals
ELO = 400 / math.log(10)  # Elo per natural logarithm of the odds
# Every two agents that met get one extra drawn game, so that an agent that won every game has a finite rating.
PRIOR_DRAWS = 1.0
TAILS = (2.5, 97.5)  # percentiles
Z = 1.959964  # of a normal distribution, for 95 %
Floats = NDArray[np.float64]


class Rating(msgspec.Struct, frozen=True):
    """An agent's rating. An open end of an interval is None."""

    agent: str
    elo: float
    elo_low: float | None
    elo_high: float | None
    games: int
    share: float
    share_low: float
    share_high: float


class Pair(msgspec.Struct, frozen=True):
    """One agent against another. ``share``: of the points between the two; ``margin``: the mean difference of their scores.

    ``wins`` to ``losses`` count pairs of seats: an agent with two seats in a game has two of them. Margins exclude forfeited games, which
    ended early; None if there are no other games.
    """

    agent: str
    opponent: str
    games: int
    wins: int
    draws: int
    losses: int
    share: float
    share_low: float
    share_high: float
    margin: float | None
    margin_low: float | None
    margin_high: float | None


class Tally:
    """Sums of the results per set-up: arrays of shape (set-ups, agents, agents), row agent against column agent."""

    def __init__(self, results: Sequence[Result], names: Sequence[str]) -> None:
        """Count every pair of seats of different agents."""
        self.names = list(names)
        setups = sorted({result.setup for result in results})
        place = {setup: i for i, setup in enumerate(setups)}
        shape = (len(setups), len(names), len(names))
        self.wins, self.duels, self.games, self.margins, self.whole = (np.zeros(shape) for _ in range(5))
        self.outcomes = np.zeros((len(names), len(names), 3), np.int64)  # losses, draws, wins
        self.played = np.zeros(len(names), np.int64)  # games of each agent
        for result in sorted(results, key=by_id):
            self.played[list(set(result.numbers))] += 1
            met = set()
            for seat, other in pairs_of_seats(result):
                a, b, i = result.numbers[seat], result.numbers[other], place[result.setup]
                won = duel(result, seat, other)
                self.wins[i, a, b] += won
                self.duels[i, a, b] += 1
                if result.forfeit is None:
                    self.margins[i, a, b] += result.scores[seat] - result.scores[other]
                    self.whole[i, a, b] += 1
                self.outcomes[a, b, int(2 * won)] += 1
                met.add((a, b))
            for a, b in met:
                self.games[place[result.setup], a, b] += 1

    @property
    def n_setups(self) -> int:
        """The number of set-ups played."""
        return len(self.wins)

    def draws(self, n_resamples: int) -> Floats:
        """How often each set-up occurs in each resample, (resamples, set-ups)."""
        return drawn_again(self.n_setups, n_resamples)


def drawn_again(n_setups: int, n_resamples: int = N_RESAMPLES) -> Floats:
    """How often each of ``n_setups`` set-ups occurs in each resample, (resamples, set-ups)."""
    rng = np.random.default_rng(SEED)
    return rng.multinomial(n_setups, np.full(n_setups, 1 / n_setups), n_resamples).astype(float)


def groups(played: NDArray[np.bool_]) -> list[list[int]]:
    """Groups of agents that met, directly or through others. A finished tournament has one group; an unfinished one may have several."""
    found: list[list[int]] = []
    left = set(range(len(played)))
    while left:
        group, new = set(), {min(left)}
        while new:
            group |= new
            new = {int(other) for agent in new for other in np.flatnonzero(played[agent])} - group
        found.append(sorted(group))
        left -= group
    return found


def fit(wins: Floats, start: Floats | None = None) -> Floats:
    """Elo from the points of row against column, with mean 0 in each group of agents that met, directly or through others."""
    from choix import ilsr_pairwise_dense

    played = wins + wins.T > 0
    elo = np.zeros(len(wins))
    for group in groups(played):
        if len(group) < 2:
            continue
        among = np.ix_(group, group)
        first = None if start is None else start[group] / ELO
        counted = wins[among] + played[among] * (PRIOR_DRAWS / 2)
        strengths = ilsr_pairwise_dense(counted, initial_params=first, max_iter=10_000, tol=1e-6)
        elo[group] = (strengths - strengths.mean()) * ELO
    return elo


def _share(won: Floats, played: Floats) -> Floats:
    """Points per game; 0.5 without games."""
    return np.divide(won, played, out=np.full_like(won, 0.5), where=played > 0)


def wilson(share: float, n: int) -> tuple[float, float]:
    """The Wilson interval of a share of ``n`` trials."""
    centre, width = share + Z * Z / (2 * n), Z * math.sqrt(share * (1 - share) / n + Z * Z / (4 * n * n))
    scale = 1 + Z * Z / n
    return max(0.0, (centre - width) / scale), min(1.0, (centre + width) / scale)


def _widening(n_setups: int) -> float:
    """The factor by which bootstrap intervals are too narrow: the variance lacks n / (n - 1), the tails are not Student's."""
    from scipy.special import stdtrit

    return float(stdtrit(n_setups - 1, TAILS[1] / 100)) / Z * math.sqrt(n_setups / (n_setups - 1))


def _interval(resampled: Floats, estimate: float, n_setups: int) -> tuple[float | None, float | None]:
    """The 95 % interval of an estimate; open on both ends with a single set-up."""
    if n_setups < 2:
        return None, None
    low, high = np.percentile(resampled, TAILS)
    factor = _widening(n_setups)
    return float(estimate + factor * (low - estimate)), float(estimate + factor * (high - estimate))


def share_interval(draws: Floats, won: Floats, played: Floats) -> tuple[float, float]:
    """The 95 % interval of the share of points, from points and games per set-up. If all set-ups have the same share, the Wilson interval."""
    seen = played > 0
    shares = won[seen] / played[seen]
    if np.ptp(shares) == 0:
        return wilson(float(shares[0]), int(seen.sum()))
    low, high = _interval(_share(draws @ won, draws @ played), float(won.sum() / played.sum()), len(won))
    return max(0.0, low or 0.0), min(1.0, 1.0 if high is None else high)


def difference_interval(draws: Floats, differences: Floats) -> tuple[float, float]:
    """The 95 % interval of the mean of paired differences, one per set-up; two set-ups or more are needed."""
    low, high = _interval(draws @ differences / len(differences), float(differences.mean()), len(differences))
    assert low is not None
    assert high is not None
    return low, high


def ladder(tally: Tally, n_resamples: int = N_RESAMPLES) -> list[Rating]:
    """The ratings of all agents that have played, strongest first, ties by name."""
    total = tally.wins.sum(axis=0)
    elo, met = fit(total), groups(total + total.T > 0)
    draws = tally.draws(n_resamples)
    resampled = _resampled(tally, draws, elo, met)
    ratings = []
    for i, name in enumerate(tally.names):
        if not tally.played[i]:
            continue
        won, played = tally.wins[:, i].sum(axis=1), tally.duels[:, i].sum(axis=1)
        share = float(won.sum() / played.sum()) if played.any() else 0.5
        interval = share_interval(draws, won, played) if played.any() else (0.0, 1.0)
        is_known = 2 * len(resampled) > n_resamples
        low, high = _interval(resampled[:, i], float(elo[i]), tally.n_setups) if is_known else (None, None)
        rating = Rating(name, float(elo[i]), low, high, int(tally.played[i]), share, *interval)
        is_mute = is_known and (share in (0, 1) or np.ptp(resampled[:, i]) < 1e-3)
        size = next(len(group) for group in met if i in group)
        ratings.append(_from_share(rating, played.sum(), size) if is_mute and tally.n_setups > 1 else rating)
    return sorted(ratings, key=lambda rating: (-rating.elo, rating.agent))


def _resampled(tally: Tally, draws: Floats, elo: Floats, met: list[list[int]]) -> Floats:
    """Elo in each resample, (resamples, agents), without resamples in which fewer agents met than in all games."""
    found = []
    for drawn in draws:
        wins = np.tensordot(drawn, tally.wins, 1)
        if groups(wins + wins.T > 0) == met:
            found.append(fit(wins, elo))
    return np.array(found).reshape(len(found), len(elo))


def _from_share(rating: Rating, n_duels: float, n_agents: int) -> Rating:
    """The rating with an interval from that of its share, for an agent whose set-ups all ended alike. One end is open if it won or lost every game."""
    believed = (rating.share * n_duels + PRIOR_DRAWS / 2) / (
        n_duels + PRIOR_DRAWS
    )  # the share that corresponds to its Elo
    # A change relative to the others is a slightly smaller change relative to the mean, which includes the agent.
    scale = ELO * (n_agents - 1) / n_agents
    low = None if rating.share == 0 else rating.elo - scale * (_logit(believed) - _logit(rating.share_low))
    high = None if rating.share == 1 else rating.elo + scale * (_logit(rating.share_high) - _logit(believed))
    return msgspec.structs.replace(rating, elo_low=low, elo_high=high)


def _logit(share: float) -> float:
    return math.log(share / (1 - share))


def pairs(tally: Tally, n_resamples: int = N_RESAMPLES) -> list[Pair]:
    """All ordered pairs of agents that met."""
    draws = tally.draws(n_resamples)
    found = []
    for a, agent in enumerate(tally.names):
        for b, opponent in enumerate(tally.names):
            won, played = tally.wins[:, a, b], tally.duels[:, a, b]
            if played.any():
                losses, drawn, wins = (int(count) for count in tally.outcomes[a, b])
                share = float(won.sum() / played.sum()), *share_interval(draws, won, played)
                margin = _margin(draws, tally.margins[:, a, b], tally.whole[:, a, b])
                games = int(tally.games[:, a, b].sum())
                found.append(Pair(agent, opponent, games, wins, drawn, losses, *share, *margin))
    return found


def _margin(draws: Floats, margins: Floats, whole: Floats) -> tuple[float | None, float | None, float | None]:
    """Mean and interval, from sums of margins and numbers of comparisons per set-up."""
    seen = whole > 0
    if not seen.any():
        return None, None, None
    mean = float(margins.sum() / whole.sum())
    n_drawn = draws @ whole
    resampled = (draws @ margins)[n_drawn > 0] / n_drawn[n_drawn > 0]
    return mean, *_interval(resampled, mean, int(seen.sum()))
