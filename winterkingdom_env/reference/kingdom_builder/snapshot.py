"""The state as plain data, and back. Hexes are labels; lists of hexes ascend by number."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from winterkingdom_env.reference.kingdom_builder.boards import read_surface
from winterkingdom_env.reference.kingdom_builder.grid import Grid
from winterkingdom_env.reference.kingdom_builder.names import CARDS, KINDS, NOMAD_KINDS, ONCE_PER_TURN, TILE_STATES
from winterkingdom_env.reference.kingdom_builder.rng import RandomStream
from winterkingdom_env.reference.kingdom_builder.state import Board, NomadTile, Now, Seat, State, Tile, Turn

EARLIER = "earlier"  # the column of gold whose source a snapshot does not tell
PLAIN = ("walls_left", "tokens", "end", "round")
PLAIN_SEAT = ("supply", "tokens", "held", "due")
PLAIN_TURN = ("seat", "played", "terrain", "pieces", "due_left", "started", "ended", "extra_cards")
PLAIN_NOW = ("phase", "seat", "use", "count", "outpost", "back_to", "fort", "silos", "silo_mode")


# From the state


def constant(board: Board) -> dict[str, Any]:
    """What set-up fixed."""
    return {
        "num_players": board.num_players,
        "sets": list(board.sets),
        "quadrants": [[name, turned] for name, turned in board.quadrants],
        "terrain": list(board.rows),
        "island": None if board.island is None else list(board.island),
        "locations": {board.grid.labels[hex_id]: board.locations[hex_id] for hex_id in sorted(board.locations)},
        "scoring": list(board.scoring),
        "tasks": list(board.tasks),
        "removed_terrain": board.removed_terrain,
        "caves": _labels(board.grid, board.caves),
        "capitols": _labels(board.grid, board.capitols),
        "round_limit": board.round_limit,
    }


def changing(state: State) -> dict[str, Any]:
    """Everything else."""
    labels = state.grid.labels
    return {
        **{name: getattr(state, name) for name in PLAIN},
        "tiles": {labels[hex_id]: state.tiles[hex_id] for hex_id in sorted(state.tiles)},
        "nomads": {labels[hex_id]: state.nomads[hex_id] for hex_id in sorted(state.nomads)},
        "walls": _labels(state.grid, state.walls),
        "scouts": _labels(state.grid, state.scouts),
        "deck": list(state.deck),
        "discards": list(state.discards),
        "out": sorted(state.out, key=CARDS.index),
        "rng": state.random.state,
        "seats": [_seat_data(seat, state.grid) for seat in state.seats],
        "turn": _turn_data(state.turn, state.grid),
        "now": _now_data(state.now, state.grid),
        "stack": [_now_data(now, state.grid) for now in state.stack],
    }


def _seat_data(seat: Seat, grid: Grid) -> dict[str, Any]:
    tiles = sorted(seat.tiles, key=lambda tile: (tile.source_order, KINDS.index(tile.kind)))
    nomads = sorted(seat.nomads, key=lambda tile: (NOMAD_KINDS.index(tile.kind), TILE_STATES.index(tile.state)))
    return {
        **{name: getattr(seat, name) for name in PLAIN_SEAT},
        "settlements": _labels(grid, seat.settlements),
        "warriors": _labels(grid, seat.warriors),
        **{name: _label(grid, getattr(seat, name)) for name in ("wagon", "ship", "hall")},
        "units": dict(seat.units),
        "tiles": [[tile.kind, _label(grid, tile.source), tile.state] for tile in tiles],
        "nomads": [[tile.kind, tile.state] for tile in nomads],
        "taken": _labels(grid, seat.taken),
        "bonus_used": [name for name in ONCE_PER_TURN if name in seat.bonus_used],
        "hand": list(seat.hand),
        "gold": seat.gold,
        "paid": dict(sorted(seat.paid.items())),
        "rovers": sorted(seat.rovers),
        "lines": sorted(seat.lines),
    }


def _turn_data(turn: Turn, grid: Grid) -> dict[str, Any]:
    return {
        **{name: getattr(turn, name) for name in PLAIN_TURN},
        "placed": [grid.labels[hex_id] for hex_id in turn.placed],
        "used": [kind for kind in KINDS if kind in turn.used],
    }


def _now_data(now: Now, grid: Grid) -> dict[str, Any]:
    return {
        **{name: getattr(now, name) for name in PLAIN_NOW},
        "lifted": None if now.lifted is None else [now.lifted[0], grid.labels[now.lifted[1]]],
        "moving": _label(grid, now.moving),
        "ask": list(now.ask),
    }


def _labels(grid: Grid, hexes: Iterable[int]) -> list[str]:
    return [grid.labels[hex_id] for hex_id in sorted(hexes)]


def _label(grid: Grid, hex_id: int | None) -> str | None:
    return None if hex_id is None else grid.labels[hex_id]


# Back to a state


def restore(data: Mapping[str, Any]) -> State:
    """The state of a snapshot. What ``turn``, ``now`` and a seat's ``paid`` leave out is taken as empty."""
    board = _board(data)
    hex_of = board.grid.hex_of
    turn = _turn(data["turn"], board.grid)
    plain: dict[str, Any] = {name: data[name] for name in PLAIN}
    plain |= {name: list(data[name]) for name in ("deck", "discards", "out")}
    return State(
        **plain,
        board=board,
        random=RandomStream(data["rng"]),
        seats=[_seat(seat, board.grid) for seat in data["seats"]],
        tiles={hex_of[label]: n for label, n in data["tiles"].items()},
        nomads={hex_of[label]: kind for label, kind in data["nomads"].items()},
        walls=_hexes(board.grid, data["walls"]),
        scouts=_hexes(board.grid, data["scouts"]),
        turn=turn,
        now=_now({"seat": turn.seat, **data["now"]}, board.grid),
        stack=[_now(now, board.grid) for now in data.get("stack", ())],
    )


def _board(data: Mapping[str, Any]) -> Board:
    surface = read_surface(data["terrain"], data["island"])
    hex_of = surface.grid.hex_of
    return Board(
        num_players=data["num_players"],
        sets=list(data["sets"]),
        quadrants=[(name, turned) for name, turned in data["quadrants"]],
        **vars(surface),
        locations={hex_of[label]: kind for label, kind in data["locations"].items()},
        scoring=list(data["scoring"]),
        tasks=list(data["tasks"]),
        removed_terrain=data["removed_terrain"],
        caves=[hex_of[label] for label in data["caves"]],
        capitols=[hex_of[label] for label in data["capitols"]],
        round_limit=data["round_limit"],
        gold=dict(data.get("gold", {})),
    )


def _seat(data: Mapping[str, Any], grid: Grid) -> Seat:
    paid = dict(data.get("paid", {}))
    unknown = data["gold"] - sum(paid.values())
    plain: dict[str, Any] = {name: data[name] for name in PLAIN_SEAT}
    plain |= {name: _hexes(grid, data[name]) for name in ("settlements", "warriors", "taken")}
    plain |= {name: _hex(grid, data[name]) for name in ("wagon", "ship", "hall")}
    return Seat(
        **plain,
        units=dict(data["units"]),
        tiles=[Tile(kind, _hex(grid, label), tile_state) for kind, label, tile_state in data["tiles"]],
        nomads=[NomadTile(kind, tile_state) for kind, tile_state in data["nomads"]],
        bonus_used=set(data["bonus_used"]),
        hand=list(data["hand"]),
        paid=paid | ({EARLIER: unknown + paid.get(EARLIER, 0)} if unknown else {}),
        rovers=set(data["rovers"]),
        lines=set(data["lines"]),
    )


def _turn(data: Mapping[str, Any], grid: Grid) -> Turn:
    turn = Turn(**{name: data[name] for name in PLAIN_TURN if name in data})
    turn.placed = [grid.hex_of[label] for label in data.get("placed", ())]
    turn.used = set(data.get("used", ()))
    return turn


def _now(data: Mapping[str, Any], grid: Grid) -> Now:
    now = Now(**{name: data[name] for name in PLAIN_NOW if name in data})
    if data.get("lifted") is not None:
        kind, label = data["lifted"]
        now.lifted = (kind, grid.hex_of[label])
    now.moving = _hex(grid, data.get("moving"))
    now.ask = list(data.get("ask", ()))
    return now


def _hexes(grid: Grid, labels: Iterable[str]) -> set[int]:
    return {grid.hex_of[label] for label in labels}


def _hex(grid: Grid, label: str | None) -> int | None:
    return None if label is None else grid.hex_of[label]
