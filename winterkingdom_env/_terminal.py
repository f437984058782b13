"""How the command line speaks: results on stdout, everything else on stderr, colour only where somebody looks."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any, NoReturn

import typer
from rich.console import Console, RenderableType

FAILED, WRONG_USE, BROKEN_OFF = 1, 2, 130  # exit codes

out = Console(highlight=False)
err = Console(stderr=True, highlight=False)


def fail(message: object, code: int = WRONG_USE) -> NoReturn:
    """End the command with one message on stderr."""
    err.print(f"error: {message}", markup=False, style="red" if err.is_terminal else None, soft_wrap=True)
    raise typer.Exit(code)


@contextmanager
def wrong_use() -> Iterator[None]:
    """Errors of what was asked for become one line and exit code 2."""
    try:
        yield
    except (ValueError, OSError) as error:
        fail(str(error).replace("overwrite=True", "--overwrite"))


def put(content: RenderableType) -> None:
    """Print something drawn: as wide as the terminal, or plain and without blanks at the ends of lines."""
    from winterkingdom_env.render.text import to_text

    if out.is_terminal:
        out.print(content)
    else:
        sys.stdout.write(to_text(content, colour=False))


def say(text: str, style: str | None = None) -> None:
    """Print one line of words, never broken."""
    out.print(text, style=style, markup=False, soft_wrap=True)


def print_json(content: Any) -> None:
    """Print one line of JSON."""
    import msgspec

    sys.stdout.write(msgspec.json.encode(content).decode() + "\n")
