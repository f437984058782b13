"""Sizes of the grid that every game's board must fit into."""

ROWS = 27  # words of 32 bits: 27 x 27 for Winter Kingdom, 20 x 29 for Kingdom Builder
DIRECTIONS = 6
LINKS = 3  # one of each pair of opposite directions
