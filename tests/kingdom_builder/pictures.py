"""Positions of Kingdom Builder for tests of pictures, and how these tests read a picture."""

from __future__ import annotations

import copy
import re
from functools import lru_cache
from typing import Any
from xml.etree import ElementTree

import pytest

from tests.kingdom_builder.differential.lockstep import as_wide
from tests.kingdom_builder.kernel_table import KernelMake, KernelTable
from tests.kingdom_builder.layouts import every_island, every_layout
from winterkingdom_env.core.picture import Look
from winterkingdom_env.core.rng import Stream
from winterkingdom_env.games.kingdom_builder import layout, picture_facts, plain, tables
from winterkingdom_env.games.kingdom_builder.actions import labels
from winterkingdom_env.games.kingdom_builder.kinds import Phase
from winterkingdom_env.games.kingdom_builder.picture import picture
from winterkingdom_env.games.kingdom_builder.tables import TERRAIN_LETTERS, TERRAIN_NAMES
from winterkingdom_env.render import svg, text

ALL = ["nomads", "crossroads", "marshlands", "harvest"]
CASES: dict[str, dict[str, Any]] = {
    "base": {"num_players": 2, "sets": []},
    "nomads": {
        "num_players": 3,
        "sets": ["nomads"],
        "quadrants": [["quarry", 0], ["caravan", 1], ["village", 0], ["garden", 0]],
    },
    "crossroads": {
        "num_players": 4,
        "sets": ["nomads", "crossroads"],
        "quadrants": [["lighthouse", 0], ["barracks", 0], ["cityhall", 1], ["monastery", 0]],
    },
    "everything": {
        "num_players": 5,
        "sets": ALL,
        "quadrants": [["oracle", 0], ["cathedral", 0], ["canoe", 0], ["mountainstation", 1]],
        "capitol": True,
        "caves": True,
        "island": "tree house",
    },
}
STEPS = (0, 45, 120)
ROW = re.compile(r"^( *)r(\d\d)c(\d\d) (.*) c(\d\d)\b")
LETTER = dict(zip(TERRAIN_NAMES, TERRAIN_LETTERS, strict=True))
every_case = pytest.mark.parametrize("case", CASES)


def new_table(case: str, seed: int = 7) -> KernelTable:
    """A new game."""
    options = {"swamp_cards": "auto", "capitol": False, "caves": False, "island": None, "round_limit": 100}
    boards = {"layouts": every_layout(1), "islands": {name: as_wide(one) for name, one in every_island(1).items()}}
    return KernelMake().setup(options | boards | {"seed": seed} | CASES[case])


def legal_of(table: KernelTable) -> list[str]:
    names = labels(int(table.game["phase"]))
    return [names[action] for action in table.legal_actions()]


def play_on(table: KernelTable, stream: Stream) -> None:
    """A random action, with a liking for special actions."""
    legal = legal_of(table)
    uses = [label for label in legal if label.startswith("use ")]
    chosen = uses if uses and stream.draw(2) else legal
    table.apply(chosen[stream.draw(len(chosen))])


@lru_cache(maxsize=32)
def played(case: str, n_actions: int, phases: tuple[str, ...] = ()) -> KernelTable:
    """A game after so many random actions, then on to one of these phases; the game is over if none of them comes."""
    table, stream = new_table(case), Stream(3)
    while table.game["phase"] != Phase.OVER:
        if n_actions <= 0 and (not phases or plain.PHASE_NAMES[table.game["phase"]] in phases):
            break
        play_on(table, stream)
        n_actions -= 1
    return table


def sheet_of(table: KernelTable) -> list[dict[str, int]]:
    """The score sheet with the names of its columns."""
    board = table.board
    names = {k: tables.SCORING_NAMES[card] for k, card in enumerate(board["scoring"])}
    names |= {layout.TASK_COLUMN + k: tables.TASK_NAMES[task] for k, task in enumerate(board["task"]) if task != -1}
    names |= {layout.CASTLES_COLUMN: "castles", layout.PALACES_COLUMN: "palaces", layout.CAPITOLS_COLUMN: "capitols"}
    return [{name: int(row[k]) for k, name in names.items()} for row in table.sheet()[: board["n_players"]]]


def drawn(snapshot: dict[str, Any], legal: Any = (), sheet: Any = None, viewer: int | None = None) -> str:
    return svg.render(picture(snapshot, Look(viewer, legal, sheet)))


def written(snapshot: dict[str, Any], legal: Any = (), viewer: int | None = None) -> str:
    return text.render(picture(snapshot, Look(viewer, legal)), colour=False)


def marked(content: str, word: str) -> list[Any]:
    """Elements whose mark begins with the word."""
    return [node for node in ElementTree.fromstring(content).iter() if node.get("class", "").split()[:1] == [word]]


def marks_of(content: str, word: str) -> list[list[str]]:
    """The further words of their marks."""
    return [node.get("class").split()[1:] for node in marked(content, word)]


def names_marked(content: str, word: str) -> set[str]:
    found = [words[-1] for words in marks_of(content, word)]
    assert len(found) == len(set(found))
    return set(found)


def cells_of(content: str) -> dict[str, str]:
    """Hex label to its two characters on the main board, read off by the labels at the edges."""
    cells = {}
    for line in content.splitlines():
        match = ROW.match(line)
        if match:
            assert len(match[1]) == int(match[2]) % 2
            for col in range(int(match[3]), int(match[5]) + 1):
                at = match.start(4) + 2 * (col - int(match[3]))
                cells[f"r{match[2]}c{col:02}"] = line[at : at + 2]
    return cells


def with_every_piece() -> dict[str, Any]:
    """A late position to which pieces and marks of all kinds are added by hand."""
    data = copy.deepcopy(played("everything", 120, ("before",)).snapshot())
    ground, filled = picture_facts.terrains(data), {*picture_facts.pieces_on(data), *data["walls"], *data["scouts"]}
    land = [name for name, kind in ground.items() if kind in TERRAIN_NAMES[:7] and name not in filled]
    hall = next(name for name in land if sum(other in land for other in picture_facts.neighbours(name)) == 6)
    land = [name for name in land if name not in (hall, *picture_facts.neighbours(hall))]
    first, second = data["seats"][:2]
    first |= {"hall": hall, "wagon": land[3], "warriors": [land[12]], "tokens": 3, "due": 2, "lines": [0, 4, 21]}
    second |= {"ship": next(name for name, kind in ground.items() if kind == "water" and name not in filled)}
    first["tiles"] = [["farm", None, "fresh"], ["oasis", None, "ready"], ["tower", None, "used"]]
    first["nomads"] = [["donation grass", "ready"], ["sword", "used"]]
    return data | {"walls": [land[20], land[25]], "scouts": [land[30]]}
