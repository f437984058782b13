"""What an agent thinks of a position, as data for a page."""

from __future__ import annotations

import threading
import time
from collections.abc import Sequence
from typing import Any

from winterkingdom_env.core.picture import Look
from winterkingdom_env.games import Game, get_game, name_of
from winterkingdom_env.render import picture_of
from winterkingdom_env.search.registry import Agent, agent_spec, get_ready
from winterkingdom_env.search.thinking import Thinker
from winterkingdom_env.search.thoughts import Thoughts, odds_of, shipped_network
from winterkingdom_env.search.view import View
from winterkingdom_env.web.limits import MOST_ROWS
from winterkingdom_env.web.spots import Spots

_networks = threading.local()  # a network evaluates one position at a time


def network_of(name: str) -> Thinker | None:
    """The shipped network of a game, for the thread that asks."""
    known: dict[str, Thinker | None] = _networks.__dict__
    if name not in known:
        known[name] = shipped_network(get_game(name))
    return known[name]


def thoughts_about(
    game: Game, seat: int, name: str, agent: Agent, seconds: float, spots: Spots | None
) -> dict[str, Any]:
    """What an agent thought in its last call, about this position."""
    thoughts: Thoughts | None = getattr(agent, "thoughts", None)
    odds: Sequence[float] | None = thoughts.odds if thoughts is not None else None
    if odds is None:
        odds = odds_of(game, seat, network_of(name_of(game)))
    told: dict[str, Any] = {
        "seat": seat,
        "agent": name,
        "milliseconds": round(1000 * seconds, 2),
        "words": "" if thoughts is None else thoughts.words,
        "value_words": "" if thoughts is None else thoughts.value_words,
        "odds": None if odds is None else [round(share, 3) for share in odds],
        "line": [],
        "rows": [],
    }
    if thoughts is None:
        return told
    after = game.clone()
    for action in thoughts.plan:
        told["line"].append(after.label(action))
        try:
            after.apply(action)
        except ValueError:  # what was hidden from the agent is otherwise than it took it to be
            break
    for thought in thoughts.thoughts[:MOST_ROWS]:
        label = game.label(thought.action)
        told["rows"].append(
            {
                "label": label,
                "weight": None if thought.weight is None else round(float(thought.weight), 4),
                "value": None if thought.value is None else round(float(thought.value), 3),
                "spot": None if spots is None else spots.of(label),
            }
        )
    return told


def study(game: Game, text: str, seed: int = 0) -> dict[str, Any]:
    """What an agent thinks of a position, for the seat to act, from what this seat may know; with the places on the board."""
    agent = agent_spec(text).make(seed)
    get_ready(agent, get_game(name_of(game)))
    seat, view = game.seat, View(game, game.seat)
    start = time.monotonic()
    agent(view)
    seconds = time.monotonic() - start
    known = view.determinize(seed)
    spots = Spots(picture_of(known, Look(seat)))
    told = thoughts_about(known, seat, text, agent, seconds, spots)
    for row in told["rows"]:
        if row["spot"] is not None:
            row.update(spots.place(row["spot"]))
    return told
