"""Every illegal action has an explanation, in every phase; what it says is true, and nothing hidden changes it.

Claims about the position are recognised by their words and looked up in the snapshot, with the geometry of the tests.
"""

# The name of a test is its sentence.
from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from typing import Any

import numpy as np
import pytest

from tests.kingdom_builder.boards import neighbours_of, terrain_of
from tests.kingdom_builder.differential.lockstep import options_of
from tests.kingdom_builder.examples import CASES
from tests.kingdom_builder.kernel_table import KernelMake, KernelTable
from tests.kingdom_builder.position import read_position
from tests.kingdom_builder.script import labels_of
from winterkingdom_env.core.rng import Stream
from winterkingdom_env.games.kingdom_builder import hidden, layout, plain
from winterkingdom_env.games.kingdom_builder.actions import labels
from winterkingdom_env.games.kingdom_builder.explain import explain
from winterkingdom_env.games.kingdom_builder.kinds import Phase

PLACE = r"([ri]\d+c\d\d)"
KIND = r"(settlement|warrior|wagon|ship|city hall)"
GAMES = (1, 5, 7, 9)
STEPS = 300
FAR = 29  # of the actions on hexes one in so many is tried
PHASES = {phase for phase in plain.PHASE_NAMES if phase != "over"}


class Position:
    """A snapshot with what claims are checked against."""

    def __init__(self, table: KernelTable) -> None:
        self.data = table.snapshot()
        self.now, self.turn, self.seat = self.data["now"], self.data["turn"], self.data["now"]["seat"]
        self.own = self.data["seats"][self.seat]
        self.terrain = terrain_of(self.data)
        self.names = labels(int(table.game["phase"]))
        self.actions = table.legal_actions()
        self.legal = [self.names[action] for action in self.actions]

    def hexes_of(self, seat: int) -> dict[str, list[str]]:
        """The hexes of a seat's pieces by kind."""
        given = self.data["seats"][seat]
        hall = [] if given["hall"] is None else [given["hall"], *neighbours_of(given["hall"])]
        units = {unit: [given[unit]] if given[unit] else [] for unit in ("wagon", "ship")}
        return {"settlement": given["settlements"], "warrior": given["warriors"], "city hall": hall, **units}

    def pieces_of(self, seat: int) -> set[str]:
        return {place for hexes in self.hexes_of(seat).values() for place in hexes}

    def around(self, place: str) -> set[str]:
        return {other for other in neighbours_of(place) if other in self.terrain}

    def n_own(self, place: str) -> int:
        return len(self.around(place) & self.pieces_of(self.seat))

    def others(self) -> set[str]:
        seats = set(range(self.data["num_players"])) - {self.seat}
        return {place for seat in seats for place in self.pieces_of(seat)}

    def is_near(self, place: str, is_scouted: bool) -> bool:
        """Whether a hex touches an own piece or, if they count, a scout."""
        return bool(self.around(place) & (self.pieces_of(self.seat) | set(self.data["scouts"] if is_scouted else ())))

    def states(self, kind: str) -> list[str]:
        tiles = [*self.own["tiles"], *self.own["nomads"]]
        return [tile[-1] for tile in tiles if tile[0] == kind]

    def put_hexes(self) -> list[str]:
        return [label.split()[1] for label in self.legal if label.startswith(("house ", "unit "))]


def owner(words: str, position: Position) -> int:
    """The seat in "your" or "of seat 1 (b)"."""
    found = re.search(r"seat (\d)", words)
    return int(found[1]) if found else position.seat


def is_far(position: Position, place: str) -> bool:
    return not position.is_near(
        place, position.seat == position.turn["seat"] and position.now["phase"] not in ("wall", "scout")
    )


def is_counted(position: Position, n: str, terrain: str) -> bool:
    """Whether so many legal hexes are of this terrain, and all of them are near."""
    hexes = [place for place in position.put_hexes() if position.terrain[place] == terrain]
    return len(hexes) == int(n) > 0 and not any(is_far(position, place) for place in hexes)


def is_on_edge(place: str) -> bool:
    return place[0] == "r" and bool({place[1:3], place[4:6]} & {"00", "19"})


def is_blocked(position: Position, words: str, place: str) -> bool:
    return bool(position.around(place) & set(position.hexes_of(owner(words, position))["warrior"]))


def touches(position: Position, place: str, terrain: str) -> bool:
    names = ("castle", "location", "nomad", "palace", "silo") if terrain == "special hex" else (terrain,)
    is_rim = place[0] == "i" and len(position.around(place)) < 6  # the island lies in water
    return (is_rim and terrain == "water") or any(position.terrain[other] in names for other in position.around(place))


CLAIMS: tuple[tuple[str, Callable[..., bool]], ...] = (
    (rf"^{PLACE} is (?:a )?(\w+)(?: hex)?[;,]", lambda p, place, name: p.terrain[place] == name),
    (r"; your card is ([\w/]+)$", lambda p, card: [p.turn["played"] or p.own["hand"][0]] == [card]),
    (r"your terrain in this turn is (\w+)$", lambda p, name: p.turn["terrain"] == name),
    (rf"((?:your|a|the) {KIND}(?: of seat \d \(\w\))?) stands on {PLACE}", lambda p, words, kind, place: place in p.hexes_of(owner(words, p))[kind]),
    (rf"a wall stands on {PLACE}", lambda p, place: place in p.data["walls"]),
    (rf"a scout stands on {PLACE}", lambda p, place: place in p.data["scouts"]),
    (rf"(.*warrior.*) blocks {PLACE}", is_blocked),
    (rf"the board has no hex {PLACE}", lambda p, place: place not in p.terrain),
    (rf"there is no piece on {PLACE}", lambda p, place: not any(place in p.pieces_of(seat) for seat in range(p.data["num_players"]))),
    (rf"{PLACE} is not next to your (?:other )?pieces", is_far),
    (r"and (\d+) free (\w+) hex(?:es are| is)", is_counted),
    (r"and (\d+) hex(?:es)? for ", lambda p, n: len(p.put_hexes()) == int(n) > 0 and not any(is_far(p, place) for place in p.put_hexes())),
    (rf"and {PLACE}, which the piece left, is", lambda p, place: place == p.now["lifted"][1] and not is_far(p, place)),
    (rf"{PLACE} is not next to your (?:ship|wagon) on {PLACE}", lambda p, place, unit: place not in p.around(unit)),
    (rf"{PLACE} touches (\w+) of your pieces, and the village", lambda p, place, n: p.n_own(place) == int(n.replace("none", "0")) < 3),
    (rf"{PLACE} touches (\w+) of your pieces, and the fountain", lambda p, place, n: p.n_own(place) == int(n.replace("none", "0")) != 1),
    (rf"{PLACE} touches a piece of another seat", lambda p, place: bool(p.around(place) & p.others())),
    (rf"{PLACE} touches no piece of another seat", lambda p, place: not p.around(place) & p.others()),
    (rf"{PLACE} touches no (water|mountain|special hex)", lambda p, place, name: not touches(p, place, name)),
    (rf"{PLACE} touches no cave", lambda p, place: not p.around(place) & set(p.data["caves"])),
    (rf"{PLACE} is not on the edge", lambda p, place: not is_on_edge(place)),
    (r"you hold no ([a-z ]+) tile", lambda p, kind: not p.states(kind)),
    (r"your ([a-z ]+) tiles? (?:is|are) (fresh|used)", lambda p, kind, state: set(p.states(kind)) == {state}),
    (r"none of your ([a-z ]+) tiles is ready", lambda p, kind: set(p.states(kind)) == {"fresh", "used"}),
    (r"you have not used the ([a-z ]+)$", lambda p, kind: kind not in p.turn["used"]),
    (r"finished: (\d+) piece", lambda p, n: min(p.turn["pieces"] - len(p.turn["placed"]), p.own["supply"]) + p.own["due"] == int(n) > 0),
    (r"you have no settlement left", lambda p: p.own["supply"] == 0),
    (r"you have no token", lambda p: p.own["tokens"] == 0),
    (r"no token is left", lambda p: p.data["tokens"] == 0),
    (r"no wall is left", lambda p: p.data["walls_left"] == 0),
    (r"you have no terrain card", lambda p: not p.own["hand"]),
)  # fmt: skip


def check(position: Position, action: int, seen: set[str]) -> str:
    """The explanation of an illegal action, which must be true."""
    text = explain(action, position.data, position.legal)
    where = f"{position.now['phase']}: {position.names[action]}: {text}"
    assert text and not text.endswith((".", " ")) and "  " not in text and "{" not in text, where
    for words, is_true in CLAIMS:
        for found in re.finditer(words, text.partition("; asked for")[0]):
            assert is_true(position, *found.groups()), where
            seen.add(words)
    return text


def tried(position: Position, stream: Stream) -> Iterator[int]:
    """Illegal actions: half of those without a hex, some on hexes with things, and some others."""
    first = stream.draw(FAR)
    things = {place for seat in range(position.data["num_players"]) for place in position.pieces_of(seat)}
    things |= {*position.data["walls"], *position.data["scouts"]}
    for action in range(layout.N_ACTIONS):
        if action >= layout.USE_FIRST:
            is_tried = action >= layout.OUTPOST_ACTION or action % 2 == first % 2
        else:
            is_thing = position.names[action].split()[1] in things
            is_tried = action % (FAR // 4 if is_thing else FAR) == first % (FAR // 4 if is_thing else FAR)
        if is_tried and action not in position.actions:
            yield action


def check_hidden(table: KernelTable, position: Position, texts: dict[int, str], seed: int) -> None:
    """The explanations are the same after everything hidden from the seat was dealt again."""
    games = table.games.copy()
    games["rng"] = np.uint64(seed)
    hidden.deal_hidden(np.int64(position.seat), games[0], table.board)
    data = plain.make_snapshot(games[0], table.board)
    assert texts == {action: explain(action, data, position.legal) for action in texts}


@pytest.fixture(scope="module")
def seen() -> set[str]:
    """The claims that came up."""
    return set()


@pytest.mark.rule("Kingdom Builder, explanations")
@pytest.mark.parametrize("number", GAMES)
def test_explain__random_games__says_what_is_true_and_nothing_hidden(number: int, seen: set[str]) -> None:
    table, stream = KernelMake().setup(options_of(number)), Stream(number)
    for step in range(STEPS):
        if table.game["phase"] == Phase.OVER:
            break
        position = Position(table)
        if step % 8 == 0 or position.now["phase"] not in ("before", "mandatory", "after"):
            texts = {action: check(position, action, seen) for action in tried(position, stream)}
            if step % 16 == 0 or position.now["phase"] == "react":
                check_hidden(table, position, texts, step)
        uses = [label for label in position.legal if label.startswith("use ")]
        choices = uses if uses and stream.draw(2) else position.legal
        table.apply(choices[stream.draw(len(choices))])


@pytest.mark.rule("Kingdom Builder, explanations")
def test_explain__worked_examples__cover_every_phase_and_are_true(seen: set[str]) -> None:
    phases, stream = set(), Stream(1)
    for case in CASES:
        table = KernelMake().position(read_position(case.text))
        for action, _ in case.lines:
            if action == "others":
                break
            for label in labels_of(action):
                table.apply(label)
            if table.game["phase"] != Phase.OVER:
                position = Position(table)
                for number in tried(position, stream):
                    check(position, number, seen)
                phases.add(position.now["phase"])
    assert phases == PHASES
    assert len(seen) >= len(CLAIMS) - 6, {words for words, _ in CLAIMS} - seen


def snapshot_of(text: str) -> dict[str, Any]:
    """The snapshot of a position."""
    return KernelMake().position(read_position(text)).snapshot()


@pytest.mark.rule("Kingdom Builder, explanations")
def test_explain__game_that_is_over__says_so() -> None:
    over = {**snapshot_of("FG; card grass")}
    over["now"] = {**over["now"], "phase": "over"}
    assert {explain(action, over, []) for action in range(layout.N_ACTIONS)} == {"the game is over"}
