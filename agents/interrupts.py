"""SIGTERM ends a command as Ctrl-C does. Imports little, because it is needed before the heavy imports."""

from __future__ import annotations

import contextlib
import signal
import threading
from collections.abc import Iterator
from types import FrameType


@contextlib.contextmanager
def terminating_like_ctrl_c() -> Iterator[None]:
    """Make SIGTERM raise KeyboardInterrupt. Works in the main thread only; in other threads it does nothing."""
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
