"""``winterkingdom train report RUN_DIR``: a training run as one page, with its pictures in it and beside it (docs/training.md)."""

from __future__ import annotations

import base64
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Annotated, Any

import typer

from agents import pages
from agents.summary import percent, percent_range
from training.options import failing_in_words
from training.plots import PLOTS, WORDS, Plot, png
from training.run_files import EVALUATIONS, FINAL, PROGRESS, Run, read_run
from training.winrates import ALL, HELD_OUT, SEEN, Row, by_players, gaps
from winterkingdom_env.cli.options import Json, examples, new_app, run_app
from winterkingdom_env.cli.terminal import print_json, say
from winterkingdom_env.core.exit_codes import Exit
from winterkingdom_env.core.files import write_together

PAGE = "report.html"
TEMPLATES = Path(__file__).parent / "templates"
UNKNOWN = "Nobody has measured yet how strong the agent is."


def write_report(folder: Path, target: Path) -> Path:
    """Write the report on the run in ``folder`` into ``target``; the page's path. An older report there is replaced."""
    run = read_run(folder)
    pictures = {plot.name: png(plot, run) for plot in PLOTS}
    page = target / PAGE
    drawn: dict[Path, bytes | str] = {
        target / f"{name}.png": data for name, data in pictures.items() if data is not None
    }
    write_together({**drawn, page: page_of(run, pictures)})
    for name, content in pictures.items():
        if content is None:  # an older report may have it
            (target / f"{name}.png").unlink(missing_ok=True)
    return page


def strength(rows: Sequence[Row]) -> list[str]:
    """One sentence for every opponent and number of players: how strong the agent is."""
    sentences, n_agents = [], len({row.agent for row in rows})
    for players, group in by_players(row for row in rows if row.fact == ALL).items():
        for agent, opponent in dict.fromkeys((row.agent, row.opponent) for row in group):
            found = {row.split: row for row in group if (row.agent, row.opponent) == (agent, opponent)}
            words = f" of {players} players (chance {percent(1 / players)})" if players > 2 else ""
            sentences.append(
                f"{f'{agent}: win rate' if n_agents > 1 else 'Win rate'} against {opponent}: {_measured(found, words)}."
            )
    return sentences


def _measured(found: dict[str, Row], words: str) -> str:
    """The rates by split: all together with the parts after it, or the parts alone if nobody added them up."""
    parts = [split for split in (SEEN, HELD_OUT) if split in found]
    if ALL in found:
        rest = ", ".join(f"{WORDS[split]} {100 * found[split].win_rate:.1f}" for split in parts)
        return _rate(found[ALL], words, "") + (f"; {rest}" if rest else "")
    return " and ".join(_rate(found[split], words, f"{split} ") for split in parts or found)


def _rate(row: Row, words: str, kind: str) -> str:
    return (
        f"{percent(row.win_rate)} [{100 * row.low:.1f}, {100 * row.high:.1f}] in {row.games} games{words} "
        f"on {row.setups} {kind}set-ups"
    )


def duration(seconds: float) -> str:
    """Hours, minutes and seconds for people."""
    minutes, rest = divmod(round(seconds), 60)
    hours, minutes = divmod(minutes, 60)
    parts = ((hours, "h"), (minutes, "min"), (rest, "s"))
    return " ".join(f"{value} {unit}" for value, unit in parts if value) or "0 s"


# --- the page --------------------------------------------------------------------------------------------------------


def page_of(run: Run, pictures: dict[str, bytes | None]) -> str:
    """The whole page: what its template, templates/training.html, is filled with."""
    about, rows = run.about, run.strengths()
    source = "the final evaluation" if run.final else "the last evaluation during training"
    return pages.render("training.html", {
        "title": f"Training: {run.name}", "strengths": strength(rows) or [UNKNOWN], "source": source if rows else None,
        "facts": _facts(run), "pictures": [_picture(plot, pictures[plot.name], run) for plot in PLOTS],
        "rates": _rates(rows), "gaps": _gaps(rows), "versions": _text(about.versions),
        "settings": [(name, _text(value)) for name, value in about.settings.items()],
    }, TEMPLATES)  # fmt: skip


def _facts(run: Run) -> list[tuple[str, str]]:
    about = run.about
    facts = [
        ("command", about.command), ("seed", _text(about.settings.get("seed", "not given"))),
        ("steps", f"{run.steps:,}"), ("duration", duration(run.seconds)),
        ("iterations", str(len(run.progress["steps"]))), ("environment", about.env), ("preset", about.preset),
        ("network", about.network), ("machine", _text(about.machine)), ("started", about.started),
    ]  # fmt: skip
    return [(name, words) for name, words in facts if words]


def _text(value: Any) -> str:
    """A value of a settings file in words."""
    if isinstance(value, dict):
        return ", ".join(f"{name} {_text(part)}" for name, part in value.items())
    return ", ".join(map(_text, value)) if isinstance(value, list) else str(value)


def _picture(plot: Plot, content: bytes | None, run: Run) -> dict[str, str | None]:
    """Heading, words, name and data of a picture, and a note about what is left out."""
    missing = [name for name in plot.columns if not run.has(name)]
    note = f"Left out: {PROGRESS} has no numbers for {', '.join(missing)}." if missing else None
    if content is None:
        note = note or f"Left out: neither {EVALUATIONS} nor {FINAL} has it."
    data = None if content is None else base64.b64encode(content).decode("ascii")
    return {"heading": plot.heading, "words": plot.words, "name": plot.name, "data": data, "note": note}


def _rates(rows: Sequence[Row]) -> list[tuple[str, ...]]:
    """The numbers behind the bars."""
    return [
        (row.opponent, str(row.num_players), WORDS.get(row.split, row.split), row.fact, row.value, percent(row.win_rate),
         percent_range(row.low, row.high), str(row.games), str(row.setups))
        for row in rows
    ]  # fmt: skip


def _gaps(rows: Sequence[Row]) -> list[tuple[str, ...]]:
    return [
        (gap.opponent, str(gap.num_players), f"{100 * gap.gap:+.1f}", f"{100 * gap.low:+.1f}…{100 * gap.high:+.1f}")
        for gap in gaps(rows)
    ]


# --- the command -----------------------------------------------------------------------------------------------------


app = new_app()


@app.command(
    epilog=examples(
        "winterkingdom train report runs/first",
        "winterkingdom train report runs/first --out first-report --json",
        codes=(Exit.OK, Exit.FAILED, Exit.WRONG_USE),
    )
)
def report(
    run: Annotated[Path, typer.Argument(metavar="RUN_DIR", help="The folder of a training run, finished or not.")],
    out: Annotated[
        Path | None, typer.Option(metavar="DIR", help="Where the page and its pictures go (RUN_DIR/report).")
    ] = None,
    json: Json = False,
) -> None:
    """Draw a training run: one page with everything in it, and its pictures beside it."""
    with failing_in_words():
        page = write_report(run, out or run / "report")
        said = strength(read_run(run).strengths())
    if json:
        print_json({"strength": said, "page": str(page)})
        return
    for words in (*said, str(page)):
        say(words)


def main(arguments: list[str] | None = None) -> int:
    """Read the command line and do what it says; the exit code."""
    return run_app(app, "python -m training.report", arguments)


if __name__ == "__main__":
    sys.exit(main())
