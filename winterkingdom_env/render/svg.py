"""Render a picture to a stand-alone SVG file, without external fonts or files.

    look = Look(legal=[game.label(action) for action in game.legal_actions()])
    Path("game.svg").write_text(svg.render(picture_of(game, look)))

A browser shows the ``tip`` of a shape as a tooltip.
"""

from __future__ import annotations

from functools import lru_cache
from xml.sax.saxutils import escape, quoteattr

from winterkingdom_env.core.picture import Circle, Label, Line, Picture, Points, Polygon, Shape

FONT = "Helvetica, Arial, 'Liberation Sans', 'DejaVu Sans', sans-serif"


def _number(value: float) -> str:
    return f"{round(value, 2) + 0.0:g}"  # + 0.0: no -0


def _points(points: Points) -> str:
    return " ".join(f"{_number(x)},{_number(y)}" for x, y in points)


def _attributes(**values: str | float | None) -> str:
    """The attributes that are not None, numbers with two digits; an underscore becomes a hyphen."""
    texts = {key: _number(value) if isinstance(value, float | int) else value for key, value in values.items()}
    return "".join(f" {key.strip('_').replace('_', '-')}={quoteattr(text)}" for key, text in texts.items() if text)


def _polygon(shape: Polygon) -> str:
    look = _attributes(
        class_=shape.mark,
        points=_points(shape.points),
        fill=shape.fill or "none",
        stroke=shape.stroke,
        stroke_width=shape.width if shape.stroke else None,
        pointer_events="all" if shape.tip else None,
    )
    return f"<polygon{look}><title>{escape(shape.tip)}</title></polygon>" if shape.tip else f"<polygon{look}/>"


def _line(shape: Line) -> str:
    points = _points(shape.points)
    return f"<polyline{_attributes(class_=shape.mark, points=points, stroke=shape.stroke, stroke_width=shape.width)}/>"


def _circle(shape: Circle) -> str:
    return f"<circle{_attributes(class_=shape.mark, cx=shape.x, cy=shape.y, r=shape.radius, fill=shape.fill)}/>"


def _label(shape: Label) -> str:
    look = _attributes(
        class_=shape.mark,
        x=shape.x,
        y=shape.y,
        font_size=shape.size,
        fill=shape.fill,
        text_anchor=shape.anchor if shape.anchor != "start" else None,
        font_weight="bold" if shape.bold else None,
    )
    return f"<text{look}>{escape(shape.text)}</text>"


@lru_cache(maxsize=16384, typed=True)  # most shapes repeat from picture to picture
def element(shape: Shape) -> str:
    """One shape as an SVG element."""
    if isinstance(shape, Polygon):
        return _polygon(shape)
    if isinstance(shape, Line):
        return _line(shape)
    return _circle(shape) if isinstance(shape, Circle) else _label(shape)


def render(picture: Picture, width: int | None = None) -> str:
    """The text of an SVG file, ``width`` pixels wide; by default one pixel per unit of the picture's sheet."""
    width = picture.width if width is None else width
    head = _attributes(
        xmlns="http://www.w3.org/2000/svg",
        viewBox=f"0 0 {picture.width} {picture.height}",
        width=width,
        height=round(width * picture.height / picture.width),
        role="img",
        font_family=FONT,
    )
    # Only shapes with a title react to the pointer, so that a symbol does not block the shape below it.
    group = '<g pointer-events="none" fill="none" stroke-linejoin="round" stroke-linecap="round">'
    body = "\n".join(map(element, picture.shapes))
    return f"<svg{head}>\n<title>{escape(picture.title)}</title>\n{group}\n{body}\n</g>\n</svg>\n"
