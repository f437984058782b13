"""Training of agents: trainers, seen and held-out set-ups, evaluations, reports (docs/training.md)."""
