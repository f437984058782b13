"""Kernels of the observation "actions" (search/action_rows.py): the numbers of a position, and a row of features for every legal action.

They work on a determinized copy of the game, in which everything hidden from the seat is resampled with a fixed stream. So nothing that they write
can depend on what the seat may not see.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from winterkingdom_env.core._jit import kernel
from winterkingdom_env.core.batch import copy_across
from winterkingdom_env.core.bits import copy_record
from winterkingdom_env.core.observation import News, unpack_vector
from winterkingdom_env.core.verbs import (
    N_ENTRIES,
    N_FEATURES,
    NOTHING,
    PASS,
    advance,
    deal_hidden,
    generic,
    is_over,
    kind_of,
    score,
    seat_to_move,
    write_extra,
    write_features,
)
from winterkingdom_env.search.acting import TRIES

I64 = np.int64
F32 = np.float32
U64 = np.uint64
HIDDEN_STREAM = 0x2545F4914F6CDD1D  # an arbitrary seed, with which hidden information is resampled


class Rows(NamedTuple):
    """Outputs of ``observe_rows``, one observation per game; the last two arrays are scratch."""

    observation: Any  # float32 (n, count_context): the vector of the other forms, then the numbers of ``write_extra``
    actions: Any  # int16 (n, rows): the legal actions, ascending; -1 in unused rows
    kinds: Any  # int16 (n, rows): the kind of each action; 0 in unused rows
    features: Any  # float32 (n, rows, N_FEATURES); 0 in unused rows
    row_mask: Any  # int8 (n, rows): 1 for every row with an action; these come first
    legal: Any  # int16 (2 * actions,)
    found: Any  # float32 (actions, N_FEATURES)


@kernel(inline=True)
def spaced(k, n_kept, n):
    """The index of the k-th of ``n_kept`` among ``n`` things, evenly spaced from the first to the last."""
    return k * (n - 1) // (n_kept - 1) if n_kept > 1 else I64(0)


@kernel
def kept_index(row, n_rows, n, n_apart):
    """The index in a list of ``n`` actions of the one in a row; the last ``n_apart`` of the list are not on the board.

    A list that is too long keeps all actions that are not on the board, and evenly spaced others.
    """
    if n <= n_rows:
        return row
    n_last = min(n_apart, n_rows)
    n_first = n_rows - n_last
    if row < n_first:
        return spaced(row, n_first, n - n_apart)
    return n - n_apart + spaced(row - n_first, n_last, n_apart)


@generic
def fill_rows(world, n, n_places, i, rows):
    """Write the ``n`` actions in ``rows.legal`` into observation ``i``. Actions from ``n_places`` on are not on the board."""
    n_rows, n_apart = I64(rows.actions.shape[1]), I64(0)
    for k in range(n):
        if rows.legal[k] >= n_places:
            n_apart += 1
    for row in range(n_rows):
        if row < n:
            k = kept_index(I64(row), n_rows, n, n_apart)
            action = I64(rows.legal[k])
            rows.actions[i, row], rows.kinds[i, row], rows.row_mask[i, row] = action, kind_of(world, action), 1
            for column in range(N_FEATURES):
                rows.features[i, row, column] = rows.found[k, column]
        elif rows.row_mask[i, row] != 0:
            rows.actions[i, row], rows.kinds[i, row], rows.row_mask[i, row] = -1, 0, 0
            for column in range(N_FEATURES):
                rows.features[i, row, column] = F32(0)


@generic
def copy_seen(world, i, seat, tries):
    """Copy game i to game 0 of ``tries``, with everything hidden from the seat resampled; its other games get the board."""
    copy_across(world, i, tries, I64(0))
    for k in range(1, TRIES):
        copy_record(world.boards, i, tries.boards, k)
    tries.games[0]["rng"] = U64(HIDDEN_STREAM)
    deal_hidden(tries, I64(0), seat)
    advance(tries, I64(0), I64(NOTHING))
    score(tries, I64(0))


@generic
def observe_rows(world, which, seats, packed, table, n_places, tries, rows):
    """Write the observation of seat ``seats[i]`` of each game i in ``which``.

    ``packed``: packed observations of these seats. ``table``: Spec.table. ``tries``: a World with TRIES games. A finished game has one row, PASS.
    """
    for i in which:
        seat, is_done = I64(seats[i]), is_over(world, i)
        is_asked = seat == seat_to_move(world, i) and not is_done
        copy_seen(world, i, seat, tries)
        unpack_vector(packed[i], table, I64(News.GAME), rows.observation[i][:N_ENTRIES])
        write_extra(tries, I64(0), seat, rows.observation[i], I64(N_ENTRIES))
        n = I64(0)
        if is_done:
            rows.legal[0], n = PASS, I64(1)
            for column in range(N_FEATURES):
                rows.found[0, column] = F32(0)
        elif is_asked:
            n = I64(write_features(tries, I64(0), rows.legal, rows.found))
        fill_rows(world, n, n_places, i, rows)
