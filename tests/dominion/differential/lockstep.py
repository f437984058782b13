"""Kernels and reference play the same games of Dominion; after every action they must agree on everything.

Compared are every zone and register, the random stream, the legal actions, points and places. Illegal actions are tried and must change
nothing in either. What a seat cannot see is resampled by both, and must come out alike.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from tests.dominion.kernel_table import plain
from tests.house.lockstep import Difference, Tally, play_all
from tests.house.wild import HOUSE_RULES
from winterkingdom_env.core.rng import Stream
from winterkingdom_env.games.dominion import Config, Game
from winterkingdom_env.games.dominion.house import SHEETS, changed_rows
from winterkingdom_env.games.dominion.layout import DONE, N_ACTIONS, N_CARDS, YES, Class, Verb
from winterkingdom_env.games.dominion.tables import CARDS, KINGDOM, KINGDOMS, NAMES
from winterkingdom_env.games.house_rules import PRINTED, RANDOM
from winterkingdom_env.reference.dominion import ReferenceGame

ACTIONS = [card.name for card in CARDS if Class.ACTION in card.classes]
SILVER, CURSE, PROVINCE, THRONE_ROOM = (NAMES.index(name) for name in ("Silver", "Curse", "Province", "Throne Room"))
BRANCHES = (
    "Bureaucrat, no Silver left", "Bureaucrat, asked in vain", "Bureaucrat, hand shown unasked", "Cellar, hand emptied", "Chancellor, deck kept",
    "Chancellor, deck flipped", "Chapel, four trashed", "Library, set aside", "Library, kept", "Library, card seen by all", "Mine, asked in vain",
    "Moat, shown", "Moat, kept back", "Moat, asked in vain", "Spy, own card left", "Spy, own card discarded", "Spy, card of another left",
    "Spy, card of another discarded", "Thief, choice", "Thief, gains", "Thief, gains nothing", "Throne Room, in vain", "Throne Room on a Throne Room, twice",
    "Witch, no Curse left", "end by Provinces", "end by three piles", "end by the round limit", "shared win", "tie broken by turns", "redealt",
)  # fmt: skip

IN_VAIN = {
    "bureaucrat": "Bureaucrat, asked in vain",
    "mine": "Mine, asked in vain",
    "moat": "Moat, asked in vain",
    "throne": "Throne Room, in vain",
}
YES_OR_NO = {
    "moat": ("Moat, shown", "Moat, kept back"),
    "library": ("Library, set aside", "Library, kept"),
    "chancellor": ("Chancellor, deck flipped", "Chancellor, deck kept"),
}


def config_of(number: int, kind: str = PRINTED) -> Config:
    """The set-up of game ``number``: 2 to 4 players; mostly random kingdoms, the named ones among them."""
    kingdoms = [*KINGDOMS, None, None, None, None, None, None]
    return Config(
        num_players=2 + number % 3,
        kingdom=kingdoms[number // 3 % len(kingdoms)],
        attacks=number % 10 != 9,
        round_limit=12 if number % 50 == 49 else 100,
        house_rules=HOUSE_RULES[kind](SHEETS, number),
    )


def reference_of(config: Config, seed: int) -> ReferenceGame:
    """The reference of a game."""
    changed = changed_rows(config.house_rules, config.num_players)
    return ReferenceGame(
        {
            "num_players": config.num_players, "kingdom": config.kingdom or RANDOM, "attacks": config.attacks,
            "round_limit": config.round_limit, "seed": seed, "cards": changed,
        }
    )  # fmt: skip


class Lockstep:
    """One game, played twice at once."""

    def __init__(self, number: int, tally: Tally, kind: str = PRINTED) -> None:
        self.number, self.tally = number, tally
        self.config = config_of(number, kind)
        self.game, self.reference = Game.new_game(self.config, seed=number), reference_of(self.config, number)
        self.stream = Stream(number + 1)
        self.style = number // 7 % 4  # uniform, or fond of actions, of money, of trashing
        self.step = 0

    def fail(self, what: str) -> None:
        """Say where the difference is."""
        raise Difference(
            f"game {self.number} ({self.config}), step {self.step}, seat {self.game.seat}, phase {self.game.phase}: {what}"
        )

    def compare(self) -> dict[str, Any]:
        """Compare everything; the state."""
        ours, theirs = plain(self.game), self.reference.state()
        if ours != theirs:
            keys = [key for key in {**ours, **theirs} if ours.get(key) != theirs.get(key)]
            self.fail(
                "; ".join(
                    f"{key} is {ours.get(key)} in the kernel and {theirs.get(key)} in the reference" for key in keys
                )
            )
        if (self.game.scores(), self.game.ranks()) != (self.reference.scores(), self.reference.ranks()):
            self.fail(
                f"scores {self.game.scores()}, ranks {self.game.ranks()} in the kernel, "
                f"{self.reference.scores()}, {self.reference.ranks()} in the reference"
            )
        return ours

    def compare_redealt(self) -> None:
        """What a seat cannot see is resampled alike, but for the stream that is left behind."""
        looker, seed = self.stream.draw(self.game.n_players), self.stream.draw(1 << 31)
        ours, reference = self.game.determinize(looker, seed), self.reference.clone()
        reference.redeal(looker, seed)
        found, wanted = plain(ours), reference.state()
        found["rng"] = wanted["rng"] = 0
        if found != wanted:
            keys = [key for key in wanted if found[key] != wanted[key]]
            self.fail(f"redealt for seat {looker}: {', '.join(keys)} differ")
        self.tally.counts["redealt"] += 1

    def try_illegal(self, legal: list[int]) -> None:
        """An action that is not legal changes nothing and says why."""
        action = self.stream.draw(N_ACTIONS)
        if action in legal:
            return
        self.tally.illegal += 1
        before, label = self.game.to_bytes(), self.game.label(action)
        for name, apply in (
            ("kernel", lambda: self.game.apply(action)),
            ("reference", lambda: self.reference.apply(label)),
        ):
            try:
                apply()
            except ValueError:
                continue
            self.fail(f"the {name} carried out {label}")
        if self.game.to_bytes() != before:
            self.fail(f"the illegal {label} changed the game")

    def choose(self, legal: list[int]) -> int:
        """Random, but most games have a liking: uniform play seldom has many action cards in hand."""
        if self.style == 0 or len(legal) == 1:
            return legal[self.stream.draw(len(legal))]
        cards = [action for action in legal if action < YES]
        phase = self.game.phase
        if phase in ("action", "throne", "gain", "cellar") and cards:
            return cards[self.stream.draw(len(cards))]
        if phase == "chapel" and self.style != 3:
            return legal[-1] if self.stream.draw(2) else legal[self.stream.draw(len(legal))]
        if phase != "buy":
            return legal[self.stream.draw(len(legal))]
        wanted = [action for action in cards if self.likes(action % N_CARDS)]
        if wanted and self.stream.draw(8):
            return wanted[self.stream.draw(len(wanted))]
        return legal[self.stream.draw(len(legal))] if self.stream.draw(4) == 0 else DONE

    def likes(self, card: int) -> bool:
        """Whether this game's players like to buy a card."""
        if self.style == 2:
            return CARDS[card].cost >= 3 and (card not in KINGDOM or self.stream.draw(3) == 0)
        return card in KINGDOM or (self.style == 3 and card == SILVER)

    def play(self) -> None:
        """Play to the end; Difference as soon as the two disagree."""
        before = self.compare()
        while not self.game.is_over:
            if not before["legal"]:
                self.fail("a live seat has no legal action")
            if self.stream.draw(32) == 0:
                self.try_illegal(before["legal"])
            if self.stream.draw(16) == 0:
                self.compare_redealt()
            if self.stream.draw(64) == 0 and Game.from_bytes(self.game.to_bytes()) != self.game:
                self.fail("it is not saved as it is")
            action = self.choose(before["legal"])
            self.game.apply(action)
            self.reference.apply(self.game.label(action))
            self.step += 1
            after = self.compare()
            self.tally.counts.update(answers(before, action, after))
            if action < YES:
                self.tally.counts.update(plays(before, action, after))
            before = after
        self.count_end(before)
        self.tally.games += 1
        self.tally.steps += self.step

    def count_end(self, state: dict[str, Any]) -> None:
        """Note how the game ended."""
        empty = self.reference.empty_piles()
        by_piles = len(empty) >= 3
        kind = "Provinces" if state["supply"][PROVINCE] == 0 else "three piles" if by_piles else "the round limit"
        self.tally.counts[f"end by {kind}"] += 1
        scores, ranks = self.game.scores(), self.game.ranks()
        n_best = scores.count(max(scores))
        if n_best > 1:
            self.tally.counts["shared win" if ranks.count(1) > 1 else "tie broken by turns"] += 1


def plays(before: dict[str, Any], action: int, after: dict[str, Any]) -> Iterator[str]:
    """What playing or gaining a card exercises."""
    card, verb = NAMES[action % N_CARDS], action // N_CARDS
    if verb in (Verb.BUY, Verb.GAIN):
        yield f"{card}, gained"
    if verb != Verb.PLAY:
        return
    yield card
    if before["phase"] == "throne":
        yield f"Throne Room on {card}"
        if before["again"] and action % N_CARDS == THRONE_ROOM:
            yield "Throne Room on a Throne Room, twice"
    if card == "Bureaucrat" and before["supply"][SILVER] == 0:
        yield "Bureaucrat, no Silver left"
    if card == "Bureaucrat" and after["phase"] not in ("bureaucrat", "moat"):
        yield "Bureaucrat, hand shown unasked"
    if card == "Witch" and before["supply"][CURSE] == 0:
        yield "Witch, no Curse left"


def answers(before: dict[str, Any], action: int, after: dict[str, Any]) -> Iterator[str]:
    """What an answer exercises: the branch of a card."""
    phase, is_yes, is_done = before["phase"], action == YES, action == DONE
    if before["legal"] == [DONE] and phase in IN_VAIN:
        yield IN_VAIN[phase]
    elif phase in YES_OR_NO:
        yield YES_OR_NO[phase][0 if is_yes else 1]
        if before["pending_known"]:
            yield "Library, card seen by all"
    elif phase == "spy":
        whose = "own card" if before["subject"] == before["seat"] else "card of another"
        yield f"Spy, {whose} {'discarded' if is_yes else 'left'}"
    elif phase == "thief_trash":
        yield "Thief, choice"
    elif phase == "thief_gain":
        yield "Thief, gains nothing" if is_done else "Thief, gains"
    elif phase == "cellar" and not is_done and after["phase"] != "cellar":
        yield "Cellar, hand emptied"
    elif phase == "chapel" and before["count"] == 3 and not is_done:
        yield "Chapel, four trashed"


def play_games(numbers: range, kind: str = PRINTED) -> Tally:
    """Play games in lock-step and say what they exercised."""
    return play_all(Lockstep, numbers, kind)


def things_to_exercise(kind: str = PRINTED) -> list[str]:
    """Everything that a large run must have exercised at least once: every card, every branch of it, Throne Room on every action card."""
    return [
        *ACTIONS,
        *(f"Throne Room on {name}" for name in ACTIONS),
        *(f"{name}, gained" for name in NAMES),
        *BRANCHES,
    ]
