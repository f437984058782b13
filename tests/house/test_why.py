"""What a seat is asked to do and why just these actions are legal: in every game there are words, and what they claim is true."""

from __future__ import annotations

import random
import re
from collections import Counter
from collections.abc import Callable
from typing import Any

import pytest

from tests.house.games import NAMES, random_game
from winterkingdom_env.core.picture import Look, Screen
from winterkingdom_env.games import get_game
from winterkingdom_env.games.kingdom_builder import picture_facts
from winterkingdom_env.games.kingdom_builder import why as builder_why
from winterkingdom_env.games.winter_kingdom import why as winter_why
from winterkingdom_env.games.winter_kingdom.picture_text import pieces_on
from winterkingdom_env.render.screen import LEAST_WIDTH

every_game = pytest.mark.parametrize("name", NAMES)
LONGEST_TITLE = "round 100, seat 3 (d): "


def legal_of(game: Any) -> list[str]:
    return [game.label(action) for action in game.legal_actions()]


def screen_of(game: Any) -> Screen:
    """The screen of the seat to act, from what this seat may know."""
    seen = game.determinize(game.seat, 0)
    return get_game(game.NAME).screen(seen.snapshot(), Look(game.seat, legal_of(seen)))


@every_game
def test_words__every_position__has_some(name: str) -> None:
    n, phases, told = 0, set(), set()
    for seed in range(10):
        for game in random_game(get_game(name), seed):
            screen = screen_of(game)
            for words in (screen.asked, *([] if game.is_over else [screen.why])):
                assert words and words == words.strip() and words[-1] not in ".;,:", words
                assert not re.search(r"None|  |;;|; ;|\{|on ,| ,|\bof ;", words), words
            assert len(LONGEST_TITLE + screen.asked) <= LEAST_WIDTH, screen.asked
            assert not game.is_over or (not screen.why and "over" in screen.asked)
            told.add(screen.why)
            phases.add(game.phase)
            n += 1
    assert n > 100 and len(told) > 5 and len(phases) > 2


@every_game
def test_words__games_that_look_the_same__have_the_same(name: str) -> None:
    n, rules = 0, get_game(name)
    for seed in range(4):
        dice = random.Random(seed)
        for game in random_game(rules, seed):
            if not game.is_over and dice.random() < 0.25:
                twin = game.determinize(game.seat, dice.getrandbits(60))
                look = Look(game.seat, legal_of(game))
                assert legal_of(twin) == look.legal
                assert rules.screen(twin.snapshot(), look) == rules.screen(game.snapshot(), look)
                n += 1
    assert n > 8


def test_phases__of_both_board_games__have_reasons() -> None:
    for module, name in ((winter_why, "winter_kingdom"), (builder_why, "kingdom_builder")):
        phases = next(random_game(get_game(name), 0)).PHASES
        assert set(module.WAYS) == set(phases) - {"over"}


# --- claims -----------------------------------------------------------------------------------------------------------


class Around:
    """A board game's hexes: their terrains, which are free, and which touch own pieces."""

    def __init__(self, terrain: dict[str, str], free: set[str], near: set[str], spread: Callable[[set[str]], set[str]]):
        self.terrain, self.free, self.near, self.spread = terrain, free, near, spread


def around_winter(snapshot: dict[str, Any]) -> Around:
    """Winter Kingdom's. Archipelago parts the boards, Impasse takes hexes."""
    hexes = {entry["hex"]: entry for entry in snapshot["hexes"]}
    by_cell = {(entry["row"], entry["col"], entry["board"]): name for name, entry in hexes.items()}
    is_cut, steps = snapshot["twist"] == "Archipelago", ((0, 1), (0, -1), (1, 0), (-1, 0), (1, -1), (-1, 1))

    def spread(names: set[str]) -> set[str]:
        found = set()
        for entry in map(hexes.__getitem__, names):
            for down, right in steps:
                for board in [entry["board"]] if is_cut else range(7):
                    found.add(by_cell.get((entry["row"] + down, entry["col"] + right, board), ""))
        return found - {""}

    pieces = pieces_on(snapshot)
    own = {name for name, (seat, _) in pieces.items() if seat == snapshot["seat"]}
    forbidden = spread({*pieces} - own) if snapshot["twist"] == "Impasse" else set()
    free = {*hexes} - {*pieces} - forbidden
    return Around({name: entry["terrain"] for name, entry in hexes.items()}, free, spread(own), spread)


def around_builder(snapshot: dict[str, Any]) -> Around:
    """Kingdom Builder's. Scouts are as own pieces in the own turn."""
    terrain, pieces, now = dict(picture_facts.terrains(snapshot)), picture_facts.pieces_on(snapshot), snapshot["now"]

    def spread(names: set[str]) -> set[str]:
        return {other for name in names for other in picture_facts.neighbours(name)} & {*terrain}

    own = {name for name, piece in pieces.items() if piece.seat == now["seat"]}
    own |= (
        {*snapshot["scouts"]}
        if now["seat"] == snapshot["turn"]["seat"] and now["phase"] not in ("wall", "scout")
        else set()
    )
    taken = {*pieces, *snapshot["walls"], *snapshot["scouts"]} | picture_facts.blocked(snapshot)
    return Around(terrain, {*terrain} - taken, spread(own), spread)


AROUND = {"winter_kingdom": around_winter, "kingdom_builder": around_builder}
PUT = ("house", "fort", "unit", "wall", "scout")
MUST_TOUCH = re.compile(r"touch free ([a-z ]+), so this piece must go next to them")
ALL_OPEN = re.compile(r"so all free ([a-z ]+) is open")
WITHIN = re.compile(r"free ([a-z ]+) lies within (\d) hexes of your pieces, so (this piece must|all)")
ONLY_NEAR = re.compile(
    r"only those next to|must go next to your|next to own pieces|on land next to your pieces|mountains next to your pieces"
)
NONE_NEAR = re.compile(r"none of these hexes touches|so all of these hexes are open")


def check_claims(why: str, aims: set[str], around: Around) -> Counter[str]:
    """Compare what the words claim with the hexes that can be chosen; count the claims."""
    found = Counter[str]()

    def on(terrain: str) -> set[str]:
        hexes = {name for name in aims if around.terrain[name] == terrain}
        assert hexes, f"{why}: nothing is legal on {terrain}"
        return hexes

    for terrain in MUST_TOUCH.findall(why):
        assert on(terrain) <= around.near
        found["must touch"] += 1
    for terrain, steps, verdict in WITHIN.findall(why):
        reach, front = set[str](), around.near
        for _ in range(int(steps)):
            reach |= front
            front = around.spread(front)
        assert on(terrain) <= reach if verdict != "all" else not on(terrain) & reach
        found["within"] += 1
    for terrain in ALL_OPEN.findall(why):
        free = {name for name in around.free if around.terrain[name] == terrain}
        assert not on(terrain) & around.near and on(terrain) == free
        found["all open"] += 1
    if ONLY_NEAR.search(why):
        assert aims <= around.near
        found["only near"] += 1
    if NONE_NEAR.search(why):
        assert not aims & around.near
        found["none near"] += 1
    return found


@pytest.mark.parametrize("name", AROUND)
def test_why__what_it_claims_of_hexes__is_true_of_all_legal_ones(name: str) -> None:
    found, n = Counter[str](), 0
    for seed in range(12):
        for game in random_game(get_game(name), seed):
            if game.is_over:
                continue
            screen, pairs = screen_of(game), [label.partition(" ")[::2] for label in legal_of(game)]
            aims = {place for verb, place in pairs if verb in PUT}
            if aims:
                told = check_claims(screen.why, aims, AROUND[name](game.snapshot()))
                assert (
                    told
                    or game.phase not in ("before", "mandatory")
                    or "bonus" in screen.why
                    or "outpost" in screen.why
                )
                found += told
                n += 1
    assert n > 500 and {"must touch", "all open", "only near", "none near"} <= {*found}, found


def test_claims__that_are_wrong__are_found_out() -> None:
    around = Around({"a": "grass", "b": "grass", "c": "desert"}, {"a", "b", "c"}, {"a"}, lambda names: names)
    for words, aims in (
        ("your pieces touch free grass, so this piece must go next to them", {"a", "b"}),
        ("no free grass touches your pieces, so all free grass is open", {"b"}),
        ("of these hexes only those next to your pieces, since there are some", {"a", "c"}),
        ("none of these hexes touches your pieces, so all of them are open", {"a"}),
        ("your pieces touch free desert, so this piece must go next to them", {"a"}),
    ):
        with pytest.raises(AssertionError):
            check_claims(words, aims, around)
    assert check_claims("your pieces touch free grass, so this piece must go next to them", {"a", "c"}, around)
