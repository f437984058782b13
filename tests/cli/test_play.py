"""A person at the table: line by line, on a screen, taking back, two at one terminal, and what the record keeps."""

# The name of a test is its sentence.
from __future__ import annotations

import json
import os
import random
import signal
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from typer.testing import CliRunner

from tests.house.games import EXAMPLE, EXAMPLE_ADDRESS, NAMES, random_game
from winterkingdom_env.cli import human as human_module
from winterkingdom_env.cli import question as question_module
from winterkingdom_env.cli import screen as screen_module
from winterkingdom_env.cli import terminal as terminal_module
from winterkingdom_env.cli.commands import app
from winterkingdom_env.cli.human import HumanAgent, OnPaper
from winterkingdom_env.cli.input import Choices
from winterkingdom_env.cli.question import Question
from winterkingdom_env.cli.table import AgentFailed, Move, Person, Sitting, Stopped, TakenBack
from winterkingdom_env.games import get_game
from winterkingdom_env.games import winter_kingdom as wk
from winterkingdom_env.games.undo import OpenTurn, reveals
from winterkingdom_env.records import RecordWriter, read_record, replay
from winterkingdom_env.search.agents import RandomAgent
from winterkingdom_env.search.view import View

every_game = pytest.mark.parametrize("name", NAMES)


def run(*arguments: object, stdin: str | None = None) -> Any:
    """A command in this process, without a terminal."""
    result = CliRunner().invoke(app, [str(argument) for argument in arguments], input=stdin)
    assert result.exception is None or isinstance(result.exception, SystemExit), result.exception
    assert "\x1b" not in result.stdout + result.stderr and "Traceback" not in result.stderr
    return result


def lines(*typed: str) -> str:
    return "".join(f"{line}\n" for line in typed)


# --- line by line -----------------------------------------------------------------------------------------------------


def test_paper__commands_errors_and_end_of_input(tmp_path: Path) -> None:
    path = tmp_path / "game.jsonl"
    game = wk.new_game(config=wk.Config(num_players=2), seed=7)
    label = game.label(game.legal_actions()[0])
    typed = lines("?", "hou", "dance", "show", "cards", "score", "log", "row 3", "", label.upper())
    result = run("play", "--agents", "human,random", "--seed", 7, "--record", path, stdin=typed)
    assert result.exit_code == 130 and result.stdout == ""
    assert "take back your last action" in result.stderr and "'dance' is not an action" in result.stderr
    assert "'hou' matches " in result.stderr and "as if the game ended now" in result.stderr
    assert result.stderr.count("^  is being moved") == 3  # at the start, after show, and for the second action
    assert f"seat 0: {label}" in result.stderr and f"1 actions are kept in {path}" in result.stderr
    record = read_record(path)
    assert [step.action for step in record.actions] == [label] and record.end is None
    assert replay(path).n_actions == 1


def test_paper__quits_with_json__nothing_on_stdout() -> None:
    result = run("play", "--agents", "human", "--seed", 7, "--json", stdin=lines("quit"))
    assert (result.exit_code, result.stdout) == (130, "") and "stopped in round 1" in result.stderr


def test_paper__q__quits_unless_it_begins_an_action() -> None:
    result = run("play", "--agents", "human", "--seed", 7, stdin=lines("q", "dance"))
    assert result.exit_code == 130 and "stopped in round 1" in result.stderr and "dance" not in result.stderr
    question = Question(View(wk.new_game(seed=7), 0), 0, None)
    question.choices = Choices({"queue": 1})
    assert OnPaper(question, waits=False).obey("q") == 1


def test_options__too_few_values_of_a_list__says_how_many_are_needed() -> None:
    result = run("play", "--set", "scoring=Knights")
    assert result.exit_code == 2
    assert "'scoring=Knights' is invalid: it names 1 value; scoring takes 3 values separated by commas" in result.stderr


def test_result__of_two_seats__has_the_points_of_the_winner_first() -> None:
    for seed in range(3):
        data = json.loads(run("play", "--seed", seed, "--json").stdout)
        if len(data["winners"]) == 1:
            said = f"wins {max(data['scores'])} to {min(data['scores'])}\n"
            assert said in run("play", "--seed", seed, "--show", "none").stdout


def test_paper__undo__takes_back_and_the_record_holds_what_stands(tmp_path: Path) -> None:
    path = tmp_path / "game.jsonl"
    game = wk.new_game(config=wk.Config(num_players=2), seed=7)
    first, second = (game.label(action) for action in game.legal_actions()[:2])
    typed = lines("undo", first, "undo", "undo", second)
    result = run("play", "--agents", "human,random", "--seed", 7, "--record", path, stdin=typed)
    assert result.exit_code == 130
    assert result.stderr.count("nothing can be taken back: your turn has just begun") == 2
    assert f"seat 0 takes back: {first}" in result.stderr
    assert [step.action for step in read_record(path).actions] == [second]


@pytest.mark.parametrize("address", ["winter_kingdom", EXAMPLE_ADDRESS])
def test_paper__a_whole_game_by_numbers_and_labels__is_recorded(address: str, tmp_path: Path) -> None:
    """Somebody who types the first legal label each time, and nothing else, comes to the end."""
    path = tmp_path / "game.jsonl"
    rules = get_game(address)
    game, dice, typed = rules.new_game(seed=5), RandomAgent(seed=3), []
    while not game.is_over:
        action = game.legal_actions()[0] if game.seat == 0 else dice(View(game, game.seat))
        typed += [game.label(action)]
        game.apply(action)
    result = run(
        "play",
        "--agents",
        "human",
        "--game",
        address,
        "--seed",
        5,
        "--record",
        path,
        "--show",
        "none",
        stdin=lines(*typed),
    )
    assert result.exit_code == 0, result.stderr
    report = replay(path)
    assert report.is_complete and report.scores == game.scores() and report.n_actions == len(typed)


def test_moves_unseen__are_those_after_the_last_of_a_human() -> None:
    sitting = Sitting(wk.new_game(seed=5), [HumanAgent(0), RandomAgent(0)])
    assert sitting.moves_unseen() == []
    sitting.moves += [Move(1, "first"), Move(0, "own"), Move(1, "second"), Move(1, "third")]
    assert sitting.moves_unseen() == [Move(1, "second"), Move(1, "third")]
    assert Sitting(wk.new_game(seed=5), [RandomAgent(0)] * 2).moves_unseen() == []


# --- taking back ------------------------------------------------------------------------------------------------------


@every_game
def test_reveals__exactly_what_hangs_on_something_hidden(name: str) -> None:
    """The truth is found in another way: many more deals, compared by what the seat observes."""
    n = {True: 0, False: 0}
    for seed in range(4):
        dice = random.Random(seed)
        game = next(random_game(get_game(name), seed))
        while not game.is_over:
            action, seat, after = dice.choice(game.legal_actions()), game.seat, game.clone()
            after.apply(action)
            if sum(n.values()) % 3 == 0 or not n[True]:
                seen = {after.observe(seat, "packed")["observation"].tobytes()}
                for deal in range(100):
                    other = game.determinize(seat, 1000 + deal)
                    other.apply(action)
                    seen.add(other.observe(seat, "packed")["observation"].tobytes())
                assert reveals(game, action, after) == (len(seen) > 1), game.label(action)
            n[reveals(game, action, after)] += 1
            game = after
    assert n[True] > 5 and n[False] > 5


def drawing_game() -> tuple[Any, int]:
    """A game in which one seat is asked twice in a row, and draws a card between: it answers, then its own turn begins."""
    for seed in range(50):
        game = get_game(EXAMPLE).new_game(seed=seed)
        game.apply(game.legal_actions()[0])
        before, after = game.clone(), game.clone()
        after.apply(game.parse("yield"))
        if (after.seat, after.round) == (before.seat, before.round):
            return before, game.parse("yield")
    raise AssertionError("no such game")


def test_undo__after_a_card_was_drawn__is_refused_with_the_reason() -> None:
    before, action = drawing_game()
    after = before.clone()
    after.apply(action)
    assert (after.seat, after.round) == (before.seat, before.round), "the same seat is asked again"
    turn = OpenTurn()
    turn.add(before, action, after)
    assert not turn.befores
    assert turn.why_not == "yield cannot be taken back: it revealed hidden information"


class Scripted:
    """A person who does what a test says: labels, or None to take back. Keeps what was seen."""

    has_screen = False

    def __init__(self, *does: str | None, then: type[BaseException] = Stopped) -> None:
        self.does, self.then, self.seen = list(does), then, list[bytes]()
        self.why_not = list[str]()

    def sit(self, sitting: Sitting) -> None:
        self.sitting, self.has_left = sitting, False

    def wait(self, seat: int) -> None:
        pass

    def leave(self) -> None:
        self.has_left = True

    def __call__(self, view: View) -> int:
        self.seen.append(self.sitting.game.to_bytes())
        while self.does:
            do = self.does.pop(0)
            if do is not None:
                return view.parse(do)
            if self.sitting.turn.befores:
                raise TakenBack
            self.why_not.append(self.sitting.turn.why_not)
        raise self.then


def test_undo__of_every_step_of_a_turn__is_the_position_before() -> None:
    game = wk.new_game(config=wk.Config(num_players=2), seed=7)
    copy, labels, positions = game.clone(), list[str](), [game.to_bytes()]
    while copy.phase != "after":
        labels.append(copy.label(copy.legal_actions()[0]))
        copy.apply(copy.legal_actions()[0])
        positions.append(copy.to_bytes())
    person = Scripted(*labels, *[None] * (len(labels) + 1))
    assert isinstance(person, Person)
    sitting = Sitting(game, [person, RandomAgent(seed=1)])
    with pytest.raises(Stopped):
        sitting.play()
    assert person.seen == positions + positions[-2::-1] and len(labels) == 3
    assert person.why_not == ["nothing can be taken back: your turn has just begun"]
    assert not sitting.moves and sitting.game.to_bytes() == positions[0] and person.has_left


def test_undo__once_the_others_moved__is_refused() -> None:
    game = wk.new_game(config=wk.Config(num_players=2), seed=7)
    copy, labels = game.clone(), list[str]()
    while copy.seat == 0:
        labels.append(copy.label(copy.legal_actions()[-1 if copy.phase == "after" else 0]))
        copy.apply(copy.legal_actions()[-1 if copy.phase == "after" else 0])
    person = Scripted(*labels, None)
    sitting = Sitting(game, [person, RandomAgent(seed=1)])
    with pytest.raises(Stopped):
        sitting.play()
    assert person.why_not == ["nothing can be taken back: your turn has just begun"]
    assert [move.label for move in sitting.moves[: len(labels)]] == labels and sitting.game.seat == 0


class Hesitant(Scripted):
    """Plays at random. Takes back whatever can be, once, and then does it again."""

    def __init__(self, dice: random.Random, hesitates: bool) -> None:
        super().__init__()
        self.dice, self.hesitates, self.n_undone = dice, hesitates, 0
        self.last, self.is_again = -1, False

    def __call__(self, view: View) -> int:
        if self.is_again:
            self.is_again = False
            return self.last
        if self.hesitates and self.sitting.turn.befores and self.n_undone < len(self.sitting.moves):
            self.n_undone, self.is_again = len(self.sitting.moves), True
            raise TakenBack
        self.last = self.dice.choice(view.legal_actions())
        return self.last


@every_game
def test_undo__any_number_of_times__leaves_the_game_as_if_never_done(name: str) -> None:
    ends = []
    for hesitates in (False, True):
        game, dice = next(random_game(get_game(name), 2)), random.Random(5)
        people = [Hesitant(dice, hesitates) for _ in range(game.n_players)]
        sitting = Sitting(game, people)
        sitting.play()
        ends.append((sitting.game.to_bytes(), sitting.moves))
        assert any(person.n_undone for person in people) == (hesitates and name != EXAMPLE)
    assert ends[0] == ends[1]


# --- the record -------------------------------------------------------------------------------------------------------


@pytest.fixture
def recorded(tmp_path: Path) -> Callable[..., list[str]]:
    """Plays until it stops, with a record; the labels that were kept."""
    path = tmp_path / "game.jsonl.gz"

    def play(person: Scripted, error: type[BaseException], other: Any = None) -> list[str]:
        game = wk.new_game(config=wk.Config(num_players=2), seed=7)
        with RecordWriter(path, game) as writer, pytest.raises(error):
            Sitting(game, [person, other or RandomAgent(seed=1)], writer=writer).play()
        assert replay(path).n_actions == len(read_record(path).actions)
        return [step.action for step in read_record(path).actions]

    return play


def opening(n: int) -> list[str]:
    game, labels = wk.new_game(config=wk.Config(num_players=2), seed=7), list[str]()
    for _ in range(n):
        action = game.legal_actions()[-1 if game.phase == "after" else 0]
        labels.append(game.label(action))
        game.apply(action)
    return labels


@pytest.mark.parametrize("how", [Stopped, KeyboardInterrupt])
def test_record__stopped_in_an_unfinished_turn__keeps_what_stands(
    recorded: Callable[..., list[str]], how: type[BaseException]
) -> None:
    labels = opening(2)
    assert recorded(Scripted(labels[0], labels[1], None, then=how), how) == labels[:1]


@pytest.mark.parametrize("name", ["SIGHUP", "SIGTERM"])
def test_record__terminal_closed_or_process_ended__keeps_what_stands(
    recorded: Callable[..., list[str]], name: str
) -> None:
    number: int = getattr(signal, name, 0)
    if not number:
        pytest.skip(f"there is no {name} on this system")
    before = signal.getsignal(number)

    class Gone(Scripted):
        def __call__(self, view: View) -> int:
            if not self.does:
                os.kill(os.getpid(), number)
                while True:  # the signal arrives here at the latest
                    view.legal_actions()
            return super().__call__(view)

    assert recorded(Gone(*opening(2)), Stopped) == opening(2)
    assert signal.getsignal(number) == before


def test_record__agent_crashes__keeps_everything(recorded: Callable[..., list[str]]) -> None:
    def broken(view: View) -> int:
        raise ZeroDivisionError

    labels = opening(4)
    assert labels[-1] == "done"
    assert recorded(Scripted(*labels), AgentFailed, broken) == labels


def test_record__an_open_turn__is_written_when_it_ends(tmp_path: Path) -> None:
    path, kept = tmp_path / "game.jsonl", list[int]()
    game = wk.new_game(config=wk.Config(num_players=2), seed=7)

    class Looking(Scripted):
        def __call__(self, view: View) -> int:
            kept.append(len(read_record(path).actions))
            return super().__call__(view)

    def other(view: View) -> int:
        kept.append(len(read_record(path).actions))
        raise Stopped

    with RecordWriter(path, game) as writer, pytest.raises(Stopped):
        Sitting(game, [Looking(*opening(4)), other], writer=writer).play()
    assert kept == [0, 0, 0, 0, 4]


# --- a terminal -------------------------------------------------------------------------------------------------------


class Terminal:
    """Stands for a full screen: types what a test says, keeps every screen that was drawn."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch, *typed: str, size: tuple[int, int] = (80, 24)) -> None:
        self.typed, self.drawn, self.is_open, self.n_closed = list(typed), list[str](), False, 0
        monkeypatch.setattr(human_module, "FullScreen", lambda: self)
        monkeypatch.setattr(screen_module, "is_interactive", lambda: True)
        monkeypatch.setattr(human_module, "is_interactive", lambda: True)
        monkeypatch.setattr(terminal_module.err, "_width", size[0])
        monkeypatch.setattr(terminal_module.err, "_height", size[1])

    def draw(self, lines: Any) -> None:
        self.is_open = True
        self.drawn.append("\n".join(line.plain for line in lines))

    def say(self, words: str) -> None:
        self.drawn.append(words)

    def ask(self, prompt: str) -> str:
        self.drawn[-1] += f"\n{prompt}"
        if not self.typed:
            raise EOFError
        return self.typed.pop(0)

    def close(self) -> None:
        self.is_open, self.n_closed = False, self.n_closed + 1


def test_terminal__two_people__see_a_curtain_between_their_turns(monkeypatch: pytest.MonkeyPatch) -> None:
    labels = opening(8)
    game = wk.new_game(config=wk.Config(num_players=2), seed=7)
    terminal = Terminal(monkeypatch, "", *labels[:4], "", *labels[4:8])
    hands = [player["hand"] for player in game.snapshot()["players"]]
    with pytest.raises(Stopped):
        Sitting(game, [HumanAgent(), HumanAgent()]).play()
    seats = [screen for screen in terminal.drawn if "press Enter" in screen]
    assert [screen.split()[-5:] for screen in seats] == [
        ["seat", str(seat), f"({letter}),", "press", "Enter"] for seat, letter in ((0, "a"), (1, "b"), (0, "a"))
    ]
    assert all(len(screen.split()) == 5 for screen in seats), "nothing else is to be seen"
    for screen in terminal.drawn:
        for seat in (0, 1):
            if f", seat {1 - seat} (" in screen.splitlines()[0]:
                shown = set(hands[seat]) - set(hands[1 - seat])
                assert not any(f"{name} " in screen for name in shown), "somebody sees the other's hand"
    assert not terminal.is_open and terminal.n_closed


def test_terminal__one_person__needs_no_curtain_and_hears_who_thinks(monkeypatch: pytest.MonkeyPatch) -> None:
    game = wk.new_game(config=wk.Config(num_players=2), seed=7)
    terminal = Terminal(monkeypatch, *opening(4), "undo", "quit")
    with pytest.raises(Stopped):
        Sitting(game, [HumanAgent(), RandomAgent(seed=1)], ["human", "random"]).play()
    assert not any("press Enter" in screen for screen in terminal.drawn)
    assert "1 (b) random is thinking ..." in terminal.drawn
    assert "1 (b) random: house " in terminal.drawn[-1] and "nothing can be taken back" in terminal.drawn[-1]


def test_terminal__undo_on_the_screen__brings_the_places_back(monkeypatch: pytest.MonkeyPatch) -> None:
    game = wk.new_game(config=wk.Config(num_players=2), seed=7)
    terminal = Terminal(monkeypatch, opening(1)[0], "undo")
    with pytest.raises(Stopped):
        Sitting(game, [HumanAgent(), RandomAgent(seed=1)]).play()
    first, second, third = terminal.drawn
    assert first == third != second


def test_terminal__too_small__prints_line_by_line(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    game = wk.new_game(config=wk.Config(num_players=2), seed=7)
    for size, plain in (((79, 24), False), ((80, 23), False), ((80, 24), True)):
        terminal = Terminal(monkeypatch, size=size)
        monkeypatch.setattr(terminal_module.err, "input", _no_more)
        with pytest.raises(Stopped):
            Sitting(game.clone(), [HumanAgent(plain=plain), RandomAgent(seed=1)]).play()
        printed = capsys.readouterr().err
        assert not terminal.drawn and "is being moved" in printed
        assert printed.count("terminal smaller than 80 x 24: line by line") == (not plain)


def test_terminal__grown_again__comes_back_to_the_screen(monkeypatch: pytest.MonkeyPatch) -> None:
    game = wk.new_game(config=wk.Config(num_players=2), seed=7)
    terminal = Terminal(monkeypatch, "quit", size=(70, 20))

    def growing(prompt: str) -> str:
        monkeypatch.setattr(terminal_module.err, "_width", 80)
        monkeypatch.setattr(terminal_module.err, "_height", 24)
        return "log"

    monkeypatch.setattr(terminal_module.err, "input", growing)
    with pytest.raises(Stopped):
        Sitting(game, [HumanAgent(), RandomAgent(seed=1)]).play()
    assert len(terminal.drawn) == 1 and "? for help" in terminal.drawn[0]


def _no_more(prompt: str) -> str:
    raise EOFError


def test_terminal__resized__draws_again_and_keeps_asking(monkeypatch: pytest.MonkeyPatch) -> None:
    game = wk.new_game(config=wk.Config(num_players=2), seed=7)
    terminal = Terminal(monkeypatch, "quit")
    ask, sizes = terminal.ask, [(120, 40), (80, 24)]

    def shrinking(prompt: str) -> str:
        if sizes:
            width, height = sizes.pop(0)
            monkeypatch.setattr(terminal_module.err, "_width", width)
            monkeypatch.setattr(terminal_module.err, "_height", height)
            raise screen_module.Resized("")
        return ask(prompt)

    monkeypatch.setattr(terminal, "ask", shrinking)
    with pytest.raises(Stopped):
        Sitting(game, [HumanAgent(), RandomAgent(seed=1)]).play()
    small, large, again = terminal.drawn
    assert small.splitlines()[0] == large.splitlines()[0] and len(large.splitlines()) > 24 > len(again.splitlines()) - 1


def test_human__as_an_opponent_of_an_environment__asks_without_a_table() -> None:
    view = View(wk.new_game(seed=7), 0)
    assert Question(view, 0, None).why_not() == "nothing can be taken back here"


def test_page__names_every_command() -> None:
    """docs/playing.md has every command, and the help page, too."""
    text = (Path(__file__).parents[2] / "docs" / "playing.md").read_text(encoding="utf-8")
    question = Question(View(wk.new_game(seed=7), 0), 0, None)
    helped = " ".join(name for name, _ in question_module.COMMANDS)
    for command in filter(None, human_module.OnPaper(question, waits=False)._commands):
        assert f"`{command}`" in text or command == "exit", command
        assert command in helped or command in ("exit", "show"), command
