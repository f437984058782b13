"""What an action does, verb by verb. The label is legal; afterwards ``settle`` finds the next question."""

from __future__ import annotations

from collections.abc import Callable

from winterkingdom_env.reference.kingdom_builder.arrive import (
    arrive_by_build,
    arrive_by_move,
    mark,
    remove_piece,
    return_to_supply,
)
from winterkingdom_env.reference.kingdom_builder.cards import bind, draw_card
from winterkingdom_env.reference.kingdom_builder.names import HALL, ONCE_PER_TURN, OUTPOST, SETTLEMENT, USED
from winterkingdom_env.reference.kingdom_builder.state import Now, State
from winterkingdom_env.reference.kingdom_builder.targets import is_next_from_supply
from winterkingdom_env.reference.kingdom_builder.turn import (
    end_mandatory,
    end_silo,
    end_turn,
    pass_reaction,
    react,
    settle,
    start_mandatory,
)
from winterkingdom_env.reference.kingdom_builder.uses import (
    BAZAAR,
    CROSSROADS,
    FORT,
    SCOUT_CABIN,
    UNIT_OF,
    USES,
    action_of,
)


def answer(state: State, label: str) -> None:
    """Carry out a legal action and go on to the next question."""
    verb, _, rest = label.partition(" ")
    if verb == "use":
        _use(state, rest)
    elif verb in ON_HEX:
        ON_HEX[verb](state, state.grid.hex_of[rest])
    else:
        {"done": _done, "outpost": _outpost, "token": _token}[verb](state)
    settle(state)


# Actions without a hex


def _use(state: State, use: str) -> None:
    """The tile is used up and its action begins."""
    seat, action, back_to = state.own, action_of(use), state.now.phase
    if use in ONCE_PER_TURN:
        seat.bonus_used.add(use)
    elif (nomad := seat.ready_nomad(use)) is not None:
        nomad.state = USED
    else:
        kind = "bazaar" if use.startswith(BAZAAR) else use
        tile = seat.ready_tile(kind)
        assert tile is not None
        tile.state = USED
        state.turn.used.add(kind)
    if action == CROSSROADS:
        state.turn.extra_cards += 1
        return
    if use == BAZAAR + SCOUT_CABIN:
        state.scouts = set()
    state.now = Now(USES[action].phase, state.now.seat, use=use, back_to=back_to)
    if action == FORT:
        card = draw_card(state)
        assert card is not None
        state.discards.append(card)
        state.now.fort = card


def _outpost(state: State) -> None:
    tile = state.own.ready_nomad(OUTPOST)
    assert tile is not None
    tile.state = USED
    if state.now.phase == "before":
        start_mandatory(state)
    state.now.outpost = True


def _token(state: State) -> None:
    state.tokens -= 1
    state.own.tokens += 1
    _end_use(state)


def _done(state: State) -> None:
    phase = state.now.phase
    if phase == "before":
        end_mandatory(state)
    elif phase == "after":
        end_turn(state)
    elif phase == "react":
        pass_reaction(state)
    elif phase == "silo":
        end_silo(state)
    else:
        _end_use(state)


def _end_use(state: State) -> None:
    assert state.now.back_to is not None
    state.now = Now(state.now.back_to, state.turn.seat)


# house: builds and set-downs


def _house(state: State, hex_id: int) -> None:
    houses = {
        "before": _mandatory_house,
        "mandatory": _mandatory_house,
        "move": _set_down,
        "react": _canoe_house,
        "silo": _silo_house,
        "silo move": _silo_set_down,
    }
    houses.get(state.now.phase, _use_house)(state, hex_id)


def _mandatory_house(state: State, hex_id: int) -> None:
    turn, seat = state.turn, state.own
    if state.now.phase == "before":
        start_mandatory(state)
    bind(state, hex_id)
    is_third = False
    if is_next_from_supply(state):
        if not turn.placed and turn.terrain == "swamp":
            turn.pieces = 2  # p. 17
        seat.supply -= 1
        turn.placed.append(hex_id)
        is_third = len(turn.placed) == 3
    else:
        seat.due -= 1
        turn.due_left -= 1
    state.now.outpost = False
    _built(state, hex_id, is_third)


def _use_house(state: State, hex_id: int) -> None:
    """A settlement of a build or of the cathedral."""
    now, seat = state.now, state.own
    assert now.use is not None
    if USES[action_of(now.use)].binds:
        bind(state, hex_id)
    if now.phase == "cathedral":
        seat.tokens -= 1
        state.tokens += 1
    seat.supply -= 1
    now.count += 1
    now.outpost = False
    _built(state, hex_id)


def _canoe_house(state: State, hex_id: int) -> None:
    tile = state.own.ready_tile("canoe")
    assert tile is not None
    tile.state = USED
    state.own.supply -= 1
    _built(state, hex_id)


def _built(state: State, hex_id: int, is_third: bool = False) -> None:
    p = state.now.seat
    state.seats[p].put(SETTLEMENT, hex_id)
    react(state, p, arrive_by_build(state, p, [hex_id], is_settlement=True, is_third=is_third))


def _set_down(state: State, hex_id: int) -> None:
    now = state.now
    assert now.lifted is not None and now.use is not None
    state.own.put(now.lifted[0], hex_id)
    if USES[action_of(now.use)].binds:
        bind(state, hex_id)
    now.phase, now.lifted = "lift", None
    now.count += 1
    react(state, now.seat, arrive_by_move(state, now.seat, hex_id))


def _silo_house(state: State, hex_id: int) -> None:
    now = state.now
    state.own.supply -= 1
    state.own.put(SETTLEMENT, hex_id)
    now.count += 1
    now.silo_mode = "build"
    mark(state, now.seat, [hex_id])


def _silo_set_down(state: State, hex_id: int) -> None:
    now = state.now
    assert now.lifted is not None
    state.own.put(now.lifted[0], hex_id)
    now.phase, now.lifted = "silo", None
    now.count += 1
    mark(state, now.seat, [hex_id])


# Other actions with a hex


def _lift(state: State, hex_id: int) -> None:
    now = state.now
    if now.phase == "temple":
        remove_piece(state, now.seat, hex_id)
        state.own.held += 1
        _end_use(state)
        return
    now.lifted = (state.own.take_off(hex_id), hex_id)
    if now.phase == "silo":
        now.phase, now.silo_mode = "silo move", "move"
    else:
        now.phase = "move"


def _unit(state: State, hex_id: int) -> None:
    """Place a unit, which ends the use, or step with the ship or wagon that is on the board."""
    now, seat = state.now, state.own
    assert now.use is not None
    unit = UNIT_OF[action_of(now.use)]
    if seat.units[unit] > 0:
        seat.units[unit] -= 1
        seat.put(unit, hex_id)
        now.count = 1
        react(state, now.seat, arrive_by_build(state, now.seat, [hex_id], is_settlement=False))
        return
    seat.put(unit, hex_id)
    now.moving = hex_id
    now.count += 1
    react(state, now.seat, arrive_by_move(state, now.seat, hex_id))


def _back(state: State, hex_id: int) -> None:
    p = state.now.seat
    return_to_supply(state, p, remove_piece(state, p, hex_id))
    _end_use(state)


def _hall(state: State, hex_id: int) -> None:
    p, seat = state.now.seat, state.own
    seat.units[HALL] -= 1
    seat.hall = hex_id
    state.now.count += 1
    react(state, p, arrive_by_build(state, p, seat.hall_hexes(state.grid), is_settlement=False))


def _wall(state: State, hex_id: int) -> None:
    bind(state, hex_id)
    state.walls.add(hex_id)
    state.walls_left -= 1
    state.now.count += 1


def _scout(state: State, hex_id: int) -> None:
    state.scouts.add(hex_id)
    state.now.count += 1


def _remove(state: State, hex_id: int) -> None:
    owner = next(p for p, seat in enumerate(state.seats) if hex_id in seat.movable())
    return_to_supply(state, owner, remove_piece(state, owner, hex_id))
    _end_use(state)


ON_HEX: dict[str, Callable[[State, int], None]] = {
    "house": _house,
    "lift": _lift,
    "unit": _unit,
    "back": _back,
    "hall": _hall,
    "wall": _wall,
    "scout": _scout,
    "remove": _remove,
}
