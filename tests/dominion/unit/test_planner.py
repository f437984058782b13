"""The planner in a game whose turns have surprises: drawn cards."""

from __future__ import annotations

import pytest

from tests.dominion.kernel_table import make_table
from tests.dominion.position import read_position
from winterkingdom_env.search.agents import PlannerAgent
from winterkingdom_env.search.view import View


@pytest.mark.rule("docs/agents.md, plans")
def test_planner__drawn_cards_were_not_foreseen__buys_by_what_it_drew() -> None:
    text = "H0 Smithy, 2 Gold; D0 8 Gold, 14 Estate; H1 5 Copper; D1 4 Province; turns 16, 15; pile Province 3"
    bought = dict[bool, set[str]]()
    for seed in range(30):
        game, agent = make_table(read_position(text), seed).game, PlannerAgent(seed)
        labels = []
        while game.seat == 0 and not game.is_over:
            action = agent(View(game, 0))
            labels.append(game.label(action))
            if game.phase == "buy":
                bought.setdefault(game.snapshot()["coins"] >= 8, set()).add(labels[-1])
            game.apply(action)
        assert labels[0] == "play Smithy"
    assert bought[True] == {"buy Province"} and "buy Province" not in bought[False]
