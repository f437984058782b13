"""The terminal as a full screen: drawn over at every look, with a line to type in at its foot."""

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

with suppress(ImportError):  # lines can be edited where there is one; there is none on Windows
    import readline

CLEAR_LINE, CLEAR_REST = "\x1b[K", "\x1b[J"


class Resized(Exception):
    """The terminal has another size now; ``typed`` is what stood at the prompt."""

    def __init__(self, typed: str) -> None:
        """Keep what was typed."""
        super().__init__(typed)
        self.typed = typed


def is_interactive() -> bool:
    """Whether somebody sits there: what is typed comes from a terminal, and what is asked goes to one."""
    return sys.stdin is not None and sys.stdin.isatty() and err.is_terminal and not err.is_dumb_terminal


def fits() -> bool:
    """Whether there is a terminal with room for a screen."""
    return is_interactive() and err.width >= LEAST_WIDTH and err.height >= LEAST_HEIGHT


class FullScreen:
    """The alternate screen of the terminal. What stood there before comes back when it is closed."""

    def __init__(self) -> None:
        """Nothing is changed before the first ``draw``."""
        self.is_open = False
        self._typed = ""  # before the terminal changed its size

    def draw(self, lines: Sequence[Text]) -> None:
        """Draw over everything; the cursor stands in the line below the last one."""
        if not self.is_open:
            self.is_open = err.set_alt_screen(True)
        with err.capture() as drawn:
            for line in lines:
                err.print(line, soft_wrap=True)
        content = drawn.get().replace("\n", f"{CLEAR_LINE}\r\n")
        self._write(f"{_code(Control.home())}{content}{CLEAR_REST}")

    def say(self, words: str) -> None:
        """Write into the line where the cursor is, in the place of what stands there."""
        if self.is_open:
            self._write(f"\r{words[: err.width - 1]}{CLEAR_LINE}")

    def ask(self, prompt: str) -> str:
        """What is typed behind the prompt; EOFError at the end of input, Resized if the terminal changes its size."""
        with _noticing_size():
            try:
                return self._read(prompt)
            except Resized as resized:
                self._typed = resized.typed
                raise

    def _read(self, prompt: str) -> str:
        if not sys.stdout.isatty():  # then input() would print the prompt there
            self._write(prompt)
            return input()
        if "readline" in globals():
            typed, self._typed = self._typed, ""
            readline.set_startup_hook(lambda: readline.insert_text(typed) if typed else None)
        return input(prompt)

    def close(self) -> None:
        """Back to what stood there before."""
        if self.is_open:
            self._write(f"{_code(Control.home())}{CLEAR_REST}")  # after a change of size some of it would stay in tmux
            err.set_alt_screen(False)
            self.is_open = False

    def _write(self, content: str) -> None:
        err.file.write(content)
        err.file.flush()


def _code(control: Control) -> str:
    return str(control)


@contextmanager
def _noticing_size() -> Iterator[None]:
    """Raise Resized when the terminal changes its size; only the main thread hears of it, and not on every system."""
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
