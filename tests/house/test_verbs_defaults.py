"""What a game may leave out: the defaults of verbs that read fields by their names, for more actions than a word has bits."""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
import pytest

from winterkingdom_env.core import batch, verbs
from winterkingdom_env.core._jit import kernel
from winterkingdom_env.core.observation import Field, Kind, Spec
from winterkingdom_env.core.verbs import ILLEGAL, NOTHING, OK, implements
from winterkingdom_env.games.simple import legal_type

N_ACTIONS = 130
GAME = np.dtype([("rng", np.uint64), ("seat", np.int8), ("phase", np.int8), ("round", np.int8), ("taken", np.int8), ("spare", np.int8, (4,))])  # fmt: skip
BOARD = np.dtype([("n_players", np.int8), ("spare", np.int8, (7,))])


class World(NamedTuple):
    """A game with no rules but that an action must be legal."""

    games: Any
    boards: Any
    legals: Any
    sheets: Any
    rules: Any
    requests: Any


verbs.tell_sizes(World, 3, N_ACTIONS, 0, Spec((), (Field("taken", "actions taken", Kind.NUMBER),)))


@implements(verbs.advance, World)
@kernel
def advance(world, i, action):
    if action == NOTHING:
        return OK
    if (world.legals[i]["bits"][action // 64] >> np.uint64(action % 64)) & np.uint64(1) == np.uint64(0):
        return ILLEGAL
    world.games[i]["taken"] += 1
    return OK


@implements(verbs.score, World)
@kernel
def score(world, i):
    world.sheets[i, 0, 0] = world.games[i]["taken"]


@implements(verbs.is_over, World)
@kernel
def is_over(world, i):
    return False


def world_with(legal: list[int]) -> World:
    world = World(
        np.zeros(1, GAME), np.zeros(1, BOARD), np.zeros(1, legal_type(N_ACTIONS)), np.zeros((1, 3, 1), np.int32),
        np.zeros(1), np.zeros(1),
    )  # fmt: skip
    for action in legal:
        world.legals["bits"][0, action // 64] |= np.uint64(1 << action % 64)
    world.games["seat"], world.games["phase"], world.games["round"] = 2, 1, 7
    world.boards["n_players"] = 3
    return world


LISTS = [[], [0], [63], [64], [129], [0, 63, 64, 127, 128, 129], list(range(N_ACTIONS))]


@pytest.mark.parametrize("legal", LISTS, ids=len)
def test_legal_bits__are_counted_listed_and_expanded(legal: list[int]) -> None:
    world = world_with(legal)
    masks, actions = np.full((1, N_ACTIONS), 9, np.int8), np.zeros(N_ACTIONS, np.int16)
    batch.expand_all(world, masks)
    assert np.flatnonzero(masks[0]).tolist() == legal and set(masks[0]) <= {0, 1}
    assert verbs.count_legal(world, 0) == verbs.list_legal(world, 0, actions) == len(legal)
    assert actions[: len(legal)].tolist() == legal
    picked = {int(verbs.pick(world, 0, np.uint64(word << 56))) for word in range(256)}
    assert picked == set(legal or [NOTHING])


def test_report__reads_seat_phase_round_and_players() -> None:
    reports = np.zeros((1, batch.N_REPORT), np.int64)
    batch.report_all(world_with([1]), reports)
    assert reports[0].tolist() == [OK, 2, 1, 7, 0, 3]


def test_carry_on__scores_after_a_legal_action_only() -> None:
    world, reports = world_with([5, 70]), np.zeros((1, batch.N_REPORT), np.int64)
    for action, status, taken in ((5, OK, 1), (6, ILLEGAL, 1), (70, OK, 2), (NOTHING, OK, 2)):
        batch.step_all(world, np.array([action]), reports)
        assert reports[0, batch.REPORT_STATUS] == status and world.sheets[0, 0, 0] == taken
