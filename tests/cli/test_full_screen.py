"""The terminal as a full screen: what is written to it, and what was there before comes back."""

# The name of a test is its sentence.
from __future__ import annotations

import builtins
import io
import os
import signal

import pytest
from rich.console import Console
from rich.text import Text

from winterkingdom_env.cli import screen as screen_module
from winterkingdom_env.cli.screen import FullScreen, Resized

OPENED, CLOSED, HOME = "\x1b[?1049h", "\x1b[?1049l", "\x1b[H"


@pytest.fixture
def written(monkeypatch: pytest.MonkeyPatch) -> io.StringIO:
    """What is written to a terminal of 80 x 24."""
    console = Console(file=io.StringIO(), force_terminal=True, width=80, height=24, legacy_windows=False, _environ={})
    monkeypatch.setattr(screen_module, "err", console)
    return console.file  # type: ignore[return-value]  # that of the line above


def test_draw__writes_over_everything_and_close_gives_it_back(written: io.StringIO) -> None:
    screen = FullScreen()
    screen.close()
    screen.say("nobody looks")
    assert written.getvalue() == "", "nothing before the first draw"
    screen.draw([Text("one"), Text("two")])
    assert written.getvalue().startswith(OPENED) and screen.is_open
    assert written.getvalue().endswith(f"{HOME}one\x1b[K\r\ntwo\x1b[K\r\n\x1b[J")
    screen.draw([Text("three")])
    screen.say("x" * 200)
    assert written.getvalue().count(OPENED) == 1 and written.getvalue().endswith(f"\r{'x' * 79}\x1b[K")
    screen.close()
    screen.close()
    assert written.getvalue().endswith(CLOSED) and written.getvalue().count(CLOSED) == 1


def test_ask__stdout_is_no_terminal__the_prompt_goes_to_stderr(
    written: io.StringIO, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(builtins, "input", lambda *prompt: f"typed {prompt}")
    assert FullScreen().ask("what > ") == "typed ()"
    assert written.getvalue() == "what > "


@pytest.mark.skipif(not hasattr(signal, "SIGWINCH"), reason="this system does not tell of changes of size")
def test_ask__terminal_changes_its_size__is_told_and_the_signal_is_given_back(
    written: io.StringIO, monkeypatch: pytest.MonkeyPatch
) -> None:
    def resize(*prompt: str) -> str:
        os.kill(os.getpid(), signal.SIGWINCH)
        while True:  # the signal arrives here at the latest
            prompt = (*prompt[:0],)

    before = signal.getsignal(signal.SIGWINCH)
    monkeypatch.setattr(builtins, "input", resize)
    with pytest.raises(Resized):
        FullScreen().ask("> ")
    assert signal.getsignal(signal.SIGWINCH) == before
