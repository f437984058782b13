"""The reference implementation, which tests compare with the kernels step by step."""

from __future__ import annotations

from collections.abc import Mapping
from copy import deepcopy
from typing import Any

from winterkingdom_env.reference.dominion import knowledge, scoring, snapshot, turn
from winterkingdom_env.reference.dominion.actions import NUMBER, split
from winterkingdom_env.reference.dominion.cards import Card
from winterkingdom_env.reference.dominion.effects import ANSWERS
from winterkingdom_env.reference.dominion.questions import legal_labels
from winterkingdom_env.reference.dominion.setup import new_state


class ReferenceGame:
    """One game of Dominion from its options as plain data.

    Options: ``num_players``, ``kingdom`` (a named set, "random" or ten names), ``attacks``, ``round_limit``, ``seed``, ``cards``: other
    values for rows, {"Smithy": {"cost": 3, "pile": 12}}, and for a game that was dealt elsewhere ``hands``, by name and number, and ``rng``,
    the random stream after the deal.
    """

    def __init__(self, setup: Mapping[str, Any]) -> None:
        """Deal; seat 0's turn has started."""
        self.overrides = deepcopy(dict(setup.get("cards", {})))
        self.now = new_state(setup)

    @classmethod
    def restore(cls, data: Mapping[str, Any]) -> ReferenceGame:
        """The game of a snapshot."""
        game = object.__new__(cls)
        game.overrides = deepcopy(dict(data.get("cards", {})))
        game.now = snapshot.restore(data)
        return game

    @classmethod
    def position(cls, data: Mapping[str, Any]) -> ReferenceGame:
        """A snapshot with no question asked yet, in which the turn seat goes on to its next action or buy."""
        game = cls.restore(data)
        turn.next_action(game.now)
        return game

    # Questions and answers

    @property
    def num_players(self) -> int:
        """The number of seats."""
        return self.now.num_players

    @property
    def is_over(self) -> bool:
        """Whether the game has ended."""
        return self.now.phase == "over"

    @property
    def phase(self) -> str:
        """The question that is asked."""
        return self.now.phase

    @property
    def mover(self) -> int:
        """The seat that is asked."""
        return self.now.mover

    def legal_labels(self) -> set[str]:
        """Every action that is legal now."""
        return set(legal_labels(self.now))

    def legal_actions(self) -> list[int]:
        """The numbers of the legal actions, ascending."""
        return [NUMBER[label] for label in legal_labels(self.now)]

    def apply(self, label: str) -> None:
        """Apply a legal action. Raises ValueError, with the reason, if it is illegal."""
        if label not in legal_labels(self.now):
            raise ValueError(self.explain(label))
        verb, card = split(label)
        if self.phase == "action":
            turn.answer_action(self.now, verb, card)
        elif self.phase == "buy":
            turn.answer_buy(self.now, verb, card)
        elif not ANSWERS[self.phase](self.now, verb, card):
            turn.finish(self.now)

    def explain(self, label: str) -> str:
        """One sentence: why the label is legal or illegal now."""
        if label not in NUMBER:
            return f"`{label}` is illegal: no action has this name."
        legal = legal_labels(self.now)
        asked = f"seat {self.mover} is asked `{self.phase}` and may answer {', '.join(legal)}"
        if not legal:
            asked = "the game is over"
        return f"`{label}` is {'legal' if label in legal else 'illegal'}: {asked}."

    # Results

    def scores(self) -> list[int]:
        """Points by seat if the game ended now."""
        return [scoring.score(self.now, p) for p in range(self.num_players)]

    def ranks(self) -> list[int]:
        """Places by seat if the game ended now; equals share the better place."""
        return scoring.ranks(self.now)

    def owned(self, p: int) -> list[int]:
        """How many cards of each kind a player owns."""
        cards = scoring.owned(self.now, p)
        return [cards[card] for card in Card]

    def empty_piles(self) -> list[str]:
        """The names of the piles that have run out."""
        return [card.label for card in turn.empty_piles(self.now)]

    # The state

    def snapshot(self) -> dict[str, Any]:
        """The full state, the hidden part included; ``restore`` reads it."""
        return {
            "num_players": self.num_players,
            "kingdom": [int(card) for card in self.now.kingdom],
            "round_limit": self.now.round_limit,
            "cards": deepcopy(self.overrides),
            **self.state(),
        }

    def state(self) -> dict[str, Any]:
        """The mutable part of the snapshot."""
        return snapshot.changing(self.now)

    def redeal(self, looker: int, seed: int) -> None:
        """Deal the part again that the seat ``looker`` does not know."""
        knowledge.redeal(self.now, looker, seed)

    def clone(self) -> ReferenceGame:
        """An independent copy that continues in the same way."""
        return deepcopy(self, {id(self.now.rows): self.now.rows})  # the rows never change
