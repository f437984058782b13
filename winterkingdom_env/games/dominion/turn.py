"""The turn: action phase, buy phase, clean-up, and the answers to every question."""

from __future__ import annotations

import numpy as np

from winterkingdom_env.core._jit import kernel
from winterkingdom_env.core.bits import popcount
from winterkingdom_env.core.counts import add, clear, count_of, is_empty, kinds_of, put_all, remove, size_of
from winterkingdom_env.games.dominion.effects import (
    Step,
    answer_library,
    ask,
    ask_gain,
    ask_moats,
    ask_stolen,
    begin_card,
    carry_out,
    end_robbery,
    end_spying,
    next_subject,
    put_back,
)
from winterkingdom_env.games.dominion.layout import (
    ENDING_PILES,
    HAND_SIZE,
    N_CARDS,
    N_TREASURES,
    NONE,
    YES,
    Class,
    Op,
    Phase,
)
from winterkingdom_env.games.dominion.tables import MOAT, PROVINCE
from winterkingdom_env.games.dominion.zones import (
    discard_from_hand,
    draw_cards,
    gain,
    leave_hand,
    may_hold,
    trash_from_hand,
)

I64, U64 = np.int64, np.uint64


@kernel
def begin_turn(game, rules, seat):
    """Begin the turn of a seat, up to its first question."""
    game["turn_seat"] = seat
    game["turns"][seat] += 1
    game["actions"] = game["buys"] = 1
    game["coins"] = 0
    next_action(game, rules)


@kernel
def next_action(game, rules):
    """Ask for an action card, or begin the buy phase."""
    seat = I64(game["turn_seat"])
    if game["actions"] > 0 and may_hold(game, seat, rules["class_bits"][Class.ACTION]):
        ask(game, Phase.ACTION, seat)
    else:
        begin_buying(game, rules)


@kernel
def begin_buying(game, rules):
    """Play all treasures, and ask for a card to buy."""
    seat = I64(game["turn_seat"])
    for card in range(N_TREASURES):
        n = count_of(game["hand"][seat], card)
        if n > 0:
            game["coins"] += n * rules["coins"][card]
            remove(game["hand"][seat], card, n)
            remove(game["known"][seat], card, count_of(game["known"][seat], card))
            add(game["play"], card, n)
    ask(game, Phase.BUY, seat)


@kernel
def clean_up(game, board, rules):
    """Discard hand and play, draw a new hand, then end the game or begin the next turn."""
    seat = I64(game["turn_seat"])
    put_all(game["hand"][seat], game["discard"][seat])
    put_all(game["play"], game["discard"][seat])
    clear(game["known"][seat])
    game["actions"] = game["buys"] = game["coins"] = 0
    draw_cards(game, seat, HAND_SIZE)
    if has_ended(game, board):
        ask(game, Phase.OVER, seat)
    else:
        begin_turn(game, rules, (seat + 1) % I64(board["n_players"]))


@kernel
def has_ended(game, board):
    """Einde van het spel: no Province is left, or three piles are empty; or the last seat has had its last turn."""
    empty = board["piles"] & ~kinds_of(game["supply"])
    if empty != U64(0) and ((empty >> U64(PROVINCE)) & U64(1) == U64(1) or popcount(empty) >= ENDING_PILES):
        return True
    seat = I64(game["turn_seat"])
    return seat == board["n_players"] - 1 and game["turns"][seat] >= board["round_limit"]


@kernel
def finish_card(game, rules):
    """The card is carried out. A Throne Room's card is played again; otherwise the action phase goes on."""
    game["card"] = game["subject"] = NONE
    game["immune"] = game["floor"] = game["count"] = game["limit"] = 0
    for card in range(N_TREASURES):
        game["stolen"][card] = 0
    if game["n_again"] == 0:
        return I64(Step.ACTIONS)
    game["n_again"] -= 1
    card = I64(game["again"][game["n_again"]])
    game["again"][game["n_again"]] = NONE
    return begin_card(game, rules, card)


@kernel
def go_on(game, board, rules, step):
    """Go on to the next question."""
    while step != Step.ASKED:
        if step == Step.CARRY_OUT:
            step = carry_out(game, board, rules)
        elif step == Step.FINISH:
            step = finish_card(game, rules)
        elif step == Step.MOATS:
            step = ask_moats(game, board, rules)
        elif step == Step.SUBJECTS:
            step = next_subject(game, board, rules)
        elif step == Step.ACTIONS:
            next_action(game, rules)
            step = I64(Step.ASKED)
        else:
            clean_up(game, board, rules)
            step = I64(Step.ASKED)


@kernel
def answer(game, board, rules, action):
    """Carry out a legal action, up to the next question."""
    phase, card = I64(game["phase"]), action % N_CARDS
    is_card, is_yes = action < YES, action == YES
    if phase == Phase.BUY:
        step = buy(game, board, card) if is_card else I64(Step.CLEAN_UP)
    elif phase == Phase.ACTION:
        step = play(game, rules, card) if is_card else end_actions(game, rules)
    elif phase == Phase.THRONE:
        step = play_twice(game, rules, card) if is_card else I64(Step.FINISH)
    elif phase >= Phase.MOAT:
        step = answer_attack(game, rules, phase, card, is_card, is_yes)
    else:
        step = answer_choice(game, board, rules, phase, card, is_card, is_yes)
    go_on(game, board, rules, step)


# Playing and buying -----------------------------------------------------------------------------------------------------


@kernel
def play(game, rules, card):
    """Play an action card."""
    game["actions"] -= 1
    leave_hand(game, I64(game["turn_seat"]), card)
    add(game["play"], card, 1)
    return begin_card(game, rules, card)


@kernel
def play_twice(game, rules, card):
    """Troonzaal: play an action card now, and a second time when it is finished."""
    game["again"][game["n_again"]] = card
    game["n_again"] += 1
    leave_hand(game, I64(game["turn_seat"]), card)
    add(game["play"], card, 1)
    return begin_card(game, rules, card)


@kernel
def end_actions(game, rules):
    """Go on to the buy phase."""
    begin_buying(game, rules)
    return I64(Step.ASKED)


@kernel
def buy(game, board, card):
    """Buy a card."""
    gain(game, I64(game["turn_seat"]), card)
    game["coins"] -= board["cost"][card]
    game["buys"] -= 1
    return I64(Step.CLEAN_UP) if game["buys"] == 0 else I64(Step.ASKED)


# Answers of the seat whose turn it is -----------------------------------------------------------------------------------


@kernel
def answer_choice(game, board, rules, phase, card, is_card, is_yes):
    """The answer to a question about the own card."""
    seat = I64(game["turn_seat"])
    if phase == Phase.CELLAR:
        return redraw(game, seat, card, is_card)
    if phase == Phase.CHAPEL:
        return trash_more(game, rules, seat, card, is_card)
    if phase == Phase.GAIN:
        return gain_chosen(game, rules, seat, card)
    if phase == Phase.CHANCELLOR:
        if is_yes:
            flip_deck(game, seat)
        return I64(Step.FINISH)
    if phase == Phase.LIBRARY:
        return answer_library(game, rules, is_yes)
    if not is_card:  # Mine without a treasure
        return I64(Step.FINISH)
    trash_from_hand(game, seat, card)
    return ask_gain(game, board, rules, I64(board["cost"][card]) + rules["n"][I64(game["card"])][0])


@kernel
def redraw(game, seat, card, is_card):
    """Kelder: discard another card, or draw as many as were discarded."""
    if is_card:
        discard_from_hand(game, seat, card)
        game["floor"] = card
        game["count"] += 1
        if not is_empty(game["hand"][seat]):
            return I64(Step.ASKED)
    draw_cards(game, seat, I64(game["count"]))
    return I64(Step.FINISH)


@kernel
def trash_more(game, rules, seat, card, is_card):
    """Kapel: trash another card."""
    if not is_card:
        return I64(Step.FINISH)
    trash_from_hand(game, seat, card)
    game["floor"] = card
    game["count"] += 1
    is_more = game["count"] < rules["n"][I64(game["card"])][0] and not is_empty(game["hand"][seat])
    return I64(Step.ASKED) if is_more else I64(Step.FINISH)


@kernel
def gain_chosen(game, rules, seat, card):
    """Gain the chosen card, for Mine into the hand."""
    if rules["op"][I64(game["card"])][0] == Op.EXCHANGE_IN_HAND:
        remove(game["supply"], card, 1)
        add(game["hand"][seat], card, 1)
        add(game["known"][seat], card, 1)
    else:
        gain(game, seat, card)
    return I64(Step.FINISH)


@kernel
def flip_deck(game, seat):
    """Raadsheer: the whole draw pile becomes discards; nothing is shuffled yet."""
    put_all(game["deck"][seat], game["discard"][seat])
    for k in range(I64(game["n_top"][seat])):
        add(game["discard"][seat], I64(game["top"][seat][k]), 1)
        game["top"][seat][k] = NONE
    game["n_top"][seat] = 0


# Answers in an attack ---------------------------------------------------------------------------------------------------


@kernel
def answer_attack(game, rules, phase, card, is_card, is_yes):
    """The answer to a question about an attack."""
    other = I64(game["subject"])
    if phase == Phase.MOAT:
        if is_yes:
            game["immune"] |= 1 << other
            if count_of(game["known"][other], MOAT) == 0:
                add(game["known"][other], MOAT, 1)
        return I64(Step.MOATS)
    if phase == Phase.MILITIA:
        discard_from_hand(game, other, card)
        game["floor"] = card
        is_more = size_of(game["hand"][other]) > rules["n"][I64(game["card"])][0]
        return I64(Step.ASKED) if is_more else I64(Step.SUBJECTS)
    if phase == Phase.THIEF_GAIN:
        return gain_stolen(game, card, is_card)
    if phase == Phase.BUREAUCRAT:
        put_back(game, card if is_card else I64(NONE))
    elif phase == Phase.SPY:
        end_spying(game, is_yes)
    else:
        end_robbery(game, card)
    return I64(Step.SUBJECTS)


@kernel
def gain_stolen(game, card, is_card):
    """Dief: gain a treasure that this play trashed."""
    if not is_card:
        return I64(Step.FINISH)
    remove(game["trash"], card, 1)
    add(game["discard"][I64(game["turn_seat"])], card, 1)
    game["stolen"][card] -= 1
    game["floor"] = card
    return ask_stolen(game)
