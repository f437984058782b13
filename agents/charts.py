"""Charts for the report page: plain inline SVG without scripts or external resources."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from html import escape

INK, SOFT, ACCENT, PALE = "#1f2933", "#7b8794", "#2f6f9f", "#d5e3ee"
ROW, LEFT, WIDTH, RIGHT = 30, 255, 900, 70  # pixels
MOST_COLUMNS = 120
LONGEST_NAME = 28  # characters beside a chart; the tooltip has the full name


def short(name: str) -> str:
    """A name shortened to fit beside a chart."""
    return name if len(name) <= LONGEST_NAME else name[: LONGEST_NAME - 1] + "…"


class Chart(str):
    """An inline SVG with escaped text, which templates insert unchanged."""

    def __html__(self) -> str:
        """The chart itself."""
        return self


def _svg(height: float, body: Sequence[str], words: str) -> Chart:
    return Chart(
        f'<svg viewBox="0 0 {WIDTH} {height:g}" role="img" aria-label="{escape(words)}"><title>{escape(words)}</title>'
        + "".join(body)
        + "</svg>"
    )


def _text(x: float, y: float, words: str, anchor: str = "start", fill: str = INK, size: int = 13) -> str:
    return (
        f'<text x="{x:.1f}" y="{y:.1f}" text-anchor="{anchor}" fill="{fill}" font-size="{size}">{escape(words)}</text>'
    )


def _line(x1: float, y1: float, x2: float, y2: float, stroke: str = SOFT, width: float = 1) -> str:
    return f'<line x1="{x1:.1f}" y1="{y1:.1f}" x2="{x2:.1f}" y2="{y2:.1f}" stroke="{stroke}" stroke-width="{width:g}"></line>'


def _rect(x: float, y: float, width: float, height: float, fill: str, tip: str) -> str:
    return (
        f'<rect x="{x:.1f}" y="{y:.1f}" width="{max(0.0, width):.1f}" height="{height:.1f}" fill="{fill}">'
        f"<title>{escape(tip)}</title></rect>"
    )


def ticks(low: float, high: float, n: int = 6) -> list[float]:
    """Round numbers from ``low`` to ``high``, about ``n`` of them."""
    rough = max(high - low, 1e-9) / n
    power = 10.0 ** math.floor(math.log10(rough))
    step = next(power * factor for factor in (1, 2, 5, 10) if power * factor >= rough)
    return [i * step for i in range(math.ceil(low / step - 1e-9), math.floor(high / step + 1e-9) + 1)]


def intervals(rows: Sequence[tuple[str, float, float | None, float | None, str]]) -> Chart:
    """A dot and an interval per row: name, value, low, high, tooltip. An open end (None) is an arrow to the edge."""
    ends = [end for _, value, low, high, _ in rows for end in (value, low, high) if end is not None]
    pad = 0.08 * (max(ends) - min(ends)) or 10.0
    low_edge, high_edge = min(ends) - pad, max(ends) + pad
    scale = (WIDTH - LEFT - RIGHT) / (high_edge - low_edge)

    def at(value: float) -> float:
        return LEFT + (value - low_edge) * scale

    height = ROW * len(rows) + 34
    body = []
    for tick in ticks(low_edge, high_edge):
        body.append(_line(at(tick), 4, at(tick), height - 26, PALE if tick else SOFT))
        body.append(_text(at(tick), height - 8, f"{tick:+g}" if tick else "0", "middle", SOFT, 12))
    for i, (name, value, low, high, tip) in enumerate(rows):
        y = 6 + ROW * (i + 0.5)
        body.append(_text(LEFT - 12, y + 4, short(name), "end"))
        start, end = at(low_edge if low is None else low), at(high_edge if high is None else high)
        body.append(_line(start, y, end, y, ACCENT, 3))
        body.append(_arrow(start, y, -7) if low is None else _line(start, y - 6, start, y + 6, ACCENT, 2))
        body.append(_arrow(end, y, 7) if high is None else _line(end, y - 6, end, y + 6, ACCENT, 2))
        body.append(
            f'<circle cx="{at(value):.1f}" cy="{y:.1f}" r="5.5" fill="{INK}"><title>{escape(tip)}</title></circle>'
        )
    return _svg(height, body, "Elo with 95 % intervals")


def _arrow(x: float, y: float, reach: float) -> str:
    return (
        f'<polygon points="{x + reach:.1f},{y:.1f} {x:.1f},{y - 6:.1f} {x:.1f},{y + 6:.1f}" fill="{ACCENT}"></polygon>'
    )


def bars(rows: Sequence[tuple[str, float, str]], words: str) -> Chart:
    """A bar per row: name, value, label."""
    most = max((value for _, value, _ in rows), default=0.0) or 1.0
    body = []
    for i, (name, value, beside) in enumerate(rows):
        y = 4 + ROW * i
        width = (WIDTH - LEFT - 190) * value / most
        body.append(_text(LEFT - 12, y + 18, short(name), "end"))
        body.append(_rect(LEFT, y + 4, max(width, 1.0), ROW - 10, ACCENT, f"{name}: {beside}"))
        body.append(_text(LEFT + max(width, 1.0) + 8, y + 18, beside, fill=SOFT))
    return _svg(ROW * len(rows) + 8, body, words)


def histogram(counts: Mapping[int, int], words: str, unit: str) -> Chart:
    """A column per number from the smallest to the largest; for a wide range, a column covers several numbers."""
    first, last = min(counts), max(counts)
    step = -(-(last - first + 1) // MOST_COLUMNS)
    columns = [0] * ((last - first) // step + 1)
    for number, count in counts.items():
        columns[(number - first) // step] += count
    each = min(60.0, (WIDTH - 40) / len(columns))
    height, base = 220.0, 186.0
    body = [_line(20, base, 20 + each * len(columns), base)]
    every = max(1, math.ceil(max(28, 9 * len(str(last))) / each))  # axis labels must not overlap
    for i, count in enumerate(columns):
        number, x = first + i * step, 20 + each * i
        tall = 158.0 * count / max(columns)
        told = f"{number}" if step == 1 else f"{number} to {number + step - 1}"
        body.append(_rect(x + 1, base - tall, each - 2, tall, ACCENT, f"{told} {unit}: {count} games"))
        if count and each >= 24:
            body.append(_text(x + each / 2, base - tall - 6, str(count), "middle", SOFT, 12))
        if i % every == 0:
            body.append(_text(x + each / 2, base + 17, str(number), "middle", INK, 12))
    body.append(_text(20, height - 2, unit, fill=SOFT, size=12))
    return _svg(height, body, words)


def shade(share: float) -> str:
    """The colour of a share from 0 (red) through 0.5 (white) to 1 (blue), light enough for black text."""
    ends = (239, 190, 170) if share < 0.5 else (160, 196, 226)
    weight = min(1.0, abs(share - 0.5) * 2)
    return "#" + "".join(f"{round(255 + (end - 255) * weight):02x}" for end in ends)
