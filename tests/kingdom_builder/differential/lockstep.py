"""Kernels and reference play the same games of Kingdom Builder; after every action they must agree on everything.

Compared are set-up, pieces, tiles, cards, gold, registers, the random stream, the legal actions and the gold of a position. Illegal actions
are tried and must change nothing. Play is random, with a liking for special actions and, for some seats, for the hexes of a task: uniform
play hardly ever fulfils one.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from tests.house.lockstep import Difference, Tally, play_all
from tests.house.wild import HOUSE_RULES
from tests.kingdom_builder.differential.taste import beside_specials, wanted_hexes
from tests.kingdom_builder.kernel_table import KernelMake
from tests.kingdom_builder.layouts import every_island, every_layout
from winterkingdom_env.core.rng import Stream, seed_state
from winterkingdom_env.games.house_rules import PRINTED
from winterkingdom_env.games.kingdom_builder import layout, plain, tables
from winterkingdom_env.games.kingdom_builder.actions import labels
from winterkingdom_env.games.kingdom_builder.house import SHEETS, cards_of, gold_changes
from winterkingdom_env.games.kingdom_builder.kinds import Phase
from winterkingdom_env.games.kingdom_builder.layout import FIRST_NOMAD, NONE
from winterkingdom_env.reference.kingdom_builder import ReferenceGame

COLUMNS = {
    layout.CASTLES_COLUMN: "castles",
    layout.PALACES_COLUMN: "palaces",
    layout.CAPITOLS_COLUMN: "capitols",
    layout.TREASURE_COLUMN: "treasure",
}
EVENTS = (
    "card replaced", "discards shuffled", "end by the last settlement", "end by the round limit", "illegal action refused", "marker of Mayors",
    "reaction", "reaction within a reaction", "shared win", "silo, build", "silo, move", "tile lost",
    *(f"{n} players" for n in range(2, layout.MAX_PLAYERS + 1)),
)  # fmt: skip


# What random set-ups show too seldom: reactions within reactions need canoes beside hexes with one tile, and the bazaar repeats a tile only of a
# quadrant that lies beside it. One game in eight has such quadrants.
STAGES = {3: ("canoe", ("quarry", "caravan", "village", "garden")), 11: ("bazaar", tables.QUADRANT_NAMES)}
STAGE_EVERY = 16


def stage_of(number: int, stream: Stream) -> list[list[Any]] | None:
    """The quadrants of a staged game, each with whether it lies turned; None if they are drawn as usual."""
    first, names = STAGES.get(number % STAGE_EVERY, ("", ()))
    rest, chosen = [name for name in names if name != first], [first]
    while first and len(chosen) < layout.N_PLACES:
        chosen.insert(stream.draw(len(chosen) + 1), rest.pop(stream.draw(len(rest))))
    return [[name, stream.draw(2)] for name in chosen] if first else None


def options_of(number: int, kind: str = PRINTED) -> dict[str, Any]:
    """The set-up of game ``number``: 2 to 5 players, all sets mixed; every other game has only the published quadrants."""
    stream = Stream(seed_state(number))
    is_whole = number % 2 == 1
    sets = [name for name in tables.SETS[: 4 if is_whole else 2] if stream.draw(3)]
    return {
        "quadrants": stage_of(number, Stream(seed_state(number + 1))),
        "num_players": 2 + number // 2 % 4,
        "sets": sets,
        "swamp_cards": "auto",
        "capitol": is_whole and stream.draw(2) == 1,
        "caves": is_whole and stream.draw(2) == 1,
        "island": [None, "rope bridge", "tree house", "random"][stream.draw(4)] if is_whole else None,
        "round_limit": 8 if stream.draw(8) == 0 else 100,
        "seed": number,
        "gold": gold_changes(cards_of(HOUSE_RULES[kind](SHEETS, number))),
        "layouts": every_layout(number % 3),
        "islands": {name: as_wide(given) for name, given in every_island(number % 3).items()},
    }


def as_wide(island: dict[str, Any]) -> dict[str, Any]:
    """An island with rows of full length, as the kernels show them."""
    return {**island, "rows": [row.ljust(layout.ISLAND_COLUMNS, ".") for row in island["rows"]]}


def differences(ours: Any, theirs: Any, path: str = "") -> Iterator[str]:
    """Where two pieces of plain data differ."""
    if ours == theirs:
        return
    if isinstance(ours, dict) and isinstance(theirs, dict):
        for key in {**ours, **theirs}:
            yield from differences(ours.get(key), theirs.get(key), f"{path} {key}")
    elif isinstance(ours, list) and isinstance(theirs, list) and len(ours) == len(theirs):
        for k, pair in enumerate(zip(ours, theirs, strict=True)):
            yield from differences(*pair, f"{path} {k}")
    else:
        yield f"{path.strip()} is {ours!r} in the kernel and {theirs!r} in the reference"


class Lockstep:
    """One game, played twice at once."""

    def __init__(self, number: int, tally: Tally, kind: str = PRINTED) -> None:
        self.number, self.tally, self.step = number, tally, 0
        self.options = options_of(number, kind)
        self.table, self.reference = KernelMake().setup(self.options), ReferenceGame(self.options)
        self.stream = Stream(number + 1)
        is_staged = self.options["quadrants"] is not None
        self.wanted = [
            beside_specials(self.reference) if is_staged else wanted_hexes(self.reference, self.stream)
            for _ in range(self.options["num_players"])
        ]

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
        self.tally.counts["illegal action refused"] += 1
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
        """A special action, if there is one, or a hex that the seat wants, each more often than uniform play would choose it."""
        uses = [action for action in legal if layout.USE_FIRST <= action < layout.DONE]
        if uses and self.stream.draw(2):
            return uses[self.stream.draw(len(uses))]
        liked = [action for action in legal if action in self.wanted[int(self.table.game["seat"])]]
        if liked and self.stream.draw(4):
            return liked[self.stream.draw(len(liked))]
        return legal[self.stream.draw(len(legal))]

    def facts(self) -> tuple[int, int, int, int]:
        """What shows events by its change: cards out of the game, discards, cards in the deck, location tiles held."""
        game, board = self.table.game, self.table.board
        is_location = sum(1 << k for k, tile in enumerate(board["site_tile"].tolist()) if tile < FIRST_NOMAD)
        held = sum((int(sites) & is_location).bit_count() for sites in game["held"])
        return int(game["out"].sum()), int(game["n_discards"]), int(game["n_deck"]), held

    def note(self, label: str, phase: int, before: tuple[int, int, int, int]) -> None:
        """Count what an action exercised."""
        counts, words, n_frames = self.tally.counts, label.split(), int(self.table.game["n_frames"])
        counts[label if words[0] == "use" else words[0]] += 1
        out, discards, deck, held = (now - then for now, then in zip(self.facts(), before, strict=True))
        counts["card replaced"] += out > 0
        counts["discards shuffled"] += discards < 0 < deck
        counts["tile lost"] += held < 0
        counts["reaction"] += phase == Phase.REACT and words[0] == "house"
        counts["reaction within a reaction"] += n_frames > 1
        counts["silo, build"] += phase == Phase.SILO and words[0] == "house"
        counts["silo, move"] += phase == Phase.SILO_MOVE

    def note_end(self) -> None:
        """Count what the end of a game shows: which cards, tasks and places paid, and why it ended."""
        game, board, counts = self.table.game, self.table.board, self.tally.counts
        paid = self.table.sheet().max(axis=0) > 0
        for k, card in enumerate(board["scoring"].tolist()):
            counts[tables.SCORING_NAMES[card]] += bool(paid[k])
        for k, task in enumerate(board["task"].tolist()):
            if task != NONE:
                counts[tables.TASK_NAMES[task]] += bool(paid[layout.TASK_COLUMN + k])
        for column, name in COLUMNS.items():
            counts[name] += bool(paid[column])
        counts["marker of Mayors"] += bool(game["lines"].any())
        counts["end by the last settlement" if game["is_end"] else "end by the round limit"] += 1
        counts["shared win"] += len(self.table.winners()) > 1
        counts[f"{board['n_players']} players"] += 1

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
            phase, before = int(self.table.game["phase"]), self.facts()
            label = labels(phase)[self.choose(legal)]
            self.table.apply(label)
            self.reference.apply(label)
            self.step += 1
            self.note(label, phase, before)
            self.compare()
        self.note_end()
        self.tally.games += 1
        self.tally.steps += self.step


def play_games(numbers: range, kind: str = PRINTED) -> Tally:
    """Play games in lock-step and say what they exercised."""
    return play_all(Lockstep, numbers, kind)


def things_to_exercise(kind: str = PRINTED) -> list[str]:
    """Everything that a large run must have exercised: every use, the bazaar's too, every other verb, everything that pays, every event."""
    uses = [f"use {use.name}" for use in tables.USES]
    repeats = [f"use bazaar {tables.TILE_NAMES[tile]}" for tile in tables.REPEATS]
    verbs = ["house", "lift", "unit", "back", "hall", "wall", "scout", "remove", "token", "outpost", "done"]
    return [*uses, *repeats, *verbs, *tables.SCORING_NAMES, *tables.TASK_NAMES, *COLUMNS.values(), *EVENTS]
