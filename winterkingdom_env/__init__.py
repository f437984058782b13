"""Winter Kingdom, and later its siblings, as an environment for training, comparing and timing agents."""
