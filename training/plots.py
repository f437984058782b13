"""Pictures of a training run: how it learned, how strong it got, how fast it was (matplotlib, into PNG files)."""

from __future__ import annotations

import io
import math
from collections import Counter
from collections.abc import Callable, Sequence
from functools import partial
from itertools import product
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from agents.charts import short, ticks
from benchmarks.plot import INK, count_text, load
from benchmarks.plot import STYLE as BASE_STYLE
from training.run_files import Evaluation, Run
from training.winrates import ALL, HELD_OUT, NONE, SEEN, Row, by_fact, by_players, by_split

FAINT = "#5f6c78"
# Okabe and Ito's colours: told apart by everybody, and in grey by their lightness.
BLUE, ORANGE, GREEN, PURPLE, SKY, RED = "#0072b2", "#e69f00", "#009e73", "#cc79a7", "#56b4e9", "#d55e00"
SPLITS = {SEEN: BLUE, HELD_OUT: ORANGE, ALL: GREEN}
MARKERS = {SEEN: "o", HELD_OUT: "s", ALL: "^"}
WORDS = {SEEN: "seen", HELD_OUT: "held out", ALL: "all"}
OTHER = "share_other"  # a trainer need not have it: winterkingdom train has not
SHARES = {"share_env": ("game", BLUE), "share_inference": ("inference", SKY), "share_learning": ("learning", ORANGE),
          OTHER: ("other", "#b8c1ca")}  # fmt: skip
STYLE = {
    **BASE_STYLE, "xtick.color": FAINT, "ytick.color": FAINT, "axes.titlesize": 10.5, "axes.titlelocation": "left",
    "axes.titleweight": "bold", "legend.frameon": False, "hatch.linewidth": 0.6,
}  # fmt: skip
EXPLAINED = "explained_variance"
POLICY = (("entropy", "Entropy of the policy (nats)", PURPLE), (EXPLAINED, "Explained variance of the value", GREEN))  # fmt: skip
UPDATES = (
    ("policy_loss", "Policy loss", BLUE), ("value_loss", "Value loss", RED), ("approx_kl", "Approximate KL of an update", PURPLE),
    ("clip_fraction", "Clipped share of the updates", ORANGE), ("learning_rate", "Learning rate", GREEN), ("league", "Past selves in the league", FAINT),
)  # fmt: skip
STEADY = ("learning_rate", "league")  # columns without noise
DPI = 120
WIDTH = 9.0  # inches
LONG = 180  # minutes from which on a training is told in hours
Floats = NDArray[np.float64]


class Plot(NamedTuple):
    """A picture: its file, its heading, what it shows in words, the columns it needs, and who draws it."""

    name: str
    heading: str
    words: str
    columns: tuple[str, ...]
    draw: Callable[[Run, Any], Any | None]


def png(plot: Plot, run: Run) -> bytes | None:
    """The picture as a PNG file; None if the run has nothing to show in it."""
    plt = load()
    with plt.rc_context(STYLE):
        figure = plot.draw(run, plt)
        if figure is None:
            return None
        figure.get_layout_engine().set(w_pad=0.09, h_pad=0.09)
        file = io.BytesIO()
        figure.savefig(file, format="png", dpi=DPI, metadata={"Software": None})
        plt.close(figure)
    return file.getvalue()


# --- axes ------------------------------------------------------------------------------------------------------------


def _column(run: Run, name: str) -> Floats:
    return np.array(run.progress[name], dtype=float)


def _step_axis(ax: Any, run: Run) -> None:
    ax.set_xlim(0, max(run.steps, 1) * 1.02)
    ax.xaxis.set_major_formatter(count_text)
    ax.set_xlabel("steps")


def _clock(ax: Any, run: Run) -> None:
    """Minutes since the beginning, above."""
    minutes = np.concatenate([[0.0], _column(run, "seconds") / 60])
    steps = np.concatenate([[0.0], _column(run, "steps")])
    unit, each = ("hours", 60.0) if minutes[-1] >= LONG else ("minutes", 1.0)
    marks = ticks(0, minutes[-1] / each, 6)
    above = ax.twiny()
    above.set_xlim(ax.get_xlim())
    above.set_xticks(np.interp([mark * each for mark in marks], minutes, steps), [f"{mark:g}" for mark in marks])
    above.set_xlabel(unit, fontsize=9, color=FAINT)
    above.grid(visible=False)
    above.spines["top"].set_visible(True)


def _smooth(values: Floats) -> Floats:
    """Running mean over about a thirtieth of the run, over what is known."""
    half = len(values) // 60
    return np.array(
        [_mean(values[max(0, i - half) : i + half + 1]) for i in range(len(values))]
    )  # short at the ends, never shifted


def _mean(values: Floats) -> float:
    known = values[np.isfinite(values)]
    return float(known.mean()) if len(known) else math.nan


def _line(ax: Any, run: Run, name: str, colour: str, title: str) -> None:
    """A column over the steps: every iteration faint, their running mean strong."""
    steps, values = _column(run, "steps"), _column(run, name)
    if name == EXPLAINED and run.has("games"):
        # Before the first outcome the returns are the value's own predictions, which it explains perfectly.
        values = np.where(_column(run, "games") > 0, values, np.nan)
    if len(values) >= 60 and name not in STEADY:
        ax.plot(steps, values, color=colour, alpha=0.25, linewidth=0.8)
        values = _smooth(values)
    ax.plot(steps, values, color=colour, linewidth=1.8, marker="o" if len(values) < 12 else None, markersize=4)
    ax.set_title(title)
    if name in STEADY:
        ax.yaxis.set_major_formatter(lambda value, _: f"{value:g}")
    _step_axis(ax, run)


def _panels(run: Run, plt: Any, panels: Sequence[tuple[str, str, str]]) -> Any | None:
    """Columns side by side, two in a row: name, title, colour. Those without numbers are left out."""
    shown = [panel for panel in panels if run.has(panel[0])]
    if not shown:
        return None
    figure, axes = _grid(plt, len(shown), min(2, len(shown)), 0.5, 2.7)
    for ax, (name, words, colour) in zip(axes, shown, strict=True):
        _line(ax, run, name, colour, words)
    return figure


def _grid(plt: Any, n: int, n_columns: int, above: float, height: float, **options: Any) -> tuple[Any, list[Any]]:
    """A figure with ``n`` panels in rows of ``n_columns``, each so many inches high."""
    n_rows = -(-n // n_columns)
    size = (WIDTH, above + height * n_rows)
    figure, axes = plt.subplots(n_rows, n_columns, figsize=size, squeeze=False, layout="constrained", **options)
    for ax in axes.flat[n:]:
        ax.remove()
    return figure, list(axes.flat[:n])


# --- pictures --------------------------------------------------------------------------------------------------------


def draw_learning(run: Run, plt: Any) -> Any | None:
    """Return and score over steps."""
    figure = _panels(run, plt, [("return", "Return against past selves", BLUE), ("score", "Points at the end", GREEN)])
    if figure is not None and run.has("return"):
        figure.axes[0].axhline(0, color=FAINT, linewidth=0.8, linestyle=":")
    return figure


def draw_winrates(run: Run, plt: Any) -> Any | None:
    """Win rate against each opponent over steps, a panel per opponent and number of players; what was played once, at the end, makes no curve."""
    opponents = dict.fromkeys(found.row.opponent for found in run.evaluations)
    played = {(found.row.num_players, found.row.opponent, found.steps) for found in run.evaluations}
    times = Counter((players, opponent) for players, opponent, _ in played)
    met = {key for key, n in times.items() if n > 1} or set(times)
    keys = [key for key in product(sorted({players for players, _ in met}), opponents) if key in met]
    if not keys:
        return None
    n_columns = len(opponents) if len(opponents) <= 3 else 2  # a row per number of players if they fit
    figure, axes = _grid(plt, len(keys), n_columns, 0.6, 3.3, sharey=True)
    for ax, (players, opponent) in zip(axes, keys, strict=True):
        _winrate_panel(
            ax, [e for e in run.evaluations if (e.row.num_players, e.row.opponent) == (players, opponent)], players
        )
        ax.set_title(f"against {short(opponent)}, {players} players")
        _step_axis(ax, run)
        _clock(ax, run)
    axes[0].legend(fontsize=8.5, loc="best")
    return figure


def _winrate_panel(ax: Any, found: Sequence[Evaluation], players: int) -> None:
    splits = [split for split in SPLITS if any(e.row.split == split for e in found)]
    if SEEN in splits and HELD_OUT in splits:
        splits = [SEEN, HELD_OUT]  # all of them together is in between
    for place, split in enumerate(splits):
        line = sorted((e for e in found if e.row.split == split), key=lambda e: e.steps)
        steps, colour = [e.steps for e in line], SPLITS[split]
        if len(line) > 1:
            _band(ax, line, colour)
        else:  # a band needs two evaluations; bars stand side by side
            steps = [steps[0] * (1 - 0.03 * (len(splits) - 1 - place))]
            ax.errorbar(steps, [e.row.win_rate for e in line], yerr=_ends(line), color=colour, capsize=3, linewidth=1.1)
        ax.plot(
            steps, [e.row.win_rate for e in line], color=colour, marker=MARKERS[split], markersize=4, linewidth=1.6,
            linestyle="--" if split == HELD_OUT else "-", label=WORDS[split],
        )  # fmt: skip
    ax.axhline(1 / players, color=FAINT, linewidth=1, linestyle=":", label="chance")
    _percent_axis(ax.yaxis)
    ax.set_ylim(-0.02, 1.02)


def _band(ax: Any, line: Sequence[Evaluation], colour: str) -> None:
    """The intervals of a curve."""
    steps, low, high = [e.steps for e in line], [e.row.low for e in line], [e.row.high for e in line]
    ax.fill_between(steps, low, high, color=colour, alpha=0.14, lw=0)
    for end in (low, high):
        ax.plot(steps, end, color=colour, alpha=0.5, linewidth=0.6)


def _ends(line: Sequence[Evaluation]) -> list[list[float]]:
    """The intervals as error bars: lengths below and above the win rates."""
    return [[e.row.win_rate - e.row.low for e in line], [e.row.high - e.row.win_rate for e in line]]


def _percent_axis(axis: Any) -> None:
    axis.set_major_formatter(lambda value, _: f"{100 * value:.0f} %")


def draw_speed(run: Run, plt: Any) -> Any | None:
    """Steps per second, and what the time went into."""
    if not run.has("steps_per_second"):
        return None
    shares = [name for name in SHARES if run.has(name)]
    figure, axes = plt.subplots(
        1, 2 if shares else 1, figsize=(WIDTH, 3.4 if shares else 2.9), squeeze=False, layout="constrained"
    )
    _line(axes[0, 0], run, "steps_per_second", BLUE, "Steps per second")
    axes[0, 0].set_ylim(bottom=0)
    axes[0, 0].yaxis.set_major_formatter(count_text)
    if shares:
        ax = axes[0, 1]
        layers = [np.nan_to_num(_smooth(_column(run, name))) for name in shares]
        ax.stackplot(
            _column(run, "steps"), *layers, colors=[SHARES[name][1] for name in shares],
            labels=[SHARES[name][0] for name in shares], linewidth=0,
        )  # fmt: skip
        ax.set_title("Share of the time")
        _percent_axis(ax.yaxis)
        ax.set_ylim(0, 1)
        _step_axis(ax, run)
        handles, labels = ax.get_legend_handles_labels()
        ax.legend(handles[::-1], labels[::-1], loc="center left", bbox_to_anchor=(1.0, 0.5), fontsize=9)
    return figure


def _bar(ax: Any, place: float, row: Row, thickness: float) -> None:
    """A win rate as a horizontal bar with its interval and its number."""
    is_held_out = row.split == HELD_OUT
    ax.barh(
        place, row.win_rate, thickness * 0.9, color=SPLITS.get(row.split, FAINT), alpha=0.85,
        hatch="////" if is_held_out else None, edgecolor="white", linewidth=0,
    )  # fmt: skip
    ends = [[row.win_rate - row.low], [row.high - row.win_rate]]
    ax.errorbar(row.win_rate, place, xerr=ends, color=INK, capsize=2.5, linewidth=1.1)
    words = f"{100 * row.win_rate:.1f} [{100 * row.low:.1f}, {100 * row.high:.1f}], {row.games} games"
    ax.text(1.03, place, words, va="center", fontsize=8, color=FAINT)


def _space(rows: Sequence[Row]) -> float:
    """Below a group of bars: less if it is a single one."""
    return 0.35 if len(rows) > 1 else 0.12


def _bars(ax: Any, groups: Sequence[tuple[str, Sequence[Row]]], players: int, title: str) -> None:
    """Groups of bars from top to bottom, with their names at the left, and the line of chance."""
    thickness, place, marks = 0.4, 0.0, []
    for _, rows in groups:
        marks.append(place + thickness * (len(rows) - 1) / 2)
        for row in rows:
            _bar(ax, place, row, thickness)
            place += thickness
        place += _space(rows)
    ax.axvline(1 / players, color=INK, linewidth=1, linestyle=":")
    ax.set_xlim(0, 1.42)  # room for the numbers
    ax.set_xticks([0, 0.25, 0.5, 0.75, 1.0])
    _percent_axis(ax.xaxis)
    ax.set_ylim(place - _space(groups[-1][1]) - thickness / 2 + 0.05, -thickness / 2 - 0.05)
    ax.set_yticks(marks, [name for name, _ in groups], color=INK)
    ax.tick_params(axis="y", length=0)
    ax.grid(axis="y", visible=False)
    ax.spines["bottom"].set_bounds(0, 1)
    ax.set_title(title)


def _bar_figure(plt: Any, panels: Sequence[tuple[str, int, Sequence[tuple[str, Sequence[Row]]]]]) -> Any | None:
    """Panels of bars below each other, as high as their bars need, with one legend; None if there are no bars at all."""
    panels = [panel for panel in panels if panel[2]]
    if not panels:
        return None
    heights = [sum(0.4 * len(rows) + _space(rows) for _, rows in groups) for _, _, groups in panels]
    figure, axes = plt.subplots(
        len(panels), 1, figsize=(WIDTH, 0.5 + sum(0.75 + 0.62 * height for height in heights)), squeeze=False,
        height_ratios=[0.6 + height for height in heights], layout="constrained",
    )  # fmt: skip
    splits = {row.split for _, _, groups in panels for _, rows in groups for row in rows}
    for ax, (title, players, groups) in zip(axes[:, 0], panels, strict=True):
        _bars(ax, groups, players, title)
    handles = [
        plt.Rectangle((0, 0), 1, 1, facecolor=SPLITS[split], alpha=0.85, hatch="////" if split == HELD_OUT else None, edgecolor="white")
        for split in SPLITS if split in splits
    ]  # fmt: skip
    words = [WORDS[split] for split in SPLITS if split in splits]
    chance = plt.Line2D([], [], color=INK, linewidth=1, linestyle=":")
    figure.legend([*handles, chance], [*words, "chance"], loc="outside upper right", ncols=len(words) + 1, fontsize=9)
    return figure


def draw_splits(run: Run, plt: Any) -> Any | None:
    """Seen and held out against each opponent, a panel per number of players."""
    panels = []
    for players, rows in by_players(by_split(run.strengths())).items():
        opponents = dict.fromkeys(row.opponent for row in rows)
        groups = [(short(name), [row for row in rows if row.opponent == name and row.split in SPLITS]) for name in opponents]  # fmt: skip
        panels.append((f"{players} players: win rate against", players, [group for group in groups if group[1]]))
    return _bar_figure(plt, panels)


def draw_facts(run: Run, plt: Any) -> Any | None:
    """Win rate by the facts of a game, a panel per fact, opponent and number of players."""
    panels = []
    for players, rows in by_players(by_fact(run.strengths())).items():
        for fact, opponent in dict.fromkeys((row.fact, row.opponent) for row in rows):
            those = [r for r in rows if (r.fact, r.opponent) == (fact, opponent) and r.split in SPLITS]
            groups = [(f"no {fact}" if row.value == NONE else row.value, [row]) for row in those]
            panels.append((f"{fact}, against {short(opponent)}, {players} players", players, groups))
    return _bar_figure(plt, panels)


PLOTS = (
    Plot("winrate", "Strength during training", "Win rate over steps with 95 % intervals: a band, or bars at a single evaluation.", (), draw_winrates),
    Plot("held_out", "Seen and held out", "Win rate on seen and held-out set-ups with 95 % intervals.", (), draw_splits),
    Plot("facts", "By what was in play", "Win rate by what was in play, with 95 % intervals.", (), draw_facts),
    Plot("learning", "Return and score", "Mean return against past selves, from -1 to 1, and mean final points.", ("return", "score"), draw_learning),
    Plot("policy", "Policy and value", "Entropy of the policy; share of the returns' variance that the value explains, from the first finished game on.", ("entropy", EXPLAINED), partial(_panels, panels=POLICY)),
    Plot("updates", "Updates", "Losses, and how far each update goes.", ("policy_loss", "value_loss"), partial(_panels, panels=UPDATES)),
    Plot("speed", "Speed", "Steps per second, and what the time went into.", ("steps_per_second", *(name for name in SHARES if name != OTHER)), draw_speed),
)  # fmt: skip
