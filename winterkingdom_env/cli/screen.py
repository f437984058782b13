"""The terminal as a full screen: redrawn before every prompt, with an input line at the foot."""

from __future__ import annotations

import signal
import sys
import threading
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, suppress
from types import FrameType
from typing import Any

from rich.control import Control
from rich.text import Text

from winterkingdom_env.cli.terminal import err
from winterkingdom_env.render.screen import LEAST_HEIGHT, LEAST_WIDTH

with suppress(ImportError):  # gives line editing; Windows has no readline
    import readline

CLEAR_LINE, CLEAR_REST = "\x1b[K", "\x1b[J"


class Resized(Exception):
    """The terminal was resized; ``typed`` is the unfinished input."""

    def __init__(self, typed: str) -> None:
        """Keep the unfinished input."""
        super().__init__(typed)
        self.typed = typed


def is_interactive() -> bool:
    """Whether both stdin and stderr are terminals."""
    return sys.stdin is not None and sys.stdin.isatty() and err.is_terminal and not err.is_dumb_terminal


def fits() -> bool:
    """Whether there is a terminal large enough for the full screen."""
    return is_interactive() and err.width >= LEAST_WIDTH and err.height >= LEAST_HEIGHT


class FullScreen:
    """The alternate screen of the terminal; ``close`` restores the previous content."""

    def __init__(self) -> None:
        """The first ``draw`` opens the screen."""
        self.is_open = False
        self._typed = ""  # unfinished input before a resize

    def draw(self, lines: Sequence[Text]) -> None:
        """Redraw the screen; the cursor ends up in the line below the last one."""
        if not self.is_open:
            self.is_open = err.set_alt_screen(True)
        with err.capture() as drawn:
            for line in lines:
                err.print(line, soft_wrap=True)
        content = drawn.get().replace("\n", f"{CLEAR_LINE}\r\n")
        self._write(f"{_code(Control.home())}{content}{CLEAR_REST}")

    def say(self, words: str) -> None:
        """Replace the content of the cursor's line."""
        if self.is_open:
            self._write(f"\r{words[: err.width - 1]}{CLEAR_LINE}")

    def ask(self, prompt: str) -> str:
        """The line typed after the prompt; EOFError at the end of input, Resized if the terminal is resized."""
        with _noticing_size():
            try:
                return self._read(prompt)
            except Resized as resized:
                self._typed = resized.typed
                raise

    def _read(self, prompt: str) -> str:
        if not sys.stdout.isatty():  # input() would print the prompt on stdout
            self._write(prompt)
            return input()
        if "readline" in globals():
            typed, self._typed = self._typed, ""
            readline.set_startup_hook(lambda: readline.insert_text(typed) if typed else None)
        return input(prompt)

    def close(self) -> None:
        """Restore the previous content of the terminal."""
        if self.is_open:
            self._write(f"{_code(Control.home())}{CLEAR_REST}")  # after a resize, tmux would keep parts of it
            err.set_alt_screen(False)
            self.is_open = False

    def _write(self, content: str) -> None:
        err.file.write(content)
        err.file.flush()


def _code(control: Control) -> str:
    return str(control)


@contextmanager
def _noticing_size() -> Iterator[None]:
    """Raise Resized when the terminal is resized; works in the main thread only, and needs SIGWINCH."""
    number = getattr(signal, "SIGWINCH", None)
    if number is None or threading.current_thread() is not threading.main_thread():
        yield
        return

    def notice(number: int, frame: FrameType | None) -> None:
        raise Resized(readline.get_line_buffer() if "readline" in globals() else "")

    old: Any = signal.signal(number, notice)
    try:
        yield
    finally:
        signal.signal(number, old)
