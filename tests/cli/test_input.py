"""What somebody types is understood, or the answer says why not and what is close."""

# The name of a test is its sentence.
from __future__ import annotations

import random
from typing import Any

import pytest

from tests.house.games import EXAMPLE, NAMES, random_game
from winterkingdom_env.cli.input import MOST_REASONS, Choices, choices_of, understand
from winterkingdom_env.core.drawing import on_place
from winterkingdom_env.games import get_game
from winterkingdom_env.games import winter_kingdom as wk
from winterkingdom_env.games.winter_kingdom.tables import ABILITIES

every_game = pytest.mark.parametrize("name", NAMES)


@pytest.fixture(scope="module")
def game() -> Any:
    """The beginning of a game: houses and forts on the same places."""
    return wk.new_game(seed=7)


def first_place(game: Any) -> tuple[str, int, int]:
    label = game.label(game.legal_actions()[0])
    at = on_place(label)
    assert at is not None and at.verb == "house"
    return label, at.row, at.col


@pytest.mark.parametrize(
    "form", ["{r} {c}", "{r},{c}", "{r}, {c}", "r{r:02d}c{c:02d}", "R{r} C{c}", "{r}/{c}", "house {r} {c}", "h {r} {c}", "HOUSE R{r}C{c}",
             "{r} {c} house", "  house   r{r:02d}c{c:02d} "]
)  # fmt: skip
def test_place__in_any_spelling__is_the_first_action_there(game: Any, form: str) -> None:
    label, row, col = first_place(game)
    assert understand(game, form.format(r=row, c=col), choices_of(game)) == (game.parse(label), "")


@pytest.mark.parametrize("form", ["fort {r} {c}", "f {r},{c}", "{r} {c} fort", "FORT r{r}c{c}"])
def test_place__with_a_verb__is_that_action(game: Any, form: str) -> None:
    _, row, col = first_place(game)
    action = game.parse(f"fort r{row:02d}c{col:02d}")
    assert understand(game, form.format(r=row, c=col), choices_of(game)) == (action, "")


def test_place__not_legal__says_why_and_what_is_near(game: Any) -> None:
    choices = choices_of(game)
    _, row, col = first_place(game)
    wrong = next(place for place in game.snapshot()["hexes"] if (place["row"], place["col"]) not in choices.places)
    action, answer = understand(game, f"{wrong['row']} {wrong['col']}", choices)
    assert action is None
    assert answer.startswith(f"house {wrong['hex']} is not legal: {wrong['hex']} is {wrong['terrain']}, and ")
    near = answer.partition("nearest legal places: ")[2].split(", ")
    assert near and all(tuple(map(int, place.split())) in choices.places for place in near)
    action, answer = understand(game, f"lift {row} {col}", choices)
    assert action is None and answer.startswith(f"lift r{row:02d}c{col:02d} is not legal: ")


def test_place__that_does_not_exist__says_which_there_are(game: Any) -> None:
    choices = choices_of(game)
    rows = [place["row"] for place in game.snapshot()["hexes"]]
    columns = [place["col"] for place in game.snapshot()["hexes"] if place["row"] == 8]
    action, answer = understand(game, "99 99", choices)
    assert action is None and answer.startswith(f"there is no place 99 99: the rows are 0 to {max(rows)}; nearest ")
    action, answer = understand(game, "8 0", choices)
    assert action is None
    assert answer.startswith(f"there is no place 8 0: row 8 has columns {min(columns)} to {max(columns)}; nearest ")


def test_place__when_nothing_is_done_on_places__is_explained() -> None:
    game = after_the_pieces()
    action, answer = understand(game, "house r13c05", choices_of(game))
    assert action is None
    assert answer.startswith("house r13c05 is not legal: no piece is built now (p. 4); asked for now: special actions")


def after_the_pieces(seed: int = 7) -> Any:
    """The first purchase of a game."""
    game = wk.new_game(seed=seed)
    while game.phase != "after" or choices_of(game).places:
        game.apply(game.legal_actions()[0])
    return game


def test_words__of_an_action_that_is_not_legal_now__are_answered_with_the_rule(game: Any) -> None:
    hand = game.snapshot()["players"][0]["hand"]
    words = "cards are bought after the mandatory pieces (p. 5); asked for now: "
    for typed in ("acquire", "triple", f"acq {hand[0][:3]}", "upg saw", hand[0]):
        action, answer = understand(game, typed, choices_of(game), hand)
        assert action is None and words in answer and "is not an action" not in answer, typed
        assert answer.count(words) == 1, typed


def test_words__of_a_card_that_costs_too_much__name_price_and_coins() -> None:
    game = after_the_pieces()
    snapshot = game.snapshot()
    player = snapshot["players"][snapshot["seat"]]
    costs = {card.name: card.acquire_cost for card in ABILITIES}
    dear = [name for name in player["hand"] if costs[name] > player["coins"]]
    assert dear
    for name in dear:
        action, answer = understand(game, f"acq {name[:4]}", choices_of(game), player["hand"])
        coins = f"{player['coins']} coin{'' if player['coins'] == 1 else 's'}"
        assert (action, answer) == (
            None,
            f"acquire {name} is not legal: {name} costs {costs[name]}, you have {coins} (p. 5)",
        )
    other = next(card.name for card in ABILITIES if card.name not in player["hand"])
    assert f"you do not have {other}" in understand(game, f"upgr {other}", choices_of(game))[1]
    assert "to use a card three times costs 5, you have " in understand(game, "triple", choices_of(game))[1]
    action, answer = understand(game, "acquire", Choices({"done": choices_of(game).labels["done"]}), [])
    assert action is None and answer.count(";") <= MOST_REASONS


CARDS = Choices({"use Mine I": 1, "use Mine II": 2, "acquire Hot springs": 3, "acquire Horse": 4, "done": 5})


@pytest.mark.parametrize(
    ("typed", "action"),
    [("d", 5), ("DONE", 5), ("use mine i", 1), ("use Mine II", 2), ("acq hot", 3), ("acquire hot", 3), ("hot", 3), ("horse", 4), ("3", 3),
     ("5", 5), ("u m ii", 2)],
)  # fmt: skip
def test_words__beginnings_and_numbers__find_one_action(game: Any, typed: str, action: int) -> None:
    assert understand(game, typed, CARDS) == (action, "")


@pytest.mark.parametrize(
    ("typed", "words"),
    [
        ("use", "'use' is ambiguous: use Mine I, use Mine II"),
        ("acquire ho", "'acquire ho' is ambiguous: acquire Hot springs, acquire Horse"),
        ("dnoe", "'dnoe' is not an action; did you mean done? type help"),
        ("dance", "'dance' is not an action; "),
        ("6", "there is no action number 6; the numbers are 1 to 5"),
        ("0", "there is no action number 0"),
        ("upgrade mine", "upgrade Mine is not legal: "),
    ],
)
def test_words__ambiguous_or_wrong__are_answered(game: Any, typed: str, words: str) -> None:
    action, answer = understand(game, typed, CARDS)
    assert action is None and answer.startswith(words)


def test_words__of_many_places__are_summed_up(game: Any) -> None:
    action, answer = understand(game, "house", choices_of(game))
    _, row, col = first_place(game)
    n = len(choices_of(game).places)
    assert (action, answer) == (None, f"'house' matches {n} places; type a row and a column, as in house {row} {col}")
    few = Choices({"lift r01c02": 1, "lift r01c03": 2, "done": 3})
    assert understand(game, "lift", few) == (None, "'lift' is ambiguous: lift r01c02 r01c03")
    assert understand(game, "7", choices_of(game))[1].endswith("a place is a row and a column")


def test_numbers__of_a_game_without_places__are_never_a_place() -> None:
    game = next(random_game(get_game(EXAMPLE), 0))
    choices = choices_of(game)
    assert choices.listed == list(choices.labels) and not choices.places
    for number, label in enumerate(choices.listed, 1):
        assert understand(game, str(number), choices) == (choices.labels[label], "")
        assert understand(game, label.upper(), choices) == (choices.labels[label], "")
    action, answer = understand(game, "play 7 1", choices)
    assert action is None and answer


@every_game
def test_every_label__and_every_listed_number__is_understood(name: str) -> None:
    dice, n = random.Random(3), 0
    for step, game in enumerate(random_game(get_game(name), 3)):
        if step % 9 or game.is_over:
            continue
        choices = choices_of(game)
        for label in dice.sample(list(choices.labels), min(12, len(choices.labels))):
            assert understand(game, label, choices) == (choices.labels[label], "")
            n += 1
        for typed in ("", " ", "?", "12 6", "r1c1", "r1c1 r2c2", "-1", "1.5", "x" * 200, "\x1b[2J", "12 6 house fort"):
            action, answer = understand(game, typed, choices)
            assert (action in choices.labels.values() and not answer) if action is not None else answer
    assert n >= 10
