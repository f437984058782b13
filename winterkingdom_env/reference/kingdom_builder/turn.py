"""From question to question and from turn to turn (section 4): what is passed over, reactions, clean-up, silos."""

from __future__ import annotations

from collections.abc import Iterable

from winterkingdom_env.reference.kingdom_builder.cards import check_cards, draw_card
from winterkingdom_env.reference.kingdom_builder.legal import SILO_PIECES, steps
from winterkingdom_env.reference.kingdom_builder.names import FRESH, READY, USED
from winterkingdom_env.reference.kingdom_builder.state import NomadTile, Now, State, Tile, Turn
from winterkingdom_env.reference.kingdom_builder.targets import canoe_targets, has_mandatory_piece, mandatory_targets

AT_REST = ("before", "after", "over")
OBLIGATORY = ("move", "silo move")  # the piece that was lifted has a target


def begin_turn(state: State, p: int) -> None:
    """The turn of a seat begins."""
    state.turn = Turn(seat=p)
    open_hand(state)
    state.now = Now("before", p)
    settle(state)


def open_hand(state: State) -> None:
    """The hand of the turn seat is laid open; an empty one draws a card, if it can."""
    hand = state.seats[state.turn.seat].hand
    if not hand and (card := draw_card(state)) is not None:
        hand.append(card)


def settle(state: State) -> None:
    """Go on to the next question that is asked: checks are made, and what is over or asks nothing is passed over."""
    while not _is_asked(state):
        pass


def _is_asked(state: State) -> bool:
    """Whether the question of ``now`` is asked; if not, ``now`` has gone one step further."""
    now = state.now
    if now.phase in OBLIGATORY or now.phase == "over":
        return True
    if now.phase == "react":
        return _is_reaction_asked(state)
    if now.phase == "silo":
        return _is_silo_asked(state)
    if now.phase == "mandatory":
        return _is_mandatory_asked(state)
    if now.phase in AT_REST:
        check_cards(state)
        return True
    if steps(state, now):
        return True
    assert now.back_to is not None
    state.now = Now(now.back_to, state.turn.seat)
    return False


# The mandatory action


def start_mandatory(state: State) -> None:
    """The mandatory action begins: temple pieces that are due now are part of it."""
    turn = state.turn
    turn.started = True
    turn.due_left = state.seats[turn.seat].due
    state.now = Now("mandatory", turn.seat)


def end_mandatory(state: State) -> None:
    """The mandatory action is over; what could not be built stays due."""
    state.turn.ended = True
    state.turn.due_left = 0
    state.now = Now("after", state.turn.seat)


def _is_mandatory_asked(state: State) -> bool:
    if has_mandatory_piece(state):
        check_cards(state)
        if mandatory_targets(state, outpost=False):
            return True
    end_mandatory(state)
    return False


# Reactions


def react(state: State, p: int, emptied: list[int]) -> None:
    """Seat ``p`` took the last tiles of hexes: for each hex all seats are asked from its left on, itself last (section 5.5)."""
    if emptied:
        n = len(state.seats)
        ask = [(p + i) % n for i in range(1, n + 1)] * len(emptied)
        state.stack.append(state.now)
        state.now = Now("react", ask[0], ask=ask[1:])


def pass_reaction(state: State) -> None:
    """The next seat is asked; after the last one the suspended question goes on."""
    now = state.now
    state.now = Now("react", now.ask[0], ask=now.ask[1:]) if now.ask else state.stack.pop()


def _is_reaction_asked(state: State) -> bool:
    if canoe_targets(state, state.now.seat):
        return True
    pass_reaction(state)
    return False


# The end of a turn


def end_turn(state: State) -> None:
    """Clean-up in the order of section 4.4; then the next seat, or the end of the game."""
    p = state.turn.seat
    seat = state.seats[p]
    state.scouts = set()
    state.discards += seat.hand
    seat.hand = []
    seat.nomads = [tile for tile in seat.nomads if tile.state == FRESH]
    seat.bonus_used = set()
    _make_ready(seat.tiles, USED)
    for other in state.seats:
        _make_ready(other.tiles, FRESH)
        _make_ready(other.nomads, FRESH)
    for other in state.seats:
        other.rovers = set()
    seat.due += seat.held
    seat.held = 0
    n_cards = 1 + bool(seat.tiles_of("crossroads")) + state.turn.extra_cards
    for _ in range(n_cards):
        if (card := draw_card(state)) is not None:
            seat.hand.append(card)
    _next_seat(state)


def _make_ready(tiles: Iterable[Tile | NomadTile], was: str) -> None:
    for tile in tiles:
        if tile.state == was:
            tile.state = READY


def _next_seat(state: State) -> None:
    p = state.turn.seat + 1
    if p < len(state.seats):
        begin_turn(state, p)
    elif state.end or state.round >= state.board.round_limit:
        state.turn = Turn(seat=state.turn.seat)
        begin_silos(state, 0)
        settle(state)
    else:
        state.round += 1
        begin_turn(state, 0)


# Silos


def begin_silos(state: State, p: int) -> None:
    """A seat begins its silo actions: one for each silo that it touches now (p. 21). After the last seat the game is over."""
    if p == len(state.seats):
        state.now = Now("over", 0)
        return
    pieces = state.pieces_of(p)
    n = sum(bool(state.grid.neighbours[silo] & pieces) for silo in state.board.hexes_of["silo"])
    state.now = Now("silo", p, silos=n)


def end_silo(state: State) -> None:
    """One silo action is over: the next one of this seat, or the next seat."""
    now = state.now
    if now.silos > 1:
        state.now = Now("silo", now.seat, silos=now.silos - 1)
    else:
        begin_silos(state, now.seat + 1)


def _is_silo_asked(state: State) -> bool:
    now = state.now
    if now.silos > 0 and now.count < SILO_PIECES and steps(state, now):
        return True
    end_silo(state)
    return False
