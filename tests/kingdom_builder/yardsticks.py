"""Random play of the base game beside a public engine: ``python -m tests.kingdom_builder.yardsticks --games 2000``.

Two players choose uniformly among the legal actions, on oracle, paddock / harbor, farm, not turned. A public engine gives about 32 and 51
gold per seat for two triples of scoring cards, each with castles. Its rules differ, and it has an action for every hex of a special action
where we have one to begin it. The lines below ours add these differences to the reference, one after the other.
"""

from __future__ import annotations

import sys
from argparse import ArgumentParser
from collections.abc import Callable, Iterator, Sequence
from contextlib import ExitStack
from typing import Any, NamedTuple
from unittest.mock import patch

import numpy as np
from rich.console import Console
from rich.progress import track

from winterkingdom_env.core.rng import Stream, derive
from winterkingdom_env.games.kingdom_builder import Config, Game
from winterkingdom_env.reference.kingdom_builder import ReferenceGame
from winterkingdom_env.reference.kingdom_builder.names import BASIC, CASTLES
from winterkingdom_env.reference.kingdom_builder.scoring import score_card
from winterkingdom_env.reference.kingdom_builder.state import State

QUADRANTS = ("oracle", "paddock", "harbor", "farm")
TRIPLES = {("Miners", "Fishermen", "Workers"): 32.0, ("Knights", "Farmers", "Lords"): 51.0}  # gold of the public engine
REFERENCE = "winterkingdom_env.reference.kingdom_builder"
Choose = Callable[[ReferenceGame, Stream], str]


def any_action(game: ReferenceGame, stream: Stream) -> str:
    """One of the legal actions."""
    labels = sorted(game.legal_labels())
    return labels[stream.draw(len(labels))]


def any_hex(game: ReferenceGame, stream: Stream) -> str:
    """One of the legal actions, where beginning a special action counts once for every action that follows it."""
    options = list[str]()
    for label in sorted(game.legal_labels()):
        weight = 1
        if label.startswith("use "):
            begun = game.clone()
            begun.apply(label)
            weight = len(begun.legal_labels())
        options += [label] * weight
    return options[stream.draw(len(options))]


def lords_with_pieces(state: State) -> list[int]:
    """Lords for seats with at least one piece in the quadrant."""
    gold, counts = [0] * len(state.seats), [_by_quadrant(state, seat) for seat in range(len(state.seats))]
    for quadrant in range(4):
        here = [row[quadrant] for row in counts]
        places = sorted({n for n in here if n > 0}, reverse=True)
        for paid, n in zip((12, 6), places, strict=False):
            for seat, own in enumerate(here):
                gold[seat] += paid if own == n else 0
    return gold


def _by_quadrant(state: State, seat: int) -> list[int]:
    numbers = [0] * 4
    for hex_id in state.pieces_of(seat):
        numbers[2 * (hex_id // 200) + hex_id % 20 // 10] += 1
    return numbers


def keep_tiles(state: State, seat: int) -> None:
    """No tile is ever lost."""


def draw_any(state: State) -> str | None:
    """A card from a deck in which every terrain always lies five times."""
    return BASIC[state.random.draw(len(BASIC))]


class Difference(NamedTuple):
    """What the public engine does otherwise."""

    name: str
    patches: dict[str, Callable[..., Any]]
    choose: Choose = any_action


# Each line has the patches of those above it, too.
DIFFERENCES = (
    Difference("the same rules, by the reference", {}),
    Difference("Lords only with a piece in the quadrant", {"scoring._lords": lords_with_pieces}),
    Difference("tiles are never lost", {"arrive.lose": keep_tiles}),
    Difference("cards are drawn with replacement", {"cards.draw_card": draw_any, "turn.draw_card": draw_any}),
    Difference("an action for every hex of a special action", {}, any_hex),
)


class Figure(NamedTuple):
    """The mean gold per seat for each triple, with its standard error."""

    name: str
    gold: tuple[tuple[float, float], ...]


def mean(values: Sequence[Sequence[int]]) -> tuple[float, float]:
    """The mean over games and seats, and its standard error: the games are independent, the seats of a game are not."""
    games = np.array(values, float).mean(axis=1)
    return float(games.mean()), float(games.std(ddof=1) / len(games) ** 0.5)


def play_ours(scoring: tuple[str, ...], seed: int) -> list[int]:
    """The gold of a random game of the engine."""
    game, stream = (
        Game.new_game(Config(quadrants=QUADRANTS, scoring=scoring), seed),
        Stream(derive(seed, "random play")),
    )
    while not game.is_over:
        legal = game.legal_actions()
        game.apply(legal[stream.draw(len(legal))])
    return game.scores()


def play_reference(choose: Choose, seed: int) -> dict[tuple[str, ...], list[int]]:
    """The gold of a random game of the reference for every triple: play does not depend on the scoring cards."""
    start = Game.new_game(Config(quadrants=QUADRANTS, scoring=next(iter(TRIPLES))), seed)
    game, stream = ReferenceGame.restore(start.snapshot()), Stream(derive(seed, "random play"))
    while not game.is_over:
        game.apply(choose(game, stream))
    columns = {name: score_card(game._state, name) for triple in TRIPLES for name in (*triple, CASTLES)}
    return {
        triple: [sum(columns[name][seat] for name in (*triple, CASTLES)) for seat in range(game.num_players)]
        for triple in TRIPLES
    }


def figures(n_games: int, n_reference: int) -> Iterator[Figure]:
    """Ours, then the reference with more and more of the differences."""
    yield Figure("ours", tuple(mean([play_ours(triple, seed) for seed in range(n_games)]) for triple in TRIPLES))
    with ExitStack() as patched:
        for name, patches, choose in DIFFERENCES:
            for place, function in patches.items():
                patched.enter_context(patch(f"{REFERENCE}.{place}", function))
            found = [play_reference(choose, seed) for seed in range(n_reference)]
            yield Figure(name, tuple(mean([gold[triple] for gold in found]) for triple in TRIPLES))


def main(arguments: list[str] | None = None) -> int:
    """Print every figure."""
    parser = ArgumentParser(
        prog="python -m tests.kingdom_builder.yardsticks", description="Random play beside a public engine."
    )
    parser.add_argument("--games", type=int, default=2_000, help="games of the engine per triple (default 2,000)")
    parser.add_argument(
        "--reference-games", type=int, default=400, help="games of the reference per line (default 400)"
    )
    options = parser.parse_args(arguments)
    if min(options.games, options.reference_games) < 2:
        parser.error("at least 2 games are needed, for a standard error")
    console = Console(stderr=True)
    rows = track(
        figures(options.games, options.reference_games), "yardsticks", len(DIFFERENCES) + 1, console=console,
        transient=True, disable=not console.is_terminal,
    )  # fmt: skip
    print(
        f"gold per seat in random play, 2 players; {options.games:,} games of ours, {options.reference_games:,} of the reference"
    )
    print(f"{'castles and':44}" + "".join(f"  {', '.join(triple):>27}" for triple in TRIPLES))
    print(f"{'a public engine, about':44}" + "".join(f"  {known:27.1f}" for known in TRIPLES.values()))
    for name, gold in rows:
        print(f"{name:44}" + "".join(f"  {value:19.2f} +- {error:4.2f}" for value, error in gold))
    return 0


if __name__ == "__main__":
    sys.exit(main())
