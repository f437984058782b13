"""What a position is worth on the way to its end, and what a network is told about actions."""

from __future__ import annotations

import numpy as np
import pytest

from tests.kingdom_builder.kernel_table import KernelMake, KernelTable
from tests.kingdom_builder.position import read_position
from winterkingdom_env.core import verbs
from winterkingdom_env.core.rng import Stream
from winterkingdom_env.games.kingdom_builder import RULES, Config, Game, features, layout, tables
from winterkingdom_env.games.kingdom_builder import worth as parts
from winterkingdom_env.games.kingdom_builder.actions import labels
from winterkingdom_env.games.kingdom_builder.kinds import Phase
from winterkingdom_env.games.kingdom_builder.world import World, world_from_records
from winterkingdom_env.search.network import count_weights
from winterkingdom_env.search.thinking import Thinker

WHOLE_BOX = Config(
    num_players=3, sets=tables.SETS, boards="generated", island="random", caves=True, capitol=True
)  # fmt: skip


def position(text: str) -> KernelTable:
    """A drawn position in records."""
    return KernelMake().position(read_position(text))


def world_of(table: KernelTable, n: int = 1) -> World:
    """A World whose first game is the position, with room for more."""
    world = world_from_records(np.repeat(table.games, n), np.repeat(table.boards, n))
    verbs.find_legal(world, 0)
    verbs.score(world, 0)
    return world


def later(table: KernelTable, part: int, seat: int = 0) -> float:
    """What one part of the worth adds to the gold, at a weight of 1."""
    weights = np.zeros(len(parts.WORTH))
    weights[part] = 1.0
    return float(verbs.worth(world_of(table), 0, seat, weights)) - table.scores()[seat]


def features_of(table: KernelTable) -> dict[str, dict[str, float]]:
    """The features of every legal action by its label."""
    world, actions = world_of(table, 3), np.zeros(2 * layout.N_ACTIONS, np.int16)
    rows = np.full((layout.N_ACTIONS, features.N_FEATURES), 7, np.float32)
    n = verbs.write_features(world, 0, actions, rows)
    names = {action: label for label, action in zip(_labels(table), table.legal_actions(), strict=True)}
    return {
        names[action]: dict(zip(features.FEATURES, row, strict=True))
        for action, row in zip(actions[:n].tolist(), rows[:n].tolist(), strict=True)
    }


def _labels(table: KernelTable) -> list[str]:
    return [labels(int(table.game["phase"]))[action] for action in table.legal_actions()]


# Worth


@pytest.mark.rule("worth.py, WORTH")
def test_worth__tiles_and_freedom__count_half_when_half_of_the_settlements_are_left() -> None:
    table = position("FG; card desert; own r07c07; tiles0 farm, oasis; supply0 20")
    assert later(table, parts.TILE) == 2 / 2
    assert later(table, parts.PIECE) == -20
    # With a card of a terrain that the piece does not touch, the seat may build anywhere on it.
    free = set(tables.TERRAIN_NAMES[: layout.N_BASIC])
    beside = {
        tables.TERRAIN_NAMES[table.board["terrain_at"][20 * row + column]]
        for row, column in ((7, 6), (7, 8), (6, 7), (6, 8), (8, 7), (8, 8))
    }
    assert later(table, parts.OPEN) == len(free - beside) / 2


@pytest.mark.rule("worth.py, WORTH")
def test_worth__use_in_progress_and_units__count() -> None:
    table = position("CB; card desert; own r06c05; tiles0 lighthouse")
    assert later(table, parts.UNIT) == -5 and later(table, parts.IN_USE) == 0
    table.apply("use lighthouse")
    assert later(table, parts.IN_USE) == pytest.approx(39 / 40) and later(table, parts.IN_USE, seat=1) == 0
    table.apply("unit r05c04")
    assert later(table, parts.UNIT) == -4


@pytest.mark.rule("worth.py, WORTH")
def test_worth__after_the_end__is_the_gold() -> None:
    table = position("FG; card desert; own r07c07 r07c08; tiles0 farm")
    table.game["phase"] = Phase.OVER
    assert [later(table, part) for part in range(len(parts.WORTH))] == [0] * len(parts.WORTH)


@pytest.mark.rule("worth.py, key_of")
def test_key__of_a_position__does_not_depend_on_the_order_of_actions() -> None:
    text, hexes = "FG; card desert; own r08c07", ("house r00c17", "house r00c18")
    one, two, other = position(text), position(text), position(text)
    keys = {int(verbs.key_of(world_of(one), 0, 0))}
    for table, order in ((one, hexes), (two, hexes[::-1]), (other, ("house r00c18", "house r00c19"))):
        for label in order:
            table.apply(label)
    assert verbs.key_of(world_of(one), 0, 0) == verbs.key_of(world_of(two), 0, 0)
    keys |= {int(verbs.key_of(world_of(table), 0, 0)) for table in (one, other)}
    assert len(keys) == 3


# Features


@pytest.mark.rule("features.py, gains")
def test_features__of_any_action__are_what_it_changes() -> None:
    n_checked, n_cards = 0, layout.SCORING_IN_PLAY
    for seed in range(12):
        config = WHOLE_BOX if seed % 2 else Config(num_players=2 + seed % 4, sets=("nomads", "crossroads"))
        game, stream = Game.new_game(config, seed), Stream(seed)
        for _ in range(20 + 9 * seed):
            legal = game.legal_actions()
            game.apply(legal[stream.draw(len(legal))])
        thinker = Thinker(RULES, np.zeros(count_weights(World), np.float32))
        actions, _, _ = thinker.evaluate(game)
        seat, before = game.seat, game._world.sheets[0].copy()
        for row, action in zip(thinker.features, actions.tolist(), strict=False):
            after = game.clone()
            after.apply(action)
            gains = (after._world.sheets[0] - before).astype(float)
            expected = [*gains[seat, :n_cards], gains[seat, n_cards:].sum()]
            np.testing.assert_allclose(row[: n_cards + 1], np.multiply(features.PER_GOLD, expected), atol=1e-5)
            others = gains.sum() - gains[seat].sum()
            assert row[features.OTHERS] == pytest.approx(features.PER_GOLD * others, abs=1e-5)
            assert row[features.ENDS_TURN] == (
                after.record["turn_seat"][0] != game.record["turn_seat"][0] or after.is_over
            )
            n_checked += 1
    assert n_checked > 50


@pytest.mark.rule("features.py, surroundings")
def test_features__of_a_house__say_what_lies_around_it() -> None:
    rows = features_of(position("FG; card grass; other r06c08"))
    row = rows["house r07c07"]  # next to the tavern on r06c07, on grass
    assert row["gets_build"] == 1 and row["grass"] == 1 and row["at_location"] == 1
    assert row["own_near"] == 0 and row["is_new_line"] == 1
    assert rows["house r07c08"]["others_near"] == pytest.approx(features.PER_PIECE)
    far = [label for label, row in rows.items() if not row["at_location"] and row["two_off_location"]]
    assert far, "a location that is two steps off is told"
    assert all(
        row["on_edge"] == (label[7:9] in ("00", "19") or label[-2:] in ("00", "19"))
        for label, row in rows.items()
        if label.startswith("house")
    )


@pytest.mark.rule("features.py, tiles")
def test_features__of_taking_and_losing_tiles__count_them_by_kind() -> None:
    rows = features_of(position("NB; card forest; own r06c11; phase before"))
    assert {row["gets_nomad"] for row in rows.values()} <= {0.0, 1.0}
    table = position("FG; card desert; own r07c07; tiles0 tavern r06c07, paddock")
    table.apply("use paddock")
    assert features_of(table)["lift r07c07"]["gets_build"] == 0, "a lifted piece has not left its location yet"
    table.apply("lift r07c07")
    # r05c06 touches the tavern's hex, too; from everywhere else the tile is lost.
    lost = {label: row["gets_build"] for label, row in features_of(table).items()}
    assert len(lost) == 6 and {label for label, change in lost.items() if change != -1} == {"house r05c06"}


@pytest.mark.rule("features.py, NEXT")
def test_features__of_a_use__are_the_gold_of_the_best_settlement_that_follows() -> None:
    table = position("FG; card desert; own r07c07 r07c08 r07c09; tiles0 tavern; scoring Knights, Farmers, Hermits")
    row = features_of(table)["use tavern"]
    assert row["next"] == pytest.approx(2 * features.PER_GOLD)  # Knights: one more in the line of three
    table = position("FG; card desert; own r07c07; tiles0 fort")
    assert features_of(table)["use fort"]["next"] == 0, "the card that a fort draws is not looked at"


@pytest.mark.rule("features.py, N_EXTRA")
def test_extra__is_the_room_of_the_seat() -> None:
    table = position("FG; card desert; own r07c07")
    out = np.zeros(features.N_EXTRA, np.float32)
    verbs.write_extra(world_of(table), 0, 0, out, 0)
    around = [20 * row + column for row, column in ((7, 6), (7, 8), (6, 7), (6, 8), (8, 7), (8, 8))]
    terrains = [int(table.board["terrain_at"][hex_id]) for hex_id in around]
    assert out[0] == pytest.approx(0.05 * len(around))
    for terrain in range(layout.N_BASIC):
        assert out[1 + terrain] == pytest.approx(features.PER_ROOM * terrains.count(terrain))
