"""What a position is worth on the way to its end, and what a network is told about actions: by hand, on drawn positions."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from tests.winter_kingdom.position import Table, position
from winterkingdom_env.core import verbs
from winterkingdom_env.core.rng import Stream
from winterkingdom_env.games import winter_kingdom as wk
from winterkingdom_env.games.winter_kingdom import features, layout
from winterkingdom_env.games.winter_kingdom import worth as parts
from winterkingdom_env.search.network import count_weights
from winterkingdom_env.search.thinking import Thinker

ROW_OF_THREE = "Ga Ga Ga G  M"  # Knights: 2 points per house in the fullest row
KNIGHTS = ("Knights", "Peasants", "Ice Fishermen")


def later(table: Table, part: int, seat: int = 0) -> float:
    """What one part of the worth adds to the points, at a weight of 1."""
    weights = np.zeros(len(wk.WORTH))
    weights[part] = 1.0
    return float(verbs.worth(table.game._world, 0, seat, weights)) - table.game.scores()[seat]


def key_of(table: Table) -> int:
    return int(verbs.key_of(table.game._world, 0, 0))


def judged(table: Table) -> Thinker:
    """The position as a network sees it."""
    thinker = Thinker(wk, np.zeros(count_weights(wk.World), np.float32))
    thinker.evaluate(table.game)
    return thinker


def features_of(table: Table) -> dict[str, np.ndarray]:
    """The features of every legal action by its label."""
    thinker = judged(table)
    actions = thinker._arrays.evaluation.actions[: len(table.legal())].tolist()
    return {table.game.label(action): thinker.features[i] for i, action in enumerate(actions)}


# Worth


@pytest.mark.rule("worth.py, WORTH")
def test_worth__every_part__counts_half_when_half_of_the_pieces_are_left() -> None:
    half: dict[str, Any] = {"houses_left": (layout.HOUSES - layout.FORTS) // 2, "forts_left": layout.FORTS}
    table = position("Ga G  M  G ", in_play=("Mine+", "Mule"), coins=3, phase="after", **half)
    # The third card in play is the tunnel.
    expected = {parts.COIN: 3, parts.CARD: 3, parts.UPGRADE: 1, parts.REACH: 1, parts.FORT_LEFT: 4, parts.IN_USE: 0}
    assert {part: later(table, part) for part in expected} == {part: n / 2 for part, n in expected.items()}
    assert later(table, parts.PIECE) == -half["houses_left"]
    assert later(table.play("use Mine I"), parts.IN_USE) == 1 / 2
    assert later(table, parts.IN_USE, seat=1) == 0


@pytest.mark.rule("worth.py, WORTH")
def test_worth__after_the_end__is_the_score() -> None:
    table = position(ROW_OF_THREE, scoring=KNIGHTS, in_play=("Mine+",), coins=3)
    table.game.record["phase"] = layout.Phase.OVER
    assert [later(table, part) for part in range(len(wk.WORTH))] == [0] * len(wk.WORTH)
    assert table.game.scores()[0] == 6


@pytest.mark.rule("worth.py, key_of")
def test_key__of_a_position__does_not_depend_on_the_order_of_actions() -> None:
    hexes = ("house r11c12", "house r12c11")
    start: dict[str, Any] = {"drawing": "Ga G  G\nG  G  G", "played": "grassland"}
    one, two, other = (position(**start) for _ in range(3))
    keys = {key_of(one)}
    one.play(*hexes)
    two.play(*reversed(hexes))
    other.play(hexes[1], "house r12c12")
    assert key_of(one) == key_of(two)
    keys |= {key_of(one), key_of(other)}
    assert len(keys) == 3


# Features


@pytest.mark.rule("features.py, gains")
def test_features__of_any_action__are_what_it_changes() -> None:
    n_checked = 0
    for seed in range(0, 12, 2):
        game, stream = wk.new_game(wk.Config(num_players=2 + seed % 3, twist="random"), seed), Stream(seed)
        for _ in range(10 + 7 * seed):
            legal = game.legal_actions()
            game.apply(legal[stream.draw(len(legal))])
        thinker = Thinker(wk, np.zeros(count_weights(wk.World), np.float32))
        actions, _, _ = thinker.evaluate(game)
        seat, before = game.seat, [list(sheet.values()) for sheet in game.score_sheet()]
        for row, action in zip(thinker.features, actions.tolist(), strict=False):
            if game.phase == "lift" and layout.LIFT_FIRST <= action < layout.USE_FIRST:
                continue  # shown as if the house were taken away
            after = game.clone()
            after.apply(action)
            sheet = [list(part.values()) for part in after.score_sheet()]
            gains = np.subtract(sheet[seat], before[seat])[: layout.SCORING_IN_PLAY + 1]
            np.testing.assert_allclose(row[: layout.SCORING_IN_PLAY + 1], features.PER_POINT * gains, atol=1e-5)
            others = sum(map(sum, sheet)) - sum(sheet[seat]) - sum(map(sum, before)) + sum(before[seat])
            assert row[features.OTHERS] == pytest.approx(features.PER_POINT * others, abs=1e-5)
            coins = int(after.record["coins"][0, seat]) - int(game.record["coins"][0, seat])
            assert row[features.COINS] == pytest.approx(features.PER_COIN * coins, abs=1e-5)
            assert row[features.ENDS_TURN] == (after.seat != seat or after.is_over)
            n_checked += 1
    assert n_checked > 60


@pytest.mark.rule("features.py, surroundings")
def test_features__of_a_house__say_what_lies_around_it() -> None:
    # The hex touches a mountain, a village and ice; a castle lies two steps off.
    land = {"r11c12": "mountain", "r11c13": "village", "r12c10": "castle", "r13c11": "ice"}
    pieces = {"r12c13": "a", "r13c11": "b"}
    table = position(land=land, pieces=pieces, rest="grassland", played="grassland")
    rows = features_of(table)
    row = dict(zip(wk.FEATURES, rows["house r12c12"].tolist(), strict=True))
    told = {name for name, value in row.items() if value and name.startswith(("at_", "two_off_", "on_"))}
    # The village touches the own house, so it is none that one could still come to.
    assert told == {"at_ICE", "at_MOUNTAIN", "at_VILLAGE", "two_off_MOUNTAIN", "two_off_CASTLE", "on_centre"}
    assert {name for name in layout.Terrain.__members__ if row[name]} == {"GRASSLAND"}
    near = {name: row[name] / features.PER_PIECE for name in ("own_near", "others_near", "own_board")}
    assert near == pytest.approx({"own_near": 1, "others_near": 1, "own_board": 1})
    # A house takes a hex and opens others: r12c11 here, and three on the other side.
    assert [rows[f"house {place}"][features.ROOM] for place in ("r12c12", "r12c14")] == pytest.approx(
        [0, 2 * features.PER_ROOM]
    )


@pytest.mark.rule("features.py, N_EXTRA")
def test_context__behind_the_observation__is_the_room_of_the_seat() -> None:
    table = position("Ga G  G\nT  M", played="grassland")
    room = judged(table)._arrays.evaluation.context[wk.OBSERVATION.n_entries :].tolist()
    terrains = list(layout.Terrain.__members__)[: layout.N_CARD_TERRAINS]
    free = {"GRASSLAND": 1, "TUNDRA": 1}
    assert room == pytest.approx([0.05 * 2, *(features.PER_ROOM * free.get(name, 0) for name in terrains)])


@pytest.mark.rule("features.py, lifted houses")
def test_features__of_lifting_a_house__are_those_of_taking_it_away() -> None:
    table = position(ROW_OF_THREE, scoring=KNIGHTS, in_play=("Mule",), phase="after").play("use Mule I")
    rows = features_of(table)
    assert set(rows) >= {"lift r11c13"}
    assert rows["lift r11c13"][features.GAIN] == pytest.approx(-2 * features.PER_POINT)


@pytest.mark.rule("features.py, best house")
def test_features__of_a_use__are_the_points_of_the_best_house_that_follows() -> None:
    table = position(ROW_OF_THREE, scoring=KNIGHTS, in_play=("Mine",), phase="after")
    rows = features_of(table)
    assert rows["use Mine I"][features.NEXT] == pytest.approx(2 * features.PER_POINT)
    assert rows["done"][features.NEXT] == 0
