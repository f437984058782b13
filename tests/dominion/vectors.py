"""The agreement vectors and perft counts of the rules; they know no implementation."""

from __future__ import annotations

from typing import NamedTuple


class Vector(NamedTuple):
    """A game of the player who takes answer number (31 s + 17) mod k at step s, of k legal ones ascending."""

    players: int
    kingdom: str
    seed: int
    steps: int
    turns: tuple[int, ...]
    scores: tuple[int, ...]
    empty: str
    trash: int
    rng: int
    cards: str = ""  # the kingdom, if it is drawn

    def choose(self, step: int, n_legal: int) -> int:
        """The place of the action to take among the legal ones."""
        return (31 * step + 17) % n_legal


VECTORS = (
    Vector(2, "first_game", 1, 212, (41, 40), (-1, 3), "Estate, Curse, Cellar", 4, 0x9778C55ECD7C0D42),
    Vector(3, "interaction", 2, 245, (35, 35, 34), (3, 5, -1), "Estate, Chancellor, Village", 3, 0x4618C6F29808F3C2),
    Vector(4, "size_distortion", 3, 212, (23, 23, 23, 22), (5, 6, 2, 3), "Estate, Cellar, Chapel", 18, 0x6C17F8D87CBD0073),
    Vector(2, "village_square", 4, 177, (39, 38), (3, 1), "Estate, Curse, Cellar", 3, 0xE19108BCC52A63C4),
    Vector(2, "big_money", 5, 108, (31, 30), (7, 3), "Estate, Curse, Chapel", 1, 0x1146024C44307131),
    Vector(4, "random", 6, 368, (33, 33, 33, 32), (2, 3, -2, 0), "Estate, Chapel, Woodcutter", 15, 0xB099D12438A48DFF,
           "Bureaucrat, Chancellor, Chapel, Festival, Market, Militia, Mine, Moneylender, Spy, Woodcutter"),
    Vector(3, "random", 7, 192, (31, 30, 30), (-6, 5, 4), "Estate, Chapel, Workshop", 7, 0xA49493A3F5415F05,
           "Bureaucrat, Chapel, Council Room, Gardens, Library, Market, Thief, Throne Room, Witch, Workshop"),
)  # fmt: skip

# Of the first vector, after set-up: Coppers and Estates of the two hands, and the stream.
FIRST_HANDS = ((3, 2), (4, 1))
FIRST_RNG = 0xBF34EF2B81EB3593

# Players, kingdom, seed; action sequences of length 1, 2, 3, 4
PERFT = (
    (2, "first_game", 1, (10, 130, 1690, 16900)),
    (3, "interaction", 2, (8, 64, 768, 9216)),
)
