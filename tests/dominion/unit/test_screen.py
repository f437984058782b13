"""What a screen of Dominion tells somebody who may not see everything."""

from __future__ import annotations

import random

from winterkingdom_env.core.picture import PUBLIC, Look
from winterkingdom_env.games import get_game


def test_asked__a_card_that_only_its_owner_sees__is_told_to_its_owner() -> None:
    rules, n = get_game("dominion"), 0
    for seed in range(30):
        game, dice = rules.new_game(rules.Config(num_players=3, kingdom="village_square"), seed), random.Random(seed)
        while not game.is_over:
            snapshot = game.snapshot()
            if game.phase == "library":
                for viewer in (PUBLIC, *range(3)):
                    asked = rules.screen(snapshot, Look(viewer)).asked
                    assert (snapshot["pending"] in asked) == (snapshot["pending_known"] or viewer == game.seat)
                n += not snapshot["pending_known"]
            game.apply(dice.choice(game.legal_actions()))
    assert n > 5


def test_screen__for_everybody__shows_no_hand_as_ones_own() -> None:
    rules = get_game("dominion")
    game = rules.new_game(seed=1)
    shown, own = (rules.screen(game.snapshot(), Look(viewer)) for viewer in (PUBLIC, 1))
    assert all(card.where != "hand" for card in shown.cards) and any(card.where == "hand" for card in own.cards)
    assert "your deck" not in str(shown.board) and "your deck" in str(own.board)
