"""Which set-ups are held out: scoring cards by the triple and by the card, quadrants by the four on the table, sets by the combination.

A held-out triple has at least one of the held-out cards, or is a held-out one of the others.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache
from itertools import combinations

from winterkingdom_env.core.rng import Stream, derive
from winterkingdom_env.games.kingdom_builder import layout
from winterkingdom_env.games.kingdom_builder.config import TURNED
from winterkingdom_env.games.kingdom_builder.tables import (
    BASE,
    CROSSROADS,
    NOMADS,
    QUADRANTS,
    SCORINGS,
    Quadrant,
)
from winterkingdom_env.games.splits import SPLIT_SEED, Part, Splits, parted

OFFERED = (BASE, NOMADS, CROSSROADS)  # sets with printed quadrants
HELD_OUT_SCORING = ("Citizens", "Ambassadors")  # cards that no seen triple has
HELD_OUT_QUADRANTS = ("tower", "garden", "monastery")  # quadrants that no seen board has
ONE_OF_TRIPLES = 5  # one triple in five of the other cards is held out, too
N_BOARDS = 400  # boards per side


@cache
def splits() -> Splits:
    """The fixed split into seen and held-out set-ups."""
    names = [card.name for card in SCORINGS if card.set in OFFERED]
    triples = list(combinations(names, layout.SCORING_IN_PLAY))
    known = [triple for triple in triples if not set(triple) & set(HELD_OUT_SCORING)]
    seen, others = parted(known, len(known) // ONE_OF_TRIPLES, "kingdom builder scoring")
    held_out = (*others, *(triple for triple in triples if triple not in set(known)))
    boards, other_boards = _boards((), "seen"), _boards(HELD_OUT_QUADRANTS, "held-out")
    return Splits(
        parts=(
            Part("scoring", "scoring cards", seen, held_out, (_triples_text(seen), _triples_text(held_out))),
            Part(
                "quadrants", "boards", boards, other_boards,
                (f"{len(boards)} boards without {', '.join(HELD_OUT_QUADRANTS)}", f"{len(other_boards)} boards with one of {', '.join(HELD_OUT_QUADRANTS)}"),
            ),
            Part("sets", "sets", SEEN_SETS, HELD_OUT_SETS, (_sets_text(SEEN_SETS), _sets_text(HELD_OUT_SETS))),
        ),
        everything={"sets": ("nomads", "crossroads")},
    )  # fmt: skip


# With given quadrants and scoring cards, the sets decide only whether every seat has units.
SEEN_SETS: tuple[tuple[str, ...], ...] = ((), ("nomads", "crossroads"))
HELD_OUT_SETS: tuple[tuple[str, ...], ...] = (("crossroads",),)


def _boards(needed: Sequence[str], purpose: str) -> tuple[tuple[str, ...], ...]:
    """Different boards of four quadrants; with at least one of ``needed`` if there are any, otherwise with no held-out quadrant."""
    stream = Stream(derive(SPLIT_SEED, f"kingdom builder boards {purpose}"))
    pool = [row for row in QUADRANTS if row.set in OFFERED and (needed or row.name not in HELD_OUT_QUADRANTS)]
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
