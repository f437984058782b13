"""The observation: its specification, and the kernel that writes it. Without a board there are no planes, only fields."""

from __future__ import annotations

import numpy as np

from examples.duels.layout import (
    COPIES,
    MAX_PLAYERS,
    MOST_COPIES,
    MOST_ROUNDS,
    NONE,
    PRIZE_COPIES,
    PRIZES,
    STRENGTHS,
    VALUES,
    Phase,
)
from winterkingdom_env.core._jit import kernel
from winterkingdom_env.core.observation import Field, Kind, Spec

I64, U32 = np.int64, np.uint32
LEAST, MOST = (MOST_COPIES * sum(value for value in VALUES if value * sign > 0) for sign in (-1, 1))

SPEC = Spec(
    planes=(),
    fields=(
        Field("points", "points in prizes per seat, the own first", Kind.NUMBER, count=MAX_PLAYERS, scale=10, least=LEAST, most=MOST),
        Field("n_weapons", "weapons in hand per seat", Kind.NUMBER, count=MAX_PLAYERS, scale=5, most=STRENGTHS * COPIES),
        Field("hand", "own weapons of each strength", Kind.NUMBER, count=STRENGTHS, scale=COPIES, most=COPIES),
        Field("unseen", "weapons of each strength in the deck and the others' hands", Kind.NUMBER, count=STRENGTHS, scale=COPIES, most=COPIES),
        Field("prizes", "prizes of each value not turned up", Kind.NUMBER, count=PRIZES, scale=PRIZE_COPIES, most=MOST_COPIES),
        Field("prize", "prize that is turned up", Kind.CHOICE, PRIZES),
        Field("weapon", "strength of the weapon to top", Kind.CHOICE, STRENGTHS),
        Field("attacker", "whose turn it is: one's own, the next seat's, ...", Kind.CHOICE, MAX_PLAYERS),
        Field("mover", "who is asked: oneself, the next seat, ...; none after the end", Kind.CHOICE, MAX_PLAYERS),
        Field("n_players", "number of players: 2, 3, 4, 5", Kind.CHOICE, MAX_PLAYERS - 1),
        Field("round", "round, from 1", Kind.NUMBER, scale=MOST_ROUNDS, most=MOST_ROUNDS),
        Field("rounds", "rounds in all", Kind.NUMBER, scale=MOST_ROUNDS, most=MOST_ROUNDS),
    ),
)  # fmt: skip

# First words as plain numbers: kernels freeze them.
POINTS, N_WEAPONS, HAND, UNSEEN, PRIZES_LEFT, PRIZE, WEAPON, ATTACKER, MOVER, N_PLAYERS, ROUND, ROUNDS = (
    SPEC.word(field.name) for field in SPEC.fields
)


@kernel
def count(hand):
    """Weapons in a hand."""
    n = I64(0)
    for kind in range(STRENGTHS):
        n += hand[kind]
    return n


@kernel
def observe(seat, game, board, out):
    """Write the observation of a seat. Of the other hands it shows only their union with the deck."""
    n_players, is_over = I64(board["n_players"]), game["phase"] == Phase.OVER
    for i in range(MAX_PLAYERS):
        player = (seat + i) % n_players
        is_there = i < n_players
        out[POINTS + i] = U32(game["gains"][player] + game["losses"][player]) if is_there else U32(0)
        out[N_WEAPONS + i] = U32(count(game["hand"][player])) if is_there else U32(0)
    for kind in range(STRENGTHS):
        unseen = I64(game["deck"][kind])
        for player in range(n_players):
            unseen += game["hand"][player][kind] if player != seat else 0
        out[HAND + kind] = U32(game["hand"][seat][kind])
        out[UNSEEN + kind] = U32(unseen)
    for kind in range(PRIZES):
        out[PRIZES_LEFT + kind] = U32(game["prizes"][kind])
    out[PRIZE] = U32(game["prize"] - NONE)
    out[WEAPON] = U32(game["weapon"] - NONE)
    out[ATTACKER] = U32((I64(game["attacker"]) - seat + n_players) % n_players + 1)
    out[MOVER] = U32(0) if is_over else U32((I64(game["seat"]) - seat + n_players) % n_players + 1)
    out[N_PLAYERS] = U32(n_players - 1)
    out[ROUND] = U32(game["round"])
    out[ROUNDS] = U32(board["rounds"])
