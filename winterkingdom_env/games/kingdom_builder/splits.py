"""Which set-ups are held out: scoring cards by the triple and by the card, quadrants by the four on the table, sets by the combination.

A held-out triple has at least one of the held-out cards, or is a held-out one of the others. The split of this game has the sets with printed
quadrants; a second one, WHOLE_BOX, has all sets, the capitol, caves and the island, on our own quadrants where the printed ones are not known.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence
from functools import cache
from itertools import combinations

from winterkingdom_env.core.rng import Stream, derive
from winterkingdom_env.games.factors import Factor, of_members, of_values
from winterkingdom_env.games.kingdom_builder import layout
from winterkingdom_env.games.kingdom_builder.board_maker import OWN
from winterkingdom_env.games.kingdom_builder.config import TURNED
from winterkingdom_env.games.kingdom_builder.tables import (
    BASE,
    CROSSROADS,
    ISLAND_NAMES,
    NOMADS,
    QUADRANTS,
    SCORINGS,
    SETS,
    Quadrant,
)
from winterkingdom_env.games.splits import SPLIT_SEED, Part, Splits, parted

OFFERED = (BASE, NOMADS, CROSSROADS)  # sets with printed quadrants
WHOLE_BOX = "whole_box"  # the name of the second split
# Cards that no seen triple has, and quadrants that no seen board has. The first split is never changed, so the second has its own names.
HELD_OUT_SCORING = ("Citizens", "Ambassadors")
HELD_OUT_QUADRANTS = ("tower", "garden", "monastery")
WHOLE_HELD_OUT_SCORING = (*HELD_OUT_SCORING, "Vassals", "Travellers")
WHOLE_HELD_OUT_QUADRANTS = (*HELD_OUT_QUADRANTS, "canoe", "cathedral")
ONE_OF_TRIPLES = 5  # one triple in five of the other cards is held out, too
N_BOARDS = 400  # boards per side


@cache
def splits() -> Splits:
    """The fixed split into seen and held-out set-ups, and the one of the whole box beside it."""
    return Splits(
        parts=(
            _scoring(OFFERED, HELD_OUT_SCORING, "kingdom builder scoring"),
            _quadrants(OFFERED, HELD_OUT_QUADRANTS, "kingdom builder boards"),
            Part("sets", "sets", SEEN_SETS, HELD_OUT_SETS, (_sets_text(SEEN_SETS), _sets_text(HELD_OUT_SETS))),
        ),
        everything={"sets": ("nomads", "crossroads")},
        others={WHOLE_BOX: _whole_box()},
    )


@cache
def factors() -> tuple[Factor, ...]:
    """Scoring cards, quadrants and sets, in the triples and boards of the first split."""
    first = splits()
    return (
        of_members("scoring", "scoring cards", "scoring", first.values("scoring")),
        of_members("quadrant", "quadrants", "quadrants", first.values("quadrants"), ending=TURNED),
        of_values("sets", "sets", "sets", first.values("sets")),
    )


def _whole_box() -> Splits:
    """All sets and the Queenies."""
    every, seen_side, other_side = tuple({row.set for row in QUADRANTS}), (None, ISLAND_NAMES[0]), (ISLAND_NAMES[1],)
    always = {"sets": SETS, "boards": OWN, "capitol": True, "caves": True}
    return Splits(
        parts=(
            _scoring(every, WHOLE_HELD_OUT_SCORING, "kingdom builder whole box scoring"),
            _quadrants(every, WHOLE_HELD_OUT_QUADRANTS, "kingdom builder whole box boards"),
            Part("island", "island", seen_side, other_side, (f"none, {ISLAND_NAMES[0]}", ISLAND_NAMES[1])),
        ),
        everything={**always, "island": "random"},
        always=always,
    )


# With given quadrants and scoring cards, the sets decide only whether every seat has units.
SEEN_SETS: tuple[tuple[str, ...], ...] = ((), ("nomads", "crossroads"))
HELD_OUT_SETS: tuple[tuple[str, ...], ...] = (("crossroads",),)


def _scoring(sets: Collection[int], held_out_cards: Collection[str], purpose: str) -> Part:
    """Triples of the scoring cards of ``sets``."""
    triples = list(combinations([card.name for card in SCORINGS if card.set in sets], layout.SCORING_IN_PLAY))
    known = [triple for triple in triples if not set(triple) & set(held_out_cards)]
    seen, others = parted(known, len(known) // ONE_OF_TRIPLES, purpose)
    held_out = (*others, *(triple for triple in triples if set(triple) & set(held_out_cards)))
    return Part("scoring", "scoring cards", seen, held_out, (_triples_text(seen), _triples_text(held_out)))


def _quadrants(sets: Collection[int], held_out_names: Collection[str], purpose: str) -> Part:
    """Boards of the quadrants of ``sets``: seen ones have none of ``held_out_names``, held-out ones at least one."""
    pool = [row for row in QUADRANTS if row.set in sets]
    seen = _boards([row for row in pool if row.name not in held_out_names], (), f"{purpose} seen")
    held_out = _boards(pool, held_out_names, f"{purpose} held-out")
    names = ", ".join(held_out_names)
    texts = f"{len(seen)} boards without {names}", f"{len(held_out)} boards with one of {names}"
    return Part("quadrants", "boards", seen, held_out, texts)


def _boards(pool: Sequence[Quadrant], needed: Collection[str], purpose: str) -> tuple[tuple[str, ...], ...]:
    """Different boards of four quadrants; with at least one of ``needed`` if there are any."""
    stream = Stream(derive(SPLIT_SEED, purpose))
    found = dict[frozenset[str], tuple[str, ...]]()
    while len(found) < N_BOARDS:
        order = list[Quadrant](pool)
        stream.shuffle(order)
        four = [row.name for row in order[: layout.N_PLACES]]
        if not needed or set(four) & set(needed):
            board = tuple(name + TURNED * stream.draw(2) for name in four)
            found.setdefault(frozenset(board), board)
    return tuple(found.values())


def _triples_text(triples: Sequence[Sequence[str]]) -> str:
    return f"{len(triples)} triples, as {', '.join(triples[0])}"


def _sets_text(sets: Sequence[Sequence[str]]) -> str:
    return "; ".join(", ".join(("base", *names)) for names in sets)
