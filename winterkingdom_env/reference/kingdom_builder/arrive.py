"""What happens when a piece comes or goes (section 3.3), up to the reactions that it sets off."""

from __future__ import annotations

from collections.abc import Iterable

from winterkingdom_env.reference.kingdom_builder.grid import DIRECTIONS, quadrant_of
from winterkingdom_env.reference.kingdom_builder.names import READY, SETTLEMENT, TREASURE
from winterkingdom_env.reference.kingdom_builder.state import NomadTile, State, Tile

TREASURE_GOLD = 3
MARKED_PIECES = 4  # on a line, for a marker of Mayors


def arrive_by_build(
    state: State, p: int, hexes: Iterable[int], is_settlement: bool, is_third: bool = False
) -> list[int]:
    """Pieces of a seat were built: take, pay, mark, end. Returns the hexes whose last tile was taken, ascending."""
    emptied = []
    for hex_id in sorted(hexes):
        emptied += _take(state, p, hex_id)
        _pay(state, p, hex_id)
    if is_third and _is_straight_run(state, state.turn.placed):
        _earn(state, p, "Families")
    is_marked = mark(state, p, hexes)
    if is_settlement or is_marked:
        _check_end(state, p)
    return sorted(emptied)


def arrive_by_move(state: State, p: int, hex_id: int) -> list[int]:
    """A piece of a seat was moved: lose, take, mark, end. Returns the hexes whose last tile was taken, ascending."""
    lose(state, p)
    emptied = _take(state, p, hex_id)
    if mark(state, p, [hex_id]):
        _check_end(state, p)
    return emptied


def remove_piece(state: State, p: int, hex_id: int) -> str:
    """A piece of a seat leaves the board; its kind. The caller puts it where it goes."""
    kind = state.seats[p].take_off(hex_id)
    lose(state, p)
    return kind


def return_to_supply(state: State, p: int, kind: str) -> None:
    """A removed piece goes back to its settlement or unit supply."""
    if kind == SETTLEMENT:
        state.seats[p].supply += 1
    else:
        state.seats[p].units[kind] += 1


def lose(state: State, p: int) -> None:
    """Location tiles leave the game if their source hex touches no piece of the seat any more (p. 3)."""
    seat, near = state.seats[p], state.grid.around(state.pieces_of(p))
    lost = [tile for tile in seat.tiles if tile.source is not None and tile.source not in near]
    seat.tiles = [tile for tile in seat.tiles if tile not in lost]
    for tile in lost:
        for kept in seat.tiles_of(tile.kind)[:1]:
            # Of two equal tiles the worse one is lost.
            kept.state = READY if tile.state == READY else kept.state
    if any(tile.kind == "cathedral" for tile in lost) and not seat.tiles_of("cathedral"):
        state.tokens += seat.tokens
        seat.tokens = 0


def mark(state: State, p: int, hexes: Iterable[int]) -> bool:
    """Mayors: a settlement of the supply marks each line of the arrival with four own pieces and no marker. Whether one did."""
    if "Mayors" not in state.board.scoring:
        return False
    seat, is_marked = state.seats[p], False
    for line in sorted({state.grid.line_of(hex_id) for hex_id in hexes}):
        n = sum(state.grid.line_of(piece) == line for piece in state.pieces_of(p))
        if n >= MARKED_PIECES and seat.supply > 0 and not any(line in other.lines for other in state.seats):
            seat.supply -= 1
            seat.lines.add(line)
            is_marked = True
    return is_marked


def _take(state: State, p: int, hex_id: int) -> list[int]:
    """The tiles that a piece on a hex takes. Returns the hexes whose last tile was taken."""
    seat, emptied = state.seats[p], []
    for source in sorted(state.grid.neighbours[hex_id]):
        if source in seat.taken:
            continue
        if state.tiles.get(source, 0) > 0:
            state.tiles[source] -= 1
            seat.tiles.append(Tile(state.board.locations[source], source))
            if state.board.locations[source] == "cathedral" and state.tokens > 0:
                state.tokens -= 1
                seat.tokens += 1
            is_last = state.tiles[source] == 0
        elif source in state.nomads:
            _take_nomad(state, p, state.nomads.pop(source))
            is_last = True
        else:
            continue
        seat.taken.add(source)
        if is_last:
            emptied.append(source)
    return emptied


def _take_nomad(state: State, p: int, kind: str) -> None:
    if kind == TREASURE:
        state.seats[p].pay(TREASURE, TREASURE_GOLD)
    else:
        state.seats[p].nomads.append(NomadTile(kind))


# Gold during play


def _earn(state: State, p: int, card: str) -> None:
    if card in state.board.scoring:
        state.seats[p].pay(card, state.board.gold_for(card))


def _pay(state: State, p: int, hex_id: int) -> None:
    """Shepherds, Ambassadors and Rovers for one built piece (p. 10, p. 23)."""
    seat, around = state.seats[p], state.grid.neighbours[hex_id]
    filled = state.walls | state.pieces_of(p) | state.pieces_of_others(p)  # a scout does not fill a hex
    same = state.board.hexes_of[state.board.terrain[hex_id]]
    if not (around & same) - filled:
        _earn(state, p, "Shepherds")
    if around & state.pieces_of_others(p):
        _earn(state, p, "Ambassadors")
    quadrant = quadrant_of(hex_id)
    if "Rovers" in state.board.scoring and quadrant is not None and quadrant not in seat.rovers:
        seat.rovers.add(quadrant)
        _earn(state, p, "Rovers")


def _is_straight_run(state: State, hexes: list[int]) -> bool:
    """Whether three hexes are consecutive on one straight line, in whatever order they were built."""
    wanted = set(hexes)
    return any(
        {start, *state.grid.rays[start][direction][:2]} == wanted for start in wanted for direction in DIRECTIONS
    )


def _check_end(state: State, p: int) -> None:
    seat = state.seats[p]
    if seat.supply + seat.held + seat.due == 0:
        state.end = True
