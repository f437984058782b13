"""Render a picture to an array of pixels, for videos and ``render_mode="rgb_array"``. Needs Pillow."""

from __future__ import annotations

from functools import lru_cache
from math import ceil

import numpy as np
from numpy.typing import NDArray

from winterkingdom_env.core.extras import install_command
from winterkingdom_env.core.picture import Circle, Label, Line, Picture, Points, Polygon

try:
    from PIL import Image, ImageDraw, ImageFont
except ImportError as error:
    raise ImportError(f"rendering to pixels needs Pillow: {install_command('PIL')}") from error

FINER = 2  # supersampling factor, for smooth edges
SHIFTS = {"start": 0.0, "middle": 0.5, "end": 1.0}  # shift to the left as a share of a text's length
CAP_FROM = 4  # pixels; thinner lines need no round ends


@lru_cache(maxsize=64)
def _font(size: float) -> ImageFont.FreeTypeFont | ImageFont.ImageFont:
    return ImageFont.load_default(size)  # Pillow's own font: the same picture on every machine


@lru_cache(maxsize=4096)  # text is the slow part, and most of it repeats from picture to picture
def _written(text: str, size: float, bold: bool) -> tuple[Image.Image, float, float, float]:
    """A text as a mask, the offset of its upper left corner from the start of its base line, and its length."""
    font, weight = _font(size), 0.025 * size if bold else 0.0  # the font has no bold face
    left, top, right, bottom = font.getbbox(text, anchor="ls", stroke_width=weight)
    mask = Image.new("L", (ceil(right - left) + 2, ceil(bottom - top) + 2))
    ImageDraw.Draw(mask).text((-left, -top), text, 255, font, "ls", stroke_width=weight)
    return mask, left, top, font.getlength(text)


def _stroke(draw: ImageDraw.ImageDraw, points: Points, colour: str, width: float, scale: float) -> None:
    thick = max(1, round(width * scale))
    draw.line(points, colour, thick, "curve" if thick > 1 else None)
    if thick >= CAP_FROM:
        radius = thick / 2 - 0.5
        for x, y in (points[0], points[-1]):
            draw.ellipse((x - radius, y - radius, x + radius, y + radius), colour)


def _scaled(points: Points, scale: float) -> Points:
    return tuple((x * scale, y * scale) for x, y in points)


def _draw(draw: ImageDraw.ImageDraw, shape: Polygon | Line | Circle, scale: float) -> None:
    if isinstance(shape, Polygon):
        points = _scaled(shape.points, scale)
        if shape.fill:
            draw.polygon(points, shape.fill)
        if shape.stroke:
            _stroke(draw, (*points, points[0]), shape.stroke, shape.width, scale)
    elif isinstance(shape, Line):
        _stroke(draw, _scaled(shape.points, scale), shape.stroke, shape.width, scale)
    else:
        x, y, radius = shape.x * scale, shape.y * scale, shape.radius * scale
        draw.ellipse((x - radius, y - radius, x + radius, y + radius), shape.fill)


def _write(image: Image.Image, shape: Label, scale: float) -> None:
    mask, left, top, length = _written(shape.text, shape.size * scale, shape.bold)
    x = shape.x * scale + left - SHIFTS[shape.anchor] * length
    image.paste(shape.fill, (round(x), round(shape.y * scale + top)), mask)


def render(picture: Picture, width: int | None = None) -> NDArray[np.uint8]:
    """RGB pixels, ``uint8`` (height, width, 3); by default one pixel per unit of the picture's sheet."""
    width = picture.width if width is None else width
    scale = FINER * width / picture.width
    height = round(width * picture.height / picture.width)
    image = Image.new("RGB", (FINER * width, FINER * height))
    draw = ImageDraw.Draw(image)
    for shape in picture.shapes:
        if isinstance(shape, Label):
            _write(image, shape, scale)
        else:
            _draw(draw, shape, scale)
    return np.array(image.reduce(FINER))
