"""How many action sequences there are, counted by the reference."""

from __future__ import annotations

from winterkingdom_env.reference.winter_kingdom.game import ReferenceGame


def perft(game: ReferenceGame, depth: int) -> int:
    """Number of action sequences of this length from here; a sequence that ends the game earlier counts once."""
    if type(depth) is not int or depth < 0:
        raise ValueError(f"depth={depth!r}: an integer from 0 on is needed")
    if depth == 0 or game.is_over:
        return 1
    legal = game.legal_labels()
    if depth == 1:
        return len(legal)
    total = 0
    for label in legal:
        child = game.clone()
        child.apply(label)
        total += perft(child, depth - 1)
    return total
