"""The check of the turn in untrusted records: seats, counters, and the registers of the card that is carried out."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from winterkingdom_env.games.dominion import tables
from winterkingdom_env.games.dominion.layout import MOST_COST, N_CARDS, N_TREASURES, NONE, Class, Op, Phase
from winterkingdom_env.games.dominion.plain import counts_of

MOST = {"actions": 101, "buys": 51, "coins": 380}
OPS = {  # the op whose card asks
    Phase.THRONE: (Op.PLAY_TWICE,),
    Phase.CELLAR: (Op.REDRAW,),
    Phase.CHAPEL: (Op.TRASH_UP_TO,),
    Phase.REMODEL: (Op.EXCHANGE,),
    Phase.MINE: (Op.EXCHANGE_IN_HAND,),
    Phase.GAIN: (Op.GAIN_UP_TO, Op.EXCHANGE, Op.EXCHANGE_IN_HAND),
    Phase.CHANCELLOR: (Op.FLIP_DECK,),
    Phase.LIBRARY: (Op.DRAW_TO,),
    Phase.MILITIA: (Op.OTHERS_DISCARD_TO,),
    Phase.BUREAUCRAT: (Op.OTHERS_TOPDECK,),
    Phase.SPY: (Op.ALL_SHOW_TOP,),
    Phase.THIEF_TRASH: (Op.OTHERS_SHOW,),
    Phase.THIEF_GAIN: (Op.OTHERS_SHOW,),
}
AT_REST = (Phase.ACTION, Phase.BUY, Phase.OVER)
OTHERS_ASKED = (Phase.MOAT, Phase.MILITIA, Phase.BUREAUCRAT)
THRONE_ROOM, FEAST = tables.NAMES.index("Throne Room"), tables.NAMES.index("Feast")


def turn_flaws(game: np.void, board: np.void) -> Iterator[str]:
    """What is wrong with the turn."""
    n_players = int(board["n_players"])
    if game["phase"] not in tuple(Phase):
        yield f"phase is {game['phase']}"
    for name in ("seat", "turn_seat"):
        if not 0 <= game[name] < n_players:
            yield f"{name} is {game[name]}"
    for name, most in MOST.items():
        if not 0 <= game[name] <= most:
            yield f"{name} is {game[name]}"
    yield from _round_flaws(game, board)
    if game["phase"] in AT_REST:
        yield from _rest_flaws(game)
    else:
        yield from _card_flaws(game, board)


def _round_flaws(game: np.void, board: np.void) -> Iterator[str]:
    n_players, turn_seat = int(board["n_players"]), int(game["turn_seat"])
    now = int(game["turns"][turn_seat])
    wanted = [now if seat <= turn_seat else now - 1 for seat in range(n_players)]
    if game["turns"].tolist() != wanted + [0] * (len(game["turns"]) - n_players):
        yield f"turns is {game['turns'].tolist()}, although it is the turn of seat {turn_seat}"
    if not 1 <= now <= board["round_limit"]:
        yield f"turns is {game['turns'].tolist()}, with a limit of {board['round_limit']} rounds"


def _rest_flaws(game: np.void) -> Iterator[str]:
    """Between cards every register is at rest."""
    if game["seat"] != game["turn_seat"]:
        yield "seat is not the one whose turn it is"
    for name in ("card", "subject", "pending"):
        if game[name] != NONE:
            yield f"{name} is {game[name]}, although no card is carried out"
    for name in ("immune", "floor", "count", "limit", "pending_known", "n_again"):
        if game[name] != 0:
            yield f"{name} is {game[name]}, although no card is carried out"
    if game["aside"].any() or game["stolen"].any() or (game["revealed"] != NONE).any():
        yield "aside, stolen or revealed is not empty, although no card is carried out"
    is_over = game["phase"] == Phase.OVER
    if is_over and (game["play"].any() or game["actions"] or game["buys"] or game["coins"]):
        yield "the game is over in the middle of a turn"
    if game["phase"] == Phase.BUY and (game["buys"] < 1 or counts_of(game["hand"][game["seat"]])[:N_TREASURES].any()):
        yield "treasures are in hand, or no buys are left, in the buy phase"
    if game["phase"] == Phase.ACTION and game["actions"] < 1:
        yield "no actions are left in the action phase"


def _card_flaws(game: np.void, board: np.void) -> Iterator[str]:
    """The card that is carried out, and the seats on which it works."""
    phase, card = Phase(game["phase"]), int(game["card"])
    if not 0 <= card < N_CARDS or Class.ACTION not in tables.CARDS[card].classes:
        yield f"card is {card}, although an action card is carried out"
        return
    row = tables.CARDS[card]
    steps = [step.op for step in (row.first, row.second) if step is not None]
    is_asking = Class.ATTACK in row.classes if phase == Phase.MOAT else bool(steps) and steps[-1] in OPS[phase]
    if not is_asking:
        yield f"{row.name} does not ask what phase {phase.name.lower()} asks"
    subject, seat, turn_seat = int(game["subject"]), int(game["seat"]), int(game["turn_seat"])
    if not 0 <= subject < board["n_players"]:
        yield f"subject is {subject}"
    is_other = phase in OTHERS_ASKED
    if (seat != subject or seat == turn_seat) if is_other else seat != turn_seat:
        yield f"seat {seat} cannot be asked now"
    if phase not in (*OTHERS_ASKED, Phase.SPY, Phase.THIEF_TRASH) and subject != turn_seat:
        yield f"subject is {subject}, and not the seat whose turn it is"
    if phase == Phase.THIEF_TRASH and subject == turn_seat:
        yield "subject is the Thief itself"
    yield from _again_flaws(game, card)
    yield from _register_flaws(game, board, phase)


def _again_flaws(game: np.void, card: int) -> Iterator[str]:
    """What waits to be played again is in play; all but the last are Throne Rooms."""
    play, trash = counts_of(game["play"]).astype(int), counts_of(game["trash"])
    waiting = game["again"][: game["n_again"]].tolist()
    used = np.bincount([card, *waiting], minlength=N_CARDS)
    if waiting and card == waiting[-1]:
        used[card] -= 1  # its first play
    play[FEAST] += min(int(trash[FEAST]), 1)
    if (used > play).any():
        yield "card or again is not in play"
    if any(other != THRONE_ROOM for other in waiting[:-1]) or waiting.count(THRONE_ROOM) > max(
        play[THRONE_ROOM] - 1, 0
    ):
        yield f"again is {waiting}, which Throne Rooms cannot do"
    if waiting and Class.ACTION not in tables.CARDS[waiting[-1]].classes:
        yield f"again has {tables.NAMES[waiting[-1]]}, which is not an action card"


def _register_flaws(game: np.void, board: np.void, phase: Phase) -> Iterator[str]:
    """The registers that a question uses; the others are at rest."""
    several = (Phase.CELLAR, Phase.CHAPEL, Phase.MILITIA, Phase.THIEF_GAIN)
    if not 0 <= game["floor"] < N_CARDS or (phase not in several and game["floor"]):
        yield f"floor is {game['floor']}"
    most_count = {Phase.CELLAR: int(counts_of(game["discard"][game["seat"]]).sum()), Phase.CHAPEL: 3}.get(phase, 0)
    if not 0 <= game["count"] <= most_count:
        yield f"count is {game['count']}"
    if not 0 <= game["limit"] <= (MOST_COST + 3 if phase == Phase.GAIN else 0):
        yield f"limit is {game['limit']}"
    others = sum(1 << seat for seat in range(board["n_players"]) if seat != game["turn_seat"])
    if game["immune"] < 0 or game["immune"] & ~(others if Class.ATTACK in tables.CARDS[game["card"]].classes else 0):
        yield f"immune is {game['immune']}"
    if phase == Phase.LIBRARY:
        if not 0 <= game["pending"] < N_CARDS or not counts_of(game["hand"][game["seat"]])[game["pending"]]:
            yield "pending is not in hand"
        elif game["pending_known"] not in (0, 1):
            yield f"pending_known is {game['pending_known']}"
        elif game["pending_known"] and not counts_of(game["known"][game["seat"]])[game["pending"]]:
            yield "pending is not known"
        elif not game["pending_known"] and game["known"][game["seat"]].tolist() == game["hand"][game["seat"]].tolist():
            yield "pending is known"
    elif game["pending"] != NONE or game["pending_known"]:
        yield f"pending is {game['pending']}"
    if game["aside"].any() and phase != Phase.LIBRARY:
        yield "aside is not empty"
    yield from _attack_flaws(game, phase)


def _attack_flaws(game: np.void, phase: Phase) -> Iterator[str]:
    is_robbing = phase in (Phase.THIEF_TRASH, Phase.THIEF_GAIN)
    stolen = game["stolen"].astype(int)
    if stolen.min() < 0 or (stolen > counts_of(game["trash"])[:N_TREASURES]).any() or (stolen.any() and not is_robbing):
        yield f"stolen is {game['stolen'].tolist()}"
    first, second = game["revealed"].tolist()
    if phase == Phase.THIEF_TRASH:
        if not (0 <= first < N_TREASURES and 0 <= second < N_TREASURES and first != second):
            yield "revealed has nothing to choose from"
    elif (first, second) != (NONE, NONE):
        yield f"revealed is {game['revealed'].tolist()}"
    if phase == Phase.SPY and game["n_top"][game["subject"]] == 0:
        yield "nothing is shown to the Spy"
    if phase == Phase.CHANCELLOR and not (game["n_top"][game["seat"]] or game["deck"][game["seat"]].any()):
        yield "there is no deck to put away"
