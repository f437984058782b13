"""The reference implementation, which tests compare with the kernels step by step."""

from __future__ import annotations

from collections.abc import Mapping
from copy import deepcopy
from typing import Any

from winterkingdom_env.reference.kingdom_builder import knowledge, scoring, snapshot, turn
from winterkingdom_env.reference.kingdom_builder.answers import ON_HEX, answer
from winterkingdom_env.reference.kingdom_builder.legal import DONE, legal_labels
from winterkingdom_env.reference.kingdom_builder.names import OUTPOST
from winterkingdom_env.reference.kingdom_builder.setup import new_state
from winterkingdom_env.reference.kingdom_builder.state import State
from winterkingdom_env.reference.kingdom_builder.uses import USES, action_of

SHOWN = 12  # labels in an explanation


class ReferenceGame:
    """One game of Kingdom Builder from its options as plain data.

    Options: ``num_players``, ``sets``, ``quadrants``, ``scoring``, ``exclude``, ``tasks``, ``swamp_cards``, ``capitol``, ``caves``,
    ``island``, ``first_game``, ``round_limit``, ``seed``, and every known layout: ``layouts`` of quadrants, ``islands``.
    """

    def __init__(self, setup: Mapping[str, Any]) -> None:
        """Set up; seat 0 is asked for its first action."""
        self._state = new_state(setup)
        self._legal: set[str] | None = None

    @classmethod
    def restore(cls, data: Mapping[str, Any]) -> ReferenceGame:
        """The game of a full snapshot."""
        game = object.__new__(cls)
        game._state = snapshot.restore(data)
        game._legal = None
        return game

    @classmethod
    def position(cls, data: Mapping[str, Any]) -> ReferenceGame:
        """A snapshot with no question asked yet: checks are made, and what asks nothing is passed over.

        ``now`` may be incomplete. {"phase": "before"}: the turn begins. {"phase": "after"}: the mandatory action is over.
        {"phase": "silo"}: the last turn is over, and the silos begin with ``seat``, or else seat 0.
        """
        game = cls.restore(data)
        state = game._state
        if state.now.phase == "before" and not state.turn.started:
            turn.open_hand(state)
        if state.now.phase == "after":
            state.turn.ended = True
        if state.now.phase == "silo" and "silos" not in data["now"]:
            turn.begin_silos(state, data["now"].get("seat", 0))
        turn.settle(state)
        return game

    # Questions and answers

    @property
    def num_players(self) -> int:
        """The number of seats."""
        return self._state.board.num_players

    @property
    def is_over(self) -> bool:
        """Whether the game has ended."""
        return self._state.now.phase == "over"

    @property
    def phase(self) -> str:
        """The question that is asked."""
        return self._state.now.phase

    @property
    def mover(self) -> int:
        """The seat that is asked."""
        return self._state.now.seat

    def legal_labels(self) -> set[str]:
        """Every action that is legal now; kept until the next action."""
        if self._legal is None:
            self._legal = legal_labels(self._state)
        return self._legal

    def apply(self, label: str) -> None:
        """Apply a legal action. Raises ValueError, with the reason, if it is illegal; nothing is changed then."""
        if label not in self.legal_labels():
            raise ValueError(self.explain(label))
        self._legal = None
        answer(self._state, label)

    def explain(self, label: str) -> str:
        """One sentence: why the label is legal or illegal now."""
        if not self._is_label(label):
            return f"`{label}` is illegal: no action has this name."
        legal = sorted(self.legal_labels())
        if not legal:
            return f"`{label}` is illegal: the game is over."
        if label in legal:
            return f"`{label}` is legal: seat {self.mover} is asked `{self.phase}`."
        now = self._state.now
        use = f" of use {now.use}" if now.use else ""
        more = f" and {len(legal) - SHOWN} more" if len(legal) > SHOWN else ""
        answers = ", ".join(legal[:SHOWN]) + more
        return f"`{label}` is illegal: seat {self.mover} is asked `{self.phase}`{use} and may answer {answers}."

    def _is_label(self, label: str) -> bool:
        verb, _, rest = label.partition(" ")
        if verb == "use":
            return action_of(rest) in USES
        if verb in ON_HEX:
            return rest in self._state.grid.hex_of
        return label in (DONE, OUTPOST, "token")

    # Results

    def scores(self) -> list[int]:
        """Gold by seat if the game ended now."""
        return scoring.scores(self._state)

    def ranks(self) -> list[int]:
        """Places by seat if the game ended now; equals share the better place."""
        return scoring.ranks(self._state)

    def gold_sheet(self) -> list[dict[str, int]]:
        """By seat: column -> gold if the game ended now; the sum is the score."""
        return scoring.gold_sheets(self._state)

    def score_card(self, name: str) -> list[int]:
        """What a card or task pays each seat at the end for the present board, in play or not."""
        return scoring.score_card(self._state, name)

    # The state

    def snapshot(self) -> dict[str, Any]:
        """The full state, the hidden part included; ``restore`` reads it."""
        return {**snapshot.constant(self._state.board), **self.state()}

    def state(self) -> dict[str, Any]:
        """The mutable part of the snapshot."""
        return snapshot.changing(self._state)

    def redeal(self, looker: int, seed: int) -> None:
        """Deal again what the seat ``looker`` cannot see: hidden hands and the order of the deck."""
        knowledge.redeal(self._state, looker, seed)
        self._legal = None

    def clone(self) -> ReferenceGame:
        """An independent copy that continues in the same way."""
        game = object.__new__(type(self))
        game._state, game._legal = self._copy_of_state(), None
        return game

    def _copy_of_state(self) -> State:
        return deepcopy(self._state, {id(self._state.board): self._state.board})  # the board never changes
