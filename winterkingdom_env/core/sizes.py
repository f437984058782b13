"""Sizes of a set of hexes. Every game's board must fit into them."""

WORDS = 32  # 32-bit words of a set of hexes: one per row, so that a set fills whole vector registers
DIRECTIONS = 6
LINKS = 3  # one of each pair of opposite directions
