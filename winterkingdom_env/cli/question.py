"""One decision of a human player: the position as the seat sees it, the legal actions, and pages of text."""

from __future__ import annotations

from collections.abc import Sequence

from winterkingdom_env.cli.input import Choices, choices_of
from winterkingdom_env.cli.table import Move, Sitting, turn_lines
from winterkingdom_env.core.drawing import seat_name
from winterkingdom_env.core.picture import Card, Column, Lines, Look, Screen, Span, Style, Table, Words
from winterkingdom_env.games import Game, get_game, name_of
from winterkingdom_env.render.screen import FRESH, places_hint
from winterkingdom_env.search.view import View

N_LOOKS = 8  # samples of the hidden cards; points that differ between them are shown as a range
BOLD = Style(bold=True)
COMMANDS = (
    ("12 6", "the place in row 12, column 6; also 12,6 or r12c06, and with a verb before it"),
    ("3", "the listed action with the number 3"),
    ("done", "an action by its name, or by prefixes of its words"),
    ("undo", "take back your last action of this turn"),
    ("cards", "your hand, the cards in play and those that all play by, with text and price"),
    ("score", "all points, as if the game ended now"),
    ("log", "all moves so far"),
    ("board", "back to the board; also show"),
    ("up, down, row 12", "scroll the board; Enter alone shows the next part"),
    ("help, ?", "this page"),
    ("quit, q", "end the game; the record keeps the moves so far"),
)

Page = Sequence[Words | Table]  # text to show


class Question:
    """One decision of a human player: the game as the seat sees it, the legal actions, and the pages of the commands."""

    def __init__(self, view: View, seed: int, sitting: Sitting | None) -> None:
        """``seed``: for resampling what the seat cannot see."""
        self.seat, self.sitting = view.seat, sitting
        self.game: Game = view.determinize(seed)  # hidden information is resampled, so nothing can leak
        self.choices: Choices = choices_of(self.game)
        self._rules = get_game(name_of(self.game))
        self.moves: list[Move] = [] if sitting is None else sitting.moves
        names = sitting.names if sitting is not None else [""] * view.n_players
        self.names = [f"{seat_name(seat)} {name}".strip() for seat, name in enumerate(names)]
        self.look = Look(view.seat, list(self.choices.labels))
        self.screen: Screen = self._rules.screen(self.game.snapshot(), self.look)
        self._deals = [view.determinize(seed + 1 + i).score_sheet() for i in range(N_LOOKS)]

    @property
    def title(self) -> str:
        """Round, seat and what to decide."""
        return f"round {self.game.round}, seat {seat_name(self.seat)}: {self.screen.asked}"

    def points(self) -> list[tuple[str, list[str]]]:
        """A row per item of the score sheet, and the total: the points of each seat, as a range if they depend on hidden information."""
        seats = range(self.game.n_players)
        rows = [
            (name, [_range([deal[seat][name] for deal in self._deals]) for seat in seats]) for name in self._deals[0][0]
        ]
        totals = [_range([sum(deal[seat].values()) for deal in self._deals]) for seat in seats]
        return [*rows, ("total", totals)]

    def before_turn(self) -> list[Move]:
        """The moves before this turn."""
        n = len(self.moves)
        while n and self.moves[n - 1].seat == self.seat:
            n -= 1
        return self.moves[:n]

    def own(self) -> list[str]:
        """The seat's own actions of this turn."""
        return [move.label for move in self.moves[len(self.before_turn()) :]]

    def news(self) -> list[Move]:
        """The moves of the others since the seat's last turn."""
        before = self.before_turn()
        n = len(before)
        while n and before[n - 1].seat != self.seat:
            n -= 1
        return before[n:]

    def why_not(self) -> str:
        """Why nothing can be taken back; "" if something can."""
        if self.sitting is None:
            return "nothing can be taken back here"
        return "" if self.sitting.turn.befores else self.sitting.turn.why_not

    # Pages

    def help(self) -> list[Words | Table]:
        """The legal actions, the commands, and the facts shown beside the board."""
        lines: list[Words | Table] = [Span("legal now", BOLD)]
        hint = places_hint(list(self.choices.labels), notes=self.screen.notes)
        lines += [f"   {hint}"] if hint else []
        for number, label in enumerate(self.choices.listed, 1):
            note = self.screen.notes.get(label, "")
            lines.append((Span(f"{number:2d} {label}"), Span(f"  {note}" if note else "", Style(dim=True))))
        lines += ["", Span("commands", BOLD)]
        has_map = not isinstance(self.screen.board, Lines)
        rows = tuple((Span(name, BOLD), words) for name, words in COMMANDS if has_map or "12" not in name)
        lines.append(Table((Column(), Column(wraps=True)), rows, has_head=False))
        lines += ["", Span("marks", BOLD), self._marks(has_map)] if has_map or self.screen.marks else []
        return [*lines, "", Span("beside the board", BOLD), *self.screen.facts] if self.screen.facts else lines

    def _marks(self, has_map: bool) -> Table:
        """What stands on the board and its meaning."""
        every = (
            (f"a{FRESH}", "new: built or moved by another seat since your last turn"),
            ("06", "you can choose this place; 06 is its column"),
        )
        rows = tuple((Span(mark, BOLD), words) for mark, words in (*self.screen.marks, *(every if has_map else ())))
        return Table((Column(), Column(wraps=True)), rows, has_head=False)

    def score(self) -> list[Words]:
        """All points, as if the game ended now."""
        rows = self.points()
        width = max(len(name) for name, _ in rows)
        head = " ".join(f"{seat_name(seat):>8}" for seat in range(self.game.n_players))
        lines: list[Words] = [Span("points, as if the game ended now", BOLD), f"{'':{width}} {head}"]
        lines += [f"{name:{width}} {' '.join(f'{word:>8}' for word in words)}" for name, words in rows]
        return [*lines, "", *self.names]

    def log(self) -> list[Words]:
        """All moves, the last turn first."""
        return [Span("moves, last turn first", BOLD), *reversed(turn_lines(self.moves, self.names))]

    def cards(self) -> Table | None:
        """The cards that matter now; None if the game does not name them."""
        if not self.screen.cards:
            return None
        columns = Column(), Column(), Column(), Column(wraps=True)
        head = tuple(Span(name, Style(dim=True)) for name in ("", "card", "price", "text"))
        pairs = zip(self.screen.cards, (None, *self.screen.cards), strict=False)
        return Table(columns, (head, *(_card_row(card, before) for card, before in pairs)), has_head=False)

    def all_cards(self) -> list[Words | Table]:
        """Every card of the game, for a game that does not name those that matter now."""
        house_rules = getattr(self.game.config, "house_rules", "")
        try:
            return [found.table for found in self._rules.cards(house_rules)]
        except ValueError:  # drawn from the game's seed, which a player must not know
            note = "These are the printed cards; the random house rules of this game change some of them."
            return [note, *(found.table for found in self._rules.cards())]


def _range(numbers: Sequence[int]) -> str:
    least, most = min(numbers), max(numbers)
    return str(least) if least == most else f"{least}..{most}"


def _card_row(card: Card, before: Card | None) -> tuple[Words, ...]:
    where = "" if before is not None and before.where == card.where else card.where
    return Span(where, Style(dim=True)), Span(card.name, BOLD), card.price, card.text
