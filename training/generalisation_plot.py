"""The picture of the generalisation benchmark: a dot with its interval for every fold, grouped by factor."""

from __future__ import annotations

import io
from collections.abc import Sequence
from itertools import groupby
from typing import Any

from benchmarks.plot import INK, load
from training.folds import CONTROL, EVERYTHING
from training.generalisation_file import Estimate, Results, Row
from training.plots import BLUE, DPI, FAINT, ORANGE, STYLE, WIDTH
from winterkingdom_env.games import get_game

ROW, HEAD, ENDS = 0.24, 0.34, 1.9  # inches: a fold, a heading, title and axis
APART = 0.26  # of a row: how far the two dots of a fold are apart
TITLES = {EVERYTHING: "everything at once", CONTROL: "nothing: another seed"}


def draw(results: Results) -> bytes:
    """The picture as a PNG file."""
    plt = load()
    with plt.rc_context(STYLE):
        groups = [(factor, list(rows)) for factor, rows in groupby(results.rows, key=lambda row: row.factor)]
        height = ENDS + sum(HEAD * (len(rows) > 1 or bool(rows[0].level)) + ROW * len(rows) for _, rows in groups)
        figure, axes = plt.subplots(figsize=(WIDTH, height), layout="constrained")
        _draw_groups(axes, groups, _titles(results.game))
        _dress(axes, results)
        file = io.BytesIO()
        figure.savefig(file, format="png", dpi=DPI, metadata={"Software": None})
        plt.close(figure)
    return file.getvalue()


def _titles(game_name: str) -> dict[str, str]:
    return {**{factor.name: factor.title for factor in get_game(game_name).factors()}, **TITLES}


def _draw_groups(axes: Any, groups: Sequence[tuple[str, list[Row]]], titles: dict[str, str]) -> None:
    """The folds from top to bottom; a factor of one fold without a level is its own label."""
    place, labels = 0.0, []
    for factor, rows in groups:
        if rows[0].level:
            place += HEAD / ROW
            labels.append((place - 1, titles[factor], True))
        for row in rows:
            labels.append((place, row.level or titles[factor], not row.level))
            _draw_row(axes, row, place)
            place += 1
    axes.set_ylim(place - 0.4, -0.8)
    axes.set_yticks([place for place, _, _ in labels], [words for _, words, _ in labels], color=INK)
    for label, (_, _, is_heading) in zip(axes.get_yticklabels(), labels, strict=True):
        label.set_fontweight("bold" if is_heading else "normal")


def _draw_row(axes: Any, row: Row, place: float) -> None:
    shift = APART / 2 if row.within is not None else 0.0
    _dot(axes, row.gap, place - shift, BLUE, "o")
    if row.within is not None:
        _dot(axes, row.within, place + shift, ORANGE, "s")


def _dot(axes: Any, told: Estimate, place: float, colour: str, marker: str) -> None:
    """An estimate in percentage points."""
    value, low, high = (100 * number for number in (told.value, told.low, told.high))
    axes.errorbar(
        value, place, xerr=[[value - low], [high - value]], fmt=marker, color=colour, markersize=4.5, capsize=2, linewidth=1.1
    )  # fmt: skip


def _dress(axes: Any, results: Results) -> None:
    """The zero line, axis, title and legend."""
    axes.axvline(0, color=INK, linewidth=1, linestyle=":")
    axes.tick_params(axis="y", length=0)
    axes.grid(axis="y", visible=False)
    axes.set_xlabel("loss of win rate, percentage points")
    protocol = results.protocol
    axes.set_title(
        f"{get_game(results.game).TITLE}: what is lost on a level that training never had\n", fontsize=12, pad=10
    )
    about = (
        f"{protocol.setups:,} set-ups per fold, against {protocol.opponent}, {protocol.minutes:g} min of training per agent, "
        f"seed {protocol.seed}, {results.game}_{results.env_version}; 95 % intervals"
    )
    axes.text(0, 1.0, about, transform=axes.transAxes, fontsize=8.5, color=FAINT, va="bottom")
    handles = [axes.plot([], [], "o", color=BLUE, markersize=4.5)[0], axes.plot([], [], "s", color=ORANGE, markersize=4.5)[0]]  # fmt: skip
    words = (
        "trained with the level minus trained without it",
        "without it: set-ups that lack the level minus set-ups with it",
    )
    axes.figure.legend(handles, words, loc="outside lower center", ncols=2, fontsize=8.5)
