"""Environments over the games of this package: PettingZoo, vectorised, Gymnasium. Glue only; no rule stands here."""
