"""What the examples do not ask of the reference: what a snapshot remembers, the gold sheet, places, explanations."""

from __future__ import annotations

from typing import Any

import pytest

from tests.kingdom_builder.examples_base import POSITION_A
from tests.kingdom_builder.position import read_position
from tests.kingdom_builder.script import labels_of
from winterkingdom_env.reference.kingdom_builder import ReferenceGame

SILO = "MB; turn 1; phase after; end; own r05c13 r06c13"
CANOES = (
    "(3) MB refuge; card forest; tiles0 canoe; tiles1 canoe; tiles2 canoe; other r16c15; left r07c08 1; left r17c16 1"
)
TEMPLE = "FG; card grass; own r07c07; due0 2; tiles0 temple, temple"


def start(text: str, *actions: str) -> ReferenceGame:
    """The game of a position, after some actions."""
    game = ReferenceGame.position(read_position(text))
    for action in actions:
        for label in labels_of(action):
            game.apply(label)
    return game


@pytest.mark.rule("section 1.6, state")
@pytest.mark.parametrize(
    ("text", "actions", "part", "wanted"),
    [
        (TEMPLE, ["house r16c10"], "turn", {"started": True, "due_left": 2, "placed": ["r16c10"]}),
        (TEMPLE, ["house r16c10 r16c11 r16c12 r15c10 r15c11"], "turn", {"ended": True, "due_left": 0, "placed": ["r16c10", "r16c11", "r16c12"]}),
        ("(3) FG; card desert; deck none; fill desert", ["done"], "turn", {"started": False, "ended": True, "played": None}),
        ("MB; card desert; own r00c00; tiles0 bazaar, farm", ["use farm", "house r00c01"], "turn", {"used": ["farm"]}),
        ("MB; card desert; own r00c00; tiles0 bazaar, farm", ["use farm", "house r00c01", "use bazaar farm"], "now", {"use": "bazaar farm", "back_to": "before"}),
        ("CB; card flower; own r06c05; ship0 r05c04; tiles0 lighthouse r06c06", ["use lighthouse", "unit r04c05"], "now", {"moving": "r04c05", "count": 1}),
        ("CB; card flower; own r08c11; warriors0 r09c12; tiles0 refuge", ["use refuge", "lift r09c12"], "now", {"lifted": ["warrior", "r09c12"]}),
        ("CB; card desert; own r06c18; tiles0 fort; next canyon", ["use fort"], "now", {"fort": "canyon", "use": "fort"}),
        ("FG; card grass; own r07c07; nomads0 outpost", ["outpost"], "now", {"phase": "mandatory", "outpost": True}),
        ("FG; card grass; own r07c07; nomads0 resettlement", ["use resettlement", "lift r07c07", "house r07c08"], "now", {"count": 1, "lifted": None}),
        (SILO, ["done"], "now", {"silos": 1, "silo_mode": None}),
        (SILO, ["done", "house r05c12"], "now", {"silos": 1, "silo_mode": "build", "count": 1}),
        (SILO, ["done", "lift r06c13"], "now", {"silo_mode": "move", "lifted": ["settlement", "r06c13"]}),
        (CANOES, ["house r07c07"], "now", {"seat": 1, "ask": [2, 0]}),
        (CANOES, ["house r07c07", "house r17c15"], "now", {"seat": 2, "ask": [0, 1]}),
    ],
)  # fmt: skip
def test_snapshot__turn_and_question__are_remembered(
    text: str, actions: list[str], part: str, wanted: dict[str, Any]
) -> None:
    found = start(text, *actions).state()[part]
    assert {name: found[name] for name in wanted} == wanted


@pytest.mark.rule("section 5.5, a reaction inside a reaction is carried out whole")
def test_snapshot__reactions__suspend_what_they_interrupt() -> None:
    game = start(CANOES, "house r07c07", "house r17c15")
    assert [now["phase"] for now in game.state()["stack"]] == ["mandatory", "react"]
    game.apply("done")
    game.apply("done")
    assert [now["phase"] for now in game.state()["stack"]] == ["mandatory"]


@pytest.mark.rule("section 1.6, hexes ever taken from, bonus used")
def test_snapshot__of_a_seat__hexes_taken_from_and_bonuses() -> None:
    def seat(text: str, *actions: str) -> dict[str, Any]:
        found: dict[str, Any] = start(text, *actions).state()["seats"][0]
        return found

    assert seat("NB; card grass; lies r05c02 treasure", "house r04c02")["taken"] == ["r05c02"]
    assert seat("FG; card grass; left r06c07 0", "house r07c07")["taken"] == []
    assert seat("FG; own r07c07; tiles0 farm")["taken"] == []
    assert seat("MB; own r02c13", "use farmland", "house r01c12")["bonus_used"] == ["farmland"]
    assert seat("FG; caves r17c14; own r16c14", "use cave", "lift r16c14", "house r16c15")["bonus_used"] == ["cave"]


@pytest.mark.rule("section 6.1, the running score")
def test_gold_sheet__any_position__adds_up_to_the_score() -> None:
    data = read_position(f"FG; {POSITION_A}; gold0 5; scoring Rovers, Mayors, Lords; tasks Road, Advance")
    data["seats"][0]["paid"] = {"Rovers": 1, "treasure": 3}
    game = ReferenceGame.position(data)
    columns = ["Mayors", "Lords", "Road", "Advance", "castles", "palaces", "capitols", "Rovers", "treasure"]
    own, other = game.gold_sheet()
    assert [*own] == [*columns, "earlier"] and [*other] == columns
    assert [sum(own.values()), sum(other.values())] == game.scores()
    assert (own["Rovers"], own["treasure"], own["earlier"]) == (1, 3, 1), "gold whose source is not told stands apart"
    with pytest.raises(ValueError, match="not paid at the end"):
        game.score_card("Rovers")


@pytest.mark.rule("p. 19, palaces pay once with Noblewomen")
def test_gold_sheet__noblewomen_in_play__have_the_palaces() -> None:
    game = start("MB; own r05c01; scoring Noblewomen")
    sheet = game.gold_sheet()[0]
    assert sheet["Noblewomen"] == 5 and sheet["palaces"] == 0 and game.score_card("palaces") == [5, 0]


@pytest.mark.rule("p. 4, ties share the win")
def test_ranks__equal_gold__share_the_place() -> None:
    game = start("(3) FG; gold0 5; gold1 9; gold2 5")
    assert game.scores() == [5, 9, 5] and game.ranks() == [2, 1, 2]


@pytest.mark.rule("section 4.2, the game has ended")
def test_explain__game_over__says_so() -> None:
    game = start("FG; turn 1; phase after; end", "done")
    assert game.is_over and game.legal_labels() == set() and "the game is over" in game.explain("done")
