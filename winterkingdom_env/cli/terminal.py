"""How the command line speaks: results on stdout, everything else on stderr, colour only where somebody looks."""

from __future__ import annotations

import errno
import os
import sys
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from typing import Any, NoReturn

import typer
from rich.console import Console, RenderableType
from rich.text import Text

from winterkingdom_env.core.exit_codes import Exit
from winterkingdom_env.core.plain_text import plain
from winterkingdom_env.render.text import to_text

out = Console(highlight=False, emoji=False)
err = Console(stderr=True, highlight=False, emoji=False)


def as_text(text: str, keep: str = "") -> Text:
    """Words from outside, for a console or the cell of a table: markup and emoji codes as they are, nothing that steers a terminal."""
    return Text(plain(text, keep))


def tell(text: str, console: Console = err, style: str | None = None) -> None:
    """Print words on stderr, or on another console; lines are never broken."""
    console.print(as_text(text, keep="\n"), style=style, soft_wrap=True)


def fail(message: object, code: int = Exit.WRONG_USE) -> NoReturn:
    """End the command with one message on stderr."""
    tell(f"error: {message}", style="red" if err.is_terminal else None)
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
    if out.is_terminal:
        out.print(content)
    else:
        sys.stdout.write(to_text(content, colour=False))


def say(text: str, style: str | None = None) -> None:
    """Print one line of words on stdout, never broken."""
    out.print(as_text(text), style=style, soft_wrap=True)


def print_json(content: Any) -> None:
    """Print one line of JSON."""
    import msgspec

    try:
        line = msgspec.json.encode(content)
    except UnicodeEncodeError:  # the name of a file need not be text
        line = msgspec.json.encode(_as_utf8(msgspec.to_builtins(content)))
    sys.stdout.write(line.decode() + "\n")


def _as_utf8(content: Any) -> Any:
    """Plain data in which every text can be stored as UTF-8: the half of a surrogate pair is spelled out."""
    if isinstance(content, str):
        return content.encode(errors="backslashreplace").decode()
    if isinstance(content, dict):
        return {_as_utf8(key): _as_utf8(value) for key, value in content.items()}
    return [_as_utf8(value) for value in content] if isinstance(content, list | tuple) else content


@contextmanager
def heard() -> Iterator[None]:
    """For a whole command: what it prints reaches stdout, or one line says why it does not, and the exit code is 1.

    Nothing is said about a pipe whose reader has left, as ``head`` does.
    """
    if sys.stdout is None:  # closed by who started us: no file of ours may get its number, and to print is an error
        sys.stdout = os.fdopen(os.open(os.devnull, os.O_RDONLY), "w")
    try:
        try:
            yield
        finally:
            sys.stdout.flush()
    except OSError as error:
        if error.filename is not None:  # about a file
            raise
        with suppress(OSError):  # what waits in the buffer would fail again at the very end
            os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
            if error.errno != errno.EPIPE:
                tell(f"error: stdout cannot be written: {error.strerror}")
        raise SystemExit(Exit.FAILED) from None
