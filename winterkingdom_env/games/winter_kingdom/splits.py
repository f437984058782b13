"""Which set-ups are held out: scoring cards by the triple, economies and twists by the card, boards by the set of sides."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache
from itertools import combinations

from winterkingdom_env.games.factors import Factor, common_factors, of_members, of_values
from winterkingdom_env.games.splits import Part, Splits, parted
from winterkingdom_env.games.winter_kingdom import layout, tables
from winterkingdom_env.games.winter_kingdom.config import GENERATED, RANDOM, STANDARD
from winterkingdom_env.games.winter_kingdom.house import SHEETS

ONE_OF_TRIPLES = 5  # one triple in five is held out
HELD_OUT_CARDS = 2  # held-out economies, and as many twists
N_BOARDS = 16  # generated sets of sides per side of the split
FIRST_HELD_OUT_BOARDS = 1000


@cache
def splits() -> Splits:
    """The fixed split into seen and held-out set-ups."""
    triples = list(combinations((card.name for card in tables.SCORINGS), layout.SCORING_IN_PLAY))
    scoring = parted(triples, len(triples) // ONE_OF_TRIPLES, "scoring")
    economies = parted([card.name for card in tables.ECONOMIES], HELD_OUT_CARDS, "economy")
    seen_twists, other_twists = parted([card.name for card in tables.TWISTS], HELD_OUT_CARDS, "twist")
    seen_boards = (STANDARD, *_generated(0))
    return Splits(
        parts=(
            Part("scoring", "scoring cards", *scoring, (_triples_text(scoring[0]), _triples_text(scoring[1]))),
            Part("economy", "economies", *economies, (", ".join(economies[0]), ", ".join(economies[1]))),
            Part(
                "twist", "twists", (None, *seen_twists), other_twists,
                (", ".join(("no twist", *seen_twists)), ", ".join(other_twists)),
            ),
            Part(
                "boards", "boards", seen_boards, _generated(FIRST_HELD_OUT_BOARDS),
                (f"{STANDARD}, {_boards_text(_generated(0))}", _boards_text(_generated(FIRST_HELD_OUT_BOARDS))),
            ),
        ),
        everything={"twist": RANDOM},
    )  # fmt: skip


@cache
def factors() -> tuple[Factor, ...]:
    """Economies, scoring cards, twists (one level is none), where boards come from, numbers of players, and house rules."""
    whole = splits()
    generated = tuple(name for name in whole.values("boards") if name != STANDARD)
    return (
        of_values("economy", "economies", "economy", whole.values("economy")),
        of_members("scoring", "scoring cards", "scoring", whole.values("scoring")),
        of_values("twist", "twists", "twist", whole.values("twist")),
        Factor("boards", "boards", "boards", {STANDARD: (STANDARD,), GENERATED: generated}),
        *common_factors(tables.START_COINS, SHEETS),
    )


def _generated(first: int) -> tuple[str, ...]:
    return tuple(f"{GENERATED}:{first + seed}" for seed in range(N_BOARDS))


def _triples_text(triples: Sequence[Sequence[str]]) -> str:
    return f"{len(triples)} triples, as {', '.join(triples[0])}"


def _boards_text(boards: Sequence[str]) -> str:
    return f"{boards[0]} to {boards[-1]}"
