"""Training agents, and saying what they have learned: seen and held-out set-ups, evaluations, reports (docs/training.md)."""
