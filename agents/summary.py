"""The summary of a tournament, and its tables for the terminal. The report and ``--json`` use the same numbers."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Callable, Sequence
from statistics import fmean
from typing import Any, NamedTuple

import msgspec

from agents import ratings
from agents.results import Result, Tournament, by_id
from agents.sprt import Verdict
from agents.wide_table import Column, WideTable


class Rung(msgspec.Struct, frozen=True):
    """A row of the ladder: rating, mean score, times, forfeits.

    ``mean_score``: without forfeited games; ``restarts``: games restarted because a signal ended the agent's process.
    """

    rank: int
    rating: ratings.Rating
    mean_score: float | None
    ms_per_move: float
    slowest_ms: float
    forfeits: int
    restarts: int


class Mean(msgspec.Struct, frozen=True):
    """An agent's mean score in the games with a card, or on a seat. ``points``: mean points of the card itself."""

    group: str
    value: str
    agent: str
    games: int
    mean_score: float
    points: float | None = None


class Summary(msgspec.Struct, frozen=True, kw_only=True):
    """All numbers of a tournament's tables and reports."""

    tournament: Tournament
    games: int
    planned: int
    ladder: list[Rung]
    pairs: list[ratings.Pair]
    means: list[Mean]
    rounds: dict[int, int]
    forfeits: list[dict[str, Any]]
    restarts: int
    sprt: Verdict | None


def summarise(tournament: Tournament, results: Sequence[Result], planned: int, verdict: Verdict | None) -> Summary:
    """The summary of ``results``, whose order does not matter."""
    results = sorted(results, key=by_id)
    tally = ratings.Tally(results, tournament.names)
    return Summary(
        tournament=tournament,
        games=len(results),
        planned=planned,
        ladder=_ladder(tally, results),
        pairs=ratings.pairs(tally) if results else [],
        means=means(results),
        rounds=dict(sorted(Counter(result.rounds for result in results if result.forfeit is None).items())),
        forfeits=[
            {"game": result.id, **msgspec.to_builtins(result.forfeit)}
            for result in results
            if result.forfeit is not None
        ],
        restarts=sum(result.restarts for result in results),
        sprt=verdict,
    )


def _ladder(tally: ratings.Tally, results: Sequence[Result]) -> list[Rung]:
    rungs = []
    for rank, rating in enumerate(ratings.ladder(tally) if results else [], 1):
        seats = [(r, seat) for r in results for seat, name in enumerate(r.seats) if name == rating.agent]
        n_moves = sum(r.n_moves[seat] for r, seat in seats)
        rungs.append(
            Rung(
                rank=rank,
                rating=rating,
                mean_score=_mean([r.scores[seat] for r, seat in seats if r.forfeit is None]),
                ms_per_move=1000 * sum(r.seconds[seat] for r, seat in seats) / max(1, n_moves),
                slowest_ms=1000 * max((r.slowest[seat] for r, seat in seats), default=0.0),
                forfeits=sum(r.forfeit is not None and r.forfeit.seat == seat for r, seat in seats),
                restarts=sum(seat in r.killed for r, seat in seats),
            )
        )
    return rungs


def _mean(values: Sequence[float | None]) -> float | None:
    """The mean of the values that are not None; None if there are none."""
    known = [value for value in values if value is not None]
    return fmean(known) if known else None


def means(results: Sequence[Result]) -> list[Mean]:
    """Mean scores of every agent by the facts of a game and by seat. Excludes forfeited games, which ended early."""
    found: dict[tuple[str, str, str], list[tuple[int, int | None]]] = defaultdict(list)
    for result in results:
        if result.forfeit is not None:
            continue
        for seat, agent in enumerate(result.seats):
            for kind, value in result.cards.items():
                for name in value if isinstance(value, list) else [value or "none"]:
                    found[kind, name, agent].append((result.scores[seat], result.score_sheet[seat].get(name)))
            found["seat", str(seat), agent].append((result.scores[seat], None))
    return [
        Mean(group, value, agent, len(seen), fmean(score for score, _ in seen), _mean([p for _, p in seen]))
        for (group, value, agent), seen in sorted(found.items())
    ]


# --- for the terminal ------------------------------------------------------------------------------------------------


def elo_text(rating: ratings.Rating) -> tuple[str, str]:
    """Elo and its interval as text; an open end is infinite."""
    return f"{rating.elo:+.0f}", range_text(rating.elo_low, rating.elo_high, 0)


def range_text(low: float | None, high: float | None, digits: int = 1) -> str:
    """An interval of signed numbers as text; an open end is infinite."""
    ends = "-∞" if low is None else f"{low:+.{digits}f}", "+∞" if high is None else f"{high:+.{digits}f}"
    return "…".join(ends)


def number(value: float | None, sign: str = "") -> str:
    """A number with one decimal; a dash if it is None."""
    return "–" if value is None else f"{value:{sign}.1f}"


def percent(share: float) -> str:
    """A share as a percentage with one decimal."""
    return f"{100 * share:.1f} %"


def percent_range(low: float, high: float) -> str:
    """An interval of a share, in percent."""
    return f"{100 * low:.1f}…{100 * high:.1f} %"


def ladder_table(summary: Summary) -> WideTable:
    """The ladder, with intervals below their values."""
    rungs = summary.ladder
    ratings_of = [rung.rating for rung in rungs]
    return WideTable(
        "Ladder, with 95 % intervals",
        Column("agent", [rating.agent for rating in ratings_of]),
        (
            Column("Elo", ["\n".join(elo_text(rating)) for rating in ratings_of]),
            Column("games", [str(rating.games) for rating in ratings_of]),
            Column("share", [_share_cell(rating) for rating in ratings_of]),
            Column("score", [number(rung.mean_score) for rung in rungs]),
            Column("ms/move", [f"{rung.ms_per_move:.2f}" for rung in rungs]),
            Column("forfeits", [str(rung.forfeits) for rung in rungs]),
        ),
        Column("rank", [str(rung.rank) for rung in rungs]),
    )


def cross_table(summary: Summary) -> WideTable:
    """Shares of points, row against column, with intervals below."""
    order = [rung.rating.agent for rung in summary.ladder]
    found = {(pair.agent, pair.opponent): pair for pair in summary.pairs}
    columns = [Column(other, [_share_cell(found.get((name, other))) for name in order]) for other in order]
    return WideTable("Share of points, row against column", Column("", order), columns)


def _share_cell(shared: ratings.Pair | ratings.Rating | None) -> str:
    return "" if shared is None else f"{percent(shared.share)}\n{percent_range(shared.share_low, shared.share_high)}"


def headline(pair: ratings.Pair) -> str:
    """The result between two agents in one sentence."""
    return (
        f"{pair.agent} against {pair.opponent}: {percent(pair.share)} of the points "
        f"({percent_range(pair.share_low, pair.share_high)}), {pair.wins} won, {pair.draws} drawn, {pair.losses} lost, "
        f"margin {number(pair.margin, '+')} ({range_text(pair.margin_low, pair.margin_high)})"
    )


def forfeits_by_kind(summary: Summary) -> dict[tuple[str, str], list[dict[str, Any]]]:
    """Forfeits by agent and kind."""
    groups: dict[tuple[str, str], list[dict[str, Any]]] = defaultdict(list)
    for lost in summary.forfeits:
        groups[lost["agent"], lost["kind"]].append(lost)
    return dict(groups)


class Traceback(NamedTuple):
    """A traceback of an agent, and the games in which it occurred."""

    agent: str
    text: str
    games: list[str]


def tracebacks(summary: Summary) -> list[Traceback]:
    """The different tracebacks, with their games."""
    found: dict[tuple[str, str], list[str]] = defaultdict(list)
    for lost in summary.forfeits:
        if lost["traceback"] is not None:
            found[lost["agent"], lost["traceback"]].append(lost["game"])
    return [Traceback(agent, text, games) for (agent, text), games in found.items()]


def restarted(summary: Summary) -> str | None:
    """One sentence about restarted games, by agent; None if there are none."""
    if not summary.restarts:
        return None
    by_agent = [f"{rung.rating.agent} {rung.restarts}" for rung in summary.ladder if rung.restarts]
    whose = f" ({', '.join(by_agent)})" if by_agent else ""
    n = summary.restarts
    told = "1 game was" if n == 1 else f"{n} games were"
    return f"{told} restarted because a signal ended an agent's process{whose}"


def unfinished(summary: Summary) -> str | None:
    """One sentence about an unfinished tournament; None if it is finished."""
    if summary.games >= summary.planned or (summary.sprt is not None and summary.sprt.is_decided):
        return None
    ranked = {rung.rating.agent for rung in summary.ladder}
    waiting = [name for name in summary.tournament.names if name not in ranked]
    rest = f"; not played yet: {', '.join(waiting)}" if waiting else ""
    return f"unfinished: {summary.games} of {summary.planned} games, the ladder will change{rest}"


def show(summary: Summary, put: Callable[[Any], None], say: Callable[[str], None]) -> None:
    """Print the tables with ``put`` and lines of text with ``say``."""
    if (words := unfinished(summary)) is not None:
        say(words)
    put(ladder_table(summary))
    if len(summary.ladder) > 2:
        put(cross_table(summary))
    else:
        for pair in summary.pairs:
            if summary.ladder and pair.agent == summary.ladder[0].rating.agent:
                say(headline(pair))
    for (agent, kind), lost in forfeits_by_kind(summary).items():
        trace = "; its traceback is in results.jsonl and in report.html" if lost[0]["traceback"] is not None else ""
        n = f"{len(lost)} game{'s' * (len(lost) > 1)}"
        say(f"{agent} forfeited {n} ({kind}), the first {lost[0]['game']}: {lost[0]['reason']}{trace}")
    if (words := restarted(summary)) is not None:
        say(words)
    if summary.sprt is not None:
        say(str(summary.sprt))
