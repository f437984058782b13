"""Two implementations play the same game; after every action they must agree on everything.

The kernels and the reference are given the same set-up and the same actions. Compared are the legal actions, the state of the
table and the score sheet at every step; illegal actions are tried and must change nothing in either.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from tests.house.lockstep import Difference as Difference
from tests.house.lockstep import Tally as Tally
from tests.house.lockstep import play_all
from tests.house.wild import WILD, wild_house_rules
from winterkingdom_env.core.batch import advance_to_decision_all
from winterkingdom_env.core.rng import Stream
from winterkingdom_env.games import winter_kingdom as wk
from winterkingdom_env.games.house_rules import PRINTED, RANDOM
from winterkingdom_env.games.winter_kingdom import layout, tables
from winterkingdom_env.games.winter_kingdom.actions import labels
from winterkingdom_env.games.winter_kingdom.plain import make_state
from winterkingdom_env.games.winter_kingdom.saves import refresh_all
from winterkingdom_env.games.winter_kingdom.world import begin_games, make_world
from winterkingdom_env.reference.winter_kingdom import ReferenceGame

NEXT_TERRAIN = ("Crossroads II", "MANDATORY_ON_NEXT_TERRAIN II")
SAVED_EVERY = 10  # actions, under house rules; without them other tests save
NUMBER = {label: number for number, label in enumerate(labels())}
TWISTS = (None, *(card.name for card in tables.TWISTS))
ECONOMIES = tuple(card.name for card in tables.ECONOMIES)
COVERED_BY_EFFECT = ("Impasse", "Mobility", "Archipelago")  # no action of their own: seen in what is legal


def config_of(number: int, kind: str = PRINTED) -> wk.Config:
    """The set-up of game ``number``: any 216 numbers in a row cover every player count, economy and twist together.

    ``kind`` of house rules: none, "random" or "wild", others in every game.
    """
    drawn = {PRINTED: PRINTED, RANDOM: f"{RANDOM}:{number}", WILD: ""}
    return wk.Config(
        house_rules=drawn[kind] if kind != WILD else wild_house_rules(wk.SHEETS, number),
        num_players=2 + number % 3,
        twist=TWISTS[(number // 3) % 9],
        economy=ECONOMIES[(number // 27) % 8],
        boards="generated" if number % 20 == 19 else "standard",
    )


class Lockstep:
    """One game, played twice at once."""

    def __init__(self, number: int, tally: Tally, kind: str = PRINTED) -> None:
        self.number, self.tally = number, tally
        self.config = config_of(number, kind)
        self.game = wk.new_game(self.config, seed=number)
        self.reference = ReferenceGame(self.game.setup())
        self.stream = Stream(number + 1)
        self.is_uniform = number % 8 == 7  # every eighth game is plain random play
        self.step = 0
        self.pieces = b""  # as they stood when the scores were compared last: nothing else decides them
        self.plain_board = self._board_without_twist()
        snapshot = self.game.snapshot()
        if snapshot != self.reference.snapshot():
            raise Difference(f"game {number}: the set-ups differ")

    def _board_without_twist(self) -> np.ndarray:
        board = self.game.board.copy()
        board["twist"] = layout.Twist.NONE
        world = make_world(1, (wk.Config(house_rules=self.config.house_rules),))
        begin_games(world._replace(games=self.game.record.copy(), boards=board))
        return board

    def fail(self, what: str) -> None:
        """Say where the difference is and, in one sentence of the reference, which rule it is about."""
        raise Difference(
            f"game {self.number} ({self.config}), step {self.step}, seat {self.game.seat}, phase {self.game.phase}: {what}"
        )

    def compare(self) -> list[int]:
        """Compare everything; the legal actions."""
        legal = self.game.legal_actions()
        theirs = {NUMBER[label] for label in self.reference.legal_labels()}
        if set(legal) != theirs:
            wrong = min(set(legal) ^ theirs)
            who = "the kernel allows" if wrong in legal else "the kernel forbids"
            self.fail(f"{who} what the reference does not agree to: {self.reference.explain(wk.label(wrong))}")
        ours, others = make_state(self.game.record[0], self.game.board[0]), self.reference.state()
        if ours != others:
            key = next(key for key in ours if ours[key] != others[key])
            self.fail(f"{key} is {ours[key]} in the kernel and {others[key]} in the reference")
        pieces = self.game.record["houses"].tobytes() + self.game.record["forts"].tobytes()
        if pieces != self.pieces and self.game.score_sheet() != self.reference.score_sheet():
            self.fail(
                f"scores {self.game.score_sheet()} in the kernel, {self.reference.score_sheet()} in the reference"
            )
        self.pieces = pieces
        return legal

    def try_illegal(self, legal: list[int]) -> None:
        """An action that is not legal changes nothing and says why."""
        action = self.stream.draw(layout.N_ACTIONS)
        if action in legal:
            return
        self.tally.illegal += 1
        before = self.game.to_bytes()
        try:
            self.game.apply(action)
            self.fail(f"the kernel carried out {wk.label(action)}")
        except wk.IllegalActionError:
            pass
        try:
            self.reference.apply(wk.label(action))
            self.fail(f"the reference carried out {wk.label(action)}")
        except ValueError:
            pass
        if self.game.to_bytes() != before:
            self.fail(f"the illegal {wk.label(action)} changed the game")

    def choose(self, legal: list[int]) -> int:
        """Random, but in most games card actions are preferred: plain random play seldom buys."""
        if self.is_uniform:
            return legal[self.stream.draw(len(legal))]
        cards = [action for action in legal if layout.USE_FIRST <= action < layout.DONE]
        coins = int(self.game.record["coins"][0, self.game.seat])
        saves = coins >= 3 and self.stream.draw(3) == 0  # somebody has to come to five coins
        if saves:
            cards = [action for action in cards if not layout.ACQUIRE_FIRST <= action < layout.TRIPLE_FIRST]
        if cards and self.stream.draw(10) < 7:
            return cards[self.stream.draw(len(cards))]
        other = [action for action in legal if not layout.ACQUIRE_FIRST <= action < layout.TRIPLE_FIRST]
        if legal[-1] == layout.DONE and self.stream.draw(3) == 0:
            return layout.DONE
        return other[self.stream.draw(len(other))]

    def name_of(self, card: int, half: int) -> str:
        """What counts as exercised when a half is used: the card's own, or under house rules what the half does."""
        if not self.config.house_rules:
            name = tables.CARDS[card].name
            return name if card == layout.TUNNEL_CARD else f"{name} {'II' if half else 'I'}"  # which has one half
        return f"{layout.Op(self.game.board['op'][0, card, half]).name} {'II' if half else 'I'}"

    def count(self, action: int) -> None:
        """Note what an action exercises, before it is carried out."""
        counts, game, phase = self.tally.counts, self.game.record[0], self.game.phase
        if layout.USE_FIRST <= action < layout.ACQUIRE_FIRST:
            counts[self.name_of((action - layout.USE_FIRST) // 2, (action - layout.USE_FIRST) % 2)] += 1
            if phase == "innovate":
                counts["Innovation"] += 1
        elif layout.TRIPLE_FIRST <= action < layout.DONE:
            counts["triple"] += 1
        elif layout.ACQUIRE_FIRST <= action < layout.TRIPLE_FIRST:
            kind = "upgrade" if action >= layout.UPGRADE_FIRST else "acquire"
            counts[kind] += 1
            card = (action - layout.ACQUIRE_FIRST) % layout.N_ABILITIES
            is_move = layout.FIRST_MOVE_OP <= self.game.board["op"][0, card, 0] <= layout.LAST_MOVE_OP
            if self.config.twist == "Roads" and is_move:
                counts["Roads"] += 1
        elif phase == "follow" and action != layout.DONE:
            card = int(game["card"])
            counts["Longer Tunnels" if card == layout.TUNNEL_CARD else self.name_of(card, 1)] += 1
        elif phase in ("boom", "wolves") and action != layout.DONE:
            counts[phase.capitalize()] += 1
        if layout.FORT_FIRST <= action < layout.LIFT_FIRST:
            counts["fort"] += 1
        if phase == "before" and action < layout.LIFT_FIRST:
            terrain = self.game.board["terrain_at"][0, action % layout.N_HEXES]
            if terrain != game["terrain_card"][game["seat"]]:
                cards = [i for i in range(layout.N_ABILITIES) if int(game["upgraded"][game["seat"]]) >> i & 1]
                counts[next(name for name in (self.name_of(card, 1) for card in cards) if name in NEXT_TERRAIN)] += 1

    def count_effect(self) -> None:
        """Note when a twist without an action of its own changes what is legal."""
        if self.config.twist in COVERED_BY_EFFECT and self.stream.draw(8) == 0:
            record = self.game.record.copy()
            refresh_all(record, self.plain_board)  # Archipelago cuts what is near
            plain = make_world(1)._replace(games=record, boards=self.plain_board)
            advance_to_decision_all(plain)
            if plain.legals.tobytes() != self.game._world.legals.tobytes():
                self.tally.counts[self.config.twist] += 1

    def play(self) -> None:
        """Play to the end; Difference as soon as the two disagree."""
        while not self.game.is_over:
            legal = self.compare()
            if not legal:
                self.fail("a live seat has no legal action")
            if self.stream.draw(32) == 0:
                self.try_illegal(legal)
            self.count_effect()
            if (
                self.config.house_rules
                and self.step % SAVED_EVERY == 0
                and wk.from_bytes(self.game.to_bytes()) != self.game
            ):
                self.fail("it is not saved as it is")
            action = self.choose(legal)
            self.count(action)
            coins, seat = self.game.record["coins"][0].copy(), self.game.seat
            self.game.apply(action)
            self.reference.apply(wk.label(action))
            if self.game.record["coins"][0, seat] > coins[seat]:
                condition = layout.Condition(self.game.board["condition"][0]).name
                self.tally.counts[condition if self.config.house_rules else self.config.economy] += 1
            self.step += 1
        self.compare()
        measures = [layout.Measure(measure).name for measure in self.game.board["measure"][0]]
        for sheet in self.game.score_sheet():
            names = [*measures, "Castles"] if self.config.house_rules else list(sheet)
            self.tally.counts.update(name for name, points in zip(names, sheet.values(), strict=True) if points)
        self.tally.games += 1
        self.tally.steps += self.step


def play_games(numbers: range, kind: str = PRINTED) -> Tally:
    """Play games in lock-step and say what they exercised."""
    return play_all(Lockstep, numbers, kind)


def things_to_exercise(kind: str = PRINTED) -> list[str]:
    """Everything that a large run must have exercised at least once: every card, or under house rules everything that cards can do."""
    if kind != PRINTED:
        sheets: dict[str, Any] = {sheet.kind: sheet.columns for sheet in wk.SHEETS}
        halves = [f"{op.name} I" for op in sheets["ability"]["first"].members]
        halves += [f"{op.name} II" for op in sheets["ability"]["second"].members]
        rest = [*(condition.name for condition in layout.Condition), *(measure.name for measure in layout.Measure)]
        return [
            *halves,
            *dict.fromkeys(rest),
            *(card.name for card in tables.TWISTS),
            "Castles",
            "acquire",
            "upgrade",
            "triple",
            "fort",
        ]
    halves = [f"{card.name} {half}" for card in tables.ABILITIES for half in ("I", "II")]
    rest = [card.name for card in (tables.TUNNEL, *tables.ECONOMIES, *tables.TWISTS, *tables.SCORINGS)]
    return [*halves, *rest, "Castles", "acquire", "upgrade", "triple", "fort"]
