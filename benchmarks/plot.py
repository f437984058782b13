"""Three plots of reports: nanoseconds per phase, throughput by batch size and threads, comparison with peers."""

from __future__ import annotations

import io
from collections.abc import Callable, Collection, Iterator, Sequence
from importlib import import_module
from pathlib import Path
from typing import Any

from benchmarks.report import Report, duration
from benchmarks.timing import Timing, in_threads
from winterkingdom_env.core.extras import install_command
from winterkingdom_env.core.files import write_together
from winterkingdom_env.core.plain_text import quoted

COLOURS = {"kernel": "#1f6fb2", "numpy": "#e39b2d", "reference": "#a9b4bf"}
FORM_COLOURS = {"mask only": "#1f6fb2", "packed": "#2a9d78", "planes": "#d1495b"}
OURS, THEIRS, INK, FAINT, RULE = "#1f6fb2", "#8c98a4", "#22303c", "#6b7884", "#c5ccd3"
APART = 0.4  # distance of the dots of a scene; a scene takes 1, plus this for each further dot
LARGEST = 10**9  # batch size or number of threads
HEADINGS = {"phase": "by phase", "op": "by op, fastest first"}
STYLE = {
    "font.size": 10,
    "axes.spines.top": False,
    "axes.spines.right": False,
    "axes.edgecolor": RULE,
    "axes.labelcolor": INK,
    "axes.axisbelow": True,
    "axes.grid": True,
    "grid.color": "#e6eaee",
    "xtick.color": FAINT,
    "ytick.color": INK,
    "text.color": INK,
    "text.parse_math": False,  # names are not formulas
    "svg.hashsalt": "winterkingdom_env",  # the same plot gives the same file
}


class PlotError(RuntimeError):
    """The plots cannot be drawn."""


def load() -> Any:
    """matplotlib's pyplot with a file backend; PlotError says how to install it."""
    try:
        import_module("matplotlib").use("Agg")
        return import_module("matplotlib.pyplot")
    except ImportError as error:
        raise PlotError(f"plots need matplotlib: {install_command('matplotlib')}") from error


def fact(timing: Timing, name: str, choices: Collection[str] | None = None) -> str:
    """A parameter of a timing as text; PlotError if it is missing, or not one of the choices."""
    found = timing.parameters.get(name)
    if found is None or (choices is not None and found not in choices):
        wanted = "a value" if choices is None else f"one of {', '.join(choices)}"
        raise PlotError(
            f"{timing.part}, {quoted(timing.name)}: parameters.{name} is {quoted(found)}, {wanted} is needed"
        )
    return str(found)


def number(timing: Timing, name: str) -> int:
    """A parameter of a timing that must be a positive integer; PlotError if it is not."""
    found = timing.parameters.get(name)
    if type(found) is not int or not 1 <= found <= LARGEST:
        raise PlotError(
            f"{timing.part}, {quoted(timing.name)}: parameters.{name} is {quoted(found)}, a whole number from 1 to {LARGEST:,} is needed"
        )
    return found


def title(figure: Any, words: str, report: Report, more: str = "") -> None:
    """Write a title and a line about the machine above the axes, left-aligned with the figure."""
    facts = report.machine
    where = f"{facts['processor']}, {facts['cores']} cores, Python {facts['python']}, numba {facts['numba']}, {facts['date']}"
    height = figure.get_figheight()
    figure.text(0.02, 1 - 0.18 / height, words, fontsize=14, fontweight="bold", va="top")
    figure.text(0.02, 1 - 0.50 / height, f"{more}{where}", fontsize=8.5, color=FAINT, va="top")


def dot(axes: Any, x: float, y: float, low: float, colour: str) -> None:
    """A value on a logarithmic axis, which has no zero for a bar to begin at: a dot, and a thin line from the name to it."""
    axes.hlines(y, low, x, color=RULE, linewidth=0.8)
    axes.plot([x], [y], "o", markersize=6, color=colour)


def dots(axes: Any, names: Sequence[str], timings: dict[str, dict[str, Timing]], low: float, high: float) -> None:
    """Dots for each scene, one per implementation, labelled with the time."""
    ticks = []
    top = 0.0
    for name in names:
        scene = timings[name]
        for k, (kind, timing) in enumerate(scene.items()):
            place = top + k * APART
            dot(axes, timing.best, place, low, COLOURS[kind])
            axes.text(timing.best * 1.12, place, duration(timing.best), va="center", fontsize=7.5, color=FAINT)
        ticks.append(top + (len(scene) - 1) * APART / 2)
        top += (len(scene) - 1) * APART + 1
    axes.set_xscale("log")
    axes.set_xlim(low, high)
    axes.xaxis.set_major_formatter(lambda value, _: f"{value / 1e3:g} us" if value >= 1e3 else f"{value:g} ns")
    axes.set_ylim(top - 1 + 0.6, -0.6)
    axes.set_yticks(ticks, names)
    axes.tick_params(axis="y", length=0)
    axes.grid(axis="y", visible=False)


def in_words(scene: str) -> str:
    """A scene's name in lower case words: ops are in capitals in the code."""
    head, _, tail = scene.partition(" ")
    return f"{head.replace('_', ' ').lower()}: {tail}" if head.isupper() else scene


def draw_phases(report: Report, plt: Any) -> Any | None:
    """Nanoseconds per legal mask: phases above, sources and targets of every op below."""
    groups: dict[str, dict[str, dict[str, Timing]]] = {"phase": {}, "op": {}}
    for timing in report.of("legal_moves"):
        scenes = groups[fact(timing, "group", groups)]
        scenes.setdefault(in_words(fact(timing, "scene")), {})[fact(timing, "implementation", COLOURS)] = timing
    for words, scene in [each for group in groups.values() for each in group.items()]:
        if "kernel" not in scene:
            raise PlotError(f"legal_moves, {quoted(words)}: the timing of the kernel is missing; run this part again")
    if not groups["phase"]:
        return None
    filled = {words: group for words, group in groups.items() if group}
    heights = [sum(1 + APART * (len(scene) - 1) for scene in group.values()) for group in filled.values()]
    figure, axes = plt.subplots(
        len(heights), 1, squeeze=False, height_ratios=heights, figsize=(9.5, 2 + 0.235 * sum(heights)), layout="none"
    )
    figure.subplots_adjust(
        left=0.30, right=0.97, top=1 - 1.15 / figure.get_figheight(), bottom=0.55 / figure.get_figheight(), hspace=0.12
    )
    every = [timing.best for group in filled.values() for scene in group.values() for timing in scene.values()]
    for ax, (words, scenes) in zip(axes[:, 0], filled.items(), strict=True):
        by_kernel = sorted(scenes, key=lambda name: scenes[name]["kernel"].best)
        dots(ax, by_kernel if words == "op" else list(scenes), scenes, min(every) / 2.5, max(every) * 2.2)
        ax.set_title(HEADINGS[words], loc="left", fontsize=10.5, fontweight="bold", x=-0.41)
    axes[-1, 0].set_xlabel("time per legal mask, best run (logarithmic)")
    shown = [kind for kind in COLOURS if any(kind in scene for group in filled.values() for scene in group.values())]
    handles = [plt.Line2D([], [], marker="o", linestyle="", color=COLOURS[kind]) for kind in shown]
    figure.legend(
        handles,
        shown,
        loc="upper right",
        ncols=3,
        frameon=False,
        bbox_to_anchor=(0.98, 1 - 0.62 / figure.get_figheight()),
    )
    title(figure, "Legal masks", report)
    return figure


def draw_throughput(report: Report, plt: Any) -> Any | None:
    """Steps per second of the vector environment by batch size, a line per observation form and number of threads."""
    lines: dict[tuple[str, int], list[Timing]] = {}
    for timing in report.of("envs"):
        if timing.parameters.get("interface") == "vector" and "kind" not in timing.parameters:
            key = fact(timing, "form", FORM_COLOURS), number(timing, "threads")
            lines.setdefault(key, []).append(timing)
    if not lines:
        return None
    figure, ax = plt.subplots(figsize=(8.5, 5.6), layout="none")
    figure.subplots_adjust(left=0.11, right=0.80, top=1 - 0.95 / 5.6, bottom=0.12)
    batches = sorted({number(timing, "batch") for line in lines.values() for timing in line})
    for (form, threads), line in lines.items():
        found = sorted((number(timing, "batch"), timing.rate) for timing in line)
        style = {
            "color": FORM_COLOURS[form],
            "linestyle": "-" if threads == 1 else (0, (4, 2)),
            "marker": "o" if threads == 1 else "s",
        }
        ax.plot(*zip(*found, strict=True), linewidth=1.8, markersize=4.5, **style)
    labels = [
        (line[-1].rate, f"{form}, {in_threads(threads)}", FORM_COLOURS[form]) for (form, threads), line in lines.items()
    ]
    ax.set_xscale("log", base=2)
    ax.set_yscale("log")
    ax.set_xticks(batches, [f"{n:,}" for n in batches])
    ax.yaxis.set_major_locator(import_module("matplotlib.ticker").LogLocator(subs=(1, 2, 5)))
    ax.yaxis.set_major_formatter(count_text)
    ax.minorticks_off()
    ax.set_xlabel("games in the batch")
    ax.set_ylabel("random steps per second, best run")
    write_apart(ax, batches[-1] * 1.18, labels)
    title(figure, "The vector environment", report)
    return figure


def count_text(value: float, _: object = None) -> str:
    """A short form of a number for an axis."""
    for size, unit in ((1e9, " G"), (1e6, " M"), (1e3, " k")):
        if abs(value) >= size:
            return f"{value / size:g}{unit}"
    return f"{value:g}"


def write_apart(ax: Any, x: float, labels: list[tuple[float, str, str]]) -> None:
    """Label the lines at their right ends, without overlaps."""
    low, high = ax.get_ylim()
    step = (high / low) ** 0.05
    y = low
    for value, words, colour in sorted(labels):
        y = max(value, y * step)
        ax.text(x, y, words, color=colour, va="center", fontsize=9, clip_on=False)


def draw_peers(report: Report, plt: Any) -> Any | None:
    """Steps per second of our environments and of the peers, fastest on top."""
    steps = [timing for timing in report.of("peers") if timing.unit == "step"]
    timings = sorted(steps, key=lambda timing: timing.best)
    if not timings:
        return None
    height = 1.6 + 0.27 * len(timings)
    figure, ax = plt.subplots(figsize=(9.5, height), layout="none")
    figure.subplots_adjust(left=0.46, right=0.96, top=1 - 0.85 / height, bottom=0.6 / height)
    low = min(timing.rate for timing in timings) / 2.5
    for place, timing in enumerate(timings):
        ours = bool(timing.parameters.get("ours"))
        dot(ax, timing.rate, place, low, OURS if ours else THEIRS)
        ax.text(timing.rate * 1.2, place, f"{timing.rate:,.0f}", va="center", fontsize=8, color=INK if ours else FAINT)
    ax.set_xscale("log")
    ax.set_xlim(low, timings[0].rate * 3.5)
    ax.xaxis.set_major_formatter(count_text)
    ax.set_ylim(len(timings) - 0.4, -0.6)
    ax.set_yticks(range(len(timings)), [timing.name for timing in timings])
    for label, timing in zip(ax.get_yticklabels(), timings, strict=True):
        label.set_fontsize(8.5)
        if timing.parameters.get("ours"):
            label.set_fontweight("bold")
    ax.tick_params(axis="y", length=0)
    ax.grid(axis="y", visible=False)
    ax.set_xlabel("random steps per second, best run (logarithmic)")
    title(figure, "Random play, ours and others", report)
    return figure


PICTURES: dict[str, Callable[[Report, Any], Any | None]] = {
    "phases": draw_phases,
    "throughput": draw_throughput,
    "peers": draw_peers,
}


def draw(reports: Sequence[Report], folder: Path) -> list[Path]:
    """Draw all plots that the reports have data for, as PNG and SVG, and return the files. Nothing is written if one fails."""
    plt = load()
    found: dict[Path, bytes | str] = {}
    for name, picture in PICTURES.items():
        for report in reports:
            for suffix, content in _drawn(picture, report, plt):
                found[folder / f"{name}.{suffix}"] = content
    write_together(found)
    return list(found)


def _drawn(picture: Callable[[Report, Any], Any | None], report: Report, plt: Any) -> Iterator[tuple[str, bytes]]:
    """A plot of a report as PNG and SVG; nothing if the report has no data for it."""
    with plt.rc_context(STYLE):
        try:
            figure = picture(report, plt)
            if figure is None:
                return
            for suffix in ("png", "svg"):
                file = io.BytesIO()
                told = {"Date": None} if suffix == "svg" else None
                figure.savefig(file, format=suffix, dpi=160, facecolor="white", metadata=told)
                yield suffix, file.getvalue()
        finally:
            plt.close("all")
