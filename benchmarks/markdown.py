"""The tables of docs/speed.md, from reports: ``winterkingdom bench table FILE.json ...``."""

from __future__ import annotations

import statistics
from collections.abc import Sequence

from benchmarks.peers import PART as PEERS_PART
from benchmarks.peers import YARDSTICKS
from benchmarks.positions import table_rows
from benchmarks.report import Report, duration, rate
from benchmarks.timing import SECOND, Timing
from benchmarks.web import PART as WEB_PART

VECTOR = "vector, {form}, batch 1024, {threads}"
ROWS = (
    # label, part, names of timings shown side by side; * is a wildcard
    ("random step of the bare engine", "stepping", ("engine, *-* players: steps",)),
    ("random game of the bare engine", "stepping", ("engine, *-* players: games",)),
    ("random step of the reference", "stepping", ("reference: steps",)),
    ("perft, bulk / every move made", "perft", ("middle game, bulk", "middle game, every move made")),
    ("copy of a game, in a batch kernel / `Game.clone`", "clone", ("GAME records, batch kernel", "Game.clone")),
    ("simulation of the tree search: 1 / 2 threads", "search", ("tree search, 1 thread", "tree search, 2 threads")),
    ("AEC `raw_env`, planes / packed", "envs", ("AEC raw_env, planes", "AEC raw_env, packed")),
    ("AEC `env` (wrapped), planes / packed", "envs", ("AEC env, planes", "AEC env, packed")),
    *(
        (f"`vector_env`, 1,024 games, {form}: 1 / 2 threads", "envs", tuple(VECTOR.format(form=form, threads=t) for t in ("1 thread", "2 threads")))
        for form in ("mask only", "packed", "planes")
    ),
    ("first game in a fresh process, nothing compiled yet", "compile", ("first game, cold cache",)),
    ("first game in a fresh process, kernels cached", "compile", ("first game, warm cache",)),
    ("every kernel compiled in a fresh process, nothing compiled yet", "compile", ("every kernel, cold cache",)),
    ("import of `winterkingdom_env` / with the environments", "compile", ("import winterkingdom_env", "import the environments")),
)  # fmt: skip


def side_by_side(words: Sequence[str]) -> str:
    """The texts separated by slashes; "" if all are empty."""
    return " / ".join(words) if any(words) else ""


def heading(report: Report) -> str:
    """One line about the machine and the versions."""
    facts = report.machine
    commit = f", commit {facts['commit']}" if facts.get("commit") else ""
    return (
        f"{facts['processor']}, {facts['cores']} cores, {facts['system']}, Python {facts['python']}, "
        f"numpy {facts['numpy']}, numba {facts['numba']}, {facts['date']}{commit}; one thread unless stated otherwise."
    )


def row(words: str, timings: Sequence[Timing]) -> str:
    """One line of the table."""
    cells = (
        words,
        side_by_side([duration(timing.best) for timing in timings]),
        side_by_side([rate(timing) for timing in timings]),
        side_by_side([f"+{timing.spread:.0%}" if len(timing.runs) > 1 else "" for timing in timings]),
        side_by_side(sorted({str(len(timing.runs)) for timing in timings})),
    )
    return f"| {' | '.join(cells)} |"


def speed_table(report: Report) -> list[str]:
    """The lines of the speed table: the measured ones of the game's own rows and of ROWS."""
    lines = ["| what | best | per second | spread | runs |", "|---|---|---|---|---|"]
    for words, part, names in (*table_rows(report.game), *ROWS):
        found = [timing for name in names if (timing := report.find(part, name))]
        if len(found) == len(names):
            lines.append(row(words, found))
    return lines if len(lines) > 2 else []


def peers_table(report: Report, unit: str = "step") -> list[str]:
    """The lines of the table of peers: steps or games per second, and for steps the ratio to each yardstick."""
    timings = [timing for timing in report.of(PEERS_PART) if timing.unit == unit]
    yardsticks = [(words, report.find(PEERS_PART, name)) for words, name in YARDSTICKS]
    known = [(words, timing) for words, timing in yardsticks if timing and unit == timing.unit]
    if not timings:
        return []
    what = "random play" if unit == "step" else "whole games of agents"
    lines = [f"| {what} | {unit}s per second | threads | " + "".join(f"x {words} | " for words, _ in known)]
    lines[0] = lines[0].rstrip()
    lines.append("|---" * (3 + len(known)) + "|")
    for timing in sorted(timings, key=lambda timing: timing.best):
        ours = bool(timing.parameters.get("ours"))
        ratios = [f"{other.best / timing.best:,.3g}" for _, other in known]
        name = f"**{timing.name}**" if ours else timing.name
        cells = (name, f"{timing.rate:,.0f}", str(timing.parameters.get("threads", 1)), *ratios)
        lines.append(f"| {' | '.join(cells)} |")
    return lines


def web_table(report: Report) -> list[str]:
    """The lines of the tables of the server: times beside their targets, moves a second, and memory.

    Medians and 99th percentiles are the median run's, the worst is that of all runs.
    """
    found: dict[str, list[Timing]] = {}
    for timing in report.of(WEB_PART):
        found.setdefault(str(timing.parameters.get("what", timing.name)), []).append(timing)
    times, rates, memory = [], [], []
    for what, timings in found.items():
        facts = timings[0].parameters
        by_statistic = {timing.parameters.get("statistic"): timing for timing in timings}
        if "median" in by_statistic:
            cells = [duration(timing.median) for words, timing in by_statistic.items() if words != "worst"]
            cells += [duration(max(timing.runs)) for words, timing in by_statistic.items() if words == "worst"]
            target = f"{facts['target_ms']} ms" if "target_ms" in facts else ""
            times.append(f"| {what} | {' | '.join(cells)} | {target} | {facts.get('samples', '')} |")
        elif "asked_per_second" in facts:
            per_second = f"{SECOND / statistics.median(timings[0].runs):.1f}"
            rates.append(f"| {what} | {per_second} | {facts['asked_per_second']} | {facts.get('cores', '')} |")
        else:
            memory += [f"| {words} | {value} |" for words, value in facts.items() if words.startswith("MB ")]
    tables = (
        ("| the server | median | 99 % | worst | target | samples |", times),
        ("| the server's pace | per second | asked for | cores |", rates),
        ("| the server's memory | MB |", memory),
    )
    blocks = [[head, "|---" * (head.count("|") - 1) + "|", *rows] for head, rows in tables if rows]
    return [line for i, block in enumerate(blocks) for line in ([""] if i else []) + block]


def render(reports: Sequence[Report]) -> str:
    """The speed tables and tables of peers and of the server of all reports, each below a line about its machine."""
    blocks = []
    for report in reports:
        for lines in (speed_table(report), peers_table(report), peers_table(report, "game"), web_table(report)):
            if lines:
                blocks.append("\n".join([heading(report), "", *lines]))
    return "\n\n".join(blocks)
