"""Sizes of the grid that every game's board must fit into."""

ROWS = 27  # words of 32 bits: boards of up to 27 rows and 32 columns
DIRECTIONS = 6
LINKS = 3  # one of each pair of opposite directions
