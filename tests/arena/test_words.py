"""Words from outside are printed as they are: no markup, no emoji codes, nothing that a terminal would obey."""

from __future__ import annotations

import io

import pytest
import typer
from msgspec.structs import force_setattr, replace
from rich.console import Console

from agents.arena import main
from agents.results import Forfeit, new_tournament
from agents.schedule import Mode, Settings
from agents.summary import cross_table, ladder_table, show, summarise
from agents.tournament import _Watch
from tests.arena.helpers import made_up
from winterkingdom_env.cli import terminal as terminal_module
from winterkingdom_env.core.drawing import score_table
from winterkingdom_env.core.plain_text import plain
from winterkingdom_env.render import text

HOSTILE = "[red]a[/red] :smile: \x1b[2J\x07\u202e\ud800"
HARMLESS = "[red]a[/red] :smile: \\x1b[2J\\x07\\u202e\\ud800"


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("", ""),
        ("Kö 漢 🙂 é", "Kö 漢 🙂 é"),
        ("a\nb\tc\rd", "a b c d"),
        ("\x00\x1b\x7f\x9b", "\\x00\\x1b\\x7f\\x9b"),
        ("\u200b\u202e\u2066\ufeff\u2028", "\\u200b\\u202e\\u2066\\ufeff\\u2028"),
        ("\U000e0041", "\\U000e0041"),
        ("\ud800 \udcff", "\\ud800 \\udcff"),
        ("[b] :smile: \\n", "[b] :smile: \\n"),
    ],
)
def test_plain__spells_out_what_is_not_to_be_seen(text: str, expected: str) -> None:
    assert plain(text) == expected
    assert plain(expected) == expected


def test_plain__keeps_what_it_is_told_to_keep() -> None:
    assert plain("a\n\tb\x1b", keep="\n\t") == "a\n\tb\\x1b"


def test_plain__every_character_can_be_stored_and_is_harmless() -> None:
    for code in range(0x110000):
        spelled = plain(chr(code))
        assert spelled.isprintable()
        spelled.encode()


@pytest.fixture
def terminal(monkeypatch: pytest.MonkeyPatch) -> io.StringIO:
    """What somebody at a terminal would be sent, on stdout or stderr, without colours."""
    seen = io.StringIO()
    for name in ("out", "err"):
        old = getattr(terminal_module, name)
        monkeypatch.setattr(old, "_file", seen)
        monkeypatch.setattr(old, "_force_terminal", True)
        monkeypatch.setattr(old, "_color_system", None)
    return seen


def test_say_tell_and_fail__print_words_as_they_are(terminal: io.StringIO) -> None:
    terminal_module.say(HOSTILE)
    terminal_module.tell(HOSTILE)
    with pytest.raises(typer.Exit):
        terminal_module.fail(HOSTILE)
    assert terminal.getvalue() == f"{HARMLESS}\n{HARMLESS}\nerror: {HARMLESS}\n"


def test_tables__show_names_as_they_are(terminal: io.StringIO) -> None:
    settings = Settings(agents=("a", "b", "c"), game="winter_kingdom", mode=Mode.ROUND_ROBIN, games=2)
    tournament = new_tournament(settings, "arena", "today")
    force_setattr(settings, "agents", (HOSTILE, "b", "c"))  # refused before; the tables do not rely on that
    force_setattr(tournament, "names", settings.names)
    results = [made_up(0, 0, (0, 1), (5, 3)), made_up(0, 1, (1, 0), (4, 4)), made_up(0, 0, (1, 2), (5, 3), 1)]
    names = {"a": HOSTILE}
    results = [replace(each, seats=[names.get(name, name) for name in each.seats]) for each in results]
    summary = summarise(tournament, results, 4, None)
    for table in (
        ladder_table(summary),
        cross_table(summary),
        text.view([score_table([{"Castles": 3}], [0], [HOSTILE])]),
    ):
        console = Console(file=io.StringIO(), width=300)
        console.print(table)
        printed = console.file.getvalue()  # type: ignore[attr-defined]
        assert HARMLESS in printed and "\x1b" not in printed and "\U0001f604" not in printed


def test_progress__tells_of_forfeits_as_they_are() -> None:
    seen = Console(file=io.StringIO(), force_terminal=True, color_system=None, width=300)
    watch = _Watch(seen, 2, [])
    lost = Forfeit(0, HOSTILE, "raised", HOSTILE)
    with watch.shown():
        watch.see(replace(made_up(0, 0, (0, 1), (1, 2)), forfeit=lost))
    printed = seen.file.getvalue()  # type: ignore[attr-defined]
    assert f"{HARMLESS} forfeits (raised): {HARMLESS}" in printed and "\x07" not in printed


def test_summary__tells_of_forfeits_as_they_are(terminal: io.StringIO) -> None:
    settings = Settings(agents=("a", "b"), game="winter_kingdom", mode=Mode.HEAD_TO_HEAD, games=2)
    result = replace(made_up(0, 0, (0, 1), (1, 2)), forfeit=Forfeit(0, "a", "raised", HOSTILE))
    show(
        summarise(new_tournament(settings, "arena", "today"), [result], 2, None),
        terminal_module.put,
        terminal_module.say,
    )
    assert f"a forfeited 1 game (raised), the first 000000-0000-0: {HARMLESS}\n" in terminal.getvalue()


def test_error__of_the_command_line_is_printed_as_it_is(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["random", "[red]:smile:\x1b[2J"]) == 2
    assert "'[red]:smile:\\x1b[2J' has an unprintable character" in capsys.readouterr().err
