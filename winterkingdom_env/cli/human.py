"""The human player at the terminal: display, commands and prompts (docs/playing.md)."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable

from rich.text import Text

from winterkingdom_env.cli.input import matches, understand
from winterkingdom_env.cli.question import Page, Question
from winterkingdom_env.cli.screen import FullScreen, Resized, fits, is_interactive
from winterkingdom_env.cli.table import Sitting, Stopped, TakenBack, turn_lines
from winterkingdom_env.cli.terminal import err, tell
from winterkingdom_env.core.drawing import legal_summary, seat_name
from winterkingdom_env.core.picture import Lines, Table
from winterkingdom_env.render import picture_of, text
from winterkingdom_env.render.screen import LEAST_HEIGHT, LEAST_WIDTH, Composed, Shown, compose, page, wrapped
from winterkingdom_env.search.view import View

MOST_LISTED = 60  # places in one message
MOST_MOVES = 200  # most recent moves passed to the screen

# --- asking -----------------------------------------------------------------------------------------------------------


class Dialogue(ABC):
    """Asks until a legal action is typed. The two subclasses below decide how things are shown."""

    def __init__(self, question: Question) -> None:
        """Set up the commands; nothing is shown yet."""
        self.question = question
        self._commands: dict[str, Callable[[], None]] = {
            "help": lambda: self.show_page(question.help()), "?": lambda: self.show_page(question.help()),
            "cards": self._cards, "score": lambda: self.show_page(question.score()),
            "log": lambda: self.show_page(question.log()), "board": self.show_board, "show": self.show_board,
            "undo": self._undo, "quit": self._quit, "exit": self._quit, "up": lambda: self.scroll(-1), "down": lambda: self.scroll(1),
            "": lambda: self.scroll(0),
        }  # fmt: skip

    def ask_until_legal(self) -> int:
        """The first legal action that is typed."""
        self.show_board()
        while True:
            action = self.obey(" ".join(self.read().split()))
            if action is not None:
                return action

    def obey(self, typed: str) -> int | None:
        """Run a command, or parse an action. A legal action takes precedence over a command of the same name."""
        folded = typed.casefold()
        if folded in self._commands and folded not in map(str.casefold, self.question.choices.labels):
            self._commands[folded]()
            return None
        if folded == "q" and not matches("q", self.question.choices.labels):
            self._quit()
        head, _, number = folded.partition(" ")
        if head == "row" and number.isdecimal():
            self.show_row(int(number))
            return None
        known = {card.name for card in self.question.screen.cards}
        action, answer = understand(self.question.game, typed, self.question.choices, known)
        if action is None:
            self.say(answer)
        return action

    def _cards(self) -> None:
        cards = self.question.cards()
        self.show_page([cards] if cards is not None else self.question.all_cards())

    def _undo(self) -> None:
        why_not = self.question.why_not()
        if not why_not:
            raise TakenBack
        self.say(why_not)

    def _quit(self) -> None:
        raise Stopped

    @abstractmethod
    def read(self) -> str:
        """The typed line; EOFError at the end of input."""

    @abstractmethod
    def say(self, words: str) -> None:
        """Show a message."""

    @abstractmethod
    def show_board(self) -> None:
        """Show the position."""

    @abstractmethod
    def show_page(self, content: Page) -> None:
        """Show a page of text."""

    @abstractmethod
    def scroll(self, direction: int) -> None:
        """Scroll the board up (-1) or down (1); 0 shows the next part."""

    @abstractmethod
    def show_row(self, row: int) -> None:
        """Scroll to a row of the board."""


class OnPaper(Dialogue):
    """Prints line by line: for scripts, and for terminals too small for the full screen."""

    def __init__(self, question: Question, waits: bool) -> None:
        """``waits``: switch to the full screen as soon as the terminal is large enough."""
        super().__init__(question)
        self._waits = waits

    def read(self) -> str:
        """The typed line; Resized if the full screen fits now."""
        if self._waits and fits():
            raise Resized("")
        return err.input(f"seat {self.question.seat}, {self.question.game.phase} (? for help)> ")

    def say(self, words: str) -> None:
        """Print a message."""
        tell(words)

    def show_board(self) -> None:
        """Print the position and the numbered actions."""
        question = self.question
        err.print(text.view(picture_of(question.game, question.look)))
        for number, label in enumerate(question.choices.listed, 1):
            note = question.screen.notes.get(label, "")
            tell(f"{number:2d} {label}{f': {note}' if note else ''}")

    def show_page(self, content: Page) -> None:
        """Print the whole page."""
        err.print(text.view([Lines((line,)) if not isinstance(line, Table) else line for line in content]))

    def scroll(self, direction: int) -> None:
        """List the legal actions: there is nothing to scroll."""
        tell(f"legal: {legal_summary(list(self.question.choices.labels), MOST_LISTED)}")

    def show_row(self, row: int) -> None:
        """List the legal actions: there is nothing to scroll."""
        self.scroll(0)


class OnScreen(Dialogue):
    """Redraws the full screen before every prompt: the board, or a page of text."""

    def __init__(self, question: Question, screen: FullScreen) -> None:
        """``screen``: where to draw."""
        super().__init__(question)
        self._screen = screen
        self._message = ""
        self._top: int | None = None
        self._page: list[Text] = []
        self._first = 0  # first visible line of the page
        self._shown = Composed([], 0, 0, 0)

    def read(self) -> str:
        """Draw the screen and read a line at its foot."""
        if self._page:
            lines, following = page(self._page, self._first, err.height)
            self._screen.draw(lines)
            return self._screen.ask("Enter: next part > " if following else "Enter: back to the board > ")
        question = self.question
        before, news = question.before_turn(), question.news()
        shown = Shown(
            question.title, list(question.choices.labels), question.choices.listed, [move.label for move in news], question.own(),
            question.points(), turn_lines(before[-MOST_MOVES:], question.names), len(turn_lines(news, question.names)),
            self._message, self._top,
        )  # fmt: skip
        self._shown = compose(question.screen, shown, err.width, err.height)
        self._screen.draw(self._shown.lines)
        return self._screen.ask(f"seat {seat_name(question.seat)}, ? for help > ")

    def say(self, words: str) -> None:
        """Show a message at the next redraw."""
        self._message, self._page = words, []

    def show_board(self) -> None:
        """Return to the board, scrolled to the legal places."""
        self._message, self._top, self._page = "", None, []

    def show_page(self, content: Page) -> None:
        """Show a page from its first line."""
        self._page, self._first, self._message = _lines_of(content, err.width), 0, ""

    def scroll(self, direction: int) -> None:
        """Scroll half a view up (-1) or down (1); 0 shows the next part of the page or board."""
        if self._page:
            self._turn_page(direction)
            return
        shown, self._message = self._shown, ""
        if direction:
            self._top = min(shown.last, max(0, shown.top + direction * max(1, shown.n_rows // 2)))
        else:
            following = shown.top + shown.n_rows
            self._top = following if following <= shown.last else 0

    def _turn_page(self, direction: int) -> None:
        if direction < 0:
            self._first = max(0, self._first - (err.height - 2))
            return
        _, self._first = page(self._page, self._first, err.height)
        if not self._first:
            self._page = []

    def show_row(self, row: int) -> None:
        """Scroll a row to the middle of the view."""
        self._message, self._page, self._top = "", [], max(0, row - self._shown.n_rows // 2)


def _lines_of(content: Page, width: int) -> list[Text]:
    """A page as lines of at most ``width`` columns."""
    lines: list[Text] = []
    for part in content:
        if not isinstance(part, Table):
            lines += wrapped(part, width)
            continue
        for segments in err.render_lines(text.view([part]), err.options.update_width(width), pad=False):
            lines.append(Text.assemble(*((segment.text, segment.style or "") for segment in segments)))
    while lines and not lines[-1].plain.strip():
        lines.pop()
    return lines


# --- the agent --------------------------------------------------------------------------------------------------------


class HumanAgent:
    """A human at the terminal: shows the board and the legal actions, and asks. ``help`` lists the commands, ``quit`` ends the game."""

    def __init__(self, seed: int = 0, plain: bool = False) -> None:
        """Prompts go to stderr, answers come from stdin. ``plain``: print line by line even if the full screen fits."""
        self._seed, self._plain = seed, plain
        self._sitting: Sitting | None = None
        self._screen = FullScreen()
        self._is_told = False

    # The Person protocol

    @property
    def has_screen(self) -> bool:
        """Whether the full screen is in use."""
        return not self._plain and fits()

    def sit(self, sitting: Sitting) -> None:
        """Join a game; all humans in it share the screen."""
        self._sitting = sitting
        first = next(person for person in sitting.people if isinstance(person, HumanAgent))
        self._screen = first._screen

    def wait(self, seat: int) -> None:
        """Show which agent is thinking."""
        if self._sitting is not None:
            self._screen.say(f"{seat_name(seat)} {self._sitting.names[seat]} is thinking ...")

    def leave(self) -> None:
        """Restore the terminal."""
        self._screen.close()

    # Deciding

    def __call__(self, view: View) -> int:
        """The typed action; raises ``Stopped`` at the end of stdin, on Ctrl-C and on ``quit``."""
        question = Question(view, self._seed, self._sitting)
        try:
            self._draw_curtain(view.seat)
            return self._decide(question)
        except (EOFError, KeyboardInterrupt):
            if not self._screen.is_open:
                err.print()
            raise Stopped from None

    def _decide(self, question: Question) -> int:
        while True:
            try:
                if self.has_screen:
                    return OnScreen(question, self._screen).ask_until_legal()
                self._screen.close()
                self._tell_why_on_paper()
                return OnPaper(question, not self._plain).ask_until_legal()
            except Resized:
                continue

    def _tell_why_on_paper(self) -> None:
        """Say once that the terminal is too small for the full screen."""
        if is_interactive() and not self._plain and not self._is_told:
            tell(f"terminal smaller than {LEAST_WIDTH} x {LEAST_HEIGHT}: line by line")
        self._is_told = True

    def _draw_curtain(self, seat: int) -> None:
        """If several humans share the terminal, hide the game until the one to move presses Enter."""
        sitting = self._sitting
        if sitting is None or len(sitting.people) < 2 or not is_interactive() or sitting.shown_to == seat:
            return
        sitting.shown_to = seat
        words = f"seat {seat_name(seat)}, press Enter"
        while True:
            try:
                if self.has_screen:
                    self._screen.draw([Text()] * (err.height // 2))
                    self._screen.ask(f"{'':{max(0, err.width // 2 - 12)}}{words} ")
                else:
                    self._screen.close()
                    err.clear()
                    err.input(f"{words} ")
                return
            except Resized:
                continue
