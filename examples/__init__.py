"""Games that are no part of the package: to read, to copy, and to test the house with."""
