"""How many action sequences are there? The counts in the file, by the kernels and, one level less, by the reference."""

from __future__ import annotations

import pytest

from benchmarks.perft import count_by_reference
from tests.winter_kingdom.perft.counts import FILE, Line, read
from winterkingdom_env.games import winter_kingdom as wk

VERSION, LINES = read(FILE.read_text(encoding="utf-8"))


def test_perft_file__is_of_this_version() -> None:
    assert wk.ENV_VERSION == VERSION, (
        "a new env version: check the rules, then python -m tests.winter_kingdom.perft.counts"
    )


@pytest.mark.parametrize("line", LINES, ids=[f"seed{line.seed}_{line.players}p_{line.twist}" for line in LINES])
def test_perft(line: Line) -> None:
    game, reference = line.game()
    count = wk.perft(game, line.depth)
    if count != line.total:
        divide = []
        for action in game.legal_actions():
            child = game.clone()
            child.apply(action)
            divide.append(f"{game.label(action)}: {wk.perft(child, line.depth - 1)}")
        pytest.fail(f"{count} sequences, the file says {line.total}; under each first action:\n" + "\n".join(divide))
    depth = min(line.depth - 1, 2)
    assert wk.perft(game, depth) == count_by_reference(reference, depth)


def test_perft__depth_zero_and_after_the_end__is_one() -> None:
    game = wk.new_game(seed=3)
    assert wk.perft(game, 0) == 1
    while not game.is_over:
        game.apply(game.legal_actions()[-1])
    assert wk.perft(game, 5) == 1
