"""How many action sequences are there? The counts in the files, by the kernels and, one level less, by the reference."""

from __future__ import annotations

import pytest

from benchmarks.perft import count_by_reference
from benchmarks.positions import source_of
from tests.house.perft_file import Line, file_of, read
from winterkingdom_env.games import GAMES, get_game
from winterkingdom_env.games.base import perft

FILES = {game: read(file_of(game).read_text(encoding="utf-8")) for game in GAMES}
LINES = [(game, line) for game, (_, lines) in FILES.items() for line in lines]


@pytest.mark.parametrize("game", GAMES)
def test_file__is_of_this_version(game: str) -> None:
    assert FILES[game][0] == GAMES[game], (
        f"a new env version: check the rules, then python -m tests.house.perft_file {game}"
    )


@pytest.mark.parametrize(
    ("game", "line"), LINES, ids=[f"{game}_seed{line.seed}_depth{line.depth}" for game, line in LINES]
)
def test_counts__of_kernels_and_reference__are_those_of_the_file(game: str, line: Line) -> None:
    position, reference = line.pair(source_of(get_game(game)))
    count = perft(position, line.depth)
    if count != line.total:
        divide = []
        for action in position.legal_actions():
            child = position.clone()
            child.apply(action)
            divide.append(f"{position.label(action)}: {perft(child, line.depth - 1)}")
        pytest.fail(f"{count} sequences, the file says {line.total}; under each first action:\n" + "\n".join(divide))
    depth = min(line.depth - 1, 2)
    assert perft(position, depth) == count_by_reference(reference, depth)


@pytest.mark.parametrize("game", GAMES)
def test_perft__depth_zero_and_after_the_end__is_one(game: str) -> None:
    position = get_game(game).new_game(seed=3)
    assert perft(position, 0) == 1
    while not position.is_over:
        position.apply(position.legal_actions()[-1])
    assert perft(position, 5) == 1
