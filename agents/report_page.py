"""The report as one HTML page: style and pictures are in it, nothing is fetched, no script runs."""

from __future__ import annotations

from collections.abc import Sequence
from html import escape

from agents import charts
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
    unfinished,
)
from winterkingdom_env.games import get_game

STYLE = """
:root { color-scheme: light; }
body { font: 15px/1.5 Helvetica, Arial, 'Liberation Sans', sans-serif; color: #1f2933; background: #fff; margin: 0 auto; max-width: 1000px; padding: 24px; }
h1 { font-size: 26px; margin: 0 0 4px; } h2 { font-size: 19px; margin: 34px 0 8px; border-bottom: 1px solid #d5dde5; padding-bottom: 4px; }
h3 { font-size: 15px; margin: 18px 0 4px; } p { margin: 4px 0 8px; } .note { color: #52606d; }
table { border-collapse: collapse; margin: 8px 0; font-size: 14px; } .wide { overflow-x: auto; }
th, td { padding: 4px 10px; text-align: right; border-bottom: 1px solid #e4e9ee; vertical-align: top; }
th { font-weight: 600; color: #52606d; } th.name, td.name { text-align: left; overflow-wrap: anywhere; }
td.cell { text-align: center; } td.cell small { display: block; color: #3e4c59; }
svg { width: 100%; height: auto; font-family: inherit; } code { background: #f0f4f7; padding: 2px 5px; overflow-wrap: anywhere; }
@media print { body { max-width: none; padding: 0; font-size: 11pt; } h2 { break-after: avoid; } table, svg { break-inside: avoid; }
  * { print-color-adjust: exact; -webkit-print-color-adjust: exact; } }
"""
MOST_FORFEITS = 40  # that are listed one by one
PLAYED_OUT = '<p class="note">Forfeited games are left out.</p>'
SEATS = {"seat": "Seats"}  # after what the game says that its games differ in


def page(summary: Summary, boards: Sequence[tuple[str, str, str]]) -> str:
    """The whole page. ``boards``: heading, file and words of each picture of a final board."""
    parts = [_head(summary), _ladder(summary), _cross(summary), _pairs(summary), _means(summary), _lengths(summary),
             _times(summary), _forfeits(summary), _boards(boards), _foot(summary)]  # fmt: skip
    return html_page(f"Arena: {' – '.join(summary.tournament.names)}", parts)


def html_page(title: str, parts: Sequence[str], more_style: str = "") -> str:
    """A page that needs nothing besides itself; ``parts`` stand in its body."""
    return (
        '<!DOCTYPE html>\n<html lang="en">\n<head>\n<meta charset="utf-8">\n'
        '<meta name="viewport" content="width=device-width, initial-scale=1">\n'
        f"<title>{escape(title)}</title>\n<style>{STYLE}{more_style}</style>\n</head>\n<body>\n"
        + "\n".join(parts)
        + "\n</body>\n</html>\n"
    )


def table(head: Sequence[str], rows: Sequence[Sequence[str]], names: Sequence[int] = (0,)) -> str:
    """A table of plain texts; the columns in ``names`` are set to the left."""

    def row(tag: str, cells: Sequence[str]) -> str:
        words = [f"<{tag}{' class=name' if i in names else ''}>{escape(cell)}</{tag}>" for i, cell in enumerate(cells)]
        return f"<tr>{''.join(words)}</tr>"

    body = "\n".join(row("td", cells) for cells in rows)
    return f'<div class="wide"><table><thead>{row("th", head)}</thead>\n<tbody>{body}</tbody></table></div>'


def _head(summary: Summary) -> str:
    settings = summary.tournament.settings
    planned = f" of {summary.planned} planned" if summary.games < summary.planned else ""
    words = unfinished(summary)
    note = f"<p><strong>{escape(words)}</strong></p>" if words is not None else ""
    verdict = f"<p><strong>{escape(str(summary.sprt))}</strong></p>" if summary.sprt is not None else ""
    return (
        f"<h1>Arena: {escape(settings.game)}, {settings.players} players</h1>"
        f"<p>{summary.games} games{planned}, {escape(settings.mode.value)}, every set-up in every rotation over the seats; "
        f"begun {escape(summary.tournament.begun)}.</p>{note}{verdict}"
    )


def _tip(rung: Rung) -> str:
    elo, interval = elo_text(rung.rating)
    return f"{rung.rating.agent}: {elo} ({interval})"


def _ladder(summary: Summary) -> str:
    rows = [
        (
            str(rung.rank), rung.rating.agent, *elo_text(rung.rating), str(rung.rating.games), percent(rung.rating.share),
            percent_range(rung.rating.share_low, rung.rating.share_high), number(rung.mean_score), str(rung.forfeits),
        )
        for rung in summary.ladder
    ]  # fmt: skip
    chart = charts.intervals(
        [
            (rung.rating.agent, rung.rating.elo, rung.rating.elo_low, rung.rating.elo_high, _tip(rung))
            for rung in summary.ladder
        ]
    )
    head = ("rank", "agent", "Elo", "95 %", "games", "share of points", "95 %", "mean score", "forfeits")
    note = "Elo by maximum likelihood, mean 0; mean scores without forfeited games. Intervals: 95 %, from drawing whole set-ups again. An arrow is an open end."
    return f"<h2>Ladder</h2>{table(head, rows, (1,))}{chart}<p class=note>{note}</p>"


def _cross(summary: Summary) -> str:
    order = [rung.rating.agent for rung in summary.ladder]
    found = {(pair.agent, pair.opponent): pair for pair in summary.pairs}
    lines = []
    for name in order:
        cells = []
        for other in order:
            pair = found.get((name, other))
            if pair is None:
                cells.append('<td class="cell">–</td>')
                continue
            cells.append(
                f'<td class="cell" style="background:{charts.shade(pair.share)}">{percent(pair.share)}'
                f"<small>{percent_range(pair.share_low, pair.share_high)}</small></td>"
            )
        lines.append(f'<tr><th class="name">{escape(name)}</th>{"".join(cells)}</tr>')
    head = "".join(f"<th>{escape(name)}</th>" for name in order)
    return (
        '<h2>Cross table</h2><p class="note">Share of the points between two agents, row against column, with its 95 % interval.</p>'
        f'<div class="wide"><table><thead><tr><th></th>{head}</tr></thead><tbody>{"".join(lines)}</tbody></table></div>'
    )


def _pairs(summary: Summary) -> str:
    """Each pair once, from the side of the higher one."""
    place = {rung.rating.agent: rung.rank for rung in summary.ladder}
    rows = [
        (
            pair.agent, pair.opponent, str(pair.games), str(pair.wins), str(pair.draws), str(pair.losses),
            number(pair.margin, "+"), range_text(pair.margin_low, pair.margin_high),
        )
        for pair in sorted(summary.pairs, key=lambda pair: (place[pair.agent], place[pair.opponent]))
        if place[pair.agent] < place[pair.opponent]
    ]  # fmt: skip
    head = ("agent", "against", "games", "won", "drawn", "lost", "mean margin", "95 %")
    return f"<h3>Wins and margins</h3>{table(head, rows, (0, 1))}"


def _means(summary: Summary) -> str:
    order = [rung.rating.agent for rung in summary.ladder]
    parts = ['<h2>Mean scores</h2><p class="note">In brackets: games. Forfeited games are left out.</p>']
    for group, heading in {**get_game(summary.tournament.settings.game).FACTS, **SEATS}.items():
        entries = [mean for mean in summary.means if mean.group == group]
        if entries:
            parts.append(f"<h3>{heading}</h3>{_mean_table(group, entries, order)}")
        if any(mean.points is not None for mean in entries):
            parts.append(f"<h3>{heading}: points from the card itself</h3>{_mean_table(group, entries, order, True)}")
    return "".join(parts)


def _mean_table(group: str, entries: Sequence[Mean], order: Sequence[str], own_points: bool = False) -> str:
    found = {(mean.value, mean.agent): mean for mean in entries}
    rows = []
    for value in sorted({mean.value for mean in entries}):
        cells = [value]
        for agent in order:
            mean = found.get((value, agent))
            value_of = None if mean is None else mean.points if own_points else mean.mean_score
            cells.append("–" if mean is None or value_of is None else f"{value_of:.1f} ({mean.games})")
        rows.append(cells)
    return table((group, *order), rows)


def _lengths(summary: Summary) -> str:
    if not summary.rounds:
        return ""
    return f"<h2>Length of the games</h2>{PLAYED_OUT}{charts.histogram(summary.rounds, 'Games by number of rounds', 'rounds')}"


def _times(summary: Summary) -> str:
    rows = [
        (rung.rating.agent, rung.ms_per_move, f"{rung.ms_per_move:.3g} ms, slowest {rung.slowest_ms:.3g} ms")
        for rung in summary.ladder
    ]
    return f"<h2>Time per move</h2>{charts.bars(rows, 'Mean time per move')}"


def _forfeits(summary: Summary) -> str:
    words = restarted(summary)
    restarts = "" if words is None else f"<p>{escape(words)}.</p>"
    if not summary.forfeits:
        return f"<h2>Forfeits</h2><p>None: every game was played to its end.</p>{restarts}"
    sums = [
        (agent, kind, str(len(lost)), lost[0]["game"], lost[0]["reason"])
        for (agent, kind), lost in forfeits_by_kind(summary).items()
    ]
    rows = [(lost["game"], lost["agent"], str(lost["seat"]), lost["kind"], lost["reason"]) for lost in summary.forfeits]
    more = (
        f'<p class="note">The first {MOST_FORFEITS}; games.csv has them all.</p>' if len(rows) > MOST_FORFEITS else ""
    )
    return (
        f"<h2>Forfeits</h2>{table(('agent', 'kind', 'games', 'first', 'its reason'), sums, (0, 1, 3, 4))}<h3>Games</h3>"
        f"{table(('game', 'agent', 'seat', 'kind', 'reason'), rows[:MOST_FORFEITS], (0, 1, 3, 4))}{more}{restarts}"
    )


def _boards(boards: Sequence[tuple[str, str, str]]) -> str:
    if not boards:
        return ""
    items = [
        f'<li>{escape(heading)}: <a href="{escape(file)}">{escape(words)}</a></li>' for heading, file, words in boards
    ]
    return f"<h2>Final boards</h2><ul>{''.join(items)}</ul>"


def _foot(summary: Summary) -> str:
    tournament = summary.tournament
    again = f" --seed {tournament.settings.seed}" if "--seed" not in tournament.command else ""
    return (
        f"<h2>How this was made</h2><p><code>{escape(tournament.command + again)}</code></p>"
        f'<p class="note">{escape(tournament.settings.game)} {escape(tournament.env_version)}, winterkingdom_env '
        f"{escape(tournament.package_version)}. The same numbers: report.json, ladder.csv, pairs.csv, games.csv.</p>"
    )
