"""What cards do. A row of the card table is plain bonuses and up to two ops; only the last op may ask a question.

A kernel here returns a ``Step``: ASKED if a question stands in the record, otherwise what comes next. Only Throne Room plays cards, and its
own effect ends with the choice. So one card at a time is carried out, and what waits is a list of cards (``again``).
"""

from __future__ import annotations

from enum import IntEnum

import numpy as np

from winterkingdom_env.core._jit import kernel
from winterkingdom_env.core.counts import add, count_of, is_empty, kinds_of, put_all, remove, size_of
from winterkingdom_env.games.dominion.layout import (
    LAST_INSTANT_OP,
    MOST_COST,
    MOST_REVEALED,
    N_TREASURES,
    NONE,
    Class,
    Op,
    Phase,
)
from winterkingdom_env.games.dominion.zones import (
    KNOWN,
    draw_cards,
    gain,
    is_of,
    leave_hand,
    may_hold,
    pop_top,
    push_top,
    show_hand,
    take,
    trash_from_hand,
)

I64, U64 = np.int64, np.uint64


class Step(IntEnum):
    """What comes next."""

    ASKED = 0
    MOATS = 1  # the next seat that may show a Moat
    CARRY_OUT = 2  # the card
    SUBJECTS = 3  # the next seat on which the card works
    FINISH = 4  # the card
    ACTIONS = 5
    CLEAN_UP = 6


@kernel
def ask(game, phase, seat):
    """Ask a seat."""
    game["phase"] = phase
    game["seat"] = seat
    return I64(Step.ASKED)


@kernel
def begin_card(game, rules, card):
    """Play a card that is in play already."""
    game["card"] = card
    game["subject"] = game["turn_seat"]
    game["immune"] = game["floor"] = game["count"] = 0
    return I64(Step.MOATS) if is_of(rules, Class.ATTACK, card) else I64(Step.CARRY_OUT)


@kernel
def ask_moats(game, board, rules):
    """Slotgracht: every seat that is attacked may show a Moat, in turn order, before the attack does anything."""
    seat, n_players = I64(game["turn_seat"]), I64(board["n_players"])
    other = (I64(game["subject"]) + 1) % n_players
    while other != seat:
        if may_hold(game, other, rules["class_bits"][Class.REACTION]):
            game["subject"] = other
            return ask(game, Phase.MOAT, other)
        other = (other + 1) % n_players
    game["subject"] = seat
    return I64(Step.CARRY_OUT)


@kernel
def carry_out(game, board, rules):
    """The bonuses of the card, then its ops."""
    card, seat = I64(game["card"]), I64(game["turn_seat"])
    draw_cards(game, seat, rules["cards"][card])
    game["actions"] += rules["actions"][card]
    game["buys"] += rules["buys"][card]
    game["coins"] += rules["coins"][card]
    first, last = rules["op"][card][0], 0
    if rules["op"][card][1] != Op.NOTHING:
        do_at_once(game, board, first, rules["n"][card][0], rules["what"][card][0])
        last = 1
    op, n, what = rules["op"][card][last], rules["n"][card][last], rules["what"][card][last]
    if op <= LAST_INSTANT_OP:
        do_at_once(game, board, op, n, what)
        return I64(Step.FINISH)
    if op >= Op.OTHERS_DISCARD_TO:
        if op == Op.ALL_SHOW_TOP and show_top(game, seat):  # Spion: the turn's own seat first
            return I64(Step.ASKED)
        return I64(Step.SUBJECTS)
    return begin_choice(game, board, rules, op, n, what)


# Ops that never ask -----------------------------------------------------------------------------------------------------


@kernel
def do_at_once(game, board, op, n, what):
    """An op that asks nothing."""
    seat = I64(game["turn_seat"])
    if op == Op.TRASH_SELF:
        if count_of(game["play"], I64(game["card"])) > 0:
            remove(game["play"], I64(game["card"]), 1)
            add(game["trash"], I64(game["card"]), 1)
    elif op == Op.TRASH_FOR_COINS:
        if count_of(game["hand"][seat], what) > 0:
            trash_from_hand(game, seat, what)
            game["coins"] += n
    elif op == Op.DIG:
        dig(game, seat, n)
    elif op == Op.GAIN_ON_DECK:
        if count_of(game["supply"], what) > 0:
            remove(game["supply"], what, 1)
            push_top(game, seat, what)
    elif op == Op.OTHERS_DRAW:
        for k in range(1, I64(board["n_players"])):
            draw_cards(game, (seat + k) % I64(board["n_players"]), n)
    elif op == Op.OTHERS_GAIN:
        for k in range(1, I64(board["n_players"])):
            other = (seat + k) % I64(board["n_players"])
            if count_of(game["supply"], what) > 0 and not is_immune(game, other):
                gain(game, other, what)


@kernel
def is_immune(game, seat):
    """Whether a seat has shown a Moat."""
    return (game["immune"] >> seat) & 1 == 1


@kernel
def dig(game, seat, n):
    """Avonturier: turn over cards until ``n`` treasures are out; the others are discarded at the end, so they are not shuffled in."""
    found = 0
    while found < n:
        taken = take(game, seat)
        if taken == NONE:
            break
        card = taken & (KNOWN - 1)
        if card < N_TREASURES:
            found += 1
            add(game["hand"][seat], card, 1)
            add(game["known"][seat], card, 1)
        else:
            add(game["aside"], card, 1)
    put_all(game["aside"], game["discard"][seat])


# Ops that ask the turn's seat -------------------------------------------------------------------------------------------


@kernel
def begin_choice(game, board, rules, op, n, what):
    """An op that asks the seat whose turn it is, if there is something to choose."""
    seat = I64(game["turn_seat"])
    has_cards = not is_empty(game["hand"][seat])
    if op == Op.REDRAW and has_cards:
        return ask(game, Phase.CELLAR, seat)
    if op == Op.TRASH_UP_TO and has_cards:
        return ask(game, Phase.CHAPEL, seat)
    if op == Op.EXCHANGE and has_cards:
        return ask(game, Phase.REMODEL, seat)
    if op == Op.EXCHANGE_IN_HAND and may_hold(game, seat, rules["class_bits"][what]):
        return ask(game, Phase.MINE, seat)
    if op == Op.PLAY_TWICE and may_hold(game, seat, rules["class_bits"][Class.ACTION]):
        return ask(game, Phase.THRONE, seat)
    if op == Op.FLIP_DECK and (game["n_top"][seat] > 0 or not is_empty(game["deck"][seat])):
        return ask(game, Phase.CHANCELLOR, seat)
    if op == Op.GAIN_UP_TO:
        return ask_gain(game, board, rules, n)
    if op == Op.DRAW_TO:
        return draw_to(game, rules, n)
    return I64(Step.FINISH)


@kernel
def gains(game, board, rules):
    """The cards that may be gained now, a bit each."""
    bits = kinds_of(game["supply"]) & board["up_to"][min(I64(game["limit"]), MOST_COST)]
    card = I64(game["card"])
    if rules["op"][card][0] == Op.EXCHANGE_IN_HAND:
        bits &= rules["class_bits"][rules["what"][card][0]]
    return bits


@kernel
def ask_gain(game, board, rules, limit):
    """Ask for a card that costs up to ``limit``, if the supply has one."""
    game["limit"] = limit
    if gains(game, board, rules) == U64(0):
        return I64(Step.FINISH)
    return ask(game, Phase.GAIN, I64(game["turn_seat"]))


@kernel
def draw_to(game, rules, n):
    """Bibliotheek: draw up to ``n`` cards in hand. Everybody sees whether a question is asked, so hidden cards do not decide it."""
    seat, actions = I64(game["turn_seat"]), rules["class_bits"][Class.ACTION]
    while size_of(game["hand"][seat]) < n:
        taken = take(game, seat)
        if taken == NONE:
            break
        card, is_known = taken & (KNOWN - 1), taken >= KNOWN
        add(game["hand"][seat], card, 1)
        if is_known:
            add(game["known"][seat], card, 1)
        if is_of(rules, Class.ACTION, card) if is_known else may_hold(game, seat, actions):
            game["pending"], game["pending_known"] = card, is_known
            return ask(game, Phase.LIBRARY, seat)
    put_all(game["aside"], game["discard"][seat])
    return I64(Step.FINISH)


@kernel
def answer_library(game, rules, is_yes):
    """Set the card aside or keep it, and draw on."""
    seat, card = I64(game["turn_seat"]), I64(game["pending"])
    if is_yes:
        remove(game["hand"][seat], card, 1)
        if game["pending_known"]:
            remove(game["known"][seat], card, 1)
        add(game["aside"], card, 1)
    game["pending"], game["pending_known"] = NONE, 0
    return draw_to(game, rules, rules["n"][I64(game["card"])][0])


# Ops that work on one seat after the other ------------------------------------------------------------------------------


@kernel
def next_subject(game, board, rules):
    """Go on to the next seat that is attacked; each is finished before the next."""
    card, seat, n_players = I64(game["card"]), I64(game["turn_seat"]), I64(board["n_players"])
    last = I64(rules["op"][card][1] != Op.NOTHING)
    op, n, what = rules["op"][card][last], rules["n"][card][last], rules["what"][card][last]
    other = (I64(game["subject"]) + 1) % n_players
    while other != seat:
        if not is_immune(game, other) and attack(game, rules, op, n, what, other):
            return I64(Step.ASKED)
        other = (other + 1) % n_players
    game["subject"] = seat
    game["floor"] = 0
    return ask_stolen(game) if op == Op.OTHERS_SHOW else I64(Step.FINISH)


@kernel
def attack(game, rules, op, n, what, other):
    """Let an attack work on a seat, and return whether a question is asked."""
    game["subject"] = other
    if op == Op.OTHERS_DISCARD_TO:
        game["floor"] = 0
        if size_of(game["hand"][other]) <= n:
            return False
        ask(game, Phase.MILITIA, other)
        return True
    if op == Op.OTHERS_TOPDECK:
        if may_hold(game, other, rules["class_bits"][what]):
            ask(game, Phase.BUREAUCRAT, other)
            return True
        show_hand(game, other)
        return False
    if op == Op.ALL_SHOW_TOP:
        return show_top(game, other)
    return rob(game, n, other)


@kernel
def show_top(game, other):
    """Spion: a seat shows the top card of its draw pile; False if it has none."""
    if game["n_top"][other] == 0:
        taken = take(game, other)
        if taken == NONE:
            return False
        push_top(game, other, taken & (KNOWN - 1))
    game["subject"] = other
    ask(game, Phase.SPY, I64(game["turn_seat"]))
    return True


@kernel
def rob(game, n, other):
    """Dief: a seat shows up to ``n`` cards, of which one treasure is trashed; True if there are two kinds of treasures to choose from."""
    n_treasures, last = 0, I64(NONE)
    is_choice = False
    for k in range(n):
        taken = take(game, other)
        if taken == NONE:
            break
        card = taken & (KNOWN - 1)
        game["revealed"][k] = card
        if card < N_TREASURES:
            is_choice = n_treasures > 0 and card != last
            n_treasures += 1
            last = card
    if is_choice:
        ask(game, Phase.THIEF_TRASH, I64(game["turn_seat"]))
        return True
    end_robbery(game, last)
    return False


@kernel
def end_robbery(game, card):
    """Trash one of the cards that were shown, or NONE of them, and discard the others."""
    other = I64(game["subject"])
    for k in range(MOST_REVEALED):
        shown = I64(game["revealed"][k])
        game["revealed"][k] = NONE
        if shown == NONE:
            continue
        if shown == card:
            add(game["trash"], card, 1)
            game["stolen"][card] += 1
            card = I64(NONE)
        else:
            add(game["discard"][other], shown, 1)


@kernel
def ask_stolen(game):
    """Ask which of the stolen treasures are gained, as long as one is left."""
    for card in range(I64(game["floor"]), N_TREASURES):
        if game["stolen"][card] > 0:
            return ask(game, Phase.THIEF_GAIN, I64(game["turn_seat"]))
    return I64(Step.FINISH)


@kernel
def put_back(game, card):
    """Bureaucraat: the seat that is asked puts a card on its draw pile, or NONE and shows its hand."""
    other = I64(game["subject"])
    if card == NONE:
        show_hand(game, other)
        return
    leave_hand(game, other, card)
    push_top(game, other, card)


@kernel
def end_spying(game, is_yes):
    """Discard the card that was shown, or leave it."""
    other = I64(game["subject"])
    if is_yes:
        add(game["discard"][other], pop_top(game, other), 1)
