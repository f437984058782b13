"""The observation: its specification, and the kernel that writes it. There is no board, so there are no planes."""

from __future__ import annotations

import numpy as np

from winterkingdom_env.core._jit import kernel
from winterkingdom_env.core.bits import first_bit, popcount, store_bytes
from winterkingdom_env.core.counts import BYTE, WORDS, count_of, kinds_of, size_of
from winterkingdom_env.core.observation import Field, Kind, News, Spec
from winterkingdom_env.games.dominion.layout import (
    MAX_PLAYERS,
    MOST_COST,
    MOST_REVEALED,
    MOST_ROUNDS,
    N_CARDS,
    N_TREASURES,
    NONE,
    Phase,
)
from winterkingdom_env.games.dominion.scoring import SCORED, n_owned
from winterkingdom_env.games.dominion.tables import PROVINCE

I64, U32, U64 = np.int64, np.uint32, np.uint64
SCORE_SCALE = 10.0
OTHERS = MAX_PLAYERS - 1
MOST_OF_A_KIND = 60
ALL_CARDS = 310
SMALLEST_PILES = 3

SPEC = Spec(
    planes=(),
    fields=(
        Field("kinds", "cards that have a pile", Kind.BITS, N_CARDS, is_name=True, news=News.GAME),
        Field("cost", "cost of each card", Kind.NUMBER, count=N_CARDS, scale=10, most=MOST_COST, news=News.GAME),
        Field("n_players", "number of players: 2, 3, 4", Kind.CHOICE, MAX_PLAYERS - 1, news=News.GAME),
        Field("seat", "own seat", Kind.CHOICE, MAX_PLAYERS),
        Field("supply", "cards of each kind in the supply", Kind.NUMBER, count=N_CARDS, scale=10, most=MOST_OF_A_KIND, is_name=True),
        Field("trash", "cards of each kind in the trash", Kind.NUMBER, count=N_CARDS, scale=10, most=MOST_OF_A_KIND, is_name=True),
        Field("hand", "own hand", Kind.NUMBER, count=N_CARDS, scale=5, most=MOST_OF_A_KIND, is_name=True),
        Field("deck", "own deck, face down, without the cards known to lie on it", Kind.NUMBER, count=N_CARDS, scale=10, most=MOST_OF_A_KIND, is_name=True),
        Field("unseen", "hand and deck of each other seat together, without the known part of the hand", Kind.NUMBER, count=OTHERS * N_CARDS, scale=10, most=MOST_OF_A_KIND, is_name=True),
        Field("known", "the part of each hand that everybody knows, the own first", Kind.NUMBER, count=MAX_PLAYERS * N_CARDS, scale=5, most=MOST_OF_A_KIND, is_name=True),
        Field("discard", "discard piles, the own first", Kind.NUMBER, count=MAX_PLAYERS * N_CARDS, scale=10, most=MOST_OF_A_KIND, is_name=True),
        Field("top", "cards known to lie on each draw pile, the own first", Kind.NUMBER, count=MAX_PLAYERS * N_CARDS, scale=2, most=MOST_OF_A_KIND, is_name=True),
        Field("next", "the next of these", Kind.CHOICE, N_CARDS, count=MAX_PLAYERS, is_name=True),
        Field("play", "cards in play", Kind.NUMBER, count=N_CARDS, scale=2, most=MOST_OF_A_KIND, is_name=True),
        Field("aside", "cards set aside by Library", Kind.NUMBER, count=N_CARDS, scale=2, most=MOST_OF_A_KIND, is_name=True),
        Field("revealed", "cards turned over by Thief", Kind.NUMBER, count=N_CARDS, scale=1, most=MOST_REVEALED, is_name=True),
        Field("stolen", "treasures that Thief may gain", Kind.NUMBER, count=N_TREASURES, scale=1, most=OTHERS),
        Field("n_hand", "cards in each hand, the own first", Kind.NUMBER, count=MAX_PLAYERS, scale=5, most=ALL_CARDS),
        Field("n_draw", "cards in each draw pile", Kind.NUMBER, count=MAX_PLAYERS, scale=10, most=ALL_CARDS),
        Field("n_discard", "cards in each discard pile", Kind.NUMBER, count=MAX_PLAYERS, scale=10, most=ALL_CARDS),
        Field("n_owned", "cards that each seat owns", Kind.NUMBER, count=MAX_PLAYERS, scale=20, most=ALL_CARDS),
        Field("points", "points of each seat", Kind.NUMBER, count=MAX_PLAYERS, scale=10, least=-30, most=12 * 31 + 12 * 6 + 12 * 3 + 24),
        Field("turns", "turns that each seat has taken", Kind.NUMBER, count=MAX_PLAYERS, scale=20, most=MOST_ROUNDS),
        Field("actions", "actions left", Kind.NUMBER, scale=2, most=101),
        Field("buys", "buys left", Kind.NUMBER, scale=2, most=51),
        Field("coins", "coins", Kind.NUMBER, scale=5, most=380),
        Field("turn", "whose turn it is: one's own, the next seat's, ...", Kind.CHOICE, MAX_PLAYERS),
        Field("mover", "who is asked: oneself, the next seat, ...; none after the end", Kind.CHOICE, MAX_PLAYERS),
        Field("subject", "the seat on which the card works", Kind.CHOICE, MAX_PLAYERS),
        Field("phase", "the question", Kind.CHOICE, len(Phase), is_name=True),
        Field("card", "the card that is carried out", Kind.CHOICE, N_CARDS, is_name=True),
        Field("again", "cards that Throne Rooms will play a second time", Kind.NUMBER, count=N_CARDS, scale=1, most=10, is_name=True),
        Field("next_again", "the next of these", Kind.CHOICE, N_CARDS, is_name=True),
        Field("immune", "seats that showed a Moat, the own first", Kind.BITS, MAX_PLAYERS),
        Field("floor", "the card chosen last, where several are chosen in ascending order", Kind.NUMBER, scale=N_CARDS, most=N_CARDS - 1),
        Field("count", "cards discarded for Cellar or trashed for Chapel so far", Kind.NUMBER, scale=4, most=ALL_CARDS),
        Field("limit", "cost of the card to gain, at most", Kind.NUMBER, scale=10, most=2 * MOST_COST),
        Field("pending", "the card that Library may set aside, if one's own or seen by all", Kind.CHOICE, N_CARDS, is_name=True),
        Field("n_empty", "empty piles", Kind.NUMBER, scale=3, most=17),
        Field("to_end", "cards in the three smallest piles, or Provinces left if fewer", Kind.NUMBER, scale=10, most=3 * MOST_OF_A_KIND),
    ),
)  # fmt: skip

# First words as plain numbers: kernels freeze them.
(
    KINDS, COST, N_PLAYERS, SEAT, SUPPLY, TRASH, HAND, DECK, UNSEEN, KNOWN, DISCARD, TOP, NEXT, PLAY, ASIDE, REVEALED, STOLEN,
    N_HAND, N_DRAW, N_DISCARD, N_OWNED, POINTS, TURNS, ACTIONS, BUYS, COINS, TURN, MOVER, SUBJECT, PHASE, CARD,
    AGAIN, NEXT_AGAIN, IMMUNE, FLOOR, COUNT, LIMIT, PENDING, N_EMPTY, TO_END,
) = (SPEC.word(field.name) for field in SPEC.fields)  # fmt: skip


@kernel(inline=True)
def write_cards(word, k, out, first):
    """Write the eight counts of word ``k`` of a multiset."""
    store_bytes(out, I64(first + 8 * k), word)


@kernel(inline=True)
def write_list(cards, n, out, first):
    """Write the counts of a list of cards."""
    for k in range(WORDS):
        store_bytes(out, I64(first + 8 * k), U64(0))
    for k in range(n):
        if cards[k] != NONE:
            out[first + I64(cards[k])] += U32(1)


@kernel
def observe(seat, news, game, board, sheet, out):
    """Write the observation of a seat. Of another hand it shows the known part, and its union with the deck for the rest."""
    n_players = I64(board["n_players"])
    if news == News.GAME:
        out[KINDS] = U32(board["piles"])
        for card in range(N_CARDS):
            out[COST + card] = U32(board["cost"][card])
        out[N_PLAYERS] = U32(n_players - 1)
    out[SEAT] = U32(seat + 1)
    for k in range(WORDS):
        write_cards(game["supply"][k], k, out, SUPPLY)
        write_cards(game["trash"][k], k, out, TRASH)
        write_cards(game["hand"][seat][k], k, out, HAND)
        write_cards(game["deck"][seat][k], k, out, DECK)
        write_cards(game["play"][k], k, out, PLAY)
        write_cards(game["aside"][k], k, out, ASIDE)
    for i in range(MAX_PLAYERS):
        if i < n_players:
            write_seat(i, (seat + i) % n_players, game, sheet, out)
        else:
            write_empty_chair(i, out)
    write_turn(seat, n_players, game, out)
    write_card(seat, n_players, game, out)
    write_end(game, board, out)


@kernel
def write_seat(i, player, game, sheet, out):
    """Write what everybody knows of a seat, the i-th from the looker on."""
    for k in range(WORDS):
        known = game["known"][player][k]
        write_cards(known, k, out, KNOWN + i * N_CARDS)
        write_cards(game["discard"][player][k], k, out, DISCARD + i * N_CARDS)
        if i > 0:
            unseen = game["hand"][player][k] + game["deck"][player][k] - known
            write_cards(unseen, k, out, UNSEEN + (i - 1) * N_CARDS)
    n_top = I64(game["n_top"][player])
    write_list(game["top"][player], n_top, out, TOP + i * N_CARDS)
    out[NEXT + i] = U32(game["top"][player][n_top - 1] + 1) if n_top > 0 else U32(0)
    out[N_HAND + i] = U32(size_of(game["hand"][player]))
    out[N_DRAW + i] = U32(size_of(game["deck"][player]) + n_top)
    out[N_DISCARD + i] = U32(size_of(game["discard"][player]))
    out[N_OWNED + i] = U32(n_owned(game, player))
    total = I64(0)
    for k in range(len(SCORED)):
        total += sheet[player, k]
    out[POINTS + i] = U32(total)
    out[TURNS + i] = U32(game["turns"][player])


@kernel
def write_empty_chair(i, out):
    """Write zeros for a seat that is not in the game."""
    for k in range(WORDS):
        write_cards(U64(0), k, out, KNOWN + i * N_CARDS)
        write_cards(U64(0), k, out, DISCARD + i * N_CARDS)
        write_cards(U64(0), k, out, TOP + i * N_CARDS)
        write_cards(U64(0), k, out, UNSEEN + (i - 1) * N_CARDS)
    out[NEXT + i] = out[N_HAND + i] = out[N_DRAW + i] = out[N_DISCARD + i] = U32(0)
    out[N_OWNED + i] = out[POINTS + i] = out[TURNS + i] = U32(0)


@kernel(inline=True)
def from_seat(player, seat, n_players):
    """A seat as a choice, counted from the looker; none for NONE."""
    return U32(0) if player == NONE else U32((I64(player) - seat + n_players) % n_players + 1)


@kernel
def write_turn(seat, n_players, game, out):
    """Write whose turn it is, and what is left of it."""
    is_over = game["phase"] == Phase.OVER
    out[ACTIONS] = U32(game["actions"])
    out[BUYS] = U32(game["buys"])
    out[COINS] = U32(game["coins"])
    out[TURN] = from_seat(game["turn_seat"], seat, n_players)
    out[MOVER] = U32(0) if is_over else from_seat(game["seat"], seat, n_players)
    out[SUBJECT] = from_seat(game["subject"], seat, n_players)
    out[PHASE] = U32(game["phase"] + 1)


@kernel
def write_card(seat, n_players, game, out):
    """Write the card that is carried out, and its registers."""
    write_list(game["revealed"], MOST_REVEALED, out, REVEALED)
    for card in range(N_TREASURES):
        out[STOLEN + card] = U32(game["stolen"][card])
    n_again = I64(game["n_again"])
    out[CARD] = U32(game["card"] + 1)
    write_list(game["again"], n_again, out, AGAIN)
    out[NEXT_AGAIN] = U32(game["again"][n_again - 1] + 1) if n_again > 0 else U32(0)
    immune = U32(0)
    for i in range(n_players):
        immune |= U32((game["immune"] >> ((seat + i) % n_players)) & 1) << U32(i)
    out[IMMUNE] = immune
    out[FLOOR] = U32(game["floor"])
    out[COUNT] = U32(game["count"])
    out[LIMIT] = U32(game["limit"])
    is_seen = game["seat"] == seat or game["pending_known"] == 1
    out[PENDING] = U32(game["pending"] + 1) if is_seen else U32(0)


@kernel
def write_end(game, board, out):
    """Write how near the end is."""
    out[N_EMPTY] = U32(n_empty(game, board))
    out[TO_END] = U32(to_end(game, board))


@kernel
def n_empty(game, board):
    """How many piles are empty."""
    return popcount(board["piles"] & ~kinds_of(game["supply"]))


@kernel
def to_end(game, board):
    """The cards in the three smallest piles, or the Provinces that are left if they are fewer."""
    least, second, third = I64(BYTE), I64(BYTE), I64(BYTE)
    rest = board["piles"]
    while rest:
        n = count_of(game["supply"], first_bit(rest))
        rest &= rest - U64(1)
        if n < third:
            low, third = min(n, second), max(n, second)
            least, second = min(low, least), max(low, least)
    return min(least + second + third, count_of(game["supply"], PROVINCE))
