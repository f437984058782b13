"""Error messages for illegal actions, which say what would work."""

from __future__ import annotations

from typing import Any

from winterkingdom_env.games.winter_kingdom import layout, tables

ASKED = {
    "before": "special actions or the first mandatory piece on {terrain}",
    "mandatory": "the next mandatory piece on {terrain}",
    "boom": "the extra piece next to an own one, or done",
    "after": "special actions, one purchase, or done",
    "build": "a piece built by {card}",
    "lift": "the house that {card} moves",
    "move": "the hex to which {card} moves the house on {lifted}",
    "follow": "what may follow {card}, or done",
    "triple": "a use of {card}, or done",
    "innovate": "a use of {card}, or done",
    "wolves": "the piece that the wolves take",
}
SALVAGED = "further pieces to salvage, one purchase, or done"  # instead of "after"; p. 15: no special action follows


def asked(snapshot: dict[str, Any]) -> str:
    """What the seat to move is asked for."""
    turn = snapshot["turn"]
    if snapshot["phase"] == "after" and turn["salvaged"]:
        return SALVAGED
    terrain = turn["terrain"] or snapshot["players"][snapshot["seat"]]["terrain_card"]
    return ASKED[snapshot["phase"]].format(terrain=terrain, card=turn["card"], lifted=turn["lifted"])


def _about_hex(action: int, snapshot: dict[str, Any]) -> str:
    place = snapshot["hexes"][action % layout.N_HEXES]
    for seat, player in enumerate(snapshot["players"]):
        for kind in ("house", "fort"):
            if place["hex"] in player[f"{kind}s"]:
                return f"{place['hex']} is {place['terrain']} with a {kind} of seat {seat}"
    return f"{place['hex']} is free {place['terrain']}"


def _about_card(action: int, snapshot: dict[str, Any]) -> str:
    player = snapshot["players"][snapshot["seat"]]
    in_play = {entry["card"]: entry for entry in player["in_play"]}
    if action >= layout.TRIPLE_FIRST:
        name = tables.CARDS[action - layout.TRIPLE_FIRST].name
    elif action >= layout.ACQUIRE_FIRST:
        name = tables.ABILITIES[(action - layout.ACQUIRE_FIRST) % layout.N_ABILITIES].name
    else:
        name = tables.CARDS[(action - layout.USE_FIRST) // 2].name
    if name in in_play:
        states = [state for state in ("upgraded", "used") if in_play[name][state]]
        where = f"{name} is in play" + "".join(f", {state}" for state in states)
    elif name == tables.TUNNEL.name:
        where = "the Tunnel card is used" if player["tunnel_used"] else "the Tunnel card is in play"
    else:
        where = f"{name} is in the hand" if name in player["hand"] else f"seat {snapshot['seat']} does not have {name}"
    return f"{where}, coins {player['coins']}"


def explain(action: int, snapshot: dict[str, Any]) -> str:
    """Why an action is illegal: the state of its hex or card, and what is expected now."""
    about = ""
    if action < layout.USE_FIRST:
        about = _about_hex(action, snapshot) + "; "
    elif action < layout.DONE:
        about = _about_card(action, snapshot) + "; "
    return f"{about}asked for now: {asked(snapshot)}"
