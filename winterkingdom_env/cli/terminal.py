"""Output of the command line: results on stdout, everything else on stderr, colour only on a terminal."""

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
from winterkingdom_env.render.text import WIDTH, to_text

out = Console(highlight=False, emoji=False)
err = Console(stderr=True, highlight=False, emoji=False)


def as_text(text: str, keep: str = "") -> Text:
    """Untrusted text for a console or a table cell: markup and emoji codes are printed literally, control characters are escaped."""
    return Text(plain(text, keep))


def tell(text: str, console: Console = err, style: str | None = None) -> None:
    """Print text on stderr, or on another console, without wrapping lines."""
    console.print(as_text(text, keep="\n"), style=style, soft_wrap=True)


def fail(message: object, code: int = Exit.WRONG_USE) -> NoReturn:
    """Print an error message on stderr and exit."""
    tell(f"error: {message}", style="red" if err.is_terminal else None)
    raise typer.Exit(code)


@contextmanager
def wrong_use() -> Iterator[None]:
    """Turn ValueError and OSError into a one-line message and exit code 2."""
    try:
        yield
    except (ValueError, OSError) as error:
        fail(str(error).replace("overwrite=True", "--overwrite"))


def put(content: RenderableType) -> None:
    """Print a table or picture on stdout: as wide as the terminal; or plain, without trailing blanks, as wide as COLUMNS says."""
    if out.is_terminal:
        out.print(content)
    else:
        columns = os.environ.get("COLUMNS", "")
        width = int(columns) if columns.isdecimal() and int(columns) else WIDTH
        sys.stdout.write(to_text(content, colour=False, width=width))


def say(text: str, style: str | None = None) -> None:
    """Print one line of text on stdout, without wrapping it."""
    out.print(as_text(text), style=style, soft_wrap=True)


def print_json(content: Any) -> None:
    """Print one line of JSON."""
    import msgspec

    try:
        line = msgspec.json.encode(content)
    except UnicodeEncodeError:  # file names need not be valid text
        line = msgspec.json.encode(_as_utf8(msgspec.to_builtins(content)))
    sys.stdout.write(line.decode() + "\n")


def _as_utf8(content: Any) -> Any:
    """A copy in which every string is valid UTF-8: lone surrogates are escaped."""
    if isinstance(content, str):
        return content.encode(errors="backslashreplace").decode()
    if isinstance(content, dict):
        return {_as_utf8(key): _as_utf8(value) for key, value in content.items()}
    return [_as_utf8(value) for value in content] if isinstance(content, list | tuple) else content


@contextmanager
def heard() -> Iterator[None]:
    """Wraps a whole command: if stdout cannot be written, print one line that says why and exit with code 1.

    A closed pipe, as after ``| head``, prints nothing.
    """
    if sys.stdout is None:  # closed by the parent: reserve its file number, and make printing an error
        sys.stdout = os.fdopen(os.open(os.devnull, os.O_RDONLY), "w")
    try:
        try:
            yield
        finally:
            sys.stdout.flush()
    except OSError as error:
        if error.filename is not None:  # about a file
            raise
        with suppress(OSError):  # flushing the buffer would fail again at exit
            os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
            if error.errno != errno.EPIPE:
                tell(f"error: cannot write to stdout: {error.strerror}")
        raise SystemExit(Exit.FAILED) from None
