"""The rows of the tables, beside those of the reference, which somebody else wrote down from the rules."""

from __future__ import annotations

import pytest

from winterkingdom_env.games.kingdom_builder import tables
from winterkingdom_env.games.kingdom_builder.kinds import Duty, Form, Measure, Op
from winterkingdom_env.games.kingdom_builder.layout import CARD_COPIES, SETTLEMENTS, TILES_PER_HEX, TOKENS, WALLS
from winterkingdom_env.games.kingdom_builder.tables import TERRAIN_NAMES, Scoring, Use
from winterkingdom_env.reference.kingdom_builder import names, uses
from winterkingdom_env.reference.kingdom_builder.places import ADJ, NONE, TOUCH

PHASES = {
    Form.BUILD: "build", Form.MOVE: "lift", Form.UNIT: "unit", Form.HALL: "hall", Form.WALL: "wall", Form.SCOUT: "scout",
    Form.REMOVE: "remove", Form.TEMPLE: "temple", Form.CATHEDRAL: "cathedral",
}  # fmt: skip
DUTIES = {Duty.ADJ: ADJ, Duty.TOUCH: TOUCH, Duty.NONE: NONE}
SET_NAMES = ("base", *tables.SETS)


def set_name(bit: int) -> str:
    return SET_NAMES[bit.bit_length()]


@pytest.mark.rule("tables.py, SCORINGS")
def test_scoring__cards_by_set__are_those_of_the_reference() -> None:
    ours = {name: tuple(card.name for card in tables.SCORINGS if set_name(card.set) == name) for name in SET_NAMES}
    assert ours == {name: tuple(names.SCORING[name]) for name in SET_NAMES}


@pytest.mark.rule("tables.py, SCORINGS")
@pytest.mark.parametrize("card", tables.SCORINGS, ids=lambda card: card.name)
def test_scoring__row__has_the_gold_of_the_reference(card: Scoring) -> None:
    assert card.gold == names.GOLD.get(card.name, 1)
    assert (card.measure >= Measure.FAMILIES) == (card.name in names.PAID_IN_PLAY)


@pytest.mark.rule("tables.py, TASKS")
def test_tasks_and_landmarks__rows__have_the_gold_of_the_reference() -> None:
    assert [card.name for card in tables.TASKS] == list(names.TASKS)
    assert [card.gold for card in tables.TASKS] == [names.GOLD[card.name] for card in tables.TASKS]
    assert [row.gold for row in tables.LANDMARKS] == [names.GOLD[names.CASTLES], names.GOLD[names.PALACES]]


@pytest.mark.rule("tables.py, USES")
@pytest.mark.parametrize("use", tables.USES, ids=lambda use: use.name)
def test_use__row__is_that_of_the_reference(use: Use) -> None:
    theirs = uses.USES[use.name]
    assert PHASES[use.form] == theirs.phase and use.binds == theirs.binds
    assert min(use.most, theirs.limit) == use.most and use.most in (theirs.limit, tables.MANY)
    # Walls touch own pieces by a rule of their own, so the duty of that row says nothing.
    assert DUTIES[use.duty] == theirs.duty or use.form == Form.WALL


@pytest.mark.rule("tables.py, USES")
@pytest.mark.parametrize("use", [use for use in tables.USES if use.op == Op.TERRAIN], ids=lambda use: use.name)
def test_use__on_a_terrain__names_that_of_the_reference(use: Use) -> None:
    known = {**uses.BUILD_TERRAIN, **uses.MOVE_TERRAIN, "farmland": "farmland"}
    known |= {kind: kind.removeprefix("donation ") for kind in names.DONATIONS}
    if use.name in known:
        assert TERRAIN_NAMES[use.arg] == known[use.name]
    else:
        assert use.form in (Form.UNIT, Form.HALL)


@pytest.mark.rule("tables.py, REPEATS")
def test_bazaar__repeats__all_but_what_the_reference_excludes() -> None:
    ours = {tables.TILE_NAMES[tile] for tile in tables.REPEATS}
    theirs = {kind for kind in uses.USES if kind in tables.TILE_NAMES[: len(ours) + len(tables.NOT_REPEATED)]}
    assert ours == (theirs - set(uses.NOT_REPEATED)) | {"crossroads"}


@pytest.mark.rule("tables.py, QUADRANTS")
def test_quadrants__by_set__and_nomad_tiles__are_those_of_the_reference() -> None:
    ours = {name: tuple(row.name for row in tables.QUADRANTS if set_name(row.set) == name) for name in SET_NAMES}
    assert ours == {name: tuple(names.QUADRANTS[name]) for name in SET_NAMES}
    assert [row.name for row in tables.ISLANDS] == list(names.ISLANDS)
    assert [tables.TILE_NAMES[tile] for tile in tables.NOMAD_TILES] == list(names.NOMAD_TILES)
    assert [name for name, _ in tables.FIRST_GAME] == list(names.FIRST_GAME_QUADRANTS)
    assert tables.FIRST_GAME_SCORING == names.FIRST_GAME_SCORING


@pytest.mark.rule("p. 0, 8, 20")
def test_material__counts__are_those_of_the_box() -> None:
    assert (SETTLEMENTS, TILES_PER_HEX, WALLS, TOKENS, CARD_COPIES) == (40, 2, 25, 18, 5)
    assert (len(tables.NOMAD_TILES), len(tables.SCORINGS), len(tables.TASKS), len(tables.QUADRANTS)) == (15, 25, 6, 24)
