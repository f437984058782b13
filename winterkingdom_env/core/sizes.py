"""Sizes of the grid that every game's board must fit into."""

ROWS = 27  # boards of up to 27 rows and 32 columns
WORDS = (
    32  # of 32 bits in a set of hexes: one per row, the rest stays empty, so that a set fills whole vector registers
)
DIRECTIONS = 6
LINKS = 3  # one of each pair of opposite directions
