"""Why a label is legal or illegal, in one sentence that names the rule."""

from __future__ import annotations

from winterkingdom_env.reference.winter_kingdom.abilities import Build, BuildJustLeft, Move, SecondTerrain
from winterkingdom_env.reference.winter_kingdom.grid import HEX_OF, LABELS
from winterkingdom_env.reference.winter_kingdom.legal import Moment, split_use
from winterkingdom_env.reference.winter_kingdom.state import name_place

# The verbs of each phase, and the explanation for the others.
PHASE_VERBS = {
    "before": ("house", "fort", "use", "done"),
    "mandatory": ("house", "fort"),
    "boom": ("house", "fort", "done"),
    "after": ("use", "lift", "acquire", "upgrade", "triple", "done"),
    "build": ("house", "fort"),
    "lift": ("lift",),
    "move": ("house",),
    "follow": ("house", "fort", "done"),
    "triple": ("use", "done"),
    "innovate": ("use", "done"),
    "wolves": ("lift",),
    "over": (),
}
PHASE_RULES = {
    "before": "the turn begins with special actions or the first mandatory piece (p. 4)",
    "mandatory": "the mandatory pieces are built one after the other, nothing comes between (p. 4)",
    "boom": "Boom now allows one extra piece or nothing (p. 16)",
    "after": "the mandatory action is over, special actions and one purchase are left (p. 4, 5)",
    "build": "the chosen special action has to build its piece (p. 8)",
    "lift": "the chosen special action needs the house it moves (p. 8)",
    "move": "the chosen house has to be set down (p. 8)",
    "follow": "only the second action on that same house may follow (p. 8)",
    "triple": "only the ability paid for is used now (p. 5)",
    "innovate": "only the card just bought may be used now (p. 16)",
    "wolves": "one own house or fort has to leave the game (p. 16)",
    "over": "the game is over (p. 7)",
}


def explain(moment: Moment, label: str) -> str:
    """One sentence: why ``label`` is legal or illegal now."""
    verb, _, what = label.partition(" ")
    if not _is_label(moment, verb, what):
        return f"`{label}` is illegal: no action has this name (p. 4 and docs/turn.md tell which there are)."
    if label in moment.find_legal():
        return f"`{label}` is legal: {_why_legal(moment, verb, what)}."
    return f"`{label}` is illegal: {_why_illegal(moment, verb, what)}."


def _is_label(moment: Moment, verb: str, what: str) -> bool:
    if verb in ("house", "fort", "lift"):
        return what in HEX_OF
    if verb == "use":
        card, half = split_use(what)
        return card in moment.abilities and half in ("I", "II") and (card != "Tunnel" or what == "Tunnel")
    if verb in ("acquire", "upgrade"):
        return what in moment.abilities and what != "Tunnel"
    if verb == "triple":
        return what in moment.abilities
    return verb == "done" and not what


def _half_words(moment: Moment) -> str:
    """The half in use, what it does and the page."""
    rule = moment.running_half()
    name = "Tunnel" if moment.turn.card == "Tunnel" else f"{moment.turn.card} {moment.turn.half}"
    return f"{name} {rule.words} ({rule.page})"


# Legal


def _why_legal(moment: Moment, verb: str, what: str) -> str:
    if verb in ("house", "fort"):
        return _why_legal_piece(moment, HEX_OF[what])
    if verb == "lift":
        if moment.phase == "lift":
            return f"{_half_words(moment)}, and this house has a target"
        if moment.phase == "wolves":
            return f"Wolves takes a piece of whoever built more than {moment.twist_arg} houses (p. 16)"
        return f"{moment.economy.name} pays for own pieces taken off the board (p. 15)"
    if verb == "use":
        card, half = split_use(what)
        rule = moment.abilities[card].halves[half]
        return f"{what} {rule.words} ({rule.page}), it is active and can be carried out"
    if verb == "done":
        if moment.phase == "before":
            return "no mandatory piece can be built on the card's own terrain (p. 4)"
        return "what is left is optional (p. 4, 5)"
    return f"{verb} of {what} costs {moment.cost(verb, what)}, the seat has {moment.player.coins} (p. 5)"


def _why_legal_piece(moment: Moment, hex_id: int) -> str:
    if moment.phase in ("before", "mandatory"):
        terrain = moment.position.land.terrain[hex_id]
        reach = moment.mandatory_reach()
        if moment.twist == "Mobility" and hex_id in moment.position.within(moment.seat, reach):
            return f"a mandatory piece on {terrain}, at most {_hexes(reach)} away from an own piece (p. 16)"
        if hex_id in moment.position.touching(moment.seat):
            return f"a mandatory piece on {terrain} next to an own piece (p. 6)"
        return f"a mandatory piece on {terrain}, where no hex near an own piece is open (p. 6)"
    if moment.phase == "boom":
        return "Boom's extra piece touches an own piece (p. 16)"
    return _half_words(moment)


# Illegal


def _why_illegal(moment: Moment, verb: str, what: str) -> str:
    if verb not in PHASE_VERBS[moment.phase]:
        return PHASE_RULES[moment.phase]
    if verb in ("house", "fort"):
        return _why_no_piece(moment, verb, HEX_OF[what])
    if verb == "lift":
        return _why_no_lift(moment, HEX_OF[what])
    if verb == "use":
        return _why_no_use(moment, *split_use(what))
    if verb == "done":
        return "a mandatory piece can be built, so it must be (p. 4)"
    return _why_no_purchase(moment, verb, what)


def _why_no_piece(moment: Moment, kind: str, hex_id: int) -> str:
    position, label = moment.position, LABELS[hex_id]
    if moment.sets_moved_house():
        return "a fort never moves (p. 4)" if kind == "fort" else _why_no_landing(moment, hex_id)
    if not (moment.player.houses_left if kind == "house" else moment.player.forts_left):
        return f"no {kind} is left in the supply (p. 4)"
    if hex_id in position.owner:
        return f"{label} is occupied, one piece to a hex (p. 6)"
    aimed_at, near, rule = _aim(moment)
    if hex_id not in aimed_at:
        if not aimed_at.isdisjoint(position.land.of_terrain[position.land.terrain[hex_id]]):
            return f"{rule}, and {label} is not such a hex"  # its terrain is right
        return f"{rule}, {label} is {name_place(position.land.terrain[hex_id])}"
    if hex_id in position.forbidden(moment.seat):
        return f"{label} touches another player's piece, which Impasse forbids (p. 16)"
    if moment.phase in ("before", "mandatory"):  # the rule applies to each of two terrains separately
        aimed_at = position.land.of_terrain[position.land.terrain[hex_id]]
    better = min(moment.allowed(aimed_at) & near, default=None)
    if better is None:  # not reached by any known rule
        return f"{rule} does not allow {label}"
    if moment.twist == "Mobility" and moment.phase in ("before", "mandatory"):
        reach = _hexes(moment.mandatory_reach())
        return f"{label} is more than {reach} away from own pieces while {LABELS[better]} is not (p. 16)"
    return f"{label} touches no own piece while {LABELS[better]} does (p. 6)"


def _hexes(number: int) -> str:
    return "1 hex" if number == 1 else f"{number} hexes"


def _aim(moment: Moment) -> tuple[set[int] | frozenset[int], set[int], str]:
    """The hexes this phase builds on before Impasse and the duty to stay near, the hexes near, and the rule."""
    position, land = moment.position, moment.position.land
    near = position.touching(moment.seat)
    if moment.phase in ("before", "mandatory"):
        near = position.within(moment.seat, moment.mandatory_reach())
        terrains = moment.mandatory_terrains()
        if not terrains:
            return set(), near, "without a terrain card there is no mandatory action (p. 6)"
        hexes = frozenset(hex_id for terrain in terrains for hex_id in land.of_terrain[terrain])
        return hexes, near, f"the mandatory pieces go on {' or '.join(terrains)} (p. 4)"
    if moment.phase == "boom":
        return near & land.buildable, near, "Boom's extra piece goes on a buildable hex touching an own piece (p. 16)"
    half = moment.running_half()
    if isinstance(half, BuildJustLeft):
        return moment.targets(), near, _half_words(moment)
    assert isinstance(half, Build)
    return half.aimed_at(position, moment.seat), near, _half_words(moment)


def _why_no_landing(moment: Moment, hex_id: int) -> str:
    position, label = moment.position, LABELS[hex_id]
    if hex_id in position.owner:
        return f"{label} is occupied, one piece to a hex (p. 6)"
    if hex_id not in position.land.buildable:
        terrain = position.land.terrain[hex_id]
        return f"a house moves only onto buildable terrain (p. 6), {label} is {name_place(terrain)}"
    source = moment.turn.lifted if moment.phase == "move" else moment.turn.follower
    half = moment.running_half()
    assert isinstance(half, Move) and source is not None
    if hex_id not in set(half.targets(position, moment.seat, source)):
        return f"{_half_words(moment)}, and {label} is not such a hex for the house on {LABELS[source]}"
    return f"{label} touches another player's piece, which Impasse forbids (p. 16)"


def _why_no_lift(moment: Moment, hex_id: int) -> str:
    label, player = LABELS[hex_id], moment.player
    if moment.phase == "after" and not moment.has_salvage():
        return f"{moment.economy.name} pays for no piece taken off the board (p. 15)"
    if moment.phase in ("after", "wolves"):
        return f"no own piece stands on {label} (p. {15 if moment.phase == 'after' else 16})"
    if hex_id in player.forts:
        return "a fort never moves (p. 4)"
    if hex_id not in player.houses:
        return f"no own house stands on {label} (p. 8)"
    return f"{_half_words(moment)}, and the house on {label} has no such hex"


def _why_no_use(moment: Moment, card: str, half: str) -> str:
    player, rule = moment.player, moment.abilities[card].halves[half]
    if moment.phase in ("triple", "innovate") and card != moment.turn.card:
        return PHASE_RULES[moment.phase]
    if moment.phase == "after" and moment.turn.salvaged:
        return "a piece was salvaged, only further salvage and the purchase are left of this turn (p. 15)"
    if card != "Tunnel" and card not in player.in_play:
        return f"{card} is not in play in front of this seat (p. 4)"
    if card != "Tunnel" and half == "II" and not player.in_play[card].upgraded:
        return f"{card} is not upgraded (p. 4)"
    if isinstance(rule, SecondTerrain):
        return f"{card} II is used by placing the mandatory pieces (p. 8)"
    if half not in moment.halves_of(card, moment.seat):
        return f"the arrow lets {card} II only follow {card} I (p. 8)"
    if moment.phase in ("before", "after") and moment.is_used(card, half):
        return f"{card} is used already, each ability works once per turn (p. 4)"
    if isinstance(rule, Build):
        why = "no such hex is open" if player.supply else "the supply is empty"
    else:
        why = "no own house has such a target"
    name = card if card == "Tunnel" else f"{card} {half}"
    return f"{name} {rule.words} ({rule.page}), and {why}"


def _why_no_purchase(moment: Moment, verb: str, card: str) -> str:
    player = moment.player
    if verb == "acquire" and card not in player.hand:
        return f"{card} is not in the hand (p. 5)"
    if verb != "acquire" and card != "Tunnel" and card not in player.in_play:
        return f"{card} is not in play (p. 5)"
    if verb == "upgrade" and player.in_play[card].upgraded:
        return f"{card} is upgraded already (p. 5)"
    return f"{verb} of {card} costs {moment.cost(verb, card)}, the seat has {player.coins} (p. 5)"
