"""Sizes of a set of hexes, into which every game's board must fit."""

WORDS = 32  # of 32 bits in a set of hexes: one per row, so that a set fills whole vector registers
DIRECTIONS = 6
LINKS = 3  # one of each pair of opposite directions
