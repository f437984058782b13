"""Kernels and reference play the same games of Kingdom Builder; after every action they must agree on everything.

Compared are set-up, pieces, tiles, cards, gold, registers, the random stream, the legal actions and the gold of a position. Illegal actions
are tried and must change nothing.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from tests.house.lockstep import Difference, Tally, play_all
from tests.kingdom_builder.kernel_table import KernelMake
from tests.kingdom_builder.layouts import every_island, every_layout
from winterkingdom_env.core.rng import Stream, seed_state
from winterkingdom_env.games.house_rules import PRINTED
from winterkingdom_env.games.kingdom_builder import layout, plain, tables
from winterkingdom_env.games.kingdom_builder.actions import labels
from winterkingdom_env.games.kingdom_builder.layout import Phase
from winterkingdom_env.reference.kingdom_builder import ReferenceGame


def options_of(number: int) -> dict[str, Any]:
    """The set-up of game ``number``: 2 to 5 players, all sets mixed; every other game has only the published quadrants."""
    stream = Stream(seed_state(number))
    is_whole = number % 2 == 1
    sets = [name for name in tables.SETS[: 4 if is_whole else 2] if stream.draw(3)]
    return {
        "num_players": 2 + number // 2 % 4,
        "sets": sets,
        "swamp_cards": "auto",
        "capitol": is_whole and stream.draw(2) == 1,
        "caves": is_whole and stream.draw(2) == 1,
        "island": [None, "rope bridge", "tree house", "random"][stream.draw(4)] if is_whole else None,
        "round_limit": 8 if stream.draw(8) == 0 else 100,
        "seed": number,
        "layouts": every_layout(number % 3),
        "islands": {name: as_wide(given) for name, given in every_island(number % 3).items()},
    }


def as_wide(island: dict[str, Any]) -> dict[str, Any]:
    """An island with rows of full length, as the kernels show them."""
    return {**island, "rows": [row.ljust(layout.ISLAND_COLUMNS, ".") for row in island["rows"]]}


def differences(ours: Any, theirs: Any, path: str = "") -> Iterator[str]:
    """Where two pieces of plain data differ."""
    if isinstance(ours, dict) and isinstance(theirs, dict):
        for key in {**ours, **theirs}:
            yield from differences(ours.get(key), theirs.get(key), f"{path} {key}")
    elif isinstance(ours, list) and isinstance(theirs, list) and len(ours) == len(theirs):
        for k, pair in enumerate(zip(ours, theirs, strict=True)):
            yield from differences(*pair, f"{path} {k}")
    elif ours != theirs:
        yield f"{path.strip()} is {ours!r} in the kernel and {theirs!r} in the reference"


class Lockstep:
    """One game, played twice at once."""

    def __init__(self, number: int, tally: Tally, kind: str = PRINTED) -> None:
        self.number, self.tally, self.step = number, tally, 0
        self.options = options_of(number)
        self.table, self.reference = KernelMake().setup(self.options), ReferenceGame(self.options)
        self.stream = Stream(number + 1)

    def fail(self, what: str) -> None:
        """Say where the difference is."""
        raise Difference(
            f"game {self.number}, step {self.step}, phase {plain.PHASE_NAMES[self.table.game['phase']]}: {what}"
        )

    def compare(self) -> None:
        """Compare everything."""
        ours, theirs = plain.state(self.table.game, self.table.board), self.reference.state()
        for name in ("due_left", "started"):  # they follow from other registers
            theirs["turn"].pop(name)
        for data in (ours, theirs):  # how a suspended question is kept is each one's own business
            if data["stack"]:
                data["now"] = {name: data["now"][name] for name in ("phase", "seat")}
                data["stack"] = []
        found = list(differences(ours, theirs))
        if found:
            self.fail("; ".join(found[:5]))
        if self.table.scores() != self.reference.scores():
            self.fail(f"gold {self.table.scores()} in the kernel, {self.reference.scores()} in the reference")
        if self.table.legal_labels() != self.reference.legal_labels():
            odd = sorted(self.table.legal_labels() ^ self.reference.legal_labels())
            self.fail(f"only one of them allows {', '.join(odd[:5])}")

    def try_illegal(self, legal: list[int]) -> None:
        """An action that is not legal changes nothing."""
        action, before = self.stream.draw(layout.N_ACTIONS), self.table.games.tobytes()
        if action in legal:
            return
        self.tally.illegal += 1
        label = labels(int(self.table.game["phase"]))[action]
        for name, apply in (("kernel", self.table.apply), ("reference", self.reference.apply)):
            try:
                apply(label)
            except ValueError:
                continue
            self.fail(f"the {name} carried out {label}")
        if self.table.games.tobytes() != before:
            self.fail(f"the illegal {label} changed the game")

    def choose(self, legal: list[int]) -> int:
        """Random, with a liking for special actions: uniform play seldom uses a tile twice."""
        uses = [action for action in legal if layout.USE_FIRST <= action < layout.DONE]
        if uses and self.stream.draw(2):
            return uses[self.stream.draw(len(uses))]
        return legal[self.stream.draw(len(legal))]

    def play(self) -> None:
        """Play to the end; Difference as soon as the two disagree."""
        constant = plain.table(self.table.board)
        found = list(differences(constant, {name: self.reference.snapshot()[name] for name in constant}))
        if found:
            self.fail("; ".join(found[:5]))
        self.compare()
        while self.table.game["phase"] != Phase.OVER:
            legal = self.table.legal_actions()
            if not legal:
                self.fail("a live seat has no legal action")
            if self.stream.draw(32) == 0:
                self.try_illegal(legal)
            label = labels(int(self.table.game["phase"]))[self.choose(legal)]
            self.table.apply(label)
            self.reference.apply(label)
            self.step += 1
            words = label.split()
            self.tally.counts[label if words[0] == "use" else words[0]] += 1
            self.compare()
        self.tally.games += 1
        self.tally.steps += self.step


def play_games(numbers: range, kind: str = PRINTED) -> Tally:
    """Play games in lock-step and say what they exercised."""
    return play_all(Lockstep, numbers, kind)


def things_to_exercise(kind: str = PRINTED) -> list[str]:
    """Everything that a large run must have exercised at least once: every use, with the bazaar too, and every other verb."""
    uses = [f"use {use.name}" for use in tables.USES]
    repeats = [f"use bazaar {tables.TILE_NAMES[tile]}" for tile in tables.REPEATS]
    verbs = ["house", "lift", "unit", "back", "hall", "wall", "scout", "remove", "token", "outpost", "done"]
    return [*uses, *repeats, *verbs]
