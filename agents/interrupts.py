"""SIGTERM ends a command as Ctrl-C does. Imports next to nothing: it is wanted before anything heavy is loaded."""

from __future__ import annotations

import contextlib
import signal
import threading
from collections.abc import Iterator
from types import FrameType


@contextlib.contextmanager
def terminating_like_ctrl_c() -> Iterator[None]:
    """A polite request to end (SIGTERM) raises KeyboardInterrupt. Only the main thread can ask for that; in others nothing changes."""
    if threading.current_thread() is not threading.main_thread():
        yield
        return

    def interrupt(number: int, frame: FrameType | None) -> None:
        raise KeyboardInterrupt

    before = signal.signal(signal.SIGTERM, interrupt)
    try:
        yield
    finally:
        signal.signal(signal.SIGTERM, before)
