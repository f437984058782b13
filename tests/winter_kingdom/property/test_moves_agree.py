"""``move_sources`` finds exactly the houses for which ``move_targets`` finds a target, for every moving op."""

from __future__ import annotations

import numpy as np
import pytest

from winterkingdom_env.core._jit import kernel
from winterkingdom_env.core.grid import has
from winterkingdom_env.core.hexset import store
from winterkingdom_env.core.rng import Stream
from winterkingdom_env.games import winter_kingdom as wk
from winterkingdom_env.games.winter_kingdom import layout
from winterkingdom_env.games.winter_kingdom.layout import Op, Terrain
from winterkingdom_env.games.winter_kingdom.moves import move_sources, move_targets
from winterkingdom_env.games.winter_kingdom.rules import make_rules

OPS = [op for op in Op if layout.FIRST_MOVE_OP <= op <= layout.LAST_MOVE_OP]


@kernel
def find_sources(op, arg, game, board, rules, out):
    store(out, 0, move_sources(op, arg, game, board, rules))


@kernel
def find_targets(op, arg, hex_id, game, board, rules, out):
    store(out, 0, move_targets(op, arg, hex_id, game, board, rules))


def random_position(seed: int, twist: str | None) -> wk.Game:
    """A position with pieces strewn over land, ice and mountain: more varied than play would bring it about."""
    stream = Stream(seed)
    game = wk.new_game(wk.Config(num_players=2 + seed % 3, twist=twist), seed=seed)
    terrain = game.board["terrain_at"][0]
    hexes = [hex_id for hex_id in range(layout.N_HEXES) if terrain[hex_id] <= Terrain.MOUNTAIN]
    stream.shuffle(hexes)
    for i, hex_id in enumerate(hexes[: 30 + stream.draw(150)]):
        cell = int(make_rules()["cell"][0, hex_id])
        kind = "forts" if i % 9 == 8 else "houses"
        game.record[kind][0, i % game.n_players, cell >> 5] |= np.uint32(1 << (cell & 31))
    return wk.game_of(game.record, game.board)


@pytest.mark.parametrize("twist", [None, "Impasse", "Archipelago"])
@pytest.mark.parametrize("op", OPS, ids=[op.name.lower() for op in OPS])
def test_sources__are_the_houses_with_targets(op: Op, twist: str | None) -> None:
    arg = int({Op.MOVE_ACROSS: Terrain.MOUNTAIN, Op.MOVE_ACROSS_ONTO: Terrain.ICE}.get(op, 0))
    some = 0
    for seed in range(12):
        game = random_position(seed, twist)
        record, board, rules = game.record[0], game.board[0], make_rules()[0]
        sources, targets = np.zeros((1, layout.WORDS), np.uint32), np.zeros((1, layout.WORDS), np.uint32)
        find_sources(int(op), arg, record, board, rules, sources)
        for hex_id in range(layout.N_HEXES):
            cell = int(rules["cell"][hex_id])
            if op == Op.MOVE_TO_TUNNEL and has(board["touching"], int(Terrain.TUNNEL), cell):
                assert not has(sources, 0, cell), "it touches a tunnel already"
            elif op == Op.MOVE_WITHIN_CENTRE_BOARD and rules["board"][hex_id] != layout.CENTRE:
                assert not has(sources, 0, cell), "it was not built on the centre board"
            elif has(record["houses"], 0, cell):
                find_targets(int(op), arg, hex_id, record, board, rules, targets)
                assert has(sources, 0, cell) == targets.any(), wk.label(hex_id)
                some += bool(targets.any())
            else:
                assert not has(sources, 0, cell), "there is no own house"
    assert some > 0
