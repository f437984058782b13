"""The content of the report page, for the template templates/arena.html."""

from __future__ import annotations

from collections.abc import Container, Iterator, Sequence
from typing import Any

from agents import charts, pages
from agents.game_pages import MOST_LISTED as MOST_GAMES
from agents.game_pages import address_of_page
from agents.results import Result
from agents.summary import (
    Mean,
    Rung,
    Summary,
    elo_text,
    forfeits_by_kind,
    number,
    percent,
    percent_range,
    range_text,
    restarted,
    tracebacks,
    unfinished,
)
from winterkingdom_env.games import get_game

MOST_LISTED = 40  # forfeits, and tracebacks, on the page
SEATS = {"seat": "Seats"}  # a group after the game's FACTS
NONE = "–"


def page(
    summary: Summary, boards: Sequence[tuple[str, str, str]], results: Sequence[Result], shown: Container[str]
) -> str:
    """The page as HTML. ``boards``: heading, file and caption of each picture of a final board. ``shown``: ids of games that have a page."""
    tournament = summary.tournament
    order = [rung.rating.agent for rung in summary.ladder]
    again = f" --seed {tournament.settings.seed}" if "--seed" not in tournament.command else ""
    return pages.render("arena.html", {
        "title": f"Arena: {' – '.join(tournament.names)}", "tournament": tournament, "settings": tournament.settings,
        "command": tournament.command + again, "games": summary.games, "planned": summary.planned,
        "notices": [str(words) for words in (unfinished(summary), summary.sprt) if words is not None],
        "order": order, "ladder": [_rung(rung) for rung in summary.ladder], "ladder_chart": _ladder_chart(summary),
        "cross": list(_cross(summary, order)), "pairs": _pairs(summary), "means": list(_means(summary, order)),
        "lengths_chart": _lengths_chart(summary), "times_chart": _times_chart(summary), "most_listed": MOST_LISTED,
        "forfeits": [(f["game"], f["agent"], f["seat"], f["kind"], f["reason"]) for f in summary.forfeits],
        "forfeit_kinds": _forfeit_kinds(summary), "tracebacks": tracebacks(summary), "restarts": restarted(summary),
        "boards": boards, "results": [_game(result, shown) for result in results[:MOST_GAMES]], "most_games": MOST_GAMES,
    })  # fmt: skip


def _game(result: Result, shown: Container[str]) -> dict[str, Any]:
    """A row of the list of games."""
    winners = [f"{agent} (seat {seat})" for seat, agent in enumerate(result.seats) if result.ranks[seat] == 1]
    lost = result.forfeit
    return {
        "id": result.id, "address": address_of_page(result) if result.id in shown else None,
        "cells": (
            ", ".join(result.seats), ", ".join(map(str, result.scores)), ", ".join(winners), result.rounds,
            "" if lost is None else f"{lost.agent} ({lost.kind})",
        ),
    }  # fmt: skip


def _rung(rung: Rung) -> tuple[str, ...]:
    rating = rung.rating
    return (
        str(rung.rank), rating.agent, *elo_text(rating), str(rating.games), percent(rating.share),
        percent_range(rating.share_low, rating.share_high), number(rung.mean_score), str(rung.forfeits),
    )  # fmt: skip


def _ladder_chart(summary: Summary) -> charts.Chart:
    rows = []
    for rating in (rung.rating for rung in summary.ladder):
        elo, interval = elo_text(rating)
        rows.append((rating.agent, rating.elo, rating.elo_low, rating.elo_high, f"{rating.agent}: {elo} ({interval})"))
    return charts.intervals(rows)


def _cross(summary: Summary, order: Sequence[str]) -> Iterator[tuple[str, list[dict[str, str] | None]]]:
    """A row per agent: its name and a cell per opponent, None if the two have not met."""
    found = {(pair.agent, pair.opponent): pair for pair in summary.pairs}
    for name in order:
        met = [found.get((name, other)) for other in order]
        yield name, [
            None if pair is None else {
                "colour": charts.shade(pair.share), "share": percent(pair.share),
                "interval": percent_range(pair.share_low, pair.share_high),
            }
            for pair in met
        ]  # fmt: skip


def _pairs(summary: Summary) -> list[tuple[str, ...]]:
    """Each pair once, from the view of the higher-rated agent."""
    place = {rung.rating.agent: rung.rank for rung in summary.ladder}
    return [
        (
            pair.agent, pair.opponent, str(pair.games), str(pair.wins), str(pair.draws), str(pair.losses),
            number(pair.margin, "+"), range_text(pair.margin_low, pair.margin_high),
        )
        for pair in sorted(summary.pairs, key=lambda pair: (place[pair.agent], place[pair.opponent]))
        if place[pair.agent] < place[pair.opponent]
    ]  # fmt: skip


def _means(summary: Summary, order: Sequence[str]) -> Iterator[tuple[str, tuple[str, ...], list[list[str]]]]:
    """Heading, column heads and rows of each table of mean scores."""
    for group, heading in {**get_game(summary.tournament.settings.game).FACTS, **SEATS}.items():
        entries = [mean for mean in summary.means if mean.group == group]
        if entries:
            yield heading, (group, *order), _mean_rows(entries, order)
        if any(mean.points is not None for mean in entries):
            yield f"{heading}: points of the card itself", (group, *order), _mean_rows(entries, order, True)


def _mean_rows(entries: Sequence[Mean], order: Sequence[str], own_points: bool = False) -> list[list[str]]:
    found = {(mean.value, mean.agent): mean for mean in entries}
    rows = []
    for value in sorted({mean.value for mean in entries}):
        cells = [value]
        for agent in order:
            mean = found.get((value, agent))
            value_of = None if mean is None else mean.points if own_points else mean.mean_score
            cells.append(NONE if mean is None or value_of is None else f"{value_of:.1f} ({mean.games})")
        rows.append(cells)
    return rows


def _lengths_chart(summary: Summary) -> charts.Chart | None:
    return charts.histogram(summary.rounds, "Games by number of rounds", "rounds") if summary.rounds else None


def _times_chart(summary: Summary) -> charts.Chart:
    rows = [
        (rung.rating.agent, rung.ms_per_move, f"{rung.ms_per_move:.3g} ms, slowest {rung.slowest_ms:.3g} ms")
        for rung in summary.ladder
    ]
    return charts.bars(rows, "Mean time per move")


def _forfeit_kinds(summary: Summary) -> list[tuple[Any, ...]]:
    return [
        (agent, kind, len(lost), lost[0]["game"], lost[0]["reason"])
        for (agent, kind), lost in forfeits_by_kind(summary).items()
    ]
