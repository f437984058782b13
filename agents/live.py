"""Folders of tournaments as a page shows them while they are played: ladder, cross table, games."""

from __future__ import annotations

import os
import re
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from agents import charts
from agents.results import RECORDS, RESULTS, Result, StoreError, read_results, read_tournament
from agents.schedule import n_games
from agents.summary import Rung, Summary, elo_text, number, percent, percent_range, summarise, unfinished
from agents.tournament import outcome_of
from winterkingdom_env.games import get_game

MOST_GAMES = 500  # of the newest games on the page
GAME = re.compile(r"[\w.-]+")
NOT_IN_A_NAME = re.compile(r"[^\w.]+")  # a hyphen divides name and game in an address


class Folders:
    """Tournaments by name: the name of the folder, with a number if two have the same."""

    def __init__(self, folders: Sequence[Path]) -> None:
        """Read what does not change. Raises StoreError, a ValueError, for a folder without a tournament."""
        self._folders: dict[str, Path] = {}
        self._known: dict[str, tuple[int, dict[str, Any]]] = {}
        for folder in folders:
            try:
                read_tournament(folder)
            except StoreError as error:
                raise ValueError(f"{folder}: {error}") from None
            stem = NOT_IN_A_NAME.sub("_", folder.resolve().name).strip("_") or "tournament"
            name, i = stem, 2
            while name in self._folders:
                name, i = f"{stem}_{i}", i + 1
            self._folders[name] = folder

    def _folder(self, name: str) -> Path:
        if name not in self._folders:
            raise LookupError(name)
        return self._folders[name]

    def listed(self) -> list[dict[str, Any]]:
        """Name, title, agents, games played and planned of each tournament."""
        rows = []
        for name, folder in self._folders.items():
            tournament = read_tournament(folder)
            results = folder / RESULTS
            played = results.read_bytes().count(b"\n") if results.exists() else 0
            title = get_game(tournament.settings.game).TITLE
            planned = n_games(tournament.settings)
            rows.append(
                {"name": name, "title": title, "agents": list(tournament.names), "played": played, "planned": planned}
            )
        return rows

    def shown(self, name: str) -> dict[str, Any]:
        """Ladder, cross table and games as they stand. LookupError if there is no such tournament."""
        folder = self._folder(name)
        size = os.path.getsize(folder / RESULTS) if (folder / RESULTS).exists() else 0
        known = self._known.get(name)
        if known is None or known[0] != size:
            known = self._known[name] = size, _content(name, folder)
        return known[1]

    def record_of(self, name: str, game: str) -> Path:
        """The record of a game. LookupError if there is none."""
        path = self._folder(name) / RECORDS / f"{game}.jsonl.gz"
        if not GAME.fullmatch(game) or not path.is_file():
            raise LookupError(game)
        return path


def _content(name: str, folder: Path) -> dict[str, Any]:
    tournament = read_tournament(folder)
    settings, results = tournament.settings, read_results(folder) if (folder / RESULTS).exists() else []
    outcome = outcome_of(settings, results)
    planned = n_games(settings)
    shown: dict[str, Any] = {
        "name": name, "game": settings.game, "title": get_game(settings.game).TITLE, "command": tournament.command,
        "players": settings.players, "played": len(results), "planned": planned,
        "is_over": len(results) >= planned or (outcome.verdict is not None and outcome.verdict.is_decided),
        "note": "", "ladder": [], "order": [], "cross": [], "n_games": len(results),
        "games": [_game(result) for result in reversed(results[-MOST_GAMES:])],
    }  # fmt: skip
    if outcome.results:
        summary = summarise(tournament, outcome.results, planned, outcome.verdict)
        order = [rung.rating.agent for rung in summary.ladder]
        notes = [str(words) for words in (unfinished(summary), summary.sprt) if words is not None]
        shown |= {
            "note": " ".join(notes), "order": order, "ladder": [_rung(rung) for rung in summary.ladder], "cross": _cross(summary, order),
        }  # fmt: skip
    return shown


def _rung(rung: Rung) -> dict[str, Any]:
    rating = rung.rating
    elo, interval = elo_text(rating)
    return {
        "rank": rung.rank, "agent": rating.agent, "elo": elo, "elo_interval": interval, "games": rating.games,
        "share": percent(rating.share), "share_interval": percent_range(rating.share_low, rating.share_high),
        "low": rating.share_low, "middle": rating.share, "high": rating.share_high,
        "score": number(rung.mean_score), "ms": f"{rung.ms_per_move:.3g}", "forfeits": rung.forfeits,
    }  # fmt: skip


def _cross(summary: Summary, order: Sequence[str]) -> list[list[dict[str, str] | None]]:
    found = {(pair.agent, pair.opponent): pair for pair in summary.pairs}
    rows: list[list[dict[str, str] | None]] = []
    for agent in order:
        met = [found.get((agent, other)) for other in order]
        rows.append([
            None if pair is None else {
                "share": percent(pair.share), "interval": percent_range(pair.share_low, pair.share_high), "colour": charts.shade(pair.share),
            }
            for pair in met
        ])  # fmt: skip
    return rows


def _game(result: Result) -> dict[str, Any]:
    lost = result.forfeit
    return {
        "id": result.id, "seats": result.seats, "scores": result.scores, "ranks": result.ranks, "rounds": result.rounds,
        "forfeit": None if lost is None else f"{lost.agent} forfeited: {lost.reason}",
    }  # fmt: skip
