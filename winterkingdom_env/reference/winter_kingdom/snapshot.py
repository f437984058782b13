"""The state as plain data, in the form of docs/turn.md."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from winterkingdom_env.reference.winter_kingdom.grid import LABELS

if TYPE_CHECKING:
    from winterkingdom_env.reference.winter_kingdom.game import ReferenceGame


def fixed(game: ReferenceGame) -> dict[str, Any]:
    """The part that is fixed at set-up."""
    setup = game.setup
    house_rules = {"house_rules": setup["house_rules"]} if setup.get("house_rules") else {}
    return {
        "scoring": list(setup["scoring"]),
        "economy": setup["economy"],
        "twist": setup["twist"],
        "top_board": setup["top_board"],
        "bottom_board": setup["bottom_board"],
        "direction": setup["direction"],
        "hexes": [dict(entry) for entry in setup["hexes"]],
        **house_rules,
    }


def changing(game: ReferenceGame) -> dict[str, Any]:
    """The part that actions change."""
    return {
        "round": game.round,
        "seat": game.seat,
        "phase": game.phase,
        "players": [_player(game, seat) for seat in range(game.num_players)],
        "draw_pile": list(reversed(game.deck.pile)),
        "discard_pile": list(game.deck.discards),
        "turn": _turn(game),
    }


def _player(game: ReferenceGame, seat: int) -> dict[str, Any]:
    player = game.position.players[seat]
    order = list(game.abilities)
    in_play = []
    for name in sorted(player.in_play, key=order.index):
        card = player.in_play[name]
        in_play.append(
            {
                "card": name,
                "upgraded": card.upgraded,
                "used": card.used_halves.issuperset(game.halves_of(name, seat)),
                "used_halves": sorted(card.used_halves),
            }
        )
    return {
        "coins": player.coins,
        "houses_left": player.houses_left,
        "forts_left": player.forts_left,
        "houses": [LABELS[hex_id] for hex_id in sorted(player.houses)],
        "forts": [LABELS[hex_id] for hex_id in sorted(player.forts)],
        "hand": sorted(player.hand, key=order.index),
        "in_play": in_play,
        "tunnel_used": player.tunnel_used,
        "terrain_card": player.terrain_card,
    }


def _turn(game: ReferenceGame) -> dict[str, Any]:
    turn = game.turn
    return {
        "placed": [LABELS[hex_id] for hex_id in turn.placed],
        "terrain": turn.terrain,
        "built": turn.built,
        "card": turn.card,
        "half": turn.half,
        "lifted": None if turn.lifted is None else LABELS[turn.lifted],
        "uses_left": turn.uses_left,
        "salvaged": turn.salvaged,
    }
