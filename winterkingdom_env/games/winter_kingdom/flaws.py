"""Flaws of a saved game: codes for kernels, and messages for people."""

from __future__ import annotations

from collections.abc import Sequence
from enum import IntEnum

from winterkingdom_env.games.winter_kingdom import tables
from winterkingdom_env.games.winter_kingdom.layout import (
    FORTS,
    HAND_SIZE,
    HOUSES,
    MAX_PLAYERS,
    ROUND_LIMIT,
    TERRAIN_CARD_COPIES,
    Phase,
)

# What a kernel writes about the first flaw: int64 (N_FLAW,).
FLAW_ROW, FLAW_CODE, FLAW_INDEX, FLAW_VALUE = range(4)
N_FLAW = 4


class Flaw(IntEnum):
    """Codes of flaws of a record. ``find_flaw_all`` returns a code, ``describe`` its message."""

    NOTHING = 0
    N_PLAYERS = 1
    SCORING = 2
    SCORING_TWICE = 3
    ECONOMY = 4
    TWIST = 5
    TOP = 6
    BOTTOM = 7
    DIRECTION = 8
    BOARD_SPARE = 9
    TERRAIN_AT = 10
    TERRAIN_COUNT = 11
    TERRAIN = 12
    TOUCHING = 13
    LINKS = 14
    SAME = 15
    SEAT = 16
    PHASE = 17
    ROUND = 18
    SPARE = 19
    HAND = 20
    HAND_IN_PLAY = 21
    HAND_TWICE = 22
    HAND_SIZE = 23
    IN_PLAY = 24
    UPGRADED = 25
    PURCHASES = 26
    COINS = 27
    HOUSES = 28
    FORTS = 29
    TWO_PIECES = 30
    NEAR = 31
    TAKEN = 32
    HOUSES_LEFT = 33
    FORTS_LEFT = 34
    HOUSES_LOST = 35
    FORTS_LOST = 36
    PIECES_GONE = 37
    TOO_MANY_BUILT = 38
    SUPPLY_EMPTY = 39
    NOT_OVER = 40
    N_DRAW = 41
    N_DISCARD = 42
    DRAW_PILE = 43
    DISCARD_PILE = 44
    TERRAIN_CARD = 45
    TERRAIN_CARDS = 46
    TERRAIN_CARD_FULL = 47
    N_PLACED = 48
    PLACED = 49
    PLACED_PIECE = 50
    TURN_TERRAIN = 51
    BUILT = 52
    USED = 53
    USED_HALVES = 54
    CARD = 55
    HALF = 56
    BACK = 57
    USES_LEFT = 58
    LIFTED = 59
    CAME_TO = 60
    LEFT = 61
    PHASE_TWIST = 62
    PHASE_BOOM = 63
    PHASE_WOLVES = 64
    NO_DECISION = 65
    NO_WAY_HERE = 66
    MANDATORY_LEFT = 67
    SALVAGED = 68


# The field of each flaw, and the message. {i} is the index from the kernel, {v} the value; {card}, {terrain}, {kind} and {phase} are names
# of a value or an index.
WORDS = {
    Flaw.N_PLAYERS: ("n_players", f"is {{v}}; the number is 2 to {MAX_PLAYERS}"),
    Flaw.SCORING: ("scoring[{i}]", "is {v}, which is not a Winter Kingdom card"),
    Flaw.SCORING_TWICE: ("scoring[{i}]", "is {v}, which is a duplicate; the three cards in play differ"),
    Flaw.ECONOMY: ("economy", "is {v}, which is not an economy card"),
    Flaw.TWIST: ("twist", "is {v}, which is not a twist card"),
    Flaw.TOP: ("top", "is {v}; it is an outer board, 1 to 6, and not the bottom one"),
    Flaw.BOTTOM: ("bottom", "is {v}; it is an outer board, 1 to 6"),
    Flaw.DIRECTION: ("direction", "is {v}; the directions are 0, 1 and 2"),
    Flaw.BOARD_SPARE: ("spare[{i}]", "is {v}; unused bytes are 0"),
    Flaw.TERRAIN_AT: ("terrain_at[{i}]", "is {v}, which is not a terrain"),
    Flaw.TERRAIN_COUNT: ("terrain_at", "has {v} hexes of {kind}; there are 7 castles, 7 tunnels and 14 villages"),
    Flaw.TERRAIN: ("terrain[{i}]", "does not match terrain_at"),
    Flaw.TOUCHING: ("touching[{i}]", "does not match terrain_at and twist"),
    Flaw.LINKS: ("links[{i}]", "does not match twist"),
    Flaw.SAME: ("same[{i}]", "does not match terrain_at and twist"),
    Flaw.SEAT: ("seat", "is {v}, which does not exist or cannot have ended the game"),
    Flaw.PHASE: ("phase", "is {v}, which is not a phase"),
    Flaw.ROUND: ("round", f"is {{v}}; rounds go from 1 to {ROUND_LIMIT}"),
    Flaw.SPARE: ("spare[{i}]", "is {v}; unused bytes are 0"),
    Flaw.HAND: ("hand[{i}]", "is {v:#x}, which is not a set of ability cards of a player"),
    Flaw.HAND_IN_PLAY: ("hand[{i}]", "holds {card}, which is in in_play[{i}]"),
    Flaw.HAND_TWICE: ("hand[{i}]", "or in_play[{i}] holds {card}, which another player has"),
    Flaw.HAND_SIZE: ("hand[{i}]", f"and in_play[{{i}}] hold {{v}} ability cards; every player has {HAND_SIZE}"),
    Flaw.IN_PLAY: ("in_play[{i}]", "is {v:#x}; it holds the tunnel card and ability cards of a player"),
    Flaw.UPGRADED: ("upgraded[{i}]", "holds card {v}, which is not an ability card in play of a player"),
    Flaw.PURCHASES: ("in_play[{i}]", "and upgraded[{i}] show {v} purchases, more than the player had turns"),
    Flaw.COINS: ("coins[{i}]", "is {v}, which is out of range"),
    Flaw.HOUSES: ("houses[{i}]", "has a house on a hex that does not exist or does not allow one"),
    Flaw.FORTS: ("forts[{i}]", "has a fort on a hex that does not exist or does not allow one"),
    Flaw.TWO_PIECES: ("houses[{i}]", "or forts[{i}] has a piece on a hex that has another one"),
    Flaw.NEAR: ("near[{i}]", "does not match houses and forts"),
    Flaw.TAKEN: ("taken", "does not match houses and forts"),
    Flaw.HOUSES_LEFT: ("houses_left[{i}]", f"is {{v}}; a player has 0 to {HOUSES}"),
    Flaw.FORTS_LEFT: ("forts_left[{i}]", f"is {{v}}; a player has 0 to {FORTS}"),
    Flaw.HOUSES_LOST: ("houses_left[{i}]", f"and houses[{{i}}] add up to {{v}} houses; a player has {HOUSES}"),
    Flaw.FORTS_LOST: ("forts_left[{i}]", f"and forts[{{i}}] add up to {{v}} forts; a player has {FORTS}"),
    Flaw.PIECES_GONE: (
        "houses_left[{i}]", "and forts_left[{i}], with what is on the board, lack {v} pieces, more than wolves can have taken",
    ),
    Flaw.TOO_MANY_BUILT: ("houses_left[{i}]", "and forts_left[{i}] lack {v} houses, too many for the turns so far"),
    Flaw.SUPPLY_EMPTY: ("houses_left[{i}]", "and forts_left[{i}] are 0, but the game is not over"),
    Flaw.NOT_OVER: ("phase", "is over in round {v}, but every supply has a piece"),
    Flaw.N_DRAW: ("n_draw", "is {v}; a pile has 0 to 30 cards"),
    Flaw.N_DISCARD: ("n_discard", "is {v}; a pile has 0 to 30 cards"),
    Flaw.DRAW_PILE: ("draw_pile[{i}]", "is {v}, which is not a terrain card, or lies above the top"),
    Flaw.DISCARD_PILE: ("discard_pile[{i}]", "is {v}, which is not a terrain card, or lies above the top"),
    Flaw.TERRAIN_CARD: ("terrain_card[{i}]", "is {v}, which is not a terrain card of a player"),
    Flaw.TERRAIN_CARDS: (
        "draw_pile", f"discard_pile and terrain_card hold {{v}} cards of {{kind}}; there are {TERRAIN_CARD_COPIES}",
    ),
    Flaw.TERRAIN_CARD_FULL: ("terrain_card[{i}]", "is {terrain}, which has no free hex; it would have been replaced"),
    Flaw.N_PLACED: ("n_placed", "is {v}, which does not fit the phase"),
    Flaw.PLACED: ("placed[{i}]", "is {v}, which is not a hex, or one too many"),
    Flaw.PLACED_PIECE: ("placed[{i}]", "is hex {v}, on which the seat to move has no piece"),
    Flaw.TURN_TERRAIN: ("terrain", "is {v}, which does not fit placed and terrain_card"),
    Flaw.BUILT: ("built", "is {v}, which does not fit the pieces of this turn"),
    Flaw.USED: ("used[{i}]", "does not fit card {v} of the seat to move"),
    Flaw.USED_HALVES: ("used[{i}]", "has one half of {card} alone; a use spends both"),
    Flaw.CARD: ("card", "is {v}, which does not fit the phase and in_play"),
    Flaw.HALF: ("half", "is {v}, which does not fit the phase and the card"),
    Flaw.BACK: ("back", "is {v}, which does not fit the phase"),
    Flaw.USES_LEFT: ("uses_left", "is {v}, which does not fit the phase"),
    Flaw.LIFTED: ("lifted", "is {v}; it is the hex of an own house in the phase move, else -1"),
    Flaw.CAME_TO: ("came_to", "is {v}; it is the hex of an own house in the phase follow, else -1"),
    Flaw.LEFT: ("left", "is {v}; it is a free hex in the phase follow after a move, else -1"),
    Flaw.PHASE_TWIST: ("phase", "is {phase}, which does not occur with the twist in play"),
    Flaw.PHASE_BOOM: ("phase", "is boom, but the piece on hex {v} touches no village"),
    Flaw.PHASE_WOLVES: ("phase", "is wolves after {v} houses, which are too few for wolves"),
    Flaw.NO_DECISION: ("phase", "is {phase}, but it has no decision"),
    Flaw.NO_WAY_HERE: ("came_to", "is hex {v}, to which the use in progress cannot have moved the house"),
    Flaw.MANDATORY_LEFT: ("phase", "is after, but a mandatory piece can still be built"),
    Flaw.SALVAGED: (
        "salvaged", "is {v}; it is 1 once the seat to move has salvaged a piece, after the mandatory action, else 0",
    ),
}  # fmt: skip


def describe(code: int, index: int, value: int) -> str:
    """A flaw in words, the field's name first."""
    field, words = WORDS[Flaw(code)]
    names = {
        "card": _name([card.name for card in tables.CARDS], value),
        "terrain": _name(tables.TERRAIN_NAMES, value),
        "kind": _name(tables.TERRAIN_NAMES, index),
        "phase": _name([phase.name.lower() for phase in Phase], index),
    }
    return f"{field} {words}".format(i=index, v=value, **names)


def _name(names: Sequence[str], number: int) -> str:
    return names[number] if 0 <= number < len(names) else str(number)
