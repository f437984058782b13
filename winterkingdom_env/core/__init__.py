"""Code that all games share: hex sets, a random stream, batches, kernel compilation. It depends on no game."""
