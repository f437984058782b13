"""Pictures of a game. They read a snapshot and never change a game."""
