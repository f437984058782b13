"""The report of a tournament: a page for people, the same numbers as JSON and CSV, and pictures of final boards."""

from __future__ import annotations

import csv
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any

import msgspec

from agents.report_page import page
from agents.results import RECORDS, Result, read_results
from agents.summary import Summary

N_BOARDS = 3  # closest games, and as many of the most lopsided ones
BOARDS = "boards"
FORMULA = ("=", "+", "-", "@")  # how one begins


def write_report(summary: Summary, folder: Path, target: Path) -> Path:
    """Write the report on the tournament in ``folder`` into ``target``; the page's path. An older report there is replaced."""
    results = _counted(summary, read_results(folder))
    (target / BOARDS).mkdir(parents=True, exist_ok=True)
    for old in (target / BOARDS).glob("*.svg"):
        old.unlink()
    boards = _draw_boards(results, folder, target)
    (target / "report.json").write_bytes(msgspec.json.format(msgspec.json.encode(summary), indent=2) + b"\n")
    _write_csv(target / "ladder.csv", ladder_rows(summary))
    _write_csv(target / "pairs.csv", [msgspec.to_builtins(pair) for pair in summary.pairs])
    _write_csv(target / "games.csv", [_game_row(result) for result in results])
    path = target / "report.html"
    path.write_text(page(summary, boards), encoding="utf-8")
    return path


def _counted(summary: Summary, results: Sequence[Result]) -> list[Result]:
    """The games that the summary is about: after a decision of the sequential test, later set-ups do not count."""
    verdict = summary.sprt
    if verdict is None or not verdict.is_decided:
        return list(results)
    return [result for result in results if result.setup < verdict.n_setups]


def ladder_rows(summary: Summary) -> list[dict[str, Any]]:
    """The ladder, flat."""
    rows = []
    for rung in summary.ladder:
        row = msgspec.to_builtins(rung)
        rating = row.pop("rating")
        rows.append({"rank": row.pop("rank"), **rating, **row})
    return rows


def _game_row(result: Result) -> dict[str, Any]:
    """A game in one line: a column per seat for each thing that seats have."""
    row: dict[str, Any] = {"id": result.id, "setup": result.setup, "lineup": result.lineup, "rotation": result.rotation}
    for seat, agent in enumerate(result.seats):
        row |= {
            f"seat{seat}": agent, f"score{seat}": result.scores[seat], f"rank{seat}": result.ranks[seat],
            f"points{seat}": result.points[seat], f"moves{seat}": result.n_moves[seat], f"seconds{seat}": result.seconds[seat],
        }  # fmt: skip
    cards = {name: " | ".join(value) if isinstance(value, list) else value for name, value in result.cards.items()}
    lost = result.forfeit
    forfeit = {
        "forfeit_seat": lost and lost.seat,
        "forfeit_kind": lost and lost.kind,
        "forfeit_reason": lost and lost.reason,
    }
    return {**row, "rounds": result.rounds, **cards, **forfeit}


def _write_csv(path: Path, rows: Iterable[Mapping[str, Any]]) -> None:
    found = list(rows)
    with open(path, "w", encoding="utf-8", newline="") as file:
        writer = csv.DictWriter(file, fieldnames=list(found[0]) if found else [])
        writer.writeheader()
        writer.writerows({key: _cell(value) for key, value in row.items()} for row in found)


def _cell(value: Any) -> Any:
    """A value that a spreadsheet takes for what it is: a text is no formula."""
    return f"'{value}" if isinstance(value, str) and value.startswith(FORMULA) else value


def _margin(result: Result) -> int:
    """How far the winner was ahead of the second."""
    first, second, *_ = sorted(result.scores, reverse=True)
    return first - second


def _draw_boards(results: Sequence[Result], folder: Path, target: Path) -> list[tuple[str, str, str]]:
    """Draw the final boards of the closest and the most lopsided games; heading, file and words for each."""
    from winterkingdom_env.records import replay
    from winterkingdom_env.render import svg

    whole = sorted(
        (result for result in results if result.forfeit is None), key=lambda result: (_margin(result), result.id)
    )
    lopsided = [result for result in reversed(whole) if result not in whole[:N_BOARDS]][:N_BOARDS]
    boards = []
    for heading, chosen in (("closest", whole[:N_BOARDS]), ("most lopsided", lopsided)):
        for result in chosen:
            game = replay(folder / RECORDS / f"{result.id}.jsonl.gz").game
            file = f"{BOARDS}/{result.id}.svg"
            (target / file).write_text(svg.render(game.snapshot(), sheet=game.score_sheet()), encoding="utf-8")
            words = ", ".join(f"{agent} {score}" for agent, score in zip(result.seats, result.scores, strict=True))
            boards.append((heading, file, f"game {result.id}: {words}"))
    return boards
