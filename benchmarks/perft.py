"""Action sequences per second: bulk counting (the last action is counted, not applied), and with every action applied."""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial

from benchmarks.positions import Reference, Source
from benchmarks.timing import Budget, Facts, Result, measure
from winterkingdom_env.core.arguments import as_integer
from winterkingdom_env.games.base import perft

PART = "perft"


def count_by_reference(game: Reference, depth: int) -> int:
    """The number of action sequences of length ``depth``, by the reference; a sequence that ends the game earlier counts once."""
    depth = as_integer("depth", depth)
    if depth == 0 or game.is_over:
        return 1
    legal = list(game.legal_labels())
    if depth == 1:
        return len(legal)
    total = 0
    for label in legal:
        child = game.clone()
        child.apply(label)
        total += count_by_reference(child, depth - 1)
    return total


def run(budget: Budget, source: Source) -> Iterator[Result]:
    """Both kinds of counting from each start; the reference from the first, an opening."""
    starts = list(source.starts(budget.level))
    for name, game, depths in starts:
        depth = depths[budget.level]
        facts: Facts = {"start": name, "depth": depth}
        yield measure(f"{name}, bulk", PART, "node", partial(perft, game, depth), budget, **facts)
        each = partial(perft, game, depth, is_bulk=False)
        yield measure(f"{name}, every move made", PART, "node", each, budget, **facts)
    name, game, depths = starts[0]
    reference = source.reference(game.setup())
    if reference is not None:
        depth = min(depths[budget.level], budget.choose(2, 3, 3))
        count = partial(count_by_reference, reference, depth)
        yield measure(f"{name}, reference, bulk", PART, "node", count, budget, depth=depth)
