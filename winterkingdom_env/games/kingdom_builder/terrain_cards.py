"""Terrain cards: drawing, which terrains they offer, and what happens when a terrain is full (p. 4)."""

from __future__ import annotations

import numpy as np

from winterkingdom_env.core._jit import kernel
from winterkingdom_env.core.grid import meets
from winterkingdom_env.core.hexset import load
from winterkingdom_env.core.rng import shuffle
from winterkingdom_env.games.kingdom_builder.kinds import Terrain
from winterkingdom_env.games.kingdom_builder.layout import N_BASIC, NONE
from winterkingdom_env.games.kingdom_builder.pieces import free_hexes

I64 = np.int64
N_OPTIONS = N_BASIC + 1  # the basic terrains and swamp


@kernel
def terrains_of(card):
    """The terrains on a card, a bit each."""
    return I64(1) << card if card < N_BASIC else (I64(1) << I64(Terrain.SWAMP)) | (I64(1) << (card - N_BASIC))


@kernel
def with_free_hex(terrains, game, board):
    """Those of these terrains, a bit each, that have a free hex."""
    free, found = free_hexes(game, board), I64(0)
    for terrain in range(N_OPTIONS):
        if (terrains >> terrain) & 1 and meets(load(board["terrain"], terrain), free):
            found |= I64(1) << terrain
    return found


@kernel
def card_terrains(game):
    """The terrains, a bit each, that "card terrain" means for the turn's seat: the bound one, or all on the cards that may be played."""
    seat = game["turn_seat"]
    if game["terrain"] != NONE:
        return I64(1) << I64(game["terrain"])
    if game["played"] != NONE:
        return terrains_of(I64(game["hand"][seat][game["played"]]))
    terrains = I64(0)
    for k in range(game["n_hand"][seat]):
        terrains |= terrains_of(I64(game["hand"][seat][k]))
    return terrains


@kernel
def bind(terrain, game):
    """A hex of this terrain was chosen for a card terrain: it binds the seat for the rest of the turn (3.5 of the rules)."""
    seat = game["turn_seat"]
    if game["terrain"] != NONE:
        return
    game["terrain"] = terrain
    if game["played"] != NONE:
        return
    for k in range(game["n_hand"][seat]):
        if (terrains_of(I64(game["hand"][seat][k])) >> terrain) & 1:
            game["played"] = k
            return


@kernel
def can_draw(game):
    """Whether a card can be drawn."""
    return game["n_deck"] + game["n_discards"] > 0


@kernel
def draw_card(game):
    """The top card of the deck; NONE if there is none. The discards are shuffled when a card is needed (p. 3)."""
    if game["n_deck"] == 0:
        n = I64(game["n_discards"])
        if n == 0:
            return I64(NONE)
        for k in range(n):
            game["deck"][k] = game["discards"][k]
            game["discards"][k] = 0
        shuffle(game, game["deck"], n)
        game["n_deck"], game["n_discards"] = n, 0
    game["n_deck"] -= 1
    card = I64(game["deck"][game["n_deck"]])
    game["deck"][game["n_deck"]] = 0
    return card


@kernel
def discard(card, game):
    """Put a card on the discards."""
    game["discards"][game["n_discards"]] = card
    game["n_discards"] += 1


@kernel
def draw_option(game, board):
    """Draw cards until one has an option; those without leave the game. NONE if there is none."""
    while True:
        card = draw_card(game)
        if card == NONE or with_free_hex(terrains_of(card), game, board) != 0:
            return card
        game["out"][card] += 1


@kernel
def remove_from_hand(seat, place, game):
    """Take the card at a place out of a hand; the others close up."""
    game["n_hand"][seat] -= 1
    for k in range(place, I64(game["n_hand"][seat])):
        game["hand"][seat][k] = game["hand"][seat][k + 1]
    game["hand"][seat][game["n_hand"][seat]] = NONE


@kernel
def replace_card(place, game, board):
    """A card of the turn's seat leaves the game and is replaced; return whether another one was found."""
    seat = I64(game["turn_seat"])
    game["out"][game["hand"][seat][place]] += 1
    card = draw_option(game, board)
    if card == NONE:
        remove_from_hand(seat, place, game)
        return False
    game["hand"][seat][place] = card
    return True


@kernel
def check_cards(game, board):
    """Replace cards whose terrain is full, before the turn's seat is asked (p. 4)."""
    seat = I64(game["turn_seat"])
    if game["played"] != NONE:
        if with_free_hex(card_terrains(game), game, board) != 0:
            return
        game["terrain"] = NONE  # open among the terrains of the new card
        if replace_card(I64(game["played"]), game, board):
            return
        game["played"] = NONE  # no card is left: the rest of the hand is open
    k = I64(0)
    while k < game["n_hand"][seat]:
        has_option = with_free_hex(terrains_of(I64(game["hand"][seat][k])), game, board) != 0
        if has_option or replace_card(k, game, board):
            k += 1
