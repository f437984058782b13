"""Action sequences counted per second: in bulk, where the last action is only counted, and with every action carried out."""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial

from benchmarks.timing import Budget, Facts, Result, measure
from winterkingdom_env.core.rng import Stream
from winterkingdom_env.games import winter_kingdom as wk
from winterkingdom_env.reference.winter_kingdom import ReferenceGame
from winterkingdom_env.reference.winter_kingdom.perft import perft as reference_perft

PART = "perft"
STARTS = (
    # name, players, seed, random actions before, depth: quick, short, full
    ("opening", 2, 7, 0, (2, 4, 4)),
    ("middle game", 3, 11, 120, (2, 4, 4)),
)


def position(players: int, seed: int, n_actions: int) -> wk.Game:
    """The game after some random actions."""
    game, stream = wk.new_game(wk.Config(num_players=players, economy="Salvage"), seed=seed), Stream(seed)
    for _ in range(n_actions):
        legal = game.legal_actions()
        game.apply(legal[stream.draw(len(legal))])
    return game


def run(budget: Budget) -> Iterator[Result]:
    """Both ways of counting from an opening and from the middle of a game; the reference from the opening."""
    for name, players, seed, n_actions, depths in STARTS:
        game, depth = position(players, seed, n_actions), depths[budget.level]
        facts: Facts = {"start": name, "depth": depth}
        yield measure(f"{name}, bulk", PART, "node", partial(wk.perft, game, depth), budget, **facts)
        yield measure(
            f"{name}, every move made", PART, "node", partial(wk.perft, game, depth, is_bulk=False), budget, **facts
        )
    opening = ReferenceGame(position(2, 7, 0).setup())
    depth = budget.choose(2, 3, 3)
    yield measure(
        "opening, reference, bulk", PART, "node", partial(reference_perft, opening, depth), budget, depth=depth
    )
