"""How a card stops to ask."""

from __future__ import annotations

from winterkingdom_env.reference.dominion.state import State


def ask(state: State, phase: str, mover: int | None = None, subject: int | None = None) -> bool:
    """Ask a question, of the turn seat and about it unless said otherwise. True: an answer is awaited."""
    state.phase = phase
    state.mover = state.seat if mover is None else mover
    state.subject = state.seat if subject is None else subject
    return True
