"""The turn machine (docs/turn.md) of the reference implementation, which tests compare with the kernels step by step."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, TypeVar

from winterkingdom_env.games.winter_kingdom.house import cards_of
from winterkingdom_env.games.winter_kingdom.tables import (
    START_COINS,
    TUNNEL,
    Cards,
    Economy,
    Scoring,
    TwistCard,
)
from winterkingdom_env.reference.winter_kingdom import economy, scoring, snapshot
from winterkingdom_env.reference.winter_kingdom.abilities import Build, read_card
from winterkingdom_env.reference.winter_kingdom.deck import Deck, RandomStream
from winterkingdom_env.reference.winter_kingdom.explain import explain
from winterkingdom_env.reference.winter_kingdom.grid import HEX_OF
from winterkingdom_env.reference.winter_kingdom.legal import Moment, split_use
from winterkingdom_env.reference.winter_kingdom.state import CardInPlay, Land, Player, Position, Turn

TRIPLE_USES = 3  # p. 5
LAST_ROUND = 100

Row = TypeVar("Row", Scoring, Economy, TwistCard)


def find_row(rows: tuple[Row, ...], name: str) -> Row:
    """The row of a card. Raises ValueError if there is no such card."""
    for row in rows:
        if row.name == name:
            return row
    raise ValueError(f"unknown card {name!r}: it is none of {', '.join(row.name for row in rows)}.")


class ReferenceGame(Moment):
    """One game of Winter Kingdom from a set-up as plain data."""

    def __init__(self, setup: Mapping[str, Any], cards: Cards | None = None) -> None:
        """Start from a set-up; seat 0 reveals its terrain card. ``cards``: the card rows, if not those of the set-up."""
        self.setup = dict(setup)
        self.num_players: int = setup["num_players"]
        if cards is None:
            cards = cards_of(setup.get("house_rules", ""))
        self.scoring = [find_row(cards.scorings, name) for name in setup["scoring"]]
        if setup["top_board"] == setup["bottom_board"]:
            raise ValueError(
                f"top_board, bottom_board: two different boards are needed, found {setup['top_board']} twice"
            )
        coins = START_COINS[self.num_players]
        players = [
            Player(coins[seat], set(setup["hands"][seat]), setup["terrain_cards"][seat])
            for seat in range(self.num_players)
        ]
        twist: str | None = setup["twist"]
        land = Land.from_hexes(setup["hexes"], archipelago=twist == "Archipelago")
        abilities = {row.name: read_card(row) for row in (*cards.abilities, TUNNEL)}
        economy_card = find_row(cards.economies, setup["economy"])
        twist_arg = 0 if twist is None else find_row(cards.twists, twist).arg
        super().__init__(Position(land, players, twist), Turn(), abilities, economy_card, twist, twist_arg)
        pile = list(reversed(setup["draw_pile"]))
        self.deck = Deck(pile, list(setup["discard_pile"]), RandomStream(setup["rng"]))
        self.round = 1
        self._legal: frozenset[str] | None = None
        self._begin_turn()

    # Interface

    @property
    def is_over(self) -> bool:
        """Whether the game has ended."""
        return self.phase == "over"

    def legal_labels(self) -> set[str]:
        """Every action that is legal now."""
        return set(self._legal_now())

    def apply(self, label: str) -> None:
        """Apply a legal action. Raises ValueError, with the reason, if it is illegal."""
        if label not in self._legal_now():
            raise ValueError(self.explain(label))
        self._legal = None
        verb, _, what = label.partition(" ")
        if verb in ("house", "fort"):
            self._set_piece(HEX_OF[what], verb)
        elif verb == "lift":
            self._lift(HEX_OF[what])
        elif verb == "use":
            card, half = split_use(what)
            self._begin_use(card, half)
        elif verb == "done":
            self._done()
        else:
            self._purchase(verb, what)

    def explain(self, label: str) -> str:
        """One sentence: why the label is legal or illegal now."""
        return explain(self, label)

    def snapshot(self) -> dict[str, Any]:
        """The full state, including hidden hands."""
        return {**snapshot.fixed(self), **snapshot.changing(self)}

    def state(self) -> dict[str, Any]:
        """The mutable part of the snapshot."""
        return snapshot.changing(self)

    def score_sheet(self) -> list[dict[str, int]]:
        """Points by card and seat if the game ended now (p. 7)."""
        bottom, direction = self.setup["bottom_board"], self.setup["direction"]
        questions = [scoring.Question(self.position, seat, bottom, direction) for seat in range(self.num_players)]
        return [scoring.sheet(question, self.scoring) for question in questions]

    def scores(self) -> list[int]:
        """Points by seat if the game ended now."""
        return [sum(points.values()) for points in self.score_sheet()]

    def ranks(self) -> list[int]:
        """Places by seat if the game ended now; equals share the better place (p. 7)."""
        scores = self.scores()
        return [1 + sum(other > points for other in scores) for points in scores]

    def clone(self) -> ReferenceGame:
        """An independent copy that continues in the same way."""
        copy = object.__new__(ReferenceGame)
        copy.__dict__.update(self.__dict__)
        copy.position = self.position.copy()
        copy.deck = self.deck.copy()
        copy.turn = self.turn.copy()
        return copy

    def _legal_now(self) -> frozenset[str]:
        if self._legal is None:
            self._legal = frozenset(self.find_legal())
        return self._legal

    # Effects of actions

    def _set_piece(self, hex_id: int, kind: str) -> None:
        phase, turn = self.phase, self.turn
        if phase in ("before", "mandatory"):
            self._build_mandatory(hex_id, kind)
        elif phase == "boom":
            self._build(hex_id, kind, earns=False)
            self._continue_mandatory()
        elif phase == "build":
            self._build(hex_id, kind, earns=True)
            self._offer_follow(hex_id if kind == "house" else None, None)
        elif phase == "move":
            assert turn.lifted is not None
            source, turn.lifted = turn.lifted, None
            self.position.move(self.seat, source, hex_id)
            self._offer_follow(hex_id, source)
        elif self.sets_moved_house():  # follow
            assert turn.follower is not None
            self.position.move(self.seat, turn.follower, hex_id)
            self._end_use()
        else:  # follow, on the hex just left
            self._build(hex_id, kind, earns=True)
            self._end_use()

    def _build(self, hex_id: int, kind: str, earns: bool) -> None:
        self.position.put(self.seat, hex_id, kind)
        self.turn.built += 2 if kind == "fort" else 1
        if earns:
            top_board = self.setup["top_board"]
            self.player.coins += economy.coins_for_piece(self.economy, self.position, self.seat, hex_id, top_board)

    def _build_mandatory(self, hex_id: int, kind: str) -> None:
        land, turn = self.position.land, self.turn
        self._build(hex_id, kind, earns=True)
        turn.placed.append(hex_id)
        turn.terrain = land.terrain[hex_id]
        self.player.coins += economy.coins_for_line(self.economy, turn.placed, land.grid)
        if self.twist == "Boom" and hex_id in land.next_to["village"] and self.boom_targets():
            self.phase = "boom"
        else:
            self._continue_mandatory()

    def _continue_mandatory(self) -> None:
        """p. 4: three pieces one after the other, fewer only if no further one can be built."""
        self.phase = "mandatory" if self.mandatory_targets() else "after"

    def _begin_use(self, card: str, half: str) -> None:
        turn = self.turn
        turn.origin, turn.card, turn.half = self.phase, card, half
        if self.phase == "triple":
            turn.uses_left -= 1
        elif self.phase in ("before", "after"):
            self._mark_used(card, half)
        self.phase = "build" if isinstance(self.running_half(), Build) else "lift"

    def _mark_used(self, card: str, half: str) -> None:
        if card == "Tunnel":
            self.player.tunnel_used = True
            return
        in_play = self.player.in_play[card]
        in_play.used_halves.add(half)
        if in_play.upgraded and self.abilities[card].link in ("OR", "THEN"):
            in_play.used_halves |= {"I", "II"}

    def _lift(self, hex_id: int) -> None:
        if self.phase == "lift":
            self.turn.lifted = hex_id
            self.phase = "move"
            return
        houses = self.player.strength({hex_id})
        self.position.take(self.seat, hex_id)
        if self.phase == "wolves":
            self._clean_up()
        else:  # Salvage, p. 15
            self.player.coins += self.economy.coins * houses
            self.turn.salvaged = True

    def _offer_follow(self, house: int | None, just_left: int | None) -> None:
        """The first half is done: the second may follow on the same house, a fort never moves (p. 4, 8)."""
        turn = self.turn
        turn.follower, turn.just_left = house, just_left
        card = turn.card
        assert card is not None
        if card == "Tunnel":
            follows = self.twist == "Longer Tunnels"
        else:
            follows = self.abilities[card].link == "THEN" and self.player.in_play[card].upgraded
            if follows:
                turn.half = "II"
        if follows and house is not None:
            self.phase = "follow"
            if self.targets():
                return
        self._end_use()

    def _end_use(self) -> None:
        turn = self.turn
        turn.half = turn.follower = turn.just_left = None
        if turn.origin == "triple":
            self._offer_triple()
        elif turn.origin == "innovate":
            self._finish_turn()
        else:
            turn.card = None
            self.phase = turn.origin

    def _done(self) -> None:
        if self.phase == "before":  # no mandatory piece can be built on the card's own terrain
            self.phase = "after"
        elif self.phase == "boom":
            self._continue_mandatory()
        elif self.phase == "follow":
            self._end_use()
        else:  # after, triple, innovate
            self._finish_turn()

    def _purchase(self, verb: str, card: str) -> None:
        player = self.player
        player.coins -= self.cost(verb, card)
        if verb == "triple":
            self.turn.card, self.turn.uses_left = card, TRIPLE_USES
            self._offer_triple()
            return
        if verb == "acquire":
            player.hand.remove(card)
            player.in_play[card] = CardInPlay()
        else:
            player.in_play[card].upgraded = True
        if self.twist == "Innovation" and self.usable_halves_of(card):  # p. 16
            self.phase, self.turn.card = "innovate", card
        else:
            self._finish_turn()

    def _offer_triple(self) -> None:
        assert self.turn.card is not None
        if self.turn.uses_left and self.usable_halves_of(self.turn.card):
            self.phase = "triple"
        else:
            self._finish_turn()

    # From turn to turn

    def _finish_turn(self) -> None:
        self.turn.card, self.turn.uses_left = None, 0
        if self.twist == "Wolves" and self.turn.built > self.twist_arg and self.player.pieces:  # p. 16
            self.phase = "wolves"
        else:
            self._clean_up()

    def _clean_up(self) -> None:
        """p. 5: a new terrain card, all tokens active again, the next player's turn; p. 7: the end."""
        player = self.player
        if player.terrain_card is not None:
            self.deck.discards.append(player.terrain_card)
        player.terrain_card = self.deck.draw(self.position.has_free)
        player.tunnel_used = False
        for card in player.in_play.values():
            card.used_halves.clear()
        self.turn = Turn()
        if self.seat == self.num_players - 1:
            if self.round >= LAST_ROUND or any(player.supply == 0 for player in self.position.players):
                self.phase = "over"
                return
            self.round += 1
        self.seat = (self.seat + 1) % self.num_players
        self._begin_turn()

    def _begin_turn(self) -> None:
        """p. 4: reveal the card; p. 6: one without a free hex is replaced."""
        self.phase = "before"
        player = self.player
        if player.terrain_card is not None and not self.position.has_free(player.terrain_card):
            self.deck.discards.append(player.terrain_card)
            player.terrain_card = None
        if player.terrain_card is None:
            player.terrain_card = self.deck.draw(self.position.has_free)
