"""The screen of somebody who plays: it fits, it shows what matters, and it shows nothing that is hidden."""

# The name of a test is its sentence.
from __future__ import annotations

import random
import re
from collections.abc import Iterator
from typing import Any

import pytest

from tests.house.games import EXAMPLE, NAMES, random_game
from winterkingdom_env.cli import terminal as terminal_module
from winterkingdom_env.cli.human import OnScreen
from winterkingdom_env.cli.input import choices_of
from winterkingdom_env.cli.question import N_LOOKS, Question
from winterkingdom_env.cli.table import Move, Sitting, turn_lines
from winterkingdom_env.core.drawing import SEAT_LETTERS, on_place
from winterkingdom_env.core.picture import HexMap, Lines, Look, Screen
from winterkingdom_env.games import get_game
from winterkingdom_env.games import winter_kingdom as wk
from winterkingdom_env.games.winter_kingdom.explain import ASKED
from winterkingdom_env.games.winter_kingdom.tables import CARDS, TERRAIN_LETTERS, TERRAIN_NAMES
from winterkingdom_env.render.screen import (
    FEWER_ROWS,
    LEAST_HEIGHT,
    LEAST_WIDTH,
    Composed,
    Shown,
    board_lines,
    compose,
    panel_lines,
)
from winterkingdom_env.render.text import as_rich
from winterkingdom_env.search.view import View

every_game = pytest.mark.parametrize("name", NAMES)
SIZES = ((80, 24), (100, 50), (200, 25))
EVERY = {name: 7 if name == EXAMPLE else 53 for name in NAMES}  # decisions of a whole game are drawn
COMMANDS = ("help", "cards", "score", "log", "board", "up", "down", "row 12", "", "dance " * 40, "99 99", "undo")


class Glass:
    """A screen that keeps what is drawn, and whose size a test chooses."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch, width: int, height: int) -> None:
        monkeypatch.setattr(terminal_module.err, "_width", width)
        monkeypatch.setattr(terminal_module.err, "_height", height)
        self.lines: list[str] = []
        self.prompt = ""

    def draw(self, lines: Any) -> None:
        self.lines = [line.plain for line in lines]

    def ask(self, prompt: str) -> str:
        self.prompt = prompt
        return ""


def decisions(name: str, seed: int, every: int) -> Iterator[tuple[Any, Question]]:
    """Decisions of one random game, as people meet them."""
    moves: list[Move] = []
    dice = random.Random(seed)
    game = next(random_game(get_game(name), seed))
    while not game.is_over:
        sitting = Sitting(game, [lambda view: 0] * game.n_players, ["planner:width=40"] * game.n_players)
        sitting.moves = list(moves)
        if len(moves) % every == 0:
            yield game, Question(View(game, game.seat), 0, sitting)
        action = dice.choice(game.legal_actions())
        moves.append(Move(game.seat, game.label(action)))
        game.apply(action)


def drawn(
    question: Question, monkeypatch: pytest.MonkeyPatch, size: tuple[int, int], *typed: str
) -> tuple[Glass, OnScreen]:
    glass = Glass(monkeypatch, *size)
    asked = OnScreen(question, glass)  # type: ignore[arg-type]  # it has the two methods that are called
    asked.show_board()
    asked.read()
    for words in typed:
        assert asked.obey(words) is None
        asked.read()
    return glass, asked


@every_game
@pytest.mark.parametrize("seed", range(3))
def test_screen__every_size_and_command__fits(name: str, seed: int, monkeypatch: pytest.MonkeyPatch) -> None:
    n = 0
    for _, question in decisions(name, seed, EVERY[name]):
        question.why_not = lambda: "nothing can be taken back"  # type: ignore[method-assign]
        for size in SIZES:
            glass, asked = drawn(question, monkeypatch, size)
            for words in COMMANDS:
                assert asked.obey(words) is None
                for _ in range(2):
                    asked.read()
                    assert len(glass.lines) <= size[1] - 1, f"{words!r} at {size}"
                    assert max(map(len, glass.lines)) <= size[0] and len(glass.prompt) < LEAST_WIDTH / 2
                    n += 1
                    asked.scroll(0)
                asked.show_board()
    assert n >= 100


@every_game
def test_screen__at_the_least_size__says_what_is_asked_and_everything_that_can_be_chosen(
    name: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    n_cut = n = 0
    for game, question in decisions(name, 1, 3 if name == EXAMPLE else 11):
        glass, _ = drawn(question, monkeypatch, (LEAST_WIDTH, LEAST_HEIGHT))
        shown = "\n".join(glass.lines)
        assert f"round {game.round}, seat {game.seat}" in glass.lines[0]
        assert "total " in shown
        listed = question.choices.listed
        n += 1
        if "help lists all" in shown:
            n_cut += 1
        else:
            assert all(f"{number} {label}" in shown for number, label in enumerate(listed, 1))
    assert n > 5 and n_cut < n / 4


def test_board__every_place_that_can_be_chosen__is_read_at_its_row_and_column(monkeypatch: pytest.MonkeyPatch) -> None:
    n = 0
    for game, question in decisions("winter_kingdom", 2, 17):
        glass, _ = drawn(question, monkeypatch, (100, 60))
        found = set()
        for line in glass.lines[1:]:
            row = re.match(r" *(\d\d) (.*?) (\d\d)(?: |$)", line)
            if row is None or row[1] != row[3]:
                continue
            for cell in re.findall("..", row[2]):
                if cell.isdecimal():
                    found.add((int(row[1]), int(cell)))
        assert found == set(choices_of(game).places)
        n += len(found)
    assert n > 100


def test_board__low_terminal__follows_what_can_be_chosen_and_scrolls(monkeypatch: pytest.MonkeyPatch) -> None:
    _, question = next(decisions("winter_kingdom", 0, 1))
    glass, asked = drawn(question, monkeypatch, (80, 24))
    first: Composed = asked._shown
    assert first.n_rows >= 12 and "legal: " in "\n".join(glass.lines)
    seen = set()
    for _ in range(4):
        seen |= set(range(asked._shown.top, asked._shown.top + asked._shown.n_rows))
        asked.obey("")
        asked.read()
    assert seen >= set(range(27)), "Enter shows every part"
    for words, top in (
        ("row 26", 26 - first.n_rows + 1),
        ("row 0", 0),
        ("up", 0),
        ("down", min(27 - first.n_rows, first.n_rows // 2)),
    ):
        asked.obey(words)
        asked.read()
        assert asked._shown.top == top, words
    asked.obey("board")
    asked.read()
    assert asked._shown.top == first.top
    best = max(range(27 - first.n_rows + 1), key=lambda top: _n_seen(question, top, first.n_rows))
    assert _n_seen(question, first.top, first.n_rows) == _n_seen(question, best, first.n_rows)


def _n_seen(question: Question, top: int, n: int) -> int:
    return sum(top <= row < top + n for row, _ in question.choices.places)


def test_board__pieces_that_came_since__are_marked_until_the_turn_ends(monkeypatch: pytest.MonkeyPatch) -> None:
    n = 0
    for game, question in decisions("winter_kingdom", 0, 4):
        others = {
            piece for seat, player in enumerate(game.snapshot()["players"]) if seat != game.seat for piece in player["houses"] + player["forts"]
        }  # fmt: skip
        came = {move.label.split()[1] for move in question.news() if on_place(move.label)}
        legal = {label.split()[1] for label in question.choices.labels if on_place(label)}
        glass, _ = drawn(question, monkeypatch, (100, 60))
        marks = re.findall(r"(.)!", "\n".join(glass.lines))
        assert len(marks) == len(came & others - legal)
        assert all(SEAT_LETTERS.index(mark.lower()) != game.seat for mark in marks)
        n += len(marks)
    assert n > 10


def test_board__colours__are_those_of_the_ground_and_of_the_pieces() -> None:
    n = 0
    for _, question in decisions("winter_kingdom", 0, 9):
        board = question.screen.board
        assert isinstance(board, HexMap)
        grounds = {
            (cell.row, cell.col): as_rich(cell.words).spans[:1] or as_rich(cell.words).style for cell in board.cells
        }
        for row in board_lines(board, Shown("", legal=list(question.choices.labels))).values():
            number = int(row.plain.split()[0])
            for span in row.spans:
                text = row.plain[span.start : span.end]
                if text.isdecimal() and span.style.bold:  # type: ignore[union-attr]  # as_rich gives styles
                    first = grounds[number, int(text)]
                    style = first[0].style if isinstance(first, list) else first
                    assert span.style.bgcolor == style.bgcolor is not None  # type: ignore[union-attr]
                    n += 1
    assert n > 100


@every_game
def test_screen__games_that_look_the_same_to_the_seat__are_the_same_screen(
    name: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    n = 0
    for game, question in decisions(name, 3, EVERY[name]):
        twin = game.determinize(game.seat, 99)
        other = Question(View(twin, game.seat), 0, question.sitting)
        pages = []
        for asked in (question, other):
            pages.append(
                [
                    drawn(asked, monkeypatch, (90, 40), words)[0].lines
                    for words in ("board", "cards", "score", "help", "log")
                ]
            )
        assert pages[0] == pages[1]
        n += game.to_bytes() != twin.to_bytes()
    assert n > 1, "nothing was hidden"


@every_game
def test_points__public_ones_are_numbers_and_hidden_ones_ranges_that_hold(name: str) -> None:
    n_ranges = 0
    for game, question in decisions(name, 0, 2 if name == EXAMPLE else 21):
        *_, (title, totals) = question.points()
        assert title == "total" and len(totals) == game.n_players
        sheet = [sum(row.values()) for row in game.score_sheet()]
        for seat, said in enumerate(totals):
            n_ranges += ".." in said
            if ".." not in said and name != EXAMPLE:
                assert int(said) == sheet[seat]
        assert int(totals[game.seat]) == sheet[game.seat], "one's own are always known"
    assert (n_ranges > 0) == (name == EXAMPLE) and N_LOOKS > 1


def test_notes__every_card_action__has_words_and_a_price() -> None:
    seen = set()
    for seed in range(3):
        for game, question in decisions("winter_kingdom", seed, 5):
            before = game.snapshot()["players"][game.seat]["coins"]
            for label in question.choices.listed:
                note = question.screen.notes[label]
                verb = label.partition(" ")[0]
                seen.add(verb)
                assert note, label
                if verb in ("acquire", "upgrade", "triple") and "house rules" not in note:
                    tried = game.clone()
                    tried.apply(tried.parse(label))
                    paid = before - tried.snapshot()["players"][game.seat]["coins"]
                    assert note.startswith(f"{paid} coin"), (label, note)
    assert seen == {"use", "acquire", "upgrade", "triple", "done"}


def test_cards__hand_and_table__are_listed_with_words_and_prices(monkeypatch: pytest.MonkeyPatch) -> None:
    game, question = next(decisions("winter_kingdom", 0, 1))
    glass, _ = drawn(question, monkeypatch, (100, 60), "cards")
    shown = "\n".join(glass.lines)
    snapshot = game.snapshot()
    hand = snapshot["players"][game.seat]["hand"]
    assert all(name in shown for name in (*hand, *snapshot["scoring"], snapshot["economy"], "Tunnel"))
    others = [name for name in snapshot["players"][1 - game.seat]["hand"] if name not in hand]
    assert not any(re.search(rf"\b{name}\b", shown) for name in others)
    assert re.search(rf"{hand[0]} +\d \+ \d", shown)


def test_cards__of_a_game_that_says_nothing__are_its_tables(monkeypatch: pytest.MonkeyPatch) -> None:
    _, question = next(decisions(EXAMPLE, 0, 1))
    glass, _ = drawn(question, monkeypatch, (100, 60), "cards")
    assert "weapon cards" in "\n".join(glass.lines) and "prize cards" in "\n".join(glass.lines)


def test_turn_lines__a_line_per_seat_in_a_row() -> None:
    moves = [
        Move(0, "done"),
        Move(1, "house r01c02"),
        Move(1, "house r01c03"),
        Move(1, "fort r02c02"),
        Move(1, "done"),
        Move(0, "use X"),
    ]
    assert turn_lines(moves, ["a", "b"]) == ["a: done", "b: house r01c02 r01c03, fort r02c02, done", "a: use X"]


def test_compose__message__is_whole_and_the_board_gives_room(monkeypatch: pytest.MonkeyPatch) -> None:
    _, question = next(decisions("winter_kingdom", 0, 1))
    glass, asked = drawn(question, monkeypatch, (80, 24))
    before = asked._shown.n_rows
    asked.obey("0 99")
    asked.read()
    shown = " ".join(" ".join(glass.lines).split())
    assert "there is no place 0 99: row 0 has columns " in shown and asked._shown.n_rows < before
    assert compose(question.screen, _shown_of(question), 80, 24).n_rows == before


def _shown_of(question: Question) -> Shown:
    return Shown(question.title, list(question.choices.labels), question.choices.listed, points=question.points())


def buying(least: int) -> Iterator[Question]:
    """Decisions of random games with many listed actions and nothing on the board."""
    for seed in range(9):
        for game in random_game(get_game("winter_kingdom"), seed):
            choices = choices_of(game)
            if len(choices.listed) >= least and not choices.places:
                yield Question(View(game, game.seat), 0, None)


def test_buying__many_options__the_board_and_the_own_numbers_stay(monkeypatch: pytest.MonkeyPatch) -> None:
    n = 0
    for question in buying(6):
        glass, asked = drawn(question, monkeypatch, (LEAST_WIDTH, LEAST_HEIGHT))
        shown = "\n".join(glass.lines)
        assert asked._shown.n_rows >= FEWER_ROWS
        assert re.search(r"total +-?\d", shown) and re.search(r"coins +\d", shown) and "hand: " in shown
        assert f"{SEAT_LETTERS[question.seat]} you have " in shown
        for number, label in enumerate(question.choices.listed, 1):
            assert sum(f"{number} {label}" in line for line in glass.lines) == 1
        n += 1
        if n == 12:
            break
    assert n == 12


def test_actions__a_line_each__are_cut_with_three_dots() -> None:
    labels = [f"buy {i}" for i in range(6)]
    screen = Screen(Lines(("board",) * 20), "", notes=dict.fromkeys(labels, "words " * 40))
    lines = [line.plain for line in compose(screen, Shown("title", labels, labels), 80, 24).lines]
    entries = [line for line in lines if re.match(r" \d buy \d  words", line)]
    assert len(entries) == 6 and all(line.endswith("words...") and len(line) <= 80 for line in entries)
    large = [line.plain for line in compose(screen, Shown("title", labels, labels), 80, 90).lines]
    assert " ".join(large).count("words") == 6 * 40


def test_panel__too_low__keeps_totals_first_count_and_first_facts() -> None:
    counts = tuple((name, ("1", "2")) for name in ("coins", "second", "third"))
    screen = Screen(Lines(()), "", counts, ("hand", "own", "cards", "others"))
    shown = Shown("", points=[("first", ["1", "2"]), ("total", ["3", "4"])])
    for height, names in (
        (2, ["0a", "total"]),
        (3, ["0a", "coins", "total"]),
        (6, ["0a", "coins", "total", "hand", "own", "cards"]),
        (8, ["0a", "coins", "second", "third", "total", "hand", "own", "cards"]),
        (20, ["0a", "coins", "second", "third", "first", "total", "hand", "own", "cards", "others"]),
    ):
        assert [line.plain.split()[0] for line in panel_lines(screen, shown, 30, height)] == names


def test_title__of_every_decision__fits() -> None:
    for _, question in decisions("winter_kingdom", 0, 5):
        assert len(question.title) <= LEAST_WIDTH, question.title
    terrain, card = max(TERRAIN_NAMES, key=len), max((card.name for card in CARDS), key=len)
    for words in ASKED.values():
        asked = words.format(terrain=terrain, card=card, lifted="r00c00", number=3)
        assert len(f"round 100, seat 3 (d): {asked}") <= LEAST_WIDTH, asked


def test_legend_and_marks__every_terrain_and_sign__is_told(monkeypatch: pytest.MonkeyPatch) -> None:
    _, question = next(decisions("winter_kingdom", 0, 1))
    glass, _ = drawn(question, monkeypatch, (LEAST_WIDTH, LEAST_HEIGHT))
    assert re.sub("[^A-Z]", "", glass.lines[1]) == TERRAIN_LETTERS and len(glass.lines[1]) <= LEAST_WIDTH
    glass, _ = drawn(question, monkeypatch, (100, 80), "help")
    shown = "\n".join(glass.lines)
    for mark, words in (
        ("a b", "a house of this seat"),
        ("A B", "a fort: counts as 2 houses, and never moves"),
        (r"a\^", "the house that is being moved"),
        (r"Mine\+", "the card is upgraded"),
        ("a!", "new: "),
        ("06", "you can choose this place"),
    ):
        assert re.search(f"{mark} +{re.escape(words)}", shown), mark


def test_forts__among_the_pieces_that_can_be_chosen__are_told_apart(monkeypatch: pytest.MonkeyPatch) -> None:
    game, dice = wk.new_game(wk.Config(economy="Salvage"), seed=1), random.Random(1)
    while True:
        forts = game.snapshot()["players"][game.seat]["forts"]
        if game.phase == "after" and forts:
            break
        fort = [action for action in game.legal_actions() if game.label(action).startswith("fort ")]
        game.apply(dice.choice(fort or game.legal_actions()))
    question = Question(View(game, game.seat), 0, None)
    glass, _ = drawn(question, monkeypatch, (100, 60))
    named = next(line for line in glass.lines if line.startswith("row column: ")).partition("fort: ")[2]
    assert {tuple(map(int, name.split())) for name in named.split(", ")} == {
        (at.row, at.col) for at in (on_place(f"lift {name}") for name in forts) if at is not None
    }
    board = question.screen.board
    assert isinstance(board, HexMap)
    legal = [f"lift {forts[0]}"]
    plain, noted = (board_lines(board, Shown("", legal=legal), notes) for notes in ({}, question.screen.notes))
    row = int(forts[0][1:3])
    assert plain[row].plain == noted[row].plain and plain[row].spans != noted[row].spans


def test_turn_lines__goal_of_a_move__is_no_further_piece() -> None:
    labels = ("use X", "lift r06c11", "house r11c19", "house r14c10", "house r14c11", "fort r01c01", "done")
    assert turn_lines([Move(0, label) for label in labels], ["a"]) == [
        "a: use X, lift r06c11, house r11c19, house r14c10 r14c11, fort r01c01, done"
    ]


def test_cards__boards_and_direction__are_told_as_they_are_seen() -> None:
    for seed, scoring in ((1, ("Knights", "Masses", "Loners")), (1, ("Scouts", "Masses", "Loners"))):
        game = wk.new_game(wk.Config(scoring=scoring), seed=seed)
        snapshot = game.snapshot()
        cards = Question(View(game, 0), 0, None).screen.cards
        for name, number in (("top", snapshot["top_board"]), ("bottom", snapshot["bottom_board"]), ("centre", 0)):
            rows = [place["row"] for place in snapshot["hexes"] if place["board"] == number]
            columns = [place["col"] for place in snapshot["hexes"] if place["board"] == number]
            words = f"rows {min(rows)}-{max(rows)}, columns {min(columns)}-{max(columns)}, a hexagon around r"
            assert next(card.text for card in cards if card.name == f"{name} board").startswith(words)
        along = [card.text for card in cards if card.where == "direction"]
        assert len(along) == ("Knights" in scoring)
        for words in along:
            first, second = (on_place(f"x {name}") for name in words.split()[-2:])
            assert first is not None and second is not None
            step = second.row - first.row, second.col - first.col
            assert step == {"row": (0, 1), "column": (1, 0), "diagonal": (1, -1)}[snapshot["direction"]]


def test_facts__a_supply_runs_out__the_last_round_is_announced() -> None:
    said, dice = set(), random.Random(0)
    game = wk.new_game(seed=2)
    while not game.is_over:
        snapshot = game.snapshot()
        left = [player["houses_left"] + player["forts_left"] for player in snapshot["players"]]
        first = as_rich(wk.screen(snapshot, Look(game.seat)).facts[0]).plain
        assert ("this is the last round" in first) == (min(left) == 0)
        said.add(first.partition(":")[0])
        game.apply(dice.choice(game.legal_actions()))
    assert said == {"hand", "may be the last round", "this is the last round"}
