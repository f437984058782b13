"""The report of a tournament: an HTML page, the same numbers as JSON and CSV, pictures of final boards, and a page for every game."""

from __future__ import annotations

import csv
import io
from collections.abc import Container, Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

import msgspec
from rich.console import Console

from agents.game_pages import Pages, with_page, written_pages
from agents.report_page import page
from agents.results import RECORDS, Result, read_results
from agents.summary import Summary
from agents.tournament import outcome_of
from winterkingdom_env.core.files import write_together
from winterkingdom_env.records import replay
from winterkingdom_env.render import Look, picture_of, svg

N_BOARDS = 3  # of the closest games, and of the most lopsided ones
BOARDS = "boards"
FORMULA = ("=", "+", "-", "@")  # first characters of spreadsheet formulas


def write_report(
    summary: Summary,
    folder: Path,
    target: Path,
    pages: Pages = Pages.LISTED,
    processes: int = 1,
    console: Console | None = None,
) -> Path:
    """Write the report of the tournament in ``folder`` to ``target`` and return the page's path. Replaces an older report.

    ``pages``: which games get a page of their own; ``processes`` make them, with their progress on ``console``.
    """
    settings = summary.tournament.settings
    results = outcome_of(settings, read_results(folder)).results
    boards, pictures = _draw_boards(results, folder)
    path, shown = target / "report.html", with_page(results, pages)
    with written_pages(shown, folder, target, settings.game, processes, console):
        write_together({
            target / "report.json": msgspec.json.format(msgspec.json.encode(summary), indent=2) + b"\n",
            target / "ladder.csv": csv_text(ladder_rows(summary)),
            target / "pairs.csv": csv_text([msgspec.to_builtins(pair) for pair in summary.pairs]),
            target / "games.csv": csv_text([row for result in results for row in game_rows(result)]),
            **{target / name: picture for name, picture in pictures.items()},
            path: page(summary, boards, results, {result.id for result in shown}),
        })  # fmt: skip
    for old in (target / BOARDS).glob("*.svg"):
        if f"{BOARDS}/{old.name}" not in pictures:
            old.unlink()
    return path


def ladder_rows(summary: Summary) -> list[dict[str, Any]]:
    """The ratings as flat rows."""
    rows = []
    for rung in summary.ladder:
        row = msgspec.to_builtins(rung)
        rating = row.pop("rating")
        rows.append({"rank": row.pop("rank"), **rating, **row})
    return rows


def game_rows(result: Result) -> Iterator[dict[str, Any]]:
    """A row per seat of a game: agent and result of the seat, and the facts of the game (docs/arena.md)."""
    n_winners, lost = result.ranks.count(1), result.forfeit
    for seat, agent in enumerate(result.seats):
        is_lost = lost is not None and lost.seat == seat
        row = {
            "game": result.id, "setup": result.setup, "lineup": result.lineup, "rotation": result.rotation,
            "seat": seat, "agent": agent, "score": result.scores[seat], "rank": result.ranks[seat],
            "win_share": 1 / n_winners if result.ranks[seat] == 1 else 0.0, "points": result.points[seat],
            "moves": result.n_moves[seat], "seconds": result.seconds[seat], "slowest": result.slowest[seat],
            "restarted": int(seat in result.killed), "forfeit": lost.kind if lost is not None and is_lost else None,
            "forfeit_reason": lost.reason if lost is not None and is_lost else None,
            "is_finished": int(lost is None), "rounds": result.rounds,
        }  # fmt: skip
        yield {**row, **_facts(result.cards, row)}


def _facts(cards: Mapping[str, Any], taken: Container[str]) -> dict[str, Any]:
    """The game's facts as columns; fact_<name> if the name is taken."""
    return {
        f"fact_{name}" if name in taken else name: " | ".join(value) if isinstance(value, list) else value
        for name, value in cards.items()
    }


def csv_text(rows: Iterable[Mapping[str, Any]], columns: Sequence[str] = ()) -> str:
    """Rows as CSV. ``columns`` default to those of the first row."""
    found, file = list(rows), io.StringIO(newline="")
    writer = csv.DictWriter(file, fieldnames=columns or (list(found[0]) if found else []))
    writer.writeheader()
    writer.writerows({key: _cell(value) for key, value in row.items()} for row in found)
    return file.getvalue()


def _cell(value: Any) -> Any:
    """A value that a spreadsheet does not take for a formula: text that looks like one gets a leading apostrophe."""
    if not isinstance(value, str) or not value.startswith(FORMULA):
        return value
    try:
        float(value)
    except ValueError:
        return f"'{value}"
    return value


def _margin(result: Result) -> int:
    """The winner's lead over the second."""
    first, second, *_ = sorted(result.scores, reverse=True)
    return first - second


def _draw_boards(results: Sequence[Result], folder: Path) -> tuple[list[tuple[str, str, str]], dict[str, str]]:
    """Draw the final boards of the closest and the most lopsided games: heading, file and caption of each, and the contents of the files."""
    whole = sorted(
        (result for result in results if result.forfeit is None), key=lambda result: (_margin(result), result.id)
    )
    lopsided = [result for result in reversed(whole) if result not in whole[:N_BOARDS]][:N_BOARDS]
    boards, pictures = [], {}
    for heading, chosen in (("closest", whole[:N_BOARDS]), ("most lopsided", lopsided)):
        for result in chosen:
            game = replay(folder / RECORDS / f"{result.id}.jsonl.gz").game
            file = f"{BOARDS}/{result.id}.svg"
            pictures[file] = svg.render(picture_of(game, Look(sheet=game.score_sheet())))
            words = ", ".join(f"{agent} {score}" for agent, score in zip(result.seats, result.scores, strict=True))
            boards.append((heading, file, f"game {result.id}: {words}"))
    return boards, pictures
