"""The legal actions of a position (docs/turn.md, phases)."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from winterkingdom_env.games.winter_kingdom.tables import Economy
from winterkingdom_env.reference.winter_kingdom.abilities import (
    LONGER_TUNNELS,
    AbilityCard,
    Build,
    BuildJustLeft,
    Half,
    Hexes,
    Move,
    SecondTerrain,
)
from winterkingdom_env.reference.winter_kingdom.grid import LABELS
from winterkingdom_env.reference.winter_kingdom.state import Player, Position, Turn, terrain_right_of

TRIPLE_COST = 5  # p. 5
MANDATORY_PIECES = 3  # p. 4
HOUSE_LABELS = tuple(f"house {label}" for label in LABELS)
FORT_LABELS = tuple(f"fort {label}" for label in LABELS)
LIFT_LABELS = tuple(f"lift {label}" for label in LABELS)


@dataclass(eq=False)
class Moment:
    """A position at one step of a turn, and its legal actions."""

    position: Position
    turn: Turn
    abilities: dict[str, AbilityCard]  # the cards by name, including the Tunnel card
    economy: Economy
    twist: str | None
    twist_arg: int  # the number in the twist's row
    seat: int = 0
    phase: str = "before"

    @property
    def player(self) -> Player:
        """The player whose turn it is."""
        return self.position.players[self.seat]

    def find_legal(self) -> set[str]:
        """Every legal action."""
        phase = self.phase
        labels: set[str] = set()
        if phase in ("before", "mandatory", "boom", "build", "move", "follow"):
            targets = self.targets()
            if self.sets_moved_house() or self.player.houses_left:
                labels.update([HOUSE_LABELS[hex_id] for hex_id in targets])
            if not self.sets_moved_house() and self.player.forts_left:
                labels.update([FORT_LABELS[hex_id] for hex_id in targets])
        if phase in ("after", "boom", "follow", "triple", "innovate") or (
            phase == "before" and not self.is_mandatory_due()
        ):
            labels.add("done")
        if phase in ("lift", "wolves", "after"):
            labels.update([LIFT_LABELS[hex_id] for hex_id in self.liftable()])
        if phase in ("before", "triple", "innovate") or (phase == "after" and not self.turn.salvaged):  # p. 15
            labels.update([use_label(card, half) for card, half in self._usable_halves()])
        if phase == "after":
            labels.update(self._purchases())
        return labels

    def sets_moved_house(self) -> bool:
        """Whether the next ``house`` is a moved one, not one of the supply."""
        return self.phase == "move" or (self.phase == "follow" and isinstance(self.running_half(), Move))

    def running_half(self) -> Half:
        """The half that is being used, in build, lift, move and follow."""
        assert self.turn.card is not None and self.turn.half is not None
        if self.phase == "follow" and self.turn.card == "Tunnel":
            return LONGER_TUNNELS
        return self.abilities[self.turn.card].halves[self.turn.half]

    def targets(self) -> Hexes:
        """Where a piece may be placed in this phase; empty if it must come from an empty supply."""
        phase = self.phase
        if phase in ("before", "mandatory"):
            return self.mandatory_targets()
        if phase == "boom":
            return self.boom_targets()
        half = self.running_half()
        if phase == "build":
            assert isinstance(half, Build)
            return self._build_targets(half)
        if phase == "move":
            assert isinstance(half, Move) and self.turn.lifted is not None
            return self._move_targets(half, self.turn.lifted)
        return self._follow_targets(half)

    def mandatory_terrains(self) -> list[str]:
        """The terrains the next mandatory piece may be on."""
        if self.turn.terrain is not None:
            return [self.turn.terrain]
        card = self.player.terrain_card
        if card is None:
            return []
        upgraded = [name for name, in_play in self.player.in_play.items() if in_play.upgraded]
        if any(isinstance(self.abilities[name].halves["II"], SecondTerrain) for name in upgraded):  # p. 8
            return [card, terrain_right_of(card)]
        return [card]

    def mandatory_targets(self) -> set[int]:
        """p. 4, p. 6: on the terrain, next to an own piece if possible; the rule applies to each terrain separately."""
        if len(self.turn.placed) == MANDATORY_PIECES or not self.player.supply:
            return set()
        return set().union(*[self.mandatory_targets_on(terrain) for terrain in self.mandatory_terrains()])

    def mandatory_targets_on(self, terrain: str) -> Hexes:
        """Where a mandatory piece may be built on one terrain, regardless of the supply."""
        allowed = self.allowed(self.position.land.of_terrain[terrain])
        return (allowed & self.position.within(self.seat, self.mandatory_reach())) or allowed

    def mandatory_reach(self) -> int:
        """How many hexes away from own pieces a mandatory piece may be, if possible (p. 6; p. 16, Mobility)."""
        return self.twist_arg if self.twist == "Mobility" else 1

    def is_mandatory_due(self) -> bool:
        """p. 4: a piece must be built if the card's own terrain allows it; the next terrain is optional (p. 8)."""
        card = self.player.terrain_card
        return card is not None and self.player.supply > 0 and bool(self.mandatory_targets_on(card))

    def allowed(self, aimed_at: Hexes) -> Hexes:
        """The hexes of ``aimed_at`` that are free and, under Impasse, not next to another player (p. 6, 16)."""
        return (aimed_at & self.position.free) - self.position.forbidden(self.seat)

    def boom_targets(self) -> Hexes:
        """p. 16: the extra piece on any buildable hex that touches an own piece."""
        if not self.player.supply:
            return set()
        return self.allowed(self.position.touching(self.seat) & self.position.land.buildable)

    def _build_targets(self, half: Build) -> Hexes:
        if not self.player.supply:
            return set()
        allowed = self.allowed(half.aimed_at(self.position, self.seat))
        if half.needs_own_neighbour:
            return (allowed & self.position.touching(self.seat)) or allowed
        return allowed

    def _move_targets(self, half: Move, source: int) -> set[int]:
        return self.position.landing(self.seat).intersection(half.targets(self.position, self.seat, source))

    def _follow_targets(self, half: Half) -> Hexes:
        """The second half, on the house of the first (p. 8)."""
        if isinstance(half, BuildJustLeft):
            if not self.player.supply or self.turn.just_left is None:
                return set()
            return self.allowed(self.position.land.buildable & {self.turn.just_left})
        assert isinstance(half, Move) and self.turn.follower is not None
        return self._move_targets(half, self.turn.follower)

    def liftable(self) -> set[int]:
        """Houses that may be moved, or pieces that may be removed from the game."""
        if self.phase == "wolves":
            return self.player.pieces
        if self.phase == "after":
            return self.player.pieces if self.has_salvage() else set()
        half = self.running_half()
        assert isinstance(half, Move)
        return set(self._movable(half))

    def has_salvage(self) -> bool:
        """Whether the economy card pays for pieces taken off the board (p. 15)."""
        return self.economy.condition.name == "SALVAGE"

    def _movable(self, half: Move) -> Iterator[int]:
        """Own houses for which a moving half has a target."""
        landing = self.position.landing(self.seat)
        for house in self.player.houses:
            if not landing.isdisjoint(half.targets(self.position, self.seat, house)):
                yield house

    def is_usable(self, card: str, half: str) -> bool:
        """Whether a half can be completed."""
        rule = self.abilities[card].halves[half]
        if isinstance(rule, Build):
            return bool(self.player.supply and self.allowed(rule.aimed_at(self.position, self.seat)))
        if isinstance(rule, Move):
            return next(self._movable(rule), None) is not None
        return False

    def halves_of(self, card: str, seat: int) -> tuple[str, ...]:
        """The halves of a card in play that ``use`` can begin; the second of an arrow only follows (p. 4, 8)."""
        if card == "Tunnel" or not self.position.players[seat].in_play[card].upgraded:
            return ("I",)
        ability = self.abilities[card]
        if ability.link == "THEN" or isinstance(ability.halves["II"], SecondTerrain):
            return ("I",)
        return ("I", "II")

    def is_used(self, card: str, half: str) -> bool:
        """Whether a half is spent for this turn."""
        if card == "Tunnel":
            return self.player.tunnel_used
        return half in self.player.in_play[card].used_halves

    def _usable_halves(self) -> list[tuple[str, str]]:
        if self.phase in ("triple", "innovate"):  # used or not, p. 5
            assert self.turn.card is not None
            return self.usable_halves_of(self.turn.card)
        cards = [*self.player.in_play, "Tunnel"]
        return [
            (card, half)
            for card in cards
            for half in self.halves_of(card, self.seat)
            if not self.is_used(card, half) and self.is_usable(card, half)
        ]

    def usable_halves_of(self, card: str) -> list[tuple[str, str]]:
        """The halves of one card that can be completed, used or not."""
        return [(card, half) for half in self.halves_of(card, self.seat) if self.is_usable(card, half)]

    def cost(self, verb: str, card: str) -> int:
        """The cost of ``acquire``, ``upgrade`` or ``triple``; Roads makes moving cards cheaper (p. 16)."""
        if verb == "triple":
            return TRIPLE_COST
        ability = self.abilities[card]
        discount = self.twist_arg if self.twist == "Roads" and ability.moves_first else 0
        return max(0, ability.costs[verb] - discount)

    def _purchases(self) -> list[str]:
        """p. 5: a card from the hand, an upgrade, or one ability three times."""
        player = self.player
        offers = [("acquire", card) for card in player.hand]
        offers += [("upgrade", card) for card, in_play in player.in_play.items() if not in_play.upgraded]
        offers += [("triple", card) for card in (*player.in_play, "Tunnel")]
        return [f"{verb} {card}" for verb, card in offers if self.cost(verb, card) <= player.coins]


def use_label(card: str, half: str) -> str:
    """The label of a special action; the Tunnel card has only one."""
    return "use Tunnel" if card == "Tunnel" else f"use {card} {half}"


def split_use(what: str) -> tuple[str, str]:
    """Card and half in the label of ``use``."""
    if what == "Tunnel":
        return "Tunnel", "I"
    card, _, half = what.rpartition(" ")
    return card, half
