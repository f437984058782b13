"""Why an action is illegal: the answer names the rule that is broken, and agrees with the reference."""

# The name of a test is its sentence.
from __future__ import annotations

import random
import re
from typing import Any

import pytest

from tests.winter_kingdom.position import Table, position
from winterkingdom_env.games import winter_kingdom as wk
from winterkingdom_env.reference.winter_kingdom import ReferenceGame


def why(table: Table, label: str) -> str:
    return table.game.explain(wk.parse(label))


@pytest.mark.rule("p. 6, adjacent if possible")
def test_explain__right_terrain_but_no_own_neighbour__names_the_rule() -> None:
    table = position("Ta T . T", played="tundra")
    assert why(table, "house r11c14") == (
        "a piece must go next to your own pieces while that is possible, and r11c14 touches none (p. 6)"
    )


@pytest.mark.rule("p. 6, one piece per hex")
def test_explain__occupied_hex__says_by_whom() -> None:
    table = position("Ta TB T", played="tundra")
    assert why(table, "house r11c11") == "r11c11 is occupied by your house, and a hex holds one piece (p. 6)"
    assert why(table, "fort r11c12") == "r11c12 is occupied by a fort of seat 1 (b), and a hex holds one piece (p. 6)"


@pytest.mark.rule("p. 4, mandatory action")
def test_explain__wrong_terrain__names_both_terrains() -> None:
    table = position("Ta T G", played="tundra")
    assert why(table, "house r11c13") == "r11c13 is grassland, and the mandatory pieces go on tundra (p. 4)"


@pytest.mark.rule("p. 10, Tunnel I")
def test_explain__lift_for_the_tunnel__says_why_each_piece_stays() -> None:
    table = position(
        """
        Ta U T T Ga GA Gb G
        . . U . . . . .
        """,
        played="tundra",
    )
    table.game.apply(wk.parse("use Tunnel"))
    assert why(table, "lift r11c15").startswith("the house on r11c15 touches no tunnel, and Tunnel says: move a house")
    assert why(table, "lift r11c16") == "on r11c16 is a fort, and forts do not move (p. 4)"
    assert why(table, "lift r11c17") == "on r11c17 is a house of seat 1 (b); choose one of your own"
    assert why(table, "lift r11c13") == "there is no piece on r11c13"
    assert why(table, "house r11c13").endswith("asked for now: the house that Tunnel moves")
    table.game.apply(wk.parse("lift r11c11"))
    assert why(table, "fort r11c13") == "a house is being moved; forts do not move (p. 4)"
    assert "touches no tunnel, and Tunnel says: " in why(table, "house r11c18")


# Words by which the reference names a rule, and those of ours. The same action breaks the same rule.
SAME = (
    (r"is occupied", r"is occupied"),
    (r"touches no own piece while", r"touches none \(p. 6\)"),
    (r"away from own pieces while", r"farther away"),
    (r"which Impasse forbids", r"which Impasse forbids"),
    (r"the mandatory pieces go on", r"the mandatory pieces go on"),
    (r"a fort never moves", r"forts do not move"),
    (r"is left in the supply", r"you have no (house|fort) left"),
    (r"has no such hex", r"has no such hex|touches (a|no) tunnel"),
    (r"no own (house|piece) stands on", r"there is no piece on|choose one of your own"),
    (r"is not in play in front", r"not in play|you do not have"),
    (r"is not upgraded", r"is not upgraded"),
    (r"the arrow lets", r"only follows"),
    (r"is used already", r"is used once a turn"),
    (r"no own house has such a target", r"none of your houses can do this"),
    (r"no such hex is open", r"there is no free hex for this"),
    (r"is not in the hand", r"is not in your hand|is in play already"),
    (r"is upgraded already", r"is upgraded already"),
    (r"(acquire|upgrade) of .* costs", r" costs \d+, you have"),
    (r"was salvaged", r"follows a salvage"),
    (r"so it must be", r"so it must be"),
)  # fmt: skip


def assert_same_rule(game: Any, reference: Any, action: int, seen: set[str]) -> None:
    label = wk.label(action)
    theirs, ours = reference.explain(label), game.explain(action)
    assert ours and not ours.endswith(".")
    for their_words, our_words in SAME:
        if re.search(their_words, theirs):
            assert re.search(our_words, ours), f"{label}: {theirs} / {ours}"
            assert "asked for now" not in ours
            price = re.search(r"costs (\d+), the seat has (\d+)", theirs)
            assert price is None or f"costs {price[1]}, you have {price[2]} coin" in ours
            seen.add(their_words)


@pytest.mark.parametrize("twist", ["Impasse", "Mobility", "Roads", "Archipelago", "Wolves"])
def test_explain__any_illegal_action__breaks_the_rule_that_the_reference_names(twist: str) -> None:
    dice, seen = random.Random(twist), set[str]()
    for seed in range(4):
        game = wk.new_game(wk.Config(num_players=2, twist=twist, economy="Salvage" if seed == 3 else "Furs"), seed=seed)
        reference = ReferenceGame(game.setup())
        for step in range(180):
            legal = game.legal_actions()
            if step % 4 == 0:
                wrong = [action for action in range(wk.N_ACTIONS) if action not in legal]
                for action in dice.sample(wrong, 25):
                    assert_same_rule(game, reference, action, seen)
            bought = [action for action in legal if wk.label(action).startswith(("acquire", "upgrade", "use"))]
            action = dice.choice(bought or legal)
            game.apply(action)
            reference.apply(wk.label(action))
            if game.is_over:
                break
    assert len(seen) >= 10, seen
