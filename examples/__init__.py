"""Example programs, and an example game that tests use as a game outside the package."""
